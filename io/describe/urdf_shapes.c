/* Writes masses and shapes of bodies as elements of URDF. Tested in tests/io/describe_urdf.c. */
#include "io/describe/urdf_shapes.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "io/describe/solids.h"
#include "io/mesh/mesh.h"
#include "io/robot/pose.h"
#include "io/text/number.h"
#include "io/text/output_target.h"

/* Computes roll, pitch and yaw, R = Rz(yaw) Ry(pitch) Rx(roll). Roll is that of what yaw leaves of R, so that it is
 * right where pitch is a right angle and yaw is arbitrary. */
void abut_urdf_rpy(const double q[4], double rpy[3])
{
	double R[9];
	abut_quat_to_mat3(q, R);
	const double yaw = atan2(R[3], R[0]), s = sin(yaw), c = cos(yaw);
	rpy[0] = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
	rpy[1] = atan2(-R[6], c * R[0] + s * R[3]);
	rpy[2] = yaw;
}

void abut_urdf_write_origin(FILE *file, const AbutPose *pose)
{
	double rpy[3];
	abut_urdf_rpy(pose->orientation, rpy);
	if (abut_norm3(pose->position) == 0.0 && abut_norm3(rpy) == 0.0) {
		return;
	}
	fputs("<origin", file);
	abut_describe_numbers(file, "xyz", pose->position, 3);
	abut_describe_numbers(file, "rpy", rpy, 3);
	fputs("/>", file);
}

void abut_urdf_write_inertial(const AbutUrdfOut *u, int i, double share)
{
	static const char *const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
	static const int entries[] = {0, 1, 2, 4, 5, 8};
	static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
	const AbutBody *body = &u->d.model->bodies[i];
	const double mass = share * body->mass_si;
	double R[9], half[9], J[9];
	AbutPose centre = abut_urdf_in_link(u, i, body->centre_of_mass, unturned);
	memcpy(centre.orientation, unturned, sizeof centre.orientation);
	abut_quat_to_mat3(u->frame[i].orientation, R);
	abut_mat3_transposed_mul(R, body->inertia_si, half);
	abut_mat3_mul(half, R, J);
	fputs("<inertial>", u->d.file);
	abut_urdf_write_origin(u->d.file, &centre);
	fputs("<mass", u->d.file);
	abut_describe_numbers(u->d.file, "value", &mass, 1);
	fputs("/><inertia", u->d.file);
	for (int k = 0; k < 6; k++) {
		const double value = share * J[entries[k]];
		abut_describe_numbers(u->d.file, names[k], &value, 1);
	}
	fputs("/></inertial>\n", u->d.file);
}

/* --- shapes --- */

/* A solid of URDF: what a shape, or a part of it, becomes. */
typedef struct Solid {
	const char *type; /* "box", "sphere", "cylinder" or "mesh" */
	double size[3];   /* edges; radius, length */
	char file[256];   /* of a mesh, relative to the model */
	AbutPose place;   /* in the link */
} Solid;

/* Writes <visual> and, if the body collides, <collision>. */
static void write_solid(const AbutUrdfOut *u, const Solid *solid, bool collides)
{
	FILE *file = u->d.file;
	for (int k = 0; k < (collides ? 2 : 1); k++) {
		const char *tag = k == 0 ? "visual" : "collision";
		fprintf(file, "<%s>", tag);
		abut_urdf_write_origin(file, &solid->place);
		fprintf(file, "<geometry><%s", solid->type);
		if (strcmp(solid->type, "mesh") == 0) {
			abut_describe_text(file, "filename", solid->file);
		} else if (strcmp(solid->type, "box") == 0) {
			abut_describe_numbers(file, "size", solid->size, 3);
		} else {
			abut_describe_numbers(file, "radius", solid->size, 1);
			if (solid->type[0] == 'c') {
				abut_describe_numbers(file, "length", &solid->size[1], 1);
			}
		}
		fprintf(file, "/></geometry></%s>\n", tag);
	}
}

static void write_obj(FILE *file, const AbutShapeMesh *mesh)
{
	char number[ABUT_NUMBER_SIZE];
	for (int i = 0; i < mesh->n_vertices; i++) {
		fputc('v', file);
		for (int k = 0; k < 3; k++) {
			fprintf(file, " %s", abut_number_short(mesh->positions[3 * i + k], number));
		}
		fputc('\n', file);
	}
	for (int i = 0; i < mesh->n_triangles; i++) {
		const int *t = &mesh->triangles[3 * i];
		fprintf(file, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
	}
}

/* Writes part k of a body as a mesh file beside the model. Returns false if there is none. */
static bool write_mesh(AbutUrdfOut *u, int body, int k, const AbutShape *shape, Solid *solid)
{
	char path[1024], name[100];
	AbutShapeMesh mesh = {.n_vertices = 0};
	AbutTarget target = {0};
	const char *const link = u->d.def->bodies[body].name;
	bool plain = strlen(link) < sizeof name;
	snprintf(name, sizeof name, "%s", link);
	for (char *c = name; *c; c++) {
		plain = plain && (isalnum((unsigned char)*c) || *c == '_');
		*c = (char)(isalnum((unsigned char)*c) ? *c : '_');
	}
	const int length = plain ? snprintf(path, sizeof path, "%s_%s_%d.obj", u->meshes, name, k)
	                         : snprintf(path, sizeof path, "%s_%.80s_b%d_%d.obj", u->meshes, name, body, k);
	const char *const slash = strrchr(path, '/'), *const file = slash ? slash + 1 : path;
	if (length >= (int)sizeof path || strlen(file) >= sizeof solid->file ||
	    abut_shape_mesh_create(shape, &mesh, NULL) != ABUT_OK) {
		return false;
	}
	snprintf(solid->file, sizeof solid->file, "%s", file);
	u->status = abut_target_open(&target, NULL, path, u->error);
	if (u->status == ABUT_OK) {
		write_obj(target.file, &mesh);
	}
	u->status = abut_target_end(&target, u->status, u->error);
	abut_shape_mesh_free(&mesh);
	return u->status == ABUT_OK;
}

static void write_capsule(const AbutUrdfOut *u, const Solid *capsule, bool collides)
{
	Solid part = *capsule;
	write_solid(u, &part, collides);
	part.type = "sphere";
	for (int end = -1; end <= 1; end += 2) {
		AbutPose shift = abut_pose_identity();
		shift.position[2] = 0.5 * end * capsule->size[1];
		part.place = abut_pose_compose(&capsule->place, &shift);
		write_solid(u, &part, collides);
	}
}

/* Writes part k of a body, if URDF has its shape or a mesh can stand for it. */
static void write_part(AbutUrdfOut *u, int i, int k, const AbutShape *shape, bool collides)
{
	const char *name = u->d.def->bodies[i].name;
	const AbutPose place = abut_describe_place(shape);
	Solid solid = {.size = {shape->size[0], shape->size[1]},
	               .place = abut_urdf_in_link(u, i, place.position, place.orientation)};
	switch ((int)shape->kind) {
	case ABUT_SHAPE_BOX:
		solid.type = "box";
		abut_scale3(2.0, shape->size, solid.size);
		write_solid(u, &solid, collides);
		return;
	case ABUT_SHAPE_SPHERE:
	case ABUT_SHAPE_CYLINDER:
		solid.type = shape->kind == ABUT_SHAPE_SPHERE ? "sphere" : "cylinder";
		write_solid(u, &solid, collides);
		return;
	case ABUT_SHAPE_CAPSULE:
		solid.type = "cylinder";
		write_capsule(u, &solid, collides);
		return;
	case ABUT_SHAPE_HALFSPACE:
		abut_describe_note(&u->d, ABUT_LEFT_OUT, "body", name,
		                   "part %d of body \"%.60s\": URDF has no halfspaces", k, name);
		return;
	default:
		break;
	}
	solid.type = "mesh";
	solid.place = abut_urdf_in_link(u, i, (const double[3]){0.0}, (const double[4]){1.0});
	if (u->status == ABUT_OK && u->meshes && write_mesh(u, i, k, shape, &solid)) {
		write_solid(u, &solid, collides);
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "body", name,
		                   "part %d of body \"%.60s\" is the mesh %.100s", k, name, solid.file);
	} else {
		abut_describe_note(&u->d, ABUT_LEFT_OUT, "body", name, "part %d of body \"%.60s\": %s", k, name,
		                   u->meshes ? "it has no mesh" : "meshes need a file beside that of the model");
	}
}

void abut_urdf_write_shapes(AbutUrdfOut *u, int i)
{
	const AbutBody *body = &u->d.model->bodies[i];
	const double friction = abut_describe_friction(&u->d, i), usual = abut_scene_def_default().friction;
	bool collides = false;
	int capsules = 0;
	for (int other = 0; other < u->d.def->n_bodies && !collides; other++) {
		const bool moves = !u->d.def->bodies[other].is_static || !body->is_static;
		collides = other != i && moves && abut_describe_may_touch(u->d.def, i, other);
	}
	collides = collides || u->d.def->n_bodies == 1;
	for (int k = 0; k < body->n_parts; k++) {
		const AbutShape *shape = u->d.model->parts[body->first_part + k].shape;
		capsules += shape->kind == ABUT_SHAPE_CAPSULE;
		write_part(u, i, k, shape, collides);
	}
	if (capsules > 0) {
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "body", body->name,
		                   "%d capsule%s of body \"%.60s\": cylinder and two spheres each, of the "
		                   "same surface",
		                   capsules, capsules == 1 ? "" : "s", body->name);
	}
	if (collides && (u->d.def->bodies[i].friction >= 0.0 || friction != usual)) {
		fputs("<contact><lateral_friction", u->d.file);
		abut_describe_numbers(u->d.file, "value", &friction, 1);
		fputs("/></contact>\n", u->d.file);
	}
}

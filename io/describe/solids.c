/* Writes masses and shapes of bodies as elements of MJCF. Tested in tests/io/describe.c. */
#include "io/describe/solids.h"

#include <stdio.h>

#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/model/pair.h"
#include "io/describe/contacts_out.h"
#include "io/robot/pose.h"

bool abut_describe_has_geom(const AbutShape *shape)
{
	static const bool has[ABUT_SHAPE_COUNT] = {
	    [ABUT_SHAPE_HALFSPACE] = true, [ABUT_SHAPE_BOX] = true,     [ABUT_SHAPE_ELLIPSOID] = true,
	    [ABUT_SHAPE_SPHERE] = true,    [ABUT_SHAPE_CAPSULE] = true, [ABUT_SHAPE_CYLINDER] = true,
	    [ABUT_SHAPE_POLYTOPE] = true};
	return has[shape->kind];
}

const char *abut_describe_geom(const AbutDescribing *d, int body, int k)
{
	const AbutBodyDef *def = &d->def->bodies[body];
	char suffix[16];
	snprintf(suffix, sizeof suffix, "_%d", k);
	return abut_naming_get(d->names, &(AbutNamedPart){ABUT_NAMED_GEOM, body, k, NULL}, def->name,
	                       def->n_parts == 1 ? "" : suffix);
}

/* Writes type and size of a shape that MJCF has, in its convention. */
static void write_kind(FILE *file, const AbutShape *shape, const char *mesh)
{
	const double halved[2] = {shape->size[0], 0.5 * shape->size[1]}, plane[3] = {0.0, 0.0, 1.0};
	switch ((int)shape->kind) {
	case ABUT_SHAPE_HALFSPACE:
		fputs(" type=\"plane\"", file);
		abut_describe_numbers(file, "size", plane, 3);
		break;
	case ABUT_SHAPE_BOX:
	case ABUT_SHAPE_ELLIPSOID:
		fprintf(file, " type=\"%s\"", shape->kind == ABUT_SHAPE_BOX ? "box" : "ellipsoid");
		abut_describe_numbers(file, "size", shape->size, 3);
		break;
	case ABUT_SHAPE_SPHERE:
		fputs(" type=\"sphere\"", file);
		abut_describe_numbers(file, "size", shape->size, 1);
		break;
	case ABUT_SHAPE_CAPSULE:
	case ABUT_SHAPE_CYLINDER:
		fprintf(file, " type=\"%s\"", shape->kind == ABUT_SHAPE_CAPSULE ? "capsule" : "cylinder");
		abut_describe_numbers(file, "size", halved, 2);
		break;
	default:
		fputs(" type=\"mesh\"", file);
		abut_describe_text(file, "mesh", mesh);
		break;
	}
}

AbutPose abut_describe_place(const AbutShape *shape)
{
	AbutPose pose = abut_pose_identity();
	const double *R = shape->rotation, x[3] = {R[0], R[3], R[6]}, y[3] = {R[1], R[4], R[7]},
	             z[3] = {R[2], R[5], R[8]};
	abut_copy3(shape->position, pose.position);
	abut_turn_of_axes(x, y, pose.orientation);
	if (shape->kind == ABUT_SHAPE_HALFSPACE) {
		abut_add_scaled3(pose.position, shape->size[0], z, pose.position);
	}
	return pose;
}

static void write_inertial(const AbutDescribing *d, const AbutBody *body)
{
	const double *J = body->inertia_si, six[6] = {J[0], J[4], J[8], J[1], J[2], J[5]};
	fputs("<inertial", d->file);
	abut_describe_numbers(d->file, "pos", body->centre_of_mass, 3);
	abut_describe_numbers(d->file, "mass", &body->mass_si, 1);
	abut_describe_numbers(d->file, "fullinertia", six, 6);
	fputs("/>\n", d->file);
}

void abut_describe_solids(const AbutDescribing *d, int i)
{
	const AbutBody *body = &d->model->bodies[i];
	const AbutSoftness spring = abut_softness(&d->def->solver, NULL);
	if (!body->is_static) {
		write_inertial(d, body);
	}
	for (int k = 0; k < body->n_parts; k++) {
		const AbutShape *shape = d->model->parts[body->first_part + k].shape;
		const AbutPose place = abut_describe_place(shape);
		if (!abut_describe_has_geom(shape)) {
			abut_describe_note(d, ABUT_LEFT_OUT, "body", body->name,
			                   "part %d of body \"%.60s\": MJCF has no such shape", k, body->name);
			continue;
		}
		const char *name = abut_describe_geom(d, i, k);
		fputs("<geom", d->file);
		abut_describe_text(d->file, "name", name);
		write_kind(d->file, shape, name);
		const double friction = abut_describe_friction(d, i);
		abut_describe_numbers(d->file, "pos", place.position, 3);
		abut_describe_numbers(d->file, "quat", place.orientation, 4);
		abut_describe_numbers(d->file, "friction", &friction, 1);
		abut_describe_spring(d->file, "solref", "solimp", &spring);
		fputs("/>\n", d->file);
	}
}

void abut_describe_meshes(const AbutDescribing *d)
{
	for (int i = 0; i < d->model->n_bodies; i++) {
		const AbutBody *body = &d->model->bodies[i];
		for (int k = 0; k < body->n_parts; k++) {
			const AbutShape *shape = d->model->parts[body->first_part + k].shape;
			if (shape->kind != ABUT_SHAPE_POLYTOPE) {
				continue;
			}
			fputs("<mesh", d->file);
			abut_describe_text(d->file, "name", abut_describe_geom(d, i, k));
			abut_describe_numbers(d->file, "vertex", shape->vertices, 3 * shape->n_vertices);
			fputs("/>\n", d->file);
		}
	}
}

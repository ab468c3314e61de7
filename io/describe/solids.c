/* Writes masses and shapes of bodies as elements of MJCF. Tested in tests/io/describe.c. */
#include "io/describe/solids.h"

#include <stdio.h>

#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "io/robot/pose.h"

/* Writes the size of a shape in the convention of MJCF. Returns false for a shape that it does not have. */
static bool write_kind(FILE *file, const AbutShape *shape, const char *name, int part)
{
	const double halved[2] = {shape->size[0], 0.5 * shape->size[1]}, plane[3] = {0.0, 0.0, 1.0};
	switch ((int)shape->kind) {
	case ABUT_SHAPE_HALFSPACE:
		fputs("<geom type=\"plane\"", file);
		abut_describe_numbers(file, "size", plane, 3);
		return true;
	case ABUT_SHAPE_BOX:
	case ABUT_SHAPE_ELLIPSOID:
		fprintf(file, "<geom type=\"%s\"", shape->kind == ABUT_SHAPE_BOX ? "box" : "ellipsoid");
		abut_describe_numbers(file, "size", shape->size, 3);
		return true;
	case ABUT_SHAPE_SPHERE:
		fputs("<geom type=\"sphere\"", file);
		abut_describe_numbers(file, "size", shape->size, 1);
		return true;
	case ABUT_SHAPE_CAPSULE:
	case ABUT_SHAPE_CYLINDER:
		fprintf(file, "<geom type=\"%s\"", shape->kind == ABUT_SHAPE_CAPSULE ? "capsule" : "cylinder");
		abut_describe_numbers(file, "size", halved, 2);
		return true;
	case ABUT_SHAPE_POLYTOPE: {
		char mesh[200];
		snprintf(mesh, sizeof mesh, "%.150s_%d", name, part);
		fputs("<geom type=\"mesh\"", file);
		abut_describe_text(file, "mesh", mesh);
		return true;
	}
	default:
		return false;
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
	if (!body->is_static) {
		write_inertial(d, body);
	}
	for (int k = 0; k < body->n_parts; k++) {
		const AbutShape *shape = d->model->parts[body->first_part + k].shape;
		const AbutPose place = abut_describe_place(shape);
		if (!write_kind(d->file, shape, body->name, k)) {
			abut_describe_note(d, "body", body->name,
			                   "left out: part %d of body \"%.60s\": MJCF has no such shape", k,
			                   body->name);
			continue;
		}
		const double friction = abut_describe_friction(d, i);
		abut_describe_numbers(d->file, "pos", place.position, 3);
		abut_describe_numbers(d->file, "quat", place.orientation, 4);
		abut_describe_numbers(d->file, "friction", &friction, 1);
		fputs("/>\n", d->file);
	}
}

void abut_describe_meshes(const AbutDescribing *d)
{
	for (int i = 0; i < d->model->n_bodies; i++) {
		const AbutBody *body = &d->model->bodies[i];
		for (int k = 0; k < body->n_parts; k++) {
			const AbutShape *shape = d->model->parts[body->first_part + k].shape;
			char mesh[200];
			if (shape->kind != ABUT_SHAPE_POLYTOPE) {
				continue;
			}
			snprintf(mesh, sizeof mesh, "%.150s_%d", body->name, k);
			fputs("<mesh", d->file);
			abut_describe_text(d->file, "name", mesh);
			abut_describe_numbers(d->file, "vertex", shape->vertices, 3 * shape->n_vertices);
			fputs("/>\n", d->file);
		}
	}
}

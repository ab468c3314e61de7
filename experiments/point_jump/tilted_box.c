/* Computes poses, shapes and steps of a tilted box. */
#include "experiments/point_jump/tilted_box.h"

#include <math.h>

#include "base/error.h"
#include "experiments/setting/world.h"

/* The bottom of the box touches the body below without overlap. With a positive tilt it touches with its corner at
 * +half. With a negative tilt it touches with its other corner, or at the edge of the body below if that is nearer. The
 * point s of the bottom has the height
 *
 *      z(s) = z_c - s sin(tilt) - half_z cos(tilt) */
AbutPose abut_tilted_box_pose(const AbutTiltedBox *box, double tilt)
{
	const double a = box->half[0], b = box->half[2], sine = sin(tilt), cosine = cos(tilt);
	double left = -a;
	if (box->on_box) {
		const double edge = (box->offset - a + b * sine) / cosine;
		left = fmax(left, edge);
	}
	const double top = box->on_box ? b : 0.0;
	const double height = top + b * cosine + fmax(left * sine, a * sine);
	return (AbutPose){{0.0, 0.0, height}, {cos(0.5 * tilt), 0.0, sin(0.5 * tilt), 0.0}};
}

AbutStatus abut_tilted_box_shapes(const AbutTiltedBox *box, AbutShape *shapes[2], AbutError *error)
{
	static const double up[3] = {0.0, 0.0, 1.0};
	shapes[0] = shapes[1] = NULL;
	ABUT_TRY(box->on_box ? abut_shape_create_box(box->half, &shapes[0], error)
	                     : abut_shape_create_halfspace(up, 0.0, &shapes[0], error));
	return abut_shape_create_box(box->half, &shapes[1], error);
}

/* Defines a scene of two bodies: a static one and the box at rest. */
static void define(const AbutTiltedBox *box, AbutShape *const shapes[2], const AbutShape **parts, double tilt,
                   AbutBodyDef bodies[2], AbutSceneDef *def)
{
	static const char *const names[2] = {"below", "box"};
	const AbutPose pose = abut_tilted_box_pose(box, tilt);
	for (int i = 0; i < 2; i++) {
		parts[i] = shapes[i];
		bodies[i] = abut_body_def_default();
		bodies[i].name = names[i];
		bodies[i].is_static = i == 0;
		bodies[i].mass = i == 0 ? 0.0 : box->mass;
		bodies[i].n_parts = 1;
		bodies[i].parts = &parts[i];
	}
	bodies[0].position[0] = box->on_box ? box->offset : 0.0;
	for (int k = 0; k < 4; k++) {
		bodies[1].position[k % 3] = pose.position[k % 3];
		bodies[1].orientation[k] = pose.orientation[k];
	}
	*def = abut_scene_def_default();
	def->bodies = bodies;
	def->n_bodies = 2;
	def->friction = box->friction;
	def->timestep = box->timestep;
}

static AbutStatus take_step(const AbutWorld *world, AbutTiltedStep *out)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	AbutBodyState after;
	AbutContact contact;
	ABUT_TRY(abut_step(world->model, world->state, world->workspace, &info));
	abut_state_get_body(world->model, world->state, 1, &after);
	out->outcome = info.outcome;
	out->iterations = info.iterations;
	out->tilt_after = 2.0 * atan2(after.orientation[2], after.orientation[0]);
	out->point = NAN;
	if (info.outcome != ABUT_OUTCOME_FAILED && abut_contact_count(world->workspace) == 1) {
		abut_contact_get(world->model, world->workspace, 0, &contact);
		out->point = contact.point[0] - after.position[0];
	}
	return ABUT_OK;
}

AbutStatus abut_tilted_box_step(const AbutTiltedBox *box, AbutMethod method, AbutFinish finish, double kappa,
                                double tilt, AbutTiltedStep *out, AbutError *error)
{
	AbutShape *shapes[2];
	const AbutShape *parts[2];
	AbutBodyDef bodies[2];
	AbutSceneDef def;
	AbutWorld world = {NULL};
	AbutStatus status = abut_tilted_box_shapes(box, shapes, error);
	if (status == ABUT_OK) {
		define(box, shapes, parts, tilt, bodies, &def);
		def.solver.method = method;
		def.solver.finish = finish;
		def.solver.kappa = kappa;
		def.solver.retry = false;
		def.solver.warm_start = false;
		status = abut_world_open(&world, &def, error);
	}
	ABUT_THEN(status, take_step(&world, out));
	abut_world_close(&world);
	abut_shape_destroy(shapes[0]);
	abut_shape_destroy(shapes[1]);
	return status;
}

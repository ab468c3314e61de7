#include "experiments/formulations/lone_body.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81; /* m/s^2 */

const AbutVariant *abut_variant(int index)
{
	static const AbutVariant variants[ABUT_VARIANTS] = {
	    {"single-level", ABUT_METHOD_SINGLE_LEVEL, ABUT_FRICTION_CONE_SOC, ABUT_CONVEX_MODEL_SOFT},
	    {"single-level pyramid", ABUT_METHOD_SINGLE_LEVEL, ABUT_FRICTION_CONE_PYRAMID, ABUT_CONVEX_MODEL_SOFT},
	    {"bilevel", ABUT_METHOD_BILEVEL, ABUT_FRICTION_CONE_SOC, ABUT_CONVEX_MODEL_SOFT},
	    {"bilevel pyramid", ABUT_METHOD_BILEVEL, ABUT_FRICTION_CONE_PYRAMID, ABUT_CONVEX_MODEL_SOFT},
	    {"point-ncp", ABUT_METHOD_POINT_NCP, ABUT_FRICTION_CONE_SOC, ABUT_CONVEX_MODEL_SOFT},
	    {"point-ncp pyramid", ABUT_METHOD_POINT_NCP, ABUT_FRICTION_CONE_PYRAMID, ABUT_CONVEX_MODEL_SOFT},
	    {"lcp", ABUT_METHOD_LCP, ABUT_FRICTION_CONE_PYRAMID, ABUT_CONVEX_MODEL_SOFT},
	    {"convex", ABUT_METHOD_CONVEX, ABUT_FRICTION_CONE_SOC, ABUT_CONVEX_MODEL_SOFT},
	    {"convex pyramid", ABUT_METHOD_CONVEX, ABUT_FRICTION_CONE_PYRAMID, ABUT_CONVEX_MODEL_SOFT},
	    {"convex barriers", ABUT_METHOD_CONVEX, ABUT_FRICTION_CONE_SOC, ABUT_CONVEX_MODEL_BARRIER},
	};
	return &variants[index];
}

static AbutStatus open_with(const AbutLoneBody *body, const AbutVariant *variant, const AbutShape *const shapes[2],
                            AbutWorld *world, AbutError *error)
{
	AbutBodyDef bodies[2] = {abut_body_def_default(), abut_body_def_default()};
	AbutSceneDef def = abut_scene_def_default();
	for (int i = 0; i < 2; i++) {
		bodies[i].name = i == 0 ? "floor" : "body";
		bodies[i].is_static = i == 0;
		bodies[i].n_parts = 1;
		bodies[i].parts = &shapes[i];
	}
	bodies[1].mass = body->mass;
	bodies[1].position[2] = body->above + (body->radius > 0.0 ? body->radius : body->half[2]);
	memcpy(bodies[1].linear_velocity, body->velocity, sizeof body->velocity);
	memcpy(bodies[1].angular_velocity, body->spin, sizeof body->spin);
	def.n_bodies = 2;
	def.bodies = bodies;
	def.friction = body->friction;
	def.timestep = body->timestep;
	def.gravity[2] = body->weightless ? 0.0 : -gravity;
	def.solver.method = variant->method;
	def.solver.friction_cone = variant->cone;
	def.solver.convex_model = variant->convex_model;
	if (body->tolerance > 0.0) {
		def.solver.tolerance = body->tolerance;
	}
	if (body->time_constant > 0.0) {
		def.solver.solref[0] = body->time_constant;
	}
	if (body->margin > 0.0) {
		def.solver.margin = body->margin;
		def.solver.solimp[0] = 0.01;
		def.solver.solimp[1] = 0.99;
	}
	return abut_world_open(world, &def, error);
}

AbutStatus abut_lone_body_open(const AbutLoneBody *body, const AbutVariant *variant, AbutWorld *world, AbutError *error)
{
	static const double up[3] = {0.0, 0.0, 1.0};
	AbutShape *shapes[2] = {NULL, NULL};
	*world = (AbutWorld){.model = NULL};
	AbutStatus status = abut_shape_create_halfspace(up, 0.0, &shapes[0], error);
	if (status == ABUT_OK) {
		status = body->radius > 0.0 ? abut_shape_create_sphere(body->radius, &shapes[1], error)
		                            : abut_shape_create_box(body->half, &shapes[1], error);
	}
	if (status == ABUT_OK) {
		const AbutShape *const parts[2] = {shapes[0], shapes[1]};
		status = open_with(body, variant, parts, world, error);
	}
	abut_shape_destroy(shapes[0]);
	abut_shape_destroy(shapes[1]);
	return status;
}

bool abut_lone_body_run(AbutWorld *world, long steps)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	for (long k = 0; k < steps && info.outcome != ABUT_OUTCOME_FAILED; k++) {
		if (abut_step(world->model, world->state, world->workspace, &info) != ABUT_OK) {
			return false;
		}
	}
	return info.outcome != ABUT_OUTCOME_FAILED;
}

double abut_coulomb_way(double speed, double friction, double timestep, long *steps)
{
	double way = 0.0;
	*steps = 0;
	for (double left = speed; left > 0.0; (*steps)++) {
		left = fmax(left - friction * gravity * timestep, 0.0);
		way += left * timestep;
	}
	return way;
}

double abut_coulomb_push(double force, double mass, double friction, double timestep)
{
	return fmax(force - friction * mass * gravity, 0.0) * timestep / mass;
}

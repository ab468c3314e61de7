/* Opens and runs the world of one body on a floor, and computes closed forms of its motion. */
#include "experiments/formulations/lone_body.h"

#include <math.h>
#include <string.h>

#include "experiments/setting/world.h"

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

static void define(const AbutLoneBody *body, const AbutVariant *variant, AbutBodyDef *own, AbutSceneDef *def)
{
	own->mass = body->mass;
	own->position[2] = body->above + (body->radius > 0.0 ? body->radius : body->half[2]);
	memcpy(own->linear_velocity, body->velocity, sizeof body->velocity);
	memcpy(own->angular_velocity, body->spin, sizeof body->spin);
	def->friction = body->friction;
	def->timestep = body->timestep;
	def->gravity[2] = body->weightless ? 0.0 : -gravity;
	def->solver.method = variant->method;
	def->solver.friction_cone = variant->cone;
	def->solver.convex_model = variant->convex_model;
	if (body->tolerance > 0.0) {
		def->solver.tolerance = body->tolerance;
	}
	if (body->time_constant > 0.0) {
		def->solver.solref[0] = body->time_constant;
	}
	if (body->margin > 0.0) {
		def->solver.margin = body->margin;
		def->solver.solimp[0] = 0.01;
		def->solver.solimp[1] = 0.99;
	}
}

AbutStatus abut_lone_body_open(const AbutLoneBody *body, const AbutVariant *variant, AbutWorld *world, AbutError *error)
{
	AbutShape *shape = NULL;
	AbutOnFloor scene;
	*world = (AbutWorld){.model = NULL};
	const AbutStatus made = body->radius > 0.0 ? abut_shape_create_sphere(body->radius, &shape, error)
	                                           : abut_shape_create_box(body->half, &shape, error);
	AbutStatus status = abut_on_floor_open(&scene, "body", shape, made, error);
	if (status == ABUT_OK) {
		define(body, variant, &scene.bodies[ABUT_LONE_BODY], &scene.def);
		status = abut_world_open(world, &scene.def, error);
	}
	abut_on_floor_close(&scene);
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

/* Every engine takes a few steps of every case, and all that is measured is finite. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/peers/peers.h"

static void expect_measured(const AbutPeerCase *which, const AbutPeerEngine *engine)
{
	const AbutPeerEffort effort = abut_peer_effort(true);
	AbutPeerResult result;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_peer_measure(which, engine, which->timestep, 1, &effort, &result, &error), ABUT_OK, "%s: %s",
	             which->name, error.message);
	cr_expect_eq(result.steps, 5);
	cr_expect_eq(result.failed_steps, 0, "%s in %s", which->name, engine->name);
	cr_expect(isfinite(result.us_median) && result.us_median > 0.0 && result.us_p99 >= result.us_median);
	cr_expect(isfinite(result.us_mean) && isfinite(result.momentum), "%s in %s", which->name, engine->name);
	/* A fall of one step of 50 ms is 25 mm, and a soft stack takes one more to notice. */
	cr_expect(isfinite(result.penetration) && result.penetration < 0.1, "%s in %s: %g m", which->name, engine->name,
	          result.penetration);
}

Test(peers, every_engine_steps_every_case)
{
	for (int i = 0; i < abut_peer_case_count(); i++) {
		for (int j = 0; j < (abut_peer_mujoco_found ? ABUT_PEER_ENGINES : 1); j++) {
			expect_measured(abut_peer_case(i), abut_peer_engine(j));
		}
	}
}

/* Vector part of the turn from `from` to `to` in the body's frame: conj(from) to. */
static void turn_between(const double from[4], const double to[4], double turn[3])
{
	for (int k = 0; k < 3; k++) {
		const int a = 1 + (k + 1) % 3, b = 1 + (k + 2) % 3;
		turn[k] = from[0] * to[k + 1] - to[0] * from[k + 1] - (from[a] * to[b] - from[b] * to[a]);
	}
}

/* A force for one step changes the velocity by what it says, a torque in the body's frame the orientation: in free
 * flight, of a turned cube of inertia 1/6 kg m^2. */
Test(peers, a_push_is_an_impulse_in_every_engine)
{
	AbutShape *shape = NULL;
	AbutPeerScene scene;
	cr_assert_eq(abut_peer_shape_create(ABUT_SHAPE_BOX, &shape, NULL), ABUT_OK);
	abut_peer_scene_fill(abut_peer_case_named("drop_100hz"), shape, 0.01, 3, &scene);
	for (int j = 0; j < (abut_peer_mujoco_found ? ABUT_PEER_ENGINES : 1); j++) {
		const AbutPeerEngine *engine = abut_peer_engine(j);
		AbutPeerWorld *world = NULL;
		AbutPeerPose pose;
		cr_assert_eq(engine->create(&scene, engine->variant, &world, NULL), ABUT_OK);
		engine->push(world, 0, (const double[3]){2.0, -3.0, 9.81}, (const double[3]){0.1, 0.2, 0.3});
		engine->step(world);
		engine->push(world, 0, (const double[3]){0.0}, (const double[3]){0.0});
		engine->read(world, 0, &pose);
		cr_expect_float_eq(pose.velocity[0], 0.02, 1e-12, "%s", engine->name);
		cr_expect_float_eq(pose.velocity[1], -0.03, 1e-12, "%s", engine->name);
		cr_expect_float_eq(pose.velocity[2], 0.0, 1e-12, "%s", engine->name);
		double turn[3];
		turn_between(scene.start[0].orientation, pose.orientation, turn);
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(turn[k], 0.5 * 0.01 * 0.01 * 6.0 * 0.1 * (k + 1), 1e-12, "%s: turn %d is %g",
			                   engine->name, k, turn[k]);
		}
		engine->destroy(world);
	}
	abut_shape_destroy(shape);
}

Test(peers, targets_name_cases)
{
	for (int i = 0; i < abut_peer_target_count(); i++) {
		const AbutPeerTarget *target = abut_peer_target(i);
		cr_expect_not_null(abut_peer_case_named(target->case_name));
		cr_expect(!target->alone || abut_peer_case_named(target->alone), "%s", target->case_name);
	}
}

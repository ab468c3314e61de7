/* Tests that every engine takes a few steps of every case, and that scenes, pushes and verdicts are as stated. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/model.h"
#include "experiments/peers/comparison.h"
#include "experiments/peers/measure.h"
#include "experiments/peers/scenes.h"
#include "experiments/setting/pile.h"

static void expect_measured(const AbutPeerCase *which, const AbutPeerEngine *engine)
{
	const AbutPeerEffort effort = abut_peer_effort(true);
	AbutPeerResult result;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_peer_measure(which, engine, which->timestep, 1, &effort, &result, &error), ABUT_OK, "%s: %s",
	             which->name, error.message);
	cr_expect_eq(result.steps, 5);
	/* ODE's exact solver gives up in stacks of boxes (docs/peers.md). This is counted, and is no error here. */
	const bool is_ode = strncmp(engine->name, "ode", 3) == 0;
	cr_expect(is_ode || result.failed_steps == 0, "%s in %s", which->name, engine->name);
	cr_expect(isfinite(result.us_median) && result.us_median > 0.0 && result.us_p99 >= result.us_median);
	cr_expect(isfinite(result.us_mean) && isfinite(result.momentum), "%s in %s", which->name, engine->name);
	/* A fall of one step of 50 ms is 25 mm; a soft stack reacts one step later. */
	cr_expect(isfinite(result.penetration) && result.penetration < (is_ode ? 1.0 : 0.1), "%s in %s: %g m",
	          which->name, engine->name, result.penetration);
}

Test(peers, every_engine_steps_every_case)
{
	for (int i = 0; i < abut_peer_case_count; i++) {
		for (int j = 0; j < abut_peer_engine_count(); j++) {
			if (abut_peer_engine_takes(abut_peer_engine(j), &abut_peer_cases[i])) {
				expect_measured(&abut_peer_cases[i], abut_peer_engine(j));
			}
		}
	}
}

/* Computes the vector part of the rotation from `from` to `to` in the body's frame: conj(from) to. */
static void turn_between(const double from[4], const double to[4], double turn[3])
{
	for (int k = 0; k < 3; k++) {
		const int a = 1 + (k + 1) % 3, b = 1 + (k + 2) % 3;
		turn[k] = from[0] * to[k + 1] - to[0] * from[k + 1] - (from[a] * to[b] - from[b] * to[a]);
	}
}

/* In free flight, a force for one step changes the velocity by its impulse. A torque in the body's frame changes the
 * orientation accordingly. The body is a rotated cube of inertia 1/6 kg m^2. */
Test(peers, a_push_is_an_impulse_in_every_engine)
{
	AbutPeerShapes shapes;
	AbutPeerScene scene;
	cr_assert_eq(abut_peer_shapes_create(&shapes, NULL), ABUT_OK);
	abut_peer_scene_fill(&abut_peer_cases[abut_peer_case_index("drop_100hz")], &shapes, 0.01, 3, 0, &scene);
	for (int j = 0; j < abut_peer_engine_count(); j++) {
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
	abut_peer_shapes_destroy(&shapes);
}

/* Two steps of free flight under gravity, with no push left over from before. */
Test(peers, a_push_ends_in_every_engine)
{
	AbutPeerShapes shapes;
	AbutPeerScene scene;
	cr_assert_eq(abut_peer_shapes_create(&shapes, NULL), ABUT_OK);
	abut_peer_scene_fill(&abut_peer_cases[abut_peer_case_index("drop_100hz")], &shapes, 0.01, 4, 0, &scene);
	for (int j = 0; j < abut_peer_engine_count(); j++) {
		const AbutPeerEngine *engine = abut_peer_engine(j);
		AbutPeerWorld *world = NULL;
		AbutPeerPose pose;
		cr_assert_eq(engine->create(&scene, engine->variant, &world, NULL), ABUT_OK);
		engine->push(world, 0, (const double[3]){5.0, 0.0, 0.0}, (const double[3]){0.0});
		engine->step(world);
		engine->push(world, 0, (const double[3]){0.0}, (const double[3]){0.0});
		engine->step(world);
		engine->read(world, 0, &pose);
		cr_expect_float_eq(pose.velocity[0], 0.05, 1e-12, "%s", engine->name);
		cr_expect_float_eq(pose.velocity[2], -2.0 * 0.0981, 1e-12, "%s", engine->name);
		engine->destroy(world);
	}
	abut_peer_shapes_destroy(&shapes);
}

/* The depth of the deepest corner of a rotated cube below an inclined plane, by its eight corners. */
Test(peers, depth_is_that_of_the_deepest_corner)
{
	AbutPeerShapes shapes;
	AbutPeerScene scene;
	cr_assert_eq(abut_peer_shapes_create(&shapes, NULL), ABUT_OK);
	const AbutPeerCase *pile = &abut_peer_cases[abut_peer_case_index("pile_20")];
	for (int run = 0; run < 50; run++) {
		abut_peer_scene_fill(pile, &shapes, 0.01, 0, run, &scene);
		AbutPeerPose *pose = &scene.start[0];
		const double *q = pose->orientation;
		double deepest = -INFINITY;
		cr_assert_eq(scene.shapes[0]->kind, ABUT_SHAPE_BOX);
		for (int corner = 0; corner < 8; corner++) {
			double u[3], p[3];
			for (int k = 0; k < 3; k++) {
				u[k] = corner >> k & 1 ? 0.5 : -0.5;
			}
			for (int k = 0; k < 3; k++) { /* u + 2 v x (v x u + w u), q = (w, v) */
				const int a = (k + 1) % 3, b = (k + 2) % 3;
				const double ca = q[1 + b] * u[k] - q[1 + k] * u[b] + q[0] * u[a];
				const double cb = q[1 + k] * u[a] - q[1 + a] * u[k] + q[0] * u[b];
				p[k] = pose->position[k] + u[k] + 2.0 * (q[1 + a] * cb - q[1 + b] * ca);
			}
			for (int i = 0; i < scene.n_planes; i++) {
				const double *n = scene.planes[i].normal;
				const double out = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
				deepest = fmax(deepest, scene.planes[i].offset - out);
			}
		}
		cr_expect_float_eq(abut_peer_depth(&scene, 0, pose), deepest, 1e-12, "run %d", run);
	}
	abut_peer_shapes_destroy(&shapes);
}

/* Bodies of a pile start in the bin and apart: bounding spheres in the lattice at most touch. */
Test(peers, pile_starts_apart)
{
	AbutPeerShapes shapes;
	AbutPeerScene scene;
	cr_assert_eq(abut_peer_shapes_create(&shapes, NULL), ABUT_OK);
	abut_peer_scene_fill(&abut_peer_cases[abut_peer_case_index("pile_100")], &shapes, 0.01, 7, 0, &scene);
	int boxes = 0;
	for (int i = 0; i < scene.n_bodies; i++) {
		boxes += scene.shapes[i] == shapes.box;
		cr_expect_lt(abut_peer_depth(&scene, i, &scene.start[i]), 0.0, "body %d", i);
		for (int j = 0; j < i; j++) {
			const double *p = scene.start[i].position, *q = scene.start[j].position;
			const double gap = hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) -
			                   scene.shapes[i]->outer_radius - scene.shapes[j]->outer_radius;
			cr_expect_gt(gap, 0.0, "bodies %d and %d", i, j);
		}
	}
	cr_expect_eq(boxes, 50);
	abut_peer_shapes_destroy(&shapes);
}

/* The pile of the benchmark is that of the comparison: the same bits after some steps of its fall. */
Test(peers, pile_is_that_of_the_benchmark)
{
	AbutPeerShapes shapes;
	AbutPeerScene scene;
	AbutPeerWorld *world = NULL;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	const AbutPeerEngine *engine = abut_peer_engine(0);
	cr_assert_eq(abut_peer_shapes_create(&shapes, NULL), ABUT_OK);
	abut_peer_scene_fill(&abut_peer_cases[abut_peer_case_index("pile_20")], &shapes, 0.01, 9, 0, &scene);
	cr_assert_eq(engine->create(&scene, engine->variant, &world, NULL), ABUT_OK);
	cr_assert_eq(abut_pile_model_create(20, 0.01, 9, &model, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	for (int i = 0; i < 60; i++) {
		engine->step(world);
		abut_step(model, state, workspace, &info);
	}
	for (int i = 0; i < 20; i++) {
		AbutPeerPose pose;
		AbutBodyState body;
		engine->read(world, i, &pose);
		abut_state_get_body(model, state, i + 1, &body);
		cr_expect_arr_eq(pose.position, body.position, sizeof pose.position, "body %d", i);
		cr_expect_arr_eq(pose.velocity, body.linear_velocity, sizeof pose.velocity, "body %d", i);
	}
	engine->destroy(world);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_peer_shapes_destroy(&shapes);
}

/* The runs of one seed are not those of the next one, shifted. */
Test(peers, seeds_do_not_share_runs)
{
	AbutPeerShapes shapes;
	AbutPeerScene scenes[2];
	const AbutPeerCase *drop = &abut_peer_cases[abut_peer_case_index("drop_100hz")];
	cr_assert_eq(abut_peer_shapes_create(&shapes, NULL), ABUT_OK);
	for (int i = 0; i < 20; i++) {
		for (int j = 0; j < 20; j++) {
			abut_peer_scene_fill(drop, &shapes, 0.01, 0, i, &scenes[0]);
			abut_peer_scene_fill(drop, &shapes, 0.01, 1, j, &scenes[1]);
			cr_expect_neq(scenes[0].start[0].orientation[0], scenes[1].start[0].orientation[0],
			              "runs %d and %d", i, j);
		}
	}
	abut_peer_shapes_destroy(&shapes);
}

Test(peers, targets_name_cases)
{
	for (int i = 0; i < abut_peer_target_count; i++) {
		const AbutPeerTarget *target = &abut_peer_targets[i];
		cr_expect_geq(abut_peer_case_index(target->case_name), 0, "%s", target->case_name);
		cr_expect(!target->alone || abut_peer_case_index(target->alone) >= 0, "%s", target->case_name);
	}
}

/* Verdicts follow the numbers, and a few steps give none. */
Test(peers, verdicts_follow_the_numbers)
{
	static AbutPeerComparison comparison;
	const AbutPeerTarget target = {"pile_100", NULL, true, 1.0, 1e-6};
	const int index = abut_peer_case_index("pile_100"), reference = abut_peer_reference();
	cr_expect_eq(abut_peer_target_verdict(&target, &comparison), ABUT_PEER_NO_VERDICT);
	if (reference < 0) {
		return;
	}
	AbutPeerResult *ours = &comparison.rows[index][0];
	comparison.measured[index] = true;
	comparison.rows[index][reference].us_mean = 100.0;
	*ours = (AbutPeerResult){.us_mean = 99.0, .exact_share = 1.0};
	cr_expect_eq(abut_peer_target_verdict(&target, &comparison), ABUT_PEER_MET);
	ours->us_mean = 101.0;
	cr_expect_eq(abut_peer_target_verdict(&target, &comparison), ABUT_PEER_NOT_MET);
	*ours = (AbutPeerResult){.us_mean = 99.0, .exact_share = 1.0, .penetration = 2e-6};
	cr_expect_eq(abut_peer_target_verdict(&target, &comparison), ABUT_PEER_NOT_MET);
	*ours = (AbutPeerResult){.us_mean = 99.0, .exact_share = 0.98};
	const AbutPeerTarget exact = {"pile_100", NULL, true, 1.0, 0.0}; /* no bound on the penetration */
	cr_expect_eq(abut_peer_target_verdict(&exact, &comparison), ABUT_PEER_NOT_MET);
	cr_expect_eq(abut_peer_target_verdict(&target, &comparison), ABUT_PEER_MET);
	*ours = (AbutPeerResult){.us_mean = 99.0, .exact_share = 1.0, .failed_steps = 1};
	cr_expect_eq(abut_peer_target_verdict(&target, &comparison), ABUT_PEER_NOT_MET);
	*ours = (AbutPeerResult){.us_mean = 99.0, .exact_share = 1.0};
	comparison.quick = true;
	cr_expect_eq(abut_peer_target_verdict(&target, &comparison), ABUT_PEER_NO_VERDICT);
}

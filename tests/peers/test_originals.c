/* Compares methods with the programs that they model, on the same scenes: lcp with DART, convex with MuJoCo. Skipped if
 * these are not installed. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "experiments/peers/measure.h"
#include "experiments/peers/originals.h"
#include "experiments/peers/scenes.h"

static const double g = 9.81, mass = 1.0;

/* Returns the number of pairs of the method that are available, both with the same law, and the k-th of them. */
static int pairs_of(AbutOriginalMethod method, AbutOriginalPair out[ABUT_ORIGINAL_PAIRS_MAX])
{
	int n = 0;
	for (int i = 0; i < abut_original_pair_count(); i++) {
		const AbutOriginalPair pair = abut_original_pair(i);
		if (pair.method == method && pair.same_law) {
			out[n++] = pair;
		}
	}
	if (n == 0) {
		cr_skip_test("%s is not installed", method == ABUT_ORIGINAL_LCP ? "DART" : "MuJoCo");
	}
	return n;
}

static const AbutOriginalCase *case_of(const char *name)
{
	for (int i = 0; i < abut_original_case_count; i++) {
		if (strcmp(abut_original_cases[i].scene.name, name) == 0) {
			return &abut_original_cases[i];
		}
	}
	cr_assert_fail("no case %s", name);
	return NULL;
}

static AbutOriginalDifference differ(const AbutOriginalCase *which, const AbutOriginalPair *pair, double timestep,
                                     unsigned seed)
{
	AbutOriginalCase once = *which;
	AbutOriginalResult out;
	AbutError error = {.status = ABUT_OK};
	once.scene.timestep = timestep;
	once.scene.runs = once.scene.repeats = 1;
	cr_assert_eq(abut_original_compare(&once, pair, seed, false, &out, &error), ABUT_OK, "%s: %s",
	             which->scene.name, error.message);
	return out.difference;
}

/* Wrenches between bodies at rest agree to 1e-4 of the weight, with no more momentum than in DART. Sliding, falling and
 * rolling bodies agree to 5e-6 m and m/s in every step. This is the error of friction by DART's least mixing of forces
 * (1e-9). */
Test(originals, lcp_does_what_dart_does)
{
	AbutOriginalPair pairs[ABUT_ORIGINAL_PAIRS_MAX];
	pairs_of(ABUT_ORIGINAL_LCP, pairs);
	for (int i = 0; i < abut_original_case_count; i++) {
		const AbutOriginalCase *which = &abut_original_cases[i];
		const AbutOriginalClaim claim = abut_original_claim(which, &pairs[0]);
		const AbutOriginalDifference off = differ(which, &pairs[0], which->scene.timestep, 0);
		if (claim == ABUT_ORIGINAL_WRENCHES) {
			cr_expect_lt(off.wrench, 1e-4, "%s: %g", which->scene.name, off.wrench);
			cr_expect_lt(off.momentum[0], 1e-12, "%s: %g", which->scene.name, off.momentum[0]);
			cr_expect_leq(off.momentum[0], off.momentum[1], "%s", which->scene.name);
		} else if (claim == ABUT_ORIGINAL_MOTION) {
			cr_expect_lt(off.position, 5e-6, "%s: %g m", which->scene.name, off.position);
			cr_expect_lt(off.velocity, 5e-6, "%s: %g m/s", which->scene.name, off.velocity);
		}
	}
}

/* Compares the mean momentum of kicked stacks over twenty runs, with one friction law. Single runs diverge if nearly
 * coplanar faces choose other contact points. */
Test(originals, lcp_moves_as_dart_does_when_kicked)
{
	static const char *const names[] = {"stack_2_kick", "stack_4_kick"};
	static const AbutPeerEffort once = {.repeats_most = 1};
	AbutOriginalPair pairs[ABUT_ORIGINAL_PAIRS_MAX];
	pairs_of(ABUT_ORIGINAL_LCP, pairs);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const AbutPeerCase *scene = &case_of(names[i])->scene;
		AbutPeerResult ours, theirs;
		cr_assert_eq(abut_peer_measure(scene, pairs[0].ours, 0.01, 0, &once, &ours, NULL), ABUT_OK);
		cr_assert_eq(abut_peer_measure(scene, pairs[0].theirs, 0.01, 0, &once, &theirs, NULL), ABUT_OK);
		cr_expect_lt(theirs.failed_steps, 5, "%s: DART gave up in %ld steps", names[i], theirs.failed_steps);
		cr_expect_float_eq(ours.momentum, theirs.momentum, 0.05 * theirs.momentum, "%s: %g and %g kg m/s",
		                   names[i], ours.momentum, theirs.momentum);
	}
}

/* A ball that slides and then rolls is the same up to rounding, and so is a box that rests, sticks or falls flat. A
 * sliding box, which friction tilts, differs by 2e-7 m, in proportion to MuJoCo's own tolerance of 1e-8. */
Test(originals, convex_does_what_mujoco_does)
{
	static const char *const names[] = {"box_rest", "incline_sticks", "box_falls_flat", "ball_rolls", "ball_falls"};
	AbutOriginalPair pairs[ABUT_ORIGINAL_PAIRS_MAX];
	const int n = pairs_of(ABUT_ORIGINAL_CONVEX, pairs);
	for (int p = 0; p < n; p++) {
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			const AbutOriginalDifference off = differ(case_of(names[i]), &pairs[p], 0.01, 0);
			cr_expect_lt(off.position, 1e-12, "%s, %s: %g m", pairs[p].ours->name, names[i], off.position);
			cr_expect_lt(off.velocity, 1e-11, "%s, %s: %g m/s", pairs[p].ours->name, names[i],
			             off.velocity);
		}
		const AbutOriginalDifference slide = differ(case_of("box_slides"), &pairs[p], 0.01, 0);
		cr_expect_lt(slide.position, 2e-7, "%s: %g m", pairs[p].ours->name, slide.position);
		cr_expect_lt(slide.velocity, 2e-6, "%s: %g m/s", pairs[p].ours->name, slide.velocity);
	}
}

/* Rotating bodies are integrated in another way of the same order. 1.5 s of a box dropped with a rotation, 1,200 steps
 * with its impacts, differ by less than a micrometre, and by more with longer steps. */
Test(originals, convex_comes_to_mujocos_trajectories)
{
	AbutOriginalPair pairs[ABUT_ORIGINAL_PAIRS_MAX];
	const int n = pairs_of(ABUT_ORIGINAL_CONVEX, pairs);
	for (int p = 0; p < n; p++) {
		for (unsigned seed = 0; seed < 10; seed++) {
			const AbutOriginalCase *drop = case_of("box_drops");
			const AbutOriginalDifference coarse = differ(drop, &pairs[p], 0.005, seed);
			const AbutOriginalDifference fine = differ(drop, &pairs[p], 0.00125, seed);
			cr_expect_lt(fine.position, 1e-6, "%s, seed %u: %g m", pairs[p].ours->name, seed,
			             fine.position);
			cr_expect_lt(fine.velocity, 1e-5, "%s, seed %u: %g m/s", pairs[p].ours->name, seed,
			             fine.velocity);
			cr_expect_lt(fine.position, 0.5 * coarse.position, "%s, seed %u: %g m, %g m with long steps",
			             pairs[p].ours->name, seed, fine.position, coarse.position);
		}
	}
}

static AbutPeerWorld *start(const AbutPeerEngine *engine, const char *name, AbutPeerShapes *shapes)
{
	AbutPeerScene scene;
	AbutPeerWorld *world = NULL;
	cr_assert_eq(abut_peer_shapes_create(shapes, NULL), ABUT_OK);
	abut_peer_scene_fill(&case_of(name)->scene, shapes, 0.01, 0, 0, &scene);
	cr_assert_eq(engine->create(&scene, engine->variant, &world, NULL), ABUT_OK);
	return world;
}

/* Body i of n at rest is supported from below by n - i weights, without a torque. */
static void expect_weights(const AbutPeerEngine *engine)
{
	enum { n = 5, steps = 200 };
	AbutPeerShapes shapes;
	AbutPeerWorld *world = start(engine, "stack_5_rest", &shapes);
	for (int k = 0; k < steps; k++) {
		engine->step(world);
	}
	for (int i = 0; i < n; i++) {
		double wrench[6];
		engine->wrench(world, i, i - 1, wrench);
		for (int k = 0; k < 6; k++) {
			const double wanted = k == 2 ? (n - i) * mass * g : 0.0;
			cr_expect_float_eq(wrench[k], wanted, 5e-3, "%s: entry %d on body %d is %g", engine->name, k, i,
			                   wrench[k]);
		}
	}
	engine->destroy(world);
	abut_peer_shapes_destroy(&shapes);
}

/* The body slides down the incline at g (sin - mu cos), with the friction that this requires. */
static void expect_slide(const AbutPeerEngine *engine)
{
	enum { steps = 100 };
	const double slope = 35.0 * acos(-1.0) / 180.0;
	AbutPeerShapes shapes;
	AbutPeerWorld *world = start(engine, "incline_slides", &shapes);
	AbutPeerPose pose;
	double wrench[6];
	for (int k = 0; k < steps; k++) {
		engine->step(world);
	}
	engine->read(world, 0, &pose);
	engine->wrench(world, 0, -1, wrench);
	cr_expect_float_eq(pose.velocity[0], g * (sin(slope) - 0.5 * cos(slope)) * steps * 0.01, 1e-6, "%s: %g",
	                   engine->name, pose.velocity[0]);
	cr_expect_float_eq(wrench[0], -0.5 * mass * g * cos(slope), 1e-5, "%s: %g", engine->name, wrench[0]);
	cr_expect_float_eq(wrench[2], mass * g * cos(slope), 1e-5, "%s: %g", engine->name, wrench[2]);
	engine->destroy(world);
	abut_peer_shapes_destroy(&shapes);
}

/* The quantities compared agree with statics and dynamics, in Abut and in each available engine. */
Test(originals, wrenches_are_those_of_statics)
{
	expect_weights(&abut_peer_abut.engines[0]);
	expect_weights(&abut_peer_methods.engines[ABUT_PEER_LCP]);
	expect_slide(&abut_peer_methods.engines[ABUT_PEER_LCP]);
	if (abut_peer_dart.count > 0) {
		expect_weights(&abut_peer_dart.engines[ABUT_PEER_DART]);
		expect_slide(&abut_peer_dart.engines[ABUT_PEER_DART]);
	}
}

/* Two methods and engines of one pair measure the same case, and verdicts follow the numbers. */
Test(originals, verdicts_follow_the_numbers)
{
	const AbutOriginalPair pair = {NULL, NULL, ABUT_ORIGINAL_LCP, true, false},
	                       other = {NULL, NULL, ABUT_ORIGINAL_LCP, false, false};
	const AbutOriginalCase *rest = case_of("stack_4_rest"), *slide = case_of("box_slides");
	AbutOriginalResult result = {.difference = {.wrench = 0.09}};
	cr_expect_eq(abut_original_verdict(rest, &pair, &result), ABUT_ORIGINAL_AGREES);
	cr_expect_eq(abut_original_verdict(rest, &other, &result), ABUT_ORIGINAL_UNJUDGED);
	result.difference.wrench = 0.11;
	cr_expect_eq(abut_original_verdict(rest, &pair, &result), ABUT_ORIGINAL_DIFFERS);
	result = (AbutOriginalResult){.ours = {.momentum = 1.2}, .theirs = {.momentum = 1.0}};
	cr_expect_eq(abut_original_verdict(rest, &pair, &result), ABUT_ORIGINAL_DIFFERS);
	cr_expect_eq(abut_original_verdict(slide, &pair, &result), ABUT_ORIGINAL_AGREES);
	cr_expect_eq(abut_original_verdict(case_of("stack_4_kick"), &pair, &result), ABUT_ORIGINAL_DIFFERS);
	result.ours.momentum = 0.95;
	cr_expect_eq(abut_original_verdict(case_of("stack_4_kick"), &pair, &result), ABUT_ORIGINAL_AGREES);
	result.difference.position = 2e-5;
	cr_expect_eq(abut_original_verdict(slide, &pair, &result), ABUT_ORIGINAL_DIFFERS);
}

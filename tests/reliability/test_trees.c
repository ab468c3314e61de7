/* Tests the random trees of joints of experiments/reliability: what is drawn, and short studies of them. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "experiments/reliability/random_tree.h"
#include "experiments/reliability/trees.h"

Test(trees, robots_of_a_seed_are_equal_and_closed)
{
	static const RobotKind kind = {"all", true, true, 1.0, 1.0, 2, TREE_FEET};
	static Tree trees[2];
	for (unsigned seed = 0; seed < 20; seed++) {
		const int n = 5 + (int)seed;
		for (int i = 0; i < 2; i++) {
			AbutRng rng = abut_rng_stream(seed, 0);
			tree_begin(&trees[i], NULL);
			robot_draw(&kind, n, &rng, &trees[i]);
			cr_assert(trees[i].good && trees[i].n == n, "seed %u", seed);
		}
		const AbutSceneDef *def = &trees[0].scene.def;
		cr_expect_eq(def->n_bodies, n + 1); /* and the floor */
		cr_expect_eq(def->n_joints, n - 1);
		int feet = 0;
		for (int i = 0; i < n; i++) {
			const AbutBodyDef *body = &trees[0].scene.bodies[i], *again = &trees[1].scene.bodies[i];
			for (int k = 0; k < 3; k++) {
				cr_expect_eq(body->position[k], again->position[k]);
			}
			cr_expect_gt(body->position[2], 0.05, "seed %u, body %d", seed, i);
			feet += body->n_parts > 1;
		}
		cr_expect_geq(feet, 1, "seed %u", seed);
		AbutModel *model = NULL;
		AbutState *state = NULL;
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(abut_model_create(def, &model, &error), ABUT_OK, "seed %u: %s", seed, error.message);
		cr_assert_eq(abut_state_create(model, &state, &error), ABUT_OK);
		for (int i = 0; i < n - 1; i++) {
			AbutJointState joint;
			cr_assert_eq(abut_joint_get(model, state, i, &joint), ABUT_OK);
			for (int k = 0; k < joint.n_axes; k++) { /* frames coincide as drawn */
				cr_expect_lt(fabs(joint.position[k]), 1e-12, "seed %u, joint %d", seed, i);
			}
		}
		for (int i = 0; i < n; i++) { /* so that nothing moved when joints were closed */
			AbutBodyState s;
			double moved[3];
			abut_state_get_body(model, state, i, &s);
			abut_sub3(s.position, trees[0].scene.bodies[i].position, moved);
			cr_expect_lt(abut_norm3(moved), 1e-12, "seed %u, body %d", seed, i);
		}
		abut_state_destroy(state);
		abut_model_destroy(model);
		tree_free(&trees[0]);
		tree_free(&trees[1]);
	}
}

Test(trees, short_studies_do_not_fail)
{
	const AbutSolverOptions solver = abut_scene_def_default().solver;
	const TreesOptions robots = {2001, 4, "5-10 plain 10 ms", &solver, NULL, false, NULL, NULL, false};
	const TreesOptions mechanisms = {2001, 4, "floating 10 ms", &solver, NULL, false, NULL, NULL, false};
	static Tally tally;
	cr_assert(robots_run(&robots, &tally));
	cr_expect_eq(tally.runs, 4);
	cr_expect_eq(tally.steps, 4 * 200, "%ld steps", tally.steps);
	cr_expect_eq(tally.failed, 0);
	cr_expect_eq(tally.not_finite, 0);
	cr_expect_gt(tally.touching, 0);
	cr_assert(mechanisms_run(&mechanisms, &tally));
	cr_expect_eq(tally.steps, 4 * 200 + 4 * 1000, "%ld steps", tally.steps);
	cr_expect_eq(tally.failed, 0);
}

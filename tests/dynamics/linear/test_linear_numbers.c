/* Compares the derivative by the numbers of q and qdot with differences along motions that keep quaternions normal. */
#include "dynamics/linear/linear_differences.h"
#include "dynamics/robot/robot_scenes.h"

/* Takes the step from the case's state with the tangent `change` (2 n_v) times `by`; reads the numbers before and after
 * it. */
static void take(LinearCase *c, const double *change, double by, double *before, double *after)
{
	AbutStepInfo info = {.row = 0};
	double scaled[ROBOT_MOST];
	for (int i = 0; i < c->n_x; i++) {
		scaled[i] = by * change[i];
	}
	cr_assert_eq(abut_robot_integrate(c->robot, c->q, scaled, 1.0, before), ABUT_OK);
	for (int i = 0; i < c->n_v; i++) {
		before[c->n_q + i] = c->qdot[i] + scaled[c->n_v + i];
	}
	cr_assert_eq(abut_robot_set_state(c->robot, before, &before[c->n_q], c->probe), ABUT_OK);
	cr_assert_eq(abut_step(c->model, c->probe, c->workspace, &info), ABUT_OK);
	cr_assert_eq(abut_robot_get_state(c->robot, c->probe, after, &after[c->n_q]), ABUT_OK);
}

Test(linear_numbers, equal_differences)
{
	for (unsigned seed = 0; seed < 6; seed++) {
		TestRobot t;
		LinearCase c;
		AbutRng rng = {seed + 3};
		AbutError error = {.message = ""};
		robot_begin(&t, 6, seed % 2 == 0, seed);
		linear_begin(&c, t.scene.model, 0.0);
		memcpy(c.q, t.q, (size_t)t.n_q * sizeof *c.q);
		memcpy(c.qdot, t.qdot, (size_t)t.n_v * sizeof *c.qdot);
		const int n = c.n_q + c.n_v;
		double *A = linear_array(n * n), change[ROBOT_MOST];
		double before[2][ROBOT_MOST], after[2][ROBOT_MOST];
		cr_assert_eq(linear_take(&c, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_linear_numbers(c.linear, A, NULL, &error), ABUT_OK, "%s", error.message);
		for (int k = 0; k < c.n_x; k++) {
			change[k] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		take(&c, change, 1e-5, before[0], after[0]);
		take(&c, change, -1e-5, before[1], after[1]);
		for (int i = 0; i < n; i++) {
			const double expected = (after[0][i] - after[1][i]) / 2e-5;
			double own = 0.0;
			for (int k = 0; k < n; k++) {
				own += A[i * n + k] * (before[0][k] - before[1][k]) / 2e-5;
			}
			cr_expect_leq(fabs(own - expected), 1e-5 * fmax(1.0, fabs(expected)),
			              "seed %u, entry %d: %g, not %g", seed, i, own, expected);
		}
		free(A);
		linear_end(&c);
		robot_end(&t);
	}
}

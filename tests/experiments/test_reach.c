/* Tests plans through contact: what they reach, and that the reported trajectory consists of the model's steps. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/io.h"
#include "experiments/box_moves/box.h"
#include "experiments/grasp/task.h"
#include "experiments/setting/turn.h"
#include "experiments/setting/world.h"

enum { STEPS = 10, RIGHT = 0, UP = 2, MOST_WATCHED = 2000, FINGERS_STEPS = 20 };

typedef struct Watched {
	AbutReachProgress all[MOST_WATCHED];
	int n;
} Watched;

static void watch(void *context, const AbutReachProgress *progress)
{
	Watched *watched = context;
	cr_assert_lt(watched->n, MOST_WATCHED);
	watched->all[watched->n++] = *progress;
}

/* Each iteration of a round lowers the augmented cost. Starting from zero forces, which the box does not feel, it
 * lowers it by less than rounding. */
static void expect_descent(const Watched *watched)
{
	int lower = 0;
	for (int i = 1; i < watched->n; i++) {
		const AbutReachProgress *last = &watched->all[i - 1], *now = &watched->all[i];
		cr_expect(now->round > last->round || now->augmented <= last->augmented,
		          "round %d, iteration %d: %g after %g", now->round, now->iteration, now->augmented,
		          last->augmented);
		lower += now->round == last->round && now->augmented < last->augmented;
	}
	cr_expect_gt(lower, 3);
}

static const AbutBoxMove paper_box = {.side = 0.5,
                                      .mass = 1.0,
                                      .friction = 0.5,
                                      .timestep = 0.1,
                                      .horizon = STEPS,
                                      .running = 1.0,
                                      .final = 1.0,
                                      .effort = 0.01};

static AbutReached plan_box(int axis, double kappa, double *x, double *u)
{
	static Watched watched;
	AbutBoxMove move = paper_box;
	AbutBoxTask task;
	AbutReached reached;
	AbutError error = {.status = ABUT_OK};
	move.way[axis] = 1.0;
	watched.n = 0;
	cr_assert_eq(abut_box_task(&move, &task, &error), ABUT_OK, "%s", error.message);
	task.reach.tolerance = 3e-3;
	task.reach.search.rounds = 10;
	task.reach.search.kappa = kappa;
	task.reach.search.penalty = 1.0;
	task.reach.search.penalty_factor = 10.0;
	task.reach.search.ilqr.iterations = 100;
	task.reach.search.ilqr.cost_tolerance = 1e-3;
	task.reach.search.watch = watch;
	task.reach.search.context = &watched;
	memset(u, 0, sizeof(double) * STEPS * ABUT_BOX_INPUTS);
	cr_assert_eq(abut_reach_plan(&task.reach, x, u, &reached, &error), ABUT_OK, "%s", error.message);
	if (reached.found) {
		expect_descent(&watched);
	}
	abut_on_floor_close(&task.scene);
	return reached;
}

/* Applying the forces from the start, step by step with warm starts, gives the state of the plan. */
static void expect_played(int axis, const double *x, const double *u)
{
	static const double none[3] = {0.0, 0.0, 0.0};
	AbutBoxMove move = paper_box;
	AbutBoxTask task;
	AbutWorld world;
	AbutBodyState at;
	move.way[axis] = 1.0;
	cr_assert_eq(abut_box_task(&move, &task, NULL), ABUT_OK);
	cr_assert_eq(abut_world_open(&world, &task.scene.def, NULL), ABUT_OK);
	for (int k = 0; k < STEPS; k++) {
		AbutStepInfo info = {.tries = 0};
		cr_assert_eq(abut_state_set_input(world.model, world.state, 1, &u[ABUT_BOX_INPUTS * k], none), ABUT_OK);
		cr_assert_eq(abut_step(world.model, world.state, world.workspace, &info), ABUT_OK);
		cr_expect(info.exact, "step %d", k);
	}
	cr_assert_eq(abut_state_get_body(world.model, world.state, 1, &at), ABUT_OK);
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(at.position[i], x[ABUT_REACH_STATE * STEPS + i], 1e-6);
		cr_expect_float_eq(at.position[i], (i == 2 ? 0.25 : 0.0) + (i == axis ? 1.0 : 0.0), 3e-3);
		cr_expect_float_eq(at.linear_velocity[i], 0.0, 3e-3);
	}
	abut_world_close(&world);
	abut_on_floor_close(&task.scene);
}

Test(reach, a_box_to_the_right)
{
	static const double kappas[] = {1.0, 1e-2, 3e-4, 1e-6};
	for (int i = 0; i < 4; i++) {
		double x[(STEPS + 1) * ABUT_REACH_STATE], u[STEPS * ABUT_BOX_INPUTS];
		const AbutReached reached = plan_box(RIGHT, kappas[i], x, u);
		cr_expect(reached.found, "kappa %g: violation %g", kappas[i], reached.violation);
		cr_expect_eq(reached.unsolved, 0);
		expect_played(RIGHT, x, u);
	}
}

/* Upwards from the floor no contact helps, so that the best plan is that of a free mass. This is linear quadratic
 * control of one axis,
 *
 *     z+ = z + h v+,  v+ = v + h (f / m - g),
 *
 * whose cost with a fixed end is the minimum of a quadratic function with two constraints. It is solved here by
 * elimination. */
static double least_cost_up(void)
{
	enum { N = STEPS + 2 };
	double M[N][N + 1] = {{0.0}};
	const double h = 0.1, g = 9.81;
	/* Unknowns are the forces and two multipliers; z_k and v_k are affine in the forces. */
	double zc[STEPS + 1][STEPS + 1] = {{0.0}}, vc[STEPS + 1][STEPS + 1] = {{0.0}}; /* the last: constant */
	zc[0][STEPS] = -1.0;
	for (int k = 0; k < STEPS; k++) {
		for (int j = 0; j <= STEPS; j++) {
			vc[k + 1][j] = vc[k][j] + (j == k ? h : 0.0) - (j == STEPS ? h * g : 0.0);
			zc[k + 1][j] = zc[k][j] + h * vc[k + 1][j];
		}
	}
	for (int i = 0; i < STEPS; i++) {
		M[i][i] = 2.0 * 0.01;
		for (int k = 0; k <= STEPS; k++) {
			for (int j = 0; j <= STEPS; j++) {
				const double product = 2.0 * (zc[k][i] * zc[k][j] + vc[k][i] * vc[k][j]);
				M[i][j < STEPS ? j : N] += j < STEPS ? product : -product;
			}
		}
		M[i][STEPS] = M[STEPS][i] = zc[STEPS][i];
		M[i][STEPS + 1] = M[STEPS + 1][i] = vc[STEPS][i];
	}
	M[STEPS][N] = -zc[STEPS][STEPS];
	M[STEPS + 1][N] = -vc[STEPS][STEPS];
	for (int c = 0; c < N; c++) {
		int pivot = c;
		for (int r = c; r < N; r++) {
			pivot = fabs(M[r][c]) > fabs(M[pivot][c]) ? r : pivot;
		}
		for (int j = 0; j <= N; j++) {
			const double kept = M[c][j];
			M[c][j] = M[pivot][j];
			M[pivot][j] = kept;
		}
		for (int r = 0; r < N; r++) {
			const double factor = r == c ? 0.0 : M[r][c] / M[c][c];
			for (int j = c; j <= N; j++) {
				M[r][j] -= factor * M[c][j];
			}
		}
	}
	double cost = 0.0;
	for (int k = 0; k <= STEPS; k++) {
		double z = zc[k][STEPS], v = vc[k][STEPS];
		for (int j = 0; j < STEPS; j++) {
			z += zc[k][j] * M[j][N] / M[j][j];
			v += vc[k][j] * M[j][N] / M[j][j];
		}
		cost += z * z + v * v;
	}
	for (int j = 0; j < STEPS; j++) {
		cost += 0.01 * (M[j][N] / M[j][j]) * (M[j][N] / M[j][j]);
	}
	return cost;
}

Test(reach, a_box_up_at_the_least_cost)
{
	double x[(STEPS + 1) * ABUT_REACH_STATE], u[STEPS * ABUT_BOX_INPUTS];
	const AbutReached reached = plan_box(UP, 1.0, x, u);
	const double least = least_cost_up();
	cr_expect(reached.found, "violation %g", reached.violation);
	cr_expect_float_eq(reached.cost, least, 2e-3 * least, "%g, at least %g", reached.cost, least);
	expect_played(UP, x, u);
}

/* At the exact solution the floor holds the box: no small force moves it. */
Test(reach, exact_derivatives_of_a_box_at_rest_are_zero)
{
	double x[(STEPS + 1) * ABUT_REACH_STATE], u[STEPS * ABUT_BOX_INPUTS];
	const AbutReached reached = plan_box(UP, 0.0, x, u);
	cr_expect(!reached.found);
	cr_expect_float_eq(reached.violation, 1.0, 1e-9);
}

Test(reach, differences_of_turns)
{
	const double a[4] = {1.0, 0.0, 0.0, 0.0};
	double b[4], turn[3];
	const double angle = 2.5, axis[3] = {0.36, -0.48, 0.8};
	b[0] = -cos(0.5 * angle);
	for (int k = 0; k < 3; k++) {
		b[1 + k] = -sin(0.5 * angle) * axis[k];
	}
	abut_turn_between(a, b, turn);
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq(turn[k], angle * axis[k], 1e-12);
	}
	abut_turn_between(b, b, turn);
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq(turn[k], 0.0, 1e-12);
	}
}

static const AbutGraspTask fingers = {.horizon = FINGERS_STEPS,
                                      .goal = {0.05, 0.0, 0.25},
                                      .running = 100.0,
                                      .turns = 0.01,
                                      .fingers = 0.001,
                                      .rest = 0.3,
                                      .beside = 0.12,
                                      .effort = 100.0,
                                      .largest = 0.05,
                                      .guess = 0.01,
                                      .penalty = 1000.0,
                                      .tolerance = 0.005,
                                      .rounds = 10,
                                      .iterations = 60};

Test(reach, fingertips_lift_an_object)
{
	static Watched watched;
	static double x[(FINGERS_STEPS + 1) * ABUT_GRASP_BODIES * ABUT_REACH_STATE],
	    u[FINGERS_STEPS * ABUT_GRASP_INPUTS];
	AbutScene *scene;
	AbutReached reached;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_scene_load(ABUT_SOURCE_DIR "/experiments/grasp/grasp.json", 0, NULL, &scene, &error), ABUT_OK,
	             "%s", error.message);
	cr_assert(abut_scene_def(scene)->quasi_static);
	AbutReach reach = abut_grasp_reach(&fingers, abut_scene_def(scene));
	reach.search.kappa = 1e-2;
	reach.search.watch = watch;
	reach.search.context = &watched;
	watched.n = 0;
	abut_grasp_guess(&fingers, u);
	cr_assert_eq(abut_reach_plan(&reach, x, u, &reached, &error), ABUT_OK, "%s", error.message);
	const double *end = &x[FINGERS_STEPS * ABUT_GRASP_BODIES * ABUT_REACH_STATE];
	cr_expect(reached.found, "violation %g", reached.violation);
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq(end[k], fingers.goal[k], 5e-3);
	}
	/* The object is held: a body that is let go falls 9.81 dt^2 = 0.0245 m in a step. */
	cr_expect_lt(fabs(end[2] - end[2 - ABUT_GRASP_BODIES * ABUT_REACH_STATE]), 0.015);
	for (int i = 0; i < FINGERS_STEPS * ABUT_GRASP_INPUTS; i++) {
		cr_expect_leq(fabs(u[i]), fingers.largest);
	}
	expect_descent(&watched);
	abut_scene_destroy(scene);
}

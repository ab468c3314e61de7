/* Compares derivatives of steps with joints with differences of steps. A second step starts from the end of the first,
 * so its derivative is compared through both: it includes what the joints remember of the step before. */
#include "dynamics/joint/direction.h"
#include "dynamics/joint_chain.h"
#include "dynamics/methods/joints/method_joint_scenes.h"
#include "dynamics/step_differences.h"

enum { BODIES = CHAIN_BODIES, ROWS = GRADIENT_ROWS * BODIES, COLUMNS = GRADIENT_COLUMNS * BODIES, SEEDS = 24 };

typedef double Matrix[ROWS * COLUMNS];

/* A number of steps, each taken in the same number of parts. */
typedef struct Steps {
	int n, parts;
} Steps;

/* Takes steps from `before`, with a column changed. Returns whether all are exact, in as many parts. */
static bool run_changed(JointScene *scene, const AbutState *before, int column, double by, Steps steps,
                        AbutBodyState *next)
{
	AbutStepInfo info = {.exact = true};
	bool exact = true;
	cr_assert_eq(abut_state_copy(scene->model, before, scene->state), ABUT_OK);
	change_state(scene->model, scene->state, column, by);
	for (int i = 0; i < steps.n; i++) {
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		exact = exact && info.exact && info.parts == steps.parts;
	}
	state_of(scene->model, scene->state, next);
	return exact;
}

/* Computes one column by central differences of sixth order. Their noise falls with h, and their error is h^6. */
static bool difference_column(JointScene *scene, const AbutState *before, const AbutBodyState *base, double h,
                              Steps steps, int column, double out[ROWS])
{
	static const double at[3] = {1.0, 2.0, 3.0}, factor[3] = {45.0, -9.0, 1.0};
	memset(out, 0, ROWS * sizeof *out);
	for (int i = 0; i < 6; i++) {
		const double sign = i % 2 ? -1.0 : 1.0;
		AbutBodyState next[BODIES];
		double d[ROWS];
		if (!run_changed(scene, before, column, sign * at[i / 2] * h, steps, next)) {
			return false;
		}
		difference_of(BODIES, base, next, d);
		for (int r = 0; r < ROWS; r++) {
			out[r] += sign * factor[i / 2] * d[r] / (60.0 * h);
		}
	}
	return true;
}

/* Computes the differences of all columns. Each has the h, the largest first, at which it is within `bound` of J. */
static bool differences(JointScene *scene, const AbutState *before, const AbutBodyState *base, Steps steps,
                        const double *J, double bound, double *out)
{
	static const double h[] = {3e-3, 1e-3, 1e-2, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 3e-8};
	bool all = true;
	for (int column = 0; column < COLUMNS; column++) {
		double best = INFINITY, d[ROWS];
		for (int i = 0; i < 9 && !(best <= bound); i++) {
			double error = 0.0;
			if (!difference_column(scene, before, base, h[i], steps, column, d)) {
				continue;
			}
			for (int r = 0; r < ROWS; r++) {
				error = fmax(error, fabs(d[r] - J[r * COLUMNS + column]));
			}
			for (int r = 0; r < ROWS && error < best; r++) {
				out[r * COLUMNS + column] = d[r];
			}
			best = fmin(best, error);
		}
		all = all && isfinite(best);
	}
	return all;
}

/* J = later's state columns times J, plus later's input columns. */
static void chain(const double *later, double *J)
{
	static Matrix product;
	for (int r = 0; r < ROWS; r++) {
		for (int c = 0; c < COLUMNS; c++) {
			double sum = c % GRADIENT_COLUMNS < GRADIENT_ROWS ? 0.0 : later[r * COLUMNS + c];
			for (int k = 0; k < ROWS; k++) {
				sum += later[r * COLUMNS + k / GRADIENT_ROWS * GRADIENT_COLUMNS + k % GRADIENT_ROWS] *
				       J[k * COLUMNS + c];
			}
			product[r * COLUMNS + c] = sum;
		}
	}
	memcpy(J, product, sizeof product);
}

typedef struct Tally {
	int n, refused, borders;
	double worst;
	int type; /* of the worst */
	unsigned seed;
} Tally;

/* Compares the derivative of the first steps of a scene of three bodies, whose first joint is of the type. */
static void check_scene(JointScene *of, AbutJointType type, unsigned seed, int steps, Tally *tally)
{
	static Matrix J, own, D;
	JointScene scene = *of;
	AbutState *before;
	AbutGradient *gradient;
	AbutBodyState base[BODIES];
	AbutStepInfo info = {.row = 0};
	cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
	bool there = true;
	for (int i = 0; i < steps; i++) {
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		there = there && info.exact && abut_gradient_matrix(gradient, i == 0 ? J : own, NULL) == ABUT_OK;
		if (there && i > 0) {
			chain(own, J);
		}
	}
	if (there) {
		state_of(scene.model, scene.state, base);
		double error = INFINITY;
		if (differences(&scene, before, base, (Steps){steps, 1}, J, 1e-8, D)) {
			error = block_error(scene.model, J, D);
		}
		tally->n++;
		if (!(error <= tally->worst)) {
			tally->worst = error;
			tally->type = (int)type;
			tally->seed = seed;
		}
	} else {
		tally->refused++;
	}
	abut_gradient_destroy(gradient);
	abut_state_destroy(before);
	joint_scene_end(&scene);
}

static void check(AbutJointType type, Laws laws, unsigned seed, int steps, Tally *tally)
{
	static JointScene scene;
	chain_make(&scene, type, laws, seed);
	check_scene(&scene, type, seed, steps, tally);
}

Test(joint_gradient, is_that_of_differences)
{
	for (int laws = 0; laws < LAWS; laws++) {
		Tally tally = {.worst = 0.0};
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			check((AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), (Laws)laws, seed, 1 + (int)(seed / 8 % 2),
			      &tally);
		}
		cr_log_info("laws %d: %d chains, worst %g (type %d, seed %u), %d refused", laws, tally.n, tally.worst,
		            tally.type, tally.seed, tally.refused);
		cr_expect_leq(tally.worst, 1e-7, "laws %d, type %d, seed %u: %g", laws, tally.type, tally.seed,
		              tally.worst);
		cr_expect_leq(4 * tally.refused, (int)SEEDS, "laws %d: %d refused", laws, tally.refused);
	}
}

/* Planar links that lean: their hinges' rows across the plane are rounding errors, which hold nothing. */
Test(joint_gradient, of_planar_links_is_that_of_differences)
{
	static JointScene scene;
	static const double half[3] = {0.3, 0.2, 0.15}, y[3] = {0.0, 1.0, 0.0};
	Tally tally = {.worst = 0.0};
	for (unsigned seed = 0; seed < 8; seed++) {
		AbutRng rng = {seed};
		joint_scene_begin(&scene, 0.01);
		scene.def.solver.tolerance = 1e-13;
		for (int i = 0; i < BODIES; i++) {
			const double place[3] = {0.5 * i, 0.0, 0.1 * i}, anchor[3] = {0.5 * i - 0.25, 0.0, 0.1 * i};
			const double lean = abut_rng_uniform(&rng, -1.0, 1.0);
			AbutBodyDef *body = &scene.bodies[joint_scene_box(&scene, half, 1.0, place)];
			body->planar_xz = true;
			body->orientation[0] = cos(0.5 * lean);
			body->orientation[2] = sin(0.5 * lean);
			body->angular_velocity[1] = abut_rng_uniform(&rng, -1.0, 1.0);
			joint_scene_joint(&scene, ABUT_JOINT_HINGE, i == 0 ? ABUT_JOINT_WORLD : i - 1, i, anchor, y);
		}
		joint_scene_make(&scene);
		check_scene(&scene, ABUT_JOINT_HINGE, seed, 2, &tally);
	}
	cr_expect_leq(tally.worst, 1e-7, "seed %u: %g", tally.seed, tally.worst);
	cr_expect_eq(tally.refused, 0);
}

/* Compares products with the matrix and its transpose with the matrix. */
static void check_products(const AbutGradient *gradient, const Matrix J, unsigned seed)
{
	AbutRng rng = {seed};
	double change[COLUMNS], next[ROWS], by_next[ROWS], back[COLUMNS], forward = 0.0, backward = 0.0, largest = 0.0;
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		largest = fmax(largest, fabs(J[i]));
	}
	for (int c = 0; c < COLUMNS; c++) {
		change[c] = abut_rng_normal(&rng);
	}
	for (int r = 0; r < ROWS; r++) {
		by_next[r] = abut_rng_normal(&rng);
	}
	cr_assert_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_backward(gradient, by_next, back, NULL, NULL), ABUT_OK);
	for (int r = 0; r < ROWS; r++) {
		double sum = 0.0;
		for (int c = 0; c < COLUMNS; c++) {
			sum += J[r * COLUMNS + c] * change[c];
		}
		cr_expect_leq(fabs(sum - next[r]), 1e-9 * (1.0 + largest), "seed %u, row %d: %g and %g, of %g", seed, r,
		              sum, next[r], largest);
		forward += by_next[r] * next[r];
	}
	for (int c = 0; c < COLUMNS; c++) {
		backward += back[c] * change[c];
	}
	cr_expect_leq(fabs(forward - backward), 1e-9 * (1.0 + ROWS * largest), "seed %u: %g and %g, of %g", seed,
	              forward, backward, largest);
}

/* Keeps the largest theta of an island's joints. */
static void see_theta(void *watcher, const AbutIsland *island)
{
	double *most = watcher;
	for (int i = 0; i < island->problem.n_joints; i++) {
		*most = fmax(*most, island->problem.joints[i].theta);
	}
}

/* A chain with a heavy end, at a long timestep. Its joints have no springs and rotors: they would depend on what the
 * last step did. */
static void make_heavy(JointScene *scene, AbutJointType type, Laws laws, unsigned seed, double timestep)
{
	chain_define(scene, type, laws, seed);
	scene->def.timestep = timestep;
	for (int i = 0; i < BODIES * ABUT_JOINT_FREEDOMS; i++) {
		AbutJointAxis *axis = &scene->joints[i / ABUT_JOINT_FREEDOMS].axes[i % ABUT_JOINT_FREEDOMS];
		axis->stiffness = axis->armature = 0.0;
	}
	scene->bodies[BODIES - 1].density *= 10.0;
	joint_scene_make(scene);
}

/* Counts a step whose derivative is refused: because its own impulses turn, or because a law is at its border. */
static bool count_refused(const AbutGradient *gradient, double *J, Tally *tally)
{
	AbutError error = {.status = ABUT_OK};
	const AbutStatus status = abut_gradient_matrix(gradient, J, &error);
	if (status == ABUT_OK) {
		return false;
	}
	const bool turned = strstr(error.message, "its impulses turn within the step");
	cr_expect_eq(status, ABUT_ERROR_NUMERICAL);
	cr_expect(turned || strstr(error.message, "is at its bound, and it is about to slip") ||
	              strstr(error.message, "impose more conditions than there are degrees of freedom"),
	          "%s", error.message);
	tally->refused += turned;
	tally->borders += !turned;
	return true;
}

/* Compares the derivative J of the step from `before` to the scene's state, taken in so many parts, with differences.
 * Returns whether there are any. */
static bool compare_step(JointScene *scene, const AbutState *before, int parts, const Matrix J, double *error)
{
	static Matrix D;
	AbutState *after = scene->state;
	AbutBodyState base[BODIES];
	state_of(scene->model, after, base);
	cr_assert_eq(abut_state_create(scene->model, &scene->state, NULL), ABUT_OK);
	const bool known = differences(scene, before, base, (Steps){1, parts}, J, 1e-8, D);
	abut_state_destroy(scene->state);
	scene->state = after;
	*error = known ? block_error(scene->model, J, D) : 0.0;
	return known;
}

/* Compares the derivatives of steps with differences: of those in which impulses of joints turn, or of those in parts
 * (`parts`). The impulses of the last step, which direct the joints, are the same. Products must agree too. */
static void check_heavy(JointScene *scene, bool parts, unsigned seed, Tally *tally)
{
	static Matrix J;
	AbutState *before, *after = scene->state;
	AbutGradient *gradient;
	AbutStepInfo info = {.row = 0};
	double theta = 0.0;
	cr_assert_eq(abut_state_create(scene->model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(scene->model, 0.0, &gradient, NULL), ABUT_OK);
	gradient->watch = (AbutGradientWatch){.see = see_theta, .watcher = &theta};
	for (int i = 0; i < 8; i++) {
		theta = 0.0;
		cr_assert_eq(abut_state_copy(scene->model, after, before), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(scene->model, after, scene->workspace, gradient, &info), ABUT_OK);
		if (!info.exact || (info.parts > 1) != parts || (theta > 0.0) == parts) {
			continue;
		}
		if (count_refused(gradient, J, tally)) {
			continue;
		}
		check_products(gradient, J, seed);
		double error;
		if (compare_step(scene, before, info.parts, J, &error)) {
			tally->n++;
			tally->seed = !(error <= tally->worst) ? seed : tally->seed;
			tally->worst = fmax(tally->worst, isnan(error) ? (double)INFINITY : error);
		}
	}
	abut_gradient_destroy(gradient);
	abut_state_destroy(before);
	joint_scene_end(scene);
}

static void check_all_heavy(bool parts, Tally *tally)
{
	static const Laws laws[] = {LAWS_NONE, LAWS_ALL, LAWS_COUPLED, LAWS_FRICTION, LAWS_MOTORS};
	static JointScene scene;
	for (unsigned seed = 0; seed < (parts ? 4 : 5) * ABUT_JOINT_TYPE_COUNT; seed++) {
		make_heavy(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), laws[seed / ABUT_JOINT_TYPE_COUNT],
		           seed, parts ? 0.1 : 0.05);
		check_heavy(&scene, parts, seed, tally);
	}
	cr_log_info("%d steps, worst %g (seed %u); %d refused, %d at borders", tally->n, tally->worst, tally->seed,
	            tally->refused, tally->borders);
	cr_expect_leq(tally->worst, 1e-7, "seed %u: %g", tally->seed, tally->worst);
}

Test(joint_gradient, is_that_of_differences_where_impulses_turn)
{
	Tally tally = {.worst = 0.0};
	check_all_heavy(false, &tally); /* in the first steps, the load grows from none */
	cr_expect_geq(tally.n, 60);
	cr_expect_leq(tally.refused, 100);
	cr_expect_leq(tally.borders, 30);
}

Test(joint_gradient, is_that_of_differences_of_steps_in_parts)
{
	Tally tally = {.worst = 0.0};
	check_all_heavy(true, &tally);
	cr_expect_geq(tally.n, 10);
	cr_expect_eq(tally.refused + tally.borders, 0);
}

/* Derivatives that hold the directions of impulses exist where others are refused because of their turns, and lack only
 * the change of these turns. */
Test(joint_gradient, of_held_turns_is_near_that_of_differences)
{
	static Matrix J;
	static JointScene scene;
	double worst = 0.0, sum = 0.0;
	int n = 0, refused = 0;
	for (unsigned seed = 0; seed < 6 * ABUT_JOINT_TYPE_COUNT; seed++) {
		AbutState *before;
		AbutGradient *gradient;
		AbutStepInfo info = {.row = 0};
		make_heavy(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), LAWS_NONE, seed, 0.05);
		cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
		for (int i = 0; i < 4; i++) {
			AbutState *after = scene.state;
			cr_assert_eq(abut_state_copy(scene.model, after, before), ABUT_OK);
			cr_assert_eq(abut_step_differentiate(scene.model, after, scene.workspace, gradient, &info),
			             ABUT_OK);
			if (!info.exact || info.parts > 1 || abut_gradient_matrix(gradient, J, NULL) == ABUT_OK) {
				continue;
			}
			refused++;
			cr_assert_eq(abut_state_copy(scene.model, before, after), ABUT_OK);
			abut_gradient_hold_turns(gradient, true);
			cr_assert_eq(abut_step_differentiate(scene.model, after, scene.workspace, gradient, &info),
			             ABUT_OK);
			abut_gradient_hold_turns(gradient, false);
			if (abut_gradient_matrix(gradient, J, NULL) != ABUT_OK) {
				continue; /* at a border as well */
			}
			double error;
			if (compare_step(&scene, before, 1, J, &error)) {
				cr_expect(isfinite(error), "seed %u", seed);
				n++;
				sum += error;
				worst = fmax(worst, error);
			}
		}
		abut_gradient_destroy(gradient);
		abut_state_destroy(before);
		joint_scene_end(&scene);
	}
	cr_log_info("%d refused, %d compared, mean %g, worst %g", refused, n, sum / n, worst);
	cr_expect_geq(n, 20);
	cr_expect_leq(sum / n, 0.08);
	cr_expect_leq(worst, 0.55);
}

/* Two equal boxes that turn in opposite directions about a hinge between them have equal loads, and so has theta no
 * derivative: an end of one of them that is a little heavier decides. */
Test(joint_gradient, of_mirrored_bodies_is_refused_by_poses)
{
	static const double half[3] = {0.05, 0.05, 0.03}, origin[3] = {0.0, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
	static const double masses[] = {1.0 - 1e-6, 1.0, 1.0 + 1e-6};
	static double J[4 * GRADIENT_ROWS * GRADIENT_COLUMNS];
	for (int i = 0; i < 3; i++) {
		JointScene scene;
		AbutGradient *gradient;
		AbutError error = {.status = ABUT_OK};
		AbutStepInfo info = {.row = 0};
		double theta = 0.0;
		joint_scene_begin(&scene, 0.05);
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		for (int b = 0; b < 2; b++) {
			const double place[3] = {b == 0 ? -0.25 : 0.25, 0.0, 0.0};
			scene.bodies[joint_scene_box(&scene, half, b == 0 ? 1.0 : masses[i], place)]
			    .angular_velocity[2] = b == 0 ? 8.0 : -8.0;
		}
		joint_scene_joint(&scene, ABUT_JOINT_HINGE, 0, 1, origin, z)->axes[0].friction = 0.01;
		joint_scene_make(&scene);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
		gradient->watch = (AbutGradientWatch){.see = see_theta, .watcher = &theta};
		for (int k = 0; k < 2; k++) {
			cr_assert_eq(
			    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
			    ABUT_OK);
		}
		const AbutStatus status = abut_gradient_matrix(gradient, J, &error);
		cr_expect(info.exact && theta > 0.1, "theta %g", theta);
		cr_expect_eq(status, i == 1 ? ABUT_ERROR_NUMERICAL : ABUT_OK, "mass %.7f: %s", masses[i],
		             error.message);
		cr_expect(i != 1 || strstr(error.message,
		                           "'n0' is equal on both bodies, or about to turn its impulses; by positions "
		                           "and rotations"),
		          "%s", error.message);
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}

Test(joint_gradient, theta_has_kinks)
{
	static const double loads[][2] = {{3.0, 3.0},         {3.0, 3.0 + 1e-10}, {2.0, 0.0}, {0.0, 2.0 - 1e-10},
	                                  {2.0 + 1e-10, 1.0}, {3.0, 3.0 + 1e-6},  {1.0, 1.0}, {0.0, 0.0},
	                                  {2.0 - 1e-6, 1.0},  {5.0, 0.0}};
	for (int i = 0; i < 10; i++) {
		cr_expect_eq(abut_joint_theta_kinks(loads[i]), i < 5, "loads %g, %g", loads[i][0], loads[i][1]);
	}
	for (double load = 2.1; load < 100.0; load *= 1.5) {
		const double h = 1e-5 * load;
		const double by = (abut_joint_theta(load + h) - abut_joint_theta(load - h)) / (2.0 * h);
		cr_expect_float_eq(abut_joint_theta_slope(load), by, 1e-8, "load %g", load);
	}
}

/* Limits of a ball that leans by a third of its cone in a step: theta of its bounds is between 0 and 1. Steps are
 * refused while the limits press, on the path always. */
Test(joint_gradient, of_a_ball_that_leans_fast_is_refused)
{
	static double J[GRADIENT_ROWS * GRADIENT_COLUMNS];
	for (int i = 0; i < 4; i++) {
		const bool presses = i % 2, path = i / 2;
		JointScene scene;
		AbutGradient *gradient;
		AbutError error = {.status = ABUT_OK};
		AbutStepInfo info = {.row = 0};
		AbutJointAxis *axis = joint_scene_ball(&scene, 0.01);
		axis->has_limits = true;
		axis->lower = 0.03;
		axis->upper = 1.0;
		memset(scene.def.gravity, 0, sizeof scene.def.gravity);
		scene.bodies[0].angular_velocity[1] = 1.0;
		scene.bodies[0].linear_velocity[2] = -0.5;
		joint_scene_make(&scene);
		cr_assert_eq(abut_gradient_create(scene.model, path ? 1e-6 : 0.0, &gradient, NULL), ABUT_OK);
		for (int k = 0; k < (presses ? 4 : 1); k++) { /* 0.01 rad each */
			cr_assert_eq(
			    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
			    ABUT_OK);
			if (joint_scene_read(&scene, 0).limit_effort[1] != 0.0) {
				break;
			}
		}
		const AbutStatus status = abut_gradient_matrix(gradient, J, &error);
		cr_expect_eq(status, presses || path ? ABUT_ERROR_NUMERICAL : ABUT_OK, "%d: %s", i, error.message);
		cr_expect(status == ABUT_OK || strstr(error.message, "joint 'n0' leans so fast for its limits"), "%s",
		          error.message);
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}

/* Two boxes that stand on the floor and are one body by a fixed joint, and a pendulum: the feet hold too much. A force
 * pushes the heavier foot, so that the one or the other slips if the joint must draw them together or apart. */
static void make_stand(JointScene *scene)
{
	static const double half[3] = {0.2, 0.15, 0.1}, y[3] = {0.0, 1.0, 0.0};
	static const double places[BODIES][3] = {{0.0, 0.0, 0.1}, {0.5, 0.1, 0.1}, {0.05, 0.0, 0.5}};
	joint_scene_begin(scene, 0.01);
	scene->def.solver.tolerance = 1e-12;
	for (int i = 0; i < BODIES; i++) {
		joint_scene_box(scene, half, 1.0, places[i]);
	}
	scene->bodies[0].force[0] = 3.0;
	joint_scene_floor(scene);
	joint_scene_joint(scene, ABUT_JOINT_FIXED, 0, 1, places[1], y);
	joint_scene_joint(scene, ABUT_JOINT_HINGE, 0, 2, (const double[3]){0.0, 0.0, 0.7}, y);
	joint_scene_make(scene);
}

/* Where feet hold too much, derivatives by velocities and forces exist: the feet stay in place. Those by poses are
 * one-sided: the steps to both sides differ however small the change is. */
Test(joint_gradient, of_a_stand_exists_by_velocities_and_forces)
{
	static Matrix J;
	static JointScene scene;
	AbutState *before;
	AbutGradient *gradient;
	AbutError error = {.status = ABUT_OK};
	AbutBodyState base[BODIES], next[BODIES];
	AbutStepInfo info = {.row = 0};
	double worst = 0.0, apart = 0.0, size = 0.0, d[2][ROWS];
	make_stand(&scene);
	cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
	for (int i = 0; i < 20; i++) {
		cr_assert_eq(abut_state_copy(scene.model, scene.state, before), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
	}
	state_of(scene.model, scene.state, base);
	cr_expect(info.exact);
	cr_expect_eq(abut_gradient_matrix(gradient, J, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "by positions and rotations the step has only one-sided"), "%s", error.message);
	for (int column = 0; column < COLUMNS; column++) {
		const bool pose = column % GRADIENT_COLUMNS < ABUT_GRADIENT_LINEAR;
		for (int side = 0; pose && side < 2; side++) {
			const double h = side == 0 ? 1e-6 : -1e-6;
			run_changed(&scene, before, column, h, (Steps){1, 1}, next);
			difference_of(BODIES, base, next, d[side]);
			for (int r = 0; r < ROWS; r++) {
				d[side][r] /= h;
			}
		}
		cr_expect(pose || difference_column(&scene, before, base, 1e-4, (Steps){1, 1}, column, d[0]));
		for (int r = 0; r < ROWS; r++) {
			const double own = J[r * COLUMNS + column];
			cr_expect_eq(isnan(own), pose);
			worst = pose ? worst : fmax(worst, fabs(d[0][r] - own));
			size = pose ? size : fmax(size, fabs(own));
			apart = pose ? fmax(apart, fabs(d[0][r] - d[1][r])) : apart;
		}
	}
	cr_log_info("by velocities and forces %g of %g; by poses the sides differ by %g", worst, size, apart);
	cr_expect_leq(worst, 1e-7 * size, "%g", worst);
	cr_expect_geq(apart, 1.0, "%g", apart);
	abut_gradient_destroy(gradient);
	abut_state_destroy(before);
	joint_scene_end(&scene);
}

/* On the path all laws are smooth. */
Test(joint_gradient, is_that_of_differences_on_the_path)
{
	static const double sizes[] = {1e-5, 3e-6, 3e-5, 1e-4, 3e-4}, kappa = 1e-2, at[4] = {1.0, -1.0, 2.0, -2.0};
	static Matrix J, D;
	static JointScene scene;
	for (unsigned seed = 0; seed < 2 * ABUT_JOINT_TYPE_COUNT; seed++) {
		AbutState *before;
		AbutGradient *gradient;
		static AbutBodyState base[BODIES], next[BODIES];
		AbutStepInfo info = {.row = 0};
		chain_make(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT),
		           seed < ABUT_JOINT_TYPE_COUNT ? LAWS_ALL : LAWS_COUPLED, seed);
		cr_assert_eq(abut_state_create(scene.model, &before, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_create(scene.model, kappa, &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK, "seed %u", seed);
		next_of(scene.model, gradient, base);
		double error = INFINITY;
		for (int k = 0; k < 5 && !(error <= 1e-7); k++) {
			for (int column = 0; column < COLUMNS; column++) {
				double d[4][ROWS];
				for (int i = 0; i < 4; i++) {
					cr_assert_eq(abut_state_copy(scene.model, before, scene.state), ABUT_OK);
					change_state(scene.model, scene.state, column, at[i] * sizes[k]);
					cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace,
					                                     gradient, &info),
					             ABUT_OK);
					next_of(scene.model, gradient, next);
					difference_of(BODIES, base, next, d[i]);
				}
				for (int r = 0; r < ROWS; r++) {
					D[r * COLUMNS + column] =
					    (8.0 * (d[0][r] - d[1][r]) - (d[2][r] - d[3][r])) / (12.0 * sizes[k]);
				}
			}
			error = fmin(error, block_error(scene.model, J, D));
		}
		cr_log_info("on the path, type %u: %g", seed, error);
		cr_expect_leq(error, 1e-7, "type %u: %g", seed, error);
		abut_gradient_destroy(gradient);
		abut_state_destroy(before);
		joint_scene_end(&scene);
	}
}

/* Products with the matrix and its transpose agree with the matrix, also in the second step, which has a step before.
 */
Test(joint_gradient, products_are_those_of_the_matrix)
{
	static Matrix J;
	static JointScene scene;
	for (unsigned seed = 0; seed < 2 * ABUT_JOINT_TYPE_COUNT; seed++) {
		AbutGradient *gradient;
		AbutStepInfo info = {.row = 0};
		chain_make(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), LAWS_SPRINGS, seed);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
		for (unsigned i = 0; i <= seed / ABUT_JOINT_TYPE_COUNT; i++) {
			cr_assert_eq(
			    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
			    ABUT_OK);
		}
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
		check_products(gradient, J, seed);
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}

/* The same for a loop, which has three held numbers too many. */
Test(joint_gradient, products_of_a_loop_are_those_of_the_matrix)
{
	static Matrix J;
	static JointScene scene;
	AbutGradient *gradient;
	AbutStepInfo info = {.row = 0};
	joint_scene_four_bar(&scene, 0.01);
	joint_scene_make(&scene);
	cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
	for (unsigned i = 0; i < 5; i++) {
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
		check_products(gradient, J, i);
	}
	abut_gradient_destroy(gradient);
	joint_scene_end(&scene);
}

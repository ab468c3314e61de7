/* Compares derivatives of steps of method lcp, of robots and of bodies without joints, with differences of steps. */
#include "dynamics/methods/joints/method_joint_scenes.h"
#include "dynamics/step_differences.h"

enum { BODIES = 8, MOST_ROWS = GRADIENT_ROWS * BODIES, MOST_COLUMNS = GRADIENT_COLUMNS * BODIES };

/* A step that was differentiated, and how its derivative compares with differences. */
typedef struct Compared {
	JointScene *scene;
	const AbutState *before;
	const AbutBodyState *base; /* after the step */
	int rows, width;
	const double *J;
	double size[2]; /* of the state's and of the input's block */
} Compared;

typedef struct Tally {
	int steps, refused, columns, kinks;
	double worst;
	unsigned seed; /* of the worst */
} Tally;

/* Takes the step with a column changed; returns whether it is exact. */
static bool run_changed(const Compared *c, int column, double by, double out[MOST_ROWS])
{
	JointScene *scene = c->scene;
	AbutStepInfo info = {.row = 0};
	AbutBodyState next[BODIES];
	cr_assert_eq(abut_state_copy(scene->model, c->before, scene->state), ABUT_OK);
	change_state(scene->model, scene->state, column, by);
	cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
	state_of(scene->model, scene->state, next);
	difference_of(scene->model->n_moving, c->base, next, out);
	return info.exact;
}

static double size_of(const Compared *c, int column)
{
	return c->size[column % GRADIENT_COLUMNS < ABUT_GRADIENT_FORCE ? 0 : 1];
}

/* Returns the largest error of a column of J relative to central differences of fourth order. */
static double error_of(const Compared *c, int column, double h)
{
	static const double at[4] = {1.0, -1.0, 2.0, -2.0};
	double d[4][MOST_ROWS], worst = 0.0;
	for (int i = 0; i < 4; i++) {
		if (!run_changed(c, column, at[i] * h, d[i])) {
			return INFINITY;
		}
	}
	for (int r = 0; r < c->rows; r++) {
		const double difference = (8.0 * (d[0][r] - d[1][r]) - (d[2][r] - d[3][r])) / (12.0 * h);
		worst = fmax(worst, fabs(difference - c->J[r * c->width + column]));
	}
	return worst / size_of(c, column);
}

/* Returns whether the step has a kink in a column, or jumps to another solution: its differences to both sides do not
 * agree for a small h. */
static bool has_kink(const Compared *c, int column)
{
	static const double h[] = {1e-5, 1e-6, 1e-7, 1e-8};
	double most = 0.0;
	for (int i = 0; i < 4; i++) {
		double up[MOST_ROWS], down[MOST_ROWS];
		if (!run_changed(c, column, h[i], up) || !run_changed(c, column, -h[i], down)) {
			return true;
		}
		for (int r = 0; r < c->rows; r++) {
			most = fmax(most, fabs(up[r] + down[r]) / h[i]);
		}
	}
	return most > 1e-3 * size_of(c, column);
}

static void compare_columns(const Compared *c, unsigned seed, Tally *tally)
{
	static const double h[] = {1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8};
	for (int column = 0; column < c->width; column++) {
		double best = INFINITY;
		for (int i = 0; i < 8 && best > 1e-7; i++) {
			best = fmin(best, error_of(c, column, h[i]));
		}
		tally->columns++;
		if (best > 1e-6 && has_kink(c, column)) {
			tally->kinks++;
		} else if (!(best <= tally->worst)) {
			tally->worst = best;
			tally->seed = seed;
		}
	}
}

/* Compares forward and backward products with the matrix. */
static void check_products(const AbutGradient *gradient, const Compared *c, unsigned seed)
{
	AbutRng rng = {seed};
	double change[MOST_COLUMNS], next[MOST_ROWS], by_next[MOST_ROWS], back[MOST_COLUMNS], largest = 1.0;
	for (int i = 0; i < c->rows * c->width; i++) {
		largest = fmax(largest, fabs(c->J[i]));
	}
	for (int i = 0; i < c->width; i++) {
		change[i] = abut_rng_normal(&rng);
	}
	for (int i = 0; i < c->rows; i++) {
		by_next[i] = abut_rng_normal(&rng);
	}
	cr_assert_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_backward(gradient, by_next, back, NULL, NULL), ABUT_OK);
	for (int r = 0; r < c->rows; r++) {
		for (int k = 0; k < c->width; k++) {
			next[r] -= c->J[r * c->width + k] * change[k];
		}
		cr_expect_leq(fabs(next[r]), 1e-9 * c->width * largest, "seed %u, row %d: %g", seed, r, next[r]);
	}
	for (int k = 0; k < c->width; k++) {
		for (int r = 0; r < c->rows; r++) {
			back[k] -= c->J[r * c->width + k] * by_next[r];
		}
		cr_expect_leq(fabs(back[k]), 1e-9 * c->rows * largest, "seed %u, column %d: %g", seed, k, back[k]);
	}
}

/* Lets the rates of joints in the last step follow from the bodies' velocities, as a derivative takes them. */
static void forget_rates(const JointScene *scene)
{
	for (int i = 0; i < scene->def.n_joints; i++) {
		scene->state->joints[i].timestep = 0.0;
	}
}

/* Differentiates the next step of the scene, and compares it if `compared`. */
static void check_step(JointScene *scene, AbutGradient *gradient, bool compared, unsigned seed, Tally *tally)
{
	static double J[MOST_ROWS * MOST_COLUMNS];
	const int n = scene->model->n_moving;
	AbutBodyState base[BODIES];
	AbutState *before, *after = scene->state;
	AbutStepInfo info = {.row = 0};
	cr_assert_leq(n, BODIES);
	if (compared) {
		forget_rates(scene);
	}
	cr_assert_eq(abut_state_create(scene->model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(scene->model, after, before), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(scene->model, after, scene->workspace, gradient, &info), ABUT_OK);
	const bool there = info.exact && abut_gradient_matrix(gradient, J, NULL) == ABUT_OK;
	tally->refused += compared && !there;
	if (compared && there) {
		Compared c = {scene, before, base, GRADIENT_ROWS * n, GRADIENT_COLUMNS * n, J, {0.0, 0.0}};
		for (int i = 0; i < c.rows * c.width; i++) {
			double *size = &c.size[i % c.width % GRADIENT_COLUMNS < ABUT_GRADIENT_FORCE ? 0 : 1];
			*size = fmax(*size, fabs(J[i]));
		}
		for (int i = 0; i < n; i++) {
			c.size[1] = fmax(c.size[1], scene->def.timestep /
			                                scene->model->bodies[scene->model->moving_body[i]].mass_si);
		}
		check_products(gradient, &c, seed);
		state_of(scene->model, after, base);
		cr_assert_eq(abut_state_create(scene->model, &scene->state, NULL), ABUT_OK);
		compare_columns(&c, seed, tally);
		tally->steps++;
		abut_state_destroy(scene->state);
		scene->state = after;
	}
	abut_state_destroy(before);
}

/* Takes `steps` steps, of which every `every`-th one is compared. Ends the scene. */
static void check_scene(JointScene *scene, int steps, int every, unsigned seed, Tally *tally)
{
	AbutGradient *gradient;
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_LCP);
	joint_scene_make(scene);
	cr_assert_eq(abut_gradient_create(scene->model, 0.0, &gradient, NULL), ABUT_OK);
	for (int i = 1; i <= steps; i++) {
		check_step(scene, gradient, i % every == 0, seed, tally);
	}
	abut_gradient_destroy(gradient);
	joint_scene_end(scene);
}

static void report(const char *what, const Tally *tally)
{
	cr_log_info("%s: %d steps, %d refused, %d columns, %d kinks, worst %g (seed %u)", what, tally->steps,
	            tally->refused, tally->columns, tally->kinks, tally->worst, tally->seed);
	cr_expect_leq(tally->worst, 1e-6, "%s, seed %u: %g", what, tally->seed, tally->worst);
}

/* Trees hang on the world and fall on the floor, with joints of all types and all laws. */
Test(lcp_joint_gradient, is_that_of_differences)
{
	static JointScene scene;
	Tally tally = {.worst = 0.0};
	for (unsigned seed = 0; seed < 24; seed++) {
		joint_scene_tree(&scene, 4, 0.005, seed);
		joint_scene_floor(&scene);
		check_scene(&scene, 120, 40, seed, &tally);
	}
	report("trees", &tally);
	cr_expect_geq(tally.steps, 50);
}

/* The same with points that bounce. */
Test(lcp_joint_gradient, of_points_that_bounce)
{
	static JointScene scene;
	Tally tally = {.worst = 0.0};
	for (unsigned seed = 0; seed < 12; seed++) {
		joint_scene_tree(&scene, 3, 0.005, seed);
		joint_scene_floor(&scene);
		scene.def.restitution = 0.6;
		check_scene(&scene, 100, 4, seed, &tally);
	}
	report("bouncing trees", &tally);
	cr_expect_geq(tally.steps, 50);
}

/* A table falls with random velocities, so that its feet land, slide and stick. */
Test(lcp_joint_gradient, of_feet_that_land_slide_and_stick)
{
	static JointScene scene;
	Tally tally = {.worst = 0.0};
	for (unsigned seed = 0; seed < 6; seed++) {
		AbutRng rng = {seed};
		joint_scene_table(&scene, 0.005, 0.02);
		for (int i = 0; i < 3; i++) {
			const double v = abut_rng_uniform(&rng, -0.3, 0.3);
			for (int k = 0; k < 5; k++) {
				scene.bodies[k].linear_velocity[i] = i < 2 ? v : 0.0;
			}
		}
		check_scene(&scene, 40, 5, seed, &tally);
	}
	report("tables", &tally);
	cr_expect_geq(tally.steps, 10);
}

/* Two links on hinges about y, the lower one a capsule that grips the floor: only the hinges hold its row of friction
 * along y. */
Test(lcp_joint_gradient, of_a_foot_that_joints_hold_across)
{
	static const double half[3] = {0.15, 0.04, 0.04}, y[3] = {0.0, 1.0, 0.0};
	static JointScene scene;
	Tally tally = {.worst = 0.0};
	for (unsigned seed = 0; seed < 6; seed++) {
		AbutRng rng = {seed};
		joint_scene_begin(&scene, 0.005);
		const int upper = joint_scene_box(&scene, half, 1.0, (const double[3]){0.15, 0.0, 0.4});
		const int lower = joint_scene_box(&scene, half, 0.5, (const double[3]){0.3, 0.0, 0.2});
		abut_shape_destroy(scene.shapes[lower]);
		cr_assert_eq(abut_shape_create_capsule(0.05, 0.3, &scene.shapes[lower], NULL), ABUT_OK);
		joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, upper, (const double[3]){0.0, 0.0, 0.4},
		                  y);
		AbutJointAxis *knee =
		    joint_scene_joint(&scene, ABUT_JOINT_HINGE, upper, lower, (const double[3]){0.3, 0.0, 0.4}, y)
		        ->axes;
		knee->motor = (AbutMotorDef){ABUT_MOTOR_POSITION, .stiffness = 50.0, .damping = 1.0, .limit = 20.0,
		                             .target = abut_rng_uniform(&rng, -0.5, 0.5)};
		joint_scene_floor(&scene);
		scene.def.friction = 1.5;
		check_scene(&scene, 120, 20, seed, &tally);
	}
	report("feet", &tally);
	cr_expect_geq(tally.steps, 30);
}

/* Bodies without joints, beside a pendulum: boxes and balls that slide, roll and lie on each other. */
Test(lcp_joint_gradient, of_bodies_without_joints)
{
	static JointScene scene;
	static const double y[3] = {0.0, 1.0, 0.0}, half[3] = {0.1, 0.1, 0.1}, high[3] = {0.0, 0.0, 3.0};
	Tally tally = {.worst = 0.0};
	for (unsigned seed = 0; seed < 12; seed++) {
		AbutRng rng = {seed};
		joint_scene_begin(&scene, 0.005);
		joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, joint_scene_box(&scene, half, 1.0, high),
		                  (const double[3]){0.3, 0.0, 3.0}, y);
		for (int i = 0; i < 3; i++) {
			const double place[3] = {0.4 * i, 0.0, i == 1 ? 0.31 : 0.105};
			const double size[3] = {i == 1 ? 0.2 : 0.1, 0.12, 0.1};
			AbutBodyDef *body = &scene.bodies[joint_scene_box(&scene, size, 1.0, place)];
			for (int k = 0; k < 3; k++) {
				body->linear_velocity[k] = k < 2 ? abut_rng_uniform(&rng, -1.0, 1.0) : 0.0;
				body->angular_velocity[k] = abut_rng_uniform(&rng, -1.0, 1.0);
			}
		}
		joint_scene_floor(&scene);
		check_scene(&scene, 40, 5, seed, &tally);
	}
	report("boxes", &tally);
	cr_expect_geq(tally.steps, 50);
}

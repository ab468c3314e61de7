/* Compares derivatives of steps of method lcp, of robots and of bodies without joints, with differences of steps: by
 * state, input, masses, targets of motors and all parameters of joints. A step with a changed parameter is one of a
 * changed model (abut_model_create_changed, which tests/dynamics/joint/test_joint_parameter.c compares with changed
 * definitions). */
#include <stdlib.h>

#include "dynamics/methods/joints/method_joint_scenes.h"
#include "dynamics/step_differences.h"

enum {
	BODIES = 8,
	MOST_ROWS = GRADIENT_ROWS * BODIES,
	MOST_COLUMNS = GRADIENT_COLUMNS * BODIES,
	KINDS = 1 + ABUT_PARAMETER_COUNT - ABUT_PARAMETER_MOTOR, /* masses, and those of joints */
	MOST_PARAMETERS = KINDS * ABUT_JOINT_FREEDOMS * BODIES
};

/* The parameters by which a step is differentiated, the model with one of them changed, and the start in numbers. */
typedef struct Parameters {
	int n;
	AbutParameter all[MOST_PARAMETERS];
	double J[MOST_ROWS * MOST_PARAMETERS];
	size_t n_numbers;
	double *numbers;
} Parameters;

/* A step that was differentiated, and how its derivative compares with differences. */
typedef struct Compared {
	JointScene *scene;
	const AbutState *before;
	const AbutBodyState *base; /* after the step */
	int rows, width;
	const double *J;
	double size[2]; /* of the state's and of the input's block */
	const Parameters *parameters;
} Compared;

/* How the columns of the state and the input compare, or those of a kind of parameter. */
typedef struct Columns {
	int n, kinks, moved; /* all; beside kinks; not zero */
	double bound, worst;
	unsigned seed; /* of the worst */
} Columns;

typedef struct Tally {
	int steps, refused;
	Columns state, by[ABUT_PARAMETER_COUNT];
} Tally;

/* Begins to count. Effects of parameters are small beside the rounding of steps. */
static Tally tally_begin(void)
{
	Tally out = {.state.bound = 1e-6};
	for (int kind = 0; kind < ABUT_PARAMETER_COUNT; kind++) {
		out.by[kind].bound = 1e-5;
	}
	return out;
}

/* How many steps may have no derivative at most, and how many columns may lie beside kinks. */
typedef struct Most {
	int refused, state, parameters;
} Most;

/* Lets the rates of joints in the last step follow from the bodies' velocities, as a derivative takes them. */
static void forget_rates(const AbutModel *model, AbutState *state)
{
	for (int i = 0; i < model->joints.n; i++) {
		state->joints[i].timestep = 0.0;
	}
}

/* Takes the step with a parameter changed. */
static bool run_parameter(const Compared *c, const AbutParameter *p, double by, double out[MOST_ROWS])
{
	const AbutModel *model = c->scene->model;
	AbutModel *changed;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutError error;
	AbutStepInfo info = {.row = 0};
	AbutBodyState next[BODIES];
	double value = NAN;
	cr_assert_eq(abut_parameter_get(model, p, &value, NULL), ABUT_OK);
	value += by;
	cr_assert_eq(abut_model_create_changed(model, 1, p, &value, &changed, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(changed, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(changed, &workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_state_restore(changed, state, c->parameters->n_numbers, c->parameters->numbers, &error),
	             ABUT_OK, "%s", error.message);
	forget_rates(changed, state);
	if (p->kind == ABUT_PARAMETER_MOTOR) {
		cr_assert_eq(abut_state_set_motor(changed, state, p->part, p->index, value), ABUT_OK);
	}
	cr_assert_eq(abut_step(changed, state, workspace, &info), ABUT_OK);
	state_of(changed, state, next);
	difference_of(model->n_moving, c->base, next, out);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(changed);
	return info.exact;
}

/* Takes the step with a column of the state or the input changed, or a parameter; returns whether it is exact. */
static bool run_changed(const Compared *c, int column, double by, double out[MOST_ROWS])
{
	JointScene *scene = c->scene;
	AbutStepInfo info = {.row = 0};
	AbutBodyState next[BODIES];
	if (column >= c->width) {
		return run_parameter(c, &c->parameters->all[column - c->width], by, out);
	}
	cr_assert_eq(abut_state_copy(scene->model, c->before, scene->state), ABUT_OK);
	change_state(scene->model, scene->state, column, by);
	cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
	state_of(scene->model, scene->state, next);
	difference_of(scene->model->n_moving, c->base, next, out);
	return info.exact;
}

/* One column: its derivative, the size of which its errors are shares, and the unit of its increments. */
typedef struct Column {
	const double *J;
	int stride;
	double size, unit;
	bool above; /* the value is 0 and cannot be negative */
} Column;

static Column column_of(const Compared *c, int column)
{
	if (column < c->width) {
		return (Column){&c->J[column], c->width,
		                c->size[column % GRADIENT_COLUMNS < ABUT_GRADIENT_FORCE ? 0 : 1], 1.0, false};
	}
	const AbutModel *model = c->scene->model;
	const Parameters *parameters = c->parameters;
	const AbutParameter *p = &parameters->all[column - c->width];
	double value = NAN;
	cr_assert_eq(abut_parameter_get(model, p, &value, NULL), ABUT_OK);
	Column out = {&parameters->J[column - c->width], parameters->n, 0.0, value != 0.0 ? fabs(value) : 1.0,
	              value == 0.0 && p->kind != ABUT_PARAMETER_MOTOR && p->kind != ABUT_PARAMETER_JOINT_REFERENCE};
	out.size = model->timestep_si / (model->bodies[model->moving_body[0]].mass_si * out.unit);
	for (int r = 0; r < c->rows; r++) {
		out.size = fmax(out.size, fabs(out.J[r * out.stride]));
	}
	return out;
}

/* Returns the largest error of a column relative to differences of fourth order. */
static double error_of(const Compared *c, int column, double h)
{
	static const double both[5] = {1.0, -1.0, 2.0, -2.0, 0.0}, above[5] = {1.0, 2.0, 3.0, 4.0, 0.0};
	static const double of_both[5] = {8.0, -8.0, -1.0, 1.0, 0.0}, of_above[5] = {48.0, -36.0, 16.0, -3.0, -25.0};
	const Column own = column_of(c, column);
	const double *at = own.above ? above : both, *weight = own.above ? of_above : of_both, by = h * own.unit;
	double d[5][MOST_ROWS], worst = 0.0;
	for (int i = 0; i < (own.above ? 5 : 4); i++) {
		if (!run_changed(c, column, at[i] * by, d[i])) {
			return INFINITY;
		}
	}
	for (int r = 0; r < c->rows; r++) {
		double difference = 0.0;
		for (int i = 0; i < (own.above ? 5 : 4); i++) {
			difference += weight[i] * d[i][r] / (12.0 * by);
		}
		worst = fmax(worst, fabs(difference - own.J[r * own.stride]));
	}
	return worst / own.size;
}

/* Returns whether the step has a kink in a column, or jumps to another solution: its differences to both sides, or to
 * one and twice as far, do not agree for a small h. */
static bool has_kink(const Compared *c, int column)
{
	static const double of_state[] = {1e-5, 1e-6, 1e-7, 1e-8}, of_parameters[] = {1e-3, 1e-4, 1e-5, 1e-5};
	const Column own = column_of(c, column);
	const bool is_state = column < c->width;
	double most = 0.0;
	for (int i = 0; i < 4; i++) {
		const double by = (is_state ? of_state : of_parameters)[i] * own.unit;
		double one[MOST_ROWS], other[MOST_ROWS];
		if (!run_changed(c, column, by, one) || !run_changed(c, column, own.above ? 2.0 * by : -by, other)) {
			return true;
		}
		for (int r = 0; r < c->rows; r++) {
			most = fmax(most, fabs(own.above ? other[r] - 2.0 * one[r] : one[r] + other[r]) / by);
		}
	}
	return most > (is_state ? 1e-3 : 1e-2) * own.size;
}

static void compare_column(const Compared *c, int column, unsigned seed, Columns *columns)
{
	static const double of_state[] = {1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8};
	static const double of_parameters[] = {1e-2, 1e-1, 1e-3, 3e-2, 3e-3, 3e-4, 1e-4, 1e-5};
	const double *h = column < c->width ? of_state : of_parameters;
	const Column own = column_of(c, column);
	double best = INFINITY;
	for (int i = 0; i < 8 && best > 1e-7; i++) {
		best = fmin(best, error_of(c, column, h[i]));
	}
	bool moved = false;
	for (int r = 0; r < c->rows; r++) {
		moved = moved || own.J[r * own.stride] != 0.0;
	}
	columns->n++;
	columns->moved += moved;
	if (best > columns->bound && has_kink(c, column)) {
		columns->kinks++;
	} else if (!(best <= columns->worst)) {
		columns->worst = best;
		columns->seed = seed;
	}
}

static void compare_columns(const Compared *c, unsigned seed, Tally *tally)
{
	for (int column = 0; column < c->width + c->parameters->n; column++) {
		const int p = column - c->width;
		compare_column(c, column, seed, p < 0 ? &tally->state : &tally->by[c->parameters->all[p].kind]);
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

/* Selects masses and all parameters of joints. */
static void select_parameters(const AbutModel *model, AbutGradient *gradient, Parameters *out)
{
	AbutError error;
	out->n = abut_parameter_list(model, ABUT_PARAMETER_MASS, MOST_PARAMETERS, out->all);
	for (int kind = ABUT_PARAMETER_MOTOR; kind < ABUT_PARAMETER_COUNT; kind++) {
		out->n +=
		    abut_parameter_list(model, (AbutParameterKind)kind, MOST_PARAMETERS - out->n, &out->all[out->n]);
	}
	cr_assert_leq(out->n, MOST_PARAMETERS);
	cr_assert_eq(abut_gradient_select(gradient, out->n, out->all, &error), ABUT_OK, "%s", error.message);
}

/* Differentiates the next step of the scene, and compares it if `compared`. */
static void check_step(JointScene *scene, AbutGradient *gradient, bool compared, unsigned seed, Parameters *parameters,
                       Tally *tally)
{
	static double J[MOST_ROWS * MOST_COLUMNS];
	const int n = scene->model->n_moving;
	AbutBodyState base[BODIES];
	AbutState *before, *after = scene->state;
	AbutStepInfo info = {.row = 0};
	cr_assert_leq(n, BODIES);
	if (compared) {
		parameters->n_numbers = abut_state_snapshot_size(scene->model, after);
		parameters->numbers = calloc(parameters->n_numbers, sizeof *parameters->numbers);
		cr_assert_eq(abut_state_snapshot(scene->model, after, parameters->numbers), ABUT_OK);
		forget_rates(scene->model, after);
	}
	cr_assert_eq(abut_state_create(scene->model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(scene->model, after, before), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(scene->model, after, scene->workspace, gradient, &info), ABUT_OK);
	const bool there = info.exact && abut_gradient_matrix(gradient, J, NULL) == ABUT_OK &&
	                   abut_gradient_parameters(gradient, parameters->J, NULL) == ABUT_OK;
	tally->refused += compared && !there;
	if (compared && there) {
		Compared c = {scene, before, base, GRADIENT_ROWS * n, GRADIENT_COLUMNS * n, J, {0.0, 0.0}, parameters};
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
	if (compared) {
		free(parameters->numbers);
	}
	abut_state_destroy(before);
}

/* Takes `steps` steps, of which every `every`-th one is compared. Ends the scene. */
static void check_scene(JointScene *scene, int steps, int every, unsigned seed, Tally *tally)
{
	static Parameters parameters;
	AbutGradient *gradient;
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_LCP);
	joint_scene_make(scene);
	cr_assert_eq(abut_gradient_create(scene->model, 0.0, &gradient, NULL), ABUT_OK);
	select_parameters(scene->model, gradient, &parameters);
	for (int i = 1; i <= steps; i++) {
		check_step(scene, gradient, i % every == 0, seed, &parameters, tally);
	}
	abut_gradient_destroy(gradient);
	joint_scene_end(scene);
}

static void report_columns(const char *what, const char *of, const Columns *columns)
{
	cr_log_info("%s, %s: %d columns (%d move), %d kinks, worst %g (seed %u)", what, of, columns->n, columns->moved,
	            columns->kinks, columns->worst, columns->seed);
	cr_expect_leq(columns->worst, columns->bound, "%s, %s, seed %u: %g", what, of, columns->seed, columns->worst);
}

static void report(const char *what, const Tally *tally, Most most)
{
	int n = 0, kinks = 0;
	report_columns(what, "state and input", &tally->state);
	for (int kind = 0; kind < ABUT_PARAMETER_COUNT; kind++) {
		if (tally->by[kind].n > 0) {
			report_columns(what, abut_parameter_kind_name((AbutParameterKind)kind), &tally->by[kind]);
		}
		n += tally->by[kind].n;
		kinks += tally->by[kind].kinks;
	}
	cr_log_info("%s: %d steps, %d refused, %d kinks in %d columns of parameters", what, tally->steps,
	            tally->refused, kinks, n);
	cr_expect_leq(tally->refused, most.refused, "%s: %d refused", what, tally->refused);
	cr_expect_leq(tally->state.kinks, most.state, "%s: %d kinks of states", what, tally->state.kinks);
	cr_expect_leq(kinks, most.parameters, "%s: %d kinks of parameters", what, kinks);
}

/* What the trees of a test are, and how they are checked: every so many of their steps. */
typedef struct Trees {
	unsigned seeds;
	int links, steps, every;
	double restitution;
} Trees;

/* Trees hang on the world and fall on the floor, with joints of all types and all laws. */
static void check_trees(const char *what, const Trees *trees, Most most)
{
	static JointScene scene;
	Tally tally = tally_begin();
	for (unsigned seed = 0; seed < trees->seeds; seed++) {
		joint_scene_tree(&scene, trees->links, 0.005, seed);
		joint_scene_floor(&scene);
		scene.def.restitution = trees->restitution;
		check_scene(&scene, trees->steps, trees->every, seed, &tally);
	}
	report(what, &tally, most);
	cr_expect_geq(tally.steps, 50);
}

Test(lcp_joint_gradient, is_that_of_differences)
{
	check_trees("trees", &(Trees){24, 4, 120, 40, 0.0}, (Most){8, 2, 5});
}

Test(lcp_joint_gradient, of_points_that_bounce)
{
	check_trees("bouncing trees", &(Trees){12, 3, 100, 4, 0.6}, (Most){10, 5, 20});
}

/* A table falls with random velocities, so that its feet land, slide and stick. */
Test(lcp_joint_gradient, of_feet_that_land_slide_and_stick)
{
	static JointScene scene;
	Tally tally = tally_begin();
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
	report("tables", &tally, (Most){36, 35, 35});
	cr_expect_geq(tally.steps, 10);
}

/* Two links on hinges about y, the lower one a capsule that grips the floor: only the hinges hold its row of friction
 * along y. */
Test(lcp_joint_gradient, of_a_foot_that_joints_hold_across)
{
	static const double half[3] = {0.15, 0.04, 0.04}, y[3] = {0.0, 1.0, 0.0};
	static JointScene scene;
	Tally tally = tally_begin();
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
	report("feet", &tally, (Most){1, 2, 5});
	cr_expect_geq(tally.steps, 30);
}

/* Bodies without joints, beside a pendulum: boxes and balls that slide, roll and lie on each other. */
Test(lcp_joint_gradient, of_bodies_without_joints)
{
	static JointScene scene;
	static const double y[3] = {0.0, 1.0, 0.0}, half[3] = {0.1, 0.1, 0.1}, high[3] = {0.0, 0.0, 3.0};
	Tally tally = tally_begin();
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
	report("boxes", &tally, (Most){10, 60, 5});
	cr_expect_geq(tally.steps, 50);
}

/* Compares derivatives of steps by motor targets and parameters of joints with differences of steps. The changed models
 * are made from changed definitions, so that the differences are independent of abut_model_create_changed, which is
 * compared with them. */
#include <stdlib.h>

#include "dynamics/joint_chain.h"
#include "dynamics/step_differences.h"

enum { BODIES = CHAIN_BODIES, ROWS = GRADIENT_ROWS * BODIES, MOST = 11 * ABUT_JOINT_FREEDOMS * BODIES, SEEDS = 16 };

static int list_all(const AbutModel *model, AbutParameter *out)
{
	int n = 0;
	for (int kind = ABUT_PARAMETER_MOTOR; kind < ABUT_PARAMETER_COUNT; kind++) {
		n += abut_parameter_list(model, (AbutParameterKind)kind, MOST - n, &out[n]);
	}
	cr_assert_leq(n, MOST);
	return n;
}

/* Returns the number of a definition that is the parameter. */
static double *number_of(JointScene *scene, const AbutParameter *p)
{
	AbutJointAxis *axis = &scene->joints[p->part].axes[p->index];
	double *const numbers[] = {
	    &axis->motor.target, &axis->motor.stiffness, &axis->motor.damping, &axis->motor.limit,
	    &axis->reference,    &axis->stiffness,       &axis->damping,       &axis->friction,
	    &axis->armature,     &axis->lower,           &axis->upper};
	return numbers[p->kind - ABUT_PARAMETER_MOTOR];
}

/* A state before a step, and how it is differentiated. */
typedef struct Before {
	JointScene *scene;
	double kappa;
	size_t n;
	double *numbers; /* (n) snapshot */
} Before;

/* Takes the step with a changed parameter. Returns whether it is exact, or on the path. */
static bool step_with(const Before *before, const AbutParameter *p, double value, AbutBodyState *next)
{
	JointScene *scene = before->scene;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutGradient *gradient = NULL;
	AbutStepInfo info = {.row = 0};
	double *number = number_of(scene, p);
	const double kept = *number;
	*number = value;
	const AbutStatus status = abut_model_create(&scene->def, &model, NULL);
	*number = kept;
	cr_assert_eq(status, ABUT_OK, "%s %g", abut_parameter_kind_name(p->kind), value);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_state_restore(model, state, before->n, before->numbers, NULL), ABUT_OK);
	if (p->kind == ABUT_PARAMETER_MOTOR) {
		cr_assert_eq(abut_state_set_motor(model, state, p->part, p->index, value), ABUT_OK);
	}
	bool solved = true;
	if (before->kappa > 0.0) {
		cr_assert_eq(abut_gradient_create(model, before->kappa, &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(model, state, workspace, gradient, &info), ABUT_OK);
		next_of(model, gradient, next);
	} else {
		cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
		solved = info.exact && info.parts == 1;
		state_of(model, state, next);
	}
	abut_gradient_destroy(gradient);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	return solved;
}

/* Differences of fourth order, for numbers that are 0 and cannot be negative from one side. */
static bool differences(const Before *before, const AbutParameter *p, double value, double h, double *out)
{
	static const double both[5] = {1.0, -1.0, 2.0, -2.0, 0.0}, above[5] = {1.0, 2.0, 3.0, 4.0, 0.0};
	static const double of_both[5] = {8.0, -8.0, -1.0, 1.0, 0.0}, of_above[5] = {48.0, -36.0, 16.0, -3.0, -25.0};
	const bool one = value == 0.0 && p->kind != ABUT_PARAMETER_MOTOR && p->kind != ABUT_PARAMETER_JOINT_REFERENCE;
	AbutBodyState next[5][BODIES];
	double d[ROWS];
	for (int i = 0; i < 5; i++) {
		if (!step_with(before, p, value + h * (one ? above : both)[i], next[i])) {
			return false;
		}
	}
	memset(out, 0, ROWS * sizeof *out);
	for (int i = 0; i < 4; i++) {
		difference_of(BODIES, next[4], next[i], d);
		for (int r = 0; r < ROWS; r++) {
			out[r] += (one ? of_above : of_both)[i] * d[r] / (12.0 * h);
		}
	}
	return true;
}

typedef struct Tally {
	int n, refused, unsettled, moved;
	double worst;
	char what[96];
} Tally;

static void check_parameter(const Before *before, const AbutParameter *p, const double *J, int stride, unsigned seed,
                            Tally *tally)
{
	static const double shares[] = {1e-2, 1e-3, 1e-1, 1e-4, 3e-2, 3e-3, 1e-5, 1e-6};
	const AbutModel *model = before->scene->model;
	const double value = *number_of(before->scene, p), unit = value != 0.0 ? fabs(value) : 1.0;
	double error = INFINITY, D[ROWS], largest = 0.0;
	for (int i = 0; i < 8 && !(error <= 1e-7); i++) {
		double own = 0.0, size = model->timestep_si / (model->bodies[0].mass_si * unit);
		if (!differences(before, p, value, shares[i] * unit, D)) {
			continue;
		}
		for (int r = 0; r < ROWS; r++) {
			size = fmax(size, fabs(D[r]));
			largest = fmax(largest, fabs(D[r]));
			own = fmax(own, fabs(J[r * stride] - D[r]));
		}
		error = fmin(error, own / size);
	}
	tally->n++;
	tally->moved += largest > 0.0;
	tally->unsettled += isinf(error);
	if (error > tally->worst && !isinf(error)) {
		tally->worst = error;
		snprintf(tally->what, sizeof tally->what, "seed %u: %s of joint %d", seed,
		         abut_parameter_kind_name(p->kind), p->part);
	}
}

static void check(Laws laws, unsigned seed, double kappa, Tally tallies[ABUT_PARAMETER_COUNT])
{
	static JointScene scene;
	static AbutParameter all[MOST];
	static double J[ROWS * MOST];
	AbutGradient *gradient;
	AbutStepInfo info = {.row = 0};
	AbutError error;
	chain_make(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), laws, seed);
	const int n = list_all(scene.model, all);
	for (unsigned i = 0; i < seed / ABUT_JOINT_TYPE_COUNT % 2; i++) {
		cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
	}
	Before before = {&scene, kappa, abut_state_snapshot_size(scene.model, scene.state), NULL};
	before.numbers = calloc(before.n, sizeof *before.numbers);
	cr_assert_eq(abut_state_snapshot(scene.model, scene.state, before.numbers), ABUT_OK);
	cr_assert_eq(abut_gradient_create(scene.model, kappa, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_select(gradient, n, all, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info), ABUT_OK);
	const bool there = (kappa > 0.0 || info.exact) && abut_gradient_parameters(gradient, J, NULL) == ABUT_OK;
	for (int i = 0; i < n; i++) {
		if (there) {
			check_parameter(&before, &all[i], &J[i], n, seed, &tallies[all[i].kind]);
		} else {
			tallies[all[i].kind].refused++;
		}
	}
	abut_gradient_destroy(gradient);
	free(before.numbers);
	joint_scene_end(&scene);
}

static void report(const char *where, double bound, const Tally tallies[ABUT_PARAMETER_COUNT])
{
	for (int kind = ABUT_PARAMETER_MOTOR; kind < ABUT_PARAMETER_COUNT; kind++) {
		const Tally *own = &tallies[kind];
		const char *name = abut_parameter_kind_name((AbutParameterKind)kind);
		cr_log_info("%s, %s: %d (%d move), %d refused, %d unsettled, worst %g (%s)", where, name, own->n,
		            own->moved, own->refused, own->unsettled, own->worst, own->what);
		cr_expect_leq(own->worst, bound, "%s, %s: %g, %s", where, name, own->worst, own->what);
		cr_expect_gt(own->moved, 0, "%s, %s", where, name);
		cr_expect_leq(10 * own->unsettled, own->n, "%s, %s: %d of %d unsettled", where, name, own->unsettled,
		              own->n);
	}
}

Test(joint_parameter, derivatives_are_those_of_differences)
{
	Tally tallies[ABUT_PARAMETER_COUNT] = {{.n = 0}};
	for (int laws = LAWS_NONE; laws < LAWS; laws++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			check((Laws)laws, seed, 0.0, tallies);
		}
	}
	report("exact", 1e-7, tallies);
}

Test(joint_parameter, derivatives_are_those_of_differences_on_the_path)
{
	Tally tallies[ABUT_PARAMETER_COUNT] = {{.n = 0}};
	for (int laws = LAWS_NONE; laws < LAWS; laws += LAWS_ALL) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			check((Laws)laws, seed, 1e-2, tallies);
		}
	}
	report("path", 1e-7, tallies);
}

/* Products with all parameters agree with the matrix of their columns. */
Test(joint_parameter, products_are_those_of_the_columns)
{
	static JointScene scene;
	static AbutParameter all[MOST];
	static double J[ROWS * MOST], change[GRADIENT_COLUMNS * BODIES];
	for (unsigned seed = 0; seed < ABUT_JOINT_TYPE_COUNT; seed++) {
		AbutRng rng = {seed};
		AbutGradient *gradient;
		AbutStepInfo info = {.row = 0};
		double by[MOST], next[ROWS], by_next[ROWS], back[GRADIENT_COLUMNS * BODIES], of[MOST], largest = 0.0;
		chain_make(&scene, (AbutJointType)seed, LAWS_SPRINGS, seed);
		const int n = list_all(scene.model, all);
		cr_assert_eq(abut_gradient_create(scene.model, seed % 2 ? 1e-4 : 0.0, &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_select(gradient, n, all, NULL), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
		             ABUT_OK);
		cr_assert_eq(abut_gradient_parameters(gradient, J, NULL), ABUT_OK);
		for (int i = 0; i < ROWS * n; i++) {
			largest = fmax(largest, fabs(J[i]));
		}
		for (int i = 0; i < n; i++) {
			by[i] = abut_rng_normal(&rng);
		}
		for (int r = 0; r < ROWS; r++) {
			by_next[r] = abut_rng_normal(&rng);
		}
		cr_assert_eq(abut_gradient_forward(gradient, change, by, next, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_backward(gradient, by_next, back, of, NULL), ABUT_OK);
		for (int r = 0; r < ROWS; r++) {
			double sum = 0.0;
			for (int i = 0; i < n; i++) {
				sum += J[r * n + i] * by[i];
			}
			cr_expect_leq(fabs(sum - next[r]), 1e-9 * n * largest, "seed %u, row %d", seed, r);
		}
		for (int i = 0; i < n; i++) {
			double sum = 0.0;
			for (int r = 0; r < ROWS; r++) {
				sum += J[r * n + i] * by_next[r];
			}
			cr_expect_leq(fabs(sum - of[i]), 1e-9 * ROWS * largest, "seed %u, %d", seed, i);
		}
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}

/* A model with changed parameters takes the same steps as one of a changed definition. */
Test(joint_parameter, changed_models_are_those_of_changed_definitions)
{
	static JointScene scene;
	static AbutParameter all[MOST];
	for (unsigned seed = 0; seed < ABUT_JOINT_TYPE_COUNT; seed++) {
		chain_make(&scene, (AbutJointType)seed, LAWS_ALL, seed);
		const int n = list_all(scene.model, all);
		for (int i = 0; i < n; i++) {
			AbutModel *models[2];
			AbutBodyState next[2][BODIES];
			AbutError error;
			double *number = number_of(&scene, &all[i]), kept = *number, read = NAN, moved[ROWS];
			const double value = kept + 1e-3;
			cr_assert_eq(abut_parameter_get(scene.model, &all[i], &read, NULL), ABUT_OK);
			cr_assert_eq(read, kept);
			cr_assert_eq(abut_model_create_changed(scene.model, 1, &all[i], &value, &models[0], &error),
			             ABUT_OK, "%s", error.message);
			*number = value;
			cr_assert_eq(abut_model_create(&scene.def, &models[1], NULL), ABUT_OK);
			*number = kept;
			for (int k = 0; k < 2; k++) {
				AbutState *state;
				AbutWorkspace *workspace;
				AbutStepInfo info = {.row = 0};
				cr_assert_eq(abut_parameter_get(models[k], &all[i], &read, NULL), ABUT_OK);
				cr_expect_eq(read, value);
				cr_assert_eq(abut_state_create(models[k], &state, NULL), ABUT_OK);
				cr_assert_eq(abut_workspace_create(models[k], &workspace, NULL), ABUT_OK);
				cr_assert_eq(abut_step(models[k], state, workspace, &info), ABUT_OK);
				state_of(models[k], state, next[k]);
				abut_workspace_destroy(workspace);
				abut_state_destroy(state);
				abut_model_destroy(models[k]);
			}
			difference_of(BODIES, next[0], next[1], moved);
			for (int r = 0; r < ROWS; r++) {
				cr_expect_leq(fabs(moved[r]), 1e-15, "seed %u: %s of joint %d", seed,
				              abut_parameter_kind_name(all[i].kind), all[i].part);
			}
		}
		joint_scene_end(&scene);
	}
}

static void expect_refused(const AbutModel *model, AbutParameter p, double value, const char *why)
{
	AbutModel *changed = NULL;
	AbutError error = {.message = ""};
	cr_expect_eq(abut_model_create_changed(model, 1, &p, &value, &changed, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, why), "%s: %s", why, error.message);
	abut_model_destroy(changed);
}

Test(joint_parameter, what_does_not_exist_is_refused)
{
	static JointScene scene;
	AbutJointAxis *axis = joint_scene_pendulum(&scene, 0.01);
	axis->has_limits = true;
	axis->lower = -1.0;
	axis->upper = 1.0;
	joint_scene_make(&scene);
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_MOTOR, -1, -1, 0, 0}, 1.0, "it has no motor");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_DAMPING, -1, -1, 1, 0}, 1.0, "joint");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_DAMPING, -1, -1, 0, 1}, 1.0, "1 freedom");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_DAMPING, 0, -1, 0, 0}, 1.0, "-1");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_DAMPING, -1, -1, 0, 0}, -1.0, "at least 0");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_DAMPING, -1, -1, 0, 0}, NAN, "1e30");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_LOWER, -1, -1, 0, 0}, 2.0, "less than");
	joint_scene_end(&scene);
}

Test(joint_parameter, a_ball_has_one_value_for_all_directions_but_of_targets)
{
	static JointScene scene;
	static AbutParameter all[MOST];
	AbutJointAxis *axis = joint_scene_ball(&scene, 0.01);
	axis->has_limits = true;
	axis->lower = 1.0;
	axis->upper = 3.14159265358979323846;
	axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_VELOCITY, .damping = 1.0, .limit = (double)INFINITY};
	joint_scene_make(&scene);
	cr_expect_eq(list_all(scene.model, all), 3 + 6); /* targets; damping of the motor, cone, and the four laws */
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_DAMPING, -1, -1, 0, 1}, 1.0, "index 0");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_REFERENCE, -1, -1, 0, 0}, 1.0, "no reference");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_UPPER, -1, -1, 0, 0}, 1.0, "has no limit");
	expect_refused(scene.model, (AbutParameter){ABUT_PARAMETER_JOINT_LOWER, -1, -1, 0, 0}, 4.0, "0.001 to pi");
	joint_scene_end(&scene);
}

/* A force at its limit, and a limit that both holds its freedom and finds it stuck by friction. */
Test(joint_parameter, one_sided_derivatives_are_refused_with_the_joint_named)
{
	static JointScene scene;
	for (int stuck = 0; stuck < 2; stuck++) {
		const AbutParameter p = {stuck ? ABUT_PARAMETER_JOINT_UPPER : ABUT_PARAMETER_MOTOR, -1, -1, 0, 0};
		AbutGradient *gradient;
		AbutStepInfo info = {.row = 0};
		AbutError error = {.message = ""};
		double J[GRADIENT_ROWS * GRADIENT_COLUMNS];
		AbutJointAxis *axis = joint_scene_pendulum(&scene, 0.01);
		axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_FORCE, .limit = 3.0, .target = stuck ? 1.0 : -3.0};
		axis->has_limits = stuck;
		axis->friction = stuck;
		axis->lower = -1.0;
		axis->upper = 1e-9; /* falls on it in the first step, and sticks in the second */
		joint_scene_make(&scene);
		cr_assert_eq(abut_gradient_create(scene.model, 0.0, &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_select(gradient, 1, &p, NULL), ABUT_OK);
		for (int i = 0; i < 1 + stuck; i++) {
			cr_assert_eq(
			    abut_step_differentiate(scene.model, scene.state, scene.workspace, gradient, &info),
			    ABUT_OK);
		}
		cr_expect_eq(abut_gradient_parameters(gradient, J, &error), ABUT_ERROR_NUMERICAL);
		cr_expect(strstr(error.message, "joint 'n0'"), "%s", error.message);
		cr_expect(isnan(J[0]));
		abut_gradient_destroy(gradient);
		joint_scene_end(&scene);
	}
}

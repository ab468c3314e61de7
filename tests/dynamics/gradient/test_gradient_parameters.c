/* Compares the derivative of a step by parameters, at the exact solution and on the path, with differences of steps of
 * changed models from the same start. */
#include <stdio.h>

#include "dynamics/model/model.h"
#include "dynamics/parameter/changed_scene.h"
#include "dynamics/step/workspace.h"
#include "dynamics/step_differences.h"

enum { MOST = 1200, CHOSEN = 22, STEPS = 60, EVERY = 20, ROWS = ABUT_GRADIENT_ROWS * 2 };

/* Restores the same start: poses of the body frames, velocities of the centres of mass, memory of the solver. */
static void restore(const AbutModel *from, const AbutState *state, const AbutModel *to, AbutState *out)
{
	static double numbers[20000];
	const size_t n = abut_state_snapshot_size(from, state);
	cr_assert_leq(n, sizeof numbers / sizeof *numbers);
	cr_assert_eq(abut_state_snapshot(from, state, numbers), ABUT_OK);
	cr_assert_eq(abut_state_restore(to, out, n, numbers, NULL), ABUT_OK);
	for (int i = 0; i < from->n_bodies; i++) {
		AbutBodyState *at = &out->motion[i].at;
		double R[9], moved[3];
		abut_quat_to_mat3(at->orientation, R);
		for (int k = 0; k < 3; k++) {
			moved[k] = to->bodies[i].centre_of_mass[k] - from->bodies[i].centre_of_mass[k];
		}
		abut_mat3_vec(R, moved, moved);
		for (int k = 0; k < 3; k++) {
			at->position[k] += moved[k];
		}
	}
}

/* Takes the step of the model with one value changed. Returns false if it is not exact, or has no point on the path. */
static bool step_of_changed(const AbutModel *model, const AbutState *before, const AbutParameter *p, double step,
                            double kappa, AbutBodyState *next)
{
	AbutModel *changed = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutGradient *gradient = NULL;
	AbutError error = {.status = ABUT_OK};
	AbutStepInfo info = {.exact = false};
	double value;
	cr_assert_eq(abut_parameter_get(model, p, &value, NULL), ABUT_OK);
	value += step;
	cr_assert_eq(abut_model_create_changed(model, 1, p, &value, &changed, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(changed, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(changed, &workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(changed, kappa, &gradient, NULL), ABUT_OK);
	restore(model, before, changed, state);
	cr_assert_eq(abut_step_differentiate(changed, state, workspace, gradient, &info), ABUT_OK);
	const bool there = info.exact && abut_gradient_next(gradient, 1, next, NULL) == ABUT_OK;
	if (there && kappa > 0.0) {
		next_of(changed, gradient, next);
	} else if (there) {
		state_of(changed, state, next);
	}
	abut_gradient_destroy(gradient);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(changed);
	return there;
}

/* Computes differences of fourth order. Returns false if a step is not exact. */
static bool differences(const AbutModel *model, const AbutState *before, const AbutParameter *p, double kappa, double h,
                        const AbutBodyState *base, double *out)
{
	static const double steps[4] = {1.0, -1.0, 2.0, -2.0};
	double d[4][ROWS];
	for (int i = 0; i < 4; i++) {
		AbutBodyState next[2] = {{.position = {0.0}}};
		if (!step_of_changed(model, before, p, steps[i] * h, kappa, next)) {
			return false;
		}
		difference_of(2, base, next, d[i]);
	}
	for (int r = 0; r < ROWS; r++) {
		out[r] = (8.0 * (d[0][r] - d[1][r]) - (d[2][r] - d[3][r])) / (12.0 * h);
	}
	return true;
}

typedef struct Tally {
	int n, beyond, unsolved, in_parts;
	double bound, worst;
	char where[200];
} Tally;

/* Returns the error relative to the column, or to the effect of such a change in flight if that is larger. */
static double column_error(const double *J, int width, int column, const double *D)
{
	double most = 0.0, size = 1e-2;
	for (int r = 0; r < ROWS; r++) {
		most = fmax(most, fabs(J[r * width + column] - D[r]));
		size = fmax(size, fabs(D[r]));
	}
	return most / size;
}

static void check_column(const AbutModel *model, const AbutState *before, const AbutParameter *p, double kappa,
                         const AbutBodyState *base, const double *J, int column, unsigned seed, int step, Tally *tally)
{
	static const double steps[] = {1e-5, 1e-4, 1e-6, 1e-3};
	double least = INFINITY;
	for (int i = 0; i < 4 && !(least <= tally->bound); i++) {
		double D[ROWS];
		const double h =
		    steps[i] * (p->kind == ABUT_PARAMETER_INERTIA || p->kind == ABUT_PARAMETER_TIMESTEP ? 0.05 : 1.0);
		if (differences(model, before, p, kappa, h, base, D)) {
			least = fmin(least, column_error(J, CHOSEN, column, D));
		}
	}
	tally->n++;
	tally->unsolved += !isfinite(least);
	tally->beyond += isfinite(least) && !(least <= tally->bound);
	if (isfinite(least) && least > tally->worst) {
		char text[120];
		abut_parameter_describe(model, p, text, sizeof text);
		tally->worst = least;
		snprintf(tally->where, sizeof tally->where, "seed %u, step %d, %s", seed, step, text);
	}
	if (isfinite(least) && !(least <= tally->bound)) {
		char text[120];
		abut_parameter_describe(model, p, text, sizeof text);
		cr_log_info("seed %u, step %d, %s: off by %.1e", seed, step, text, least);
	}
}

static void choose(const AbutModel *model, AbutRng *rng, AbutParameter *out)
{
	for (int i = 0; i < CHOSEN; i++) { /* two of each kind */
		AbutParameter list[MOST];
		const AbutParameterKind kind = (AbutParameterKind)(i % ABUT_PARAMETER_MOTOR);
		const int n = abut_parameter_list(model, kind, MOST, list);
		out[i] = list[(int)abut_rng_uniform(rng, 0.0, n)];
	}
}

typedef enum Variant { USUAL, PYRAMID, DEFAULT_RADII, IN_PARTS, QUASI_STATIC } Variant;

static void vary(Variant variant, ChangedScene *scene)
{
	if (variant == PYRAMID) {
		scene->def.solver.friction_cone = ABUT_FRICTION_CONE_PYRAMID;
	} else if (variant == IN_PARTS) { /* so fast a spin */
		scene->def.timestep = 0.03;
		scene->bodies[1].angular_velocity[0] += 70.0;
	} else if (variant == QUASI_STATIC) {
		scene->def.quasi_static = true;
	}
	for (int i = 0; i < scene->def.n_pairs && variant == DEFAULT_RADII; i++) {
		scene->pairs[i].torsional_radius = -1.0;
	}
}

static void check_run(unsigned seed, Variant variant, double kappa, Tally *tally)
{
	ChangedScene scene;
	AbutModel *model = NULL;
	AbutState *state = NULL, *before = NULL;
	AbutWorkspace *workspace = NULL;
	AbutGradient *gradient = NULL;
	AbutRng rng = {seed};
	changed_scene_make(seed, &scene);
	vary(variant, &scene);
	cr_assert_eq(abut_model_create(&scene.def, &model, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_create(model, kappa, &gradient, NULL), ABUT_OK);
	for (int step = 0; step < STEPS; step++) {
		AbutStepInfo info = {.exact = false};
		AbutParameter chosen[CHOSEN];
		AbutBodyState base[2] = {{.position = {0.0}}};
		double J[ROWS * CHOSEN];
		const bool look = step % EVERY == EVERY - 1 || (variant == IN_PARTS && step == 1);
		choose(model, &rng, chosen);
		cr_assert_eq(abut_gradient_select(gradient, look ? CHOSEN : 0, chosen, NULL), ABUT_OK);
		cr_assert_eq(abut_state_copy(model, state, before), ABUT_OK);
		if (!look) {
			cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
			continue;
		}
		cr_assert_eq(abut_step_differentiate(model, state, workspace, gradient, &info), ABUT_OK);
		tally->in_parts += info.parts > 1;
		const bool all = info.exact && abut_gradient_parameters(gradient, J, NULL) == ABUT_OK;
		tally->unsolved += !all;
		if (!info.exact || (kappa > 0.0 && !all)) {
			continue;
		}
		if (kappa > 0.0) {
			next_of(model, gradient, base);
		} else {
			state_of(model, state, base);
		}
		for (int i = 0; i < CHOSEN; i++) {
			cr_assert(!(all && isnan(J[i])), "seed %u, step %d: OK with NaN", seed, step);
			if (!isnan(J[i])) { /* it is not refused */
				check_column(model, before, &chosen[i], kappa, base, J, i, seed, step, tally);
			}
		}
	}
	abut_gradient_destroy(gradient);
	abut_workspace_destroy(workspace);
	abut_state_destroy(before);
	abut_state_destroy(state);
	abut_model_destroy(model);
	changed_scene_free(&scene);
}

static void check_runs(Variant variant, double kappa, double bound, const char *what)
{
	Tally tally = {.bound = bound};
	for (unsigned seed = 0; seed < CHANGED_KINDS; seed++) {
		check_run(seed, variant, kappa, &tally);
	}
	cr_log_info("%s: %d columns, %d beyond %g, the worst %.1e (%s), %d not to be had, %d steps in parts", what,
	            tally.n, tally.beyond, bound, tally.worst, tally.where, tally.unsolved, tally.in_parts);
	cr_expect_leq(kappa > 0.0 ? tally.n * tally.beyond : 300 * tally.beyond, tally.n,
	              "%s: %d of %d beyond %g, the worst %g: %s", what, tally.beyond, tally.n, bound, tally.worst,
	              tally.where);
	cr_expect_leq(50 * tally.unsolved, tally.n, "%s: %d of %d not to be had", what, tally.unsolved, tally.n);
	cr_expect(variant != IN_PARTS || tally.in_parts > 0, "%s: no step was taken in parts", what);
}

Test(gradient_parameters, exact)
{
	check_runs(USUAL, 0.0, 1e-5, "exact");
}

Test(gradient_parameters, on_the_path)
{
	check_runs(USUAL, 1e-2, 1e-6, "kappa 1e-2");
	check_runs(USUAL, 1e-4, 1e-6, "kappa 1e-4");
}

Test(gradient_parameters, with_the_pyramid)
{
	check_runs(PYRAMID, 0.0, 1e-5, "pyramid, exact");
	check_runs(PYRAMID, 1e-2, 1e-6, "pyramid, kappa 1e-2");
}

Test(gradient_parameters, with_default_radii)
{
	check_runs(DEFAULT_RADII, 0.0, 1e-5, "default radii, exact");
}

/* Quasi-static steps forget the velocity before. They depend on the timestep in another way. */
Test(gradient_parameters, of_quasi_static_motion)
{
	check_runs(QUASI_STATIC, 0.0, 1e-5, "quasi-static, exact");
	check_runs(QUASI_STATIC, 1e-2, 1e-6, "quasi-static, kappa 1e-2");
}

/* Each part starts at the exact end of the part before, so that there is no function on the path to compare with. */
Test(gradient_parameters, of_steps_in_parts)
{
	check_runs(IN_PARTS, 0.0, 1e-4, "in parts, exact");
}

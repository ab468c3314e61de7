/* Compares derivatives of rollouts with products of the matrices of their steps, and with differences of whole
 * rollouts. */
#include <limits.h>
#include <stdlib.h>

#include "abut/rollout.h"
#include "allocation_watch.h"
#include "dynamics/step/workspace.h"
#include "dynamics/step_differences.h"

enum { STEPS = 30, ROWS = GRADIENT_ROWS, COLUMNS = GRADIENT_COLUMNS, INPUT = ABUT_ROLLOUT_INPUT, PARAMETERS = 3 };

/* Begins a world with two pushed bodies that roll and slide into each other on a floor. */
static void make_scene(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	AbutBodyDef *a = world_add(world, make_sphere(0.5), 1.0, 0.0, 0.0, 0.52);
	a->linear_velocity[0] = 1.5;
	a->linear_velocity[1] = 0.2;
	world_add(world, make_sphere(0.4), 0.7, 1.1, 0.1, 0.41)->angular_velocity[1] = 2.0;
	world->def.timestep = 0.02;
	world_make(world);
}

static void select_parameters(AbutParameter out[PARAMETERS])
{
	out[0] = (AbutParameter){.kind = ABUT_PARAMETER_GRAVITY, .body = -1, .other = -1, .part = -1, .index = 2};
	out[1] = (AbutParameter){.kind = ABUT_PARAMETER_FRICTION, .body = 0, .other = 1, .part = -1};
	out[2] = (AbutParameter){.kind = ABUT_PARAMETER_MASS, .body = 2, .other = -1, .part = -1};
}

static AbutRollout *make_rollout(const AbutModel *model, double kappa, int segment)
{
	AbutParameter parameters[PARAMETERS];
	AbutRollout *rollout;
	AbutError error = {0};
	select_parameters(parameters);
	const AbutRolloutOptions options = {.kappa = kappa,
	                                    .capacity = STEPS,
	                                    .segment = segment,
	                                    .n_parameters = PARAMETERS,
	                                    .parameters = parameters};
	cr_assert_eq(abut_rollout_create(model, &options, &rollout, &error), ABUT_OK, "%s", error.message);
	return rollout;
}

/* Applies a push that changes from step to step. */
static void push(const AbutModel *model, AbutState *state, int step, double more)
{
	const double force[3] = {0.5 + 0.1 * step + more, 0.3, 0.0}, torque[3] = {0.0, 0.02 * step, 0.01};
	cr_assert_eq(abut_state_set_input(model, state, 1, force, torque), ABUT_OK);
}

static void record(World *world, AbutRollout *rollout)
{
	for (int step = 0; step < STEPS; step++) {
		push(world->model, world->state, step, 0.0);
		cr_assert_eq(abut_rollout_step(rollout, world->state, world->workspace, &world->info), ABUT_OK);
		cr_assert_eq(world->info.outcome, ABUT_OUTCOME_EXACT);
	}
	cr_assert_eq(abut_rollout_count(rollout), STEPS);
}

/* Compares the backward derivative of the cost w . states with the product of the steps' matrices, last to first. */
Test(rollout, backward_is_the_product_of_matrices)
{
	static const double kappas[] = {0.0, 1e-4};
	for (int i = 0; i < 2; i++) {
		enum { N = 2 };
		AbutRng rng = {3};
		World world;
		AbutGradient *gradient;
		AbutParameter parameters[PARAMETERS];
		static double J[STEPS][ROWS * N * COLUMNS * N], C[STEPS][ROWS * N * PARAMETERS];
		double weights[(STEPS + 1) * ROWS * N], by_start[ROWS * N], by_inputs[STEPS * INPUT * N];
		double by_parameters[PARAMETERS], expected[PARAMETERS] = {0.0};
		make_scene(&world);
		select_parameters(parameters);
		AbutRollout *rollout = make_rollout(world.model, kappas[i], 0);
		record(&world, rollout);
		for (int k = 0; k < (STEPS + 1) * ROWS * N; k++) {
			weights[k] = abut_rng_normal(&rng);
		}
		cr_assert_eq(
		    abut_rollout_backward(rollout, world.workspace, weights, by_start, by_inputs, by_parameters, NULL),
		    ABUT_OK);
		abut_rollout_destroy(rollout);
		world_end(&world);
		make_scene(&world);
		cr_assert_eq(abut_gradient_create(world.model, kappas[i], &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_select(gradient, PARAMETERS, parameters, NULL), ABUT_OK);
		for (int step = 0; step < STEPS; step++) {
			push(world.model, world.state, step, 0.0);
			cr_assert_eq(
			    abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
			    ABUT_OK);
			cr_assert_eq(abut_gradient_matrix(gradient, J[step], NULL), ABUT_OK);
			cr_assert_eq(abut_gradient_parameters(gradient, C[step], NULL), ABUT_OK);
		}
		double by[ROWS * N];
		memcpy(by, &weights[STEPS * ROWS * N], sizeof by);
		for (int step = STEPS - 1; step >= 0; step--) {
			double before[ROWS * N];
			for (int c = 0; c < COLUMNS * N; c++) {
				double sum = 0.0;
				for (int r = 0; r < ROWS * N; r++) {
					sum += J[step][r * COLUMNS * N + c] * by[r];
				}
				const int body = c / COLUMNS, kind = c % COLUMNS;
				if (kind < ROWS) {
					before[ROWS * body + kind] = sum + weights[(step * N + body) * ROWS + kind];
				} else {
					const double got = by_inputs[(step * N + body) * INPUT + kind - ROWS];
					cr_expect_float_eq(got, sum, 1e-5 * fmax(1.0, fabs(sum)),
					                   "step %d, input %d: %g, not %g", step, c, got, sum);
				}
			}
			for (int p = 0; p < PARAMETERS; p++) {
				for (int r = 0; r < ROWS * N; r++) {
					expected[p] += C[step][r * PARAMETERS + p] * by[r];
				}
			}
			memcpy(by, before, sizeof by);
		}
		for (int r = 0; r < ROWS * N; r++) {
			cr_expect_float_eq(by_start[r], by[r], 1e-5 * fmax(1.0, fabs(by[r])), "start %d: %g, not %g", r,
			                   by_start[r], by[r]);
		}
		for (int p = 0; p < PARAMETERS; p++) {
			cr_expect_float_eq(by_parameters[p], expected[p], 1e-5 * fmax(1.0, fabs(expected[p])),
			                   "parameter %d: %g, not %g", p, by_parameters[p], expected[p]);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

/* Checkpoints at any distance give the same bits in both directions. */
Test(rollout, checkpoints_change_nothing)
{
	enum { N = 2 };
	static const int segments[] = {0, 1, 7, STEPS};
	static double first[4][ROWS * N + STEPS * INPUT * N + PARAMETERS], last[4][ROWS * N];
	for (int i = 0; i < 4; i++) {
		AbutRng rng = {5};
		World world;
		double weights[(STEPS + 1) * ROWS * N], start[ROWS * N], change[PARAMETERS] = {0.1, 0.2, -0.1};
		make_scene(&world);
		AbutRollout *rollout = make_rollout(world.model, 0.0, segments[i]);
		record(&world, rollout);
		for (int k = 0; k < (STEPS + 1) * ROWS * N; k++) {
			weights[k] = abut_rng_normal(&rng);
		}
		for (int k = 0; k < ROWS * N; k++) {
			start[k] = abut_rng_normal(&rng);
		}
		double *own = first[i];
		cr_assert_eq(abut_rollout_backward(rollout, world.workspace, weights, own, own + ROWS * N,
		                                   own + ROWS * N + STEPS * INPUT * N, NULL),
		             ABUT_OK);
		cr_assert_eq(abut_rollout_forward(rollout, world.workspace, start, NULL, change, last[i], NULL),
		             ABUT_OK);
		cr_expect_arr_eq(first[i], first[0], sizeof first[0], "segments of %d", segments[i]);
		cr_expect_arr_eq(last[i], last[0], sizeof last[0], "segments of %d", segments[i]);
		abut_rollout_destroy(rollout);
		world_end(&world);
	}
}

/* Computes the last state of a rollout with one number changed by h. `which` is 0 for the first force of every step, 1
 * to PARAMETERS for a parameter. */
static void run_changed(int which, double h, AbutBodyState out[2])
{
	World world;
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutParameter parameters[PARAMETERS];
	make_scene(&world);
	select_parameters(parameters);
	double value = 0.0;
	if (which > 0) {
		cr_assert_eq(abut_parameter_get(world.model, &parameters[which - 1], &value, NULL), ABUT_OK);
	}
	value += h;
	cr_assert_eq(abut_model_create_changed(world.model, which > 0 ? 1 : 0, &parameters[which > 0 ? which - 1 : 0],
	                                       &value, &model, NULL),
	             ABUT_OK);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	for (int step = 0; step < STEPS; step++) {
		push(model, state, step, which == 0 ? h : 0.0);
		cr_assert_eq(abut_step(model, state, workspace, &world.info), ABUT_OK);
	}
	state_of(model, state, out);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	world_end(&world);
}

Test(rollout, forward_is_the_difference_of_rollouts)
{
	enum { N = 2 };
	World world;
	make_scene(&world);
	AbutRollout *rollout = make_rollout(world.model, 0.0, 4);
	record(&world, rollout);
	for (int which = 0; which <= PARAMETERS; which++) {
		const double h = 1e-5;
		AbutBodyState base[N], plus[N], minus[N];
		double start[ROWS * N] = {0.0}, inputs[STEPS * INPUT * N] = {0.0}, change[PARAMETERS] = {0.0};
		double got[ROWS * N], up[ROWS * N], down[ROWS * N], size = 0.0;
		for (int step = 0; which == 0 && step < STEPS; step++) {
			inputs[step * INPUT * N] = 1.0;
		}
		if (which > 0) {
			change[which - 1] = 1.0;
		}
		cr_assert_eq(abut_rollout_forward(rollout, world.workspace, start, inputs, change, got, NULL), ABUT_OK);
		run_changed(which, 0.0, base);
		run_changed(which, h, plus);
		run_changed(which, -h, minus);
		difference_of(N, base, plus, up);
		difference_of(N, base, minus, down);
		for (int r = 0; r < ROWS * N; r++) {
			size = fmax(size, fabs(got[r]));
		}
		cr_expect_gt(size, 1e-3, "number %d does nothing", which);
		for (int r = 0; r < ROWS * N; r++) {
			const double expected = (up[r] - down[r]) / (2.0 * h);
			cr_expect_leq(fabs(got[r] - expected), 1e-5 * size, "number %d, row %d: %g, not %g of %g",
			              which, r, got[r], expected, size);
		}
	}
	abut_rollout_destroy(rollout);
	world_end(&world);
}

/* Computes the end of a run of a spinning body with one parameter changed by h, and a fixed start of its frame. */
static void spin_changed(const World *world, const AbutParameter *parameter, double h, AbutBodyState *out)
{
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutStepInfo info = {.log = {.entries = NULL}};
	double value;
	cr_assert_eq(abut_parameter_get(world->model, parameter, &value, NULL), ABUT_OK);
	value += h;
	cr_assert_eq(abut_model_create_changed(world->model, 1, parameter, &value, &model, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	for (int step = 0; step < STEPS; step++) {
		cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
	}
	state_of(model, state, out);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
}

/* A body without symmetry spins above a floor and meets it. Differentiates by timestep, centre of mass, inertia and the
 * others. */
Test(rollout, by_all_parameters_of_a_spinning_body)
{
	for (int segment = 0; segment < 2; segment++) {
		World world;
		AbutParameter parameters[16];
		int n = 0;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_box(0.3, 0.2, 0.12), 1.0, 0.0, 0.0, 0.95);
		body->angular_velocity[0] = 3.0;
		body->angular_velocity[1] = -2.0;
		body->linear_velocity[2] = -1.0;
		world_make(&world);
		for (int kind = 0; kind < ABUT_PARAMETER_FACE; kind++) {
			n += abut_parameter_list(world.model, (AbutParameterKind)kind, 16 - n, &parameters[n]);
			n = n < 16 ? n : 16;
		}
		const AbutRolloutOptions options = {
		    .capacity = STEPS, .segment = 7 * segment, .n_parameters = n, .parameters = parameters};
		AbutRollout *rollout;
		cr_assert_eq(abut_rollout_create(world.model, &options, &rollout, NULL), ABUT_OK);
		for (int step = 0; step < STEPS; step++) {
			cr_assert_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_OK);
		}
		for (int k = 0; k < n; k++) {
			double start[ROWS] = {0.0}, change[16] = {0.0}, got[ROWS], up[ROWS], down[ROWS], size = 1e-2;
			AbutBodyState base, plus, minus;
			change[k] = 1.0;
			cr_assert_eq(abut_rollout_forward(rollout, world.workspace, start, NULL, change, got, NULL),
			             ABUT_OK);
			const double h = 1e-6;
			spin_changed(&world, &parameters[k], 0.0, &base);
			spin_changed(&world, &parameters[k], h, &plus);
			spin_changed(&world, &parameters[k], -h, &minus);
			difference_of(1, &base, &plus, up);
			difference_of(1, &base, &minus, down);
			for (int r = 0; r < ROWS; r++) {
				size = fmax(size, fabs(got[r]));
			}
			for (int r = 0; r < ROWS; r++) {
				const double expected = (up[r] - down[r]) / (2.0 * h);
				cr_expect_leq(fabs(got[r] - expected), 1e-5 * size, "%s[%d], row %d: %g, not %g of %g",
				              abut_parameter_kind_name(parameters[k].kind), parameters[k].index, r,
				              got[r], expected, size);
			}
		}
		abut_rollout_destroy(rollout);
		world_end(&world);
	}
}

Test(rollout, refuses_what_it_cannot)
{
	World world;
	AbutRollout *rollout;
	AbutError error = {0};
	double by[(STEPS + 1) * ROWS * 2] = {0.0};
	make_scene(&world);
	AbutRolloutOptions options = {.capacity = 0};
	cr_expect_eq(abut_rollout_create(world.model, &options, &rollout, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "capacity");
	cr_expect_null(rollout);
	options = (AbutRolloutOptions){.capacity = 4, .segment = 5};
	cr_expect_eq(abut_rollout_create(world.model, &options, &rollout, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "segment");
	options = (AbutRolloutOptions){.capacity = 4, .kappa = -1.0};
	cr_expect_eq(abut_rollout_create(world.model, &options, &rollout, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "kappa");
	options = (AbutRolloutOptions){.capacity = 4, .n_parameters = -100};
	cr_expect_eq(abut_rollout_create(world.model, &options, &rollout, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "n_parameters");
	options = (AbutRolloutOptions){.capacity = 1};
	cr_assert_eq(abut_rollout_create(world.model, &options, &rollout, &error), ABUT_OK);
	cr_expect_eq(abut_rollout_backward(rollout, world.workspace, by, by, NULL, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.message, "the rollout has no steps");
	cr_expect_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_OK);
	cr_expect_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_ERROR_ARGUMENT);
	abut_rollout_begin(rollout);
	cr_expect_eq(abut_rollout_count(rollout), 0);
	abut_rollout_destroy(rollout);
	world_end(&world);
}

/* The error names the step that has no derivative; results of later steps stay. A NaN is reported before any step is
 * asked. */
Test(rollout, names_the_step_without_a_derivative)
{
	enum { RELAXED = 3, N = 2 };
	World world;
	AbutRollout *rollout;
	AbutError error = {0};
	double by[(STEPS + 1) * ROWS * N] = {0.0}, inputs[STEPS * INPUT * N] = {0.0}, out[ROWS * N];
	const AbutRolloutOptions options = {.capacity = STEPS};
	make_scene(&world);
	cr_assert_eq(abut_rollout_create(world.model, &options, &rollout, NULL), ABUT_OK);
	record(&world, rollout);
	by[5] = NAN;
	cr_expect_eq(abut_rollout_backward(rollout, world.workspace, by, NULL, NULL, NULL, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "by_states[5]");
	cr_expect_eq(abut_rollout_forward(rollout, world.workspace, by, NULL, NULL, out, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "start[5]");
	by[5] = 1.0;
	inputs[INPUT * N] = INFINITY;
	cr_expect_eq(abut_rollout_forward(rollout, world.workspace, by, inputs, NULL, out, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "inputs[12]");
	abut_rollout_begin(rollout);
	for (int step = 0; step < STEPS; step++) {
		world.model->options.finish = step == RELAXED ? ABUT_FINISH_NONE : ABUT_FINISH_EXACT;
		cr_assert_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_OK);
		cr_assert_eq(world.info.exact, step != RELAXED, "step %d", step);
	}
	/* a cost of the start alone does not ask for it */
	cr_expect_eq(abut_rollout_backward(rollout, world.workspace, by, NULL, NULL, NULL, &error), ABUT_OK, "%s",
	             error.message);
	for (int i = 0; i < ROWS * N; i++) {
		by[STEPS * ROWS * N + i] = 1.0;
	}
	cr_expect_eq(abut_rollout_backward(rollout, world.workspace, by, NULL, NULL, NULL, &error),
	             ABUT_ERROR_UNSUPPORTED);
	cr_expect_eq(strncmp(error.message, "step 3: ", 8), 0, "%s", error.message);
	cr_expect_eq(abut_rollout_forward(rollout, world.workspace, by, NULL, NULL, out, &error),
	             ABUT_ERROR_UNSUPPORTED);
	cr_expect_eq(strncmp(error.message, "step 3: ", 8), 0, "%s", error.message);
	abut_rollout_destroy(rollout);
	world_end(&world);
}

/* A torque is too large for any step. The failed step changes neither the state nor the record. */
Test(rollout, does_not_record_a_step_that_failed)
{
	for (int segment = 0; segment <= 2; segment += 2) {
		World world;
		AbutRollout *rollout;
		const double none[3] = {0.0, 0.0, 0.0}, huge[3] = {0.0, 0.0, 1e7};
		double by[3 * ROWS] = {0.0}, out[ROWS];
		const AbutRolloutOptions options = {.capacity = STEPS, .segment = segment};
		world_begin(&world);
		world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0);
		world_make(&world);
		cr_assert_eq(abut_rollout_create(world.model, &options, &rollout, NULL), ABUT_OK);
		for (int step = 0; step < 3; step++) {
			const AbutBodyState before = world_body(&world, 0);
			cr_assert_eq(abut_state_set_input(world.model, world.state, 0, none, step == 1 ? huge : none),
			             ABUT_OK);
			cr_assert_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_OK);
			const AbutBodyState after = world_body(&world, 0);
			cr_expect_eq(world.info.outcome == ABUT_OUTCOME_FAILED, step == 1, "step %d", step);
			cr_expect_eq(memcmp(&before, &after, sizeof before) == 0, step == 1, "step %d", step);
		}
		cr_expect_eq(abut_rollout_count(rollout), 2);
		by[2 * ROWS + ABUT_GRADIENT_POSITION] = 1.0;
		cr_assert_eq(abut_rollout_backward(rollout, world.workspace, by, out, NULL, NULL, NULL), ABUT_OK);
		cr_expect_float_eq(out[ABUT_GRADIENT_LINEAR], 0.02, 1e-15, "%g", out[ABUT_GRADIENT_LINEAR]);
		abut_rollout_destroy(rollout);
		world_end(&world);
	}
}

/* Begins a box above a floor, its centre at the height z (m). */
static void begin_box(World *world, double z)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	world_add(world, make_box(0.3, 0.2, 0.12), 1.0, 0.0, 0.0, z);
	world_make(world);
}

/* A capacity without steps takes no memory: all of INT_MAX steps would take terabytes. */
Test(rollout, a_large_capacity_costs_nothing)
{
	World world;
	begin_box(&world, 0.5);
	for (int segment = 0; segment < 2; segment++) {
		const AbutRolloutOptions options = {.capacity = INT_MAX, .segment = segment * (INT_MAX / 2)};
		AbutRollout *rollout;
		watch_begin(0);
		cr_assert_eq(abut_rollout_create(world.model, &options, &rollout, NULL), ABUT_OK);
		watch_end();
		cr_expect_lt(watch.calls, 60, "%ld", watch.calls);
		for (int step = 0; step < 3; step++) {
			cr_assert_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_OK);
		}
		cr_expect_eq(abut_rollout_count(rollout), 3);
		abut_rollout_destroy(rollout);
	}
	world_end(&world);
}

/* If memory runs out in a recorded step, the state and the record stay as they were. */
Test(rollout, a_step_without_memory_changes_nothing)
{
	World world;
	begin_box(&world, 0.2);
	for (int segment = 0; segment < 2; segment++) {
		const AbutRolloutOptions options = {.capacity = 9, .segment = 2 * segment};
		AbutRollout *rollout;
		cr_assert_eq(abut_rollout_create(world.model, &options, &rollout, NULL), ABUT_OK);
		cr_assert_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_OK);
		cr_assert_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_OK);
		const double time = abut_state_time(world.state);
		AbutStatus status = ABUT_ERROR_MEMORY;
		long failures = 0;
		for (long i = 1; status != ABUT_OK; i++) {
			watch_begin(i);
			status = abut_rollout_step(rollout, world.state, world.workspace, &world.info);
			watch_end();
			cr_assert(status == ABUT_OK || status == ABUT_ERROR_MEMORY, "allocation %ld: %d", i, status);
			cr_expect_eq(abut_rollout_count(rollout), status == ABUT_OK ? 3 : 2);
			cr_expect(status == ABUT_OK || abut_state_time(world.state) == time);
			failures += status != ABUT_OK;
		}
		cr_expect_gt(failures, 1);
		abut_rollout_destroy(rollout);
	}
	world_end(&world);
}

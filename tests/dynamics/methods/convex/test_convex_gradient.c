/* Compares the derivative of a step of method convex with differences of steps. */
#include <criterion/criterion.h>
#include <math.h>

#include "abut/rollout.h"
#include "dynamics/step/workspace.h"
#include "dynamics/step_differences.h"
#include "effort.h"

typedef enum Scene { DROPPED, PILED, PLANAR, ROLLING, SCENES } Scene;
static const char *const names[] = {"dropped", "piled", "planar", "rolling"};

static void shake(AbutRng *rng, double speed, AbutBodyDef *body)
{
	for (int k = 0; k < 3; k++) {
		body->linear_velocity[k] = speed * abut_rng_normal(rng);
		body->angular_velocity[k] = 2.0 * speed * abut_rng_normal(rng);
		body->force[k] = abut_rng_normal(rng);
		body->torque[k] = 0.1 * abut_rng_normal(rng);
	}
}

static void keep_in_plane(AbutBodyDef *body)
{
	body->planar_xz = true;
	body->linear_velocity[1] = body->force[1] = 0.0;
	body->angular_velocity[0] = body->angular_velocity[2] = 0.0;
}

/* Begins a world with boxes and balls on a slope. All parameters of the soft model are random. */
static void make_scene(World *world, Scene scene, unsigned seed)
{
	AbutRng rng = abut_rng_stream(seed, 11 + (unsigned)scene);
	AbutSolverOptions *solver = &world->def.solver;
	world_begin(world);
	world->def.timestep = 0.005;
	world->def.friction = seed % 5 == 0 ? 0.0 : abut_rng_uniform(&rng, 0.2, 1.0);
	solver->method = ABUT_METHOD_CONVEX;
	solver->friction_cone = (AbutFrictionCone)(seed % 2);
	solver->impratio = abut_rng_uniform(&rng, 0.5, 3.0);
	solver->solimp[0] = abut_rng_uniform(&rng, 0.3, 0.9);
	solver->solimp[2] = abut_rng_uniform(&rng, 0.003, 0.02);
	solver->margin = seed % 4 == 1 ? 0.01 : 0.0;
	if (seed % 3 == 0) {
		solver->solref[0] = -abut_rng_uniform(&rng, 100.0, 2000.0);
		solver->solref[1] = -abut_rng_uniform(&rng, 5.0, 50.0);
	}
	world_add_floor(world, scene == PLANAR ? 0.1 : 0.05, scene == PLANAR ? 0.0 : 0.1, 1.0);
	const int n = scene == PILED ? 3 : scene == ROLLING ? 2 : 1;
	for (int i = 0; i < n; i++) {
		AbutShape *shape = scene == ROLLING || i % 2 ? make_sphere(0.3) : make_box(0.3, 0.25, 0.2);
		AbutBodyDef *body =
		    world_add(world, shape, abut_rng_uniform(&rng, 0.5, 3.0), 0.1 * i, 0.0, 0.5 + 0.55 * i);
		shake(&rng, 0.5, body);
		if (scene == PLANAR) {
			turn_about(0.0, 1.0, 0.0, abut_rng_uniform(&rng, 0.0, 3.0), body->orientation);
			keep_in_plane(body);
		} else {
			abut_rng_rotation(&rng, body->orientation);
		}
		body->linear_velocity[2] = -1.0 - i;
	}
	if (seed % 4 == 2) {
		AbutPairDef *pair = world_add_pair(world, 0, 1);
		pair->has_solref = true;
		pair->solref[0] = 0.05;
		pair->solref[1] = 0.7;
		world->def.all_pairs = true;
	}
	world_make(world);
}

static int touching(const World *world)
{
	int n = 0;
	for (int c = 0; c < abut_contact_count(world->workspace); c++) {
		n += world_contact(world, c).normal_impulse > 0.0;
	}
	return n;
}

/* Across a border of two zones, the error of differences is proportional to their length. */
Test(convex_gradient, is_that_of_differences)
{
	enum { STEPS = 150, EVERY = 15, SEEDS = TEST_EFFORT_FROM(3, 12) };
	static const double bound = 1e-6, h[] = {1e-4, 1e-5, 1e-6, 1e-7};
	int pressed = 0, borders = 0, all = 0;
	double worst = 0.0;
	for (int scene = 0; scene < SCENES; scene++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			World world;
			AbutGradient *gradient = NULL;
			make_scene(&world, (Scene)scene, seed);
			cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
			for (int step = 0; step < STEPS; step++) {
				if (step % EVERY != EVERY - 1) {
					world_step(&world);
					continue;
				}
				const StepCheck check = check_of_step(&world, gradient, 4, h, bound);
				cr_expect(check.error < bound || (check.falls && isfinite(check.error)),
				          "%s, seed %u, step %d: %g", names[scene], seed, step, check.error);
				all++;
				pressed += touching(&world);
				borders += !(check.error < bound);
				worst = check.error < bound ? fmax(worst, check.error) : worst;
			}
			abut_gradient_destroy(gradient);
			world_end(&world);
		}
	}
	cr_expect_gt(pressed, all / 2);
	cr_expect_leq(100 * borders, all, "%d of %d", borders, all);
	cr_log_info("%d steps, %d contacts, %d at a border, the worst error of others %.1e", all, pressed, borders,
	            worst);
}

/* --- parameters --- */

/* Takes a step of the model with the parameter changed, from the poses and velocities of `before`. */
static void step_of_changed(const AbutModel *model, const AbutState *before, const AbutParameter *p, double by,
                            AbutBodyState *next)
{
	AbutModel *changed = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutStepInfo info;
	double value;
	cr_assert_eq(abut_parameter_get(model, p, &value, NULL), ABUT_OK);
	value += by;
	cr_assert_eq(abut_model_create_changed(model, 1, p, &value, &changed, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(changed, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(changed, &workspace, NULL), ABUT_OK);
	for (int i = 0; i < model->n_moving; i++) {
		const int body = model->moving_body[i];
		AbutBodyState at;
		cr_assert_eq(abut_state_get_body(model, before, body, &at), ABUT_OK);
		cr_assert_eq(abut_state_set_body(changed, state, body, &at), ABUT_OK);
		cr_assert_eq(
		    abut_state_set_input(changed, state, body, &before->force[3 * body], &before->torque[3 * body]),
		    ABUT_OK);
	}
	cr_assert_eq(abut_step(changed, state, workspace, &info), ABUT_OK);
	state_of(changed, state, next);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(changed);
}

/* Returns the error of one column, relative to its largest entry, and at least to the effect of gravity in a step. */
static double error_of_column(const World *world, const AbutGradient *gradient, const AbutState *before,
                              const AbutParameter *p, double h, const double *columns, int width, int column)
{
	static const double steps[2] = {1.0, -1.0};
	const int n = world->model->n_moving;
	AbutBodyState base[GRADIENT_BODIES], next[GRADIENT_BODIES];
	double d[2][GRADIENT_ROWS * GRADIENT_BODIES] = {{0.0}}, size = 9.81 * world->model->timestep_si, error = 0.0;
	next_of(world->model, gradient, base);
	for (int i = 0; i < 2; i++) {
		step_of_changed(world->model, before, p, steps[i] * h, next);
		difference_of(n, base, next, d[i]);
	}
	for (int r = 0; r < GRADIENT_ROWS * n; r++) {
		const double found = columns[r * width + column];
		size = fmax(size, fabs(found));
		error = fmax(error, fabs((d[0][r] - d[1][r]) / (2.0 * h) - found));
	}
	return error / size;
}

Test(convex_gradient, by_parameters_is_that_of_differences)
{
	enum { MOST = 40 };
	static const AbutParameterKind kinds[] = {ABUT_PARAMETER_GRAVITY, ABUT_PARAMETER_MASS, ABUT_PARAMETER_INERTIA,
	                                          ABUT_PARAMETER_FRICTION};
	double worst = 0.0;
	int compared = 0;
	for (int scene = 0; scene < SCENES; scene++) {
		for (unsigned seed = 0; seed < 4; seed++) {
			World world;
			AbutGradient *gradient = NULL;
			AbutState *before = NULL;
			AbutParameter parameters[MOST];
			double columns[GRADIENT_ROWS * GRADIENT_BODIES * MOST];
			int n = 0;
			make_scene(&world, (Scene)scene, seed);
			for (int k = 0; k < 4; k++) {
				n += abut_parameter_list(world.model, kinds[k], MOST - n, &parameters[n]);
			}
			cr_assert_leq(n, MOST);
			cr_assert_eq(abut_state_create(world.model, &before, NULL), ABUT_OK);
			cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
			cr_assert_eq(abut_gradient_select(gradient, n, parameters, NULL), ABUT_OK);
			for (int step = 0; step < 200 && touching(&world) == 0; step++) {
				cr_assert_eq(abut_state_copy(world.model, world.state, before), ABUT_OK);
				cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace,
				                                     gradient, &world.info),
				             ABUT_OK);
			}
			cr_assert_eq(abut_gradient_parameters(gradient, columns, NULL), ABUT_OK);
			for (int i = 0; i < n; i++) {
				const bool off = parameters[i].kind == ABUT_PARAMETER_FRICTION && seed % 5 == 0;
				const double h = parameters[i].kind == ABUT_PARAMETER_INERTIA ? 1e-6 : 1e-5;
				if (off) { /* from below alone */
					continue;
				}
				const double error =
				    error_of_column(&world, gradient, before, &parameters[i], h, columns, n, i);
				char text[200];
				abut_parameter_describe(world.model, &parameters[i], text, sizeof text);
				cr_expect_lt(error, 1e-6, "%s, seed %u, %s: %g", names[scene], seed, text, error);
				worst = fmax(worst, error);
				compared++;
			}
			abut_gradient_destroy(gradient);
			abut_state_destroy(before);
			world_end(&world);
		}
	}
	cr_log_info("%d columns, the worst error %.1e", compared, worst);
}

/* Compares products forward and backward with the matrix. */
Test(convex_gradient, products_are_those_of_the_matrix)
{
	for (int scene = 0; scene < SCENES; scene++) {
		static GradientMatrix J;
		AbutRng rng = {(uint64_t)scene};
		World world;
		AbutGradient *gradient = NULL;
		make_scene(&world, (Scene)scene, 1);
		cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
		for (int step = 0; step < 200 && touching(&world) == 0; step++) {
			cr_assert_eq(
			    abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
			    ABUT_OK);
		}
		cr_assert_gt(touching(&world), 0, "%s", names[scene]);
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
		const int n = world.model->n_moving, rows = GRADIENT_ROWS * n, width = GRADIENT_COLUMNS * n;
		double change[GRADIENT_COLUMNS * GRADIENT_BODIES] = {0.0},
		                                 by_next[GRADIENT_ROWS * GRADIENT_BODIES] = {0.0};
		double forward[GRADIENT_ROWS * GRADIENT_BODIES], backward[GRADIENT_COLUMNS * GRADIENT_BODIES];
		for (int c = 0; c < width; c++) {
			change[c] = abut_rng_normal(&rng);
			by_next[c % rows] = abut_rng_normal(&rng);
		}
		cr_assert_eq(abut_gradient_forward(gradient, change, NULL, forward, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_backward(gradient, by_next, backward, NULL, NULL), ABUT_OK);
		for (int r = 0; r < rows; r++) {
			double sum = 0.0, size = 0.0;
			for (int c = 0; c < width; c++) {
				sum += J[r * width + c] * change[c];
				size += fabs(J[r * width + c] * change[c]);
			}
			cr_expect_float_eq(forward[r], sum, 1e-10 * size, "%s, row %d", names[scene], r);
		}
		for (int c = 0; c < width; c++) {
			double sum = 0.0, size = 0.0;
			for (int r = 0; r < rows; r++) {
				sum += J[r * width + c] * by_next[r];
				size += fabs(J[r * width + c] * by_next[r]);
			}
			cr_expect_float_eq(backward[c], sum, 1e-10 * size, "%s, column %d: %g, not %g", names[scene], c,
			                   backward[c], sum);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

/* Computes the position of a ball after 40 steps on a slope as a function of its push in the first step: by recorded
 * steps and by two runs. */
static double place_after(const AbutModel *model, AbutWorkspace *workspace, double more, AbutRollout *rollout)
{
	const double torque[3] = {0.0, 0.0, 0.0};
	AbutState *state;
	AbutStepInfo info;
	AbutBodyState at;
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	for (int step = 0; step < 40; step++) {
		const double force[3] = {step == 0 ? 3.0 + more : 0.0, 0.0, 0.0};
		cr_assert_eq(abut_state_set_input(model, state, 1, force, torque), ABUT_OK);
		cr_assert_eq(rollout ? abut_rollout_step(rollout, state, workspace, &info)
		                     : abut_step(model, state, workspace, &info),
		             ABUT_OK);
	}
	cr_assert_eq(abut_state_get_body(model, state, 1, &at), ABUT_OK);
	abut_state_destroy(state);
	return at.position[0];
}

Test(convex_gradient, of_a_rollout)
{
	enum { STEPS = 40 };
	static const double h = 1e-4;
	double by_states[(STEPS + 1) * ABUT_GRADIENT_ROWS] = {0.0}, by_inputs[STEPS * ABUT_ROLLOUT_INPUT];
	by_states[STEPS * ABUT_GRADIENT_ROWS + ABUT_GRADIENT_POSITION] = 1.0;
	for (int segment = 0; segment <= 7; segment += 7) {
		World world;
		AbutRollout *rollout = NULL;
		const AbutRolloutOptions options = {.capacity = STEPS, .segment = segment};
		world_begin(&world);
		world.def.solver.method = ABUT_METHOD_CONVEX;
		world_add_floor(&world, 0.1, 0.05, 1.0);
		world_add(&world, make_sphere(0.3), 1.0, 0.0, 0.0, 0.302);
		world_make(&world);
		cr_assert_eq(abut_rollout_create(world.model, &options, &rollout, NULL), ABUT_OK);
		place_after(world.model, world.workspace, 0.0, rollout);
		cr_assert_eq(abut_rollout_backward(rollout, world.workspace, by_states, NULL, by_inputs, NULL, NULL),
		             ABUT_OK);
		const double difference = (place_after(world.model, world.workspace, h, NULL) -
		                           place_after(world.model, world.workspace, -h, NULL)) /
		                          (2.0 * h);
		cr_expect_float_eq(by_inputs[0], difference, 1e-6 * fabs(difference), "segment %d: %.9g, not %.9g",
		                   segment, by_inputs[0], difference);
		abut_rollout_destroy(rollout);
		world_end(&world);
	}
}

Test(convex_gradient, refusals)
{
	World world;
	AbutGradient *gradient = NULL;
	AbutParameter size;
	AbutError error = {.status = ABUT_OK};
	make_scene(&world, DROPPED, 1);
	cr_expect_eq(abut_gradient_create(world.model, 1e-3, &gradient, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "0.001") && strstr(error.message, "convex"), "%s", error.message);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_gt(abut_parameter_list(world.model, ABUT_PARAMETER_SIZE, 1, &size), 0);
	cr_expect_eq(abut_gradient_select(gradient, 1, &size, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect(strstr(error.message, "size") &&
	              strstr(error.message, "gravity, mass, inertia, friction and those of joints"),
	          "%s", error.message);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* This method has no path that a message could advise. Messages about a step without a derivative name this method. */
Test(convex_gradient, advises_no_path)
{
	static const AbutStatus statuses[] = {ABUT_ERROR_UNSUPPORTED, ABUT_ERROR_NUMERICAL};
	World world;
	AbutGradient *gradient = NULL;
	static GradientMatrix J;
	make_scene(&world, DROPPED, 1);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	for (int i = 0; i < 2; i++) {
		AbutError error = {.status = ABUT_OK};
		gradient->islands[0].status = statuses[i];
		cr_expect_eq(abut_gradient_matrix(gradient, J, &error), statuses[i]);
		cr_expect(error.message[0] != '\0' && !strstr(error.message, "path") && !strstr(error.message, "kappa"),
		          "%s", error.message);
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
}

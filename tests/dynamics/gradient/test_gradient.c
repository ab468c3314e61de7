/* Compares the derivative of a step with differences of steps, at the exact solution and on the path. The scenes are
 * every primitive and pairs of primitives, in flight, at impacts, sliding, rolling and at rest on their faces. */
#include <stdio.h>

#include "dynamics/step_differences.h"
#include "effort.h"

enum { STEPS = 160, EVERY = 16, SEEDS = TEST_EFFORT(6) };

typedef struct Tally {
	int n, beyond, unsolved;
	double bound, worst;
	char where[64];
} Tally;

static void count(Tally *tally, double error, const char *name, unsigned seed, int step)
{
	tally->n++;
	tally->beyond += !(error <= tally->bound);
	if (!(error <= tally->worst)) {
		tally->worst = error;
		snprintf(tally->where, sizeof tally->where, "%s, seed %u, step %d", name, seed, step);
	}
}

static void check_step(World *world, AbutGradient *gradient, int n_h, const double *h, const char *name, unsigned seed,
                       int step, Tally *tally)
{
	const StepCheck check = check_of_step(world, gradient, n_h, h, tally->bound);
	if (isfinite(check.error)) {
		count(tally, check.error, name, seed, step);
	} else {
		tally->unsolved++;
	}
}

/* Begins a world with one primitive, or one on top of another, dropped with a spin. */
static void make_drop(World *world, int lower, int upper, unsigned seed)
{
	AbutRng rng = {seed};
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < (upper < 0 ? 1 : 2); i++) {
		AbutBodyDef *body =
		    world_add(world, make_primitive(i == 0 ? lower : upper, 0.5), 1.0 + i, 0.1 * i, 0.0, 0.8 + 1.1 * i);
		abut_rng_rotation(&rng, body->orientation);
		for (int k = 0; k < 3; k++) {
			body->linear_velocity[k] = abut_rng_normal(&rng);
			body->angular_velocity[k] = 2.0 * abut_rng_normal(&rng);
			body->force[k] = 0.3 * abut_rng_normal(&rng);
			body->torque[k] = 0.05 * abut_rng_normal(&rng);
		}
	}
	world_make(world);
}

static void check_drops(double kappa, bool pairs, int every, int n_h, const double *h, Tally *tally)
{
	for (int shape = 0; shape < WORLD_SHAPES; shape++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			World world;
			AbutGradient *gradient;
			make_drop(&world, shape, pairs ? (int)((unsigned)shape + seed) % WORLD_SHAPES : -1,
			          100 * (unsigned)shape + seed);
			cr_assert_eq(abut_gradient_create(world.model, kappa, &gradient, NULL), ABUT_OK);
			for (int step = 0; step < STEPS; step++) {
				if (step % every > 0) {
					world_step(&world);
					continue;
				}
				check_step(&world, gradient, n_h, h, primitive_name(shape), seed, step, tally);
			}
			abut_gradient_destroy(gradient);
			world_end(&world);
		}
	}
}

/* If a contact opens, slips or changes faces within the difference, there is no derivative to compare with. This
 * concerns one state in a hundred. */
static void tell(const Tally *tally, const char *what)
{
	cr_log_info("%s: %d states, %d beyond %g, the worst %.1e (%s), %d not to be had", what, tally->n, tally->beyond,
	            tally->bound, tally->worst, tally->where, tally->unsolved);
}

static void expect_nearly_all(const Tally *tally, const char *what)
{
	tell(tally, what);
	cr_expect_leq(100 * tally->beyond, tally->n, "%d of %d beyond %g, the worst %g: %s", tally->beyond, tally->n,
	              tally->bound, tally->worst, tally->where);
	cr_expect_leq(50 * tally->unsolved, tally->n, "%d of %d not to be had", tally->unsolved, tally->n);
}

/* Steps are solved to 1e-11; a difference over 1e-5 turns this into 1e-6. */
Test(gradient, exact_of_primitives)
{
	static const double h[] = {1e-5, 1e-4, 1e-6};
	Tally tally = {.bound = 1e-5};
	check_drops(0.0, false, EVERY, 3, h, &tally);
	expect_nearly_all(&tally, "exact, primitives");
}

Test(gradient, exact_of_pairs)
{
	static const double h[] = {1e-5, 1e-4, 1e-6};
	Tally tally = {.bound = 1e-5};
	check_drops(0.0, true, 2 * EVERY, 3, h, &tally);
	expect_nearly_all(&tally, "exact, pairs");
}

/* The path is smooth everywhere and converged up to rounding, so that all states are compared. */
Test(gradient, on_the_path)
{
	static const double h[] = {3e-6, 3e-5, 3e-7}, kappas[] = {1e-2, 1e-4, 1e-6};
	for (int i = 0; i < 3; i++) {
		for (int pairs = 0; pairs < 2; pairs++) {
			Tally tally = {.bound = 1e-6};
			check_drops(kappas[i], pairs, 4 * EVERY, 3, h, &tally);
			tell(&tally, pairs ? "on the path, pairs" : "on the path, primitives");
			cr_expect_eq(tally.beyond, 0, "kappa %g: %d of %d beyond %g, the worst %g: %s", kappas[i],
			             tally.beyond, tally.n, tally.bound, tally.worst, tally.where);
			cr_expect_eq(tally.unsolved, 0, "kappa %g: %d not to be had", kappas[i], tally.unsolved);
		}
	}
}

/* Bodies that are about to land have friction at the border of a small cone. There the path starts near a corner. */
Test(gradient, on_the_path_in_every_step)
{
	static const double kappas[] = {1e-1, 1e-2, 1e-3, 1e-4};
	static GradientMatrix J;
	for (int i = 0; i < 4 * WORLD_SHAPES * (int)SEEDS; i++) {
		World world;
		AbutGradient *gradient;
		const int shape = i / 4 % WORLD_SHAPES;
		const double kappa = kappas[i % 4];
		make_drop(&world, shape, i % 2 ? i / 3 % WORLD_SHAPES : -1, 1000 + (unsigned)i);
		cr_assert_eq(abut_gradient_create(world.model, kappa, &gradient, NULL), ABUT_OK);
		for (int step = 0; step < STEPS / 2; step++) {
			cr_assert_eq(
			    abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
			    ABUT_OK);
			cr_expect_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK, "%s, seed %d, step %d, kappa %g",
			             primitive_name(shape), 1000 + i, step, kappa);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

/* Returns the largest number of parts in which a step was taken. */
static int check_run(World *world, double kappa, int steps, int every, double bound, const char *name)
{
	int parts = 0;
	static const double h[] = {1e-5, 1e-4, 1e-6};
	AbutGradient *gradient;
	Tally tally = {.bound = bound};
	world_make(world);
	cr_assert_eq(abut_gradient_create(world->model, kappa, &gradient, NULL), ABUT_OK);
	for (int step = 0; step < steps; step++) {
		if (step % every > 0) {
			world_step(world);
			continue;
		}
		check_step(world, gradient, 3, h, name, 0, step, &tally);
		parts = world->info.parts > parts ? world->info.parts : parts;
	}
	cr_expect_eq(tally.beyond, 0, "%s: the worst of %d is %g: %s", name, tally.n, tally.worst, tally.where);
	cr_expect_eq(tally.unsolved, 0, "%s: %d not to be had", name, tally.unsolved);
	abut_gradient_destroy(gradient);
	world_end(world);
	return parts;
}

/* Three boxes lie face on face, and the top one is pushed. The lowest one sticks. */
Test(gradient, of_a_stack)
{
	for (int kind = 0; kind < 2; kind++) {
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int i = 0; i < 3; i++) {
			AbutBodyDef *body = world_add(&world, make_box(0.5 - 0.1 * i, 0.45 - 0.1 * i, 0.2),
			                              2.0 - 0.4 * i, 0.04 * i, -0.03 * i, 0.2 + 0.4 * i);
			body->force[0] = i == 2 ? 6.0 + 2.0 * kind : 0.0;
		}
		check_run(&world, kind == 0 ? 0.0 : 1e-4, 60, 12, kind == 0 ? 5e-5 : 1e-6, "stack");
	}
}

/* A spin this fast makes the solver take the step in parts. */
Test(gradient, of_a_step_in_parts)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *body = world_add(&world, make_box(0.5, 0.3, 0.2), 1.0, 0.0, 0.0, 0.9);
	body->angular_velocity[0] = 60.0;
	body->angular_velocity[1] = 3.0;
	body->linear_velocity[2] = -2.0;
	world.def.timestep = 0.05;
	cr_expect_gt(check_run(&world, 0.0, 8, 1, 1e-6, "spin"), 1);
}

/* A box spins on its face and slides. The sticking directions are coupled to the contact point, which is free along the
 * face, so that rounding once grew until a derivative was wrong. Without torsional friction a cone sticks; of a
 * pyramid, edges stick. The bound is the accuracy of differences of such stiff steps. */
Test(gradient, of_a_spinning_face)
{
	for (int kind = 0; kind < 4; kind++) {
		World world;
		const bool pyramid = kind % 2 == 1, torsion = kind / 2 == 1;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_box(0.5, 0.4, 0.3), 1.0, 0.0, 0.0, 0.3);
		body->linear_velocity[0] = 0.8;
		body->linear_velocity[1] = 0.3;
		body->angular_velocity[2] = 2.0;
		world_add_pair(&world, 0, 1)->torsional_radius = torsion ? -1.0 : 0.0;
		world.def.solver.friction_cone = pyramid ? ABUT_FRICTION_CONE_PYRAMID : ABUT_FRICTION_CONE_SOC;
		check_run(&world, 0.0, 30, 3, 2e-3, pyramid ? "spun, pyramid" : "spun");
	}
}

/* A box spins on another one that is ten thousand times as heavy. */
Test(gradient, of_unlike_masses)
{
	World world;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 2; i++) {
		AbutShape *shape = i == 0 ? make_box(0.5, 0.4, 0.3) : make_cube(0.6);
		AbutBodyDef *body = world_add(&world, shape, i == 0 ? 1e4 : 1.0, 0.02 * i, 0.01 * i, 0.3 + 0.6 * i);
		body->linear_velocity[i] = 0.2 + 0.1 * i;
		body->angular_velocity[2] = 0.5 - 2.0 * i;
		world_add_pair(&world, i, i + 1)->torsional_radius = 0.0;
	}
	check_run(&world, 0.0, 30, 5, 2e-3, "unlike masses");
}

Test(gradient, of_a_planar_body)
{
	for (int kind = 0; kind < 2; kind++) {
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_box(0.5, 0.3, 0.2), 1.0, 0.0, 0.0, 0.9);
		body->planar_xz = true;
		body->linear_velocity[0] = 2.0;
		body->angular_velocity[1] = 3.0;
		body->force[0] = 1.0;
		check_run(&world, kind == 0 ? 0.0 : 1e-4, 120, 10, kind == 0 ? 1e-5 : 1e-6, "planar box");
	}
}

/* A body is pressed between a wall and a pushed ball, which turns it a little. Quasi-static steps forget the velocity
 * before. */
Test(gradient, of_quasi_static_motion)
{
	for (int kind = 0; kind < 2; kind++) {
		World world;
		world_begin(&world);
		world_add(&world, make_box(0.5, 1.0, 1.0), 0.0, 1.0, 0.0, 0.0);
		AbutBodyDef *box = world_add(&world, make_box(0.2, 0.2, 0.2), 1.0, 0.3, 0.0, 0.0);
		AbutBodyDef *ball = world_add(&world, make_sphere(0.1), 0.5, 0.0, 0.02, 0.03);
		box->linear_velocity[1] = 1.0;
		ball->angular_velocity[0] = 2.0;
		ball->force[0] = 40.0;
		world.def.quasi_static = true;
		check_run(&world, kind == 0 ? 0.0 : 1e-4, 30, 5, kind == 0 ? 1e-5 : 1e-6, "quasi-static");
	}
}

/* A body parallel to the floor is 2.5 cm above it after the step, so that contact must not turn it: not at all at the
 * exact solution, and as sqrt(kappa) on the path. */
Test(gradient, of_what_does_not_touch_has_no_phantom)
{
	static const double kappas[] = {0.0, 1e-6, 1e-8}, bounds[] = {1e-12, 0.05, 0.005};
	for (int i = 0; i < 3; i++) {
		World world;
		AbutGradient *gradient;
		double J[GRADIENT_ROWS * GRADIENT_COLUMNS];
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.526);
		world_make(&world);
		cr_assert_eq(abut_gradient_create(world.model, kappas[i], &gradient, NULL), ABUT_OK);
		cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
		             ABUT_OK);
		cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
		for (int row = 0; row < 3; row++) {
			for (int column = 0; column < 3; column++) {
				const double entry = J[(ABUT_GRADIENT_ANGULAR + row) * GRADIENT_COLUMNS +
				                       ABUT_GRADIENT_ROTATION + column];
				cr_expect_leq(fabs(entry), bounds[i], "kappa %g: spin %d by turn %d is %g", kappas[i],
				              row, column, entry);
			}
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

/* Differentiating a step does not change it by a bit. */
Test(gradient, leaves_the_step_as_it_is)
{
	static const double kappas[] = {0.0, 1e-3};
	for (int i = 0; i < 2; i++) {
		World plain, world;
		AbutGradient *gradient;
		make_drop(&plain, 0, 5, 3);
		make_drop(&world, 0, 5, 3);
		cr_assert_eq(abut_gradient_create(world.model, kappas[i], &gradient, NULL), ABUT_OK);
		for (int step = 0; step < STEPS; step++) {
			world_step(&plain);
			cr_assert_eq(
			    abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
			    ABUT_OK);
			for (int body = 0; body < world.def.n_bodies; body++) {
				const AbutBodyState a = world_body(&plain, body), b = world_body(&world, body);
				cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "kappa %g, step %d, body %d", kappas[i], step,
				             body);
			}
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
		world_end(&plain);
	}
}

static AbutStatus create_for(AbutPreset preset, AbutMethod method, double kappa)
{
	World world;
	AbutGradient *gradient = NULL;
	AbutError error = {.status = ABUT_OK};
	world_begin(&world);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0);
	world.def.solver = abut_solver_options_preset(preset, method);
	world_make(&world);
	const AbutStatus status = abut_gradient_create(world.model, kappa, &gradient, &error);
	cr_expect_eq(status == ABUT_OK, error.message[0] == '\0', "%s", error.message);
	cr_expect_eq(status == ABUT_OK, gradient != NULL);
	abut_gradient_destroy(gradient);
	world_end(&world);
	return status;
}

Test(gradient, refuses_what_it_cannot)
{
	const AbutMethod method = ABUT_METHOD_SINGLE_LEVEL;
	cr_expect_eq(create_for(ABUT_PRESET_NONE, method, 0.0), ABUT_OK);
	cr_expect_eq(create_for(ABUT_PRESET_NONE, method, 1.0), ABUT_OK);
	cr_expect_eq(create_for(ABUT_PRESET_NONE, method, -1e-9), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(create_for(ABUT_PRESET_NONE, method, 1.5), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(create_for(ABUT_PRESET_NONE, method, (double)NAN), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(create_for(ABUT_PRESET_PAPER, method, 0.0), ABUT_ERROR_UNSUPPORTED);
	cr_expect_eq(create_for(ABUT_PRESET_NONE, ABUT_METHOD_BILEVEL, 0.0), ABUT_ERROR_UNSUPPORTED);
	cr_expect_eq(create_for(ABUT_PRESET_NONE, ABUT_METHOD_LCP, 0.0), ABUT_OK);
	cr_expect_eq(create_for(ABUT_PRESET_NONE, ABUT_METHOD_LCP, 1e-6), ABUT_ERROR_ARGUMENT);
}

/* A sum of many spheres slides. It has more auxiliary variables than there are other unknowns. (There was a fixed array
 * for them.) */
Test(gradient, of_a_sum_of_many)
{
	enum { MANY = 25 };
	for (int kind = 0; kind < 2; kind++) {
		World world;
		AbutShape *parts[MANY], *shape = NULL;
		for (int i = 0; i < MANY; i++) {
			parts[i] = make_sphere(0.5 / MANY);
		}
		cr_assert_eq(abut_shape_create_minkowski_sum(MANY, (const AbutShape *const *)parts, &shape, NULL),
		             ABUT_OK);
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, shape, 1.0, 0.0, 0.0, 0.5);
		body->linear_velocity[0] = 1.0;
		body->angular_velocity[2] = 0.5;
		check_run(&world, kind == 0 ? 0.0 : 1e-4, 20, 5, kind == 0 ? 5e-6 : 1e-6, "sum");
		for (int i = 0; i < MANY; i++) {
			abut_shape_destroy(parts[i]);
		}
	}
}

/* Two gradients take turns on one workspace, whose islands change. Each keeps its own derivative. */
Test(gradient, is_kept_while_the_workspace_goes_on)
{
	World world;
	AbutGradient *gradient;
	static GradientMatrix before, after;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 2; i++) {
		world_add(&world, make_cube(0.4), 1.0, 0.0, 0.0, 0.2 + 0.8 * i);
	}
	world_make(&world);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	cr_assert_eq(world.workspace->partition.n_islands, 2);
	cr_assert_eq(abut_gradient_matrix(gradient, before, NULL), ABUT_OK);
	for (int step = 0; world.workspace->partition.n_islands == 2; step++) {
		cr_assert_lt(step, 300);
		world_step(&world);
	}
	cr_assert_eq(abut_gradient_matrix(gradient, after, NULL), ABUT_OK);
	cr_expect_eq(memcmp(before, after, sizeof(double) * 24 * 36), 0);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* Islands on several threads give the same bits as on one. */
Test(gradient, has_the_same_bits_on_threads)
{
	static GradientMatrix J[2];
	for (int kind = 0; kind < 2; kind++) {
		World world;
		AbutGradient *gradient;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		for (int i = 0; i < 4; i++) {
			AbutBodyDef *body =
			    world_add(&world, make_primitive(i, 0.5), 1.0, 1.2 * (i / 2) + 0.3 * i, 0.0, 0.4);
			body->linear_velocity[0] = 0.3 * i;
		}
		world_make(&world);
		abut_workspace_destroy(world.workspace);
		cr_assert_eq(abut_workspace_create_threaded(world.model, 1 + 2 * kind, &world.workspace, NULL),
		             ABUT_OK);
		cr_assert_eq(abut_gradient_create(world.model, 1e-3, &gradient, NULL), ABUT_OK);
		for (int step = 0; step < 20; step++) {
			cr_assert_eq(
			    abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
			    ABUT_OK);
		}
		cr_assert_eq(abut_gradient_matrix(gradient, J[kind], NULL), ABUT_OK);
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
	cr_expect_eq(memcmp(J[0], J[1], sizeof J[0]), 0);
}

/* A relaxed step has no derivative at the exact solution, but has one on the path. Before a step there is none. */
Test(gradient, of_a_relaxed_step)
{
	for (int i = 0; i < 2; i++) {
		World world;
		AbutGradient *gradient;
		AbutError error = {.status = ABUT_OK};
		double J[GRADIENT_ROWS * GRADIENT_COLUMNS];
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
		world.def.solver.finish = ABUT_FINISH_NONE;
		world_make(&world);
		cr_assert_eq(abut_gradient_create(world.model, i == 0 ? 0.0 : 1e-4, &gradient, NULL), ABUT_OK);
		cr_expect_eq(abut_gradient_matrix(gradient, J, &error), ABUT_ERROR_ARGUMENT);
		cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
		             ABUT_OK);
		const AbutStatus status = abut_gradient_matrix(gradient, J, &error);
		cr_expect_eq(status, i == 0 ? ABUT_ERROR_UNSUPPORTED : ABUT_OK, "%s", error.message);
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

/* Sets each number of a body that enters the matrix to NaN. The call must not return ABUT_OK with a NaN. */
Test(gradient, never_gives_no_number_with_ok)
{
	World world;
	AbutGradient *gradient;
	static GradientMatrix J;
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 1.5);
	world_make(&world);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	AbutGradientBody *body = &abut_gradient_island(gradient, 0)->parts[0]->bodies[1];
	double *const numbers[] = {&body->kept_mass, &body->timestep, &body->spun[4], &body->pushed[8]};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const double kept = *numbers[i];
		*numbers[i] = NAN;
		cr_expect_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_ERROR_NUMERICAL, "number %zu", i);
		*numbers[i] = kept;
	}
	cr_expect_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

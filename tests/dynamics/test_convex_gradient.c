/* The derivative of a step of method convex against differences of steps. */
#include <criterion/criterion.h>
#include <math.h>

#include "step_differences.h"

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

/* Boxes and balls on a slope, with all that the soft model has drawn at random. */
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
	if (seed % 3 == 0) {
		solver->solref[0] = -abut_rng_uniform(&rng, 100.0, 2000.0);
		solver->solref[1] = -abut_rng_uniform(&rng, 5.0, 50.0);
	}
	world_add_floor(world, scene == PLANAR ? 0.1 : 0.05, scene == PLANAR ? 0.0 : 0.1, 1.0);
	const int n = scene == PILED ? 3 : scene == ROLLING ? 2 : 1;
	for (int i = 0; i < n; i++) {
		AbutShape *shape = scene == ROLLING || i % 2 ? make_sphere(0.3) : make_box(0.3, 0.25, 0.2);
		AbutBodyDef *body = world_add(world, shape, abut_rng_uniform(&rng, 0.5, 3.0), 0.1 * i, 0.0,
		                              0.5 + 0.55 * i);
		shake(&rng, 0.5, body);
		if (scene == PLANAR) {
			turn_about(0.0, 1.0, 0.0, abut_rng_uniform(&rng, 0.0, 3.0), body->orientation);
			keep_in_plane(body);
		} else {
			abut_rng_rotation(&rng, body->orientation);
		}
		body->linear_velocity[2] = -1.0 - i;
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

/* The least of the errors with steps of differences, until one is within the bound. The world takes the step. */
static double error_of_step(World *world, AbutGradient *gradient, double bound)
{
	static const double h[] = {1e-4, 1e-5, 1e-6, 1e-7};
	static GradientMatrix J, D;
	AbutState *before;
	AbutBodyState base[GRADIENT_BODIES];
	double least = INFINITY;
	cr_assert_eq(abut_state_create(world->model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(world->model, world->state, before), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK);
	next_of(world->model, gradient, base);
	for (int i = 0; i < 4 && !(least < bound); i++) {
		step_differences(world, gradient, before, base, h[i], D);
		least = fmin(least, block_error(world->model, J, D));
	}
	abut_state_destroy(before);
	return least;
}

Test(convex_gradient, is_that_of_differences)
{
	enum { STEPS = 150, EVERY = 15, SEEDS = 12 };
	static const double bound = 1e-6;
	for (int scene = 0; scene < SCENES; scene++) {
		int pressed = 0, beyond = 0, all = 0;
		double worst = 0.0;
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
				const double error = error_of_step(&world, gradient, bound);
				all++;
				pressed += touching(&world) > 0;
				beyond += !(error < bound);
				worst = fmax(worst, error);
				if (!(error < bound)) cr_log_warn("%s seed %u step %d: %g, %d touch", names[scene], seed, step, error, touching(&world));
			}
			abut_gradient_destroy(gradient);
			world_end(&world);
		}
		cr_log_info("%s: %d steps, %d pressed, %d beyond, worst %.1e", names[scene], all, pressed, beyond, worst);
	}
}

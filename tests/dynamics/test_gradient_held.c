/* Contacts that hold more than there are freedoms have one-sided derivatives at the exact solution, which the call
 * says; on the path there is one; and loops of contacts that hold no more have one at both. */
#include "step_differences.h"

enum { STEPS = 12 };

/* A plank on two supports: boxes hold it by a face each, balls by a point. */
static void make_plank(World *world, bool balls, double mass)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 2; i++) {
		world_add(world, balls ? make_sphere(0.1) : make_cube(0.2), mass, i == 0 ? -0.4 : 0.4, 0.0, 0.1);
	}
	world_add(world, make_box(0.6, 0.1, 0.02), 1.0, 0.0, 0.0, 0.22);
	world_make(world);
}

/* The status of reading the next step's matrix; products are refused alike. */
static AbutStatus take_step(World *world, AbutGradient *gradient, double *J, AbutError *error)
{
	double change[3 * GRADIENT_COLUMNS] = {0.0}, next[3 * GRADIENT_ROWS] = {0.0};
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	cr_expect(world->info.exact);
	const AbutStatus status = abut_gradient_matrix(gradient, J, error);
	cr_expect_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), status);
	cr_expect_eq(abut_gradient_backward(gradient, next, change, NULL, NULL), status);
	return status;
}

Test(gradient_held, more_than_there_are_freedoms_is_refused)
{
	static GradientMatrix J;
	static const double masses[] = {0.3, 1.0, 100.0};
	for (int i = 0; i < 3; i++) {
		World world;
		AbutGradient *gradient;
		make_plank(&world, false, masses[i]);
		cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
		for (int step = 0; step < STEPS; step++) {
			AbutError error = {.status = ABUT_OK};
			cr_expect_eq(take_step(&world, gradient, J, &error), ABUT_ERROR_NUMERICAL, "mass %g, step %d",
			             masses[i], step);
			cr_expect(strstr(error.message, "more than there are freedoms"), "%s", error.message);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

static void expect_derivatives(bool balls, double mass, double kappa, double bound)
{
	static const double h[] = {1e-5, 1e-6, 1e-4};
	World world;
	AbutGradient *gradient;
	make_plank(&world, balls, mass);
	cr_assert_eq(abut_gradient_create(world.model, kappa, &gradient, NULL), ABUT_OK);
	for (int step = 0; step < STEPS; step++) {
		const StepCheck check = check_of_step(&world, gradient, 3, h, bound);
		cr_expect(check.there, "kappa %g, step %d: no derivative", kappa, step);
		cr_expect_leq(check.error, bound, "kappa %g, step %d: off by %g", kappa, step, check.error);
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
}

Test(gradient_held, on_the_path_there_is_a_derivative)
{
	expect_derivatives(false, 1.0, 1e-4, 1e-6);
}

/* As many contacts, which hold points: no more than there are freedoms. */
Test(gradient_held, a_loop_that_holds_no_more_has_a_derivative)
{
	expect_derivatives(true, 1.0, 0.0, 1e-5);
	expect_derivatives(true, 1.0, 1e-4, 1e-6);
}

/* Static supports hold twice what one would, and both can: the plank comes back from wherever it was. */
Test(gradient_held, what_is_held_twice_alike_has_a_derivative)
{
	expect_derivatives(false, 0.0, 0.0, 1e-5);
}

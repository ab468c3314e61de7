/* Tests contacts that hold more directions than the bodies have freedoms. At the exact solution, derivatives by poses
 * are one-sided, which the call reports; those by forces exist. On the path all exist. Loops of contacts that hold no
 * more directions than there are freedoms have a derivative in both cases. */
#include <stdio.h>

#include "dynamics/step_differences.h"

enum { STEPS = 12 };

/* Begins a world with a plank on two supports. Boxes hold it by a face each, balls by a point each. */
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

/* Returns the status of reading the next step's matrix. Products must be refused too, except if they move no pose. */
static AbutStatus take_step(World *world, AbutGradient *gradient, double *J, AbutError *error)
{
	double change[3 * GRADIENT_COLUMNS] = {0.0}, next[3 * GRADIENT_ROWS] = {0.0};
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	cr_expect(world->info.exact);
	const AbutStatus status = abut_gradient_matrix(gradient, J, error);
	for (int i = 0; i < 3; i++) { /* pushes: into what holds them, whatever that is */
		change[GRADIENT_COLUMNS * i + ABUT_GRADIENT_FORCE + 2] = -1.0;
	}
	cr_expect_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), ABUT_OK);
	for (int i = 0; i < 3 * GRADIENT_ROWS; i++) {
		cr_expect_leq(fabs(next[i]), 1e-6, "row %d: %g", i, next[i]);
	}
	change[0] = 1.0;
	cr_expect_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), status);
	memset(next, 0, sizeof next);
	next[0] = 1.0;
	cr_expect_eq(abut_gradient_backward(gradient, next, change, NULL, NULL), status);
	return status;
}

/* Returns whether the message names two bodies of the loop: the floor and a box, or a box and the plank. */
static bool names_a_pair(const World *world, const char *message)
{
	int named = 0;
	for (int i = 0; i < world->def.n_bodies; i++) {
		char name[40];
		snprintf(name, sizeof name, "'%s'", world->names[i]);
		named += strstr(message, name) != NULL;
	}
	return named == 2;
}

/* Poses have no columns. Velocities and forces have columns of zeros: all contacts stick and are pressed together. */
static void expect_pushes(const World *world, const double *J)
{
	const int rows = GRADIENT_ROWS * world->model->n_moving, width = GRADIENT_COLUMNS * world->model->n_moving;
	for (int row = 0; row < rows; row++) {
		for (int c = 0; c < width; c++) {
			const double entry = J[(size_t)row * (size_t)width + (size_t)c];
			if (c % GRADIENT_COLUMNS < ABUT_GRADIENT_LINEAR) {
				cr_expect(isnan(entry), "row %d, column %d: %g", row, c, entry);
			} else {
				cr_expect_leq(fabs(entry), 1e-5, "row %d, column %d: %g", row, c, entry);
			}
		}
	}
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
			cr_expect(strstr(error.message, "more conditions than there are degrees of freedom"), "%s",
			          error.message);
			cr_expect(names_a_pair(&world, error.message), "%s", error.message);
			expect_pushes(&world, J);
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

/* There are as many contacts, but they hold points, which is no more than there are freedoms. */
Test(gradient_held, a_loop_that_holds_no_more_has_a_derivative)
{
	expect_derivatives(true, 1.0, 0.0, 1e-5);
	expect_derivatives(true, 1.0, 1e-4, 1e-6);
}

/* Two static supports hold the same directions twice, and both can: the plank returns from any change. */
Test(gradient_held, what_is_held_twice_alike_has_a_derivative)
{
	expect_derivatives(false, 0.0, 0.0, 1e-5);
}

/* The supports are static. Both hold the plank wherever it moves, but neither does if one support grows. */
Test(gradient_held, each_parameter_has_its_own)
{
	World world;
	AbutGradient *gradient;
	AbutError error = {.status = ABUT_OK};
	AbutParameter chosen[2], list[64];
	double columns[GRADIENT_ROWS * 2];
	make_plank(&world, false, 0.0);
	const int n = abut_parameter_list(world.model, ABUT_PARAMETER_SIZE, 64, list);
	for (int i = 0; i < n && i < 64; i++) { /* the height of the first support */
		if (list[i].body == 1 && list[i].index == 2) {
			chosen[0] = list[i];
		}
	}
	cr_assert(abut_parameter_list(world.model, ABUT_PARAMETER_MASS, 1, &chosen[1]) == 1);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_gradient_select(gradient, 2, chosen, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	cr_expect_eq(abut_gradient_parameters(gradient, columns, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "by size["), "%s", error.message);
	for (int row = 0; row < GRADIENT_ROWS; row++) {
		cr_expect(isnan(columns[2 * row]), "row %d: %g", row, columns[2 * row]);
		cr_expect_leq(fabs(columns[2 * row + 1]), 1e-8, "row %d: %g", row, columns[2 * row + 1]);
	}
	abut_gradient_destroy(gradient);
	world_end(&world);
}

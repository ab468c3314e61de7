/* Compares products with the derivative of a step, and with its transpose, with the matrix itself. */
#include <stdio.h>

#include "dynamics/step_differences.h"

/* Expects equal vectors, with errors relative to the largest entry of the matrix times that of the vector. */
static void expect_same(int n, const double *got, const double *expected, double size, const char *what)
{
	for (int i = 0; i < n; i++) {
		cr_expect_leq(fabs(got[i] - expected[i]), 1e-6 * size, "%s, entry %d: %g, not %g of %g", what, i,
		              got[i], expected[i], size);
	}
}

static void check_products(const World *world, const AbutGradient *gradient, AbutRng *rng, const char *what)
{
	static GradientMatrix J;
	const int n = world->model->n_moving, rows = GRADIENT_ROWS * n, width = GRADIENT_COLUMNS * n;
	double change[GRADIENT_COLUMNS * GRADIENT_BODIES], by_next[GRADIENT_ROWS * GRADIENT_BODIES];
	double forward[GRADIENT_ROWS * GRADIENT_BODIES] = {0.0}, backward[GRADIENT_COLUMNS * GRADIENT_BODIES] = {0.0};
	double got[GRADIENT_COLUMNS * GRADIENT_BODIES], size = 0.0;
	cr_assert_eq(abut_gradient_matrix(gradient, J, NULL), ABUT_OK, "%s", what);
	for (int c = 0; c < width; c++) {
		change[c] = abut_rng_normal(rng);
	}
	for (int r = 0; r < rows; r++) {
		by_next[r] = abut_rng_normal(rng);
		for (int c = 0; c < width; c++) {
			forward[r] += J[r * width + c] * change[c];
			backward[c] += J[r * width + c] * by_next[r];
			size = fmax(size, fabs(J[r * width + c]));
		}
	}
	cr_assert_eq(abut_gradient_forward(gradient, change, NULL, got, NULL), ABUT_OK, "%s", what);
	expect_same(rows, got, forward, size * n, what);
	cr_assert_eq(abut_gradient_backward(gradient, by_next, got, NULL, NULL), ABUT_OK, "%s", what);
	expect_same(width, got, backward, size * n, what);
}

/* Compares both products by all masses and by friction with the columns. */
static void check_parameters(const World *world, const AbutGradient *gradient, int n_parameters, AbutRng *rng,
                             const char *what)
{
	enum { MOST = 8 };
	const int n = world->model->n_moving, rows = GRADIENT_ROWS * n;
	double C[GRADIENT_ROWS * GRADIENT_BODIES * MOST], by[MOST], by_next[GRADIENT_ROWS * GRADIENT_BODIES];
	double none[GRADIENT_COLUMNS * GRADIENT_BODIES] = {0.0}, out[GRADIENT_COLUMNS * GRADIENT_BODIES];
	double forward[GRADIENT_ROWS * GRADIENT_BODIES] = {0.0}, backward[MOST] = {0.0}, got[MOST],
	                               size = 1e-2; /* of a body in flight; at rest all are zero */
	cr_assert_leq(n_parameters, MOST);
	cr_assert_eq(abut_gradient_parameters(gradient, C, NULL), ABUT_OK, "%s", what);
	for (int k = 0; k < n_parameters; k++) {
		by[k] = abut_rng_normal(rng);
	}
	for (int r = 0; r < rows; r++) {
		by_next[r] = abut_rng_normal(rng);
		for (int k = 0; k < n_parameters; k++) {
			forward[r] += C[r * n_parameters + k] * by[k];
			backward[k] += C[r * n_parameters + k] * by_next[r];
			size = fmax(size, fabs(C[r * n_parameters + k]));
		}
	}
	cr_assert_eq(abut_gradient_forward(gradient, none, by, out, NULL), ABUT_OK, "%s", what);
	expect_same(rows, out, forward, size * n_parameters, what);
	cr_assert_eq(abut_gradient_backward(gradient, by_next, out, got, NULL), ABUT_OK, "%s", what);
	expect_same(n_parameters, got, backward, size * rows, what);
}

static int select_parameters(const AbutModel *model, AbutGradient *gradient)
{
	AbutParameter parameters[8];
	int n = abut_parameter_list(model, ABUT_PARAMETER_MASS, 4, parameters);
	n += abut_parameter_list(model, ABUT_PARAMETER_TIMESTEP, 1, &parameters[n]);
	cr_assert_geq(abut_parameter_list(model, ABUT_PARAMETER_FRICTION, 1, &parameters[n]), 1);
	cr_assert_eq(abut_gradient_select(gradient, n + 1, parameters, NULL), ABUT_OK);
	return n + 1;
}

/* Returns the largest number of parts in which a step was taken. */
static int check_run(World *world, double kappa, int steps, const char *name)
{
	int parts = 0;
	AbutRng rng = {7};
	AbutGradient *gradient;
	world_make(world);
	cr_assert_eq(abut_gradient_create(world->model, kappa, &gradient, NULL), ABUT_OK);
	const int n_parameters = select_parameters(world->model, gradient);
	for (int step = 0; step < steps; step++) {
		char what[64];
		snprintf(what, sizeof what, "%s, kappa %g, step %d", name, kappa, step);
		cr_assert_eq(
		    abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
		    ABUT_OK);
		check_products(world, gradient, &rng, what);
		check_parameters(world, gradient, n_parameters, &rng, what);
		parts = world->info.parts > parts ? world->info.parts : parts;
	}
	abut_gradient_destroy(gradient);
	world_end(world);
	return parts;
}

static const double kappas[] = {0.0, 1e-2, 1e-6};

/* A pushed stack and a single body beside it form two islands. */
Test(gradient_products, of_a_stack_and_another)
{
	for (int i = 0; i < 3; i++) {
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.3), 1.0, 5.0, 0.0, 0.35)->linear_velocity[0] = 1.0;
		for (int k = 0; k < 3; k++) {
			AbutBodyDef *body = world_add(&world, make_box(0.5 - 0.1 * k, 0.45 - 0.1 * k, 0.2),
			                              2.0 - 0.4 * k, 0.04 * k, -0.03 * k, 0.2 + 0.4 * k);
			body->force[0] = k == 2 ? 6.0 : 0.0;
		}
		check_run(&world, kappas[i], 40, "stack");
	}
}

Test(gradient_products, of_primitives)
{
	for (int kind = 0; kind < WORLD_SHAPES; kind++) {
		for (int i = 0; i < 3; i++) {
			AbutRng rng = {(unsigned)kind};
			World world;
			world_begin(&world);
			world_add_floor(&world, 0.0, 0.0, 1.0);
			AbutBodyDef *body = world_add(&world, make_primitive(kind, 0.5), 1.0, 0.0, 0.0, 0.8);
			abut_rng_rotation(&rng, body->orientation);
			body->linear_velocity[0] = 1.0;
			body->angular_velocity[1] = 3.0;
			check_run(&world, kappas[i], 80, "drop");
		}
	}
}

Test(gradient_products, of_steps_in_parts_and_planar_bodies)
{
	for (int planar = 0; planar < 2; planar++) {
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_box(0.5, 0.3, 0.2), 1.0, 0.0, 0.0, 0.9);
		body->planar_xz = planar == 1;
		body->angular_velocity[1] = planar ? 3.0 : 60.0;
		body->linear_velocity[2] = -2.0;
		world.def.timestep = planar ? 0.01 : 0.05;
		const int parts = check_run(&world, 0.0, planar ? 60 : 8, planar ? "planar" : "spin");
		cr_expect(planar || parts > 1, "%d", parts);
	}
}

/* A NaN from the caller is an error of the argument, not of the derivative; messages tell the two apart. */
Test(gradient_products, refuse_what_is_no_number)
{
	World world;
	AbutGradient *gradient;
	AbutError error = {.status = ABUT_OK};
	double change[GRADIENT_COLUMNS] = {0.0}, by_next[GRADIENT_ROWS] = {0.0}, by[8] = {0.0};
	double out[GRADIENT_COLUMNS];
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
	world_make(&world);
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(select_parameters(world.model, gradient), 3);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	change[7] = NAN;
	cr_expect_eq(abut_gradient_forward(gradient, change, by, out, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "change[7]");
	change[7] = 0.0;
	by[2] = -INFINITY;
	cr_expect_eq(abut_gradient_forward(gradient, change, by, out, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "by_parameter[2]");
	cr_expect(strstr(error.message, "-inf"), "%s", error.message);
	cr_expect_eq(abut_gradient_forward(gradient, change, NULL, out, &error), ABUT_OK);
	by_next[GRADIENT_ROWS - 1] = INFINITY;
	cr_expect_eq(abut_gradient_backward(gradient, by_next, out, NULL, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "by_next[11]");
	abut_gradient_destroy(gradient);
	world_end(&world);
}

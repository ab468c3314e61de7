/* Tests the derivative on the path if a smooth shape touches at a flat point. The curvature is zero there, so that a
 * tilt moves the contact point without bounds. Therefore the body does not tilt: its next pose follows its face,
 * whatever its rotation before, and this has a derivative. Differences show it only for small steps. Over a step h they
 * have an error of h^(n - 2) for exponent n, which is small only if h is small compared with what holds the body. */
#include "dynamics/step_differences.h"

enum { COLUMNS = GRADIENT_COLUMNS, SETTLE = 40 };

static AbutShape *make_superellipsoid(double exponent)
{
	static const double radii[3] = {0.2, 0.15, 0.1};
	const double exponents[2] = {exponent, exponent};
	AbutShape *shape = NULL;
	AbutError error;
	cr_assert_eq(abut_shape_create_superellipsoid(radii, exponents, &shape, &error), ABUT_OK, "%s", error.message);
	return shape;
}

/* Begins a world with the body upright, `gap` above the floor. */
static AbutBodyDef *begin_upright(World *world, double exponent, double gap)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	return world_add(world, make_superellipsoid(exponent), 1.0, 0.0, 0.0, 0.1 + gap);
}

static AbutGradient *make_gradient(const World *world, double kappa)
{
	AbutGradient *gradient;
	cr_assert_eq(abut_gradient_create(world->model, kappa, &gradient, NULL), ABUT_OK);
	return gradient;
}

static void differentiate(World *world, AbutGradient *gradient, double *J)
{
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	cr_assert_eq(abut_gradient_matrix(gradient, J, &error), ABUT_OK, "%s", error.message);
}

/* Products use the same corrections. */
static void expect_products(const AbutGradient *gradient, const double *J)
{
	for (int k = 0; k < GRADIENT_ROWS; k++) {
		double change[COLUMNS] = {0.0}, next[GRADIENT_ROWS], by_next[GRADIENT_ROWS] = {0.0}, back[COLUMNS];
		change[k] = by_next[k] = 1.0;
		cr_assert_eq(abut_gradient_forward(gradient, change, NULL, next, NULL), ABUT_OK);
		cr_assert_eq(abut_gradient_backward(gradient, by_next, back, NULL, NULL), ABUT_OK);
		for (int i = 0; i < GRADIENT_ROWS; i++) {
			cr_expect_float_eq(next[i], J[i * COLUMNS + k], 1e-5, "row %d by %d", i, k);
			cr_expect_float_eq(back[i], J[k * COLUMNS + i], 1e-5, "row %d by %d", k, i);
		}
	}
}

/* The floor undoes any tilt within the step. The derivatives by rotation are 0 for rotation and -1 / dt for spin; those
 * by spin are 0. */
static void expect_upright(const World *world, const double *J, double exponent, double kappa)
{
	const double dt = world->model->timestep_si;
	for (int axis = 0; axis < 2; axis++) {
		const int turn = ABUT_GRADIENT_ROTATION + axis, spin = ABUT_GRADIENT_ANGULAR + axis;
		const double found[4] = {J[turn * COLUMNS + turn], dt * J[spin * COLUMNS + turn],
		                         J[turn * COLUMNS + spin] / dt, J[spin * COLUMNS + spin]};
		static const double expected[4] = {0.0, -1.0, 0.0, 0.0};
		for (int i = 0; i < 4; i++) {
			cr_expect_float_eq(found[i], expected[i], 1e-7,
			                   "exponent %g, kappa %g, axis %d: %d is %g instead of %g", exponent, kappa,
			                   axis, i, found[i], expected[i]);
		}
	}
}

Test(gradient_flat, a_flat_point_is_not_tilted)
{
	static const double exponents[] = {2.5, 3.0, 4.0, 8.0}, kappas[] = {1.0, 1e-2, 1e-4, 1e-6, 1e-8};
	static GradientMatrix J;
	for (int i = 0; i < 4 * 5; i++) {
		World world;
		begin_upright(&world, exponents[i / 5], 0.0);
		world_make(&world);
		AbutGradient *gradient = make_gradient(&world, kappas[i % 5]);
		differentiate(&world, gradient, J);
		expect_upright(&world, J, exponents[i / 5], kappas[i % 5]);
		expect_products(gradient, J);
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

typedef enum Case { LYING, SLIDING, SPINNING, ROCKING, ON_ITS_EDGE, ON_ITS_LIKE, CASES } Case;

/* If the body lies on its edge, the point is flat along one tangent only. */
static void make_case(World *world, Case which)
{
	AbutBodyDef *body = begin_upright(world, 4.0, which == ON_ITS_EDGE ? 0.15 : 0.0);
	if (which == SLIDING || which == SPINNING) {
		body->linear_velocity[0] = 3.0;
		body->angular_velocity[2] = which == SPINNING ? 20.0 : 0.0;
	} else if (which == ROCKING) {
		body->angular_velocity[0] = 1.0;
		body->angular_velocity[1] = 0.5;
	} else if (which == ON_ITS_EDGE) {
		body->orientation[0] = 0.8;
		body->orientation[1] = 0.6;
	} else if (which == ON_ITS_LIKE) {
		world_add(world, make_superellipsoid(4.0), 0.5, 0.0, 0.0, 0.3);
	}
	world_make(world);
}

Test(gradient_flat, agrees_with_differences)
{
	static const double h[] = {1e-8, 1e-7, 1e-6, 1e-9}, kappas[] = {1e-2, 1e-4, 1e-6}, bound = 1e-6;
	for (int i = 0; i < 3 * (int)CASES; i++) {
		World world;
		make_case(&world, (Case)(i / 3));
		AbutGradient *gradient = make_gradient(&world, kappas[i % 3]);
		for (int step = 0; step < 2; step++) {
			const StepCheck check = check_of_step(&world, gradient, 4, h, bound);
			cr_expect(check.there, "case %d, kappa %g, step %d: no derivative", i / 3, kappas[i % 3], step);
			cr_expect_leq(check.error, bound, "case %d, kappa %g, step %d: off by %g", i / 3, kappas[i % 3],
			              step, check.error);
			cr_log_info("case %d, kappa %g, step %d: %.1e", i / 3, kappas[i % 3], step, check.error);
			world_run(&world, step == 0 ? SETTLE : 0);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

/* Above a floor without contact, a body rotates freely, and the normal of the floor does not rotate with it. */
Test(gradient_flat, a_flat_point_that_is_only_felt_holds_nothing)
{
	static const double kappas[] = {1e-5, 1e-6, 1e-8};
	static GradientMatrix J;
	for (int i = 0; i < 3; i++) {
		World world;
		begin_upright(&world, 4.0, 0.005);
		world_make(&world);
		AbutGradient *gradient = make_gradient(&world, kappas[i]);
		differentiate(&world, gradient, J);
		cr_expect_eq(world.info.active_contacts, 1);
		for (int axis = 0; axis < 2; axis++) {
			const int turn = ABUT_GRADIENT_ROTATION + axis, spin = ABUT_GRADIENT_ANGULAR + axis;
			const double freely = J[spin * COLUMNS + spin];
			const double pushed = J[(ABUT_GRADIENT_LINEAR + 1 - axis) * COLUMNS + turn];
			cr_expect_float_eq(freely, 1.0, 1e-4, "kappa %g, axis %d: %g", kappas[i], axis, freely);
			cr_expect_float_eq(pushed, 0.0, 1e-9, "kappa %g, axis %d: %g", kappas[i], axis, pushed);
		}
		abut_gradient_destroy(gradient);
		world_end(&world);
	}
}

/* The body is above the floor with its edge, which is flat only along the edge. The relaxed contact rotates the body
 * about the edge, as differences show. */
Test(gradient_flat, across_an_edge_the_curvature_stays)
{
	static GradientMatrix J;
	static const int column = ABUT_GRADIENT_ROTATION;
	static const double h = 1e-5;
	World world;
	AbutState *before;
	AbutBodyState base = {.orientation = {1.0, 0.0, 0.0, 0.0}}, next[2] = {base, base};
	double ahead[GRADIENT_ROWS], back[GRADIENT_ROWS];
	AbutBodyDef *body = begin_upright(&world, 3.0, 0.0545);
	body->orientation[0] = 0.8;
	body->orientation[1] = 0.6;
	world_make(&world);
	AbutGradient *gradient = make_gradient(&world, 1e-5);
	cr_assert_eq(abut_state_create(world.model, &before, NULL), ABUT_OK);
	cr_assert_eq(abut_state_copy(world.model, world.state, before), ABUT_OK);
	differentiate(&world, gradient, J);
	cr_expect_eq(world.info.active_contacts, 1);
	next_of(world.model, gradient, &base);
	cr_assert(step_changed_by(&world, gradient, before, column, h, &next[0]));
	cr_assert(step_changed_by(&world, gradient, before, column, -h, &next[1]));
	difference_of(1, &base, &next[0], ahead);
	difference_of(1, &base, &next[1], back);
	for (int row = 0; row < GRADIENT_ROWS; row++) {
		const double difference = (ahead[row] - back[row]) / (2.0 * h);
		cr_expect_float_eq(J[row * COLUMNS + column], difference, 1e-8, "row %d: %.9g, difference %.9g", row,
		                   J[row * COLUMNS + column], difference);
	}
	abut_state_destroy(before);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

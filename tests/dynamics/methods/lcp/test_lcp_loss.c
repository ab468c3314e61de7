/* Compares the gradient of a loss through a step of method lcp with the derivative, also in its complementarity-aware
 * form. */
#include <criterion/criterion.h>
#include <math.h>

#include "abut/lcp.h"
#include "dynamics/world.h"

enum { ROWS = ABUT_LCP_ROWS, COLUMNS = ABUT_LCP_COLUMNS };

/* Begins a world with a ball at rest on the floor. A force that is too weak lifts it in one step. */
static void begin(World *world, double force)
{
	world_begin(world);
	world->def.solver.method = ABUT_METHOD_LCP;
	world_add_floor(world, 0.0, 0.0, 1.0);
	world_add(world, make_sphere(0.5), 1.0, 0.0, 0.0, 0.5)->force[2] = force;
	world_make(world);
	world_step(world);
}

/* The loss l = -z asks to lift the ball. The derivative by the force is zero. The aware gradient is that without a
 * floor: dz = dt^2 / m. */
Test(lcp_loss, a_ball_at_rest_is_to_be_lifted)
{
	World world;
	double loss[ROWS] = {0.0}, out[COLUMNS];
	bool switched = true;
	begin(&world, 3.0);
	loss[ABUT_LCP_POSITION + 2] = -1.0;
	cr_assert_eq(abut_lcp_loss_gradient(world.model, world.workspace, loss, false, out, &switched, NULL), ABUT_OK);
	cr_assert(!switched);
	cr_assert_float_eq(out[ABUT_LCP_FORCE + 2], 0.0, 1e-15);
	cr_assert_eq(abut_lcp_loss_gradient(world.model, world.workspace, loss, true, out, &switched, NULL), ABUT_OK);
	cr_assert(switched);
	cr_assert_float_eq(out[ABUT_LCP_FORCE + 2], -1e-4, 1e-15, "%g", out[ABUT_LCP_FORCE + 2]);
	cr_assert_float_eq(out[ABUT_LCP_LINEAR + 2], -1e-2, 1e-13, "%g", out[ABUT_LCP_LINEAR + 2]);
	world_end(&world);
}

/* The loss l = z asks to press the ball down. The contact need not open, so that the gradient is the derivative. */
Test(lcp_loss, one_to_be_pressed_down_keeps_its_derivative)
{
	World world;
	double loss[ROWS] = {0.0}, out[COLUMNS];
	bool switched = true;
	begin(&world, 3.0);
	loss[ABUT_LCP_POSITION + 2] = 1.0;
	cr_assert_eq(abut_lcp_loss_gradient(world.model, world.workspace, loss, true, out, &switched, NULL), ABUT_OK);
	cr_assert(!switched);
	cr_assert_float_eq(out[ABUT_LCP_FORCE + 2], 0.0, 1e-15);
	world_end(&world);
}

/* Minimises the loss over the force by steepest descent, starting below the weight. With the derivative the force does
 * not change; with the aware gradient the ball reaches its height after 10 steps. */
Test(lcp_loss, descent_lifts_the_ball)
{
	for (int aware = 0; aware < 2; aware++) {
		double force = 5.0, height = 0.0;
		for (int round = 0; round < 200; round++) {
			World world;
			double loss[ROWS] = {0.0}, out[COLUMNS];
			begin(&world, force);
			world_run(&world, 9);
			height = world_body(&world, 1).position[2];
			loss[ABUT_LCP_POSITION + 2] = height - 0.55;
			cr_assert_eq(
			    abut_lcp_loss_gradient(world.model, world.workspace, loss, aware > 0, out, NULL, NULL),
			    ABUT_OK);
			force -= 2e5 * out[ABUT_LCP_FORCE + 2];
			world_end(&world);
		}
		if (aware) {
			cr_assert_float_eq(height, 0.55, 1e-6, "%g, force %g", height, force);
		} else {
			cr_assert_float_eq(force, 5.0, 1e-9, "%g", force);
		}
	}
}

/* Without `aware`, the gradient is the transposed derivative. */
Test(lcp_loss, is_the_derivative_transposed)
{
	World world;
	double loss[ROWS], out[COLUMNS], derivative[ROWS * COLUMNS];
	begin(&world, 0.0);
	cr_assert_eq(abut_lcp_gradient(world.model, world.workspace, derivative, NULL), ABUT_OK);
	for (int r = 0; r < ROWS; r++) {
		loss[r] = 1.0 / (r + 1.0);
	}
	cr_assert_eq(abut_lcp_loss_gradient(world.model, world.workspace, loss, false, out, NULL, NULL), ABUT_OK);
	for (int c = 0; c < COLUMNS; c++) {
		double sum = 0.0;
		for (int r = 0; r < ROWS; r++) {
			sum += loss[r] * derivative[COLUMNS * r + c];
		}
		cr_assert_float_eq(out[c], sum, 1e-12 * (1.0 + fabs(sum)), "column %d: %g, not %g", c, out[c], sum);
	}
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_lcp_loss_gradient(world.model, world.workspace, NULL, false, out, NULL, NULL),
	             ABUT_ERROR_ARGUMENT);
	loss[2] = NAN;
	cr_assert_eq(abut_lcp_loss_gradient(world.model, world.workspace, loss, true, out, NULL, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_assert_str_eq(error.where, "loss[2]");
	world_end(&world);
}

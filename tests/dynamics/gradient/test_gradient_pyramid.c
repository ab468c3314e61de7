/* Tests the derivative with the friction pyramid. At the exact solution, a ball rolls, or slides along an edge;
 * opposite edges may carry any equal impulses, which must not affect the derivative. On the path, a cube does not touch
 * yet. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dynamics/world.h"

enum { COLUMNS = ABUT_GRADIENT_COLUMNS, SLIDING = 12, STEPS = 5 };

/* Steps are so short that the rotation of the body's axes is small. */
static const double dt = 1e-3, mass = 0.01, radius = 0.3, friction = 1.0, drive = 0.05, speed = 0.3, close_by = 1e-4;

typedef double Matrix[ABUT_GRADIENT_ROWS][COLUMNS];

/* Begins a world with a ball that moves, and is pushed, along one of the edges: 0 +x, 1 +y, 2 -x, 3 -y. */
static void open_ball(World *world, int edge)
{
	const int axis = edge % 2;
	const double sign = edge < 2 ? 1.0 : -1.0;
	world_begin(world);
	world->def.solver.friction_cone = ABUT_FRICTION_CONE_PYRAMID;
	world->def.friction = friction;
	world->def.timestep = dt;
	world_add_floor(world, 0.0, 0.0, 1.0);
	AbutBodyDef *ball = world_add(world, make_sphere(radius), mass, 0.0, 0.0, radius);
	ball->linear_velocity[axis] = sign * speed;
	ball->force[axis] = sign * drive;
	world_make(world);
}

static void differentiate(World *world, Matrix J)
{
	AbutGradient *gradient;
	cr_assert_eq(abut_gradient_create(world->model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world->model, world->state, world->workspace, gradient, &world->info),
	             ABUT_OK);
	cr_assert(world->info.exact);
	cr_assert_eq(abut_gradient_matrix(gradient, &J[0][0], NULL), ABUT_OK);
	abut_gradient_destroy(gradient);
}

/* Checks the derivatives by a push along x and y, and by a torque about the normal. */
static void expect(Matrix J, double push, double twist, int edge, int step)
{
	for (int axis = 0; axis < 2; axis++) {
		const double pushed = J[ABUT_GRADIENT_LINEAR + axis][ABUT_GRADIENT_FORCE + axis];
		cr_expect_float_eq(pushed, push, close_by * push, "edge %d, step %d, axis %d: %g for %g", edge, step,
		                   axis, pushed, push);
	}
	const double twisted = J[ABUT_GRADIENT_ANGULAR + 2][ABUT_GRADIENT_TORQUE + 2];
	const double free_twist = dt / (0.4 * mass * radius * radius);
	cr_expect_float_eq(twisted, twist, close_by * free_twist, "edge %d, step %d: %g for %g", edge, step, twisted,
	                   twist);
}

/* A rolling ball acts like a mass larger by 2/5, wherever it is pushed. It does not spin about the normal. */
Test(gradient_pyramid, of_a_rolling_ball)
{
	for (int edge = 0; edge < 4; edge++) {
		World world;
		Matrix J;
		open_ball(&world, edge);
		world_run(&world, SLIDING);
		for (int step = 0; step < STEPS; step++) {
			differentiate(&world, J);
			expect(J, dt / (1.4 * mass), 0.0, edge, step);
		}
		world_end(&world);
	}
}

/* All friction is along the motion. At the corner of the pyramid it resists neither a push across nor a twist. */
Test(gradient_pyramid, of_a_sliding_ball)
{
	for (int edge = 0; edge < 4; edge++) {
		World world;
		Matrix J;
		open_ball(&world, edge);
		differentiate(&world, J);
		expect(J, dt / mass, dt / (0.4 * mass * radius * radius), edge, 0);
		world_end(&world);
	}
}

/* A turned cube that falls, one or two steps before it lands, at `height`. */
static void open_falling(World *world, double height)
{
	static const double q[4] = {-0.6244, 0.7085, 0.1328, -0.3007}, v[3] = {0.4, -0.3, -3.8},
	                    w[3] = {0.2, -0.8, -2.6};
	world_begin(world);
	world->def.solver.friction_cone = ABUT_FRICTION_CONE_PYRAMID;
	world_add_floor(world, 0.0, 0.0, 1.0);
	AbutBodyDef *cube = world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, height);
	double length = 0.0;
	for (int i = 0; i < 4; i++) {
		length += q[i] * q[i];
	}
	for (int i = 0; i < 4; i++) {
		cube->orientation[i] = q[i] / sqrt(length);
	}
	memcpy(cube->linear_velocity, v, sizeof v);
	memcpy(cube->angular_velocity, w, sizeof w);
	world_make(world);
}

/* Returns the result of the step on the path, and computes its derivative (NULL: not wanted). */
static AbutBodyState falls_to(double height, double kappa, double *J)
{
	World world;
	AbutGradient *gradient;
	AbutBodyState next;
	open_falling(&world, height);
	cr_assert_eq(abut_gradient_create(world.model, kappa, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	cr_assert_eq(abut_gradient_next(gradient, 1, &next, NULL), ABUT_OK);
	cr_assert(!J || abut_gradient_matrix(gradient, J, NULL) == ABUT_OK);
	abut_gradient_destroy(gradient);
	world_end(&world);
	return next;
}

/* The force of such a contact on the cube along the floor is small, but must be right. psi of the path, kappa over the
 * room that the edges leave, is steep there. (When it was softened like the bodies' stiffness, it was wrong by a
 * tenth.) */
Test(gradient_pyramid, of_a_contact_that_is_only_felt)
{
	static const double kappas[] = {1e-2, 1e-3}, h = 1e-4;
	for (int i = 0; i < 2; i++) {
		const double height = 0.7;
		Matrix J;
		falls_to(height, kappas[i], &J[0][0]);
		const AbutBodyState up = falls_to(height + h, kappas[i], NULL),
		                    down = falls_to(height - h, kappas[i], NULL);
		for (int axis = 0; axis < 2; axis++) {
			const double by = (up.linear_velocity[axis] - down.linear_velocity[axis]) / (2.0 * h);
			const double found = J[ABUT_GRADIENT_LINEAR + axis][ABUT_GRADIENT_POSITION + 2];
			cr_expect(fabs(by) > 1e-10 && fabs(by) < 1e-3, "%g", by);
			cr_expect_float_eq(found, by, 1e-4 * fabs(by), "kappa %g, axis %d: %g, not %g", kappas[i], axis,
			                   found, by);
		}
	}
}

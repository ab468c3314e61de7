/* Tests a pile at rest. It has more sticking contacts than its bodies have freedoms, so that forces are not determined
 * and small gaps cannot all be closed (dynamics/solve/tries.c). Checks the laws that any solution must satisfy. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"
#include "effort.h"

enum { PILE = TEST_EFFORT(50), WALLS = 5, SETTLING = 500, WATCHED = 50 };

static void wall(World *world, double nx, double ny, double nz, double x, double y)
{
	world_add_floor(world, nx, ny, nz);
	AbutBodyDef *body = &world->bodies[world->def.n_bodies - 1];
	body->position[0] = x;
	body->position[1] = y;
}

/* Drops cubes and capsules in turn, from a lattice above a bin of 5.5 m. */
static void drop(World *world)
{
	wall(world, 0.0, 0.0, 1.0, 0.0, 0.0);
	wall(world, 1.0, 0.0, 0.0, -1.0, 0.0);
	wall(world, -1.0, 0.0, 0.0, 4.5, 0.0);
	wall(world, 0.0, 1.0, 0.0, 0.0, -1.0);
	wall(world, 0.0, -1.0, 0.0, 0.0, 4.5);
	for (int k = 0; k < PILE; k++) {
		AbutShape *shape = make_cube(1.0);
		if (k % 2 == 0) {
			abut_shape_destroy(shape);
			cr_assert_eq(abut_shape_create_capsule(0.3, 0.8, &shape, NULL), ABUT_OK);
		}
		AbutBodyDef *body = world_add(world, shape, 1.0, 1.3 * (k % 4) + 0.1 * (k / 4 % 3),
		                              1.3 * (k / 4 % 4) + 0.07 * (k % 5), 0.8 + 1.3 * (k / 16));
		turn_about(1.0, 0.0, 0.0, 3e-3 * ((k + 1) * 7919 % 1000), body->orientation);
	}
}

/* Adds the impulses of a step on every body, and checks Coulomb's law at every contact. The tolerance is the reported
 * natural residual in its unit of impulses, which is below 3 N s. */
static void add_impulses(const World *world, double (*sum)[3])
{
	const double rounding = 1e-8 + 3.0 * world->info.kappa;
	for (int c = 0; c < world->info.active_contacts; c++) {
		const AbutContact contact = world_contact(world, c);
		const double mu = 0.5;
		cr_expect_leq(abut_norm3(contact.friction_impulse), mu * contact.normal_impulse + rounding,
		              "step %ld: %g over the cone, kappa %g", world->steps,
		              abut_norm3(contact.friction_impulse) - mu * contact.normal_impulse, world->info.kappa);
		for (int i = 0; i < 3; i++) {
			const double F = contact.normal_impulse * contact.normal[i] + contact.friction_impulse[i];
			sum[contact.body_a][i] -= F;
			sum[contact.body_b][i] += F;
		}
	}
}

Test(pile, a_pile_comes_to_rest_cheaply)
{
	static World world;
	world_begin(&world);
	drop(&world);
	world_make(&world);
	world_run(&world, SETTLING);
	long iterations = 0;
	for (int n = 0; n < WATCHED; n++) {
		double sum[WORLD_BODIES][3] = {{0.0}}, before[WORLD_BODIES][3];
		for (int b = WALLS; b < world.def.n_bodies; b++) {
			abut_copy3(world_body(&world, b).linear_velocity, before[b]);
		}
		world_step(&world);
		iterations += world.info.iterations;
		cr_expect_lt(world.info.max_penetration, 1e-8, "step %d: %g", n, world.info.max_penetration);
		add_impulses(&world, sum);
		for (int b = WALLS; b < world.def.n_bodies; b++) {
			const AbutBodyState now = world_body(&world, b);
			cr_expect_lt(abut_norm3(now.linear_velocity), 1e-5, "step %d, body %d", n, b);
			for (int i = 0; i < 3; i++) {
				const double given = sum[b][i] + world.def.timestep * world.def.gravity[i];
				cr_expect_float_eq(now.linear_velocity[i] - before[b][i], given, 1e-8,
				                   "step %d, body %d: %g", n, b,
				                   now.linear_velocity[i] - before[b][i] - given);
			}
		}
	}
	cr_expect_leq(iterations, 8 * WATCHED, "%ld iterations in %d steps", iterations, WATCHED);
	world_end(&world);
}

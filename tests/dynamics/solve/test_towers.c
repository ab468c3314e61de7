/* Tests towers that are kicked, the worst case for the active set, since every contact may open as a hinge
 * (solver/ncp/active_set.c). Steps must be exact, take few iterations, balance the momentum of each body, and satisfy
 * the law of friction. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

enum { STEPS = 60, BETWEEN = 10 };

typedef double Vector[3];

/* Builds a tower of cubes or cylinders of 1 m. */
static void build(World *world, int height, bool round, double kappa)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < height; i++) {
		world_add(world, round ? make_cylinder(0.5, 1.0) : make_cube(1.0), 1.0, 0.0, 0.0, 0.5 + i);
	}
	world->def.solver.kappa = kappa;
	world_make(world);
}

/* Computes inputs that change each velocity of each cube by at most `bound` (m/s, rad/s) in a step. */
static void push_all(World *world, double bound, AbutRng *rng, Vector *force)
{
	for (int i = 1; i < world->def.n_bodies; i++) {
		Vector torque;
		for (int k = 0; k < 3; k++) {
			force[i][k] = abut_rng_uniform(rng, -bound, bound) / world->def.timestep;
			torque[k] = abut_rng_uniform(rng, -bound, bound) / world->def.timestep / 6.0;
		}
		cr_assert_eq(abut_state_set_input(world->model, world->state, i, force[i], torque), ABUT_OK);
	}
}

static void check_step(const World *world, const Vector *before, const Vector *force, unsigned seed, int step)
{
	Vector sum[WORLD_BODIES] = {{0.0}};
	cr_expect_lt(world->info.max_penetration, 1e-8, "seed %u, step %d", seed, step);
	for (int c = 0; c < world->info.active_contacts; c++) {
		const AbutContact contact = world_contact(world, c);
		cr_expect_leq(abut_norm3(contact.friction_impulse), 0.5 * contact.normal_impulse + 1e-8,
		              "seed %u, step %d, contact %d", seed, step, c);
		for (int k = 0; k < 3; k++) {
			const double F = contact.normal_impulse * contact.normal[k] + contact.friction_impulse[k];
			sum[contact.body_a][k] -= F;
			sum[contact.body_b][k] += F;
		}
	}
	for (int i = 1; i < world->def.n_bodies; i++) {
		const AbutBodyState now = world_body(world, i);
		for (int k = 0; k < 3; k++) {
			const double dt = world->def.timestep;
			const double given = sum[i][k] + dt * (world->def.gravity[k] + force[i][k]);
			cr_expect_float_eq(now.linear_velocity[k] - before[i][k], given, 1e-8,
			                   "seed %u, step %d, body %d", seed, step, i);
		}
	}
}

typedef struct Total {
	long steps, iterations, exact, largest;
} Total;

static Total bend(int height, bool round, double kappa, unsigned seeds)
{
	Total total = {0};
	for (unsigned seed = 0; seed < seeds; seed++) {
		static World world;
		AbutRng rng = {seed};
		build(&world, height, round, kappa);
		for (int n = 0; n < STEPS; n++) {
			Vector before[WORLD_BODIES], force[WORLD_BODIES] = {{0.0}};
			if (n % BETWEEN <= 1) { /* a kick, and its end */
				push_all(&world, n % BETWEEN == 0 ? 0.05 : 0.0, &rng, force);
			}
			for (int i = 0; i < world.def.n_bodies; i++) {
				abut_copy3(world_body(&world, i).linear_velocity, before[i]);
			}
			cr_assert_leq(world_try(&world), ABUT_OUTCOME_RELAXED, "seed %u, step %d", seed, n);
			check_step(&world, before, force, seed, n);
			total.steps++;
			total.iterations += world.info.iterations;
			total.exact += world.info.exact;
			total.largest = world.info.iterations > total.largest ? world.info.iterations : total.largest;
		}
		world_end(&world);
	}
	return total;
}

Test(towers, bend_exactly_and_cheaply)
{
	const Total total = bend(48, false, 1e-6, 5);
	cr_expect_leq(total.iterations, 8 * total.steps, "%ld iterations", total.iterations);
	cr_expect_leq(total.largest, 80, "%ld iterations in one step", total.largest);
	cr_expect_eq(total.exact, total.steps, "%ld exact", total.exact);
}

Test(towers, of_cylinders)
{
	const Total total = bend(32, true, 1e-6, 5);
	cr_expect_leq(total.iterations, 9 * total.steps, "%ld iterations", total.iterations);
	cr_expect_geq(100 * total.exact, 99 * total.steps, "%ld exact", total.exact);
}

/* The path of a long chain goes directly to 1e-10, which is less far than the kappa requested here. */
Test(towers, with_the_least_kappa)
{
	const Total total = bend(32, false, 1e-12, 2);
	cr_expect_geq(100 * total.exact, 99 * total.steps, "%ld exact", total.exact);
}

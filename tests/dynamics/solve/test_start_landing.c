/* Tests starts that predict what the last solution does not contain. Counts iterations, and steps that need a path,
 * which are rare only if the start is correct. The solution does not depend on the start. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

/* Begins a world with a cube of 1 m, rotated so that a corner, edge or face is lowest, 1 m above the floor. */
static void make_drop(World *world, int lowest, double timestep)
{
	static const double height[] = {0.86602540378443865, 0.70710678118654752, 0.5};
	static const double angle[] = {0.95531661812450928, 0.78539816339744831, 0.0};
	world_begin(world);
	world->def.timestep = timestep;
	world_add_floor(world, 0.0, 0.0, 1.0);
	AbutBodyDef *cube = world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, 1.0 + height[lowest]);
	turn_about(1.0, lowest == 0 ? -1.0 : 0.0, 0.0, angle[lowest], cube->orientation);
	world_make(world);
}

/* The centre is above the corner, edge or face: there the impulse m v acts, and the body then stands on it. */
Test(start_landing, a_central_blow_is_foreseen)
{
	for (double rate = 10.0; rate <= 200.0; rate *= 2.0) {
		for (int lowest = 0; lowest < 3; lowest++) {
			World world;
			double before = 0.0;
			AbutContact contact = {.normal_impulse = 0.0};
			make_drop(&world, lowest, 1.0 / rate);
			for (int i = 0; i < 1000 && contact.normal_impulse == 0.0; i++) {
				before = world_body(&world, 1).linear_velocity[2];
				world_step(&world);
				world_find(&world, 0, 1, &contact);
			}
			const double after = world_body(&world, 1).linear_velocity[2];
			cr_expect_leq(world.info.iterations, 4, "%g Hz, case %d: %d iterations", rate, lowest,
			              world.info.iterations);
			cr_expect_eq(world.info.tries, 0, "%g Hz, case %d", rate, lowest);
			cr_expect_float_eq(contact.normal_impulse, after - before + 9.81 / rate, 1e-9,
			                   "%g Hz, case %d: %g N s", rate, lowest, contact.normal_impulse);
			cr_expect_float_eq(contact.gap, 0.0, 1e-9, "%g Hz, case %d: %g m", rate, lowest, contact.gap);
			world_end(&world);
		}
	}
}

/* Drops cubes in random orientations, which hit with corners, edges and faces, rock, slide and come to rest. */
static void drop_cubes(double timestep, double *iterations, double *with_path)
{
	enum { SEEDS = 40 };
	int steps = 0;
	*iterations = *with_path = 0.0;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world.def.timestep = timestep;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		abut_rng_rotation(&rng, world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 1.8)->orientation);
		world_make(&world);
		while ((double)world.steps * timestep < 1.5) {
			world_step(&world);
			*iterations += world.info.iterations;
			*with_path += world.info.tries > 0;
		}
		steps += (int)world.steps;
		world_end(&world);
	}
	*iterations /= steps;
	*with_path /= steps;
}

Test(start_landing, dropped_cubes_take_few_iterations)
{
	static const double timesteps[] = {0.01, 0.05}, most[] = {1.35, 2.1};
	for (int i = 0; i < 2; i++) {
		double iterations, with_path;

		drop_cubes(timesteps[i], &iterations, &with_path);
		cr_expect_leq(iterations, most[i], "%g s: %g iterations a step", timesteps[i], iterations);
		cr_expect_leq(with_path, 0.06, "%g s: %g of the steps need the path", timesteps[i], with_path);
	}
}

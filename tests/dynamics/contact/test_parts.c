/* Tests that a step taken in parts (because of a fast or spinning body) reports the same as a whole step: the impulses
 * of all parts, the contacts of any part, and the worst outcome. It also stores the data from which the next step
 * starts. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

static const double g = 9.81;

static void set_velocity(World *world, int body, double x, double y, double z)
{
	AbutBodyState s = world_body(world, body);
	s.linear_velocity[0] = x;
	s.linear_velocity[1] = y;
	s.linear_velocity[2] = z;
	cr_assert_eq(abut_state_set_body(world->model, world->state, body, &s), ABUT_OK);
}

/* A box of 3 kg rests while 4 N, less than its friction, push it. A smooth sphere with radius 5 cm flies past its side
 * at a distance of 1 cm and at 8 to 200 m/s: 0.8 to 20 diameters per step. Both are one island, so the box takes the
 * step in parts too. */
static void begin_rest_and_flight(World *world, double speed, AbutFinish finish)
{
	world_begin(world);
	world->def.solver.finish = finish;
	world_add_floor(world, 0.0, 0.0, 1.0);
	world_add(world, make_cube(1.0), 3.0, 0.0, 0.0, 0.5)->force[0] = 4.0;
	world_add(world, make_sphere(0.05), 1.0, 0.55 + 0.015 * speed, 0.56, 0.6)->friction = 0.0;
	world_make(world);
	world_run(world, 5);
	set_velocity(world, 2, -speed, 0.0, 0.0);
}

/* Tolerance: residuals of 1e-10 in units of about 1 N s, for up to 64 parts. */
Test(parts, impulses_are_those_of_the_whole_step)
{
	static const double speeds[] = {0.0, 8.0, 30.0, 60.0, 120.0, 200.0};
	for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
		World world;
		int parts = 0;
		begin_rest_and_flight(&world, speeds[i], ABUT_FINISH_EXACT);
		for (int n = 0; n < 4; n++) {
			world_step(&world);
			parts = world.info.halvings > parts ? world.info.halvings : parts;
			const AbutContact contact = world_touch(&world, 0, 1);
			cr_expect_float_eq(contact.normal_impulse, 3.0 * g * 0.01, 1e-8, "%g m/s, step %d: %.12g N s",
			                   speeds[i], n, contact.normal_impulse);
			cr_expect_float_eq(contact.friction_impulse[0], -0.04, 1e-8, "%g m/s, step %d: %.12g N s",
			                   speeds[i], n, contact.friction_impulse[0]);
			cr_expect_float_eq(contact.friction_impulse[1], 0.0, 1e-8);
			cr_expect_float_eq(contact.friction_impulse[2], 0.0, 1e-8);
			cr_expect_float_eq(contact.gap, 0.0, 1e-9);
			cr_expect_leq(abut_norm3(world_body(&world, 1).linear_velocity), 1e-8,
			              "%g m/s, step %d: %g m/s", speeds[i], n,
			              abut_norm3(world_body(&world, 1).linear_velocity));
			cr_expect(world.info.exact && world.info.outcome == ABUT_OUTCOME_EXACT);
			cr_expect_eq(world.info.kappa, 0.0);
		}
		cr_expect(speeds[i] < 30.0 ? parts == 0 : parts > 0, "%g m/s: %d levels of halves", speeds[i], parts);
		cr_expect(speeds[i] < 100.0 || parts > 2, "%g m/s: %d levels of halves", speeds[i], parts);
		world_end(&world);
	}
}

/* A smooth sphere hits another at 60 to 150 m/s and leaves it in the same step, so the last part no longer solves for
 * the pair. The contact reports the momentum that both bodies gained. Its normal rotates from part to part, so the sum
 * of the parts' impulses is slightly more than the change of momentum. */
Test(parts, contacts_of_earlier_parts_are_reported)
{
	int left_in_the_step = 0, hits = 0;
	for (unsigned seed = 0; seed < 40; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world.def.gravity[2] = 0.0;
		world.def.timestep = 0.02;
		world.def.friction = 0.0;
		world_add(&world, make_sphere(0.05), 1.0, 0.0, 0.0, 0.0);
		AbutBodyDef *fast = world_add(&world, make_sphere(0.05), 0.2, 0.0, 0.0, 0.0);
		fast->position[0] = -abut_rng_uniform(&rng, 0.2, 0.8);
		fast->position[1] = abut_rng_uniform(&rng, 0.04, 0.095);
		fast->linear_velocity[0] = abut_rng_uniform(&rng, 60.0, 150.0);
		world_make(&world);
		const double v0 = fast->linear_velocity[0]; /* residuals of 1e-10 in units of m v0 */
		for (int n = 0; n < 2; n++) {
			const AbutBodyState a = world_body(&world, 0), b = world_body(&world, 1);
			world_step(&world);
			const AbutBodyState c = world_body(&world, 0), d = world_body(&world, 1);
			AbutContact contact;
			const bool solved = world_find(&world, 0, 1, &contact);
			double given[3], apart[3], taken = 0.0;
			for (int i = 0; i < 3; i++) {
				given[i] = 0.2 * (d.linear_velocity[i] - b.linear_velocity[i]);
				taken = fmax(taken, fabs(given[i] + c.linear_velocity[i] - a.linear_velocity[i]));
				apart[i] = d.position[i] - c.position[i];
			}
			const double length = abut_norm3(given), reported = solved ? contact.normal_impulse : 0.0;
			cr_expect_leq(taken, 1e-8 * v0, "seed %u, step %d: momentum lost: %g N s", seed, n, taken);
			cr_expect(reported >= length - 1e-8 * v0 && reported <= 1.3 * length + 1e-8 * v0,
			          "seed %u, step %d: %g N s, reported %g", seed, n, length, reported);
			cr_expect_eq(abut_norm3(contact.friction_impulse), 0.0);
			hits += reported > 0.01;
			left_in_the_step += reported > 0.01 && abut_norm3(apart) > 0.3;
		}
		world_end(&world);
	}
	cr_expect_geq(hits, 20, "%d hits", hits);
	cr_expect_geq(left_in_the_step, 5, "%d of %d hits left the pair apart", left_in_the_step, hits);
}

/* Without the exact finish every part ends at kappa, and the step reports kappa. In shorter parts the box floats
 * slightly higher. Its impulse agrees with its momentum up to the residual, 1e-7 per part in units of about 10 N s. */
Test(parts, of_relaxed_steps)
{
	World world;
	begin_rest_and_flight(&world, 60.0, ABUT_FINISH_NONE);
	for (int n = 0; n < 4; n++) {
		const double before = world_body(&world, 1).linear_velocity[2];
		world_step(&world);
		cr_expect_eq(world.info.outcome, ABUT_OUTCOME_RELAXED);
		cr_expect_not(world.info.exact);
		cr_expect_eq(world.info.kappa, 1e-6);
		cr_expect(world.info.residual <= 1e-7 && world.info.complementarity <= 1e-7, "%g, %g",
		          world.info.residual, world.info.complementarity);
		const double given = 3.0 * (world_body(&world, 1).linear_velocity[2] - before + 0.01 * g);
		const AbutContact contact = world_touch(&world, 0, 1);
		cr_expect_float_eq(contact.normal_impulse, given, 4e-6, "step %d: %.12g N s for %.12g", n,
		                   contact.normal_impulse, given);
		cr_expect(n > 1 || world.info.halvings > 0);
	}
	world_end(&world);
}

/* A sphere hits a stack of three boxes at 50 m/s. There are parts of several lengths, scaled impulses, and pairs that
 * appear and disappear. The start of a step must not affect its solution. Solutions are unique except for the
 * distribution of the load over stacked faces. They agree up to the exact residual, 1e-10 per step, which the tumbling
 * amplifies. A run is compared up to its first step that is not exact; after it, the error may be kappa. */
Test(parts, warm_start_does_not_change_the_motion)
{
	int parts = 0;
	int compared = 0;
	for (unsigned seed = 0; seed < 25; seed++) {
		World worlds[2];
		for (int cold = 0; cold < 2; cold++) {
			AbutRng rng = {seed};
			World *world = &worlds[cold];
			world_begin(world);
			world->def.solver.warm_start = !cold;
			world_add_floor(world, 0.0, 0.0, 1.0);
			for (int i = 0; i < 3; i++) {
				world_add(world, make_box(0.3, 0.25, 0.2), 2.0, 0.0, 0.0, 0.2 + 0.4 * i);
			}
			const double y = abut_rng_uniform(&rng, -0.2, 0.2), z = abut_rng_uniform(&rng, 0.15, 1.1);
			AbutBodyDef *fast = world_add(world, make_sphere(0.1), 1.0, -3.0, y, z);
			fast->linear_velocity[0] = 50.0;
			world_make(world);
		}
		for (int n = 0; n < 60; n++) {
			const AbutOutcome warm = world_try(&worlds[0]), cold = world_try(&worlds[1]);
			if (warm != ABUT_OUTCOME_EXACT || cold != ABUT_OUTCOME_EXACT) {
				break;
			}
			compared++;
			parts += worlds[0].info.halvings > 0;
			for (int b = 1; b < 5; b++) {
				const AbutBodyState s = world_body(&worlds[0], b), t = world_body(&worlds[1], b);
				for (int i = 0; i < 3; i++) {
					cr_assert_float_eq(s.position[i], t.position[i], 1e-8,
					                   "seed %u, step %d, body %d: %g m (halvings %d, %d)", seed, n,
					                   b, s.position[i] - t.position[i], worlds[0].info.halvings,
					                   worlds[1].info.halvings);
				}
			}
		}
		world_end(&worlds[0]);
		world_end(&worlds[1]);
	}
	cr_expect_gt(parts, 40, "%d steps in parts", parts);
	cr_expect_gt(compared, 800, "%d steps compared", compared);
}

/* Tests careless scenes: bodies that start inside the floor or each other, impacts at tens of sizes per step, spin at
 * the limit of the integrator. No state becomes NaN, a failed step does not change the state, and bodies leave an
 * overlap at a bounded speed of about sqrt(g L) (docs/formulation.md 8). */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/world.h"

static const double g = 9.81;

/* Runs until nothing overlaps, but for at most `seconds`, and then for another tenth of a second. While bodies overlap,
 * no speed may exceed `limit`. */
static void recover(World *world, double seconds, double limit, const char *what)
{
	const int steps = (int)lround(seconds / world->def.timestep);
	int after = (int)lround(0.1 / world->def.timestep);
	int n = 0;
	for (bool apart = false; after > 0; n++) {
		cr_assert_lt(n, steps, "%s: still %g m deep after %g s", what, world->info.max_penetration, seconds);
		const AbutOutcome outcome = world_try(world);
		cr_assert(outcome == ABUT_OUTCOME_EXACT || outcome == ABUT_OUTCOME_RELAXED, "%s, step %d: %s", what, n,
		          abut_outcome_name(outcome));
		for (int i = 0; i < world->def.n_bodies && !apart; i++) {
			const AbutBodyState s = world_body(world, i);
			cr_assert_leq(abut_norm3(s.linear_velocity), limit,
			              "%s, step %d: body %d at %g m/s, more than %g", what, n, i,
			              abut_norm3(s.linear_velocity), limit);
		}
		apart = apart || world->info.max_penetration < 1e-8;
		after -= apart;
	}
	cr_assert_leq(world->info.max_penetration, 1e-8, "%s: %g m deep at the end", what, world->info.max_penetration);
	for (int i = 0; i < abut_contact_count(world->workspace); i++) {
		const AbutContact contact = world_contact(world, i);
		cr_assert_gt(contact.gap, -1e-8, "%s: contact %d still overlaps by %g m", what, i, -contact.gap);
	}
}

static double rates[] = {20.0, 100.0};

ParameterizedTestParameters(recovery, cube_in_the_floor)
{
	return cr_make_param_array(double, rates, 2);
}

ParameterizedTest(double *rate, recovery, cube_in_the_floor)
{
	static const double heights[] = {0.49, 0.4, 0.2, 0.0, -0.2, -0.5, -1.5};
	for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
		for (unsigned seed = 0; seed < 6; seed++) {
			AbutRng rng = {seed};
			World world;
			char what[96];
			world_begin(&world);
			world.def.timestep = 1.0 / *rate;
			world_add_floor(&world, 0.0, 0.0, 1.0);
			AbutBodyDef *body = world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, heights[i]);
			if (seed > 0) {
				abut_rng_rotation(&rng, body->orientation);
			}
			snprintf(what, sizeof what, "height %g, seed %u, %g Hz", heights[i], seed, *rate);
			world_make(&world);
			recover(&world, 2.5, 1.5 * sqrt(g * sqrt(0.75)) + g / *rate, what);
			world_end(&world);
		}
	}
}

typedef struct Overlap {
	int first, second; /* primitives */
	double distance;   /* distance of the centres */
	int axis;          /* axis along the line of centres; 3: a diagonal */
	bool first_static;
} Overlap;

enum { MOST_OVERLAPS = 128 };

ParameterizedTestParameters(recovery, two_bodies)
{
	static Overlap overlaps[MOST_OVERLAPS];
	static const double distances[] = {0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 1e-3, 1e-9, 0.0};
	static const int pairs[][2] = {{0, 0}, {3, 4}, {1, 1}};
	size_t count = 0;
	for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
		for (int axis = 0; axis < 4; axis++) {
			overlaps[count++] = (Overlap){0, 0, distances[d], axis, axis % 2 == 0};
			overlaps[count++] = (Overlap){0, 0, distances[d], axis, axis % 2 == 1};
		}
	}
	for (int axis = 0; axis < 4; axis++) {
		for (int p = 1; p < 3; p++) {
			overlaps[count++] = (Overlap){pairs[p][0], pairs[p][1], 0.1, axis, axis == 1};
			overlaps[count++] = (Overlap){pairs[p][0], pairs[p][1], 0.0, axis, axis == 1};
		}
		for (int kind = 5; kind < WORLD_SHAPES; kind++) {
			overlaps[count++] = (Overlap){kind, 2, 0.1, axis, axis == 2};
		}
	}
	return cr_make_param_array(Overlap, overlaps, count);
}

ParameterizedTest(Overlap *c, recovery, two_bodies)
{
	double line[3] = {c->axis == 3 ? 0.6 : 0.0, c->axis == 3 ? 0.5 : 0.0, c->axis == 3 ? sqrt(0.39) : 0.0};
	if (c->axis < 3) {
		line[c->axis] = 1.0;
	}
	World world;
	char what[128];
	world_begin(&world);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutShape *first = make_primitive(c->first, 1.0), *second = make_primitive(c->second, 1.0);
	const double reach = first->outer_radius + second->outer_radius;
	const double height =
	    c->first_static ? 4.0 : 0.7; /* leave space below a static body, so that there is a way out */
	world_add(&world, first, c->first_static ? 0.0 : 1.0, 0.0, 0.0, height);
	world_add(&world, second, 1.0, c->distance * line[0], c->distance * line[1], height + c->distance * line[2]);
	snprintf(what, sizeof what, "%s and %s at %g m along %d%s", primitive_name(c->first), primitive_name(c->second),
	         c->distance, c->axis, c->first_static ? ", one static" : "");
	world_make(&world);
	/* If the way out is downwards, gravity adds to the speed, here for two tenths of a second. */
	recover(&world, 2.0, 1.5 * sqrt(g * reach) + 0.2 * g, what);
	world_end(&world);
}

/* A body overlaps a static one that leaves too little space above the floor: no motion satisfies the step. The step may
 * fail, but must then leave the state unchanged. */
Test(recovery, dead_end)
{
	for (int kind = 0; kind < WORLD_SHAPES; kind++) {
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_primitive(kind, 1.0), 0.0, 0.0, 0.0, 0.7);
		world_add(&world, make_primitive(kind, 1.0), 1.0, 0.0, 0.0, 0.6);
		world_make(&world);
		for (int n = 0; n < 50; n++) {
			const AbutBodyState before = world_body(&world, 2);
			const AbutOutcome outcome = world_try(&world);
			const AbutBodyState after = world_body(&world, 2);
			cr_assert_leq(abut_norm3(after.linear_velocity), 10.0, "%s", primitive_name(kind));
			if (outcome == ABUT_OUTCOME_FAILED) {
				cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
				break;
			}
		}
		world_end(&world);
	}
}

typedef struct Fast {
	double speed;
	int kind;
	int target; /* 0 floor, 1 static box, 2 moving box */
} Fast;

enum { MOST_FAST = 2 * WORLD_SHAPES * 3 };

ParameterizedTestParameters(recovery, fast_bodies)
{
	static Fast cases[MOST_FAST];
	size_t count = 0;
	for (int kind = 0; kind < WORLD_SHAPES; kind++) {
		for (int target = 0; target < 3; target++) {
			cases[count++] = (Fast){50.0, kind, target};
			cases[count++] = (Fast){200.0, kind, target};
		}
	}
	return cr_make_param_array(Fast, cases, count);
}

static bool same_state(const World *world, const AbutBodyState *states)
{
	for (int i = 0; i < world->def.n_bodies; i++) {
		const AbutBodyState s = world_body(world, i);
		if (memcmp(&s, &states[i], sizeof s) != 0) {
			return false;
		}
	}
	return true;
}

/* Returns the energy (J) with the moments cos(turn / 2) J w instead of J w. It measures what impulses have added to a
 * body; the average spin w alone overstates it at turns near a radian per step. `half` receives the largest half turn.
 */
static double moment_energy(const World *world, double *half)
{
	double energy = abut_state_energy(world->model, world->state), turning = energy, square = 0.0;
	*half = 0.0;
	for (int i = 0; i < world->def.n_bodies; i++) {
		const AbutBodyState s = world_body(world, i);
		const double m = abut_model_body_mass(world->model, i);
		turning -= m * (0.5 * abut_dot3(s.linear_velocity, s.linear_velocity) + g * s.position[2]);
		if (m > 0.0) {
			const double psi = 0.5 * world->def.timestep * abut_norm3(s.angular_velocity);
			*half = fmax(*half, psi);
			square = fmax(square, psi * psi);
		}
	}
	return energy - square * turning;
}

/* Checks that a failed step leaves the state unchanged, and that contact adds no energy, apart from an allowance for
 * tumbling. The energy is checked while turns stay below about a radian per step (half turn 0.6). The discrete moment
 * grows with w up to |dt w / 2| = sqrt(1/2) and then decreases, so beyond that it no longer measures how fast a body
 * turns. */
static void assert_sane(World *world, int steps, const char *what)
{
	AbutBodyState states[WORLD_BODIES];
	double half = 0.0, fastest = 0.0, energy = moment_energy(world, &half);
	const double start = energy;
	int raised = 0, failed = 0;
	for (int n = 0; n < steps; n++) {
		for (int i = 0; i < world->def.n_bodies; i++) {
			states[i] = world_body(world, i);
		}
		const AbutOutcome outcome = world_try(world);
		failed += outcome == ABUT_OUTCOME_FAILED;
		raised += outcome == ABUT_OUTCOME_RAISED_KAPPA;
		if (outcome == ABUT_OUTCOME_FAILED) {
			cr_assert(same_state(world, states), "%s, step %d: failed, but the state has changed", what, n);
			break;
		}
		const double before = half, now = moment_energy(world, &half);
		cr_expect(now <= 1.25 * energy + 0.02 * start || fmax(half, before) > 0.6,
		          "%s, step %d: energy goes from %g to %g J, half turn %g to %g", what, n, energy, now, before,
		          half);
		fastest = fmax(fastest, half);
		energy = now;
	}
	/* beyond this, the cosine of the next step is not real, and abut_state_set_body refuses the result of
	 * abut_state_get_body */
	cr_expect_lt(fastest, 38.4, "%s: a half turn of %g", what, fastest);
	cr_expect_eq(failed, 0, "%s: failed", what);
	cr_expect_eq(raised, 0, "%s: %d steps solved only at a larger kappa", what, raised);
}

ParameterizedTest(Fast *c, recovery, fast_bodies)
{
	for (unsigned seed = 0; seed < 5; seed++) {
		AbutRng rng = {100u * (unsigned)c->kind + seed};
		World world;
		char what[128];
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_primitive(c->kind, 1.0), 1.0, 0.0, 0.0, 4.0);
		abut_rng_rotation(&rng, body->orientation);
		body->linear_velocity[2] = -c->speed;
		if (c->target > 0) {
			world_add(&world, make_box(1.0, 1.0, 0.5), c->target == 1 ? 0.0 : 5.0, 0.1, 0.2, 0.5);
		}
		snprintf(what, sizeof what, "%s at %g m/s, target %d, seed %u", primitive_name(c->kind), c->speed,
		         c->target, seed);
		world_make(&world);
		assert_sane(&world, 60, what);
		world_end(&world);
	}
}

/* Found in 9600 random fast impacts: a cone that crosses the edge of a static box within a step was thrown out sideways
 * at 237 m/s (28440 J from 20039 J), by the root for a face on the far side. */
Test(recovery, not_thrown_out_sideways)
{
	static const unsigned seeds[] = {388992, 389074};
	for (int i = 0; i < 2; i++) {
		AbutRng rng = {seeds[i]};
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_primitive(5, 1.0), 1.0, 0.0, 0.0, 4.0);
		abut_rng_rotation(&rng, body->orientation);
		body->linear_velocity[2] = -200.0;
		world_add(&world, make_box(1.0, 1.0, 0.5), 0.0, 0.1, 0.2, 0.5);
		world_make(&world);
		assert_sane(&world, 10, "cone over the edge of a box");
		world_end(&world);
	}
}

/* Spins with |dt w / 2| up to just below 1. A sphere keeps the moment cos(turn / 2) w of the discrete law, which has a
 * second, slower root beyond sqrt(1/2). Other bodies are solved, or their step fails and leaves them unchanged. */
Test(recovery, spin_at_the_limit)
{
	static const double shares[] = {0.7, 0.9, 0.949};
	for (int kind = 0; kind < WORLD_SHAPES; kind++) {
		for (int k = 0; k < 3; k++) {
			for (int floor = 0; floor < 2; floor++) {
				World world;
				AbutBodyState before, after;
				world_begin(&world);
				if (floor) {
					world_add_floor(&world, 0.0, 0.0, 1.0);
				} else {
					world.def.gravity[2] = 0.0;
				}
				AbutBodyDef *body = world_add(&world, make_primitive(kind, 1.0), 1.0, 0.0, 0.0, 0.9);
				const double w = shares[k] * 2.0 / world.def.timestep;
				body->angular_velocity[0] = 0.6 * w;
				body->angular_velocity[2] = 0.8 * w;
				world_make(&world);
				const int moving = floor;
				for (int n = 0; n < 30; n++) {
					before = world_body(&world, moving);
					const AbutOutcome outcome = world_try(&world);
					after = world_body(&world, moving);
					cr_assert_leq(0.5 * world.def.timestep * abut_norm3(after.angular_velocity),
					              1.0);
					if (outcome == ABUT_OUTCOME_FAILED) {
						cr_assert_eq(memcmp(&before, &after, sizeof before), 0,
						             "%s at %g: changed by a failed step", primitive_name(kind),
						             shares[k]);
						break;
					}
					if (kind == 1 && !floor) {
						const double *turn = after.angular_velocity;
						const double half = 0.5 * world.def.timestep * abut_norm3(turn);
						const double kept = sqrt(1.0 - half * half) * half;
						const double sought = sqrt(1.0 - shares[k] * shares[k]) * shares[k];
						cr_assert_float_eq(kept, sought, 1e-9, "share %g, step %d: %g for %g",
						                   shares[k], n, kept, sought);
						cr_assert(shares[k] > 0.7 || fabs(half - shares[k]) < 1e-8,
						          "share %g goes to %g", shares[k], half);
					}
				}
				world_end(&world);
			}
		}
	}
}

/* A pair found only after the step was solved once must not separate faster than one found before. Spheres c and d
 * overlap, and b strikes c. In the first (late) case a strikes b; in the second, b has this speed from the start. */
Test(recovery, of_a_pair_beside_one_that_is_found_late)
{
	double parted[3];
	for (int push = 0; push < 3; push++) {
		static const double gap = 0.03, speed = 3.9; /* moves 1.3 gaps in a step */
		const double places[4] = {0.0, 1.0001, 2.0001 + gap, 2.0001 + gap + 0.934};
		World world;
		world_begin(&world);
		world.def.friction = 0.0;
		for (int i = 0; i < 4; i++) {
			AbutBodyDef *body = world_add(&world, make_sphere(0.5), 1.0, places[i], 0.0, 0.0);
			body->linear_velocity[0] = push == 1 && i == 0   ? 2.0 * speed
			                           : push == 2 && i == 1 ? speed
			                                                 : 0.0;
		}
		world_make(&world);
		world_step(&world);
		parted[push] = world_body(&world, 3).linear_velocity[0] - world_body(&world, 2).linear_velocity[0];
		world_end(&world);
	}
	cr_assert_float_eq(parted[1], parted[0], 1e-6, "late %g, alone %g m/s", parted[1], parted[0]);
	cr_assert_float_eq(parted[2], parted[0], 1e-6, "foreseen %g, alone %g m/s", parted[2], parted[0]);
}

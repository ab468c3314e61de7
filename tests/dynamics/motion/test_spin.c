/* Tests spin up to the integrator's limit and beyond. Asserts the angular momentum
 *
 *     L = R (c J w - (dt/2) w x J w),    c = sqrt(1 - |dt w / 2|^2),    dt of the last part of a step,
 *
 * which a torque changes by exactly its impulse, and nothing else changes (docs/formulation.md 2). The reported w is a
 * mean over that part and exceeds the rate of L by the factor 1/c. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/state/state.h"
#include "dynamics/world.h"

/* Returns half the turn of the last part. */
static double half_turn(const World *world, int body)
{
	const AbutBodyState s = world_body(world, body);
	return 0.5 * world->state->motion[body].last_timestep * world->model->units.time *
	       abut_norm3(s.angular_velocity);
}

/* Computes the angular momentum about the centre, world axes. It is zero before the first step unless the body was
 * given a spin. */
static void angular_momentum(const World *world, int body, double L[3])
{
	const AbutBodyState s = world_body(world, body);
	const double dt = world->state->motion[body].last_timestep * world->model->units.time, *w = s.angular_velocity;
	double Jw[3], turn[3], R[9];
	abut_mat3_vec(world->model->bodies[body].inertia_si, w, Jw);
	const double c = sqrt(1.0 - 0.25 * dt * dt * abut_dot3(w, w));
	abut_cross3(w, Jw, turn);
	for (int i = 0; i < 3; i++) {
		L[i] = c * Jw[i] - 0.5 * dt * turn[i];
	}
	abut_quat_to_mat3(s.orientation, R);
	abut_mat3_vec(R, L, L);
}

static void begin_free(World *world, AbutShape *shape, double mass)
{
	world_begin(world);
	world->def.gravity[2] = 0.0;
	world_add(world, shape, mass, 0.0, 0.0, 0.0);
}

/* A torque turns a cube of 1 kg and 1 m, J = 1/6, from rest until a step would exceed the largest turn. */
Test(spin, torque_in_free_flight)
{
	for (double torque = 100.0; torque < 1700.0; torque *= 2.0) {
		for (int axis = 0; axis < 3; axis++) {
			World world;
			begin_free(&world, make_cube(1.0), 1.0);
			world.bodies[0].torque[axis] = torque;
			world_make(&world);
			/* momenta that a whole step can take: dt L / (2 J) up to 0.45 (dynamics/step/advance.c) */
			for (int n = 1; 0.5 * 0.01 * n * 0.01 * torque * 6.0 <= 0.45 - 1e-9; n++) {
				double L[3];
				world_step(&world);
				cr_expect_eq(world.info.outcome, ABUT_OUTCOME_EXACT, "%g N m, step %d: %s", torque, n,
				             abut_outcome_name(world.info.outcome));
				cr_expect_not(world.info.retried, "%g N m, step %d", torque, n);
				cr_expect(world.info.tries <= 1 && world.info.halvings == 0,
				          "%g N m, step %d: %d tries, %d halvings", torque, n, world.info.tries,
				          world.info.halvings);
				angular_momentum(&world, 0, L);
				for (int i = 0; i < 3; i++) {
					const double sought = i == axis ? 0.01 * n * torque : 0.0;
					cr_expect_float_eq(L[i], sought, 1e-9 * n * torque,
					                   "%g N m, step %d: %.12g for %g", torque, n, L[i], sought);
				}
			}
			world_end(&world);
		}
	}
}

/* A body that turns faster than a whole step allows continues in parts. L = torque t throughout, and c w = L / J, with
 * c the cosine of the last part's half turn. */
Test(spin, torque_past_a_whole_step)
{
	static const double torques[] = {40.0, 50.0, 60.0};
	for (size_t k = 0; k < sizeof torques / sizeof *torques; k++) {
		World world;
		int parts = 0;
		begin_free(&world, make_cube(1.0), 2.0);
		world.bodies[0].torque[2] = torques[k];
		world_make(&world);
		for (int n = 1; n <= 100; n++) {
			double L[3];
			const double sought = 0.01 * n * torques[k];
			world_step(&world);
			cr_expect_eq(world.info.outcome, ABUT_OUTCOME_EXACT, "%g N m, step %d: %s", torques[k], n,
			             abut_outcome_name(world.info.outcome));
			angular_momentum(&world, 0, L);
			cr_expect_float_eq(L[2], sought, 1e-8 * sought, "%g N m, step %d: %.12g for %g", torques[k], n,
			                   L[2], sought);
			cr_expect(fabs(L[0]) <= 1e-8 * sought && fabs(L[1]) <= 1e-8 * sought);
			cr_expect_leq(half_turn(&world, 0), sqrt(0.5), "%g N m, step %d: half turn %g", torques[k], n,
			              half_turn(&world, 0));
			parts += world.info.halvings > 0;
		}
		const double w = world_body(&world, 0).angular_velocity[2], psi = half_turn(&world, 0);
		cr_expect_float_eq(w * sqrt(1.0 - psi * psi), 3.0 * torques[k], 1e-6, "%g N m: %g rad/s", torques[k],
		                   w);
		cr_expect_gt(parts, 10, "%g N m: %d steps in parts", torques[k], parts);
		world_end(&world);
	}
}

/* The torque is too large for any step. Every step is right, or it fails, leaves the state unchanged and names the
 * spin; from then on every step fails. The torques have random axes, and the bodies three different moments. */
Test(spin, too_much_torque)
{
	int ended = 0, solved = 0;
	for (unsigned seed = 0; seed < 30; seed++) {
		AbutRng rng = {seed};
		World world;
		bool failed = false;
		const double size = 64.0 * (seed < 10 ? 4000.0 * (seed + 1) : exp(abut_rng_uniform(&rng, 5.0, 12.0)));
		begin_free(&world, seed < 5 ? make_cube(1.0) : make_box(0.5, 0.4, 0.3), 2.0);
		double axis[3] = {0.0, 0.0, 1.0};
		for (int i = 0; i < 3 && seed >= 10; i++) {
			axis[i] = abut_rng_normal(&rng);
		}
		for (int i = 0; i < 3; i++) {
			world.bodies[0].torque[i] = size * axis[i] / abut_norm3(axis);
		}
		world_make(&world);
		double before[3] = {0.0, 0.0, 0.0};
		for (int n = 0; n < 60; n++) {
			const AbutBodyState old = world_body(&world, 0);
			const AbutOutcome outcome = world_try(&world);
			const AbutBodyState now = world_body(&world, 0);
			double L[3], change[3], R[9], torque[3];
			if (outcome == ABUT_OUTCOME_FAILED) {
				char text[512];
				cr_expect_eq(memcmp(&old, &now, sizeof old), 0, "seed %u, step %d: changed", seed, n);
				abut_step_explain(world.model, world.state, &world.info, text, sizeof text);
				const bool fast = 0.5 * 0.01 * abut_norm3(old.angular_velocity) > 64.0 * 3.84;
				cr_expect(!fast || strstr(text, "spins") != NULL, "seed %u, step %d: %s", seed, n,
				          text);
				failed = true;
				break;
			}
			cr_expect(outcome == ABUT_OUTCOME_EXACT || outcome == ABUT_OUTCOME_RELAXED,
			          "seed %u, step %d: %s", seed, n, abut_outcome_name(outcome));
			angular_momentum(&world, 0, L);
			abut_quat_to_mat3(old.orientation, R);
			abut_mat3_vec(R, world.bodies[0].torque, torque);
			for (int i = 0; i < 3; i++) {
				change[i] = L[i] - before[i] - (world.info.halvings == 0 ? 0.01 * torque[i] : 0.0);
			}
			/* in parts the torque turns with the body, so that only its size is a bound */
			const double allowed = world.info.halvings == 0 ? 0.0 : 0.01 * size;
			cr_expect_leq(abut_norm3(change), allowed + 1e-7 * (size + abut_norm3(L)),
			              "seed %u, step %d: momentum %g instead of %g, halvings %d", seed, n,
			              abut_norm3(L), abut_norm3(before), world.info.halvings);
			cr_expect(world.info.halvings == 0 || seed >= 10 ||
			              fabs(abut_norm3(change) - allowed) <= 1e-7 * (size + abut_norm3(L)),
			          "seed %u, step %d: momentum changes by %g for %g", seed, n, abut_norm3(change),
			          allowed);
			abut_copy3(L, before);
			solved++;
		}
		ended += failed;
		world_end(&world);
	}
	cr_expect_gt(ended, 10, "%d runs ended", ended);
	cr_expect_gt(solved, 100, "%d steps solved", solved);
}

/* A body tumbles without torque at half turns of 0.79, in parts. L is constant up to the residual of each part. The
 * energy w J w / 2 of the averages w is constant to a few percent: the integrator's own energy differs from it by
 * second order in the half turn. */
Test(spin, tumbling_keeps_energy)
{
	static const double shares[] = {0.3, 0.55, 0.65, 0.79, 0.9};
	for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
		for (unsigned seed = 0; seed < 12; seed++) {
			AbutRng rng = {seed};
			World world;
			double w[3], first[3] = {0.0}, energy = 0.0;
			begin_free(&world, seed % 2 ? make_box(0.5, 0.4, 0.3) : make_primitive(7, 1.0), 1.0);
			for (int i = 0; i < 3; i++) {
				w[i] = abut_rng_normal(&rng);
			}
			for (int i = 0; i < 3; i++) {
				world.bodies[0].angular_velocity[i] = shares[k] * 200.0 * w[i] / abut_norm3(w);
			}
			world_make(&world);
			for (int n = 0; n < 100; n++) {
				double L[3];
				world_step(&world);
				angular_momentum(&world, 0, L);
				if (n == 0) {
					abut_copy3(L, first);
					energy = abut_state_energy(world.model, world.state);
				}
				for (int i = 0; i < 3; i++) {
					cr_assert_float_eq(L[i], first[i], 1e-7 * abut_norm3(first),
					                   "half turn %g, seed %u, step %d: momentum off by %g of %g",
					                   shares[k], seed, n, L[i] - first[i], abut_norm3(first));
				}
				const double now = abut_state_energy(world.model, world.state);
				cr_assert_float_eq(now, energy, 0.05 * energy,
				                   "half turn %g, seed %u, step %d: %g J for %g", shares[k], seed, n,
				                   now, energy);
			}
			world_end(&world);
		}
	}
}

/* Tests what contact conserves. Linear momentum is exact, because impulses are equal and opposite. For angular
 * momentum, the integrator takes each impulse's lever at the end of the step, but the path of the centre over the step
 * (Dojo eq. 16-18). With
 *
 *     L = sum x x m v + R (c J w - (dt/2) w x J w)
 *
 * a contact that gives F to b changes L by exactly -dt (v_b - v_a) x F. This is a first-order error in dt, which is
 * zero for bodies whose centres have a common velocity. The test asserts this law, so that nothing else is lost. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

typedef struct Momentum {
	double linear[3], angular[3], size; /* size: sum of the bodies' own */
} Momentum;

/* Computes the momenta of all bodies. `J` are the principal moments in body axes, the axes of these shapes. */
static Momentum total(const World *world, double J[][3])
{
	const double dt = world->def.timestep;
	Momentum out = {.size = 0.0};
	for (int b = 0; b < world->def.n_bodies; b++) {
		const AbutBodyState s = world_body(world, b);
		const double m = world->bodies[b].mass, *w = s.angular_velocity;
		const double Jw[3] = {J[b][0] * w[0], J[b][1] * w[1], J[b][2] * w[2]};
		const double c = sqrt(1.0 - 0.25 * dt * dt * abut_dot3(w, w));
		double turn[3], orbit[3], R[9];
		abut_cross3(w, Jw, turn);
		for (int i = 0; i < 3; i++) {
			turn[i] = c * Jw[i] - 0.5 * dt * turn[i];
		}
		abut_quat_to_mat3(s.orientation, R);
		abut_mat3_vec(R, turn, turn);
		abut_cross3(s.position, s.linear_velocity, orbit);
		for (int i = 0; i < 3; i++) {
			out.linear[i] += m * s.linear_velocity[i];
			out.angular[i] += m * orbit[i] + turn[i];
		}
		out.size += m * abut_norm3(s.linear_velocity) + abut_norm3(Jw);
	}
	return out;
}

typedef struct Meeting {
	int first, second;
} Meeting;

ParameterizedTestParameters(momentum, of_free_pairs)
{
	static Meeting meetings[WORLD_SHAPES * WORLD_SHAPES];
	size_t count = 0;
	for (int i = 0; i < WORLD_SHAPES; i++) {
		for (int j = 0; j < WORLD_SHAPES; j++) {
			if (i != 7 && j != 7) { /* the polytope's principal axes are not its own */
				meetings[count++] = (Meeting){i, j};
			}
		}
	}
	return cr_make_param_array(Meeting, meetings, count);
}

/* Tolerance: the exact residual, 1e-10 in units of m v, at most once per step and body. */
ParameterizedTest(Meeting *c, momentum, of_free_pairs)
{
	for (unsigned seed = 0; seed < 4; seed++) {
		AbutRng rng = {64u * (unsigned)c->first + 8u * (unsigned)c->second + seed};
		World world;
		double J[2][3];
		world_begin(&world);
		world.def.gravity[2] = 0.0;
		world.def.timestep = seed % 2 ? 0.02 : 0.005;
		for (int i = 0; i < 2; i++) {
			AbutShape *shape = make_primitive(i == 0 ? c->first : c->second, 1.0);
			const double mass = abut_rng_uniform(&rng, 0.5, 2.0);
			for (int k = 0; k < 3; k++) {
				J[i][k] = shape->mass.inertia[4 * k] * mass / shape->mass.volume;
				cr_assert_float_eq(shape->mass.centre_of_mass[k], 0.0, 1e-12);
			}
			AbutBodyDef *body = world_add(&world, shape, mass, 1.5 * i, abut_rng_uniform(&rng, -0.3, 0.3),
			                              abut_rng_uniform(&rng, -0.3, 0.3));
			abut_rng_rotation(&rng, body->orientation);
			for (int k = 0; k < 3; k++) {
				body->linear_velocity[k] = abut_rng_uniform(&rng, -0.2, 0.2);
				body->angular_velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
			}
			body->linear_velocity[0] += i == 0 ? 1.0 : -1.0;
		}
		world_make(&world);
		Momentum before = total(&world, J);
		const double scale = before.size;
		double passed = 0.0;
		for (int n = 0; n < (int)lround(1.0 / world.def.timestep); n++) {
			world_step(&world);
			AbutContact contact;
			const bool solved = world_find(&world, 0, 1, &contact);
			const AbutBodyState a = world_body(&world, 0), b = world_body(&world, 1);
			double F[3] = {0.0, 0.0, 0.0}, relative[3], lost[3];
			for (int i = 0; i < 3 && solved; i++) {
				F[i] = contact.normal_impulse * contact.normal[i] + contact.friction_impulse[i];
			}
			for (int i = 0; i < 3; i++) {
				relative[i] = b.linear_velocity[i] - a.linear_velocity[i];
			}
			abut_cross3(relative, F, lost);
			const Momentum after = total(&world, J);
			if (world.info.halvings > 0) {
				before = after; /* the contact reported is that of the last half step */
				continue;
			}
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(after.linear[i], before.linear[i], 1e-9 * scale,
				                   "%s, %s, seed %u, step %d", primitive_name(c->first),
				                   primitive_name(c->second), seed, n);
				cr_assert_float_eq(after.angular[i], before.angular[i] - world.def.timestep * lost[i],
				                   1e-9 * scale, "%s, %s, seed %u, step %d: %g",
				                   primitive_name(c->first), primitive_name(c->second), seed, n,
				                   after.angular[i] - before.angular[i] + world.def.timestep * lost[i]);
			}
			passed += abut_norm3(F);
			before = after;
		}
		cr_expect_gt(passed, 0.0, "seed %u: they missed each other", seed);
		world_end(&world);
	}
}

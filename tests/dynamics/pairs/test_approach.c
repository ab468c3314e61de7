/* Compares the bound on the approach of two parts with the speeds of points sampled on them. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/body/bounds.h"
#include "dynamics/pairs/approach.h"
#include "dynamics/step/gather.h"
#include "dynamics/world.h"

enum { SAMPLES = 200 };

/* Begins a world with two bodies at random poses. */
static void begin_two(World *world, AbutRng *rng)
{
	world_begin(world);
	world->def.gravity[2] = 0.0;
	for (int i = 0; i < 2; i++) {
		AbutBodyDef *body =
		    world_add(world, make_primitive((int)(abut_rng_next(rng) % WORLD_SHAPES), 1.0), 1.0, 0.0, 0.0, 0.0);
		abut_rng_rotation(rng, body->orientation);
		body->has_centre_of_mass = true;
		for (int j = 0; j < 3; j++) {
			body->position[j] = (i == 0 ? -2.0 : 2.0) + abut_rng_normal(rng);
			body->centre_of_mass[j] = 0.2 * abut_rng_normal(rng);
		}
	}
	world_make(world);
	abut_step_gather(world->model, world->state, world->workspace, world->model->timestep);
}

static void random_vector(AbutRng *rng, double size, double out[3])
{
	for (int j = 0; j < 3; j++) {
		out[j] = size * abut_rng_normal(rng);
	}
}

static void set_motion(AbutBodyWork *body, const double v[3], const double w[3])
{
	abut_copy3(v, body->v0);
	abut_copy3(w, body->w0);
	abut_scale3(body->mass, v, body->momentum);
}

/* Returns the velocity of a point of a body along a direction. */
static double velocity(const AbutBodyWork *body, const double point[3], const double along[3])
{
	double arm[3], turn[3];
	abut_sub3(point, body->x0, arm);
	abut_cross3(body->w0, arm, turn);
	return abut_dot3(along, body->v0) + abut_dot3(along, turn);
}

/* Two bodies that move as one, in any motion, do not approach each other. */
Test(approach, common_motion_is_none)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		World world;
		double v[3], w[3], along[3];
		begin_two(&world, &rng);
		random_vector(&rng, 10.0, v);
		random_vector(&rng, 20.0, w);
		random_vector(&rng, 1.0, along);
		abut_scale3(1.0 / abut_norm3(along), along, along);
		AbutBodyWork *bodies = world.workspace->bodies;
		for (int i = 0; i < 2; i++) {
			double own[3];
			abut_cross3(w, bodies[i].x0, own);
			abut_add3(own, v, own);
			set_motion(&bodies[i], own, w);
		}
		const double bound = abut_approach_bound(world.model, (const int[2]){0, 1}, bodies, along);
		cr_assert_leq(bound, 1e-12, "seed %u: %g", seed, bound);
		world_end(&world);
	}
}

/* For one of three planes, at rest or fixed to either body, no sampled point is faster than the bound, which is at most
 * that of the plane at rest. */
Test(approach, no_point_is_faster)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		World world;
		double along[3], fastest[3] = {0.0, 0.0, 0.0}, resting = 0.0;
		begin_two(&world, &rng);
		random_vector(&rng, 1.0, along);
		abut_scale3(1.0 / abut_norm3(along), along, along);
		AbutBodyWork *bodies = world.workspace->bodies;
		for (int i = 0; i < 2; i++) {
			double v[3], w[3];
			random_vector(&rng, 2.0, v);
			random_vector(&rng, seed % 3 ? 5.0 : 0.5, w);
			set_motion(&bodies[i], v, w);
		}
		const double dt = world.model->timestep;
		for (int i = 0; i < 2; i++) {
			double own = 0.0;
			const AbutPart *part = &world.model->parts[i];
			for (int k = 0; k < SAMPLES; k++) {
				double direction[3], point[3];
				random_vector(&rng, 1.0, direction);
				abut_shape_support(part->shape, direction, point);
				abut_sub3(point, world.model->bodies[i].centre_of_mass, point);
				abut_scale3(1.0 / world.model->units.length, point, point);
				abut_mat3_vec(bodies[i].R0, point, point);
				abut_add3(point, bodies[i].x0, point);
				const double here = velocity(&bodies[i], point, along);
				const double other = velocity(&bodies[1 - i], point, along);
				own = fmax(own, fabs(here));
				fastest[i] = fmax(fastest[i], fabs(here - other));
			}
			fastest[2] += own;
			resting += fabs(abut_dot3(bodies[i].v0, along)) + part->reach * abut_norm3(bodies[i].w0);
		}
		const double bound =
		    abut_approach_bound(world.model, (const int[2]){0, 1}, bodies, along) / (ABUT_GENEROUS * dt);
		const double least = fmin(fastest[2], fmin(fastest[0], fastest[1]));
		cr_assert_geq(bound, least * (1.0 - 1e-12), "seed %u: %g, a point has %g", seed, bound, least);
		cr_assert_leq(bound, resting * (1.0 + 1e-12), "seed %u: %g of %g", seed, bound, resting);
		world_end(&world);
	}
}

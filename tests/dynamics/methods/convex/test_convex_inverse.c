/* Tests that the inverse of method convex returns the forces that a step was given. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/world.h"

enum { MOST = 8 };

/* Begins a world with the given friction, or with a random one if it is negative. */
static void make_scene(World *world, AbutRng *rng, unsigned seed, double friction)
{
	world_begin(world);
	world->def.timestep = 0.005;
	world->def.solver.method = ABUT_METHOD_CONVEX;
	world->def.solver.friction_cone = (AbutFrictionCone)(seed % 2);
	world->def.solver.impratio = abut_rng_uniform(rng, 0.5, 3.0);
	world->def.friction = friction >= 0.0 ? friction : seed % 7 == 0 ? 0.0 : abut_rng_uniform(rng, 0.2, 1.0);
	world_add_floor(world, 0.1, 0.05, 1.0); /* out of the plane of planar bodies, too */
	const int n = 2 + (int)(seed % 4);
	for (int i = 0; i < n; i++) {
		AbutShape *shape = i % 2 ? make_sphere(0.2) : make_box(0.2, 0.3, 0.15);
		AbutBodyDef *body = world_add(world, shape, abut_rng_uniform(rng, 0.5, 5.0),
		                              abut_rng_uniform(rng, -0.1, 0.1), 0.0, 0.4 + 0.6 * i);
		if (seed % 5 == 0) {
			turn_about(0.0, 1.0, 0.0, abut_rng_uniform(rng, 0.0, 3.0), body->orientation);
			body->planar_xz = true;
		} else {
			abut_rng_rotation(rng, body->orientation);
		}
		body->linear_velocity[2] = -1.0 - i;
	}
	world_make(world);
}

static void push(const World *world, AbutRng *rng, double size, double force[3], double torque[3], int body)
{
	for (int k = 0; k < 3; k++) {
		force[k] = size * abut_rng_normal(rng);
		torque[k] = 0.1 * size * abut_rng_normal(rng);
	}
	if (world->bodies[body].planar_xz) {
		force[1] = torque[0] = torque[2] = 0.0;
	}
	cr_assert_eq(abut_state_set_input(world->model, world->state, body, force, torque), ABUT_OK);
}

/* In 50 scenes of boxes and balls, takes 60 steps. Each body gets a new random push in each step. The inverse must find
 * it within `bound` of the largest force. */
static void check_scenes(double friction, double bound)
{
	double worst = 0.0;
	long touching = 0;
	for (unsigned seed = 0; seed < 50; seed++) {
		AbutRng rng = abut_rng_stream(seed, 5);
		World world;
		AbutState *before = NULL;
		make_scene(&world, &rng, seed, friction);
		cr_assert_eq(abut_state_create(world.model, &before, NULL), ABUT_OK);
		for (int i = 0; i < 60; i++) {
			double force[3 * MOST] = {0.0}, torque[3 * MOST] = {0.0}, found[6 * MOST] = {0.0};
			for (int body = 1; body < world.def.n_bodies; body++) {
				push(&world, &rng, 10.0, &force[3 * body], &torque[3 * body], body);
			}
			cr_assert_eq(abut_state_copy(world.model, world.state, before), ABUT_OK);
			for (int body = 1; body < world.def.n_bodies; body++) { /* it does not read them off */
				const double none[3] = {0.0};
				abut_state_set_input(world.model, before, body, none, none);
			}
			world_step(&world);
			double largest = 10.0;
			for (int c = 0; c < abut_contact_count(world.workspace); c++) {
				const AbutContact contact = world_contact(&world, c);
				largest = fmax(largest, contact.normal_impulse / world.def.timestep);
				touching += contact.normal_impulse > 0.0;
			}
			cr_assert_eq(abut_convex_inverse(world.model, world.workspace, before, world.state, found,
			                                 &found[3 * MOST], NULL),
			             ABUT_OK);
			for (int k = 3; k < 3 * world.def.n_bodies; k++) {
				const double off =
				    fmax(fabs(found[k] - force[k]), 10.0 * fabs(found[3 * MOST + k] - torque[k]));
				worst = fmax(worst, off / largest);
				cr_assert_leq(
				    off, bound * largest,
				    "off by %g of %g, residual %g; seed %u step %d entry %d: %g and %g, not %g and %g",
				    off, largest, world.info.residual, seed, i, k, found[k], found[3 * MOST + k],
				    force[k], torque[k]);
			}
			cr_assert_eq(found[0], 0.0);
		}
		abut_state_destroy(before);
		world_end(&world);
	}
	cr_expect_gt(touching, 1000);
	cr_log_info("friction %g: largest difference %g of the largest force; %ld contacts", friction, worst, touching);
}

Test(convex_inverse, returns_what_pushed)
{
	check_scenes(-1.0, 1e-9);
}

/* Edges of a pyramid that are nearly parallel have weights of 1 / mu^2, by which the inverse amplifies the rounding of
 * the velocities: 1e-13 m/s^2 for 5 m/s and 0.005 s. */
Test(convex_inverse, of_small_friction)
{
	check_scenes(0.1, 1e-8);
	check_scenes(0.01, 2e-7);
}

/* A box that shall hover at rest needs exactly its weight; one that shall start upwards needs ten times as much. */
Test(convex_inverse, lifting_by_hand)
{
	World world;
	AbutState *after = NULL;
	double force[6], torque[6];
	world_begin(&world);
	world.def.solver.method = ABUT_METHOD_CONVEX;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(0.4), 2.0, 0.0, 0.0, 0.5);
	world_make(&world);
	cr_assert_eq(abut_state_create(world.model, &after, NULL), ABUT_OK);
	for (int lifted = 0; lifted < 2; lifted++) {
		AbutBodyState s = world_body(&world, 1);
		s.linear_velocity[2] = lifted ? 9.0 * 9.81 * world.def.timestep : 0.0;
		cr_assert_eq(abut_state_set_body(world.model, after, 1, &s), ABUT_OK);
		cr_assert_eq(abut_convex_inverse(world.model, world.workspace, world.state, after, force, torque, NULL),
		             ABUT_OK);
		cr_expect_float_eq(force[5], (lifted ? 10.0 : 1.0) * 2.0 * 9.81, 1e-11, "%g", force[5]);
		cr_expect_float_eq(abut_norm3(&torque[3]) + hypot(force[3], force[4]), 0.0, 1e-12);
	}
	abut_state_destroy(after);
	world_end(&world);
}

Test(convex_inverse, refuses_other_methods)
{
	World world;
	AbutError error;
	double force[3], torque[3];
	world_begin(&world);
	world_add(&world, make_cube(0.4), 2.0, 0.0, 0.0, 0.5);
	world_make(&world);
	cr_expect_eq(abut_convex_inverse(world.model, world.workspace, world.state, world.state, force, torque, &error),
	             ABUT_ERROR_UNSUPPORTED);
	cr_expect(strstr(error.message, "single-level"), "%s", error.message);
	cr_expect_eq(abut_convex_inverse(world.model, world.workspace, world.state, NULL, force, torque, &error),
	             ABUT_ERROR_ARGUMENT);
	world_end(&world);
}

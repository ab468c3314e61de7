/* Tests method convex with the barriers of Todorov (ICRA 2011): closed forms of its steps, and the inverse. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/convex.h"
#include "abut/gradient.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/world.h"

static const double g = 9.81;

static void begin(World *world, double kappa)
{
	world_begin(world);
	world->def.timestep = 0.005;
	world->def.solver.method = ABUT_METHOD_CONVEX;
	world->def.solver.convex_model = ABUT_CONVEX_MODEL_BARRIER;
	world->def.solver.kappa = kappa;
}

/* A ball is within its margin, and its impulse is well inside the cone. In the limit of no barriers R f + v = 0, with v
 * = f / m + c and R = r(w) / m. So the share r / (1 + r) of its approach c is left. r is the compliance (1 - d) / d of
 * both impedances, mixed by the share of the margin that is left. */
Test(convex_barrier, a_ball_is_slowed_within_its_margin)
{
	static const double margin = 0.2, d0 = 0.3, d1 = 0.9, speed = 2.0;
	for (int i = 0; i <= 4; i++) {
		World world;
		const double gap = 0.25 * i * margin - (i == 0 ? 1e-4 : 1e-9), r0 = (1.0 - d0) / d0,
		             r1 = (1.0 - d1) / d1;
		begin(&world, 1e-9);
		world.def.solver.margin = margin;
		world.def.solver.solimp[0] = d0;
		world.def.solver.solimp[1] = d1;
		world.def.gravity[2] = 0.0;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.2), 3.0, 0.0, 0.0, 0.2 + gap)->linear_velocity[2] = -speed;
		world_make(&world);
		world_step(&world);
		const double r = r1 + (r0 - r1) * fmax(gap, 0.0) / margin;
		const double slowed = -speed * r / (1.0 + r);
		/* at most the velocity that closes the gap; in overlap 1e-4 / 0.005 upwards */
		const double expected = fmax(slowed, -gap / 0.005);
		cr_expect_float_eq(world_body(&world, 1).linear_velocity[2], expected, 1e-6, "gap %g: %.9g, not %.9g",
		                   gap, world_body(&world, 1).linear_velocity[2], expected);
		world_end(&world);
	}
}

/* As kappa goes to zero, a fast sliding box has a friction impulse of mu times its normal impulse. */
Test(convex_barrier, a_sliding_box_slows_by_its_friction)
{
	World world;
	begin(&world, 1e-9);
	world.def.friction = 0.3;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	AbutBodyDef *box = world_add(&world, make_box(0.5, 0.4, 0.05), 2.0, 0.0, 0.0, 0.0501);
	box->linear_velocity[0] = 1.6;
	box->linear_velocity[1] = 1.2;
	world_make(&world);
	for (int i = 0; i < 40; i++) {
		world_step(&world);
		AbutContact contact;
		world_find(&world, 0, 1, &contact);
		const double *f = contact.friction_impulse;
		cr_assert_float_eq(hypot(f[0], f[1]), 0.3 * contact.normal_impulse, 1e-4 * contact.normal_impulse,
		                   "step %d: %g of %g", i, hypot(f[0], f[1]), contact.normal_impulse);
		cr_assert_gt(contact.gap, -1e-6);
	}
	world_end(&world);
}

/* A stack of four boxes stays at rest, slightly above the floor and each other. */
Test(convex_barrier, a_stack_stands)
{
	World world;
	begin(&world, 1e-6);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 4; i++) {
		world_add(&world, make_cube(0.4), 1.0 + i, 0.0, 0.0, 0.2 + 0.4 * i);
	}
	world_make(&world);
	world_run(&world, 100);
	for (int i = 0; i < 4; i++) {
		const AbutBodyState s = world_body(&world, 1 + i);
		cr_expect_float_eq(s.position[0], 0.0, 1e-9, "box %d at %g", i, s.position[0]);
		cr_expect(s.position[2] > 0.2 + 0.4 * i - 1e-9 && s.position[2] < 0.2 + 0.4 * i + 1e-4,
		          "box %d at %.9g", i, s.position[2]);
	}
	world_end(&world);
}

/* In 20 scenes of boxes and balls, each body gets a new random push in each step. The inverse finds it within 1e-8 of
 * the largest force. */
Test(convex_barrier, the_inverse_returns_what_pushed)
{
	double worst = 0.0;
	long touching = 0;
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = abut_rng_stream(seed, 7);
		World world;
		AbutState *before = NULL;
		begin(&world, 1e-3);
		world.def.friction = abut_rng_uniform(&rng, 0.1, 1.0);
		world.def.solver.margin = 0.05;
		world.def.solver.solimp[0] = 0.05;
		world_add_floor(&world, 0.1, 0.05, 1.0);
		for (int i = 0; i < 3; i++) {
			AbutBodyDef *body = world_add(&world, i % 2 ? make_sphere(0.2) : make_box(0.2, 0.3, 0.15),
			                              abut_rng_uniform(&rng, 0.5, 5.0), 0.05 * i, 0.0, 0.4 + 0.6 * i);
			abut_rng_rotation(&rng, body->orientation);
			body->linear_velocity[2] = -1.0 - i;
		}
		world_make(&world);
		cr_assert_eq(abut_state_create(world.model, &before, NULL), ABUT_OK);
		for (int step = 0; step < 60; step++) {
			double force[12] = {0.0}, torque[12] = {0.0}, found[24], largest = 10.0;
			const double none[3] = {0.0};
			for (int k = 3; k < 12; k++) {
				force[k] = 10.0 * abut_rng_normal(&rng);
				torque[k] = abut_rng_normal(&rng);
			}
			for (int body = 1; body < 4; body++) {
				abut_state_set_input(world.model, world.state, body, &force[3 * body],
				                     &torque[3 * body]);
			}
			cr_assert_eq(abut_state_copy(world.model, world.state, before), ABUT_OK);
			for (int body = 1; body < 4; body++) {
				abut_state_set_input(world.model, before, body, none, none);
			}
			world_step(&world);
			for (int c = 0; c < abut_contact_count(world.workspace); c++) {
				largest = fmax(largest, world_contact(&world, c).normal_impulse / world.def.timestep);
				touching++;
			}
			cr_assert_eq(abut_convex_inverse(world.model, world.workspace, before, world.state, found,
			                                 &found[12], NULL),
			             ABUT_OK);
			for (int k = 3; k < 12; k++) {
				const double off =
				    fmax(fabs(found[k] - force[k]), 10.0 * fabs(found[12 + k] - torque[k]));
				worst = fmax(worst, off / largest);
				cr_assert_leq(off, 1e-8 * largest, "seed %u, step %d: off by %g of %g", seed, step, off,
				              largest);
			}
		}
		abut_state_destroy(before);
		world_end(&world);
	}
	cr_expect_gt(touching, 1000);
	cr_log_info("largest difference %g of the largest force; %ld contacts", worst, touching);
}

/* These steps have no derivatives. Thin cones act like those of friction 0.001. */
Test(convex_barrier, has_no_derivative)
{
	World world;
	AbutGradient *gradient = NULL;
	AbutError error = {.status = ABUT_OK};
	begin(&world, 1e-6);
	world.def.friction = 0.0;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(0.4), 1.0, 0.0, 0.0, 0.201);
	world_make(&world);
	world_run(&world, 20);
	cr_expect_float_eq(world_touch(&world, 0, 1).normal_impulse, g * 0.005, 1e-6);
	cr_expect_eq(abut_gradient_create(world.model, 0.0, &gradient, &error), ABUT_ERROR_UNSUPPORTED);
	cr_expect(strstr(error.message, "barrier") && strstr(error.message, "soft"), "%s", error.message);
	world_end(&world);
}

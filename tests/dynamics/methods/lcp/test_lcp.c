/* Tests method lcp: closed forms, gaps, unsupported options, and that it shares threads, worlds and snapshots with the
 * other methods. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/step/workspace.h"
#include "dynamics/watched_steps.h"
#include "dynamics/world.h"

/* --- closed forms --- */

Test(lcp, a_box_at_rest_stays)
{
	for (int gap = 0; gap < ABUT_LCP_GAP_COUNT; gap++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.solver.lcp_gap = (AbutLcpGap)gap;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_box(0.5, 0.4, 0.3), 2.0, 0.1, 0.2, 0.3);
		world_make(&world);
		world_run(&world, 200);
		const AbutBodyState s = world_body(&world, 1);
		cr_assert_float_eq(s.position[0], 0.1, 1e-13);
		cr_assert_float_eq(s.position[1], 0.2, 1e-13);
		cr_assert_float_eq(s.position[2], 0.3, 1e-13, "gap %d: %g", gap, s.position[2] - 0.3);
		cr_assert_lt(abut_norm3(s.linear_velocity) + abut_norm3(s.angular_velocity), 1e-13);
		const AbutContact contact = world_touch(&world, 0, 1);
		cr_assert_float_eq(contact.normal_impulse, 2.0 * 9.81 * 0.01, 1e-12);
		cr_assert_float_eq(contact.point[0], 0.1, 1e-9);
		cr_assert_float_eq(contact.normal[2], 1.0, 1e-15);
		world_end(&world);
	}
}

/* The box slides along an axis of the pyramid. v falls by mu g dt per step, and to zero if v is smaller than this. */
Test(lcp, a_sliding_box_slows_by_mu_g)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_LCP);
	world.def.friction = 0.3;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_box(0.5, 0.4, 0.1), 2.0, 0.0, 0.0, 0.1)->linear_velocity[0] = 1.0;
	world_make(&world);
	double v = 1.0;
	for (int i = 0; i < 60; i++) {
		world_step(&world);
		v = fmax(v - 0.3 * 9.81 * 0.01, 0.0);
		const AbutBodyState s = world_body(&world, 1);
		cr_assert_float_eq(s.linear_velocity[0], v, 1e-11, "step %d: %.15g, not %.15g", i, s.linear_velocity[0],
		                   v);
		cr_assert_float_eq(s.linear_velocity[1], 0.0, 1e-11);
		cr_assert_float_eq(s.position[2], 0.1, 1e-12);
	}
	cr_assert_eq(v, 0.0);
	world_end(&world);
}

/* The reported impulse acts on b, along the normal from a to b, whichever of the two is the floor. */
Test(lcp, reports_impulses_on_b)
{
	for (int floor = 0; floor < 2; floor++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.friction = 0.3;
		for (int i = 0; i < 2; i++) {
			if (i == floor) {
				world_add_floor(&world, 0.0, 0.0, 1.0);
			} else {
				AbutBodyDef *box = world_add(&world, make_box(0.5, 0.4, 0.1), 2.0, 0.0, 0.0, 0.1);
				box->linear_velocity[0] = 1.0;
				box->linear_velocity[1] = -1.0;
			}
		}
		world_make(&world);
		world_step(&world);
		const double sign = floor == 0 ? 1.0 : -1.0, load = 2.0 * 9.81 * 0.01;
		const AbutContact contact = world_touch(&world, 0, 1);
		cr_assert_float_eq(contact.normal[2], sign, 1e-15);
		cr_assert_float_eq(contact.normal_impulse, load, 1e-12);
		cr_assert_float_eq(contact.friction_impulse[0], -sign * 0.3 * load, 1e-12);
		cr_assert_float_eq(contact.friction_impulse[1], sign * 0.3 * load, 1e-12);
		cr_assert_float_eq(contact.friction_impulse[2], 0.0, 1e-15);
		cr_assert_float_eq(contact.scaling, 1.0, 1e-12);
		cr_assert_eq(contact.torsional_impulse, 0.0);
		world_end(&world);
	}
}

/* The fall line of the slope is an axis of the pyramid, so that mu is the limit. */
Test(lcp, a_box_slides_above_the_friction_angle)
{
	const double angle = 0.4;
	for (int above = 0; above < 2; above++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.friction = tan(angle) + (above ? -1e-3 : 1e-3);
		world_add_floor(&world, sin(angle), 0.0, cos(angle));
		AbutBodyDef *box =
		    world_add(&world, make_box(0.5, 0.5, 0.1), 1.0, 0.1 * sin(angle), 0.0, 0.1 * cos(angle));
		turn_about(0.0, 1.0, 0.0, angle, box->orientation);
		world_make(&world);
		world_run(&world, 50);
		const AbutBodyState s = world_body(&world, 1);
		const double speed = s.linear_velocity[0] * cos(angle) - s.linear_velocity[2] * sin(angle);
		const double expected = above ? 0.5 * 9.81 * (sin(angle) - world.def.friction * cos(angle)) : 0.0;
		cr_assert_float_eq(speed, expected, 1e-10, "%g, not %g", speed, expected);
		world_end(&world);
	}
}

/* Without restitution both boxes continue with the common velocity, and the momentum stays the same. */
Test(lcp, colliding_boxes_keep_their_momentum)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_LCP);
	world.def.gravity[2] = 0.0;
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0)->linear_velocity[0] = 2.0;
	world_add(&world, make_cube(1.0), 3.0, 1.005, 0.0, 0.0);
	world_make(&world);
	world_run(&world, 20);
	const AbutBodyState a = world_body(&world, 0), b = world_body(&world, 1);
	cr_assert_float_eq(a.linear_velocity[0], 0.5, 1e-12);
	cr_assert_float_eq(b.linear_velocity[0], 0.5, 1e-12);
	cr_assert_float_eq(b.position[0] - a.position[0], 1.0, 1e-12);
	world_end(&world);
}

/* Random orientations, off centre. In every step, compared with free flight, the impulses change neither the momentum
 * nor its moment. */
Test(lcp, an_oblique_collision_keeps_both_momenta)
{
	for (unsigned seed = 0; seed < 40; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		for (int i = 0; i < 2; i++) {
			AbutBodyDef *body =
			    world_add(&world, make_box(0.5, 0.4, 0.3), 1.0 + i, 1.1 * i, 0.1 * i, 0.2 * i);
			abut_rng_rotation(&rng, body->orientation);
			body->linear_velocity[0] = i ? -2.0 : 2.0;
		}
		world_make(&world);
		bool touched = false;
		for (int k = 0; k < 30; k++) {
			world_step(&world);
			double sum[6] = {0.0}, size = 0.0;
			for (int i = 0; i < 2; i++) {
				const AbutBodyWork *body = &world.workspace->bodies[i];
				const AbutLcpBody *own = &abut_lcp_work(world.workspace)->bodies[i];
				double change[6], turn[3], spin[3];
				for (int c = 0; c < 6; c++) {
					change[c] = own->next[c] - own->free[c];
				}
				abut_mat3_vec(body->inertia, &change[3], spin);
				abut_cross3(body->x0, change, turn);
				for (int c = 0; c < 3; c++) {
					sum[c] += body->mass * change[c];
					sum[3 + c] += body->mass * turn[c] + spin[c];
					size += fabs(body->mass * change[c]);
				}
			}
			for (int c = 0; c < 6; c++) {
				cr_assert_float_eq(sum[c], 0.0, 1e-13, "seed %u, step %d: %g", seed, k, sum[c]);
			}
			touched = touched || size > 0.1;
		}
		cr_assert(touched, "seed %u", seed);
		world_end(&world);
	}
}

Test(lcp, a_stack_stands)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_LCP);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 6; i++) {
		AbutBodyDef *body = world_add(&world, make_cube(1.0), 1.0, 0.02 * i, -0.01 * i, 0.5 + i);
		turn_about(0.0, 0.0, 1.0, 0.1 * i, body->orientation);
	}
	world_make(&world);
	world_run(&world, 300);
	for (int i = 0; i < 6; i++) {
		const AbutBodyState s = world_body(&world, 1 + i);
		cr_assert_float_eq(s.position[0], 0.02 * i, 1e-9);
		cr_assert_float_eq(s.position[2], 0.5 + i, 1e-9);
		const AbutContact contact = world_touch(&world, i, 1 + i);
		cr_assert_float_eq(contact.normal_impulse, (6 - i) * 9.81 * 0.01, 1e-9);
	}
	world_end(&world);
}

/* A cube rotated about two axes falls on its corner, then comes to rest. With gaps in the constraint it overlaps the
 * floor only by the error of the corner's curved way, of order (w dt)^2. Without them it overlaps by its fall in a
 * step. */
Test(lcp, gaps_keep_a_falling_cube_from_sinking)
{
	static const double most[ABUT_LCP_GAP_COUNT] = {2e-3, 0.06, 2e-3};
	for (int gap = 0; gap < ABUT_LCP_GAP_COUNT; gap++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.solver.lcp_gap = (AbutLcpGap)gap;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 2.0);
		turn_about(1.0, 0.4, 0.2, 0.5, body->orientation);
		world_make(&world);
		double worst = 0.0;
		for (int i = 0; i < 400; i++) {
			world_step(&world);
			worst = fmax(worst, world.info.max_penetration);
		}
		cr_assert_lt(worst, most[gap], "%s: %g m deep", abut_lcp_gap_name((AbutLcpGap)gap), worst);
		cr_assert(gap != ABUT_LCP_GAP_NONE || worst > 1e-3, "%g", worst);
		if (gap == ABUT_LCP_GAP_FULL) {
			cr_assert_lt(world.info.max_penetration, 1e-9, "%g at rest", world.info.max_penetration);
		}
		world_end(&world);
	}
}

/* Free flight equals that of the single-level path bit for bit. */
Test(lcp, flies_as_the_others_do)
{
	World one, two;
	World *const worlds[] = {&one, &two};
	for (int i = 0; i < 2; i++) {
		world_begin_method(worlds[i], ABUT_METHOD_LCP);
		worlds[i]->def.solver.method = i ? ABUT_METHOD_LCP : ABUT_METHOD_SINGLE_LEVEL;
		worlds[i]->def.solver.warm_start = false; /* which would start the spin elsewhere */
		AbutBodyDef *body = world_add(worlds[i], make_box(0.5, 0.3, 0.1), 1.0, 0.0, 0.0, 0.0);
		body->angular_velocity[0] = 3.0;
		body->angular_velocity[1] = 5.0;
		body->torque[2] = 0.1;
		world_make(worlds[i]);
	}
	for (int k = 0; k < 100; k++) {
		world_step(&one);
		world_step(&two);
		const AbutBodyState a = world_body(&one, 0), b = world_body(&two, 0);
		cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "step %d", k);
	}
	world_end(&one);
	world_end(&two);
}

/* A ball without gravity returns at e times its speed. */
Test(lcp, a_ball_bounces_with_its_coefficient)
{
	for (int i = 0; i <= 4; i++) {
		const double e = 0.25 * i;
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.restitution = e;
		world.def.gravity[2] = 0.0;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.5), 2.0, 0.0, 0.0, 0.623)->linear_velocity[2] = -3.0;
		world_make(&world);
		world_run(&world, 20);
		cr_assert_float_eq(world_body(&world, 1).linear_velocity[2], 3.0 * e, 1e-12, "e = %g", e);
		cr_assert_eq(world.info.exact, true);
		world_end(&world);
	}
}

/* The ball turns back at the moment within the step at which it meets the floor. At the end it is as high as in
 * continuous time, wherever this moment is in the step. */
Test(lcp, a_bounce_is_in_its_place_in_the_step)
{
	for (int i = 0; i <= 20; i++) {
		const double e = 0.8, height = 0.1 + 0.0015 * i;
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.restitution = e;
		world.def.gravity[2] = 0.0;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_sphere(0.5), 2.0, 0.0, 0.0, 0.5 + height)->linear_velocity[2] = -3.0;
		world_make(&world);
		world_run(&world, 10);
		const double z = world_body(&world, 1).position[2], expected = 0.5 + e * (3.0 * 0.1 - height);
		cr_assert_float_eq(z, expected, 1e-12, "from %g: %.15g, not %.15g", height, z, expected);
		world_end(&world);
	}
}

/* Two elastic balls collide along a line. Momentum and energy determine the velocities afterwards, whichever ball is
 * heavier. */
Test(lcp, an_elastic_collision_keeps_energy)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		const double m[2] = {abut_rng_uniform(&rng, 0.2, 5.0), abut_rng_uniform(&rng, 0.2, 5.0)};
		const double v = abut_rng_uniform(&rng, 1.0, 4.0);
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.restitution = 1.0;
		world.def.gravity[2] = 0.0;
		world_add(&world, make_sphere(0.5), m[0], 0.0, 0.0, 0.0)->linear_velocity[0] = v;
		world_add(&world, make_sphere(0.5), m[1], 1.2, 0.0, 0.0);
		world_make(&world);
		world_run(&world, 40);
		const double a = world_body(&world, 0).linear_velocity[0], b = world_body(&world, 1).linear_velocity[0];
		cr_assert_float_eq(a, v * (m[0] - m[1]) / (m[0] + m[1]), 1e-12, "seed %u: %g", seed, a);
		cr_assert_float_eq(b, 2.0 * v * m[0] / (m[0] + m[1]), 1e-12, "seed %u: %g", seed, b);
		world_end(&world);
	}
}

/* A pair's own coefficient overrides that of the scene. Bodies at rest do not bounce. */
Test(lcp, restitution_is_that_of_the_pair)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_LCP);
	world.def.restitution = 0.9;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_sphere(0.5), 1.0, 0.0, 0.0, 0.51)->linear_velocity[2] = -2.0;
	world_add(&world, make_cube(1.0), 1.0, 5.0, 0.0, 0.5);
	world_add_pair(&world, 0, 1)->restitution = 0.0;
	world_make(&world);
	world_run(&world, 100);
	for (int i = 1; i < 3; i++) {
		const AbutBodyState s = world_body(&world, i);
		cr_assert_float_eq(s.position[2], 0.5, 1e-12, "body %d: %.15g", i, s.position[2]);
	}
	world_end(&world);
}

/* --- what it is asked for, and what it refuses --- */

Test(lcp, refuses_faces_of_too_many_corners)
{
	World world;
	AbutError error = {.status = ABUT_OK};
	AbutShape *prism = NULL;
	double ring[6 * 70];
	for (int i = 0; i < 140; i++) {
		const double angle = 2.0 * 3.14159265358979 * (i / 2) / 70.0;
		ring[3 * i] = cos(angle);
		ring[3 * i + 1] = sin(angle);
		ring[3 * i + 2] = i % 2 ? 0.5 : -0.5;
	}
	cr_assert_eq(abut_shape_create_polytope_from_vertices(140, ring, &prism, &error), ABUT_OK);
	world_begin_method(&world, ABUT_METHOD_LCP);
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, prism, 1.0, 0.0, 0.0, 1.0);
	cr_assert_eq(abut_model_create(&world.def, &world.model, &error), ABUT_ERROR_UNSUPPORTED);
	cr_assert_str_eq(error.where, "bodies[1].shape");
	cr_assert(strstr(error.message, "body 1") && strstr(error.message, "method lcp") &&
	              strstr(error.message, "70 corners"),
	          "%s", error.message);
	world.def.solver.preset = ABUT_PRESET_PAPER;
	cr_assert_eq(abut_model_create(&world.def, &world.model, &error), ABUT_ERROR_UNSUPPORTED);
	cr_assert_str_eq(error.where, "solver.preset");
	world_end(&world);
}

Test(lcp, says_that_a_spin_is_too_fast)
{
	World world;
	char text[256];
	world_begin_method(&world, ABUT_METHOD_LCP);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.0)->angular_velocity[0] = 160.0;
	world_make(&world);
	const AbutBodyState before = world_body(&world, 0);
	cr_assert_eq(world_try(&world), ABUT_OUTCOME_FAILED);
	const AbutBodyState after = world_body(&world, 0);
	cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
	abut_step_explain(world.model, world.state, &world.info, text, sizeof text);
	cr_assert(strstr(text, "half turn"), "%s", text);
	world_end(&world);
}

/* A body is held between two walls that are closer than its width, with overlap to be undone. No velocity satisfies
 * this. */
Test(lcp, fails_where_there_is_no_solution)
{
	World world;
	char text[256];
	world_begin_method(&world, ABUT_METHOD_LCP);
	world.def.solver.lcp_gap = ABUT_LCP_GAP_FULL;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	world_add(&world, make_cube(1.0), 0.0, 0.0, 0.0, 1.45);
	world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.48);
	world_make(&world);
	cr_assert_eq(world_try(&world), ABUT_OUTCOME_FAILED);
	abut_step_explain(world.model, world.state, &world.info, text, sizeof text);
	cr_assert(strstr(text, "contact problem"), "%s", text);
	world_end(&world);
}

/* --- the rest of the house --- */

/* Begins a world with several heaps, which are islands: boxes, polytopes and balls. */
static void begin_heaps(World *world)
{
	world_begin_method(world, ABUT_METHOD_LCP);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 24; i++) {
		const int kind = i % 3;
		AbutBodyDef *body = world_add(world,
		                              make_primitive(kind == 0   ? 0
		                                             : kind == 1 ? 1
		                                                         : 7,
		                                             0.5),
		                              1.0 + 0.1 * i, 3.0 * (i % 4) + 0.05 * i, 0.03 * i, 0.4 + 0.6 * (i / 4));
		body->angular_velocity[i % 3] = 1.0;
	}
}

/* Each solver of the problem solves all steps of the same heaps, and none leaves more overlap than the others. */
Test(lcp, heaps_come_to_rest_by_any_solver)
{
	for (int solver = 0; solver < ABUT_LCP_SOLVER_COUNT; solver++) {
		World world;
		int not_exact = 0;
		begin_heaps(&world);
		world.def.solver.lcp_solver = (AbutLcpSolver)solver;
		world_make(&world);
		double worst = 0.0;
		for (int step = 0; step < 300; step++) {
			world_step(&world);
			worst = fmax(worst, world.info.max_penetration);
			not_exact += !world.info.exact;
		}
		const char *name = abut_lcp_solver_name((AbutLcpSolver)solver);
		cr_assert_lt(worst, 0.02, "%s: %g m deep", name, worst);
		cr_assert_lt(not_exact, 15, "%s: %d steps not exact", name, not_exact);
		for (int body = 1; body < 25; body++) {
			const AbutBodyState s = world_body(&world, body);
			cr_assert_lt(fabs(s.linear_velocity[2]), 0.2, "%s, body %d: %g m/s", name, body,
			             s.linear_velocity[2]);
		}
		world_end(&world);
	}
}

Test(lcp, threads_change_no_bit)
{
	World worlds[2];
	for (int i = 0; i < 2; i++) {
		begin_heaps(&worlds[i]);
		world_make(&worlds[i]);
	}
	abut_workspace_destroy(worlds[1].workspace);
	cr_assert_eq(abut_workspace_create_threaded(worlds[1].model, 3, &worlds[1].workspace, NULL), ABUT_OK);
	for (int step = 0; step < 150; step++) {
		world_step(&worlds[0]);
		world_step(&worlds[1]);
		for (int body = 1; body < 25; body++) {
			const AbutBodyState a = world_body(&worlds[0], body), b = world_body(&worlds[1], body);
			cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "step %d, body %d", step, body);
		}
		cr_assert_eq(abut_contact_count(worlds[0].workspace), abut_contact_count(worlds[1].workspace));
	}
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

/* A snapshot that is restored in another state and workspace continues bit for bit: it contains the memory of the
 * method. */
Test(lcp, goes_on_from_a_snapshot)
{
	World one, two;
	begin_heaps(&one);
	begin_heaps(&two);
	world_make(&one);
	world_make(&two);
	world_run(&one, 80);
	const size_t n = abut_state_snapshot_size(one.model, one.state);
	double *numbers = malloc(n * sizeof *numbers);
	cr_assert_eq(abut_state_snapshot(one.model, one.state, numbers), ABUT_OK);
	cr_assert_eq(abut_state_restore(two.model, two.state, n, numbers, NULL), ABUT_OK);
	free(numbers);
	for (int step = 0; step < 80; step++) {
		world_step(&one);
		world_step(&two);
		for (int body = 1; body < 25; body++) {
			const AbutBodyState a = world_body(&one, body), b = world_body(&two, body);
			cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "step %d, body %d", step, body);
		}
	}
	world_end(&one);
	world_end(&two);
}

Test(lcp, allocates_nothing_in_a_step)
{
	World world;
	begin_heaps(&world);
	world_make(&world);
	world_run_watched(&world, 150);
	world_end(&world);
}

/* The same scene in millimetres and grams moves in the same way. */
Test(lcp, units_do_not_matter)
{
	World worlds[2];
	for (int i = 0; i < 2; i++) {
		const double scale = i ? 1e-3 : 1.0;
		world_begin_method(&worlds[i], ABUT_METHOD_LCP);
		for (int k = 0; k < 3; k++) {
			worlds[i].def.gravity[k] *= scale;
		}
		world_add_floor(&worlds[i], 0.0, 0.0, 1.0);
		AbutBodyDef *body =
		    world_add(&worlds[i], make_box(0.5 * scale, 0.4 * scale, 0.3 * scale), 1.0, 0.0, 0.0, 1.0 * scale);
		turn_about(1.0, 0.3, 0.0, 0.4, body->orientation);
		world_make(&worlds[i]);
		world_run(&worlds[i], 60);
	}
	const AbutBodyState a = world_body(&worlds[0], 1), b = world_body(&worlds[1], 1);
	for (int k = 0; k < 3; k++) {
		cr_assert_float_eq(a.position[k], 1e3 * b.position[k], 1e-9);
	}
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

/* A light box carries a heavy one exactly, at the mass ratio that docs/interface.md promises. */
Test(lcp, a_light_box_carries_a_heavy_one)
{
	for (int solver = 0; solver < ABUT_LCP_SOLVER_COUNT; solver++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_LCP);
		world.def.friction = 0.5;
		world.def.solver.lcp_solver = (AbutLcpSolver)solver;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
		world_add(&world, make_cube(1.0), 1e6, 0.0, 0.0, 1.5);
		world_make(&world);
		for (int step = 0; step < 100; step++) {
			world_step(&world);
			cr_assert(solver != ABUT_LCP_SOLVER_DANTZIG || world.info.exact, "step %d: residual %g", step,
			          world.info.residual);
		}
		for (int i = 0; i < 2; i++) {
			const double off = world_body(&world, 1 + i).position[2] - 0.5 - i;
			cr_assert_float_eq(off, 0.0, 1e-9, "solver %d, body %d: %g", solver, i, off);
		}
		world_end(&world);
	}
}

/* A planar body stays in its plane, where it falls, slides and rests like a body in space. */
Test(lcp, planar_bodies_stay_in_their_plane)
{
	World worlds[2];
	for (int i = 0; i < 2; i++) {
		world_begin_method(&worlds[i], ABUT_METHOD_LCP);
		world_add_floor(&worlds[i], 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&worlds[i], make_box(0.5, 0.4, 0.3), 1.0, 0.0, 0.0, 1.0);
		turn_about(0.0, 1.0, 0.0, 0.4, body->orientation);
		body->planar_xz = i == 1;
		body->linear_velocity[0] = 1.0;
		world_make(&worlds[i]);
	}
	for (int step = 0; step < 200; step++) {
		world_step(&worlds[0]);
		world_step(&worlds[1]);
		const AbutBodyState space = world_body(&worlds[0], 1), planar = world_body(&worlds[1], 1);
		cr_assert_eq(planar.position[1], 0.0);
		for (int k = 0; k < 3; k++) {
			cr_assert_float_eq(planar.position[k], space.position[k], 1e-9, "step %d: %g, not %g", step,
			                   planar.position[k], space.position[k]);
			cr_assert_float_eq(planar.angular_velocity[k], space.angular_velocity[k], 1e-8,
			                   "step %d: %g, not %g", step, planar.angular_velocity[k],
			                   space.angular_velocity[k]);
		}
	}
	const AbutBodyState s = world_body(&worlds[1], 1);
	cr_assert_float_eq(s.position[2], 0.3, 1e-3);
	cr_assert_lt(fabs(s.linear_velocity[2]), 1e-9);
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

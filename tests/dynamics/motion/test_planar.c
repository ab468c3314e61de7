/* Tests planar bodies: nothing leaves the plane, motion in the plane equals that in space, and Newton's directions
 * respect the plane. */
#include "dynamics/contact/direction_check.h"
#include "dynamics/contact_scenes.h"
#include "dynamics/island/island.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/snapshot.h"
#include "dynamics/world.h"

Test(planar, directions_are_those_of_differences)
{
	for (int i = 0; i < CONTACT_SCENES; i++) {
		for (int seed = 0; seed < 5; seed++) {
			ContactFixture fixture;
			AbutRng rng = {(uint64_t)(100 * i + seed)};
			contact_fixture_make(&contact_scenes[i], (uint64_t)seed, &fixture);
			for (int b = 0; b < fixture.model->n_bodies; b++) { /* the last one of several moves in space */
				const bool planar = b == 0 || b + 2 < fixture.model->n_bodies;
				fixture.model->bodies[b].planar = fixture.workspace->bodies[b].planar = planar;
			}
			set_up_island(&fixture);
			AbutIsland *island = fixture.island;
			sample_interior(island->ncp.cones, island->ncp.n_cones, &rng, island->iterate.z);
			sample_interior(island->ncp.cones, island->ncp.n_cones, &rng, island->iterate.s);
			sample_unknowns(&fixture, &rng);
			direction_check(&island->ncp, &island->iterate, 0.5, contact_scenes[i].name, seed);
			contact_fixture_destroy(&fixture);
		}
	}
}

/* Two primitives are thrown onto a floor that slopes along x and y, which pushes them out of their plane. */
Test(planar, stays_in_its_plane)
{
	for (unsigned seed = 0; seed < 16; seed++) {
		AbutRng rng = {seed};
		World world;
		world_begin(&world);
		world_add_floor(&world, 0.2, 0.4, 1.0);
		for (int i = 0; i < 2; i++) {
			AbutBodyDef *body =
			    world_add(&world, make_primitive((int)((seed + 3U * (unsigned)i) % WORLD_SHAPES), 0.5), 1.0,
			              0.1 * i, 0.0, 1.0 + 1.2 * i);
			abut_rng_rotation(&rng, body->orientation);
			body->linear_velocity[0] = abut_rng_uniform(&rng, -1.0, 1.0);
			body->force[1] = 3.0;
			body->planar_xz = true;
		}
		world_make(&world);
		const AbutBodyState before[2] = {world_body(&world, 1), world_body(&world, 2)};
		double energy = abut_state_energy(world.model, world.state);
		for (int step = 0; step < 100; step++) {
			world_step(&world);
			for (int i = 0; i < 2; i++) {
				const AbutBodyState at = world_body(&world, 1 + i);
				double w[3], back[4], turn[4];
				spin_world(&at, w);
				cr_assert_float_eq(at.linear_velocity[1], 0.0, 1e-12, "seed %u, step %d", seed, step);
				cr_assert_float_eq(hypot(w[0], w[2]), 0.0, 1e-12, "seed %u, step %d", seed, step);
				for (int k = 0; k < 4; k++) {
					back[k] = k == 0 ? before[i].orientation[0] : -before[i].orientation[k];
				}
				abut_quat_mul(at.orientation, back, turn);
				cr_assert_float_eq(hypot(turn[1], turn[3]), 0.0, 1e-12, "seed %u, step %d", seed, step);
			}
			const double now = abut_state_energy(world.model, world.state);
			cr_assert_leq(now, energy + 1e-6, "seed %u, step %d", seed, step);
			energy = now;
		}
		world_end(&world);
	}
}

/* A cube whose motion is symmetric about the plane stays in it even as a free body. */
Test(planar, in_the_plane_all_is_as_in_space)
{
	for (unsigned seed = 0; seed < 20; seed++) {
		AbutRng rng = {seed};
		World worlds[2];
		const double angle = abut_rng_uniform(&rng, 0.0, 6.28), spin = abut_rng_uniform(&rng, -2.0, 2.0);
		const double speed = abut_rng_uniform(&rng, -1.0, 1.0);
		for (int i = 0; i < 2; i++) {
			world_begin(&worlds[i]);
			world_add_floor(&worlds[i], 0.0, 0.0, 1.0);
			AbutBodyDef *body = world_add(&worlds[i], make_cube(1.0), 1.0, 0.0, 0.0, 1.0);
			turn_about(0.0, 1.0, 0.0, angle, body->orientation);
			body->angular_velocity[1] = spin;
			body->linear_velocity[0] = speed;
			body->planar_xz = i == 1;
			world_make(&worlds[i]);
		}
		for (int step = 0; step < 100; step++) {
			world_step(&worlds[0]);
			world_step(&worlds[1]);
			const AbutBodyState a = world_body(&worlds[0], 1), b = world_body(&worlds[1], 1);
			for (int k = 0; k < 3; k++) {
				cr_assert_float_eq(a.position[k], b.position[k], 1e-8, "seed %u, step %d", seed, step);
				cr_assert_float_eq(a.angular_velocity[k], b.angular_velocity[k], 1e-7,
				                   "seed %u, step %d", seed, step);
			}
		}
		world_end(&worlds[0]);
		world_end(&worlds[1]);
	}
}

/* As published, friction in a plane has two edges, along it. A cube slows down by mu g on a floor of any slope in the
 * plane, as with all four edges in space. */
Test(planar, slides_with_two_edges_as_published)
{
	for (int i = 0; i < 12; i++) {
		const double mu = 0.3, way = i % 2 == 0 ? 1.0 : -1.0, slope = 0.9 * (i / 2 % 3 - 1);
		const double normal[3] = {sin(slope), 0.0, cos(slope)}, along[3] = {cos(slope), 0.0, -sin(slope)};
		World worlds[2];
		for (int planar = 0; planar < 2; planar++) {
			World *world = &worlds[planar];
			world_begin(world);
			world->def.solver = abut_solver_options_preset(ABUT_PRESET_PAPER, ABUT_METHOD_SINGLE_LEVEL);
			world->def.solver.kappa = 1e-8;
			world->def.friction = mu;
			world_add_floor(world, normal[0], normal[1], normal[2]);
			AbutBodyDef *body =
			    world_add(world, make_cube(1.0), 1.0, 0.5 * normal[0], 0.0, 0.5 * normal[2]);
			turn_about(0.0, 1.0, 0.0, slope + M_PI_2 * (i / 6), body->orientation);
			for (int k = 0; k < 3; k++) {
				body->linear_velocity[k] = 4.0 * way * along[k];
			}
			body->planar_xz = planar == 1;
			world_make(world);
		}
		AbutPair pair;
		cr_assert(abut_pair_make(worlds[0].model, 0, 1, &pair) && pair.tail == 2);
		cr_assert(abut_pair_make(worlds[1].model, 0, 1, &pair) && pair.tail == 1);
		for (int step = 1; step <= 30; step++) {
			for (int planar = 0; planar < 2; planar++) {
				world_step(&worlds[planar]);
				const double fall = 9.81 * abut_state_time(worlds[planar].state);
				const double expected = 4.0 * way + fall * (sin(slope) - way * mu * cos(slope));
				const AbutBodyState at = world_body(&worlds[planar], 1);
				cr_assert_float_eq(abut_dot3(at.linear_velocity, along), expected, 1e-5,
				                   "case %d, step %d, planar %d", i, step, planar);
			}
			const AbutContact touch = world_touch(&worlds[1], 0, 1);
			cr_assert_float_eq(touch.friction_impulse[1], 0.0, 1e-15, "case %d, step %d", i, step);
		}
		world_end(&worlds[0]);
		world_end(&worlds[1]);
	}
}

/* Motion out of the plane is refused, at the start and later. */
Test(planar, motion_out_of_the_plane_is_refused)
{
	World world;
	world_begin(&world);
	AbutBodyDef *body = world_add(&world, make_cube(1.0), 1.0, 0.0, 0.0, 1.0);
	body->planar_xz = true;
	body->linear_velocity[1] = 0.1;
	AbutError error;
	world.def.n_bodies = 1;
	world.def.bodies = world.bodies;
	AbutModel *model = NULL;
	cr_assert_eq(abut_model_create(&world.def, &model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "bodies[0].planar");
	body->linear_velocity[1] = 0.0;
	turn_about(1.0, 0.0, 0.0, 1.0, body->orientation);
	body->angular_velocity[1] = 0.5; /* its own y is not the world's */
	cr_assert_eq(abut_model_create(&world.def, &model, &error), ABUT_ERROR_ARGUMENT);
	body->angular_velocity[1] = 0.0;
	world_make(&world);
	AbutBodyState at = world_body(&world, 0);
	at.linear_velocity[0] = 1.0;
	cr_expect_eq(abut_state_set_body(world.model, world.state, 0, &at), ABUT_OK);
	at.linear_velocity[1] = 1.0;
	cr_expect_eq(abut_state_set_body(world.model, world.state, 0, &at), ABUT_ERROR_ARGUMENT);
	double numbers[100];
	const size_t n = abut_state_snapshot_size(world.model, world.state);
	cr_assert(n < 100 && abut_state_snapshot(world.model, world.state, numbers) == ABUT_OK);
	cr_expect_eq(abut_state_restore(world.model, world.state, n, numbers, &error), ABUT_OK);
	numbers[abut_snapshot_body(0) + ABUT_SNAPSHOT_LINEAR + 1] = 2.0;
	cr_expect_eq(abut_state_restore(world.model, world.state, n, numbers, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "planar"), "%s", error.message);
	world_end(&world);
}

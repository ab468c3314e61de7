/* Tests method point-ncp for bodies with faces: corners of boxes, and balls, beside them. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "collision/manifold/manifold.h"
#include "collision/manifold/shape.h"
#include "dynamics/world.h"

static const double g = 9.81, dt = 0.01;

/* Every contact carries the weight above it, in the direction of the normal. */
Test(point_ncp_hulls, a_stack_carries_what_is_above)
{
	enum { BODIES = 4 };
	World world;
	world_begin_method(&world, ABUT_METHOD_POINT_NCP);
	world.def.solver.kappa = 1e-9;
	world_add_floor(&world, 0.0, 0.0, 1.0);
	for (int i = 0; i < BODIES; i++) { /* the uppermost a ball */
		AbutShape *shape = i < BODIES - 1 ? make_cube(1.0) : make_sphere(0.5);
		world_add(&world, shape, 1.0 + i, 0.05 * i, 0.0, 0.5 + i);
	}
	world_make(&world);
	world_run(&world, 100);
	double above = 0.0;
	for (int i = BODIES; i >= 1; i--) {
		const AbutContact contact = world_touch(&world, i - 1, i);
		above += i * g * dt;
		cr_assert_float_eq(contact.normal_impulse, above, 1e-6 * above, "body %d: %.9g, not %.9g", i,
		                   contact.normal_impulse, above);
		cr_assert_lt(fabs(contact.friction_impulse[0]) + fabs(contact.friction_impulse[1]), 1e-6 * above);
		cr_assert_float_eq(fabs(contact.normal[2]), 1.0, 1e-9);
		cr_assert_float_eq(world_body(&world, i).position[2], i - 0.5, 1e-5);
	}
	world_end(&world);
}

/* A box falls if more than half of it hangs over the edge, and stays otherwise. */
Test(point_ncp_hulls, a_box_falls_off_an_edge)
{
	static const double out[] = {0.45, 0.55};
	for (int i = 0; i < 2; i++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world_add(&world, make_cube(1.0), 0.0, 0.0, 0.0, 0.0);
		world_add(&world, make_cube(1.0), 1.0, out[i], 0.0, 1.0);
		world_make(&world);
		world_run(&world, 100);
		const double height = world_body(&world, 1).position[2];
		cr_assert(i == 0 ? fabs(height - 1.0) < 1e-3 : height < 0.8, "out by %g: %g", out[i], height);
		world_end(&world);
	}
}

/* A ball is over a face, an edge and a corner of a fixed cube. The gap is that of the cube's nearest point. */
Test(point_ncp_hulls, gaps_of_a_ball_are_those_of_the_nearest_point)
{
	static const double places[][3] = {{0.2, 0.1, 0.81}, {0.75, 0.1, 0.7}, {0.68, 0.69, 0.7}, {-0.1, -0.82, 0.3}};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		World world;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world.def.gravity[2] = 0.0;
		world_add(&world, make_cube(1.0), 0.0, 0.0, 0.0, 0.0);
		world_add(&world, make_sphere(0.3), 1.0, places[i][0], places[i][1], places[i][2]);
		for (int k = 0; k < 3; k++) {
			world.bodies[1].linear_velocity[k] = -5.0 * places[i][k];
		}
		world_make(&world);
		cr_assert_eq(world_try(&world), ABUT_OUTCOME_RELAXED);
		const AbutBodyState ball = world_body(&world, 1);
		double squares = 0.0;
		for (int k = 0; k < 3; k++) {
			const double beyond = fmax(fabs(ball.position[k]) - 0.5, 0.0);
			squares += beyond * beyond;
		}
		const double gap = sqrt(squares) - 0.3;
		cr_assert_float_eq(world_touch(&world, 0, 1).gap, gap, 1e-9, "place %d: %g, not %g", (int)i,
		                   world_touch(&world, 0, 1).gap, gap);
		world_end(&world);
	}
}

/* Computes the distance of the two boxes of a throw by the manifold's separating axes. */
static double separation_of(World *world, const AbutManifoldShape *box)
{
	AbutManifoldSide side[2];
	double normal[3];
	for (int i = 0; i < 2; i++) {
		const AbutBodyState body = world_body(world, 1 + i);
		side[i].shape = box;
		abut_copy3(body.position, side[i].x);
		abut_quat_to_mat3(body.orientation, side[i].R);
	}
	return abut_manifold_separation(side, normal);
}

/* A box and a second box or a ball are thrown at each other over a floor. All but a few of 25,000 steps are solved, and
 * two boxes never overlap much, not even across edges. */
Test(point_ncp_hulls, thrown_pairs_are_solved)
{
	enum { THROWS = 1000, STEPS = 25 };
	const double origin[3] = {0.0, 0.0, 0.0};
	AbutShape *box = make_box(0.5, 0.4, 0.3);
	AbutManifoldShape side;
	cr_assert_eq(abut_manifold_shape_create(box, origin, 1.0, &side, NULL), ABUT_OK);
	for (unsigned kind = 0; kind < 2; kind++) {
		long failed = 0, retried = 0;
		double deepest = 0.0;
		for (unsigned seed = 0; seed < THROWS; seed++) {
			AbutRng rng = {seed};
			World world;
			world_begin_method(&world, ABUT_METHOD_POINT_NCP);
			world_add_floor(&world, 0.1, 0.0, 1.0);
			for (int i = 0; i < 2; i++) {
				AbutShape *shape = i == 1 && kind == 1 ? make_sphere(0.4) : make_box(0.5, 0.4, 0.3);
				AbutBodyDef *body =
				    world_add(&world, shape, abut_rng_uniform(&rng, 0.5, 3.5), 0.0, 0.0, 1.0 + 1.5 * i);
				abut_rng_rotation(&rng, body->orientation);
				for (int k = 0; k < 3; k++) {
					body->linear_velocity[k] =
					    2.0 * abut_rng_normal(&rng) - (k == 2 ? 3.0 * i : 0.0);
					body->angular_velocity[k] = 3.0 * abut_rng_normal(&rng);
				}
			}
			world_make(&world);
			for (int k = 0; k < STEPS; k++) {
				const bool fails = world_try(&world) == ABUT_OUTCOME_FAILED;
				cr_expect(!fails || kind == 0, "seed %u, step %d", seed, k);
				retried += world.info.retried;
				failed += fails;
				if (fails) {
					break;
				}
				deepest = fmin(deepest, kind == 0 ? separation_of(&world, &side) : 0.0);
			}
			world_end(&world);
		}
		cr_expect_lt(failed, 5, "%ld of %d", failed, THROWS);
		cr_expect_gt(deepest, -0.02, "%g", deepest);
		cr_log_info("kind %u: %ld of %d throws failed, %ld steps past the first start, deepest %.1e m", kind,
		            failed, THROWS, retried, deepest);
	}
	abut_manifold_shape_destroy(&side);
	abut_shape_destroy(box);
}

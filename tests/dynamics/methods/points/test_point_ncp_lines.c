/* Tests method point-ncp for bodies that meet across lines: edges of boxes and axes of capsules that cross or lie side
 * by side. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

static const double g = 9.81, dt = 0.01, quarter = 1.57079632679489662;

/* Checks that a body on a fixed one stays in place for a second, and that the contact carries its weight. */
static void check_rest(const char *what, World *world, double height)
{
	world_make(world);
	world_run(world, 100);
	const AbutBodyState body = world_body(world, 1);
	const AbutContact contact = world_touch(world, 0, 1);
	cr_expect_float_eq(body.position[2], height, 1e-5, "%s: height %g, not %g", what, body.position[2], height);
	cr_expect_lt(abut_norm3(body.linear_velocity) + abut_norm3(body.angular_velocity), 1e-4, "%s moves", what);
	cr_expect_float_eq(contact.normal_impulse, g * dt, 1e-5, "%s: %g", what, contact.normal_impulse);
	cr_expect_float_eq(contact.normal[2], 1.0, 1e-5, "%s: normal %g", what, contact.normal[2]);
	cr_expect_float_eq(contact.gap, 0.0, 1e-5, "%s: gap %g", what, contact.gap);
	world_end(world);
}

static void begin_pair(World *world, AbutShape *lower, AbutShape *upper, double out, double height)
{
	world_begin_method(world, ABUT_METHOD_POINT_NCP);
	world->def.solver.kappa = 1e-9;
	world_add(world, lower, 0.0, 0.0, 0.0, 0.0);
	world_add(world, upper, 1.0, out, out, height);
}

/* Neither bar has a corner over the other. Four crossings of edges carry the upper one. */
Test(point_ncp_lines, a_bar_rests_across_another)
{
	World world;
	begin_pair(&world, make_box(1.0, 0.2, 0.2), make_box(0.2, 1.0, 0.2), 0.0, 0.4);
	check_rest("a bar", &world, 0.4);
}

/* The cube is shifted along both axes. Each cube has one corner over the other, and two crossings keep the upper one
 * from tipping over the line between them. */
Test(point_ncp_lines, a_cube_rests_on_a_quarter_of_another)
{
	World world;
	begin_pair(&world, make_cube(1.0), make_cube(1.0), 0.2, 1.0);
	world.bodies[1].position[1] = 0.3; /* or it would be in balance on the two corners */
	check_rest("a cube", &world, 1.0);
}

/* The ends of the capsule hang over the box. Two edges of the box carry it. */
Test(point_ncp_lines, a_capsule_rests_across_a_box)
{
	World world;
	begin_pair(&world, make_box(0.3, 0.5, 0.2), make_capsule(0.1, 2.0), 0.0, 0.3);
	turn_about(0.0, 1.0, 0.0, quarter, world.bodies[1].orientation);
	check_rest("a capsule", &world, 0.3);
}

/* The capsule lies on the box with both ends. */
Test(point_ncp_lines, a_capsule_rests_on_a_box)
{
	World world;
	begin_pair(&world, make_box(0.5, 0.5, 0.2), make_capsule(0.1, 0.6), 0.1, 0.3);
	turn_about(0.0, 1.0, 0.0, quarter, world.bodies[1].orientation);
	check_rest("a capsule", &world, 0.3);
}

/* The other way round, the box's edges and faces are above the capsules. */
Test(point_ncp_lines, a_box_rests_across_two_capsules)
{
	World world;
	world_begin_method(&world, ABUT_METHOD_POINT_NCP);
	world.def.solver.kappa = 1e-9;
	for (int i = 0; i < 2; i++) {
		AbutBodyDef *rod = world_add(&world, make_capsule(0.1, 2.0), 0.0, i ? 0.3 : -0.3, 0.0, 0.0);
		turn_about(1.0, 0.0, 0.0, quarter, rod->orientation);
	}
	world_add(&world, make_box(0.6, 0.4, 0.2), 1.0, 0.0, 0.0, 0.3);
	world_make(&world);
	world_run(&world, 100);
	cr_expect_float_eq(world_body(&world, 2).position[2], 0.3, 1e-5, "%g", world_body(&world, 2).position[2]);
	for (int i = 0; i < 2; i++) {
		cr_expect_float_eq(world_touch(&world, i, 2).normal_impulse, 0.5 * g * dt, 1e-4);
	}
	world_end(&world);
}

/* Computes the distance of the axes of two capsules of core length 1, by a fine search along one and in closed form to
 * the other. */
static double axes_apart(const World *world)
{
	enum { PLACES = 2000 };
	double first[2][3], along[2][3], least = INFINITY;
	for (int i = 0; i < 2; i++) {
		const AbutBodyState body = world_body(world, i);
		double R[9];
		abut_quat_to_mat3(body.orientation, R);
		for (int c = 0; c < 3; c++) {
			along[i][c] = R[3 * c + 2];
			first[i][c] = body.position[c] - 0.5 * along[i][c];
		}
	}
	for (int k = 0; k <= PLACES; k++) {
		double to[3];
		for (int c = 0; c < 3; c++) {
			to[c] = first[0][c] + (double)k / PLACES * along[0][c] - first[1][c];
		}
		const double share = fmin(fmax(abut_dot3(along[1], to), 0.0), 1.0);
		for (int c = 0; c < 3; c++) {
			to[c] -= share * along[1][c];
		}
		least = fmin(least, abut_norm3(to));
	}
	return least;
}

/* Capsules that cross, lie side by side, or meet with an end never overlap. The reported gap is the distance of the
 * axes minus the radii. */
Test(point_ncp_lines, gaps_of_capsules_are_those_of_their_axes)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		AbutRng rng = {seed};
		World world;
		bool touched = false;
		world_begin_method(&world, ABUT_METHOD_POINT_NCP);
		world.def.gravity[2] = 0.0;
		for (int i = 0; i < 2; i++) {
			AbutBodyDef *body = world_add(&world, make_capsule(0.2, 1.0), 1.0, 0.1 * i, 0.2 * i, 1.5 * i);
			body->linear_velocity[2] = -3.0 * i;
			if (seed % 3 == 0) {
				turn_about(1.0, 0.0, 0.0, quarter, body->orientation);
			} else {
				abut_rng_rotation(&rng, body->orientation);
			}
		}
		world_make(&world);
		for (int k = 0; k < 50; k++) {
			AbutContact contact;
			cr_assert_neq(world_try(&world), ABUT_OUTCOME_FAILED, "seed %u, step %d", seed, k);
			const double gap = axes_apart(&world) - 0.4;
			if (world_find(&world, 0, 1, &contact) && contact.normal_impulse > 1e-3) {
				touched = true;
				cr_assert_float_eq(contact.gap, gap, 1e-5, "seed %u, step %d: %g, not %g", seed, k,
				                   contact.gap, gap);
			}
			cr_assert_gt(gap, -1e-4, "seed %u, step %d: %g", seed, k, gap);
		}
		cr_assert(touched, "seed %u", seed);
		world_end(&world);
	}
}

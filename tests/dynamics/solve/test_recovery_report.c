/* Tests the reports while overlap is removed. Gap and scaling must be those of the actual poses, not those of the plane
 * moved back or of the pair moved apart. The recovery of one body must not affect others. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/vec3.h"
#include "dynamics/world.h"

/* Returns the depth of a body's lowest point below the floor through the origin. */
static double depth_of(const World *world, int body)
{
	const AbutBodyState s = world_body(world, body);
	double R[9], down[3] = {0.0, 0.0, -1.0};
	abut_quat_to_mat3(s.orientation, R);
	abut_mat3_tvec(R, down, down);
	return abut_shape_support(world->shapes[body], down, NULL) - s.position[2];
}

/* For every shape, at every depth and random orientations, gap = -depth at the new pose, and max_penetration agrees.
 * The solver's own alpha is correct once nothing is moved back, up to its complementarity of 1e-10. */
Test(recovery_report, gap_in_a_plane)
{
	static const double heights[] = {0.2, 0.0, -0.3, -1.0};
	for (int kind = 0; kind < WORLD_SHAPES; kind++) {
		for (unsigned seed = 0; seed < 12; seed++) {
			AbutRng rng = {seed};
			World world;
			world_begin(&world);
			world_add_floor(&world, 0.0, 0.0, 1.0);
			AbutBodyDef *body =
			    world_add(&world, make_primitive(kind, 1.0), 1.0, 0.0, 0.0, heights[seed % 4]);
			if (seed >= 4) {
				abut_rng_rotation(&rng, body->orientation);
			}
			world_make(&world);
			for (int n = 0; n < 60; n++) {
				world_step(&world);
				AbutContact contact;
				const double depth = depth_of(&world, 1);
				if (!world_find(&world, 0, 1, &contact)) {
					continue;
				}
				cr_assert_float_eq(contact.gap, -depth, 1e-8, "%s, seed %u, step %d: gap %g, depth %g",
				                   primitive_name(kind), seed, n, contact.gap, depth);
				cr_assert_float_eq(world.info.max_penetration, fmax(depth, 0.0), 1e-8,
				                   "%s, seed %u, step %d: %g, depth %g", primitive_name(kind), seed, n,
				                   world.info.max_penetration, depth);
				cr_assert(fabs(depth) < 1e-7 || (contact.scaling < 1.0) == (depth > 0.0),
				          "%s, seed %u, step %d: scaling %g, depth %g", primitive_name(kind), seed, n,
				          contact.scaling, depth);
			}
			world_end(&world);
		}
	}
}

/* Returns the growth distance of two spheres of radius 1/2, which equals the distance of their centres. */
static double sphere_scaling(const World *world, int a, int b)
{
	const AbutBodyState s = world_body(world, a), t = world_body(world, b);
	const double line[3] = {t.position[0] - s.position[0], t.position[1] - s.position[1],
	                        t.position[2] - s.position[2]};
	return abut_norm3(line);
}

/* Spheres nearly inside each other. While they are moved apart for the solve, the scaling is that of the start of the
 * step (to 1e-5, since that problem is solved to kappa 1e-6); afterwards it is that of the new poses. */
Test(recovery_report, scaling_of_concentric_spheres)
{
	static const double distances[] = {0.0, 1e-9, 1e-3, 0.03, 0.09, 0.2, 0.6};
	for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
		for (int variant = 0; variant < 4; variant++) {
			World world;
			world_begin(&world);
			world.def.gravity[2] = variant % 2 ? -9.81 : 0.0;
			world_add(&world, make_sphere(0.5), variant / 2 ? 0.0 : 1.0, 0.0, 0.0, 0.0);
			world_add(&world, make_sphere(0.5), 1.0, distances[d], 0.0, 0.0);
			world_make(&world);
			for (int n = 0; n < 60; n++) {
				const double before = sphere_scaling(&world, 0, 1);
				world_step(&world);
				AbutContact contact;
				const double after = sphere_scaling(&world, 0, 1);
				if (!world_find(&world, 0, 1, &contact)) {
					continue;
				}
				const bool apart = before < 0.1 + 1e-5;
				cr_assert(fabs(contact.scaling - after) < 1e-8 ||
				              (apart && fabs(contact.scaling - before) < 1e-5),
				          "%g m, variant %d, step %d: scaling %g, true %g, then %g", distances[d],
				          variant, n, contact.scaling, before, after);
				cr_assert_float_eq(contact.gap, contact.scaling - 1.0, 1e-8, "%g m, step %d: gap %g",
				                   distances[d], n, contact.gap);
				cr_assert_float_eq(world.info.max_penetration, fmax(-contact.gap, 0.0), 1e-12);
			}
			world_end(&world);
		}
	}
}

/* Boxes that overlap by a known depth along one axis, so that the growth distance is always known. */
Test(recovery_report, scaling_of_boxes)
{
	for (int axis = 0; axis < 3; axis++) {
		for (int d = 1; d < 10; d++) {
			World world;
			double place[3] = {0.0, 0.0, 0.0};
			place[axis] = 0.1 * d;
			world_begin(&world);
			world.def.gravity[2] = 0.0;
			world_add(&world, make_cube(1.0), 0.0, 0.0, 0.0, 0.0);
			world_add(&world, make_cube(1.0), 1.0, place[0], place[1], place[2]);
			world_make(&world);
			for (int n = 0; n < 30; n++) {
				const double before = world_body(&world, 1).position[axis];
				world_step(&world);
				AbutContact contact;
				const double after = world_body(&world, 1).position[axis];
				if (!world_find(&world, 0, 1, &contact)) { /* the boxes have separated */
					cr_assert(before > 1.0 && after > before, "axis %d, %d, step %d: at %g", axis,
					          d, n, after);
					continue;
				}
				cr_assert(fabs(contact.scaling - after) < 1e-8 ||
				              (before < 0.1 + 1e-5 && fabs(contact.scaling - before) < 1e-5),
				          "axis %d, %d, step %d: scaling %g, true %g, then %g", axis, d, n,
				          contact.scaling, before, after);
				cr_assert_float_eq(world.info.max_penetration, fmax(1.0 - contact.scaling, 0.0), 1e-8);
			}
			world_end(&world);
		}
	}
}

/* A heavy body is deep in the floor while a light one rests elsewhere. Every step is solved as required, the light body
 * does not move, and the heavy one leaves the floor no faster than alone. */
Test(recovery_report, heavy_body_next_to_a_light_one)
{
	for (double ratio = 1.0; ratio < 2e6; ratio *= 10.0) {
		for (int deep = 0; deep < 2; deep++) {
			World world;
			world_begin(&world);
			world_add_floor(&world, 0.0, 0.0, 1.0);
			world_add(&world, make_cube(1.0), ratio, 0.0, 0.0, deep ? -0.2 : 0.2);
			world_add(&world, make_cube(1.0), 1.0, 5.0, 0.0, 0.5);
			world_make(&world);
			for (int n = 0; n < 60; n++) {
				world_step(&world);
				cr_assert_not(world.info.retried, "ratio %g, step %d", ratio, n);
				cr_assert_leq(world.info.kappa, 1e-6, "ratio %g, step %d: %g", ratio, n,
				              world.info.kappa);
				const AbutBodyState light = world_body(&world, 2), heavy = world_body(&world, 1);
				/* residual of 1e-10 in units of the mean mass, divided by the light mass */
				const double tolerance = 1e-9 * sqrt(ratio);
				cr_assert_leq(abut_norm3(light.linear_velocity), tolerance,
				              "ratio %g, step %d: the light one moves at %g m/s", ratio, n,
				              abut_norm3(light.linear_velocity));
				cr_assert_leq(abut_norm3(heavy.linear_velocity), 1.5 * sqrt(9.81 * sqrt(0.75)),
				              "ratio %g, step %d: %g m/s", ratio, n, abut_norm3(heavy.linear_velocity));
			}
			cr_expect_geq(world_body(&world, 1).position[2], 0.5 - 1e-6, "ratio %g: at %g", ratio,
			              world_body(&world, 1).position[2]);
			world_end(&world);
		}
	}
}

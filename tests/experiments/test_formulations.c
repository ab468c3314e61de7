/* Tests the closed forms with which the experiment `formulations` compares methods. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/formulations/lone_body.h"

/* In the limit of short steps, friction takes all the energy: m v^2 / 2 = mu m g s. Implicit steps stop earlier, by at
 * most half the way of a step. */
Test(formulations, way_of_a_sliding_body)
{
	const double speed = 1.7, friction = 0.3, exact = speed * speed / (2.0 * friction * 9.81);
	for (double timestep = 0.1; timestep > 1e-5; timestep *= 0.1) {
		long steps = 0;
		const double way = abut_coulomb_way(speed, friction, timestep, &steps);
		cr_assert_leq(way, exact, "%g s", timestep);
		cr_assert_geq(way, exact - 0.51 * speed * timestep, "%g s", timestep);
		cr_assert_eq(steps, (long)ceil(speed / (friction * 9.81 * timestep)), "%ld", steps);
	}
}

/* The body is held up to mu m g. Then each newton more moves a kilogram by dt. */
Test(formulations, speed_of_a_pushed_body)
{
	const double limit = 0.4 * 3.0 * 9.81;
	cr_assert_eq(abut_coulomb_push(0.999 * limit, 3.0, 0.4, 0.02), 0.0);
	cr_assert_float_eq(abut_coulomb_push(limit + 6.0, 3.0, 0.4, 0.02), 0.04, 1e-15);
}

/* The exact method agrees with both closed forms, along a line that is not an axis. */
Test(formulations, a_box_slides_as_far)
{
	AbutLoneBody box = {
	    .half = {0.2, 0.3, 0.1}, .mass = 2.0, .velocity = {1.2, 0.5, 0.0}, .friction = 0.5, .timestep = 0.01};
	AbutWorld world;
	AbutBodyState end;
	AbutError error = {0};
	long steps = 0;
	const double way = abut_coulomb_way(1.3, box.friction, box.timestep, &steps);
	cr_assert_eq(abut_lone_body_open(&box, abut_variant(0), &world, &error), ABUT_OK, "%s", error.message);
	cr_assert(abut_lone_body_run(&world, steps + 5));
	abut_state_get_body(world.model, world.state, ABUT_LONE_BODY, &end);
	cr_assert_float_eq(end.position[0], way * 12.0 / 13.0, 1e-9, "%g", end.position[0]);
	cr_assert_float_eq(end.position[1], way * 5.0 / 13.0, 1e-9, "%g", end.position[1]);
	abut_world_close(&world);
}

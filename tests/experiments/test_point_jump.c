/* Compares the contact point of a tilted box with closed forms. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/point_jump/tilted_box.h"

static const AbutTiltedBox on_plane = {
    .half = {0.5, 0.4, 0.3}, .offset = 0.3, .mass = 2.0, .friction = 0.9, .timestep = 0.01};

/* At the pose the two bodies touch, for tilts of either sign, on a plane and on a box. */
Test(point_jump, poses_touch)
{
	for (int on_box = 0; on_box < 2; on_box++) {
		AbutTiltedBox box = on_plane;
		AbutShape *shapes[2];
		AbutCollision *collision;
		AbutError error = {0};
		box.on_box = on_box;
		cr_assert_eq(abut_tilted_box_shapes(&box, shapes, &error), ABUT_OK, "%s", error.message);
		cr_assert_eq(abut_collision_create(shapes[0], shapes[1], &collision, &error), ABUT_OK);
		for (int i = -40; i <= 40; i++) {
			const double tilt = 0.005 * i;
			const AbutPose below = {{on_box ? box.offset : 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
			const AbutPose pose = abut_tilted_box_pose(&box, tilt);
			AbutCollisionResult result;
			cr_assert_eq(abut_collision_solve(collision, &below, &pose, 0.0, &result, &error), ABUT_OK);
			cr_expect_float_eq(result.scaling, 1.0, 1e-9, "tilt %g: %.12g", tilt, result.scaling);
		}
		abut_collision_destroy(collision);
		abut_shape_destroy(shapes[0]);
		abut_shape_destroy(shapes[1]);
	}
}

/* A box with a small tilt on its edge lands flat within the step and sticks. It turns back by w = -tilt / dt and sinks
 * by v = -a |tilt| / dt. Its foot does not slide, so that its centre moves by w b. Force and torque of the one contact
 * at p from the centre are
 *
 *     N dt = m (v + g dt),   F dt = m w b,   I w = -p N dt - b F dt
 *     =>   p = (I + m b^2) tilt / (m (g dt^2 - a |tilt|))
 *
 * to first order in the tilt, which is at most 3e-4 here. */
Test(point_jump, a_step_has_its_point_where_torques_balance)
{
	const AbutTiltedBox *box = &on_plane;
	const double a = box->half[0], b = box->half[2], m = box->mass, dt = box->timestep;
	const double inertia = m * (a * a + b * b) / 3.0;
	for (int i = -6; i <= 6; i++) {
		const double tilt = 5e-5 * i;
		const double expected = (inertia + m * b * b) * tilt / (m * (9.81 * dt * dt - a * fabs(tilt)));
		AbutTiltedStep step;
		cr_assert_lt(fabs(expected), a);
		cr_assert_eq(
		    abut_tilted_box_step(box, ABUT_METHOD_SINGLE_LEVEL, ABUT_FINISH_EXACT, 1e-6, tilt, &step, NULL),
		    ABUT_OK);
		cr_expect_eq(step.outcome, ABUT_OUTCOME_EXACT);
		cr_expect_float_eq(step.tilt_after, 0.0, 1e-10, "tilt %g: %g", tilt, step.tilt_after);
		cr_expect_float_eq(step.point, expected, 2e-3 * fabs(expected) + 1e-9, "tilt %g: %g, %g expected", tilt,
		                   step.point, expected);
	}
}

/* A box with a larger tilt stays on its edge. */
Test(point_jump, a_large_tilt_stays_on_the_edge)
{
	for (int side = -1; side <= 1; side += 2) {
		AbutTiltedStep step;
		cr_assert_eq(abut_tilted_box_step(&on_plane, ABUT_METHOD_SINGLE_LEVEL, ABUT_FINISH_EXACT, 1e-6,
		                                  side * 0.05, &step, NULL),
		             ABUT_OK);
		const double expected = 0.5 * cos(step.tilt_after) - 0.3 * sin(fabs(step.tilt_after));
		cr_expect_float_eq(step.point, side * expected, 1e-9, "%g, %g expected", step.point, side * expected);
		cr_expect_gt(side * step.tilt_after, 0.0);
	}
}

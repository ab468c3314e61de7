/* Pegs in holes (experiments/peg_in_hole/insertion.h) against geometry. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/peg_in_hole/insertion.h"

static const AbutPeg peg = {.width = 0.1,
                            .length = 0.2,
                            .depth = 0.15,
                            .wall = 0.1,
                            .mass = 1.0,
                            .push = 2.0,
                            .friction = 0.05,
                            .drop = -0.05,
                            .lean = 0.8,
                            .reach = 0.5,
                            .duration = 1.5};

/* A corner on the floor, one at a wall, the opposite side at the rim: across the hole stand the bottom, width
 * cos(tilt), and what the side leans over up to the rim, depth tan(tilt):
 *
 *     width cos(tilt) + depth tan(tilt) = width (1 + clearance)
 */
static double three_points(double clearance)
{
	double low = 0.0, high = 0.5;
	for (int i = 0; i < 80; i++) {
		const double tilt = 0.5 * (low + high);
		const double across = peg.width * (cos(tilt) - 1.0 - clearance) + peg.depth * tan(tilt);
		low = across < 0.0 ? tilt : low;
		high = across < 0.0 ? high : tilt;
	}
	return low;
}

/* And all three press. */
static AbutStatus count_pressing(void *context, const AbutRunView *view, AbutError *error)
{
	int *pressing = context;
	(void)error;
	*pressing = 0;
	for (int i = 0; view->info && i < abut_contact_count(view->workspace); i++) {
		AbutContact contact;
		abut_contact_get(view->model, view->workspace, i, &contact);
		*pressing += contact.normal_impulse > 1e-6;
	}
	return ABUT_OK;
}

Test(insertion, leaned_over_ends_on_three_points)
{
	static const double clearances[] = {0.1, 1e-2, 1e-3, 1e-4};
	for (int i = 0; i < 4 * 5; i++) {
		const AbutInsertion insertion = {
		    .clearance = clearances[i % 4], .timestep = 0.01, .planar = true, .seed = (unsigned long long)i};
		const double expected = three_points(insertion.clearance);
		int pressing = 0;
		const AbutRunObserver observer = {count_pressing, &pressing, false};
		AbutInserted end;
		cr_assert_eq(abut_insertion_run(&peg, &insertion, &observer, &end, NULL), ABUT_OK);
		cr_expect_eq(end.summary.failed_steps, 0, "seed %d", i);
		cr_expect_float_eq(end.depth, peg.depth, 1e-9, "seed %d: %.12g", i, end.depth);
		cr_expect_float_eq(end.tilt, expected, 1e-8, "seed %d: %.12g, %.12g expected", i, end.tilt, expected);
		cr_expect_eq(pressing, 3, "seed %d: %d", i, pressing);
	}
}

/* At the start the peg is where it is asked for, and within the hole where it is inside. */
Test(insertion, starts_do_not_overlap)
{
	for (int i = 0; i < 400; i++) {
		AbutPeg started = peg;
		const AbutInsertion insertion = {.clearance = pow(10.0, -2 - i % 3),
		                                 .timestep = 0.01,
		                                 .planar = false,
		                                 .seed = (unsigned long long)i};
		AbutBodyState state;
		started.drop = -0.002;
		abut_insertion_start(&started, &insertion, state.position, state.orientation);
		cr_expect_float_eq(abut_insertion_depth(&started, &state), 0.002, 1e-12, "seed %d", i);
		const double *q = state.orientation;
		const double x[3] = {1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]), 2.0 * (q[1] * q[2] + q[0] * q[3]),
		                     2.0 * (q[1] * q[3] - q[0] * q[2])};
		const double y[3] = {2.0 * (q[1] * q[2] - q[0] * q[3]), 1.0 - 2.0 * (q[1] * q[1] + q[3] * q[3]),
		                     2.0 * (q[2] * q[3] + q[0] * q[1])};
		const double z[3] = {2.0 * (q[1] * q[3] + q[0] * q[2]), 2.0 * (q[2] * q[3] - q[0] * q[1]),
		                     1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
		for (int corner = 0; corner < 4; corner++) {
			const double a = corner & 1 ? 0.05 : -0.05, b = corner & 2 ? 0.05 : -0.05;
			for (int k = 0; k < 2; k++) {
				const double p = state.position[k] + a * x[k] + b * y[k] - 0.1 * z[k];
				cr_expect_lt(fabs(p), 0.05 * (1.0 + insertion.clearance), "seed %d: %.9g", i, p);
			}
		}
	}
}

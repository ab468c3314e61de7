/* Tests pegs in holes (experiments/peg_in_hole/insertion.h) by geometry. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
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

/* Returns the tilt at which a corner is on the floor, one at a wall, and the opposite side at the rim. Across the hole
 * there are the bottom, width cos(tilt), and the overhang of the side up to the rim, depth tan(tilt):
 *
 *     width cos(tilt) + depth tan(tilt) = width (1 + clearance) */
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

/* Checks that all three contacts press. */
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

/* At the start the peg is at the required height, and within the hole if it is inside. */
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
		AbutInsertionScene scene;
		cr_assert_eq(abut_insertion_scene(&started, &insertion, &scene, NULL), ABUT_OK);
		memcpy(state.position, scene.bodies[ABUT_INSERTION_PEG].position, sizeof state.position);
		memcpy(state.orientation, scene.bodies[ABUT_INSERTION_PEG].orientation, sizeof state.orientation);
		abut_insertion_scene_free(&scene);
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

/* Returns a peg of the experiment, which is pushed down into a hole in space, from inside the rim or from above it. */
static AbutPeg pushed(double drop)
{
	AbutPeg out = peg;
	out.friction = 0.2;
	out.push = 2.0;
	out.lean = 0.0;
	out.drop = drop;
	return out;
}

typedef struct Room {
	const AbutPeg *peg;
	double half;  /* of the hole, m */
	double worst; /* how far a corner below the rim has been in a wall or the floor, m */
} Room;

static AbutStatus watch_corners(void *context, const AbutRunView *view, AbutError *error)
{
	Room *room = context;
	AbutBodyState state;
	double R[9];
	(void)error;
	abut_state_get_body(view->model, view->state, ABUT_INSERTION_PEG, &state);
	abut_quat_to_mat3(state.orientation, R);
	for (int corner = 0; corner < 8; corner++) {
		const double own[3] = {(corner & 1 ? 0.5 : -0.5) * room->peg->width,
		                       (corner & 2 ? 0.5 : -0.5) * room->peg->width,
		                       (corner & 4 ? 0.5 : -0.5) * room->peg->length};
		double at[3];
		abut_mat3_vec(R, own, at);
		for (int i = 0; i < 3; i++) {
			at[i] += state.position[i];
		}
		if (at[2] < room->peg->depth) {
			const double beside = fmax(fabs(at[0]), fabs(at[1])) - room->half;
			room->worst = fmax(room->worst, fmax(beside, -at[2]));
		}
	}
	return ABUT_OK;
}

/* At all times the corners below the rim are within the clearance, and every peg ends on the floor. */
Test(insertion, pegs_stay_within_the_hole_and_go_in)
{
	static const double clearances[] = {1e-2, 1e-3, 1e-4}, rates[] = {20.0, 50.0, 100.0}, drops[] = {-0.002, 0.01};
	for (int i = 0; i < 18 * 6; i++) {
		const AbutPeg falling = pushed(drops[i / 9 % 2]);
		const AbutInsertion insertion = {.clearance = clearances[i % 3],
		                                 .timestep = 1.0 / rates[i / 3 % 3],
		                                 .seed = (unsigned long long)(i / 18)};
		Room room = {&falling, 0.5 * peg.width * (1.0 + insertion.clearance), 0.0};
		const AbutRunObserver observer = {watch_corners, &room, false};
		AbutInserted end;
		cr_assert_eq(abut_insertion_run(&falling, &insertion, &observer, &end, NULL), ABUT_OK);
		cr_expect_eq(end.summary.failed_steps, 0, "case %d", i);
		cr_expect_lt(room.worst, 1e-9, "case %d: %g m deep", i, room.worst);
		cr_expect_float_eq(end.depth, peg.depth, 1e-7, "case %d: %.9g m deep", i, end.depth);
	}
}

/* The peg stands on the floor and nearly touches the walls, with more contacts than it has freedoms. Residuals of the
 * balance of momentum must not add up to a motion. */
Test(insertion, a_wedged_peg_stays)
{
	const AbutPeg falling = pushed(-0.002);
	for (unsigned long long seed = 40; seed < 45; seed++) {
		const AbutInsertion insertion = {.clearance = 1e-3, .timestep = 0.01, .seed = seed};
		AbutInserted end;
		cr_assert_eq(abut_insertion_run(&falling, &insertion, NULL, &end, NULL), ABUT_OK);
		cr_expect_float_eq(end.depth, peg.depth, 1e-9, "seed %llu: %.12g m deep", seed, end.depth);
	}
}

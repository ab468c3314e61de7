/* Computes gap, frame and arms of a contact point, and their first derivatives. */
#include "dynamics/methods/points/contact.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/methods/points/face.h"

/* --- values --- */

/* Length given to the normal. The frame's normalisation is slightly softened, to be defined at n = 0 too
 * (dynamics/contact/frame.c). At this length the softening is below rounding. */
static const double length_of_normal = 1e6;

/* Sets the frame with its normal along `direction`, which has length `length`. */
static void set_frame(AbutPoint *point, const double direction[3], double length)
{
	const double factor = length_of_normal / length;
	const double n[3] = {factor * direction[0], factor * direction[1], factor * direction[2]};
	abut_contact_frame(n, 0.0, point->reference, &point->frame);
}

static void place_on_plane(AbutPoint *point)
{
	const int plane = point->role.plane, ball = point->role.ball;
	const AbutPointSet *set = point->set[plane];
	double local[3], uphill[3], normal[3];
	abut_sub3(point->body[ball]->x, point->body[plane]->x, point->now.from_plane);
	abut_add3(point->now.from_plane, point->now.at[ball], point->now.from_plane);
	abut_mat3_tvec(point->body[plane]->R, point->now.from_plane, local);
	if (point->role.hull >= 0) {
		const double slack = point->set[ball]->radius > 0.0 ? 0.0 : set->slack;
		point->now.gap = abut_point_face_gap(set->hull, point->role.face, slack, local, uphill);
		abut_mat3_vec(point->body[plane]->R, &set->hull->normals[3 * point->role.face], normal);
	} else {
		point->now.gap = abut_dot3(set->normal, local) - set->offset;
		abut_copy3(set->normal, uphill);
		abut_mat3_vec(point->body[plane]->R, set->normal, normal);
	}
	abut_mat3_vec(point->body[plane]->R, uphill, point->now.uphill);
	point->now.gap -= point->set[ball]->radius;
	set_frame(point, normal, plane == 1 ? -1.0 : 1.0);
}

/* Computes the place of the ball or corner in the body axes of a side. */
static void local_place(const AbutPoint *point, int side, double local[3])
{
	const int ball = point->role.ball;
	abut_add3(point->body[ball]->x, point->now.at[ball], local);
	abut_sub3(local, point->body[side]->x, local);
	abut_mat3_tvec(point->body[side]->R, local, local);
}

/* Chooses the hull's face or edge nearest to a ball. A corner keeps the face chosen for the step. */
static void choose_feature(AbutPoint *point)
{
	const int hull = point->role.hull, ball = point->role.ball;
	double local[3], above;
	if (hull < 0 || point->set[ball]->radius == 0.0) {
		return;
	}
	local_place(point, hull, local);
	point->role.face = abut_point_face_above(point->set[hull]->hull, local, &above);
	const bool beside = abut_point_face_edge(point->set[hull]->hull, point->role.face, local, point->role.edge);
	point->role.plane = beside ? -1 : hull;
	point->role.rod = beside ? hull : -1;
	point->centre[hull] = beside ? point->role.edge : NULL;
}

/* Moves the rod's centre to the point of its axis nearest to the ball. */
static void slide_along_rod(AbutPoint *point)
{
	const int rod = point->role.rod, ball = 1 - rod;
	const double *ends = point->centre[rod];
	double own[3], to_ball[3];
	for (int i = 0; i < 3; i++) {
		own[i] = ends[3 + i] - ends[i];
		to_ball[i] =
		    point->body[ball]->x[i] + point->now.at[ball][i] - point->body[rod]->x[i] - point->now.at[rod][i];
	}
	abut_mat3_vec(point->body[rod]->R, own, point->now.axis);
	const double share = abut_dot3(point->now.axis, to_ball) / abut_dot3(point->now.axis, point->now.axis);
	point->now.inside = share > 0.0 && share < 1.0;
	abut_add_scaled3(point->now.at[rod], abut_min(abut_max(share, 0.0), 1.0), point->now.axis, point->now.at[rod]);
}

static void place_round(AbutPoint *point)
{
	static const double least = 1e-12; /* if centres coincide, any direction will do */
	if (point->role.rod >= 0) {
		slide_along_rod(point);
	}
	for (int i = 0; i < 3; i++) {
		point->now.line[i] =
		    point->body[1]->x[i] + point->now.at[1][i] - point->body[0]->x[i] - point->now.at[0][i];
	}
	if (!(abut_norm3(point->now.line) > least)) {
		memset(point->now.line, 0, sizeof point->now.line);
		point->now.line[2] = least;
	}
	point->now.distance = abut_norm3(point->now.line);
	point->now.gap = point->now.distance - point->set[0]->radius - point->set[1]->radius;
	set_frame(point, point->now.line, point->now.distance);
}

/* Moves the centres to the points of the two lines nearest to each other. */
static void place_crossing(AbutPoint *point)
{
	AbutPointLines *lines = &point->now.lines;
	double apart[3];
	for (int s = 0; s < 2; s++) {
		const double *ends = point->role.crossing.ends[s];
		double own[3];
		abut_sub3(&ends[3], ends, own);
		abut_mat3_vec(point->body[s]->R, ends, point->now.at[s]);
		abut_mat3_vec(point->body[s]->R, own, lines->along[s]);
	}
	abut_sub3(point->body[1]->x, point->body[0]->x, apart);
	abut_point_lines_place(point->role.crossing.sign, point->now.at, apart, lines);
	for (int s = 0; s < 2; s++) {
		abut_add_scaled3(point->now.at[s], lines->share[s], lines->along[s], point->now.at[s]);
	}
	set_frame(point, lines->across, lines->length);
	point->now.gap = abut_dot3(point->frame.N[0], lines->way) - point->set[0]->radius - point->set[1]->radius +
	                 abut_point_lines_release(lines, point->set, point->now.release);
}

/* Returns the radius of the ball, negative on side 1: the normal points from side 0 to side 1. */
static double radius_towards_normal(const AbutPoint *point)
{
	const double radius = point->set[point->role.ball]->radius;
	return point->role.ball == 0 ? radius : -radius;
}

/* Places a ball or corner, chooses the feature of the other side beside it, and computes their gap and frame. */
static void place_ball(AbutPoint *point)
{
	const int ball = point->role.ball, other = 1 - ball;
	abut_mat3_vec(point->body[ball]->R, point->centre[ball], point->now.at[ball]);
	choose_feature(point);
	if (point->role.plane >= 0) {
		place_on_plane(point);
	} else {
		abut_mat3_vec(point->body[other]->R, point->centre[other], point->now.at[other]);
		place_round(point);
	}
}

void abut_point_place(AbutPoint *point)
{
	const int ball = point->role.ball, other = 1 - ball;
	if (point->role.crosses) {
		place_crossing(point);
	} else {
		place_ball(point);
	}
	const double outwards = radius_towards_normal(point);
	abut_add_scaled3(point->now.at[ball], outwards, point->frame.N[0], point->now.arm[ball]);
	abut_add3(point->body[ball]->x, point->now.arm[ball], point->now.arm[other]);
	abut_sub3(point->now.arm[other], point->body[other]->x, point->now.arm[other]);
}

bool abut_point_is_elsewhere(const AbutPoint *point, double timestep)
{
	const int hull = point->role.hull, ball = point->role.ball;
	double local[3], above;
	if (point->role.crosses || hull < 0 || point->set[ball]->kind != ABUT_POINT_CORNERS) {
		return false;
	}
	local_place(point, hull, local);
	abut_point_face_above(point->set[hull]->hull, local, &above);
	return above > abut_point_way(point->body, timestep) && above > point->now.gap + point->set[hull]->slack;
}

void abut_point_slip(AbutPoint *point, double slip[3])
{
	memset(point->now.drift, 0, sizeof point->now.drift);
	for (int s = 0; s < 2; s++) {
		const double sign = s == 0 ? -1.0 : 1.0;
		double turning[3];
		abut_cross3(point->body[s]->w, point->now.arm[s], turning);
		abut_add_scaled3(point->now.drift, sign, point->body[s]->v, point->now.drift);
		abut_add_scaled3(point->now.drift, sign, turning, point->now.drift);
	}
	for (int t = 0; t < 2; t++) {
		slip[t] = ABUT_POINT_WEIGHT_SLIP * abut_dot3(point->frame.N[1 + t], point->now.drift);
	}
	slip[2] = 0.0;
}

static void keep_in_plane(const AbutBodyWork *body, double wrench[6])
{
	if (body->planar) {
		wrench[1] = wrench[3] = wrench[5] = 0.0;
	}
}

void abut_point_wrench(const AbutPoint *point, int side, const double impulse[3], double out[6])
{
	const double sign = side == 0 ? -1.0 : 1.0;
	double turn[3];
	abut_cross3(point->now.arm[side], impulse, turn);
	abut_scale3(sign, impulse, out);
	abut_scale3(sign, turn, &out[3]);
	keep_in_plane(point->body[side], out);
}

void abut_point_directions(const AbutPoint *point, int side, double out[ABUT_POINT_ROWS][6])
{
	for (int j = 0; j < ABUT_POINT_ROWS; j++) {
		abut_point_wrench(point, side, point->frame.N[j], out[j]);
	}
}

/* --- derivatives --- */

/* Slides the rod's nearest point c along its axis s, so that s.(b - c) = 0 stays true for the ball's centre b. With
 * `turn` the rotation of the rod's body:
 *
 *     s.s dshare = ds.(b - c) + s.(db - dc),     ds = turn x s. */
static void slide_rod(const AbutPoint *point, const AbutPointChange *change, double centre[2][3])
{
	const int rod = point->role.rod;
	const double towards = rod == 0 ? 1.0 : -1.0; /* sign of the line as seen from the rod */
	double turned[3], apart[3];
	if (rod < 0 || !point->now.inside) {
		return;
	}
	abut_cross3(change->turn[rod], point->now.axis, turned);
	abut_sub3(centre[1 - rod], centre[rod], apart);
	const double share = (towards * abut_dot3(turned, point->now.line) + abut_dot3(point->now.axis, apart)) /
	                     abut_dot3(point->now.axis, point->now.axis);
	abut_add_scaled3(centre[rod], share, point->now.axis, centre[rod]);
}

/* Returns dgap of a plane that turns with its body, and computes the change of its normal n. With c the ball's centre
 * and x the position of the plane's body:
 *
 *     dgap = uphill . (dc - dx - turn x (c - x)),     dn = turn x n */
static double push_plane(const AbutPoint *point, const AbutPointChange *change, const double centre[2][3],
                         double normal[3])
{
	const int plane = point->role.plane;
	double turned[3], apart[3];
	abut_cross3(change->turn[plane], point->now.from_plane, turned);
	abut_sub3(centre[point->role.ball], change->place[plane], apart);
	abut_sub3(apart, turned, apart);
	abut_cross3(change->turn[plane], point->frame.N[0], normal);
	return abut_dot3(point->now.uphill, apart);
}

/* Slides the centres along their lines and returns dgap: that of a round pair, since n is orthogonal to both lines,
 * plus the change of the release. */
static double push_crossing(const AbutPoint *point, const AbutPointChange *change, double centre[2][3],
                            double across[3])
{
	double parting[3], share[2], let_go = 0.0;
	abut_sub3(centre[1], centre[0], parting);
	abut_point_lines_push(&point->now.lines, point->role.crossing.sign, change->turn, parting, across, share);
	for (int s = 0; s < 2; s++) {
		abut_add_scaled3(centre[s], share[s], point->now.lines.along[s], centre[s]);
		let_go += point->now.release[s] * share[s];
	}
	return abut_dot3(point->frame.N[0], parting) + let_go;
}

/* Computes dgap and the changes of the frame's three directions, and slides the centres of crossing lines. Returns
 * false if the frame stays fixed, as beside a halfspace. */
static bool push_normal(const AbutPoint *point, const AbutPointChange *change, double centre[2][3], double *gap,
                        double directions[3][3])
{
	double line[3], dN[3][9], factor = length_of_normal;
	if (point->role.crosses) {
		*gap = push_crossing(point, change, centre, line);
		factor /= point->now.lines.length;
	} else if (point->role.plane >= 0) {
		*gap = push_plane(point, change, centre, line);
		if (point->role.hull < 0) { /* halfspaces are static */
			memset(directions, 0, 9 * sizeof(double));
			return false;
		}
	} else {
		abut_sub3(centre[1], centre[0], line);
		*gap = abut_dot3(point->frame.N[0], line);
		factor /= point->now.distance;
	}
	abut_contact_frame_derivative(&point->frame, 0.0, point->reference, dN);
	abut_scale3(factor, line, line);
	for (int j = 0; j < 3; j++) {
		abut_mat3_vec(dN[j], line, directions[j]);
	}
	return true;
}

static void push_centres(const AbutPoint *point, const AbutPointChange *change, double centre[2][3])
{
	for (int s = 0; s < 2; s++) {
		abut_cross3(change->turn[s], point->now.at[s], centre[s]);
		abut_add3(centre[s], change->place[s], centre[s]);
	}
	slide_rod(point, change, centre);
}

/* Computes the change of v_1 - v_0 at p: dv + dw x arm + w x darm of side 1, minus the same sum of side 0. */
static void push_drift(const AbutPoint *point, const AbutPointChange *change, const double arm[2][3], double out[3])
{
	memset(out, 0, 3 * sizeof(double));
	for (int s = 0; s < 2; s++) {
		const double sign = s == 0 ? -1.0 : 1.0;
		double by_spin[3], by_arm[3];
		abut_cross3(change->spin[s], point->now.arm[s], by_spin);
		abut_cross3(point->body[s]->w, arm[s], by_arm);
		abut_add_scaled3(out, sign, change->velocity[s], out);
		abut_add_scaled3(out, sign, by_spin, out);
		abut_add_scaled3(out, sign, by_arm, out);
	}
}

void abut_point_push(const AbutPoint *point, const AbutPointChange *change, AbutPointFollow *out)
{
	double centre[2][3], directions[3][3], arm[2][3], drift[3], force[3] = {0.0, 0.0, 0.0}, gap;
	push_centres(point, change, centre);
	const bool turned = push_normal(point, change, centre, &gap, directions);
	const double outwards = radius_towards_normal(point);
	for (int s = 0; s < 2; s++) {
		abut_add_scaled3(centre[point->role.ball], outwards, directions[0], arm[s]);
		abut_sub3(arm[s], change->place[s], arm[s]);
	}
	push_drift(point, change, arm, drift);
	out->rows[0] = ABUT_POINT_WEIGHT_GAP * gap;
	for (int t = 0; t < 2; t++) {
		out->rows[1 + t] = ABUT_POINT_WEIGHT_SLIP * (abut_dot3(directions[1 + t], point->now.drift) +
		                                             abut_dot3(point->frame.N[1 + t], drift));
	}
	if (turned) {
		abut_add_scaled3(force, point->impulse.gamma, directions[0], force);
		abut_add_scaled3(force, point->impulse.beta[0], directions[1], force);
		abut_add_scaled3(force, point->impulse.beta[1], directions[2], force);
	}
	for (int s = 0; s < 2; s++) {
		const double sign = s == 0 ? -1.0 : 1.0;
		double by_arm[3];
		abut_point_wrench(point, s, force, out->wrench[s]);
		abut_cross3(arm[s], point->impulse.force, by_arm);
		abut_add_scaled3(&out->wrench[s][3], sign, by_arm, &out->wrench[s][3]);
		keep_in_plane(point->body[s], out->wrench[s]);
	}
}

AbutPointChange abut_point_unit_velocity(const AbutPoint *point, double timestep, int side, int k)
{
	AbutPointChange change;
	memset(&change, 0, sizeof change);
	if (k < 3) {
		change.place[side][k] = timestep;
		change.velocity[side][k] = 1.0;
		return change;
	}
	for (int i = 0; i < 3; i++) {
		change.turn[side][i] = point->body[side]->G[3 * i + k - 3];
	}
	change.spin[side][k - 3] = 1.0;
	return change;
}

/* Geometry of a point of contact and its first derivatives. */
#include "dynamics/point_contact.h"

#include <string.h>

#include "base/vec3.h"

static void add_to(double out[3], double factor, const double v[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] += factor * v[i];
	}
}

/* --- values --- */

/* The frame is defined at n = 0 too (contact_frame.c): of a normal this long that takes no digits. */
static const double length_of_normal = 1e6;

/* Of a direction of length `length`. */
static void set_frame(AbutPoint *point, const double direction[3], double length)
{
	const double factor = length_of_normal / length;
	const double n[3] = {factor * direction[0], factor * direction[1], factor * direction[2]};
	abut_contact_frame(n, 0.0, point->reference, &point->frame);
}

/* The halfspace's normal; its body is static. */
static void place_on_plane(AbutPoint *point)
{
	const AbutPointSet *plane = point->set[1];
	double normal[3], from_plane[3];
	abut_mat3_vec(point->body[1]->R, plane->normal, normal);
	for (int i = 0; i < 3; i++) {
		from_plane[i] = point->body[0]->x[i] - point->body[1]->x[i] + point->at[0][i];
	}
	point->gap = abut_dot3(normal, from_plane) - plane->offset - point->set[0]->radius;
	set_frame(point, normal, -1.0);
}

/* The rod's centre on to the point of its axis that is nearest to the ball. */
static void slide_along_rod(AbutPoint *point)
{
	const int rod = point->rod, ball = 1 - rod;
	const double *ends = point->centre[rod];
	double own[3], to_ball[3];
	for (int i = 0; i < 3; i++) {
		own[i] = ends[3 + i] - ends[i];
		to_ball[i] = point->body[ball]->x[i] + point->at[ball][i] - point->body[rod]->x[i] - point->at[rod][i];
	}
	abut_mat3_vec(point->body[rod]->R, own, point->axis);
	const double share = abut_dot3(point->axis, to_ball) / abut_dot3(point->axis, point->axis);
	point->inside = share > 0.0 && share < 1.0;
	add_to(point->at[rod], abut_min(abut_max(share, 0.0), 1.0), point->axis);
}

static void place_round(AbutPoint *point)
{
	static const double least = 1e-12; /* of two centres in one place any direction is as good */
	if (point->rod >= 0) {
		slide_along_rod(point);
	}
	for (int i = 0; i < 3; i++) {
		point->line[i] = point->body[1]->x[i] + point->at[1][i] - point->body[0]->x[i] - point->at[0][i];
	}
	if (!(abut_norm3(point->line) > least)) {
		memset(point->line, 0, sizeof point->line);
		point->line[2] = least;
	}
	point->distance = abut_norm3(point->line);
	point->gap = point->distance - point->set[0]->radius - point->set[1]->radius;
	set_frame(point, point->line, point->distance);
}

void abut_point_place(AbutPoint *point)
{
	for (int s = 0; s < 2; s++) {
		if (point->centre[s]) {
			abut_mat3_vec(point->body[s]->R, point->centre[s], point->at[s]);
		}
	}
	if (point->centre[1]) {
		place_round(point);
	} else {
		place_on_plane(point);
	}
	for (int i = 0; i < 3; i++) {
		point->arm[0][i] = point->at[0][i] + point->set[0]->radius * point->frame.N[0][i];
		point->arm[1][i] = point->body[0]->x[i] + point->arm[0][i] - point->body[1]->x[i];
	}
}

void abut_point_slip(AbutPoint *point, double slip[3])
{
	memset(point->drift, 0, sizeof point->drift);
	for (int s = 0; s < 2; s++) {
		const double sign = s == 0 ? -1.0 : 1.0;
		double turning[3];
		abut_cross3(point->body[s]->w, point->arm[s], turning);
		add_to(point->drift, sign, point->body[s]->v);
		add_to(point->drift, sign, turning);
	}
	for (int t = 0; t < 2; t++) {
		slip[t] = ABUT_POINT_WEIGHT_SLIP * abut_dot3(point->frame.N[1 + t], point->drift);
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
	abut_cross3(point->arm[side], impulse, turn);
	for (int i = 0; i < 3; i++) {
		out[i] = sign * impulse[i];
		out[3 + i] = sign * turn[i];
	}
	keep_in_plane(point->body[side], out);
}

void abut_point_directions(const AbutPoint *point, int side, double out[ABUT_POINT_ROWS][6])
{
	for (int j = 0; j < ABUT_POINT_ROWS; j++) {
		abut_point_wrench(point, side, point->frame.N[j], out[j]);
	}
}

/* --- derivatives --- */

/* How the nearest point of the rod moves along it: s.(b - c) = 0 stays,
 *
 *     s.s dshare = ds.(b - c) + s.(db - dc),     ds = turn x s. */
static void slide_rod(const AbutPoint *point, const AbutPointChange *change, double centre[2][3])
{
	const int rod = point->rod;
	const double towards = rod == 0 ? 1.0 : -1.0; /* of the line, seen from the rod */
	double turned[3], apart[3];
	if (rod < 0 || !point->inside) {
		return;
	}
	abut_cross3(change->turn[rod], point->axis, turned);
	for (int i = 0; i < 3; i++) {
		apart[i] = centre[1 - rod][i] - centre[rod][i];
	}
	const double share = (towards * abut_dot3(turned, point->line) + abut_dot3(point->axis, apart)) /
	                     abut_dot3(point->axis, point->axis);
	add_to(centre[rod], share, point->axis);
}

/* dgap, and the frame's three directions where a round pair turns it; returns whether it does. */
static bool push_normal(const AbutPoint *point, const double centre[2][3], double *gap, double directions[3][3])
{
	double line[3], dN[3][9];
	if (!point->centre[1]) {
		*gap = -abut_dot3(point->frame.N[0], centre[0]);
		memset(directions, 0, 9 * sizeof(double));
		return false;
	}
	for (int i = 0; i < 3; i++) {
		line[i] = centre[1][i] - centre[0][i];
	}
	*gap = abut_dot3(point->frame.N[0], line);
	abut_contact_frame_derivative(&point->frame, 0.0, point->reference, dN);
	const double factor = length_of_normal / point->distance;
	for (int i = 0; i < 3; i++) {
		line[i] *= factor;
	}
	for (int j = 0; j < 3; j++) {
		abut_mat3_vec(dN[j], line, directions[j]);
	}
	return true;
}

static void push_centres(const AbutPoint *point, const AbutPointChange *change, double centre[2][3])
{
	for (int s = 0; s < 2; s++) {
		abut_cross3(change->turn[s], point->at[s], centre[s]);
		add_to(centre[s], 1.0, change->place[s]);
	}
	slide_rod(point, change, centre);
}

/* d(v_1 - v_0) at p = dv + dw x arm + w x darm of side 1, less that of side 0 */
static void push_drift(const AbutPoint *point, const AbutPointChange *change, const double arm[2][3], double out[3])
{
	memset(out, 0, 3 * sizeof(double));
	for (int s = 0; s < 2; s++) {
		const double sign = s == 0 ? -1.0 : 1.0;
		double by_spin[3], by_arm[3];
		abut_cross3(change->spin[s], point->arm[s], by_spin);
		abut_cross3(point->body[s]->w, arm[s], by_arm);
		add_to(out, sign, change->velocity[s]);
		add_to(out, sign, by_spin);
		add_to(out, sign, by_arm);
	}
}

void abut_point_push(const AbutPoint *point, const AbutPointChange *change, AbutPointFollow *out)
{
	double centre[2][3], directions[3][3], arm[2][3], drift[3], force[3] = {0.0, 0.0, 0.0}, gap;
	push_centres(point, change, centre);
	const bool turned = push_normal(point, centre, &gap, directions);
	for (int s = 0; s < 2; s++) {
		for (int i = 0; i < 3; i++) {
			arm[s][i] = centre[0][i] + point->set[0]->radius * directions[0][i] - change->place[s][i];
		}
	}
	push_drift(point, change, arm, drift);
	out->rows[0] = ABUT_POINT_WEIGHT_GAP * gap;
	for (int t = 0; t < 2; t++) {
		out->rows[1 + t] = ABUT_POINT_WEIGHT_SLIP * (abut_dot3(directions[1 + t], point->drift) +
		                                             abut_dot3(point->frame.N[1 + t], drift));
	}
	if (turned) {
		add_to(force, point->gamma, directions[0]);
		add_to(force, point->beta[0], directions[1]);
		add_to(force, point->beta[1], directions[2]);
	}
	for (int s = 0; s < 2; s++) {
		const double sign = s == 0 ? -1.0 : 1.0;
		double by_arm[3];
		abut_point_wrench(point, s, force, out->wrench[s]);
		abut_cross3(arm[s], point->force, by_arm);
		add_to(&out->wrench[s][3], sign, by_arm);
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

/* Differentiates a contact point with respect to the poses at the start, which move points, normals and gaps. Computes
 * dJ' x and dJ v+ + dc (dynamics/methods/lcp/gradient_step.c). Tested by lcp_gradient/is_that_of_differences and
 * lcp_joint_gradient/is_that_of_differences. */
#include "dynamics/methods/lcp/gradient_point.h"

#include "dynamics/body/body.h"
#include "dynamics/body/tangent.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/methods/manifold/turn.h"

/* Restricts a row of a derivative to the plane of a planar body, which moves along x and z and turns about y. A turn
 * about the body's own axis a acts only through its component a.y about y. The entry for a turn about y is the sum of
 * (b.y) times the entry of b over the own axes b; the entry of a becomes a.y times this sum. Tested by the planar
 * scenes of lcp_gradient/is_that_of_differences. */
static void keep_row_in_plane(const AbutBodyWork *body, double row[6])
{
	const double *y = &body->R0[3];
	const double about_y = abut_dot3(y, &row[3]);
	row[1] = 0.0;
	for (int axis = 0; axis < 3; axis++) {
		row[3 + axis] = y[axis] * about_y;
	}
}

static const AbutBodyWork *body_of(const AbutLcpPointWork *work, int side)
{
	return &work->w->bodies[work->pair->body[side]];
}

static bool derive_manifold(const AbutLcpPointWork *work, const AbutManifoldSide side[2], int point,
                            AbutManifoldGradient *out)
{
	if (!abut_manifold_gradient(side, &work->contact->manifold, point, out)) {
		return false;
	}
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = body_of(work, s);
		for (int i = 0; body->planar && i < 3; i++) {
			keep_row_in_plane(body, &out->point[i][6 * s]);
			keep_row_in_plane(body, &out->normal[i][6 * s]);
		}
		if (body->planar) {
			keep_row_in_plane(body, &out->gap[6 * s]);
		}
	}
	return true;
}

bool abut_lcp_point_begin(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair,
                          const AbutLcpContact *contact, int point, AbutLcpPointWork *work)
{
	const double *x = &contact->x[point * contact->rows_per_point];
	AbutManifoldSide side[2];
	work->model = model;
	work->w = w;
	work->pair = pair;
	work->contact = contact;
	work->point = point;
	abut_lcp_sides(model, pair, w->bodies, side);
	abut_lcp_gap(model, &contact->manifold, point, &work->deepest);
	if (!derive_manifold(work, side, point, &work->gradient) ||
	    (work->deepest >= 0 && !derive_manifold(work, side, work->deepest, &work->deepest_gradient))) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		work->force[i] = 0.0;
		for (int k = 0; k < contact->rows_per_point; k++) {
			work->force[i] += x[k] * contact->axes[k][i];
		}
		for (int s = 0; s < 2; s++) {
			work->arm[s][i] = contact->manifold.points[point].point[i] - side[s].x[i];
		}
	}
	return true;
}

void abut_lcp_point_approach(const AbutLcpPointWork *work, int s, double by_linear[3], double by_spin[3],
                             double by_turn[3])
{
	const AbutBodyWork *body = body_of(work, s);
	const double *n = work->contact->axes[0], sign = s == 0 ? -1.0 : 1.0;
	double across[3], axis[3], turn[3];
	abut_cross3(work->arm[s], n, across);
	for (int i = 0; i < 3; i++) {
		abut_tangent_axis(body, i, axis);
		abut_cross3(axis, body->w0, turn);
		by_linear[i] = body->planar && i == 1 ? 0.0 : sign * n[i];
		by_spin[i] = sign * abut_dot3(across, axis);
		by_turn[i] = sign * abut_dot3(across, turn);
	}
}

/* Adds dc of the normal row and, for a point that bounces late in the step, the change of its share of the step. */
static void turn_normal(const AbutLcpPointWork *work, const AbutLcpSight *before, const AbutLcpSight *flight,
                        const double dn[3], int column, AbutLcpPointTurn *out)
{
	const AbutLcpContact *contact = work->contact;
	const double *n = contact->axes[0], bounce = contact->bounce[work->point], late = contact->late[work->point];
	if (late > 0.0) {
		out->when =
		    (work->gradient.gap[column] / work->model->timestep + late * abut_lcp_change_along(flight, n, dn)) /
		    -abut_dot3(n, flight->speed);
	}
	if (bounce > 0.0) {
		out->rows[0] += bounce * abut_lcp_change_along(before, n, dn);
	} else if (work->model->options.lcp_gap != ABUT_LCP_GAP_NONE) {
		const double deepest = work->deepest >= 0 ? work->deepest_gradient.gap[column] : 0.0;
		out->rows[0] += (work->gradient.gap[column] - deepest) / work->model->timestep;
	}
}

/* Sets the wrench of a side, from the change of its arm, `d_arm`, and of the impulse on side 1, `d_force`. */
static void turn_impulse(const AbutLcpPointWork *work, int s, const double d_arm[3], const double d_force[3],
                         double out[6])
{
	const double sign = s == 0 ? -1.0 : 1.0;
	double first[3], second[3];
	abut_cross3(d_arm, work->force, first);
	abut_cross3(work->arm[s], d_force, second);
	for (int i = 0; i < 3; i++) {
		out[i] = sign * d_force[i];
		out[3 + i] = sign * (first[i] + second[i]);
	}
}

void abut_lcp_point_turn(const AbutLcpPointWork *work, int column, AbutLcpPointTurn *out)
{
	const AbutLcpContact *contact = work->contact;
	const double *x = &contact->x[work->point * contact->rows_per_point];
	AbutLcpSight after = {.speed = {0.0}}, before = {.speed = {0.0}}, flight = {.speed = {0.0}};
	double axes[3][3], force[3] = {0.0, 0.0, 0.0};
	const double dn[3] = {work->gradient.normal[0][column], work->gradient.normal[1][column],
	                      work->gradient.normal[2][column]};
	*out = (AbutLcpPointTurn){.when = 0.0};
	abut_lcp_turn_axes(contact, dn, axes);
	for (int k = 0; k < contact->rows_per_point; k++) {
		for (int i = 0; i < 3; i++) {
			force[i] += x[k] * axes[k][i];
		}
	}
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = body_of(work, s);
		const double sign = s == 0 ? -1.0 : 1.0;
		double d_arm[3];
		if (body->moving < 0) {
			continue;
		}
		const AbutLcpBody *own = &abut_lcp_work(work->w)->bodies[body->body];
		for (int i = 0; i < 3; i++) {
			const bool follows = column == 6 * s + i && !(body->planar && i == 1);
			d_arm[i] = work->gradient.point[i][column] - (follows ? 1.0 : 0.0);
		}
		turn_impulse(work, s, d_arm, force, out->wrench[s]);
		abut_lcp_see(&after, sign, own->next, &own->next[3], work->arm[s], d_arm);
		abut_lcp_see(&before, sign, body->v0, body->w0, work->arm[s], d_arm);
		abut_lcp_see(&flight, sign, own->free, &own->free[3], work->arm[s], d_arm);
	}
	for (int k = 0; k < contact->rows_per_point; k++) {
		out->rows[k] += abut_lcp_change_along(&after, contact->axes[k], axes[k]);
	}
	turn_normal(work, &before, &flight, dn, column, out);
}

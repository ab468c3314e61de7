/* Differentiates the contact equations of a step with respect to the poses, which move points, normals and gaps.
 * Computes dJ' x and dJ v+ + dc (dynamics/methods/lcp/gradient_step.c). */
#include "dynamics/methods/lcp/gradient_contacts.h"

#include "collision/manifold/gradient.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/methods/manifold/turn.h"

/* A point of a contact, with the geometry and the impulse that its derivative needs. World axes, model units. */
typedef struct PointWork {
	const AbutPair *pair;
	const AbutLcpContact *contact;
	int point, first_row;
	double arm[2][3]; /* from both centres of mass */
	double force[3];  /* impulse on side 1 */
	AbutManifoldGradient gradient, deepest_gradient;
	int deepest; /* point that the gap refers to, or -1 */
} PointWork;

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

static bool derive_manifold(const AbutLcpDerivative *g, const AbutPair *pair, const AbutManifoldSide side[2],
                            const AbutManifold *manifold, int point, AbutManifoldGradient *out)
{
	if (!abut_manifold_gradient(side, manifold, point, out)) {
		return false;
	}
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &g->w->bodies[pair->body[s]];
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

/* Adds the derivative of the term e J v of a bouncing point (e: restitution, `bounce`) with respect to the velocities v
 * before the step, and to the turns that rotate its spin. */
static void derive_approach(const AbutLcpDerivative *g, const PointWork *work, double bounce)
{
	double *turned = &g->turned[(size_t)work->first_row * (size_t)g->n_columns];
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &g->w->bodies[work->pair->body[s]];
		const double sign = s == 0 ? -bounce : bounce;
		double across[3], axis[3], turn[3];
		if (body->moving < 0) {
			continue;
		}
		double *own = turned + ABUT_LCP_COLUMNS * body->moving;
		abut_cross3(work->arm[s], work->contact->axes[0], across);
		for (int i = 0; i < 3; i++) {
			abut_tangent_axis(body, i, axis);
			abut_cross3(axis, body->w0, turn);
			own[ABUT_LCP_LINEAR + i] +=
			    abut_derivative_moves_along(body, i) ? sign * work->contact->axes[0][i] : 0.0;
			own[ABUT_LCP_ANGULAR + i] += sign * abut_dot3(across, axis);
			own[ABUT_LCP_ROTATION + i] += sign * abut_dot3(across, turn);
		}
	}
}

/* Fills the work of a point. Returns false if the point, or the deepest point that its gap refers to, has no
 * derivative. */
static bool begin_point(const AbutLcpDerivative *g, const AbutPair *pair, const AbutLcpContact *contact, int point,
                        PointWork *work)
{
	const double *x = &contact->x[point * contact->rows_per_point];
	AbutManifoldSide side[2];
	work->pair = pair;
	work->contact = contact;
	work->point = point;
	work->first_row = contact->first_row + point * contact->rows_per_point;
	abut_lcp_sides(g->model, pair, g->w->bodies, side);
	abut_lcp_gap(g->model, &contact->manifold, point, &work->deepest);
	if (!derive_manifold(g, pair, side, &contact->manifold, point, &work->gradient) ||
	    (work->deepest >= 0 &&
	     !derive_manifold(g, pair, side, &contact->manifold, work->deepest, &work->deepest_gradient))) {
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

/* Adds dc of the normal row and, for a point that bounces late in the step, the change of its share of the step. */
static void turn_normal(const AbutLcpDerivative *g, const PointWork *work, const AbutLcpSight *before,
                        const AbutLcpSight *flight, const double dn[3], int column, int target)
{
	const AbutLcpContact *contact = work->contact;
	const double *n = contact->axes[0], bounce = contact->bounce[work->point], late = contact->late[work->point];
	const size_t at = (size_t)work->first_row * (size_t)g->n_columns + (size_t)target;
	if (late > 0.0) {
		g->when[at] +=
		    (work->gradient.gap[column] / g->model->timestep + late * abut_lcp_change_along(flight, n, dn)) /
		    -abut_dot3(n, flight->speed);
	}
	if (bounce > 0.0) {
		g->turned[at] += bounce * abut_lcp_change_along(before, n, dn);
	} else if (g->model->options.lcp_gap != ABUT_LCP_GAP_NONE) {
		const double deepest = work->deepest >= 0 ? work->deepest_gradient.gap[column] : 0.0;
		g->turned[at] += (work->gradient.gap[column] - deepest) / g->model->timestep;
	}
}

/* Adds M^-1 dJ' x on side s, from the change of its arm, `d_arm`, and of the impulse on side 1, `d_force`. */
static void turn_impulse(const AbutLcpDerivative *g, const PointWork *work, int s, const double d_arm[3],
                         const double d_force[3], int target)
{
	const AbutBodyWork *body = &g->w->bodies[work->pair->body[s]];
	const AbutLcpBody *own = &abut_lcp_work(g->w)->bodies[body->body];
	const double sign = s == 0 ? -1.0 : 1.0;
	double first[3], second[3], linear[3], angular[3];
	abut_cross3(d_arm, work->force, first);
	abut_cross3(work->arm[s], d_force, second);
	for (int i = 0; i < 3; i++) {
		linear[i] = sign * own->inverse_mass[i] * d_force[i];
		angular[i] = sign * (first[i] + second[i]);
	}
	abut_mat3_vec(own->inverse_inertia, angular, angular);
	abut_derivative_add_shared(g, body->moving, target, linear, angular, 1.0, work->contact->late[work->point]);
}

/* Adds dJ' x and dJ v+ + dc for one of the twelve motions of both bodies, `column`; `target` is its column in the
 * island. */
static void turn_point(const AbutLcpDerivative *g, const PointWork *work, int column, int target)
{
	const AbutLcpContact *contact = work->contact;
	const double *x = &contact->x[work->point * contact->rows_per_point];
	AbutLcpSight after = {.speed = {0.0}}, before = {.speed = {0.0}}, flight = {.speed = {0.0}};
	double axes[3][3], force[3] = {0.0, 0.0, 0.0};
	const double dn[3] = {work->gradient.normal[0][column], work->gradient.normal[1][column],
	                      work->gradient.normal[2][column]};
	abut_lcp_turn_axes(contact, dn, axes);
	for (int k = 0; k < contact->rows_per_point; k++) {
		for (int i = 0; i < 3; i++) {
			force[i] += x[k] * axes[k][i];
		}
	}
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &g->w->bodies[work->pair->body[s]];
		const double sign = s == 0 ? -1.0 : 1.0;
		double d_arm[3];
		if (body->moving < 0) {
			continue;
		}
		const AbutLcpBody *own = &abut_lcp_work(g->w)->bodies[body->body];
		for (int i = 0; i < 3; i++) {
			d_arm[i] = work->gradient.point[i][column] -
			           (column == 6 * s + i && abut_derivative_moves_along(body, i) ? 1.0 : 0.0);
		}
		turn_impulse(g, work, s, d_arm, force, target);
		abut_lcp_see(&after, sign, own->next, &own->next[3], work->arm[s], d_arm);
		abut_lcp_see(&before, sign, body->v0, body->w0, work->arm[s], d_arm);
		abut_lcp_see(&flight, sign, own->free, &own->free[3], work->arm[s], d_arm);
	}
	for (int k = 0; k < contact->rows_per_point; k++) {
		g->turned[(size_t)(work->first_row + k) * (size_t)g->n_columns + (size_t)target] +=
		    abut_lcp_change_along(&after, contact->axes[k], axes[k]);
	}
	turn_normal(g, work, &before, &flight, dn, column, target);
}

/* Adds the terms of a point for all motions of both bodies. Returns false if the point has no derivative although it is
 * clamped. The impulse of any other point is zero and stays zero, so its geometry does not matter. */
static bool derive_point(const AbutLcpDerivative *g, const AbutPair *pair, const AbutLcpContact *contact, int point)
{
	PointWork work;
	if (!begin_point(g, pair, contact, point, &work)) {
		return g->room.boxed.set[work.first_row] != ABUT_BOXED_CLAMPED;
	}
	if (contact->bounce[point] > 0.0) {
		derive_approach(g, &work, contact->bounce[point]);
	}
	for (int column = 0; column < ABUT_MANIFOLD_COLUMNS; column++) {
		const int moving = g->w->bodies[pair->body[column / 6]].moving;
		if (moving >= 0) {
			turn_point(g, &work, column, ABUT_LCP_COLUMNS * moving + column % 6);
		}
	}
	return true;
}

const AbutPair *abut_lcp_derive_contacts(const AbutLcpDerivative *g)
{
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(g->w, g->members, i);
		const AbutPair *pair = &g->w->pairs.candidates[index].pair;
		const AbutLcpContact *contact = &abut_lcp_work(g->w)->contacts[index];
		for (int point = 0; point < contact->manifold.n; point++) {
			if (!derive_point(g, pair, contact, point)) {
				return pair;
			}
		}
	}
	return NULL;
}

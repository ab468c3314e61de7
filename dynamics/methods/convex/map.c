/* Computes the matrix of a contact of method convex: the derivatives of the impulses x = dt f of its points on both
 * bodies, with respect to their poses at the start and their velocities. For a point with axes n_k, impulse F = sum x_k
 * n_k and arms r, the wrench on a side is dw, with
 *
 *     dw = +-(dF, dr x F + r x dF),    dF = sum dx_k n_k + x_k dn_k,    dx = dt (f dlog D - H dy),
 *     dy = d(J u) + (k (d' gap + d) dgap, 0, 0),    u = (v+ - c v) / dt,    dlog D = d' dgap / (d (1 - d)),
 *
 * where b and k are damping and stiffness of the spring, d is its impedance and d' the slope of d, v and v+ are the
 * velocities at the start and at the end, and c = 1 - dt b. f is proportional to the weights D of its rows, which all
 * depend on the gap by the same factor; this gives the term f dlog D. H (second derivative of the penalty) and f are
 * those of solver/soft/soft_contact.h, in the contact's frame. Velocities at the start enter y like those at the end,
 * times -c. The columns of an edge map are turns of the next pose at fixed velocities, T theta = R+ phi; the
 * corresponding turn at the start is theta = R0 phi. Tested with finite differences in
 * tests/dynamics/methods/convex/test_convex_gradient.c. */
#include "dynamics/methods/convex/map.h"

#include <string.h>

#include "base/vec3.h"
#include "collision/manifold/gradient.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/methods/manifold/turn.h"

enum { SIDE = ABUT_MAP_SIDE, ROWS = ABUT_LCP_POINT_ROWS };

/* A contact. The map has only moving bodies; of[i] says which body of the contact (0 or 1) is body i of the map. */
typedef struct ContactWork {
	const AbutLcpIsland *island;
	const AbutPair *pair;
	const AbutLcpContact *contact;
	AbutSoftParameters parameters;
	AbutManifoldSide side[2];
	int n_sides, of[2];
	double by_before;    /* -c */
	double velocity[12]; /* u of both sides, 0 for a static one */
} ContactWork;

/* One point of a contact. */
typedef struct PointWork {
	int index, n; /* rows */
	double H[ROWS * ROWS], force[6], by_friction[6];
	double stiffer, pull; /* derivatives of log D and of y (normal row) with respect to the gap */
	double arm[2][3], impulse[3];
	const AbutLcpRow *rows;
	AbutManifoldGradient gradient;
} PointWork;

static const AbutPair *pair_of(const AbutLcpIsland *island, int contact)
{
	return &island->w->pairs.candidates[abut_island_candidate(island->w, island->members, contact)].pair;
}

static const AbutBodyWork *body_of(const ContactWork *work, int side)
{
	return &work->island->w->bodies[work->pair->body[side]];
}

/* Returns whether the contact depends on the parameter. This holds for its friction coefficient, and for the masses of
 * its bodies, which enter the weights. */
static bool is_of_pair(const AbutLcpIsland *island, const AbutPair *pair, const AbutParameter *p)
{
	const int *body = pair->body;
	if (p->kind == ABUT_PARAMETER_FRICTION) {
		return pair->mu > abut_convex_least_friction && !pair->own_friction &&
		       ((body[0] == p->body && body[1] == p->other) || (body[0] == p->other && body[1] == p->body));
	}
	return p->kind == ABUT_PARAMETER_MASS && (body[0] == p->body || body[1] == p->body) &&
	       island->w->bodies[p->body].moving >= 0;
}

void abut_convex_map_carve(const AbutLcpIsland *island, int contact, const AbutGradientAsk *ask, AbutArena *arena,
                           AbutEdgeMap *out)
{
	const AbutPair *pair = pair_of(island, contact);
	out->n_sides = out->n_held = out->n_parameters = 0;
	for (int s = 0; s < 2; s++) {
		const int moving = island->w->bodies[pair->body[s]].moving;
		if (moving >= 0) {
			out->body[out->n_sides++] = moving;
		}
	}
	out->parameters = abut_arena_take(arena, (size_t)ask->n_parameters, sizeof *out->parameters);
	for (int i = 0; i < ask->n_parameters; i++) {
		if (is_of_pair(island, pair, &ask->parameters[i])) {
			abut_edge_map_add_parameter(arena, i, out);
		}
	}
	abut_edge_map_carve(arena, out);
}

static void begin_contact(const AbutLcpIsland *island, int contact, ContactWork *work)
{
	const AbutModel *model = island->model;
	double b, k;
	*work = (ContactWork){.island = island, .pair = pair_of(island, contact)};
	work->contact = &abut_lcp_work(island->w)->contacts[abut_island_candidate(island->w, island->members, contact)];
	work->parameters = abut_convex_parameters(model, work->pair->soft);
	abut_soft_spring(&work->parameters, model->timestep, &b, &k);
	work->by_before = model->timestep * b - 1.0;
	abut_lcp_sides(model, work->pair, island->w->bodies, work->side);
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = body_of(work, s);
		if (body->moving < 0) {
			continue;
		}
		const double *next = abut_lcp_work(island->w)->bodies[body->body].next;
		work->of[work->n_sides++] = s;
		for (int i = 0; i < 3; i++) {
			work->velocity[6 * s + i] = (next[i] + work->by_before * body->v0[i]) / model->timestep;
			work->velocity[6 * s + 3 + i] = (next[3 + i] + work->by_before * body->w0[i]) / model->timestep;
		}
	}
}

static void begin_point(const ContactWork *work, int index, int soft_index, PointWork *point)
{
	const AbutLcpIsland *island = work->island;
	const AbutConvexRoom *room = abut_convex_room(island->room);
	const AbutSoftPoint *soft = &room->points[soft_index];
	const AbutLcpContact *contact = work->contact;
	const double gap = abut_convex_distance(island->model, work->pair, contact->manifold.points[index].gap);
	const double *solimp = work->parameters.solimp;
	double slope;
	const double d = abut_soft_impedance(solimp, gap, &slope);
	double hessian[ABUT_SOFT_MOST_ROWS * ABUT_SOFT_MOST_ROWS], b, k;
	point->index = index;
	point->n = contact->rows_per_point == 1 ? 1 : ROWS;
	point->rows = &island->room->rows[contact->first_row + index * point->n];
	abut_soft_point(soft, &room->rows[soft->first_row], &room->soft.distance[soft->first_row], NULL, hessian);
	abut_soft_hessian_in_frame(soft, hessian, point->n, point->H);
	abut_soft_force_in_frame(soft, &room->soft.force[soft->first_row], point->force);
	abut_soft_by_friction(soft, &room->rows[soft->first_row], &room->soft.distance[soft->first_row],
	                      &room->soft.force[soft->first_row], point->by_friction);
	abut_soft_spring(&work->parameters, island->model->timestep, &b, &k);
	point->stiffer = slope / (d * (1.0 - d));
	point->pull = k * (slope * gap + d);
	abut_manifold_gradient(work->side, &contact->manifold, index, &point->gradient);
	for (int i = 0; i < 3; i++) {
		point->impulse[i] = 0.0;
		for (int r = 0; r < point->n; r++) {
			point->impulse[i] += island->model->timestep * point->force[r] * contact->axes[r][i];
		}
		for (int s = 0; s < 2; s++) {
			point->arm[s][i] = contact->manifold.points[index].point[i] - work->side[s].x[i];
		}
	}
}

/* A column of the matrix: wrenches on the map's sides. */
typedef double Wrenches[2 * SIDE];

/* Sets `out` to the wrenches of an impulse `force` at the point. With `d_arm` (may be NULL) adds those of the present
 * impulse at the changed arms. Components out of the plane of a planar body are zero. */
static void push(const ContactWork *work, const PointWork *point, const double force[3], double (*d_arm)[3],
                 Wrenches out)
{
	static const double held[3] = {0.0, 0.0, 0.0};
	for (int side = 0; side < work->n_sides; side++) {
		const int s = work->of[side];
		const bool planar = body_of(work, s)->planar;
		const double sign = s == 0 ? -1.0 : 1.0;
		double torque[3], turned[3];
		abut_cross3(point->arm[s], force, torque);
		abut_cross3(d_arm ? d_arm[s] : held, point->impulse, turned);
		for (int i = 0; i < 3; i++) {
			out[SIDE * side + i] = planar && i == 1 ? 0.0 : sign * force[i];
			out[SIDE * side + 3 + i] = planar && i != 1 ? 0.0 : sign * (torque[i] + turned[i]);
		}
	}
}

static void add_column(const Wrenches wrenches, double weight, int column, AbutEdgeMap *out)
{
	for (int r = 0; r < SIDE * out->n_sides; r++) {
		out->at[r * out->stride + column] += weight * wrenches[r];
	}
}

/* Adds dF = sum dx_k n_k to `force`, with dx = dt (f stiffer - H dy); `stiffer` is dlog D. */
static void answer(const ContactWork *work, const PointWork *point, const double *dy, double stiffer, double force[3])
{
	for (int r = 0; r < point->n; r++) {
		double change = point->force[r] * stiffer;
		for (int j = 0; j < point->n; j++) {
			change -= point->H[r * point->n + j] * dy[j];
		}
		abut_add_scaled3(force, work->island->model->timestep * change, work->contact->axes[r], force);
	}
}

static void add_velocities(const ContactWork *work, const PointWork *point, AbutEdgeMap *out)
{
	for (int c = 0; c < SIDE * work->n_sides; c++) {
		const int s = work->of[c / SIDE], k = c % SIDE;
		double dy[ROWS] = {0.0}, force[3] = {0.0, 0.0, 0.0};
		Wrenches wrenches = {0.0};
		if (body_of(work, s)->planar && k % 2 == 1) { /* neither moves along y nor turns about x or z */
			continue;
		}
		for (int r = 0; r < point->n; r++) {
			dy[r] = point->rows[r].J[6 * s + k] / work->island->model->timestep;
		}
		answer(work, point, dy, 0.0, force);
		push(work, point, force, NULL, wrenches);
		add_column(wrenches, 1.0, abut_map_by_velocity(out) + c, out);
	}
}

/* Returns the derivative of log D with respect to the mass of one body. D is proportional to the inverse of A, the sum
 * of the inverse masses. */
static double stiffer_by_mass(const ContactWork *work, int body)
{
	double sum = 0.0;
	for (int side = 0; side < work->n_sides; side++) {
		sum += 1.0 / body_of(work, work->of[side])->mass;
	}
	const double mass = work->island->w->bodies[body].mass;
	return 1.0 / (mass * mass * sum);
}

static void add_parameters(const ContactWork *work, const PointWork *point, const AbutGradientAsk *ask,
                           AbutEdgeMap *out)
{
	for (int i = 0; i < out->n_parameters; i++) {
		const AbutParameter *p = &ask->parameters[out->parameters[i]];
		const double stiffer = p->kind == ABUT_PARAMETER_MASS ? stiffer_by_mass(work, p->body) : 0.0;
		double force[3] = {0.0, 0.0, 0.0};
		Wrenches wrenches = {0.0};
		for (int r = 0; r < point->n; r++) {
			const double change =
			    p->kind == ABUT_PARAMETER_MASS ? stiffer * point->force[r] : point->by_friction[r];
			abut_add_scaled3(force, work->island->model->timestep * change, work->contact->axes[r], force);
		}
		push(work, point, force, NULL, wrenches);
		add_column(wrenches, 1.0, abut_map_by_parameter(out) + i, out);
	}
}

/* Computes the derivative of the wrenches with respect to the pose of side `moved`. `kind` 0 to 2 is a displacement
 * along a world axis. `kind` 3 to 5 is a turn of the body, which also turns its old spin. */
static void follow_pose(const ContactWork *work, const PointWork *point, int moved, int kind, Wrenches out)
{
	const int of = 6 * moved + kind;
	const AbutManifoldGradient *gradient = &point->gradient;
	const double dn[3] = {gradient->normal[0][of], gradient->normal[1][of], gradient->normal[2][of]};
	double axes[3][3], d_arm[2][3], dy[ROWS] = {0.0}, force[3] = {0.0, 0.0, 0.0}, spun[3] = {0.0, 0.0, 0.0};
	AbutLcpSight sight = {.speed = {0.0}};
	abut_lcp_turn_axes(work->contact, dn, axes);
	for (int s = 0; s < 2; s++) {
		for (int i = 0; i < 3; i++) {
			d_arm[s][i] = gradient->point[i][of] - (s == moved && kind == i ? 1.0 : 0.0);
		}
		abut_lcp_see(&sight, s == 0 ? -1.0 : 1.0, &work->velocity[6 * s], &work->velocity[6 * s + 3],
		             point->arm[s], d_arm[s]);
	}
	if (kind >= 3) {
		const AbutBodyWork *body = body_of(work, moved);
		const double own[3] = {body->R0[kind - 3], body->R0[3 + kind - 3], body->R0[6 + kind - 3]};
		double turned[3];
		abut_cross3(own, body->w0, turned);
		abut_cross3(turned, point->arm[moved], spun);
	}
	for (int r = 0; r < point->n; r++) {
		const double *axis = work->contact->axes[r];
		dy[r] = abut_lcp_change_along(&sight, axis, axes[r]) + (moved == 0 ? -1.0 : 1.0) * work->by_before /
		                                                           work->island->model->timestep *
		                                                           abut_dot3(axis, spun);
	}
	dy[0] += point->pull * gradient->gap[of];
	answer(work, point, dy, point->stiffer * gradient->gap[of], force);
	for (int r = 0; r < point->n; r++) {
		for (int i = 0; i < 3; i++) {
			force[i] += work->island->model->timestep * point->force[r] * axes[r][i];
		}
	}
	push(work, point, force, d_arm, out);
}

/* Adds the columns of poses. A column's turn about a world axis is composed of turns about the body's own axes with the
 * entries of R+. */
static void add_poses(const ContactWork *work, const PointWork *point, AbutEdgeMap *out)
{
	for (int side = 0; side < work->n_sides; side++) {
		const int s = work->of[side];
		const double *R = body_of(work, s)->R;
		for (int axis = 0; axis < 3; axis++) {
			Wrenches moved = {0.0}, turned = {0.0};
			follow_pose(work, point, s, axis, moved);
			follow_pose(work, point, s, 3 + axis, turned);
			add_column(moved, 1.0, SIDE * side + axis, out);
			for (int k = 0; k < 3; k++) {
				add_column(turned, R[3 * k + axis], SIDE * side + 3 + k, out);
			}
		}
	}
}

void abut_convex_map_fill(const AbutLcpIsland *island, int contact, int first_point, const AbutGradientAsk *ask,
                          AbutEdgeMap *out)
{
	ContactWork work;
	begin_contact(island, contact, &work);
	memset(out->at, 0, (size_t)abut_map_rows(out) * (size_t)out->stride * sizeof *out->at);
	out->by_before = work.by_before;
	for (int i = 0; i < work.contact->manifold.n; i++) {
		PointWork point;
		begin_point(&work, i, first_point + i, &point);
		add_velocities(&work, &point, out);
		add_poses(&work, &point, out);
		add_parameters(&work, &point, ask, out);
	}
}

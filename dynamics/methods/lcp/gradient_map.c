/* Computes the matrix of a contact of method lcp. Its held numbers are the impulses dx of the clamped rows C, and those
 * of sliding rows B follow their normal rows by E (+-mu):
 *
 *     dW = dJ' x + (J_C' + J_B' E) dx_C,    0 = J_C dv+ + (dJ_C v+ + dc_C) + e J_C dv.
 *
 * The last term only exists in rows that bounce with restitution e; v are the velocities at the start. Points and
 * normals follow the poses at the start (dynamics/methods/lcp/gradient_point.c). The columns of an edge map are turns
 * of the next pose at fixed velocities, T theta = R+ phi; the corresponding turn at the start is theta = R0 phi. Tested
 * with finite differences in tests/dynamics/methods/lcp/test_lcp_joint_gradient.c. */
#include "dynamics/methods/lcp/gradient_map.h"

#include <string.h>

#include "dynamics/body/body.h"
#include "dynamics/methods/lcp/gradient_point.h"

enum { SIDE = ABUT_MAP_SIDE };

/* A contact. The map has only moving bodies; of[i] says which body of the contact (0 or 1) is body i of the map. */
typedef struct ContactWork {
	const AbutLcpIsland *island;
	const AbutPair *pair;
	AbutLcpContact *contact;
	int n_sides, of[2];
} ContactWork;

static ContactWork work_of(const AbutLcpIsland *island, int contact)
{
	const int index = abut_island_candidate(island->w, island->members, contact);
	ContactWork work = {.island = island,
	                    .pair = &island->w->pairs.candidates[index].pair,
	                    .contact = &abut_lcp_work(island->w)->contacts[index]};
	for (int s = 0; s < 2; s++) {
		if (island->w->bodies[work.pair->body[s]].moving >= 0) {
			work.of[work.n_sides++] = s;
		}
	}
	return work;
}

static const AbutBodyWork *body_of(const ContactWork *work, int side)
{
	return &work->island->w->bodies[work->pair->body[work->of[side]]];
}

/* Returns whether the normal row of a row's point is clamped. */
static bool presses(const AbutLcpContact *contact, int row)
{
	return contact->set[row - row % contact->rows_per_point] == ABUT_BOXED_CLAMPED;
}

/* Returns whether the row's impulse is a held number. */
static bool is_held(const AbutLcpContact *contact, int row)
{
	return presses(contact, row) && contact->set[row] == ABUT_BOXED_CLAMPED;
}

static int count_held(const AbutLcpContact *contact, int rows)
{
	int n = 0;
	for (int k = 0; k < rows; k++) {
		n += is_held(contact, k);
	}
	return n;
}

bool abut_lcp_map_carve(const AbutLcpIsland *island, int contact, AbutArena *arena, AbutEdgeMap *out)
{
	const ContactWork work = work_of(island, contact);
	bool bounces = false;
	out->n_sides = work.n_sides;
	out->n_held = count_held(work.contact, abut_lcp_contact_rows(work.contact));
	out->n_parameters = 0;
	for (int i = 0; i < work.n_sides; i++) {
		out->body[i] = body_of(&work, i)->moving;
	}
	for (int i = 0; i < work.contact->manifold.n; i++) {
		bounces = bounces ||
		          (work.contact->bounce[i] > 0.0 && presses(work.contact, i * work.contact->rows_per_point));
	}
	abut_edge_map_carve(arena, out);
	out->yields = abut_arena_take(arena, (size_t)out->n_held + 1, sizeof *out->yields);
	out->held_by_before = bounces ? abut_arena_take(arena, (size_t)out->n_held, sizeof(double)) : NULL;
	return bounces;
}

static double *entry(const AbutEdgeMap *map, int row, int column)
{
	return &map->at[row * map->stride + column];
}

/* Adds the direction of a row's impulse, times `factor`, to the wrenches of a held number. */
static void add_direction(const ContactWork *work, int row, double factor, int held, AbutEdgeMap *out)
{
	const double *J = work->island->room->rows[work->contact->first_row + row].J;
	for (int i = 0; i < SIDE * out->n_sides; i++) {
		const bool across = body_of(work, i / SIDE)->planar && i % SIDE % 2 == 1;
		*entry(out, i, abut_map_by_held(out) + held) +=
		    across ? 0.0 : factor * J[SIDE * work->of[i / SIDE] + i % SIDE];
	}
}

/* Adds the equation of a held number. */
static void add_equation(const ContactWork *work, int row, int held, AbutEdgeMap *out)
{
	const double *J = work->island->room->rows[work->contact->first_row + row].J;
	const int of = SIDE * out->n_sides + held;
	for (int i = 0; i < SIDE * out->n_sides; i++) {
		const bool across = body_of(work, i / SIDE)->planar && i % SIDE % 2 == 1;
		*entry(out, of, abut_map_by_velocity(out) + i) = across ? 0.0 : J[SIDE * work->of[i / SIDE] + i % SIDE];
	}
	*entry(out, of, abut_map_by_held(out) + held) = 1.0;
}

/* Adds the rows of a point. `held` is the index of its normal row among the held numbers. */
static void add_rows(const ContactWork *work, int point, int held, AbutEdgeMap *out)
{
	const AbutLcpContact *contact = work->contact;
	const int first = point * contact->rows_per_point, normal = held;
	for (int k = first; k < first + contact->rows_per_point; k++) {
		if (is_held(contact, k)) {
			add_direction(work, k, 1.0, held, out);
			add_equation(work, k, held, out);
			out->yields[held] = k != first;
			if (out->held_by_before) {
				out->held_by_before[held] = k == first ? contact->bounce[point] : 0.0;
			}
			held++;
		} else if (contact->set[k] != ABUT_BOXED_IDLE) {
			const double mu = contact->set[k] == ABUT_BOXED_UPPER ? work->pair->mu : -work->pair->mu;
			add_direction(work, k, mu, normal, out);
		}
	}
}

/* Adds a column of the poses: the change by one of the six motions of a side, times `factor`. */
static void add_turn(const ContactWork *work, const AbutLcpPointTurn *turn, double factor, int point, int held,
                     int column, AbutEdgeMap *out)
{
	const int first = point * work->contact->rows_per_point;
	for (int i = 0; i < SIDE * out->n_sides; i++) {
		*entry(out, i, column) += factor * turn->wrench[work->of[i / SIDE]][i % SIDE];
	}
	for (int k = 0; k < work->contact->rows_per_point; k++) {
		if (is_held(work->contact, first + k)) {
			*entry(out, SIDE * out->n_sides + held++, column) += factor * turn->rows[k];
		}
	}
}

/* Adds the columns of poses. A column's turn about a world axis is composed of turns about the body's own axes with the
 * entries of R+. */
static void add_poses(const ContactWork *work, const AbutLcpPointWork *point, int held, AbutEdgeMap *out)
{
	const double bounce = work->contact->bounce[point->point];
	for (int side = 0; side < out->n_sides; side++) {
		const int s = work->of[side];
		const double *R = body_of(work, side)->R;
		double by_linear[3], by_spin[3], by_turn[3];
		abut_lcp_point_approach(point, s, by_linear, by_spin, by_turn);
		for (int axis = 0; axis < 3; axis++) {
			AbutLcpPointTurn moved, turned;
			abut_lcp_point_turn(point, SIDE * s + axis, &moved);
			abut_lcp_point_turn(point, SIDE * s + 3 + axis, &turned);
			turned.rows[0] += bounce * by_turn[axis];
			add_turn(work, &moved, 1.0, point->point, held, SIDE * side + axis, out);
			for (int k = 0; k < 3; k++) {
				add_turn(work, &turned, R[3 * k + axis], point->point, held, SIDE * side + 3 + k, out);
			}
		}
	}
}

void abut_lcp_map_fill(const AbutLcpIsland *island, int contact, AbutEdgeMap *out)
{
	const ContactWork work = work_of(island, contact);
	memset(out->at, 0, (size_t)abut_map_rows(out) * (size_t)out->stride * sizeof *out->at);
	work.contact->unknown = false;
	for (int i = 0, held = 0; i < work.contact->manifold.n; i++) {
		const int first = i * work.contact->rows_per_point;
		AbutLcpPointWork point;
		if (!presses(work.contact, first)) {
			continue; /* its impulse is zero and stays zero, so its geometry does not matter */
		}
		add_rows(&work, i, held, out);
		if (abut_lcp_point_begin(island->model, island->w, work.pair, work.contact, i, &point)) {
			add_poses(&work, &point, held, out);
		} else {
			work.contact->unknown = true;
		}
		held = count_held(work.contact, first + work.contact->rows_per_point);
	}
}

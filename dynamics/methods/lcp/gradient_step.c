/* Computes the derivative of a step of method lcp (Nimble, sections IV and V, appendix A). v* are the velocities of
 * free flight, v+ those at the end, and J, c, x the rows, offsets and impulses of the contact problem
 * (dynamics/methods/manifold/island.h). With g the change of v+ at fixed impulses,
 *
 *     g = dv* + M^-1 (dJ' x - dM (v+ - v*)),
 *
 * The sets of the contact problem are fixed. The velocities of the clamped rows C stay zero, and the impulses of the
 * sliding friction rows B follow their normal rows by E (+-mu). With A = J M^-1 J',
 *
 *     (A_CC + A_CB E) dx_C = -(J_C g + dJ_C v+ + dc_C),    dx_B = E dx_C,    dv+ = g + M^-1 J' dx.
 *
 * Everything is in model units until write_out. Tested with finite differences in
 * tests/dynamics/methods/lcp/test_lcp_gradient.c. */
#include "dynamics/methods/lcp/gradient_step.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/body/body.h"
#include "dynamics/body/tangent.h"
#include "dynamics/methods/lcp/gradient_bodies.h"
#include "dynamics/methods/lcp/gradient_contacts.h"
#include "dynamics/methods/lcp/gradient_impacts.h"
#include "dynamics/methods/lcp/gradient_sets.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/methods/manifold/work.h"
#include "dynamics/step/workspace.h"
#include "solver/lcp/coupled.h"

/* --- the contact problem --- */

/* Loads the rows, A and the sets of the solution into the room. */
static void load_problem(AbutLcpDerivative *g)
{
	AbutLcpRoom *room = &g->room;
	AbutClampedFactor *factor = &room->boxed.factor;
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(g->w, g->members, i);
		const AbutPair *pair = &g->w->pairs.candidates[index].pair;
		const AbutLcpContact *contact = &abut_lcp_work(g->w)->contacts[index];
		abut_lcp_rows(pair, g->w->bodies, abut_lcp_work(g->w)->bodies, contact,
		              &room->rows[contact->first_row]);
		for (int k = 0; k < abut_lcp_contact_rows(contact); k++) {
			const int row = contact->first_row + k, of_point = k % contact->rows_per_point;
			room->hi[row] = pair->mu;
			room->friction[row] = of_point == 0 ? -1 : row - of_point;
			room->boxed.set[row] = contact->set[k];
			g->share[row] = contact->late[k / contact->rows_per_point];
		}
	}
	if (g->loss) {
		abut_lcp_change_sets(g);
	}
	factor->m = 0;
	for (int row = 0; row < g->n_rows; row++) {
		if (room->boxed.set[row] == ABUT_BOXED_CLAMPED) {
			factor->index[factor->m++] = row;
		}
	}
	abut_lcp_matrix(g->n_rows, room->rows, room->A);
}

/* Returns J_row times a column of `velocity`. */
static double row_times(const AbutLcpDerivative *g, int row, int column)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		const int body = g->room.rows[row].body[s];
		for (int k = 0; body >= 0 && k < 6; k++) {
			sum += g->room.rows[row].J[6 * s + k] * abut_derivative_velocity_row(g, body, k)[column];
		}
	}
	return sum;
}

/* Adds the change of an impulse to the velocities; a delayed impulse also adds its share to `late`. */
static void add_impulse(const AbutLcpDerivative *g, int row, int column, double dx)
{
	for (int s = 0; s < 2; s++) {
		const int body = g->room.rows[row].body[s];
		for (int k = 0; body >= 0 && k < 6; k++) {
			const double dv = dx * g->room.rows[row].W[6 * s + k];
			abut_derivative_velocity_row(g, body, k)[column] += dv;
			abut_derivative_late_row(g, body, k)[column] += g->share[row] * dv;
		}
	}
}

/* Solves for dx_C of all columns and adds its effect, so that `velocity` becomes dv+. Returns false if the residual is
 * too large. */
static bool answer(AbutLcpDerivative *g)
{
	static const double enough = 1e-9; /* residual of the equations */
	const AbutLcpRoom *room = &g->room;
	const AbutBoxedLcp problem = {g->n_rows, room->A, room->b, room->lo, room->hi, room->friction, NULL, NULL};
	const int m = room->boxed.factor.m, *index = room->boxed.factor.index;
	if (m == 0) {
		return true;
	}
	for (int column = 0; column < g->n_columns; column++) {
		for (int k = 0; k < m; k++) {
			const size_t at = (size_t)index[k] * (size_t)g->n_columns + (size_t)column;
			g->right[(size_t)column * (size_t)m + (size_t)k] =
			    -(row_times(g, index[k], column) + g->turned[at]);
		}
	}
	double largest = 0.0;
	for (size_t i = 0; i < (size_t)m * (size_t)g->n_columns; i++) {
		largest = abut_max(largest, fabs(g->right[i]));
	}
	const double left = abut_boxed_lcp_solve_clamped(&problem, &g->room.boxed, g->n_columns, g->right,
	                                                 g->right + (size_t)m * (size_t)g->n_columns);
	if (!(left <= enough * largest)) {
		return false;
	}
	for (int column = 0; column < g->n_columns; column++) {
		double *dx = room->boxed.x;
		memset(dx, 0, (size_t)g->n_rows * sizeof *dx);
		for (int k = 0; k < m; k++) {
			dx[index[k]] = g->right[(size_t)column * (size_t)m + (size_t)k];
		}
		for (int i = 0; i < g->n_rows; i++) {
			const double slope = abut_boxed_lcp_slope(&problem, &room->boxed, i);
			add_impulse(g, i, column, slope != 0.0 ? slope * dx[problem.friction[i]] : dx[i]);
		}
	}
	return true;
}

/* --- the next state --- */

/* Computes a body's twelve rows of one column, in model units:
 *
 *     dx+ = dx + dt du,    R+ phi+ = T theta + G du_w,    dw+ in body axes = R0' (dw+ - theta x w+),
 *
 * with T the turn of the step, theta the change of the old rotation (world axes), and u the mean velocity of the step,
 * which differs from v+ by delayed impulses. */
static void next_state(const AbutLcpDerivative *g, int index, int column, double out[ABUT_LCP_ROWS])
{
	const AbutBodyWork *body = abut_derivative_body_of(g, index);
	const bool own = column / ABUT_LCP_COLUMNS == index;
	const int kind = column % ABUT_LCP_COLUMNS;
	double theta[3] = {0.0, 0.0, 0.0}, dw[3], way[3], turned[3], T[9], moved[3];
	if (own && kind >= ABUT_LCP_ROTATION && kind < ABUT_LCP_LINEAR) {
		abut_tangent_axis(body, kind - ABUT_LCP_ROTATION, theta);
	}
	for (int i = 0; i < 3; i++) {
		dw[i] = abut_derivative_velocity_row(g, index, 3 + i)[column];
		way[i] = dw[i] - abut_derivative_late_row(g, index, 3 + i)[column];
		out[ABUT_LCP_LINEAR + i] = abut_derivative_velocity_row(g, index, i)[column];
		out[ABUT_LCP_POSITION + i] =
		    (own && kind == ABUT_LCP_POSITION + i && abut_derivative_moves_along(body, i) ? 1.0 : 0.0) +
		    g->model->timestep * (out[ABUT_LCP_LINEAR + i] - abut_derivative_late_row(g, index, i)[column]);
	}
	abut_mat3_mul_transposed(body->R, body->R0, T);
	abut_mat3_vec(T, theta, turned);
	abut_mat3_vec(body->G, way, moved);
	abut_add3(moved, turned, moved);
	abut_mat3_tvec(body->R, moved, &out[ABUT_LCP_ROTATION]);
	abut_cross3(theta, &abut_derivative_lcp_body_of(g, index)->next[3], turned);
	abut_sub3(dw, turned, turned);
	abut_mat3_tvec(body->R0, turned, &out[ABUT_LCP_ANGULAR]);
}

/* Returns the SI value of one model unit of a row or column. The inertia is a dimensionless factor. */
static double unit_of(const AbutUnits *units, int entry)
{
	return entry == ABUT_LCP_MASS ? units->mass : entry == ABUT_LCP_INERTIA ? 1.0 : abut_tangent_unit(units, entry);
}

/* Writes the derivative; returns false if a number is not finite. */
static bool write_out(const AbutLcpDerivative *g)
{
	const AbutUnits *units = &g->model->units;
	bool finite = true;
	const size_t width = (size_t)ABUT_LCP_COLUMNS * (size_t)g->model->n_moving;
	for (int column = 0; column < g->n_columns; column++) {
		const int by = g->model->bodies[abut_derivative_body_of(g, column / ABUT_LCP_COLUMNS)->body].moving;
		const int kind = column % ABUT_LCP_COLUMNS;
		for (int i = 0; i < g->n_bodies; i++) {
			const int of = g->model->bodies[abut_derivative_body_of(g, i)->body].moving;
			double state[ABUT_LCP_ROWS];
			next_state(g, i, column, state);
			finite = finite && abut_all_finite(state, ABUT_LCP_ROWS);
			for (int r = 0; r < ABUT_LCP_ROWS; r++) {
				g->out[(size_t)(ABUT_LCP_ROWS * of + r) * width +
				       (size_t)(ABUT_LCP_COLUMNS * by + kind)] =
				    state[r] * unit_of(units, r) / unit_of(units, kind);
			}
		}
	}
	return finite;
}

/* --- islands --- */

static AbutStatus allocate(AbutLcpDerivative *g)
{
	const size_t n = (size_t)g->n_columns, rows = (size_t)g->n_rows;
	const size_t velocity = 6 * (size_t)g->n_bodies * n;
	double *memory = calloc(2 * velocity + 5 * rows * n + rows + 1, sizeof *memory);
	g->memory = memory;
	if (!memory || abut_lcp_room_reserve(&g->room, g->n_rows) != ABUT_OK) {
		return ABUT_ERROR_MEMORY;
	}
	g->velocity = memory;
	g->late = memory + velocity;
	g->turned = g->late + velocity;
	g->when = g->turned + rows * n;
	g->share = g->when + rows * n;
	g->right = g->share + rows;
	return ABUT_OK;
}

static AbutStatus differentiate_island(AbutLcpDerivative *g)
{
	g->n_bodies = g->members->size.n_bodies;
	g->n_columns = ABUT_LCP_COLUMNS * g->n_bodies;
	g->n_rows = 0;
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const AbutLcpContact *contact =
		    &abut_lcp_work(g->w)->contacts[abut_island_candidate(g->w, g->members, i)];
		g->n_rows += abut_lcp_contact_rows(contact);
	}
	for (int i = 0; i < g->n_bodies; i++) {
		if (abut_derivative_lcp_body_of(g, i)->frozen) {
			return ABUT_ERROR_UNSUPPORTED;
		}
	}
	ABUT_TRY(allocate(g));
	for (int i = 0; i < g->n_bodies; i++) {
		if (!abut_lcp_derive_flight(g, i)) {
			return ABUT_ERROR_NUMERICAL;
		}
	}
	load_problem(g);
	abut_lcp_derive_shares(g);
	for (int i = 0; i < g->n_bodies; i++) {
		abut_lcp_derive_inertia(g, i);
	}
	g->refused = abut_lcp_derive_contacts(g);
	if (g->refused) {
		return ABUT_ERROR_UNSUPPORTED;
	}
	if (!answer(g)) {
		return ABUT_ERROR_NUMERICAL;
	}
	abut_lcp_derive_late(g);
	return write_out(g) ? ABUT_OK : ABUT_ERROR_NUMERICAL;
}

int abut_lcp_gradient_bodies(const AbutModel *model)
{
	return model->n_moving;
}

static AbutStatus refuse_pair(const AbutModel *model, const AbutPair *pair, AbutError *error)
{
	const AbutPart *const part[2] = {&model->parts[pair->part[0]], &model->parts[pair->part[1]]};
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
	                      "the contact of '%s' (%s) and '%s' (%s) has no derivative in this step: of sums, "
	                      "intersections and conic data only the furthest points are known, and of other "
	                      "shapes the nearest points must be unique",
	                      model->bodies[part[0]->body].name, abut_shape_kind_name(part[0]->shape->kind),
	                      model->bodies[part[1]->body].name, abut_shape_kind_name(part[1]->shape->kind));
}

AbutStatus abut_lcp_gradient_towards(const AbutModel *model, const AbutWorkspace *w, const double *loss, double *out,
                                     AbutError *error)
{
	if (!model || !w || !out || w->model != model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model, its workspace and out must be given");
	}
	if (model->options.method != ABUT_METHOD_LCP || !abut_lcp_work(w)->solved) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the workspace's last step must be one of method lcp that was solved");
	}
	if (model->joints.n > 0) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "steps with joints, such as '%s', have no such gradient; use the gradient of a "
		                      "step, which all methods have",
		                      model->joints.at[0].name);
	}
	memset(out, 0,
	       (size_t)(ABUT_LCP_ROWS * ABUT_LCP_COLUMNS) * (size_t)model->n_moving * (size_t)model->n_moving *
	           sizeof *out);
	AbutStatus status = ABUT_OK;
	const AbutPair *refused = NULL;
	for (int i = 0; status == ABUT_OK && i < w->partition.n_islands; i++) {
		AbutLcpDerivative gradient = {
		    .model = model, .w = w, .members = &w->partition.members[i], .loss = loss, .out = out};
		status = differentiate_island(&gradient);
		refused = gradient.refused;
		abut_lcp_room_destroy(&gradient.room);
		free(gradient.memory);
	}
	if (refused) {
		return refuse_pair(model, refused, error);
	}
	if (status == ABUT_ERROR_UNSUPPORTED) {
		abut_error_set(error, status, NULL,
		               "the contact problem of this step is not solved with friction bounded by its own "
		               "normal impulses");
	} else if (status == ABUT_ERROR_MEMORY) {
		abut_error_set(error, status, NULL, "no memory for the derivative of the step");
	} else if (status != ABUT_OK) {
		abut_error_set(error, status, NULL, "the derivative of this step cannot be had to working precision");
	}
	return status;
}

AbutStatus abut_lcp_gradient(const AbutModel *model, const AbutWorkspace *w, double *out, AbutError *error)
{
	return abut_lcp_gradient_towards(model, w, NULL, out, error);
}

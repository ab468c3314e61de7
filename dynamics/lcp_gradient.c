/* The derivative of a step of method lcp (Nimble, sections IV and V, appendix A). With g the change of the velocities
 * that the impulses x, held, would leave,
 *
 *     g = dv* + M^-1 (dJ' x - dM (v+ - v*)),
 *
 * and the sets of the contact problem held too, the clamped rows stay at zero, the sliding ones follow their normal:
 *
 *     (A_CC + A_CB E) dx_C = -(J_C g + dJ_C v+ + dc_C),    dx_B = E dx_C,    dv+ = g + M^-1 J' dx.
 *
 * Free flight has the derivative of its own equations (body_block.c): with D their matrix at w*,
 *
 *     D dw* = d(c J w - (dt/2) w x J w + dt tau),
 *
 * and turns with the body. All in model units until the end. Tested by differences in
 * tests/dynamics/test_lcp_gradient.c. */
#include "abut/lcp.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lapack.h"
#include "base/vec3.h"
#include "dynamics/step_parts.h"

typedef struct Gradient {
	const AbutModel *model;
	const AbutWorkspace *w;
	const AbutIslandMembers *members;
	int n_bodies, n_columns, n_rows; /* of the island; rows of its contact problem */
	AbutLcpRoom room;
	double *velocity; /* (6 n_bodies x n_columns): g, then dv+ */
	double *turned;   /* (n_rows x n_columns) dJ v+ + dc */
	double *right;    /* (n_clamped x n_columns) column-major, and scratch of twice as much */
	double *out;
	void *memory;
} Gradient;

static const AbutBodyWork *body_of(const Gradient *g, int i)
{
	return g->w->moving[g->members->first_body + i];
}

static const AbutLcpBody *lcp_body_of(const Gradient *g, int i)
{
	return &g->w->lcp.bodies[body_of(g, i)->body];
}

static double *velocity_row(const Gradient *g, int body, int row)
{
	return &g->velocity[(size_t)(6 * body + row) * (size_t)g->n_columns];
}

static int candidate_of(const Gradient *g, int contact)
{
	return g->w->active[g->w->by_island[g->members->first_contact + contact]];
}

/* The direction about which the body turns by its own axis. */
static void own_axis(const AbutBodyWork *body, int axis, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = body->R0[3 * i + axis];
	}
}

/* --- free flight --- */

/* Adds a change to a column of the body's velocity; a planar body takes none out of its plane. */
static void add_velocity(const Gradient *g, int body, int column, const double linear[3], const double angular[3])
{
	const bool planar = body_of(g, body)->planar;
	for (int i = 0; i < 3; i++) {
		velocity_row(g, body, i)[column] += planar && i == 1 ? 0.0 : linear[i];
		velocity_row(g, body, 3 + i)[column] += planar && i != 1 ? 0.0 : angular[i];
	}
}

/* The angular block of the balance at the velocities `y`, row-major. */
static void angular_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9])
{
	AbutBodyWork there = *body;
	double J[36];
	abut_body_move(&there, timestep, y);
	abut_body_jacobian(&there, timestep, J);
	for (int i = 0; i < 3; i++) {
		memcpy(&D[3 * i], &J[6 * (3 + i) + 3], 3 * sizeof(double));
	}
}

/* d(c J w - (dt/2) w x J w) / dw at the old spin: of the balance of the time turned round, w -> -w. */
static void old_momentum_block(const AbutBodyWork *body, double timestep, double B[9])
{
	double y[6] = {0.0};
	for (int i = 0; i < 3; i++) {
		y[3 + i] = -body->w0[i];
	}
	angular_block(body, timestep, y, B);
}

static bool fly(const Gradient *g, int index)
{
	static const double none[3] = {0.0, 0.0, 0.0};
	const AbutBodyWork *body = body_of(g, index);
	const double dt = g->model->timestep, last = body->last_timestep > 0.0 ? body->last_timestep : dt;
	const double *free = lcp_body_of(g, index)->free;
	const int first = ABUT_LCP_COLUMNS * index;
	double D[9], B[9], columns[3 * 7], J_w[3], w_J_w[3], pushed[3], push[3];
	int pivots[3];
	angular_block(body, dt, free, D);
	old_momentum_block(body, last, B);
	/* right-hand sides: by the old spin (3, body axes), by the torque (3, body axes), by the inertia */
	abut_mat3_vec(body->inertia, body->w0, J_w);
	abut_cross3(body->w0, J_w, w_J_w);
	const double half = 0.5 * last, cosine = sqrt(1.0 - half * half * abut_dot3(body->w0, body->w0));
	for (int axis = 0; axis < 3; axis++) {
		double own[3];
		own_axis(body, axis, own);
		abut_mat3_vec(B, own, &columns[3 * axis]);
		for (int i = 0; i < 3; i++) {
			columns[9 + 3 * axis + i] = dt * own[i];
		}
	}
	for (int i = 0; i < 3; i++) {
		columns[18 + i] = -(body->momentum[3 + i] - (cosine * J_w[i] - half * w_J_w[i]));
	}
	for (int i = 0; body->planar && i < 7; i++) {
		columns[3 * i] = columns[3 * i + 2] = 0.0;
	}
	double transposed[9];
	for (int i = 0; i < 9; i++) {
		transposed[3 * (i % 3) + i / 3] = D[i];
	}
	if (!abut_lapack_solve(3, transposed, pivots, 7, columns)) {
		return false;
	}
	for (int axis = 0; axis < 3; axis++) {
		const double unit[3] = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
		const double per_force[3] = {unit[0] * dt / body->mass, unit[1] * dt / body->mass,
		                             unit[2] * dt / body->mass};
		double own[3], turned[3];
		own_axis(body, axis, own);
		abut_cross3(own, &free[3], turned);
		add_velocity(g, index, first + ABUT_LCP_ROTATION + axis, none, turned);
		add_velocity(g, index, first + ABUT_LCP_LINEAR + axis, unit, none);
		add_velocity(g, index, first + ABUT_LCP_ANGULAR + axis, none, &columns[3 * axis]);
		add_velocity(g, index, first + ABUT_LCP_FORCE + axis, per_force, none);
		add_velocity(g, index, first + ABUT_LCP_TORQUE + axis, none, &columns[9 + 3 * axis]);
		pushed[axis] = body->momentum[axis] / body->mass - body->v0[axis] - dt * g->model->gravity[axis];
		push[axis] = -pushed[axis] / body->mass;
	}
	add_velocity(g, index, first + ABUT_LCP_MASS, push, none);
	add_velocity(g, index, first + ABUT_LCP_INERTIA, none, &columns[18]);
	return true;
}

/* -M^-1 dM (v+ - v*): of the inertia that turns with the body, dJ = [theta]x J - J [theta]x, and of both factors. */
static void weigh(const Gradient *g, int index)
{
	static const double none[3] = {0.0, 0.0, 0.0};
	const AbutBodyWork *body = body_of(g, index);
	const AbutLcpBody *own_body = lcp_body_of(g, index);
	const int first = ABUT_LCP_COLUMNS * index;
	double dv[3], dw[3], J_dw[3], change[3], lighter[3], nimbler[3];
	for (int i = 0; i < 3; i++) {
		dv[i] = own_body->next[i] - own_body->free[i];
		dw[i] = own_body->next[3 + i] - own_body->free[3 + i];
		lighter[i] = -dv[i] / body->mass;
		nimbler[i] = -dw[i];
	}
	abut_mat3_vec(body->inertia, dw, J_dw);
	for (int axis = 0; axis < 3; axis++) {
		double own[3], a[3], b[3];
		own_axis(body, axis, own);
		abut_cross3(own, J_dw, a);
		abut_cross3(own, dw, b);
		abut_mat3_vec(body->inertia, b, b);
		for (int i = 0; i < 3; i++) {
			change[i] = b[i] - a[i];
		}
		abut_mat3_vec(own_body->inverse_inertia, change, change);
		add_velocity(g, index, first + ABUT_LCP_ROTATION + axis, none, change);
	}
	add_velocity(g, index, first + ABUT_LCP_MASS, lighter, none);
	add_velocity(g, index, first + ABUT_LCP_INERTIA, none, nimbler);
}

/* --- contact geometry --- */

/* t1 = (c - (c.n) n) / |...|, t2 = n x t1, as n changes. */
static void change_axes(const AbutLcpContact *contact, const double dn[3], double d[3][3])
{
	const double *n = contact->axes[0], *t1 = contact->axes[1], *c = contact->reference;
	const double cn = abut_dot3(c, n), dcn = abut_dot3(c, dn), length = sqrt(1.0 - cn * cn);
	double raw[3], first[3], second[3];
	for (int i = 0; i < 3; i++) {
		raw[i] = -(dcn * n[i] + cn * dn[i]) / length;
	}
	const double along = abut_dot3(t1, raw);
	for (int i = 0; i < 3; i++) {
		d[0][i] = dn[i];
		d[1][i] = raw[i] - along * t1[i];
	}
	abut_cross3(dn, t1, first);
	abut_cross3(n, d[1], second);
	for (int i = 0; i < 3; i++) {
		d[2][i] = first[i] + second[i];
	}
}

/* A point of a contact, and what its geometry does to the equations. */
typedef struct PointWork {
	const AbutPair *pair;
	const AbutLcpContact *contact;
	int point, first_row;
	double arm[2][3]; /* from both centres of mass */
	double force[3];  /* impulse on side 1 */
	AbutManifoldGradient gradient, deepest_gradient;
	int deepest; /* point that the gap counts from, or -1 */
} PointWork;

static void begin_point(const Gradient *g, const AbutPair *pair, const AbutLcpContact *contact, int point,
                        PointWork *work)
{
	const double *x = &contact->x[point * contact->rows_per_point];
	AbutManifoldSide side[2];
	work->pair = pair;
	work->contact = contact;
	work->point = point;
	work->first_row = contact->first_row + point * contact->rows_per_point;
	abut_lcp_sides(g->model, pair, g->w->bodies, side);
	abut_manifold_gradient(side, &contact->manifold, point, &work->gradient);
	abut_lcp_gap(g->model, &contact->manifold, point, &work->deepest);
	if (work->deepest >= 0) {
		abut_manifold_gradient(side, &contact->manifold, work->deepest, &work->deepest_gradient);
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
}

/* dJ' x and dJ v+ + dc, as one pose changes by one of its six. */
static void turn_point(const Gradient *g, const PointWork *work, int column, int target)
{
	const AbutLcpContact *contact = work->contact;
	const double *x = &contact->x[work->point * contact->rows_per_point];
	double axes[3][3], force[3] = {0.0, 0.0, 0.0}, slip[3] = {0.0, 0.0, 0.0}, d_slip[3] = {0.0, 0.0, 0.0};
	const double dn[3] = {work->gradient.normal[0][column], work->gradient.normal[1][column],
	                      work->gradient.normal[2][column]};
	change_axes(contact, dn, axes);
	for (int k = 0; k < contact->rows_per_point; k++) {
		for (int i = 0; i < 3; i++) {
			force[i] += x[k] * axes[k][i];
		}
	}
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &g->w->bodies[work->pair->body[s]];
		const double sign = s == 0 ? -1.0 : 1.0;
		double arm[3], first[3], second[3];
		if (body->moving < 0) {
			continue;
		}
		const AbutLcpBody *own = &g->w->lcp.bodies[body->body];
		for (int i = 0; i < 3; i++) {
			arm[i] = work->gradient.point[i][column] - (column == 6 * s + i ? 1.0 : 0.0);
		}
		abut_cross3(arm, work->force, first);
		abut_cross3(work->arm[s], force, second);
		double linear[3], angular[3];
		for (int i = 0; i < 3; i++) {
			linear[i] = sign * own->inverse_mass[i] * force[i];
			angular[i] = sign * (first[i] + second[i]);
		}
		abut_mat3_vec(own->inverse_inertia, angular, angular);
		add_velocity(g, body->moving, target, linear, angular);
		abut_cross3(&own->next[3], work->arm[s], first);
		abut_cross3(&own->next[3], arm, second);
		for (int i = 0; i < 3; i++) {
			slip[i] += sign * (own->next[i] + first[i]);
			d_slip[i] += sign * second[i];
		}
	}
	for (int k = 0; k < contact->rows_per_point; k++) {
		g->turned[(size_t)(work->first_row + k) * (size_t)g->n_columns + (size_t)target] +=
		    abut_dot3(axes[k], slip) + abut_dot3(contact->axes[k], d_slip);
	}
	if (g->model->options.lcp_gap != ABUT_LCP_GAP_NONE) {
		const double change =
		    work->gradient.gap[column] - (work->deepest >= 0 ? work->deepest_gradient.gap[column] : 0.0);
		g->turned[(size_t)work->first_row * (size_t)g->n_columns + (size_t)target] +=
		    change / g->model->timestep;
	}
}

static void turn_contacts(const Gradient *g)
{
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const int index = candidate_of(g, i);
		const AbutPair *pair = &g->w->candidates[index].pair;
		const AbutLcpContact *contact = &g->w->lcp.contacts[index];
		for (int point = 0; point < contact->manifold.n; point++) {
			PointWork work;
			begin_point(g, pair, contact, point, &work);
			for (int column = 0; column < ABUT_MANIFOLD_COLUMNS; column++) {
				const int moving = g->w->bodies[pair->body[column / 6]].moving;
				if (moving >= 0) {
					turn_point(g, &work, column, ABUT_LCP_COLUMNS * moving + column % 6);
				}
			}
		}
	}
}

/* --- the contact problem --- */

/* Rows, A, and the sets of the solution, in the room. */
static void load_problem(Gradient *g)
{
	AbutLcpRoom *room = &g->room;
	AbutClampedFactor *factor = &room->boxed.factor;
	factor->m = 0;
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const int index = candidate_of(g, i);
		const AbutPair *pair = &g->w->candidates[index].pair;
		const AbutLcpContact *contact = &g->w->lcp.contacts[index];
		abut_lcp_rows(pair, g->w->bodies, g->w->lcp.bodies, contact, &room->rows[contact->first_row]);
		for (int k = 0; k < contact->manifold.n * contact->rows_per_point; k++) {
			const int row = contact->first_row + k, of_point = k % contact->rows_per_point;
			room->hi[row] = pair->mu;
			room->friction[row] = of_point == 0 ? -1 : row - of_point;
			room->boxed.set[row] = contact->set[k];
			if (contact->set[k] == ABUT_BOXED_CLAMPED) {
				factor->index[factor->m++] = row;
			}
		}
	}
	abut_lcp_matrix(g->n_rows, room->rows, room->A);
}

/* J_row times the velocities' column. */
static double row_times(const Gradient *g, int row, int column)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		const int body = g->room.rows[row].body[s];
		for (int k = 0; body >= 0 && k < 6; k++) {
			sum += g->room.rows[row].J[6 * s + k] * velocity_row(g, body, k)[column];
		}
	}
	return sum;
}

static void add_impulse(const Gradient *g, int row, int column, double dx)
{
	for (int s = 0; s < 2; s++) {
		const int body = g->room.rows[row].body[s];
		for (int k = 0; body >= 0 && k < 6; k++) {
			velocity_row(g, body, k)[column] += dx * g->room.rows[row].W[6 * s + k];
		}
	}
}

/* dx_C for all columns, and from it dv+. */
static bool answer(Gradient *g)
{
	static const double enough = 1e-9; /* of what is left of the equations */
	const AbutLcpRoom *room = &g->room;
	const AbutBoxedLcp problem = {g->n_rows, room->A, room->b, room->lo, room->hi, room->friction};
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

/* A body's twelve rows of one column, in model units:
 *
 *     dx+ = dx + dt dv+,    R+ phi+ = T theta + G dw+,    dw+ in body axes = R0' (dw+ - theta x w+),
 *
 * T the turn of the step, theta the change of the old rotation about the world's axes. */
static void next_state(const Gradient *g, int index, int column, double out[ABUT_LCP_ROWS])
{
	const AbutBodyWork *body = body_of(g, index);
	const bool own = column / ABUT_LCP_COLUMNS == index;
	const int kind = column % ABUT_LCP_COLUMNS;
	double theta[3] = {0.0, 0.0, 0.0}, dw[3], turned[3], T[9], moved[3];
	if (own && kind >= ABUT_LCP_ROTATION && kind < ABUT_LCP_LINEAR) {
		own_axis(body, kind - ABUT_LCP_ROTATION, theta);
	}
	for (int i = 0; i < 3; i++) {
		dw[i] = velocity_row(g, index, 3 + i)[column];
		out[ABUT_LCP_LINEAR + i] = velocity_row(g, index, i)[column];
		out[ABUT_LCP_POSITION + i] =
		    (own && kind == ABUT_LCP_POSITION + i ? 1.0 : 0.0) + g->model->timestep * out[ABUT_LCP_LINEAR + i];
	}
	abut_mat3_mul_transposed(body->R, body->R0, T);
	abut_mat3_vec(T, theta, turned);
	abut_mat3_vec(body->G, dw, moved);
	for (int i = 0; i < 3; i++) {
		moved[i] += turned[i];
	}
	abut_mat3_tvec(body->R, moved, &out[ABUT_LCP_ROTATION]);
	abut_cross3(theta, body->w, turned);
	for (int i = 0; i < 3; i++) {
		turned[i] = dw[i] - turned[i];
	}
	abut_mat3_tvec(body->R0, turned, &out[ABUT_LCP_ANGULAR]);
}

/* SI of a row or column. */
static double unit_of(const AbutUnits *units, int entry)
{
	const double by_group[] = {units->length,
	                           1.0,
	                           units->velocity,
	                           1.0 / units->time,
	                           units->impulse / units->time,
	                           units->torsion / units->time};
	return entry == ABUT_LCP_MASS ? units->mass : entry == ABUT_LCP_INERTIA ? 1.0 : by_group[entry / 3];
}

static void write_out(const Gradient *g)
{
	const AbutUnits *units = &g->model->units;
	const size_t width = (size_t)ABUT_LCP_COLUMNS * (size_t)g->model->n_moving;
	for (int column = 0; column < g->n_columns; column++) {
		const int by = g->model->bodies[body_of(g, column / ABUT_LCP_COLUMNS)->body].moving;
		const int kind = column % ABUT_LCP_COLUMNS;
		for (int i = 0; i < g->n_bodies; i++) {
			const int of = g->model->bodies[body_of(g, i)->body].moving;
			double state[ABUT_LCP_ROWS];
			next_state(g, i, column, state);
			for (int r = 0; r < ABUT_LCP_ROWS; r++) {
				g->out[(size_t)(ABUT_LCP_ROWS * of + r) * width +
				       (size_t)(ABUT_LCP_COLUMNS * by + kind)] =
				    state[r] * unit_of(units, r) / unit_of(units, kind);
			}
		}
	}
}

/* --- islands --- */

static AbutStatus allocate(Gradient *g)
{
	const size_t n = (size_t)g->n_columns, rows = (size_t)g->n_rows;
	const size_t velocity = 6 * (size_t)g->n_bodies * n;
	double *memory = calloc(velocity + 4 * rows * n + 1, sizeof *memory);
	g->memory = memory;
	if (!memory || abut_lcp_room_reserve(&g->room, g->n_rows) != ABUT_OK) {
		return ABUT_ERROR_MEMORY;
	}
	g->velocity = memory;
	g->turned = memory + velocity;
	g->right = g->turned + rows * n;
	return ABUT_OK;
}

static AbutStatus differentiate_island(Gradient *g)
{
	g->n_bodies = g->members->size.n_bodies;
	g->n_columns = ABUT_LCP_COLUMNS * g->n_bodies;
	g->n_rows = 0;
	for (int i = 0; i < g->members->size.n_contacts; i++) {
		const AbutLcpContact *contact = &g->w->lcp.contacts[candidate_of(g, i)];
		g->n_rows += contact->manifold.n * contact->rows_per_point;
	}
	for (int i = 0; i < g->n_bodies; i++) {
		if (lcp_body_of(g, i)->frozen) {
			return ABUT_ERROR_UNSUPPORTED;
		}
	}
	if (allocate(g) != ABUT_OK) {
		return ABUT_ERROR_MEMORY;
	}
	for (int i = 0; i < g->n_bodies; i++) {
		if (!fly(g, i)) {
			return ABUT_ERROR_NUMERICAL;
		}
		weigh(g, i);
	}
	turn_contacts(g);
	load_problem(g);
	if (!answer(g)) {
		return ABUT_ERROR_NUMERICAL;
	}
	write_out(g);
	return ABUT_OK;
}

int abut_lcp_gradient_bodies(const AbutModel *model)
{
	return model->n_moving;
}

AbutStatus abut_lcp_gradient(const AbutModel *model, const AbutWorkspace *w, double *out, AbutError *error)
{
	if (!model || !w || !out || w->model != model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model, its workspace and out must be given");
	}
	if (!w->lcp.solved) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the workspace's last step must be one of method lcp that was solved");
	}
	memset(out, 0,
	       (size_t)(ABUT_LCP_ROWS * ABUT_LCP_COLUMNS) * (size_t)model->n_moving * (size_t)model->n_moving *
	           sizeof *out);
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < w->n_islands; i++) {
		Gradient gradient = {.model = model, .w = w, .members = &w->members[i], .out = out};
		status = differentiate_island(&gradient);
		abut_lcp_room_destroy(&gradient.room);
		free(gradient.memory);
	}
	if (status == ABUT_ERROR_UNSUPPORTED) {
		abut_error_set(error, status, NULL, "friction is not bounded by its own normal impulses in this step");
	} else if (status != ABUT_OK) {
		abut_error_set(error, status, NULL, "the derivative of this step cannot be had to working precision");
	}
	return status;
}

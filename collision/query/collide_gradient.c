/* Computes the derivatives of a relaxed query with respect to parameters theta: the poses, and the shapes' sizes (DCOL
 * section V; here with second-order cones on the plain path). Each side is described in its own frame by the rows H = h
 * + W u (collision/rows/rows_parts.h) at the point q = R'(p - x). F denotes the four entries of W' lambda that belong
 * to (p, alpha). With the path's law d lambda = -K dH, and with the auxiliary variables eliminated
 * (collision/rows/shape_kernel.c),
 *
 *     dF = f - Q d(q, alpha),         f = k + dW' lambda,    k from d lambda = -K H_theta alone,
 *
 * where H_theta is the derivative of H at fixed u. Stationarity requires that the sum of T F over both sides is (0, 1 -
 * lambda_alpha), with T = diag(R, 1). Its derivative gives four equations, in which |theta means at fixed p and alpha:
 *
 *     (sum T Q T' + K_alpha) d(p, alpha) = sum of T f - T Q d(q, alpha)|theta + dT F
 *
 *     position:  dq|theta = -R' dx                 dT F = 0
 *     rotation:  dq|theta = q x phi                dT F = R (phi x F)
 *     a size:    H_theta = (h_t + alpha d_t - A_t q) / c - (c_t / c) H,     dW = [-A_t d_t] / c - (c_t / c) W
 *
 * A subscript t denotes the derivative with respect to the size. c is the divisor of the rows: the shape's outer
 * radius, or for a halfspace the unit, which is the other shape's outer radius. The normal is along -F of side 0, in
 * the world. Tested with finite differences in tests/collision/test_collide_gradient.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/solve4.h"
#include "base/vec3.h"
#include "collision/query/collide_solve.h"
#include "collision/rows/shape_kernel.h"
#include "shapes/change/size.h"

enum { COLUMNS = ABUT_COLLISION_COLUMNS };

/* One side at the solution. */
typedef struct SideView {
	const AbutScalingSide *side;
	const AbutShape *shape;
	int place;         /* 0: the user's a; 1: the user's b */
	double q[3], F[3]; /* the point q, and the part of F for p; own frame */
	double divisor;    /* c, in m */
	double f[2][3][4]; /* by the sizes of either shape, own frame */
	double Q[4][4];    /* world */
} SideView;

/* The columns of all parameters: right-hand sides or d(p, alpha), and the change of F. */
typedef struct Columns {
	double u[4][COLUMNS];   /* right-hand sides, then d(p, alpha) */
	double own[3][COLUMNS]; /* change of F of side 0 (world) without -Q d(p, alpha) */
} Columns;

static SideView view_of(const AbutCollision *c, int i)
{
	const AbutScalingSide *side = &c->problem.side[i];
	SideView view = {.side = side,
	                 .shape = c->shape[i],
	                 .place = c->flipped ? 1 - i : i,
	                 .divisor = side->rows->bounded ? c->shape[i]->outer_radius : c->unit};
	double p[3];
	abut_add3(c->problem.origin, c->iterate.y, p);
	abut_sub3(p, side->x, p);
	abut_scale3(-1.0, side->g, view.F);
	abut_mat3_tvec(side->R, p, view.q);
	return view;
}

/* --- sizes --- */

/* Returns c_t / c of the rows of one side (`view`) for a size of either shape (`of`). */
static double divisor_change(const SideView *view, const SideView *of, int size)
{
	const bool own = view == of;
	const bool depends = view->side->rows->bounded ? own : !own;
	return depends ? abut_shape_outer_radius_by_size(of->shape, size) / view->divisor : 0.0;
}

/* Computes dW' lambda for (p, alpha), and H_theta, for one size. The contribution of the auxiliary variables is a
 * multiple of B' lambda, which is zero. */
static void change_rows(const AbutCollision *c, const SideView *view, const SideView *of, int size, double f[4],
                        double *H_theta)
{
	const AbutScalingSide *side = view->side;
	const AbutConicRows *rows = side->rows;
	const double *lambda = &c->iterate.z[side->z], *H = &c->iterate.H[side->z], alpha = c->iterate.y[3];
	const double relative = divisor_change(view, of, size), inverse = 1.0 / view->divisor;
	memset(f, 0, 4 * sizeof *f);
	for (int r = 0; r < rows->n_rows; r++) {
		const double *W = &rows->W[r * rows->width];
		const AbutShapeChange change =
		    view == of ? abut_shape_row_by_size(view->shape, r, size) : (AbutShapeChange){.d = 0.0};
		H_theta[r] =
		    inverse * (change.h + alpha * change.d - c->unit * abut_dot3(change.A, view->q)) - relative * H[r];
		for (int j = 0; j < 3; j++) {
			f[j] -= (c->unit * inverse * change.A[j] + relative * W[j]) * lambda[r];
		}
		f[3] += (change.d * inverse - relative * W[3]) * lambda[r];
	}
}

/* Computes d lambda = -K H_theta for one size, which serves as one lane of the law. */
static void force_lane(const AbutCollision *c, const double *H_theta, const AbutScalingSide *side, double *out)
{
	const AbutIterate *it = &c->iterate;
	int first = 0;
	for (const AbutCone *cone = side->cones; first < side->rows->n_rows; first += cone->dim, cone++) {
		abut_cone_apply_law(cone, &it->law, 0.0, &H_theta[first], &out[first]);
	}
}

/* Lists the sizes of both shapes on which a side's rows depend: at most six. Returns their number. */
static int count_sizes(const SideView *view, const SideView views[2], int of[6], int size[6])
{
	int count = 0;
	for (int i = 0; i < 2; i++) {
		const bool depends = view == &views[i] || !view->side->rows->bounded;
		for (int k = 0; depends && k < abut_shape_size_count(views[i].shape->kind); k++, count++) {
			of[count] = i;
			size[count] = k;
		}
	}
	return count;
}

/* Computes Q of a side, and f for its sizes. The kernel handles two sizes at a time, as the two lanes of the law. */
static bool condense_side(AbutCollision *c, SideView views[2], SideView *view, double Q[16])
{
	AbutScalingSide *side = &c->problem.side[view - views];
	AbutIterate *it = &c->iterate;
	const int n = side->rows->n_rows;
	double *const lanes[2] = {&it->law.c[0][side->z], &it->law.c[1][side->z]};
	double *const forced[2] = {&it->dz[side->z], &it->ds[side->z]}, *H_theta = &it->dH[side->z];
	int of[6], size[6];
	const int count = count_sizes(view, views, of, size);
	for (int first = 0; first < count || first == 0; first += 2) {
		memset(lanes[0], 0, (size_t)n * sizeof **lanes);
		memset(lanes[1], 0, (size_t)n * sizeof **lanes);
		memset(forced[0], 0, (size_t)n * sizeof **forced);
		memset(forced[1], 0, (size_t)n * sizeof **forced);
		for (int k = 0; k < 2 && first + k < count; k++) {
			const int i = first + k;
			change_rows(c, view, &views[of[i]], size[i], view->f[of[i]][size[i]], H_theta);
			force_lane(c, H_theta, side, forced[k]);
		}
		memcpy(lanes[0], forced[0], (size_t)n * sizeof **lanes);
		memcpy(lanes[1], forced[1], (size_t)n * sizeof **lanes);
		if (!abut_conic_rows_condense(side->rows, side->cones, &it->law, side->B_lambda, c->problem.scratch,
		                              &side->stiffness, side->eps_map)) {
			return false;
		}
		for (int k = 0; k < 2 && first + k < count; k++) {
			double *f = view->f[of[first + k]][size[first + k]];
			for (int j = 0; j < 4; j++) {
				f[j] += side->stiffness.k[k][j];
			}
		}
	}
	memcpy(Q, side->stiffness.Q, sizeof side->stiffness.Q);
	return true;
}

/* --- columns --- */

/* Adds a side's contribution v to one column, in the world. */
static void add_column(Columns *columns, bool first_side, int column, const double v[4])
{
	for (int j = 0; j < 4; j++) {
		columns->u[j][column] += v[j];
	}
	for (int j = 0; first_side && j < 3; j++) {
		columns->own[j][column] += v[j];
	}
}

static void add_pose(const SideView *view, bool first_side, Columns *columns)
{
	const double *R = view->side->R;
	double cross[9], turned[9], spin[9], arm[9];
	abut_skew3(view->q, cross);
	abut_mat3_mul(R, cross, arm); /* p moves by R (q x phi) */
	abut_skew3(view->F, turned);
	abut_mat3_mul(R, turned, spin); /* R (phi x F) = -R [F]x phi */
	for (int j = 0; j < 3; j++) {
		double position[4], rotation[4];
		for (int i = 0; i < 4; i++) {
			const double *Q = view->Q[i];
			position[i] = Q[j];
			rotation[i] =
			    -(Q[0] * arm[j] + Q[1] * arm[3 + j] + Q[2] * arm[6 + j]) - (i < 3 ? spin[3 * i + j] : 0.0);
		}
		add_column(columns, first_side, 6 * view->place + j, position);
		add_column(columns, first_side, 6 * view->place + 3 + j, rotation);
	}
}

static void add_sizes(const SideView *view, const SideView views[2], bool first_side, Columns *columns)
{
	int of[6], size[6];
	const int count = count_sizes(view, views, of, size);
	for (int i = 0; i < count; i++) {
		const double *f = view->f[of[i]][size[i]];
		double world[4];
		abut_mat3_vec(view->side->R, f, world);
		world[3] = f[3];
		add_column(columns, first_side, ABUT_COLLISION_SIZES + 3 * views[of[i]].place + size[i], world);
	}
}

/* Computes the derivative of the unit normal n / |n|, n = -F of side 0. `u` are n_columns columns of d(p, alpha) (4 x
 * n_columns), and `own` those of the change of F of side 0 without -Q d(p, alpha) (3 x n_columns). All matrices are
 * row-major. */
ALWAYS_INLINE void normal_gradient(const AbutCollision *c, const SideView *view, int n_columns, const double *u,
                                   const double *own, double *out)
{
	const double sign = c->flipped ? -1.0 : 1.0;
	double n[3], along[COLUMNS] = {0.0};
	abut_mat3_vec(view->side->R, view->side->g, n);
	const double scale = 1.0 / abut_norm3(n), factor = sign * scale;
	for (int k = 0; k < 3; k++) {
		const double *Q = view->Q[k], part = n[k] * scale * scale;
		double *dn = &out[k * n_columns];
		for (int j = 0; j < n_columns; j++) {
			dn[j] = Q[0] * u[j] + Q[1] * u[n_columns + j] + Q[2] * u[2 * n_columns + j] +
			        Q[3] * u[3 * n_columns + j] - own[k * n_columns + j];
			along[j] += part * dn[j];
		}
	}
	for (int k = 0; k < 3; k++) {
		for (int j = 0; j < n_columns; j++) {
			out[k * n_columns + j] = factor * (out[k * n_columns + j] - along[j] * n[k]);
		}
	}
}

/* Converts to SI units. Columns of positions are divided by the unit of length; columns of rotations (per radian) and
 * sizes (per metre) are not. */
static void to_units(double unit, AbutCollisionGradient *out)
{
	double per[COLUMNS];
	for (int j = 0; j < COLUMNS; j++) {
		per[j] = j < ABUT_COLLISION_SIZES && j % 6 < 3 ? 1.0 / unit : 1.0;
		out->scaling[j] *= per[j];
	}
	for (int k = 0; k < 3; k++) {
		for (int j = 0; j < COLUMNS; j++) {
			out->normal[k][j] *= per[j];
			out->point[k][j] *= per[j] * unit;
		}
	}
}

/* Returns whether all entries are finite. The sum of their absolute values is then finite, unless they are huge. */
static bool all_finite(const AbutCollisionGradient *gradient)
{
	double sum = 0.0;
	for (int j = 0; j < COLUMNS; j++) {
		sum += fabs(gradient->scaling[j]);
		for (int k = 0; k < 3; k++) {
			sum += fabs(gradient->point[k][j]) + fabs(gradient->normal[k][j]);
		}
	}
	return isfinite(sum);
}

/* Condenses both sides at the solution, and assembles the matrix of the four equations. */
static bool condense(AbutCollision *c, SideView view[2], double M[4][4])
{
	const AbutNcp *ncp = &c->ncp;
	AbutIterate *it = &c->iterate;
	abut_cones_law_path(ncp->cones, ncp->n_cones, it->z, it->s, it->H, c->kappa, &it->law);
	memset(M, 0, 16 * sizeof(double));
	M[3][3] = it->law.K[ncp->cones[0].law];
	view[0] = view_of(c, 0);
	view[1] = view_of(c, 1);
	for (int i = 0; i < 2; i++) {
		double Q[16];
		if (!condense_side(c, view, &view[i], Q)) {
			return false;
		}
		abut_scaling_add_stiffness(view[i].side->R, Q, view[i].Q);
		for (int j = 0; j < 16; j++) {
			M[j / 4][j % 4] += view[i].Q[j / 4][j % 4];
		}
	}
	return true;
}

static bool differentiate(AbutCollision *c, AbutCollisionGradient *out)
{
	SideView view[2];
	double M[4][4];
	Columns columns = {.u = {{0.0}}};
	if (!condense(c, view, M)) {
		return false;
	}
	for (int i = 0; i < 2; i++) {
		add_pose(&view[i], i == 0, &columns);
		add_sizes(&view[i], view, i == 0, &columns);
	}
	if (!abut_solve4(COLUMNS, COLUMNS, false, M, columns.u[0])) {
		return false;
	}
	memcpy(out->scaling, columns.u[3], sizeof out->scaling);
	memcpy(out->point, columns.u, sizeof out->point);
	normal_gradient(c, &view[0], COLUMNS, columns.u[0], columns.own[0], out->normal[0]);
	to_units(c->unit, out);
	return all_finite(out);
}

/* --- rows --- */

/* Computes the change of a side's F with respect to the entries of row r of A p <= b, for fixed centre k and divisor c.
 * In the side's own frame,
 *
 *     dW = [-1 -k_j] / c  for entry j of A,     dW = [0 1] / c  for b,
 *     H_theta = dW (q, alpha) + k_j / c  (without k_j / c for b),     dF = lambda_r dW - K_r H_theta W_r. */
static void change_row(const AbutCollision *c, const SideView *view, int r, double dF[4][4])
{
	const AbutScalingSide *side = view->side;
	const double *W = &side->rows->W[r * side->rows->width], *centre = view->shape->centre;
	const double inverse = 1.0 / view->divisor, alpha = c->iterate.y[3];
	const double lambda = c->iterate.z[side->z + r], K = c->iterate.law.K[side->cones[0].law + r];
	for (int j = 0; j < 4; j++) {
		double dW[4] = {0.0, 0.0, 0.0, j < 3 ? -centre[j] * inverse : inverse};
		double H = alpha * dW[3];
		if (j < 3) {
			dW[j] = -c->unit * inverse;
			H += dW[j] * view->q[j] + centre[j] * inverse;
		}
		for (int i = 0; i < 4; i++) {
			dF[j][i] = lambda * dW[i] - K * H * W[i];
		}
	}
}

static bool differentiate_rows(AbutCollision *c, int place, AbutCollisionRowGradient *out)
{
	SideView view[2];
	double M[4][4], sum = 0.0;
	if (!condense(c, view, M)) {
		return false;
	}
	const SideView *of = view[0].place == place ? &view[0] : &view[1];
	int order[4];
	if (!abut_factorise4(false, M, order)) {
		return false;
	}
	for (int r = 0; r < of->shape->n_rows; r++) {
		double dF[4][4], u[4][4], own[3][4] = {{0.0}};
		change_row(c, of, r, dF);
		for (int j = 0; j < 4; j++) {
			double world[4];
			abut_mat3_vec(of->side->R, dF[j], world);
			world[3] = dF[j][3];
			for (int i = 0; i < 4; i++) {
				u[i][j] = world[i];
			}
			for (int i = 0; i < 3 && of == &view[0]; i++) {
				own[i][j] = world[i];
			}
		}
		abut_substitute4(4, 4, false, M, order, u[0]);
		memcpy(out[r].scaling, u[3], sizeof out[r].scaling);
		normal_gradient(c, &view[0], 4, u[0], own[0], out[r].normal[0]);
		for (int j = 0; j < 4; j++) {
			sum += fabs(out[r].scaling[j]);
			for (int i = 0; i < 3; i++) {
				out[r].point[i][j] = c->unit * u[i][j];
				sum += fabs(out[r].point[i][j]) + fabs(out[r].normal[i][j]);
			}
		}
	}
	return isfinite(sum);
}

static AbutStatus no_gradient(const AbutCollision *collision, AbutError *error)
{
	if (collision->kappa == 0.0) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "no gradient: the last query was exact, refused or not solved, rounding hides "
		                      "its kappa, or the shapes' centres coincide; solve with a larger kappa");
	}
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
	                      "the derivative does not exist to working precision at kappa %g; use a larger kappa",
	                      collision->kappa);
}

AbutStatus abut_collision_gradient(AbutCollision *collision, AbutCollisionGradient *out, AbutError *error)
{
	if (!collision || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "collision and out must not be NULL");
	}
	memset(out, 0, sizeof *out);
	if (collision->kappa == 0.0 || !differentiate(collision, out)) {
		memset(out, 0, sizeof *out);
		return no_gradient(collision, error);
	}
	return ABUT_OK;
}

AbutStatus abut_collision_gradient_rows(AbutCollision *collision, int which, AbutCollisionRowGradient *out,
                                        AbutError *error)
{
	if (!collision || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "collision and out must not be NULL");
	}
	if (which != 0 && which != 1) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "which", "which is %d; it must be 0 (a) or 1 (b)",
		                      which);
	}
	const AbutShape *shape = collision->shape[collision->flipped ? 1 - which : which];
	if (shape->kind != ABUT_SHAPE_BOX && shape->kind != ABUT_SHAPE_POLYTOPE) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "which",
		                      "the shape is a %s; only a box or a polytope has derivatives by rows",
		                      abut_shape_kind_name(shape->kind));
	}
	const size_t size = (size_t)shape->n_rows * sizeof *out;
	memset(out, 0, size);
	if (collision->kappa == 0.0 || !differentiate_rows(collision, which, out)) {
		memset(out, 0, size);
		return no_gradient(collision, error);
	}
	return ABUT_OK;
}

/* The derivative of a relaxed query with respect to parameters theta: the poses, and the shapes' sizes (DCOL section V,
 * here with second-order cones on the plain path). With u = (p, alpha, eps_0, eps_1), H = H(u, theta), G = dH/du, and
 * the path's law d lambda = -K dH,
 *
 *     r = e_alpha - G' lambda = 0   =>   (G' K G) du = -G' K H_theta + (dG/dtheta)' lambda
 *
 * For side i with rows W = [-A d -B] / c and the point q = R'(p - x) in its own frame, m = W_p' lambda:
 *
 *     position:  H_theta = -W_p R'                            dG' lambda = 0
 *     rotation:  H_theta =  W_p [q]x                          dG' lambda (of p) = -R [m]x
 *     a size:    H_theta = (h_t + alpha d_t - A_t q) / c - (c_t / c) H
 *                dG' lambda = R (-A_t' lambda / c - (c_t / c) m),  d_t' lambda / c - (c_t / c) d' lambda,  (c_t / c) B'
 * lambda
 *
 * (q <- q - phi x q = q + [q]x phi, and R' <- (I - [phi]x) R'; c is what rows are divided by, the outer radius, or that
 * of the other shape for a halfspace.) Tested by differences in tests/collision/test_collide_gradient.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/lapack.h"
#include "base/vec3.h"
#include "collision/pair_query.h"
#include "shapes/size_derivative.h"

enum { COLUMNS = ABUT_COLLISION_COLUMNS };

/* One side at the solution. */
typedef struct SideView {
	const AbutScalingSide *side;
	const AbutShape *shape;
	double q[3], m[3]; /* the point, and W_p' lambda, own frame */
	double divisor;    /* c, m */
	int column, sizes; /* of its position and of its sizes in the gradient */
} SideView;

static SideView view_of(const AbutCollision *c, int i)
{
	const AbutScalingSide *side = &c->problem.side[i];
	const int place = c->flipped ? 1 - i : i;
	SideView view = {.side = side,
	                 .shape = c->shape[i],
	                 .divisor = side->rows->bounded ? c->shape[i]->outer_radius : c->unit,
	                 .column = 6 * place,
	                 .sizes = ABUT_COLLISION_SIZES + 3 * place};
	double p[3];
	for (int j = 0; j < 3; j++) {
		p[j] = c->problem.origin[j] + c->iterate.y[j] - side->x[j];
		view.m[j] = -side->g[j];
	}
	abut_mat3_tvec(side->R, p, view.q);
	return view;
}

/* Rows of G and H_theta of one side. */
static void fill_rows(const AbutCollision *c, const SideView *view)
{
	const AbutScalingSide *side = view->side;
	const AbutConicRows *rows = side->rows;
	const int n_y = c->ncp.n_y;
	double cross[9];
	abut_skew3(view->q, cross);
	for (int i = 0; i < rows->n_rows; i++) {
		const double *row = &rows->W[i * rows->width];
		double *G = &c->G[(side->z + i) * n_y], *H = &c->slack_columns[(side->z + i) * COLUMNS + view->column];
		abut_mat3_vec(side->R, row, G); /* W_p R' as a row is R W_p' */
		G[3] = row[3];
		for (int j = 0; j < rows->n_eps; j++) {
			G[side->y + j] = row[4 + j];
		}
		for (int j = 0; j < 3; j++) {
			H[j] = -G[j];
			H[3 + j] = row[0] * cross[j] + row[1] * cross[3 + j] + row[2] * cross[6 + j];
		}
	}
}

/* c_t / c of a side's rows for a size of a shape. */
static double divisor_change(const SideView *view, const SideView *of, int size)
{
	const bool own = view == of;
	const bool depends = view->side->rows->bounded ? own : !own;
	return depends ? abut_shape_outer_radius_by_size(of->shape, size) / view->divisor : 0.0;
}

/* Of a side's rows for one size: v = (d W)' lambda of p (own frame), alpha and eps; and H_theta. */
static void change_rows(const AbutCollision *c, const SideView *view, const SideView *of, int size, double v[4],
                        double *v_eps, double *H_theta)
{
	const AbutScalingSide *side = view->side;
	const AbutConicRows *rows = side->rows;
	const double *lambda = &c->iterate.z[side->z], *H = &c->iterate.H[side->z], alpha = c->iterate.y[3];
	const double relative = divisor_change(view, of, size);
	memset(v, 0, 4 * sizeof *v);
	memset(v_eps, 0, (size_t)rows->n_eps * sizeof *v_eps);
	for (int r = 0; r < rows->n_rows; r++) {
		const double *W = &rows->W[r * rows->width];
		const AbutShapeChange change =
		    view == of ? abut_shape_row_by_size(view->shape, r, size) : (AbutShapeChange){.d = 0.0};
		H_theta[r * COLUMNS] =
		    (change.h + alpha * change.d - c->unit * abut_dot3(change.A, view->q)) / view->divisor -
		    relative * H[r];
		for (int j = 0; j < 3; j++) {
			v[j] -= (c->unit / view->divisor * change.A[j] + relative * W[j]) * lambda[r];
		}
		v[3] += (change.d / view->divisor - relative * W[3]) * lambda[r];
		for (int j = 0; j < rows->n_eps; j++) {
			v_eps[j] -= relative * W[4 + j] * lambda[r];
		}
	}
}

/* out (n x width) = K in (n x width) for all rows of the cones. */
static void apply_law(const AbutNcp *ncp, const AbutConeLaw *law, int width, const double *in, double *out)
{
	for (int i = 0; i < ncp->n_cones; i++) {
		const AbutCone *cone = &ncp->cones[i];
		const double *K = &law->K[cone->law];
		for (int r = 0; r < cone->dim; r++) {
			double *target = &out[(cone->offset + r) * width];
			memset(target, 0, (size_t)width * sizeof *target);
			const int first = cone->kind == ABUT_CONE_ORTHANT ? r : 0;
			const int last = cone->kind == ABUT_CONE_ORTHANT ? r + 1 : cone->dim;
			for (int s = first; s < last; s++) {
				const double k = cone->kind == ABUT_CONE_ORTHANT ? K[r] : K[r * cone->dim + s];
				const double *source = &in[(cone->offset + s) * width];
				for (int j = 0; j < width; j++) {
					target[j] += k * source[j];
				}
			}
		}
	}
}

/* matrix = G' K G and columns = -G' K H_theta, both column-major, from KG (n_z x n_y) and KH (n_z x COLUMNS). */
static void fill_system(const AbutCollision *c, const double *KG, const double *KH)
{
	const int n_y = c->ncp.n_y, n_z = c->ncp.n_z;
	memset(c->matrix, 0, (size_t)n_y * (size_t)n_y * sizeof *c->matrix);
	memset(c->columns, 0, (size_t)n_y * COLUMNS * sizeof *c->columns);
	for (int r = 0; r < n_z; r++) {
		const double *G = &c->G[r * n_y];
		for (int i = 0; i < n_y; i++) {
			for (int j = 0; j < n_y && G[i] != 0.0; j++) {
				c->matrix[i + j * n_y] += G[i] * KG[r * n_y + j];
			}
			for (int j = 0; j < COLUMNS && G[i] != 0.0; j++) {
				c->columns[i + j * n_y] -= G[i] * KH[r * COLUMNS + j];
			}
		}
	}
}

/* Columns of the sizes: H_theta into the slacks' rows, (dG/dtheta)' lambda into columns of its own. What is of side 0's
 * p, in its frame, is kept for the normal. */
static void fill_sizes(AbutCollision *c, const SideView view[2], double own_p[2][3][3])
{
	const int n_y = c->ncp.n_y;
	memset(own_p, 0, 2 * sizeof *own_p);
	for (int of = 0; of < 2; of++) {
		for (int size = 0; size < abut_shape_size_count(view[of].shape->kind); size++) {
			const int column = view[of].sizes + size;
			double *sums = &c->size_columns[(3 * of + size) * n_y];
			memset(sums, 0, (size_t)n_y * sizeof *sums);
			for (int i = 0; i < 2; i++) {
				const AbutScalingSide *side = view[i].side;
				double v[4], world[3];
				change_rows(c, &view[i], &view[of], size, v, &sums[side->y],
				            &c->slack_columns[side->z * COLUMNS + column]);
				abut_mat3_vec(side->R, v, world);
				for (int j = 0; j < 3; j++) {
					sums[j] += world[j];
					own_p[of][size][j] += i == 0 ? v[j] : 0.0;
				}
				sums[3] += v[3];
			}
		}
	}
}

static void add_sizes(const AbutCollision *c, const SideView view[2])
{
	const int n_y = c->ncp.n_y;
	for (int of = 0; of < 2; of++) {
		for (int size = 0; size < abut_shape_size_count(view[of].shape->kind); size++) {
			for (int i = 0; i < n_y; i++) {
				c->columns[i + (view[of].sizes + size) * n_y] +=
				    c->size_columns[(3 * of + size) * n_y + i];
			}
		}
	}
}

static void add_turned_normal(const AbutCollision *c, const SideView *view)
{
	double cross[9], turned[9];
	abut_skew3(view->m, cross);
	abut_mat3_mul(view->side->R, cross, turned);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			c->columns[i + (view->column + 3 + j) * c->ncp.n_y] -= turned[3 * i + j];
		}
	}
}

/* -d lambda = K (G du + H_theta) into `out`, G du + H_theta in place of H_theta (both n_z x COLUMNS). */
static void dual_columns(const AbutCollision *c, double *dH, double *out)
{
	const int n_y = c->ncp.n_y;
	for (int r = 0; r < c->ncp.n_z; r++) {
		for (int j = 0; j < COLUMNS; j++) {
			double sum = dH[r * COLUMNS + j];
			for (int i = 0; i < n_y; i++) {
				sum += c->G[r * n_y + i] * c->columns[i + j * n_y];
			}
			dH[r * COLUMNS + j] = sum;
		}
	}
	apply_law(&c->ncp, &c->iterate.law, COLUMNS, dH, out);
}

/* The normal is n / |n| with n = R g of side 0, g = -m:  dn = R (phi x g) - R W_p' d lambda - R (dW_p)' lambda. */
static void normal_gradient(const AbutCollision *c, const SideView sides[2], double own_p[2][3][3], const double *K_dH,
                            AbutCollisionGradient *out)
{
	const SideView *view = &sides[0];
	const AbutScalingSide *side = view->side;
	const AbutConicRows *rows = side->rows;
	const double sign = c->flipped ? -1.0 : 1.0;
	double n[3];
	abut_mat3_vec(side->R, side->g, n);
	const double scale = 1.0 / abut_norm3(n);
	for (int j = 0; j < COLUMNS; j++) {
		double dg[3] = {0.0, 0.0, 0.0}, dn[3];
		for (int r = 0; r < rows->n_rows; r++) {
			for (int k = 0; k < 3; k++) { /* -d lambda is K dH */
				dg[k] += rows->W[r * rows->width + k] * K_dH[(side->z + r) * COLUMNS + j];
			}
		}
		if (j >= view->column + 3 && j < view->column + 6) {
			double phi[3] = {0.0, 0.0, 0.0}, turned[3];
			phi[j - view->column - 3] = 1.0;
			abut_cross3(phi, side->g, turned);
			for (int k = 0; k < 3; k++) {
				dg[k] += turned[k];
			}
		}
		for (int of = 0; of < 2; of++) {
			const int size = j - sides[of].sizes;
			for (int k = 0; size >= 0 && size < 3 && k < 3; k++) {
				dg[k] -= own_p[of][size][k];
			}
		}
		abut_mat3_vec(side->R, dg, dn);
		const double along = abut_dot3(n, dn) * scale * scale;
		for (int k = 0; k < 3; k++) {
			out->normal[k][j] = sign * scale * (dn[k] - along * n[k]);
		}
	}
}

/* Columns of positions are per unit of length, columns of rotations per radian, of sizes per metre. */
static void to_units(double unit, AbutCollisionGradient *out)
{
	for (int j = 0; j < COLUMNS; j++) {
		const double per = j < ABUT_COLLISION_SIZES && j % 6 < 3 ? 1.0 / unit : 1.0;
		out->scaling[j] *= per;
		for (int k = 0; k < 3; k++) {
			out->normal[k][j] *= per;
			out->point[k][j] *= per * unit;
		}
	}
}

static bool all_finite(const AbutCollisionGradient *gradient)
{
	return abut_all_finite(gradient->scaling, COLUMNS) && abut_all_finite(gradient->point[0], 3 * COLUMNS) &&
	       abut_all_finite(gradient->normal[0], 3 * COLUMNS);
}

static bool differentiate(AbutCollision *c, AbutCollisionGradient *out)
{
	const AbutNcp *ncp = &c->ncp;
	AbutIterate *it = &c->iterate;
	double *KH = c->law_columns, own_p[2][3][3];
	const SideView view[2] = {view_of(c, 0), view_of(c, 1)};
	memset(c->G, 0, (size_t)ncp->n_z * (size_t)ncp->n_y * sizeof *c->G);
	memset(c->slack_columns, 0, (size_t)ncp->n_z * COLUMNS * sizeof *c->slack_columns);
	c->G[3] = 1.0; /* alpha >= 0 */
	fill_rows(c, &view[0]);
	fill_rows(c, &view[1]);
	fill_sizes(c, view, own_p);
	abut_cones_law_path(ncp->cones, ncp->n_cones, it->z, it->s, it->H, c->kappa, &it->law);
	apply_law(ncp, &it->law, ncp->n_y, c->G, c->KG);
	apply_law(ncp, &it->law, COLUMNS, c->slack_columns, KH);
	fill_system(c, c->KG, KH);
	add_turned_normal(c, &view[0]);
	add_turned_normal(c, &view[1]);
	add_sizes(c, view);
	if (!abut_lapack_solve(ncp->n_y, c->matrix, c->pivots, COLUMNS, c->columns)) {
		return false;
	}
	for (int j = 0; j < COLUMNS; j++) {
		const double *du = &c->columns[j * ncp->n_y];
		out->scaling[j] = du[3];
		for (int k = 0; k < 3; k++) {
			out->point[k][j] = du[k];
		}
	}
	dual_columns(c, c->slack_columns, KH);
	normal_gradient(c, view, own_p, KH, out);
	to_units(c->unit, out);
	return all_finite(out);
}

AbutStatus abut_collision_gradient(AbutCollision *collision, AbutCollisionGradient *out, AbutError *error)
{
	if (!collision || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "collision and out must not be NULL");
	}
	memset(out, 0, sizeof *out);
	if (collision->kappa == 0.0) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "there is no gradient: the last query was exact, refused, not solved, not "
		                      "within rounding of its kappa, or of shapes whose centres coincide");
	}
	if (!differentiate(collision, out)) {
		memset(out, 0, sizeof *out);
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the derivative does not exist to working precision at kappa %g",
		                      collision->kappa);
	}
	return ABUT_OK;
}

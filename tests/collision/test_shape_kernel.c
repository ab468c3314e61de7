/* Tests the shape kernel, which condenses a shape's rows and its eps onto (p, alpha). Compares it with a dense
 * elimination of the whole linear system and with differences of W' lambda under the law. Checks its recovery by the
 * equations themselves. */
#include <string.h>

#include "base/lapack.h"
#include "collision/rows/conic_rows.h"
#include "collision/rows/shape_kernel.h"
#include "sample_shapes.h"
#include "solver/sample_cones.h"

enum { SEEDS = 40, ROWS_MAX = 40, EPS_MAX = 8, CONES_MAX = 4, UNKNOWNS = ROWS_MAX + EPS_MAX };

/* One shape with a law at a random point. */
typedef struct Case {
	AbutShape *shape;
	AbutConicRows rows;
	AbutCone cones[CONES_MAX];
	double z[ROWS_MAX], s[ROWS_MAX], H[ROWS_MAX];
	double c[2][ROWS_MAX], K[16 * ROWS_MAX];
	AbutConeLaw law;
	double B_lambda[EPS_MAX];
	double *scratch, eps_map[6 * EPS_MAX];
	AbutShapeStiffness stiffness;
} Case;

typedef enum CaseLaw { PATH, EXACT, CASE_LAWS } CaseLaw;

static const char *const law_names[] = {"path", "exact"};

/* kappa of the path's points, and delta = rho of the exact law; cancellation is negligible for these. */
static const double kappa = 1e-2, regularisation = 1e-3;

static void make_case(AbutShapeKind kind, CaseLaw which, AbutRng *rng, Case *out)
{
	const double origin[3] = {0.1, -0.2, 0.3};
	int law = 0;
	memset(out, 0, sizeof *out);
	out->shape = sample_shape(kind, 1.0, rng);
	sample_move(out->shape, 0.5, rng);
	cr_assert_eq(abut_conic_rows_create(out->shape, origin, 1.3, &out->rows), ABUT_OK);
	cr_assert_leq(out->rows.n_rows, ROWS_MAX);
	const int n_cones = abut_conic_rows_cones(&out->rows, 0, 0.1, &law, out->cones);
	out->law = (AbutConeLaw){.c = {out->c[0], out->c[1]}, .K = out->K};
	sample_near_path(out->cones, n_cones, kappa, 0.3, rng, out->z, out->s);
	for (int i = 0; i < out->rows.n_rows; i++) {
		out->H[i] = out->s[i] + 0.1 * abut_rng_normal(rng);
	}
	for (int i = 0; i < out->rows.n_eps; i++) {
		out->B_lambda[i] = abut_rng_normal(rng); /* stationarity is not met yet */
	}
	if (which == PATH) {
		abut_cones_law_path(out->cones, n_cones, out->z, out->s, out->H, kappa, &out->law);
	} else {
		abut_cones_law_exact(out->cones, n_cones, out->z, out->H, regularisation, regularisation,
		                     (double)INFINITY, &out->law);
		out->law.rho = regularisation;
	}
	out->scratch = calloc((size_t)abut_conic_rows_scratch(&out->rows), sizeof(double));
	cr_assert(abut_conic_rows_condense(&out->rows, out->cones, &out->law, out->B_lambda, out->scratch,
	                                   &out->stiffness, out->eps_map));
}

static void free_case(Case *c)
{
	free(c->scratch);
	abut_conic_rows_destroy(&c->rows);
	abut_shape_destroy(c->shape);
}

/* Returns an entry of K of the law as a dense matrix. */
static double stiffness_entry(const Case *c, int i, int j)
{
	int first = 0;
	for (const AbutCone *cone = c->cones; first < c->rows.n_rows; first += cone->dim, cone++) {
		if (i < first || i >= first + cone->dim || j < first || j >= first + cone->dim) {
			continue;
		}
		if (cone->kind == ABUT_CONE_ORTHANT) {
			return i == j ? c->K[cone->law + i - first] : 0.0;
		}
		return c->K[cone->law + (i - first) * cone->dim + j - first];
	}
	return 0.0;
}

/* Solves the whole system by LAPACK for a given d(p, alpha). The unknowns (dlambda, deps) satisfy
 *
 *     dlambda + K W_e deps = c[0] + w c[1] - K W_p d(p, alpha)
 *     -W_e' dlambda + rho deps = -B' lambda       (stationarity B' lambda, B = -W_e) */
static void dense_solution(const Case *c, const double d_point[4], double weight, double *d_lambda, double *d_eps)
{
	const int m = c->rows.n_rows, e = c->rows.n_eps, n = m + e, width = c->rows.width;
	static double M[UNKNOWNS * UNKNOWNS];
	double rhs[UNKNOWNS];
	int pivots[UNKNOWNS];
	memset(M, 0, sizeof M);
	for (int i = 0; i < m; i++) {
		M[i + i * n] = 1.0;
		rhs[i] = c->c[0][i] + weight * c->c[1][i];
		for (int j = 0; j < m; j++) {
			const double K = stiffness_entry(c, i, j), *W = &c->rows.W[j * width];
			rhs[i] -= K * (W[0] * d_point[0] + W[1] * d_point[1] + W[2] * d_point[2] + W[3] * d_point[3]);
			for (int k = 0; k < e; k++) {
				M[i + (m + k) * n] += K * W[4 + k];
			}
		}
		for (int k = 0; k < e; k++) {
			M[m + k + i * n] = -c->rows.W[i * width + 4 + k];
		}
	}
	for (int k = 0; k < e; k++) {
		M[m + k + (m + k) * n] = c->law.rho;
		rhs[m + k] = -c->B_lambda[k];
	}
	cr_assert(abut_lapack_solve(n, M, pivots, 1, rhs));
	memcpy(d_lambda, rhs, (size_t)m * sizeof *rhs);
	memcpy(d_eps, rhs + m, (size_t)e * sizeof *rhs);
}

/* Computes d(W4' lambda) from d lambda. */
static void gather(const Case *c, const double *d_lambda, double out[4])
{
	memset(out, 0, 4 * sizeof *out);
	for (int i = 0; i < c->rows.n_rows; i++) {
		for (int j = 0; j < 4; j++) {
			out[j] += c->rows.W[i * c->rows.width + j] * d_lambda[i];
		}
	}
}

static double largest(const double *v, int n)
{
	double out = 0.0;
	for (int i = 0; i < n; i++) {
		out = fmax(out, fabs(v[i]));
	}
	return out;
}

/* Rounding of 1e-16 times 1 / kappa or C / delta in the entries; a condition number of the eps block of up to 1e4. */
static const double tolerance = 1e-9;

Test(shape_kernel, stiffness_is_that_of_a_dense_elimination)
{
	for (int law = 0; law < CASE_LAWS; law++) {
		for (int kind = 0; kind < ABUT_SHAPE_COUNT; kind++) {
			for (unsigned seed = 0; seed < SEEDS; seed++) {
				AbutRng rng = {seed};
				Case c;
				make_case((AbutShapeKind)kind, (CaseLaw)law, &rng, &c);
				const char *name = abut_shape_kind_name(c.shape->kind);
				double d_lambda[ROWS_MAX], d_eps[EPS_MAX], base[4], lane[4], change[4];
				const double zero[4] = {0.0};
				const double size = largest(c.stiffness.Q, 16) + largest(c.stiffness.k[0], 4) +
				                    largest(c.stiffness.k[1], 4);
				dense_solution(&c, zero, 0.0, d_lambda, d_eps);
				gather(&c, d_lambda, base);
				dense_solution(&c, zero, 1.0, d_lambda, d_eps);
				gather(&c, d_lambda, lane);
				for (int i = 0; i < 4; i++) {
					cr_assert_float_eq(c.stiffness.k[0][i], base[i], tolerance * size,
					                   "%s, %s, seed %u: k0", law_names[law], name, seed);
					cr_assert_float_eq(c.stiffness.k[1][i], lane[i] - base[i], tolerance * size,
					                   "%s, %s, seed %u: k1", law_names[law], name, seed);
				}
				for (int j = 0; j < 4; j++) {
					double unit[4] = {0.0};
					unit[j] = 1.0;
					dense_solution(&c, unit, 0.0, d_lambda, d_eps);
					gather(&c, d_lambda, change);
					for (int i = 0; i < 4; i++) {
						cr_assert_float_eq(c.stiffness.Q[4 * i + j], base[i] - change[i],
						                   tolerance * size, "%s, %s, seed %u: Q %d %d",
						                   law_names[law], name, seed, i, j);
					}
				}
				free_case(&c);
			}
		}
	}
}

/* Checks eps and its map, dH and dlambda: the law row by row, the change of H, stationarity in eps, and the dense
 * solution. */
Test(shape_kernel, recovery_satisfies_the_equations)
{
	for (int law = 0; law < CASE_LAWS; law++) {
		for (int kind = 0; kind < ABUT_SHAPE_COUNT; kind++) {
			for (unsigned seed = 0; seed < SEEDS; seed++) {
				AbutRng rng = {seed};
				Case c;
				make_case((AbutShapeKind)kind, (CaseLaw)law, &rng, &c);
				const char *name = abut_shape_kind_name(c.shape->kind);
				const int m = c.rows.n_rows, width = c.rows.width;
				double d_point[4], d_eps[EPS_MAX], d_lambda[ROWS_MAX], dH[ROWS_MAX], lambda[ROWS_MAX];
				double eps[EPS_MAX], sums[4], expected[4];
				const double weight = abut_rng_normal(&rng);
				for (int i = 0; i < 4; i++) {
					d_point[i] = abut_rng_normal(&rng);
				}
				const AbutRowsStep step = {d_point, d_eps, d_lambda, dH};
				abut_conic_rows_recover(&c.rows, c.cones, &c.law, weight, c.eps_map, &step);
				const double K_size = largest(c.K, 16 * ROWS_MAX);
				const double size = 1.0 + K_size * (largest(dH, m) + largest(c.H, m));
				for (int i = 0; i < m; i++) {
					const double *W = &c.rows.W[i * width];
					double H_change = W[0] * d_point[0] + W[1] * d_point[1] + W[2] * d_point[2] +
					                  W[3] * d_point[3];
					double by_law = c.c[0][i] + weight * c.c[1][i];
					for (int k = 0; k < c.rows.n_eps; k++) {
						H_change += W[4 + k] * d_eps[k];
					}
					for (int j = 0; j < m; j++) {
						by_law -= stiffness_entry(&c, i, j) * dH[j];
					}
					cr_assert_float_eq(dH[i], H_change,
					                   1e-14 * (10.0 + largest(d_eps, c.rows.n_eps)),
					                   "%s, %s, seed %u: dH", law_names[law], name, seed);
					cr_assert_float_eq(d_lambda[i], by_law, 1e-13 * size, "%s, %s, seed %u: law",
					                   law_names[law], name, seed);
				}
				for (int k = 0; k < c.rows.n_eps;
				     k++) { /* B'(lambda + dlambda) + rho deps = 0, B = -W_e */
					double sum = c.B_lambda[k] + c.law.rho * d_eps[k];
					for (int i = 0; i < m; i++) {
						sum -= c.rows.W[i * width + 4 + k] * d_lambda[i];
					}
					cr_assert_float_eq(sum, 0.0, tolerance * size,
					                   "%s, %s, seed %u: stationarity %g", law_names[law], name,
					                   seed, sum);
				}
				gather(&c, d_lambda, sums);
				for (int i = 0; i < 4; i++) {
					expected[i] = c.stiffness.k[0][i] + weight * c.stiffness.k[1][i];
					for (int j = 0; j < 4; j++) {
						expected[i] -= c.stiffness.Q[4 * i + j] * d_point[j];
					}
					cr_assert_float_eq(sums[i], expected[i], tolerance * size,
					                   "%s, %s, seed %u: sums", law_names[law], name, seed);
				}
				dense_solution(&c, d_point, weight, lambda, eps);
				const double eps_size = 1.0 + largest(eps, c.rows.n_eps);
				for (int k = 0; k < c.rows.n_eps; k++) {
					cr_assert_float_eq(d_eps[k], eps[k], tolerance * eps_size,
					                   "%s, %s, seed %u: eps", law_names[law], name, seed);
				}
				free_case(&c);
			}
		}
	}
}

/* Computes lambda = kappa s^-1, the dual of a slack on the path. */
static void dual_on_path(const Case *c, const double *s, double *lambda)
{
	int first = 0;
	for (const AbutCone *cone = c->cones; first < c->rows.n_rows; first += cone->dim, cone++) {
		const double *own = &s[first];
		double det = own[0] * own[0];
		for (int i = 1; i < cone->dim; i++) {
			det -= own[i] * own[i];
		}
		cr_assert(own[0] > 0.0 && (cone->kind == ABUT_CONE_ORTHANT || det > 0.0), "%s: not inside",
		          abut_shape_kind_name(c->shape->kind));
		for (int i = 0; i < cone->dim; i++) {
			lambda[first + i] =
			    cone->kind == ABUT_CONE_ORTHANT ? kappa / own[i] : kappa * (i ? -own[i] : own[i]) / det;
		}
	}
}

static void slack_at(const Case *c, const double u[4], double *s)
{
	double g[3], d_lambda;
	const AbutRowsPoint point = {{u[0], u[1], u[2]}, u[3], NULL, c->z, 0.0};
	abut_conic_rows_evaluate(&c->rows, &point, s, g, &d_lambda, NULL);
}

/* The path's law is the derivative of s -> kappa s^-1: at a point of the path with s = H, W4' lambda changes by -Q d(p,
 * alpha). Shapes without eps have a closed form. Central differences of 1e-5 have errors of 1e-10 times a third
 * derivative of (1 / 0.05)^2, and 1e-11 of rounding. */
Test(shape_kernel, stiffness_is_the_derivative_of_the_duals)
{
	static const AbutShapeKind kinds[] = {ABUT_SHAPE_HALFSPACE, ABUT_SHAPE_BOX,       ABUT_SHAPE_POLYTOPE,
	                                      ABUT_SHAPE_SPHERE,    ABUT_SHAPE_ELLIPSOID, ABUT_SHAPE_CYLINDER,
	                                      ABUT_SHAPE_CONE};
	for (int k = 0; k < 7; k++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			Case c;
			make_case(kinds[k], PATH, &rng, &c);
			double u[4] = {0.0, 0.0, 0.0, 1.5}, s[ROWS_MAX], lambda[ROWS_MAX], sums[2][4];
			for (int i = 0; i < 3; i++) { /* near the centre; into a halfspace by its row's gradient */
				u[i] = c.rows.centre[i] + 0.05 * abut_rng_normal(&rng);
				u[i] += kinds[k] == ABUT_SHAPE_HALFSPACE ? 3.0 * c.rows.W[i] : 0.0;
			}
			slack_at(&c, u, s);
			dual_on_path(&c, s, c.z);
			abut_cones_law_path(c.cones, (c.rows.n_orthant > 0) + c.rows.n_soc, c.z, s, s, kappa, &c.law);
			cr_assert(abut_conic_rows_condense(&c.rows, c.cones, &c.law, c.B_lambda, c.scratch,
			                                   &c.stiffness, c.eps_map));
			const double size = largest(c.stiffness.Q, 16), step = 1e-5;
			for (int column = 0; column < 4; column++) {
				for (int side = 0; side < 2; side++) {
					double moved[4];
					memcpy(moved, u, sizeof moved);
					moved[column] += side == 0 ? step : -step;
					slack_at(&c, moved, s);
					dual_on_path(&c, s, lambda);
					gather(&c, lambda, sums[side]);
				}
				for (int i = 0; i < 4; i++) {
					const double fd = (sums[0][i] - sums[1][i]) / (2.0 * step);
					cr_assert_float_eq(fd, -c.stiffness.Q[4 * i + column], 1e-6 * size,
					                   "%s, seed %u: %d by %d", abut_shape_kind_name(kinds[k]),
					                   seed, i, column);
				}
			}
			free_case(&c);
		}
	}
}

/* For orthant rows on the path, and every shape under the exact law, Q is symmetric and not negative
 * (docs/formulation.md 4). */
Test(shape_kernel, stiffness_is_symmetric_where_it_should_be)
{
	for (int kind = 0; kind < ABUT_SHAPE_COUNT; kind++) {
		for (unsigned seed = 0; seed < SEEDS; seed++) {
			AbutRng rng = {seed};
			Case c;
			const bool orthant =
			    kind == ABUT_SHAPE_BOX || kind == ABUT_SHAPE_POLYTOPE || kind == ABUT_SHAPE_HALFSPACE;
			make_case((AbutShapeKind)kind, orthant && seed % 2 ? PATH : EXACT, &rng, &c);
			const double *Q = c.stiffness.Q, size = largest(Q, 16);
			double v[4], Qv[4], form = 0.0;
			for (int i = 0; i < 4; i++) {
				v[i] = abut_rng_normal(&rng);
				for (int j = 0; j < i; j++) {
					cr_assert_float_eq(Q[4 * i + j], Q[4 * j + i], 1e-11 * size, "%s, seed %u",
					                   abut_shape_kind_name(c.shape->kind), seed);
				}
			}
			for (int i = 0; i < 4; i++) {
				Qv[i] =
				    Q[4 * i] * v[0] + Q[4 * i + 1] * v[1] + Q[4 * i + 2] * v[2] + Q[4 * i + 3] * v[3];
				form += v[i] * Qv[i];
			}
			cr_assert_geq(form, -1e-11 * size, "%s, seed %u", abut_shape_kind_name(c.shape->kind), seed);
			free_case(&c);
		}
	}
}

/* Without any active row the eps block is empty. This is reported, unless rho fills the block. */
Test(shape_kernel, singular_eps_is_reported)
{
	AbutRng rng = {1};
	Case c;
	make_case(ABUT_SHAPE_CAPSULE, EXACT, &rng, &c);
	memset(c.K, 0, sizeof c.K);
	c.law.rho = 0.0;
	cr_assert_not(
	    abut_conic_rows_condense(&c.rows, c.cones, &c.law, c.B_lambda, c.scratch, &c.stiffness, c.eps_map));
	c.law.rho = 1e-9;
	cr_assert(abut_conic_rows_condense(&c.rows, c.cones, &c.law, c.B_lambda, c.scratch, &c.stiffness, c.eps_map));
	free_case(&c);
}

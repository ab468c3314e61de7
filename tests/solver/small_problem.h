/* Makes small complementarity problems with known solutions, r = A y + cubic y^3 + B z + a, H = C y + D z + h, for the
 * solver's functions. Their condense eliminates nothing: it solves the whole system, and evaluates the laws by its own
 * code. */
#pragma once

#include <criterion/criterion.h>
#include <string.h>

#include "base/lapack.h"
#include "sample_cones.h"
#include "solver/ncp/interior_point.h"
#include "solver/ncp/semismooth.h"

enum { SMALL = 40, SMALL_CONES = SMALL };

typedef struct SmallProblem {
	int n_y, n_z, n_cones, law;
	AbutCone cones[SMALL_CONES];
	double A[SMALL][SMALL], B[SMALL][SMALL], C[SMALL][SMALL], D[SMALL][SMALL], a[SMALL], h[SMALL], cubic;
	double y[SMALL];            /* of the last evaluation */
	double step_cap;            /* of step_limit; 0: none */
	int evaluations, nan_after; /* evaluations after which values are NaN; 0: never */
	bool singular;              /* condense reports failure */
	double solution[2 * 2 * SMALL];
} SmallProblem;

static inline void small_add_cone(SmallProblem *p, AbutConeKind kind, int dim, double weight)
{
	p->cones[p->n_cones++] =
	    (AbutCone){.kind = kind, .offset = p->n_z, .dim = dim, .weight = weight, .law = p->law};
	p->law += abut_cone_law_size(kind, dim);
	p->n_z += dim;
}

static inline void small_evaluate(void *data, const double *y, const double *z, double *r, double *H)
{
	SmallProblem *p = data;
	p->evaluations++;
	const double fault = p->nan_after && p->evaluations > p->nan_after ? (double)NAN : 0.0;
	for (int i = 0; i < p->n_y; i++) {
		p->y[i] = y[i];
		r[i] = p->a[i] + p->cubic * y[i] * y[i] * y[i] + fault;
		for (int j = 0; j < p->n_y; j++) {
			r[i] += p->A[i][j] * y[j];
		}
		for (int j = 0; j < p->n_z; j++) {
			r[i] += p->B[i][j] * z[j];
		}
	}
	for (int i = 0; i < p->n_z; i++) {
		H[i] = p->h[i] + fault;
		for (int j = 0; j < p->n_y; j++) {
			H[i] += p->C[i][j] * y[j];
		}
		for (int j = 0; j < p->n_z; j++) {
			H[i] += p->D[i][j] * z[j];
		}
	}
}

static inline double small_entry(const SmallProblem *p, double rho, int row, int column)
{
	if (row < p->n_y) {
		const double own = row == column ? 3.0 * p->cubic * p->y[row] * p->y[row] + rho : 0.0;
		return own + (column < p->n_y ? p->A[row][column] : p->B[row][column - p->n_y]);
	}
	return column < p->n_y ? p->C[row - p->n_y][column] : p->D[row - p->n_y][column - p->n_y];
}

static inline void small_jacobian(void *data, double rho, double *J)
{
	const SmallProblem *p = data;
	const int n = p->n_y + p->n_z;
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			J[i + j * n] = small_entry(p, rho, i, j);
		}
	}
}

/* Adds factor times the row of dH_i to M[row]. */
static inline void small_add(const SmallProblem *p, double rho, double *M, int row, double factor, int i)
{
	const int n = p->n_y + p->n_z;
	for (int j = 0; j < n; j++) {
		M[row + j * n] += factor * small_entry(p, rho, p->n_y + i, j);
	}
}

static inline bool small_condense(void *data, const double *r, const AbutConeLaw *law)
{
	SmallProblem *p = data;
	const int n = p->n_y + p->n_z;
	double M[4 * SMALL * SMALL] = {0.0};
	int pivots[2 * SMALL];
	memset(p->solution, 0, sizeof p->solution);
	for (int i = 0; i < p->n_y; i++) {
		p->solution[i] = -r[i];
		for (int j = 0; j < n; j++) {
			M[i + j * n] = small_entry(p, law->rho, i, j);
		}
	}
	for (int c = 0; c < p->n_cones; c++) {
		const AbutCone *cone = &p->cones[c];
		const double *K = &law->K[cone->law];
		const AbutFreeHeadLaw *head = abut_free_head_law(law, cone);
		for (int i = 0; i < cone->dim; i++) {
			const int z = cone->offset + i, row = p->n_y + z;
			if (cone->kind == ABUT_CONE_SOC_FREE_HEAD) { /* row of the head: dpsi, of the tail: dz */
				if (i == 0) {
					small_add(p, 0.0, M, row, 1.0, z);
				} else {
					M[row + row * n] += 1.0;
				}
				M[row + (p->n_y + cone->offset) * n] -= i ? head->a[i - 1] : head->qb;
				for (int j = 1; j < cone->dim; j++) {
					small_add(p, 0.0, M, row, i ? head->B[3 * (i - 1) + j - 1] : -head->qs[j - 1],
					          cone->offset + j);
				}
				for (int lane = 0; lane < 2; lane++) {
					p->solution[row + lane * n] = i ? head->k[lane][i - 1] : head->q[lane];
				}
				continue;
			}
			M[row + row * n] += 1.0;
			for (int j = 0; j < cone->dim; j++) {
				const double entry = cone->kind == ABUT_CONE_SOC ? K[i * cone->dim + j]
				                     : i == j                    ? K[i]
				                                                 : 0.0;
				small_add(p, 0.0, M, row, entry, cone->offset + j);
			}
			p->solution[row] = law->c[0][z];
			p->solution[row + n] = law->c[1][z];
		}
	}
	return !p->singular && abut_lapack_solve(n, M, pivots, 2, p->solution);
}

static inline void small_recover(void *data, const AbutConeLaw *law, double weight, double *dy, double *dz, double *dH)
{
	const SmallProblem *p = data;
	const int n = p->n_y + p->n_z;
	(void)law;
	for (int i = 0; i < n; i++) {
		*(i < p->n_y ? &dy[i] : &dz[i - p->n_y]) = p->solution[i] + weight * p->solution[i + n];
	}
	for (int i = 0; i < p->n_z; i++) {
		dH[i] = 0.0;
		for (int j = 0; j < n; j++) {
			dH[i] += small_entry(p, 0.0, p->n_y + i, j) * (j < p->n_y ? dy[j] : dz[j - p->n_y]);
		}
	}
}

static inline double small_step_limit(void *data, const double *y, const double *dy, double limit)
{
	const SmallProblem *p = data;
	(void)y;
	(void)dy;
	return p->step_cap > 0.0 ? fmin(p->step_cap, limit) : limit;
}

static const AbutNcpOps small_ops = {.evaluate = small_evaluate,
                                     .condense = small_condense,
                                     .recover = small_recover,
                                     .jacobian = small_jacobian,
                                     .step_limit = small_step_limit};

/* The problem with its iterate. With `dense` it uses the solver's own linear algebra, otherwise the condense above. */
typedef struct SmallSolve {
	SmallProblem problem;
	AbutNcp ncp;
	AbutIterate it;
} SmallSolve;

static inline void small_begin(SmallSolve *solve, bool dense)
{
	SmallProblem *p = &solve->problem;
	solve->ncp = (AbutNcp){p, &small_ops, p->n_y, p->n_z, p->cones, p->n_cones, 0.0, NULL};
	cr_assert_eq(abut_iterate_create(p->n_y, p->n_z, p->law, dense, &solve->it), ABUT_OK);
	cr_assert_eq(solve->it.dense != NULL, dense);
	abut_cones_identity(p->cones, p->n_cones, solve->it.z);
	abut_cones_identity(p->cones, p->n_cones, solve->it.s);
}

static inline void small_end(SmallSolve *solve)
{
	abut_iterate_destroy(&solve->it);
	cr_assert_null(solve->it.memory);
}

/* Makes the projection of d onto a second-order cone, min |y - d|^2 / 2: r = y - d - z, H = y. */
static inline void small_projection(SmallProblem *p, int dim, const double *d)
{
	memset(p, 0, sizeof *p);
	p->n_y = dim;
	small_add_cone(p, ABUT_CONE_SOC, dim, 1.0);
	for (int i = 0; i < dim; i++) {
		p->A[i][i] = 1.0;
		p->B[i][i] = -1.0;
		p->C[i][i] = 1.0;
		p->a[i] = -d[i];
	}
}

/* Computes its solution on the path: y - kappa / y = d for each eigenvalue. */
static inline void small_projection_solution(int dim, const double *d, double kappa, double *y)
{
	double r = 0.0, u[SMALL] = {0.0};
	for (int i = 1; i < dim; i++) {
		r = hypot(r, d[i]);
	}
	for (int i = 1; i < dim; i++) {
		u[i - 1] = r > 0.0 ? d[i] / r : 0.0;
	}
	const double plus = d[0] + r, minus = d[0] - r;
	sample_spectral(dim, 0.5 * (plus + sqrt(plus * plus + 4.0 * kappa)),
	                0.5 * (minus + sqrt(minus * minus + 4.0 * kappa)), u, y);
}

/* Makes min y' Q y / 2 + c' y over y >= 0 with known solution y, z (>= 0, complementary): r = Q y + c - z, H = y. */
static inline void small_program(SmallProblem *p, int n, AbutRng *rng, const double *y, const double *z)
{
	double G[SMALL][SMALL];
	memset(p, 0, sizeof *p);
	p->n_y = n;
	small_add_cone(p, ABUT_CONE_ORTHANT, n, 1.0);
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++) {
			G[i][j] = abut_rng_normal(rng);
		}
		p->B[i][i] = -1.0;
		p->C[i][i] = 1.0;
	}
	for (int i = 0; i < n; i++) {
		p->a[i] = z[i];
		for (int j = 0; j < n; j++) {
			p->A[i][j] = i == j ? 0.5 : 0.0;
			for (int k = 0; k < n; k++) {
				p->A[i][j] += G[k][i] * G[k][j] / n;
			}
			p->a[i] -= p->A[i][j] * y[j];
		}
	}
}

/* Makes a block of mass m that an impulse F pushes on a plane with normal impulse N. With y = (v (2), psi) and z =
 * (beta_0, beta (2)):
 *
 *     r = (m v - F - beta, mu N - beta_0),  H = (psi, v).
 *
 * It sticks while |F| <= mu N. */
static inline void small_friction(SmallProblem *p, double m, const double F[2], double mu_N)
{
	memset(p, 0, sizeof *p);
	p->n_y = 3;
	small_add_cone(p, ABUT_CONE_SOC_FREE_HEAD, 3, 10.0);
	for (int i = 0; i < 2; i++) {
		p->A[i][i] = m;
		p->B[i][1 + i] = -1.0;
		p->a[i] = -F[i];
		p->C[1 + i][i] = 1.0;
	}
	p->B[2][0] = -1.0;
	p->a[2] = mu_N;
	p->C[0][2] = 1.0;
}

static inline void small_friction_solution(double m, const double F[2], double mu_N, double v[2], double beta[2])
{
	const double size = hypot(F[0], F[1]), share = size > mu_N ? mu_N / size : 1.0;
	for (int i = 0; i < 2; i++) {
		beta[i] = -share * F[i];
		v[i] = (F[i] + beta[i]) / m;
	}
}

/* Solves the Newton system for [dy; dz] by dense factorisation. The slacks are eliminated by the laws of the cones:
 *
 *     [ dr/dy        dr/dz       ] [dy]   [ -r ]
 *     [ K dH/dy      I + K dH/dz ] [dz] = [  c ]      (two lanes of c)
 *
 * For a free-head cone of up to 4 rows, its own law (soc.h) replaces these rows; it determines psi and the tail of the
 * dual. */
#include "solver/ncp/dense.h"

#include <math.h>
#include <string.h>

#include "base/lapack.h"

/* Adds factor times row `row` of the Jacobian of H to row `target` of M. */
static void add_slack_row(const double *J, int n, int row, double factor, double *M, int target)
{
	for (int j = 0; j < n; j++) {
		M[target + j * n] += factor * J[row + j * n];
	}
}

static void free_head_rows(const AbutNcp *ncp, const AbutCone *cone, const AbutConeLaw *law, const double *J, double *M,
                           double *rhs)
{
	const int n = ncp->n_y + ncp->n_z;
	const AbutFreeHeadLaw *head = abut_free_head_law(law, cone);
	const int first = ncp->n_y + cone->offset; /* row of H, and column of z, of the head */
	/* dpsi - qs . dH_tail - qb dz_head = q */
	add_slack_row(J, n, first, 1.0, M, first);
	M[first + first * n] -= head->qb;
	rhs[first] = head->q[0];
	rhs[first + n] = head->q[1];
	for (int i = 0; i < cone->dim - 1; i++) {
		const int row = first + 1 + i;
		add_slack_row(J, n, row, -head->qs[i], M, first);
		/* dz_tail - a dz_head + B dH_tail = k */
		M[row + row * n] += 1.0;
		M[row + first * n] -= head->a[i];
		for (int j = 0; j < cone->dim - 1; j++) {
			add_slack_row(J, n, first + 1 + j, head->B[3 * i + j], M, row);
		}
		rhs[row] = head->k[0][i];
		rhs[row + n] = head->k[1][i];
	}
}

static void law_rows(const AbutNcp *ncp, const AbutCone *cone, const AbutConeLaw *law, const double *J, double *M,
                     double *rhs)
{
	const int n = ncp->n_y + ncp->n_z;
	const double *K = &law->K[cone->law];
	for (int i = 0; i < cone->dim; i++) {
		const int row = ncp->n_y + cone->offset + i;
		M[row + row * n] += 1.0;
		rhs[row] = law->c[0][cone->offset + i];
		rhs[row + n] = law->c[1][cone->offset + i];
		if (cone->kind == ABUT_CONE_ORTHANT) {
			add_slack_row(J, n, row, K[i], M, row);
			continue;
		}
		for (int j = 0; j < cone->dim; j++) {
			add_slack_row(J, n, ncp->n_y + cone->offset + j, K[i * cone->dim + j], M, row);
		}
	}
}

bool abut_dense_condense(const AbutNcp *ncp, AbutIterate *iterate)
{
	const int n = ncp->n_y + ncp->n_z;
	const size_t nn = (size_t)n * (size_t)n;
	double *J = iterate->dense;
	double *M = J + nn;
	double *rhs = M + nn;
	ncp->ops->jacobian(ncp->problem, iterate->law.rho, J);
	memset(rhs, 0, 2 * (size_t)n * sizeof(double));
	for (int j = 0; j < n; j++) {
		memcpy(&M[j * n], &J[j * n], (size_t)ncp->n_y * sizeof(double));
		memset(&M[j * n + ncp->n_y], 0, (size_t)ncp->n_z * sizeof(double));
	}
	for (int i = 0; i < ncp->n_y; i++) {
		rhs[i] = -iterate->r[i];
	}
	for (int i = 0; i < ncp->n_cones; i++) {
		if (ncp->cones[i].kind == ABUT_CONE_SOC_FREE_HEAD) {
			free_head_rows(ncp, &ncp->cones[i], &iterate->law, J, M, rhs);
		} else {
			law_rows(ncp, &ncp->cones[i], &iterate->law, J, M, rhs);
		}
	}
	return abut_lapack_solve(n, M, iterate->pivots, 2, rhs);
}

void abut_dense_recover(const AbutNcp *ncp, AbutIterate *iterate, double weight)
{
	const int n = ncp->n_y + ncp->n_z;
	const size_t nn = (size_t)n * (size_t)n;
	const double *J = iterate->dense;
	const double *solution = J + 2 * nn;
	for (int i = 0; i < ncp->n_y; i++) {
		iterate->dy[i] = solution[i] + weight * solution[i + n];
	}
	for (int i = 0; i < ncp->n_z; i++) {
		iterate->dz[i] = solution[ncp->n_y + i] + weight * solution[ncp->n_y + i + n];
	}
	for (int i = 0; i < ncp->n_z; i++) {
		double sum = 0.0;
		for (int j = 0; j < n; j++) {
			sum += J[ncp->n_y + i + j * n] * (j < ncp->n_y ? iterate->dy[j] : iterate->dz[j - ncp->n_y]);
		}
		iterate->dH[i] = sum;
	}
}

/* Finds a large ball inside a polytope a_i . x <= b_i by the simplex method with four rows. The linear program for the
 * largest ball, with Chebyshev centre x and radius r, and its dual are
 *
 *      maximise r  subject to  a_i . x + r <= b_i
 *      minimise b'y  subject to  sum_i y_i (a_i, 1) = (0, 0, 0, 1),  y >= 0.
 *
 * A basis of the dual has four columns. Its prices are (x, r), and the reduced cost of column i is the slack b_i - a_i
 * . x - r of the primal. So each basis bounds the largest radius: r from above, and the smallest b_i - a_i . x from
 * below. The method stops as soon as the two are close, before nearly parallel rows make pivots unreliable. The rows
 * have unit length, so that nothing depends on the unit of length. Phase one starts from four artificial columns. It
 * fails if no y exists, that is, if the balls grow without bound. */
#include "shapes/hull/inner_ball.h"

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"

enum { SIZE = 4 };

typedef struct Simplex {
	int m;
	const double *A, *b;
	bool phase_one;
	int basis[SIZE]; /* columns: 0 to m - 1, then the artificial unit columns m to m + 3 */
	double inverse[SIZE][SIZE];
	double prices[SIZE];
} Simplex;

static void get_column(const Simplex *simplex, int j, double out[SIZE])
{
	for (int k = 0; k < SIZE; k++) {
		out[k] = j < simplex->m ? (k < 3 ? simplex->A[3 * j + k] : 1.0) : (j - simplex->m == k ? 1.0 : 0.0);
	}
}

static double get_cost(const Simplex *simplex, int j)
{
	if (simplex->phase_one) {
		return j < simplex->m ? 0.0 : 1.0;
	}
	return j < simplex->m ? simplex->b[j] : 0.0;
}

/* Computes the inverse of the basis by Gauss-Jordan elimination with row pivots, and then the prices. Returns false if
 * the basis is singular. */
static bool factorise(Simplex *simplex)
{
	double work[SIZE][2 * SIZE] = {{0.0}};
	for (int j = 0; j < SIZE; j++) {
		double column[SIZE];
		get_column(simplex, simplex->basis[j], column);
		for (int k = 0; k < SIZE; k++) {
			work[k][j] = column[k];
		}
		work[j][SIZE + j] = 1.0;
	}
	for (int j = 0; j < SIZE; j++) {
		int pivot = j;
		for (int k = j + 1; k < SIZE; k++) {
			pivot = fabs(work[k][j]) > fabs(work[pivot][j]) ? k : pivot;
		}
		if (!(fabs(work[pivot][j]) > 1e-14)) {
			return false;
		}
		for (int l = 0; l < 2 * SIZE; l++) {
			const double swap = work[pivot][l];
			work[pivot][l] = work[j][l];
			work[j][l] = swap;
		}
		const double scale = 1.0 / work[j][j];
		for (int l = 0; l < 2 * SIZE; l++) {
			work[j][l] *= scale;
		}
		for (int k = 0; k < SIZE; k++) {
			const double factor = work[k][j];
			for (int l = 0; k != j && l < 2 * SIZE; l++) {
				work[k][l] -= factor * work[j][l];
			}
		}
	}
	for (int k = 0; k < SIZE; k++) {
		simplex->prices[k] = 0.0;
		for (int j = 0; j < SIZE; j++) {
			simplex->inverse[j][k] = work[j][SIZE + k];
			simplex->prices[k] += get_cost(simplex, simplex->basis[j]) * work[j][SIZE + k];
		}
	}
	return true;
}

/* Returns the column of the most negative reduced cost, or the first negative one if `bland`; -1 if there is none. In
 * phase two `radius` receives the radius of the largest ball around x. */
static int choose_entering(const Simplex *simplex, bool bland, double *radius)
{
	const double *x = simplex->prices, r = x[3];
	const double size_of_x = fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + fabs(r);
	int entering = -1;
	double lowest = HUGE_VAL, steepest = 0.0;
	for (int j = 0; j < simplex->m; j++) {
		const double cost = simplex->phase_one ? 0.0 : simplex->b[j];
		const double reduced = cost - abut_dot3(&simplex->A[3 * j], x) - r;
		lowest = fmin(lowest, reduced);
		if (reduced < -1e-13 * (fabs(cost) + size_of_x) && reduced < steepest && !(bland && entering >= 0)) {
			steepest = reduced;
			entering = j;
		}
	}
	*radius = r + lowest;
	return entering;
}

/* Returns the position in the basis of the column that reaches zero first (among ties, of the lowest column); -1 if
 * none does. In phase two an artificial column is zero and leaves as soon as it would change. */
static int choose_leaving(const Simplex *simplex, int entering)
{
	double column[SIZE];
	get_column(simplex, entering, column);
	int leaving = -1;
	double best = HUGE_VAL;
	for (int k = 0; k < SIZE; k++) {
		double w = 0.0;
		for (int l = 0; l < SIZE; l++) {
			w += simplex->inverse[k][l] * column[l];
		}
		const bool artificial = !simplex->phase_one && simplex->basis[k] >= simplex->m;
		if (!(w > 1e-11 || (artificial && w < -1e-11))) {
			continue;
		}
		/* The right-hand side is e_4, so the last column of the inverse is the solution. */
		const double value = simplex->inverse[k][3];
		const double ratio = artificial || value < 1e-14 ? 0.0 : value / w;
		if (leaving < 0 || ratio < best || (ratio == best && simplex->basis[k] < simplex->basis[leaving])) {
			best = ratio;
			leaving = k;
		}
	}
	return leaving;
}

/* Pivots until no reduced cost is negative or, in phase two, the ball has at least half the largest radius. x and
 * `radius` receive the best ball so far. Returns false after a numerical failure. */
static bool minimise(Simplex *simplex, double x[3], double *radius)
{
	/* The column of most negative cost is fast. After PATIENCE pivots Bland's rule prevents cycles, except by
	 * rounding. */
	enum { PATIENCE = 100, LIMIT = 1000 };
	for (int iteration = 0; iteration < LIMIT && factorise(simplex); iteration++) {
		double fits = -HUGE_VAL;
		const int entering = choose_entering(simplex, iteration >= PATIENCE, &fits);
		if (!simplex->phase_one && fits > *radius) {
			*radius = fits;
			abut_copy3(simplex->prices, x);
		}
		const bool enough = !simplex->phase_one && *radius > 0.5 * simplex->prices[3] && *radius > 0.0;
		if (entering < 0 || enough) {
			return true;
		}
		const int leaving = choose_leaving(simplex, entering);
		if (leaving < 0) {
			return false;
		}
		simplex->basis[leaving] = entering;
	}
	return false;
}

AbutInnerBall abut_inner_ball(int m, const double *A, const double *b, double x[3], double *radius)
{
	Simplex simplex = {.m = m, .A = A, .b = b, .phase_one = true, .basis = {m, m + 1, m + 2, m + 3}};
	*radius = -HUGE_VAL;
	if (!minimise(&simplex, x, radius)) {
		return ABUT_INNER_BALL_FAILED;
	}
	double artificial = 0.0;
	for (int k = 0; k < SIZE; k++) {
		artificial += simplex.basis[k] >= m ? fabs(simplex.inverse[k][3]) : 0.0;
	}
	if (artificial > 1e-11) {
		return ABUT_INNER_BALL_UNBOUNDED;
	}
	simplex.phase_one = false;
	return minimise(&simplex, x, radius) || *radius > 0.0 ? ABUT_INNER_BALL_FOUND : ABUT_INNER_BALL_FAILED;
}

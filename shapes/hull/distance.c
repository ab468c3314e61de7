/* Computes the distance of a point p to a convex hull by the iteration of Gilbert, Johnson and Keerthi (GJK). It keeps
 * at most four of the given points, and the point v of their hull nearest to p. Each step adds the point that reaches
 * furthest from v towards p, until none does. The nearest point is searched among all subsets of the four, so that
 * another subset can replace one that fails by rounding. Each step comes nearer, so that the iteration ends; a limit
 * stops it if rounding prevents this. Tested in tests/shapes/mesh/hull_reduce.c, against faces, edges and vertices one
 * by one. */
#include "shapes/hull/distance.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/vec3.h"

typedef struct Simplex {
	int n;
	int index[4];
	double y[4][3]; /* the points kept, relative to p */
} Simplex;

/* Computes the weights of the point nearest to the origin in the affine hull of k points. Returns false if a weight is
 * negative, or if the points are degenerate to rounding. */
static bool nearest_of(const double *const y[4], int k, double weights[4])
{
	/* Solve G lambda = -E' y0, with the edges E that start at y0 and G = E' E, by elimination with the largest
	 * pivot. */
	double edge[3][3], G[3][4];
	const int m = k - 1;
	for (int i = 0; i < m; i++) {
		abut_sub3(y[i + 1], y[0], edge[i]);
	}
	double scale[3];
	int order[3] = {0, 1, 2};
	for (int i = 0; i < m; i++) {
		for (int j = 0; j < m; j++) {
			G[i][j] = abut_dot3(edge[i], edge[j]);
		}
		G[i][3] = -abut_dot3(edge[i], y[0]);
		scale[i] = G[i][i];
	}
	for (int p = 0; p < m; p++) {
		int best = p;
		for (int r = p + 1; r < m; r++) {
			best = G[order[r]][order[r]] > G[order[best]][order[best]] ? r : best;
		}
		const int swap = order[p];
		order[p] = order[best];
		order[best] = swap;
		const int pivot = order[p];
		if (!(G[pivot][pivot] > 1e-14 * scale[pivot])) {
			return false;
		}
		for (int r = p + 1; r < m; r++) {
			const double factor = G[order[r]][pivot] / G[pivot][pivot];
			for (int c = p + 1; c < m; c++) {
				G[order[r]][order[c]] -= factor * G[pivot][order[c]];
			}
			G[order[r]][3] -= factor * G[pivot][3];
		}
	}
	double sum = 0.0;
	for (int p = m - 1; p >= 0; p--) {
		double value = G[order[p]][3];
		for (int c = p + 1; c < m; c++) {
			value -= G[order[p]][order[c]] * weights[order[c] + 1];
		}
		weights[order[p] + 1] = value / G[order[p]][order[p]];
		sum += weights[order[p] + 1];
	}
	weights[0] = 1.0 - sum;
	bool inside = true;
	for (int i = 0; i < k; i++) {
		inside = inside && weights[i] >= 0.0;
	}
	return inside;
}

/* Reduces the simplex to the subset whose hull contains the nearest point v to the origin. */
static void reduce(Simplex *simplex, double v[3])
{
	double best = HUGE_VAL;
	int chosen = 1;
	for (int subset = 1; subset < 1 << simplex->n; subset++) {
		const double *y[4] = {simplex->y[0], simplex->y[0], simplex->y[0], simplex->y[0]};
		double weights[4], point[3] = {0.0};
		int k = 0;
		for (int i = 0; i < simplex->n; i++) {
			if ((subset >> i) & 1) {
				y[k++] = simplex->y[i];
			}
		}
		if (!nearest_of(y, k, weights)) {
			continue;
		}
		for (int i = 0; i < k; i++) {
			for (int axis = 0; axis < 3; axis++) {
				point[axis] += weights[i] * y[i][axis];
			}
		}
		if (abut_dot3(point, point) < best) {
			best = abut_dot3(point, point);
			chosen = subset;
			abut_copy3(point, v);
		}
	}
	int n = 0;
	for (int i = 0; i < simplex->n; i++) {
		if ((chosen >> i) & 1) {
			simplex->index[n] = simplex->index[i];
			abut_copy3(simplex->y[i], simplex->y[n++]);
		}
	}
	simplex->n = n;
}

/* Returns the index of the point that reaches furthest in the direction -v. */
static int furthest(int n, const double *points, const double v[3])
{
	int best = 0;
	double least = HUGE_VAL;
	for (int i = 0; i < n; i++) {
		const double reach = abut_dot3(v, &points[3 * (size_t)i]);
		if (reach < least) {
			least = reach;
			best = i;
		}
	}
	return best;
}

double abut_hull_distance(int n, const double *points, const double p[3], double nearest[3])
{
	enum { MOST = 200 };
	Simplex simplex = {.n = 0};
	double v[3] = {points[0] - p[0], points[1] - p[1], points[2] - p[2]};
	double size = abut_norm3(v);
	for (int iteration = 0; iteration < MOST; iteration++) {
		const int next = furthest(n, points, v);
		double y[3];
		for (int axis = 0; axis < 3; axis++) {
			y[axis] = points[3 * (size_t)next + (size_t)axis] - p[axis];
		}
		size = abut_max(size, abut_norm3(y));
		bool known = false;
		for (int i = 0; i < simplex.n; i++) {
			known = known || simplex.index[i] == next;
		}
		/* v is the nearest point if no point lies lower along v: v . y >= v . v for every y. */
		const double square = abut_dot3(v, v);
		if (known || (simplex.n > 0 && square - abut_dot3(v, y) <= 1e-15 * size * sqrt(square))) {
			break;
		}
		const Simplex before = simplex;
		double point[3] = {0.0};
		simplex.index[simplex.n] = next;
		abut_copy3(y, simplex.y[simplex.n++]);
		reduce(&simplex, point);
		if (before.n > 0 && !(abut_dot3(point, point) < square)) {
			break; /* no progress because of rounding */
		}
		abut_copy3(point, v);
		if (simplex.n == 4 || abut_norm3(v) <= 1e-15 * size) {
			abut_copy3(p, nearest); /* p is inside */
			return 0.0;
		}
	}
	abut_add3(p, v, nearest);
	return abut_norm3(v);
}

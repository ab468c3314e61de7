/* Chooses up to four of many contact points. */
#include "collision/manifold/reduce.h"

#include "base/vec3.h"

/* All gaps count as equal if the largest and the least differ by less than this share of the distance from the deepest
 * point to the one furthest from it: a tilt of 0.2 mrad. */
static const double level = 2e-4;

/* Returns twice the signed area of the triangle a b c, positive if it is counterclockwise seen against the normal. */
static double area(const double *a, const double *b, const double *c, const double normal[3])
{
	double u[3], v[3], cross[3];
	abut_sub3(b, a, u);
	abut_sub3(c, a, v);
	abut_cross3(u, v, cross);
	return abut_dot3(normal, cross);
}

static double square_distance(const double *a, const double *b)
{
	const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return abut_dot3(d, d);
}

/* The candidates, and the largest gap with which a point counts. */
typedef struct Choice {
	int n;
	const double *points, *normal;
	double offset, margin;
} Choice;

static double gap_of(const Choice *choice, int i)
{
	return abut_dot3(choice->normal, &choice->points[3 * i]) - choice->offset;
}

/* Returns the point furthest from point a, or -1 if there is none. Also writes the square of the distance. */
static int furthest_from(const Choice *choice, int a, double *square)
{
	int furthest = -1;
	*square = 0.0;
	for (int i = 0; i < choice->n; i++) {
		const double distance = square_distance(&choice->points[3 * a], &choice->points[3 * i]);
		if (gap_of(choice, i) <= choice->margin && distance > *square) {
			*square = distance;
			furthest = i;
		}
	}
	return furthest;
}

/* Finds, on each side of the line from a to b, the point that spans the largest triangle with a and b; -1 if there is
 * none. */
static void widest(const Choice *choice, int a, int b, int side[2])
{
	double most[2] = {0.0, 0.0};
	side[0] = side[1] = -1;
	for (int i = 0; i < choice->n; i++) {
		const double turn =
		    area(&choice->points[3 * a], &choice->points[3 * b], &choice->points[3 * i], choice->normal);
		const int which = turn < 0.0;
		if (gap_of(choice, i) <= choice->margin && fabs(turn) > most[which]) {
			most[which] = fabs(turn);
			side[which] = i;
		}
	}
}

int abut_manifold_reduce(int n, const double *points, const double normal[3], double offset, double margin,
                         int chosen[ABUT_MANIFOLD_POINTS])
{
	const Choice choice = {n, points, normal, offset, margin};
	int count = 0, deepest = -1, side[2];
	double least = (double)INFINITY, most = -(double)INFINITY, square;
	for (int i = 0; i < n; i++) {
		const double gap = gap_of(&choice, i);
		if (!(gap >
		      margin)) { /* points with a gap of NaN count, so that a support function that failed
			            does not hide a contact; of more than four points, finite gaps are preferred */
			if (count < ABUT_MANIFOLD_POINTS) {
				chosen[count] = i;
			}
			count++;
			deepest = deepest < 0 || gap < least ? i : deepest;
			least = abut_min(gap, least);
			most = abut_max(gap, most);
		}
	}
	if (count <= ABUT_MANIFOLD_POINTS) {
		return count;
	}
	int furthest = furthest_from(&choice, deepest, &square);
	if ((most - least) * (most - least) < level * level * square) {
		deepest = chosen[0];
		furthest = furthest_from(&choice, deepest, &square);
	}
	if (furthest < 0) {
		chosen[0] = deepest;
		return 1;
	}
	widest(&choice, deepest, furthest, side);
	const int all[ABUT_MANIFOLD_POINTS] = {deepest, furthest, side[0], side[1]};
	count = 0;
	for (int i = 0; i < ABUT_MANIFOLD_POINTS; i++) {
		if (all[i] >= 0) {
			chosen[count++] = all[i];
		}
	}
	return count;
}

/* Merges points that are closer than a tolerance, using a grid whose cells are found by hashing. A cell is four
 * tolerances wide. Along each axis, the neighbourhood of a point (one tolerance to either side) then lies within one
 * cell for half of the points, and extends over two cells for the others. */
#include "shapes/geometry/weld.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/vec3.h"

/* Returns the cell's coordinate. Adding 0.0 turns -0.0 into 0.0, since the hash uses the bits. */
static double cell_of(const AbutWeld *weld, double x)
{
	return (weld->tolerance > 0.0 ? floor(x / (4.0 * weld->tolerance)) : x) + 0.0;
}

static int bucket_of(const AbutWeld *weld, const double cell[3])
{
	uint64_t hash = 0;
	for (int i = 0; i < 3; i++) {
		uint64_t bits;
		memcpy(&bits, &cell[i], sizeof bits);
		hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return (int)(hash & (uint64_t)(weld->n_buckets - 1));
}

static void link_point(AbutWeld *weld, int point)
{
	double cell[3];
	for (int i = 0; i < 3; i++) {
		cell[i] = cell_of(weld, weld->points[3 * (size_t)point + (size_t)i]);
	}
	int *const bucket = &weld->buckets[bucket_of(weld, cell)];
	weld->next[point] = *bucket;
	*bucket = point;
}

/* Makes room for one more point, with more buckets than points. */
static bool make_room(AbutWeld *weld)
{
	if (weld->n == weld->capacity) {
		int n_points = weld->capacity, n_next = weld->capacity;
		if (!abut_grow(&weld->points, &n_points, weld->n + 1, 3 * sizeof *weld->points) ||
		    !abut_grow(&weld->next, &n_next, n_points, sizeof *weld->next)) {
			return false;
		}
		weld->capacity = n_points;
	}
	if (weld->n < weld->n_buckets) {
		return true;
	}
	const int n_buckets = weld->n_buckets > 0 ? 2 * weld->n_buckets : 1024;
	int *const buckets = malloc((size_t)n_buckets * sizeof *buckets);
	if (!buckets) {
		return false;
	}
	free(weld->buckets);
	weld->buckets = buckets;
	weld->n_buckets = n_buckets;
	memset(buckets, -1, (size_t)n_buckets * sizeof *buckets);
	for (int i = 0; i < weld->n; i++) {
		link_point(weld, i);
	}
	return true;
}

/* Returns the first point in a cell within the tolerance of p, or -1. */
static int find_in(const AbutWeld *weld, const double cell[3], const double p[3])
{
	int first = -1;
	for (int i = weld->buckets[bucket_of(weld, cell)]; i >= 0; i = weld->next[i]) {
		const double *q = &weld->points[3 * (size_t)i];
		if (fabs(q[0] - p[0]) <= weld->tolerance && fabs(q[1] - p[1]) <= weld->tolerance &&
		    fabs(q[2] - p[2]) <= weld->tolerance) {
			first = i; /* the list runs from the last point to the first */
		}
	}
	return first;
}

static int find(const AbutWeld *weld, const double p[3])
{
	double low[3], high[3];
	int first = -1;
	for (int i = 0; i < 3; i++) {
		low[i] = cell_of(weld, p[i] - weld->tolerance);
		high[i] = cell_of(weld, p[i] + weld->tolerance);
	}
	for (int corner = 0; corner < 8; corner++) {
		bool again = false; /* the cell was searched for another corner */
		double cell[3];
		for (int i = 0; i < 3; i++) {
			const bool upper = (corner >> i) & 1;
			again = again || (upper && low[i] == high[i]);
			cell[i] = upper ? high[i] : low[i];
		}
		const int found = again ? -1 : find_in(weld, cell, p);
		first = found >= 0 && (first < 0 || found < first) ? found : first;
	}
	return first;
}

int abut_weld_add(AbutWeld *weld, const double p[3])
{
	if (!make_room(weld)) {
		return -1;
	}
	const int known = find(weld, p);
	if (known >= 0) {
		return known;
	}
	const int point = weld->n++;
	abut_copy3(p, &weld->points[3 * (size_t)point]);
	link_point(weld, point);
	return point;
}

void abut_weld_free(AbutWeld *weld)
{
	free(weld->points);
	free(weld->next);
	free(weld->buckets);
	*weld = (AbutWeld){0};
}

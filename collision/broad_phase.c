#include "collision/broad_phase.h"

static double lower_end(const AbutSphere *s)
{
	return s->centre[0] - s->radius;
}

/* Insertion sort: linear in the number of spheres that changed places since the last call. */
static void sort_by_lower_end(int n, const AbutSphere *spheres, int *order)
{
	for (int i = 1; i < n; i++) {
		const int moved = order[i];
		const double low = lower_end(&spheres[moved]);
		int j = i;
		for (; j > 0 && lower_end(&spheres[order[j - 1]]) > low; j--) {
			order[j] = order[j - 1];
		}
		order[j] = moved;
	}
}

static bool overlap(const AbutSphere *a, const AbutSphere *b)
{
	const double reach = a->radius + b->radius;
	double square = 0.0;
	for (int i = 0; i < 3; i++) {
		const double d = a->centre[i] - b->centre[i];
		square += d * d;
	}
	return square < reach * reach;
}

void abut_broad_phase(int n, const AbutSphere *spheres, int *order, AbutMeet *meet, void *context)
{
	sort_by_lower_end(n, spheres, order);
	for (int i = 0; i < n; i++) {
		const int a = order[i];
		const double high = spheres[a].centre[0] + spheres[a].radius;
		for (int j = i + 1; j < n && lower_end(&spheres[order[j]]) < high; j++) {
			const int b = order[j];
			if (overlap(&spheres[a], &spheres[b])) {
				meet(context, a < b ? a : b, a < b ? b : a);
			}
		}
	}
}

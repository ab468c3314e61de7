#include "collision/broad_phase.h"

/* Insertion sort: linear in the number of boxes that changed places since the last call. */
static void sort_by_lower_end(int n, const AbutBounds *bounds, int *order)
{
	for (int i = 1; i < n; i++) {
		const int moved = order[i];
		const double low = bounds[moved].lower[0];
		int j = i;
		for (; j > 0 && bounds[order[j - 1]].lower[0] > low; j--) {
			order[j] = order[j - 1];
		}
		order[j] = moved;
	}
}

/* Whether two boxes overlap along y and z. */
static bool overlap_across(const AbutBounds *a, const AbutBounds *b)
{
	return a->lower[1] < b->upper[1] && b->lower[1] < a->upper[1] && a->lower[2] < b->upper[2] &&
	       b->lower[2] < a->upper[2];
}

void abut_broad_phase(int n, const AbutBounds *bounds, int *order, AbutMeet *meet, void *context)
{
	sort_by_lower_end(n, bounds, order);
	for (int i = 0; i < n; i++) {
		const int a = order[i];
		const AbutBounds *box = &bounds[a];
		if (!(box->lower[0] < box->upper[0])) {
			continue;
		}
		for (int j = i + 1; j < n && bounds[order[j]].lower[0] < box->upper[0]; j++) {
			const int b = order[j];
			if (overlap_across(box, &bounds[b]) && bounds[b].lower[0] < bounds[b].upper[0]) {
				meet(context, a < b ? a : b, a < b ? b : a);
			}
		}
	}
}

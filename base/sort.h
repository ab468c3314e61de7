/* Sorts numbers (for medians and percentiles) and keys, in place and without allocation. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

static inline int abut_compare_numbers(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static inline void abut_sort_numbers(double *numbers, size_t n)
{
	qsort(numbers, n, sizeof *numbers, abut_compare_numbers);
}

static inline void abut_sift_down(uint64_t *keys, int root, int n)
{
	for (int child = 2 * root + 1; child < n; child = 2 * root + 1) {
		child += child + 1 < n && keys[child + 1] > keys[child];
		if (keys[root] >= keys[child]) {
			return;
		}
		const uint64_t moved = keys[root];
		keys[root] = keys[child];
		keys[child] = moved;
		root = child;
	}
}

/* Sorts by heap sort, which needs no memory and has no slow case. */
static inline void abut_sort_keys(uint64_t *keys, int n)
{
	for (int root = n / 2 - 1; root >= 0; root--) {
		abut_sift_down(keys, root, n);
	}
	for (int end = n - 1; end > 0; end--) {
		const uint64_t top = keys[0];
		keys[0] = keys[end];
		keys[end] = top;
		abut_sift_down(keys, 0, end);
	}
}

/* Compares numbers. */
#pragma once

#include <stdbool.h>

/* Returns whether any of n numbers differ. */
static inline bool abut_differ(int n, const double *a, const double *b)
{
	bool differ = false;
	for (int i = 0; i < n; i++) {
		differ = differ || a[i] < b[i] || a[i] > b[i];
	}
	return differ;
}

/* Numbers in ascending order, for medians and percentiles. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

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

#endif

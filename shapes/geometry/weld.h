/* Points that become one when they are close: each is the first that came within the tolerance, or a new one. */
#ifndef SHAPES_GEOMETRY_WELD_H
#define SHAPES_GEOMETRY_WELD_H

#include <stdbool.h>

/* All zero but the tolerance at first; freed by abut_weld_free. */
typedef struct AbutWeld {
	double tolerance; /* in each coordinate; 0: only equal points are one */
	int n, capacity;
	double *points; /* (n x 3), in the order in which they came */
	int *next;      /* (capacity) of the same bucket, or -1 */
	int n_buckets;  /* a power of two, or 0 */
	int *buckets;   /* the last point of each, or -1 */
} AbutWeld;

/* The index of the point that p is from now on. Negative when out of memory. */
int abut_weld_add(AbutWeld *weld, const double p[3]);
void abut_weld_free(AbutWeld *weld);

#endif

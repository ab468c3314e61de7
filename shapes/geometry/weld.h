/* Merges points that are closer than a tolerance, using a grid whose cells are found by hashing. */
#pragma once

/* Initially zero except for the tolerance; freed by abut_weld_free. */
typedef struct AbutWeld {
	double tolerance; /* largest difference in each coordinate, m; 0: only equal points merge */
	int n, capacity;
	double *points; /* (n x 3), in the order of insertion, m */
	int *next;      /* (capacity) next point in the same bucket, or -1 */
	int n_buckets;  /* a power of two, or 0 */
	int *buckets;   /* last point of each bucket, or -1 */
} AbutWeld;

/* Returns the index of the point that represents p: the first one within the tolerance, or p itself as a new point.
 * Returns -1 when out of memory. */
int abut_weld_add(AbutWeld *weld, const double p[3]);
void abut_weld_free(AbutWeld *weld);

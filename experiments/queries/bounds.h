/* Bounds on the times of queries. */
#ifndef EXPERIMENTS_QUERIES_BOUNDS_H
#define EXPERIMENTS_QUERIES_BOUNDS_H

#include "experiments/queries/queries.h"

typedef struct AbutQueryBound {
	const char *name;
	double most;
	double (*of)(const AbutQueryRow *row); /* NaN where the row is not meant */
} AbutQueryBound;

int abut_query_bound_count(void);
const AbutQueryBound *abut_query_bound(int index);

/* The largest value of all rows (n) that are meant. */
double abut_query_bound_value(const AbutQueryBound *bound, const AbutQueryRow *rows, int n);

#endif

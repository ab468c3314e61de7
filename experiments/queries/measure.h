/* Measures the queries of all pairs of primitives. */
#ifndef EXPERIMENTS_QUERIES_MEASURE_H
#define EXPERIMENTS_QUERIES_MEASURE_H

#include "experiments/queries/queries.h"

int abut_query_row_count(void); /* at most ABUT_QUERY_ROWS_MAX: the pairs of bounded primitives */

/* Measures row `index`; `quick` asks a few poses only. Boxes to cones are of about a metre across, polytopes have 50
 * faces. `error` may be NULL. */
AbutStatus abut_query_measure(int index, bool quick, unsigned long long seed, AbutQueryRow *out, AbutError *error);

#endif

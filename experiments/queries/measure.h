/* Times of the queries of all pairs of primitives, compared with those of other libraries, and bounds on them. */
#pragma once

#include "experiments/queries/queries.h"

int abut_query_peer_count(void); /* at most ABUT_QUERY_PEERS_MAX */
const AbutQueryPeer *abut_query_peer(int index);

extern const int abut_query_row_count; /* at most ABUT_QUERY_ROWS_MAX: the pairs of bounded primitives */

/* Measures row `index`; with `quick`, only for a few poses. Shapes are about a metre across, polytopes have 50 faces.
 * `error` may be NULL. */
AbutStatus abut_query_measure(int index, bool quick, unsigned long long seed, AbutQueryRow *out, AbutError *error);

typedef struct AbutQueryBound {
	const char *name;
	double most;                           /* us */
	double (*of)(const AbutQueryRow *row); /* NaN where the bound does not apply */
} AbutQueryBound;

extern const int abut_query_bound_count;
extern const AbutQueryBound abut_query_bounds[]; /* (abut_query_bound_count) */

/* Returns the largest value of the rows (n) to which the bound applies. */
double abut_query_bound_value(const AbutQueryBound *bound, const AbutQueryRow *rows, int n);

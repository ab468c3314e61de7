/* Collision queries of a model's pairs at the poses of its definition. */
#pragma once

#include "abut/collide.h"
#include "abut/model.h"

/* The query of two parts that may touch. Its a and b are in the same order as in contacts. */
typedef struct AbutPairQuery {
	int body[2], part[2]; /* part: index within the body */
	int n_sizes[2];       /* sizes of its shape */
	AbutCollisionResult result;
	bool has_gradient;
	AbutCollisionGradient gradient;
} AbutPairQuery;

/* Which queries are computed, and what is done with them. */
typedef struct AbutPairCall {
	double kappa;     /* as in abut_collision_solve */
	double near;      /* m: pairs further apart may be skipped; INFINITY: all pairs */
	bool passes_over; /* queries that are refused are left out */
	bool (*visit)(void *context, const AbutPairQuery *query); /* returns whether it wants further pairs */
	void *context;
} AbutPairCall;

/* Calls `call->visit` with the query of each pair, in the order of their parts. Ends with the status of the first query
 * that is refused, unless `call->passes_over`, and with ABUT_ERROR_MEMORY if memory runs out. */
AbutStatus abut_pair_queries(const AbutModel *model, const AbutPairCall *call, AbutError *error);

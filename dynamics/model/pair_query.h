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

/* Calls `visit` with the query of each pair, computed at `kappa` as in abut_collision_solve. Skips pairs whose bounding
 * spheres are more than `near` (m) apart. Returns the status of the first query that fails. */
AbutStatus abut_pair_queries(const AbutModel *model, const AbutSceneDef *def, double kappa, double near,
                             void (*visit)(void *context, const AbutPairQuery *query), void *context, AbutError *error);

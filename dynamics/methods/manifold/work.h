/* The memory of the methods lcp and convex, and the parts of their models. */
#pragma once

#include "dynamics/methods/manifold/island.h"

/* Create and destroy a workspace's AbutLcpWork, for a rule and a number of threads. */
AbutStatus abut_manifold_work_create(const AbutModel *model, const AbutPointRule *rule, int n_threads, void **out);
void abut_lcp_work_destroy(void *method);
AbutStatus abut_lcp_work_reserve(AbutLcpWork *work, int candidates);

/* Reserves `rows` in all threads' rooms, or in one room. */
AbutStatus abut_lcp_work_reserve_rows(AbutLcpWork *work, int rows);
AbutStatus abut_lcp_room_reserve(AbutLcpRoom *room, int rows);
void abut_lcp_room_destroy(AbutLcpRoom *room);
/* Prepares the parts of a model, or refuses the first part that the method does not support. */
AbutStatus abut_lcp_model_create(AbutModel *model, AbutError *error);

/* Solves one island of method lcp. */
#ifndef DYNAMICS_METHODS_LCP_STEP_H
#define DYNAMICS_METHODS_LCP_STEP_H

#include "abut/model.h"

/* Makes a workspace's AbutLcpWork for method lcp. */
AbutStatus abut_lcp_work_create(const AbutModel *model, int n_threads, void **out);

#endif

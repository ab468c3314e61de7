/* Solves an island of method convex. */
#ifndef DYNAMICS_METHODS_CONVEX_STEP_H
#define DYNAMICS_METHODS_CONVEX_STEP_H

#include "dynamics/methods/convex/convex.h"

/* Makes a workspace's AbutLcpWork for method convex. */
AbutStatus abut_convex_work_create(const AbutModel *model, int n_threads, void **out);

/* Checks the numbers of a spring, at `where`, and refuses options that method convex does not support. */
AbutStatus abut_softness_check(const AbutSoftness *soft, const char *where, AbutError *error);
AbutStatus abut_convex_options_check(const AbutSolverOptions *options, AbutError *error);

#endif

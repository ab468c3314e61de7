/* Solves an island of method convex. */
#pragma once

#include "dynamics/methods/convex/convex.h"

/* Makes a workspace's AbutLcpWork for method convex. */
AbutStatus abut_convex_work_create(const AbutModel *model, int n_threads, void **out);

/* abut_softness_check checks the numbers of a spring; errors name the key `where`. abut_convex_options_check checks the
 * solver options of method convex. */
AbutStatus abut_softness_check(const AbutSoftness *soft, const char *where, AbutError *error);
AbutStatus abut_convex_options_check(const AbutSolverOptions *options, AbutError *error);
/* Writes why the step failed, see abut_manifold_explain. */
bool abut_convex_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);

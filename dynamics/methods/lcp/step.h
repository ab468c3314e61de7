/* Solves one island of method lcp. */
#pragma once

#include "abut/model.h"

/* Makes a workspace's AbutLcpWork for method lcp. */
AbutStatus abut_lcp_work_create(const AbutModel *model, int n_threads, void **out);
/* Writes why the step failed, see abut_manifold_explain. */
bool abut_lcp_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);

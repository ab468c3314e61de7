/* Solves one island of method lcp. */
#pragma once

#include "abut/model.h"

/* Makes a workspace's AbutLcpWork for method lcp. */
AbutStatus abut_lcp_work_create(const AbutModel *model, int n_threads, void **out);

/* Reports a contact of a step, or why the step was not solved. */
#pragma once

#include "abut/model.h"
#include "dynamics/methods/manifold/island.h"

/* Reports a contact of the solved island, whose bodies are at the end of the step. */
void abut_manifold_report(const AbutLcpIsland *island, int index, AbutStepInfo *info);
/* Writes why the step failed into `text`, of `size` bytes. Always returns true: there is always a reason. */
bool abut_lcp_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);
bool abut_convex_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);

/* Explains why a step of method lcp or convex was not solved. */
#pragma once

#include "abut/model.h"

/* Writes why the step failed into `text`, of `size` bytes. Always returns true: there is always a reason. */
bool abut_lcp_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);
bool abut_convex_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size);

/* Reports a contact of a step, or why the step was not solved. */
#pragma once

#include "abut/model.h"
#include "dynamics/methods/manifold/island.h"

/* Reports a contact of the solved island, whose bodies are at the end of the step. */
void abut_manifold_report(const AbutLcpIsland *island, int index, AbutStepInfo *info);
/* Adds to `max_penetration` the overlaps of pairs without contact points: pairs that were apart at the start of the
 * step and met in it. The active pairs are those with points, as before. */
AbutStatus abut_manifold_report_missed(const AbutModel *model, AbutWorkspace *w, AbutStepInfo *info);
/* Writes why the step failed into `text`, of `size` bytes. Always returns true: there is always a reason. A step whose
 * contacts were solved to the residual `nearly` failed because a body turned too far. `unit`: what its iterations are.
 */
bool abut_manifold_explain(const char *unit, double nearly, const AbutStepInfo *info, char *text, size_t size);

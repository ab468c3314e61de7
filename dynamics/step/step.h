/* Advances all islands through a step. */
#pragma once

#include "dynamics/step/workspace.h"

/* Solves all islands by the method's `advance`. Solves islands again if a pair that was left out turns out to touch. */
AbutStatus abut_islands_step(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
                             const AbutStepWatch *watch, AbutStepInfo *info);

/* Takes a step as abut_step does, and reports it to `watch`, unless NULL. */
AbutStatus abut_step_watched(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                             const AbutStepWatch *watch, AbutStepInfo *info);

/* Merges an island's info into that of the step. Each entry becomes the worst, or the largest, of all islands. */
void abut_step_merge(const AbutStepInfo *island, AbutStepInfo *info);

/* All islands through a step. */
#ifndef DYNAMICS_STEP_STEP_H
#define DYNAMICS_STEP_STEP_H

#include "dynamics/step/watch.h"
#include "dynamics/step/workspace.h"

/* Solves all islands by the method's `advance`, and again those with pairs that turn out to meet. */
AbutStatus abut_islands_step(const AbutModel *model, const AbutState *state, AbutWorkspace *w,
                             const AbutStepWatch *watch, AbutStepInfo *info);

/* Takes a step as abut_step does and shows it to `watch`; NULL: to nobody. */
AbutStatus abut_step_watched(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                             const AbutStepWatch *watch, AbutStepInfo *info);

/* Adds an island's outcome to that of the step: the worst counts, and the most work that an island took. */
void abut_step_merge(const AbutStepInfo *island, AbutStepInfo *info);

#endif

/* How long a house of cards stands. */
#ifndef EXPERIMENTS_STACKING_HOUSE_H
#define EXPERIMENTS_STACKING_HOUSE_H

#include "experiments/suite/panels.h"

/* Makes every run of the sweep and fills the cells of the panels: `value` is the mean time in s until a card has sunk
 * by half of its height, or the whole run; `failed` counts runs with a step that was not solved, which ends a run. */
AbutStatus abut_house_run(const AbutExperimentRun *run, AbutGridShare share, AbutPanels *panels, AbutError *error);

#endif

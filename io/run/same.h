/* Compares the models and initial states of two runs. */
#pragma once

#include "abut/model.h"

/* Returns ABUT_OK if two scenes have the same model, initial motion and inputs. Otherwise returns ABUT_ERROR_ARGUMENT,
 * and `error` names the difference; `a` is the model with which the run began. */
AbutStatus abut_run_same(const AbutModel *a, const AbutModel *b, AbutError *error);

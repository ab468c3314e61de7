/* Comparing the starts of two runs. */
#ifndef IO_RUN_SAME_H
#define IO_RUN_SAME_H

#include "abut/model.h"

/* Returns ABUT_OK if two scenes begin alike: the same model, the same initial motion and inputs. Otherwise returns
 * ABUT_ERROR_ARGUMENT, and the error names what differs; `a` is the model that the run began with. */
AbutStatus abut_run_same(const AbutModel *a, const AbutModel *b, AbutError *error);

#endif

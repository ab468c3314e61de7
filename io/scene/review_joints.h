/* Finds what is legal in the joints and couplings of a model but probably not meant. */
#pragma once

#include "dynamics/model/model.h"

enum { ABUT_REVIEW_JOINTS = 3 }; /* the most warnings */

/* Writes warnings, with paths inside the scene, to `out` (ABUT_REVIEW_JOINTS entries) and adds their number to
 * `count`. Returns ABUT_ERROR_MEMORY if memory runs out. */
AbutStatus abut_review_joints(const AbutModel *model, int *count, AbutError *out);

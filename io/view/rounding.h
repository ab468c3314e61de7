/* Rounds the columns of the replay page. */
#pragma once

#include "io/view/data.h"

/* Rounding of a column: value = first + step * integer, with first and step in single precision. */
typedef struct AbutViewScale {
	double first, step;
} AbutViewScale;

/* Appends a scale to the bytes and returns it. */
AbutViewScale abut_view_put_scale(AbutViewData *data, float first, float step);
/* Appends the scale for values from `low` to `high`, with steps of at least `finest` > 0. */
AbutViewScale abut_view_scale(AbutViewData *data, double low, double high, double finest);
int32_t abut_view_round(AbutViewScale scale, double value); /* Returns the integer of a `value`. */

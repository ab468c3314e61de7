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
/* Appends the scale of a column of `data->n_frames` values, and their integers to `bits`: rounded to 1/65,535 of the
 * range, or to 1e-6 of the largest. `rounded` is scratch memory of as many integers. */
void abut_view_round_column(AbutViewData *data, const double *values, int32_t *rounded, AbutBits *bits);
int32_t abut_view_round(AbutViewScale scale, double value); /* Returns the integer of a `value`. */

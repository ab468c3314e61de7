/* Rounds the columns of the replay page to integers. */
#include "io/view/rounding.h"

#include <math.h>

AbutViewScale abut_view_put_scale(AbutViewData *data, float first, float step)
{
	abut_bytes_float(&data->bytes, first);
	abut_bytes_float(&data->bytes, step);
	return (AbutViewScale){(double)first, (double)step};
}

AbutViewScale abut_view_scale(AbutViewData *data, double low, double high, double finest)
{
	return abut_view_put_scale(data, (float)low, (float)fmax((high - low) / 65535.0, finest));
}

int32_t abut_view_round(AbutViewScale scale, double value)
{
	return (int32_t)lrint((value - scale.first) / scale.step);
}

void abut_view_round_column(AbutViewData *data, const double *values, int32_t *rounded, AbutBits *bits)
{
	double low = INFINITY, high = -INFINITY;
	for (long f = 0; f < data->n_frames; f++) {
		low = fmin(low, values[f]);
		high = fmax(high, values[f]);
	}
	const double finest = fmax(1e-6 * fmax(fabs(low), fabs(high)), 1e-12);
	const AbutViewScale scale = abut_view_scale(data, low, high, finest);
	for (long f = 0; f < data->n_frames; f++) {
		rounded[f] = abut_view_round(scale, values[f]);
	}
	abut_bits_column(bits, rounded, (size_t)data->n_frames);
}

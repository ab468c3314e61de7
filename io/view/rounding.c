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

/* Packs the sensors: their names and types into the head, and a column of each value over the frames. */
#include "io/view/sensors.h"

#include <stdlib.h>

#include "io/text/file_text.h"
#include "io/text/number.h"
#include "io/view/rounding.h"

AbutStatus abut_view_add_sensors(AbutViewData *data, AbutError *error)
{
	const AbutRunRecord *const record = data->record;
	if (!record->sensors) {
		return ABUT_OK;
	}
	double *const values = malloc((size_t)data->n_frames * sizeof *values);
	int32_t *const rounded = malloc((size_t)data->n_frames * sizeof *rounded);
	AbutBits bits = {0};
	const bool has_room = values && rounded;
	for (int i = 0; has_room && i < abut_model_sensor_count(record->model); i++) {
		fputs(i > 0 ? ",{\"name\":" : ",\"sensors\":[{\"name\":", data->head);
		abut_json_write_string(data->head, abut_model_sensor_name(record->model, i));
		fprintf(data->head, ",\"type\":\"%s\",\"size\":%d}",
		        abut_sensor_type_name(abut_model_sensor_type(record->model, i)),
		        abut_model_sensor_channels(record->model, i));
	}
	fputs(has_room ? "]" : "", data->head);
	if (has_room) {
		abut_view_section(data, "sensor_scales", 2 * (size_t)record->n_values);
	}
	for (int k = 0; has_room && k < record->n_values; k++) {
		for (long f = 0; f < data->n_frames; f++) {
			const long state = abut_view_state_of_frame(record, data->every, f);
			values[f] = record->sensors[state * record->n_values + k];
		}
		abut_view_round_column(data, values, rounded, &bits);
	}
	if (has_room) {
		abut_view_add_bits(data, "sensor_columns", &bits);
	}
	free(values);
	free(rounded);
	return has_room ? ABUT_OK : abut_fail_memory(error, "the replay page");
}

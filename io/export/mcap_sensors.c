/* Writes the messages about sensors: names, types, and values with the names of their channels. Tested in
 * tests/io/export/foxglove.py. */
#include "io/export/mcap_sensors.h"

#include "io/export/foxglove.h"
#include "io/export/proto.h"

void abut_mcap_sensors(AbutBytes *out, const AbutRunRecord *record, long frame)
{
	const AbutModel *model = record->model;
	const double *values = &record->sensors[frame * record->n_values];
	abut_foxglove_time(out, 1, record->times[frame]);
	for (int i = 0; i < abut_model_sensor_count(model); i++) {
		const int n = abut_model_sensor_channels(model, i);
		const size_t begun = abut_proto_begin(out, 2);
		abut_proto_text(out, 1, abut_model_sensor_name(model, i));
		abut_proto_text(out, 2, abut_sensor_type_name(abut_model_sensor_type(model, i)));
		for (int k = 0; k < n; k++) {
			abut_proto_text(out, 3, abut_model_sensor_channel(model, i, k));
		}
		const size_t list = abut_proto_begin(out, 4); /* packed, as proto3 stores repeated numbers */
		abut_bytes_doubles(out, &values[abut_model_sensor_first(model, i)], (size_t)n);
		abut_proto_end(out, list);
		abut_proto_end(out, begun);
	}
}

/* Manages the arrays of a run's page and selects the states that are shown. */
#include "io/view/data.h"

#include "io/text/number.h"

void abut_view_section(AbutViewData *data, const char *name, size_t count)
{
	abut_bytes_pad(&data->bytes, 8, 0);
	data->sections[data->n_sections++] = (AbutViewSection){name, data->bytes.size, count};
}

void abut_view_write_vector(FILE *head, const char *key, const double *values, int n)
{
	fprintf(head, ",\"%s\":", key);
	abut_json_write_numbers(head, ",", values, n);
}

void abut_view_add_bits(AbutViewData *data, const char *name, AbutBits *bits)
{
	abut_bits_finish(bits);
	data->bytes.failed = data->bytes.failed || bits->bytes.failed;
	abut_view_section(data, name, bits->bytes.size);
	abut_bytes_put(&data->bytes, bits->bytes.data, bits->bytes.size);
	abut_bytes_free(&bits->bytes);
}

long abut_view_frame_count(const AbutRunRecord *record, long every)
{
	return (record->n_frames - 1 + every - 1) / every + 1;
}

long abut_view_state_of_frame(const AbutRunRecord *record, long every, long frame)
{
	const long state = frame * every;
	return state < record->n_frames ? state : record->n_frames - 1;
}

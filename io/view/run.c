/* The head of a run's page, and the arrays behind it. */
#include "io/view/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/text/number.h"
#include "io/view/data.h"

/* --- arrays --- */

void abut_view_add_u8(AbutViewData *data, uint8_t value)
{
	if (data->n == data->capacity) {
		const size_t capacity = data->capacity ? 2 * data->capacity : (size_t)1 << 16;
		uint8_t *const larger = realloc(data->bytes, capacity);
		if (!larger) {
			data->failed = true;
			return;
		}
		data->bytes = larger;
		data->capacity = capacity;
	}
	data->bytes[data->n++] = value;
}

void abut_view_add_u32(AbutViewData *data, uint32_t value)
{
	for (int i = 0; i < 4; i++) {
		abut_view_add_u8(data, (uint8_t)(value >> (8 * i)));
	}
}

void abut_view_add_f32(AbutViewData *data, double value)
{
	const float single = (float)value;
	uint32_t bits;
	memcpy(&bits, &single, sizeof bits);
	abut_view_add_u32(data, bits);
}

void abut_view_add_f64(AbutViewData *data, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	abut_view_add_u32(data, (uint32_t)(bits & 0xffffffff));
	abut_view_add_u32(data, (uint32_t)(bits >> 32));
}

static void pad(AbutViewData *data)
{
	while (data->n % 8 != 0 && !data->failed) {
		abut_view_add_u8(data, 0);
	}
}

void abut_view_section(AbutViewData *data, const char *name, size_t count)
{
	pad(data);
	data->sections[data->n_sections++] = (AbutViewSection){name, data->n, count};
}

void abut_view_add_bits(AbutViewData *data, const char *name, AbutBits *bits)
{
	if (!abut_bits_finish(bits)) {
		data->failed = true;
	}
	abut_view_section(data, name, bits->n);
	for (size_t i = 0; i < bits->n; i++) {
		abut_view_add_u8(data, bits->bytes[i]);
	}
	abut_bits_free(bits);
}

/* --- rounding --- */

AbutViewScale abut_view_scale(double low, double high, double finest)
{
	const double step = fmax((high - low) / 65535.0, finest);
	return (AbutViewScale){(double)(float)low, (double)(float)step};
}

int32_t abut_view_round(AbutViewScale scale, double value)
{
	return (int32_t)lrint((value - scale.first) / scale.step);
}

double abut_view_finest_length(const AbutRunRecord *record)
{
	const AbutSceneDef *def = abut_scene_def(record->scene);
	double largest = 0.0;
	for (int b = 0; b < def->n_bodies; b++) {
		for (int p = 0; p < def->bodies[b].n_parts; p++) {
			largest = fmax(largest, def->bodies[b].parts[p]->outer_radius);
		}
	}
	return 1e-6 * (largest > 0.0 ? largest : 1.0);
}

/* --- frames --- */

long abut_view_frame_count(const AbutRunRecord *record, long every)
{
	return (record->n_frames - 1 + every - 1) / every + 1;
}

long abut_view_state_of_frame(const AbutRunRecord *record, long every, long frame)
{
	const long state = frame * every;
	return state < record->n_frames ? state : record->n_frames - 1;
}

/* --- the head --- */

/* No times of the clock: the same run makes the same page to the byte.
 *
 * A key of summary.json as it stands there, when it is a number or a string. */
static void copy_key(FILE *head, const AbutJson *summary, const char *key)
{
	const AbutJson *value = abut_json_type(summary) == ABUT_JSON_OBJECT ? abut_json_get(summary, key) : NULL;
	if (value && abut_json_type(value) == ABUT_JSON_STRING) {
		fprintf(head, ",\"%s\":", key);
		abut_json_write_string(head, abut_json_string(value));
	} else if (value && abut_json_type(value) == ABUT_JSON_NUMBER) {
		fprintf(head, ",\"%s\":", key);
		abut_json_write_number(head, abut_json_number(value));
	}
}

static void start_head(AbutViewData *data)
{
	static const char *const keys[] = {"version",
	                                   "seed",
	                                   "steps",
	                                   "steps_asked",
	                                   "failed_steps",
	                                   "exact_steps",
	                                   "relaxed_steps",
	                                   "failure",
	                                   "kappa",
	                                   "iterations_mean",
	                                   "max_penetration",
	                                   "max_residual",
	                                   "max_complementarity",
	                                   "energy_drift",
	                                   "first_failed_step"};
	const AbutSceneDef *def = abut_scene_def(data->record->scene);
	fputs("{\"format\":1,\"name\":", data->head);
	abut_json_write_string(data->head, def->name);
	fprintf(data->head, ",\"method\":\"%s\",\"timestep\":", abut_method_name(def->solver.method));
	abut_json_write_number(data->head, def->timestep);
	fputs(",\"gravity\":[", data->head);
	for (int i = 0; i < 3; i++) {
		fputs(i > 0 ? "," : "", data->head);
		abut_json_write_number(data->head, def->gravity[i]);
	}
	fprintf(data->head, "],\"states\":%ld,\"every\":%ld,\"frames\":%ld", data->record->n_frames, data->every,
	        data->n_frames);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		copy_key(data->head, data->record->summary, keys[i]);
	}
}

static void end_head(AbutViewData *data)
{
	fputs(",\"sections\":{", data->head);
	for (int i = 0; i < data->n_sections; i++) {
		const AbutViewSection *section = &data->sections[i];
		fprintf(data->head, "%s\"%s\":[%zu,%zu]", i > 0 ? "," : "", section->name, section->offset,
		        section->count);
	}
	fputs("}}", data->head);
}

static AbutStatus fail_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the replay page");
}

/* The head of `length` bytes and the arrays as one. */
static AbutStatus join(const char *text, size_t length, const AbutViewData *data, AbutViewBytes *out, AbutError *error)
{
	static const char magic[8] = {'a', 'b', 'u', 't', '-', 'r', 'u', 'n'};
	const size_t head = (sizeof magic + 4 + length + 7) / 8 * 8;
	out->bytes = calloc(1, head + data->n);
	if (!out->bytes) {
		return fail_memory(error);
	}
	out->n = head + data->n;
	memcpy(out->bytes, magic, sizeof magic);
	for (int i = 0; i < 4; i++) {
		out->bytes[8 + i] = (uint8_t)(length >> (8 * i));
	}
	memcpy(out->bytes + 12, text, length);
	memcpy(out->bytes + head, data->bytes, data->n);
	return ABUT_OK;
}

AbutStatus abut_view_pack(const AbutRunRecord *record, long every, AbutViewBytes *out, AbutError *error)
{
	char *text = NULL;
	size_t length = 0;
	*out = (AbutViewBytes){NULL, 0};
	AbutViewData data = {.record = record, .every = every, .n_frames = abut_view_frame_count(record, every)};
	data.head = open_memstream(&text, &length);
	if (!data.head) {
		return fail_memory(error);
	}
	start_head(&data);
	AbutStatus status = abut_view_add_shapes(&data, error);
	if (status == ABUT_OK) {
		abut_view_add_motion(&data);
		abut_view_add_series(&data);
		status = abut_view_add_contacts(&data, error);
	}
	end_head(&data);
	pad(&data);
	const bool had_error = ferror(data.head);
	if ((fclose(data.head) != 0 || had_error || data.failed) && status == ABUT_OK) {
		status = fail_memory(error);
	}
	if (status == ABUT_OK) {
		status = join(text, length, &data, out, error);
	}
	free(text);
	free(data.bytes);
	return status;
}

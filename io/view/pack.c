/* Packs a run for its page: the head, followed by the arrays. */
#include "io/view/pack.h"

#include <stdlib.h>

#include "base/error.h"
#include "io/text/file_text.h"
#include "io/text/number.h"
#include "io/view/columns.h"
#include "io/view/data.h"
#include "io/view/shapes.h"

/* Copies a key of summary.json if its value is a number or a string. Clock times are left out, so that the same run
 * always gives the same page. */
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
	abut_view_write_vector(data->head, "gravity", def->gravity, 3);
	fprintf(data->head, ",\"states\":%ld,\"every\":%ld,\"frames\":%ld", data->record->n_frames, data->every,
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

/* Writes the head of `length` bytes, followed by the arrays. */
static AbutStatus join(const char *text, size_t length, const AbutViewData *data, AbutBytes *out, AbutError *error)
{
	abut_bytes_put(out, "abut-run", 8);
	abut_bytes_integer(out, length, 4);
	abut_bytes_put(out, text, length);
	abut_bytes_pad(out, 8, 0);
	abut_bytes_put(out, data->bytes.data, data->bytes.size);
	return out->failed ? abut_fail_memory(error, "the replay page") : ABUT_OK;
}

AbutStatus abut_view_pack(const AbutRunRecord *record, long every, AbutBytes *out, AbutError *error)
{
	char *text = NULL;
	size_t length = 0;
	*out = (AbutBytes){0};
	AbutViewData data = {.record = record, .every = every, .n_frames = abut_view_frame_count(record, every)};
	data.head = open_memstream(&text, &length);
	if (!data.head) {
		return abut_fail_memory(error, "the replay page");
	}
	start_head(&data);
	AbutStatus status = abut_view_add_shapes(&data, error);
	ABUT_THEN(status, abut_view_add_columns(&data, error));
	end_head(&data);
	abut_bytes_pad(&data.bytes, 8, 0);
	const bool had_error = ferror(data.head);
	if ((fclose(data.head) != 0 || had_error || data.bytes.failed) && status == ABUT_OK) {
		status = abut_fail_memory(error, "the replay page");
	}
	ABUT_THEN(status, join(text, length, &data, out, error));
	free(text);
	abut_bytes_free(&data.bytes);
	return status;
}

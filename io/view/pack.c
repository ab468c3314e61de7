/* Packs a run for its page: the head, followed by the arrays. */
#include "io/view/pack.h"

#include <stdlib.h>

#include "base/error.h"
#include "io/text/file_text.h"
#include "io/text/memory_stream.h"
#include "io/text/number.h"
#include "io/view/columns.h"
#include "io/view/data.h"
#include "io/view/joints.h"
#include "io/view/sensors.h"
#include "io/view/shapes.h"

/* A key of summary.json that the page shows. */
typedef struct Key {
	const char *name;
	AbutJsonType type; /* a value of another type is left out: the folder may come from anybody */
} Key;

/* Copies a key of summary.json. */
static void copy_key(FILE *head, const AbutJson *summary, const Key *key)
{
	const AbutJson *value = abut_json_type(summary) == ABUT_JSON_OBJECT ? abut_json_get(summary, key->name) : NULL;
	if (!value || abut_json_type(value) != key->type) {
		return;
	}
	fprintf(head, ",\"%s\":", key->name);
	if (key->type == ABUT_JSON_STRING) {
		abut_json_write_string(head, abut_json_string(value));
	} else {
		abut_json_write_number(head, abut_json_number(value));
	}
}

static void start_head(AbutViewData *data)
{
	/* Clock times are left out, so that the same run always gives the same page. */
	static const Key keys[] = {{"version", ABUT_JSON_STRING},
	                           {"seed", ABUT_JSON_NUMBER},
	                           {"steps", ABUT_JSON_NUMBER},
	                           {"steps_asked", ABUT_JSON_NUMBER},
	                           {"failed_steps", ABUT_JSON_NUMBER},
	                           {"exact_steps", ABUT_JSON_NUMBER},
	                           {"relaxed_steps", ABUT_JSON_NUMBER},
	                           {"failure", ABUT_JSON_STRING},
	                           {"kappa", ABUT_JSON_NUMBER},
	                           {"iterations_mean", ABUT_JSON_NUMBER},
	                           {"max_penetration", ABUT_JSON_NUMBER},
	                           {"max_residual", ABUT_JSON_NUMBER},
	                           {"max_complementarity", ABUT_JSON_NUMBER},
	                           {"energy_drift", ABUT_JSON_NUMBER},
	                           {"first_failed_step", ABUT_JSON_NUMBER}};
	const AbutSceneDef *def = abut_scene_def(data->record->scene);
	fputs("{\"format\":1,\"name\":", data->head);
	abut_json_write_string(data->head, def->name);
	fprintf(data->head, ",\"method\":\"%s\",\"timestep\":", abut_method_name(def->solver.method));
	abut_json_write_number(data->head, def->timestep);
	abut_view_write_vector(data->head, "gravity", def->gravity, 3);
	fprintf(data->head, ",\"states\":%ld,\"every\":%ld,\"frames\":%ld", data->record->n_frames, data->every,
	        data->n_frames);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		copy_key(data->head, data->record->summary, &keys[i]);
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

/* Writes the head, followed by the arrays. */
static AbutStatus join(const AbutBytes *text, const AbutViewData *data, AbutBytes *out, AbutError *error)
{
	abut_bytes_put(out, "abut-run", 8);
	abut_bytes_integer(out, text->size, 4);
	abut_bytes_put(out, text->data, text->size);
	abut_bytes_pad(out, 8, 0);
	abut_bytes_put(out, data->bytes.data, data->bytes.size);
	return out->failed ? abut_fail_memory(error, "the replay page") : ABUT_OK;
}

AbutStatus abut_view_pack(const AbutRunRecord *record, long every, AbutBytes *out, AbutError *error)
{
	AbutBytes text = {0};
	*out = (AbutBytes){0};
	AbutViewData data = {.record = record, .every = every, .n_frames = abut_view_frame_count(record, every)};
	data.head = abut_memory_stream(&text);
	if (!data.head) {
		return abut_fail_memory(error, "the replay page");
	}
	start_head(&data);
	AbutStatus status = abut_view_add_shapes(&data, error);
	ABUT_THEN(status, abut_view_add_columns(&data, error));
	ABUT_THEN(status, abut_view_add_joints(&data, error));
	ABUT_THEN(status, abut_view_add_sensors(&data, error));
	end_head(&data);
	abut_bytes_pad(&data.bytes, 8, 0);
	const bool whole = abut_memory_stream_close(data.head, &text);
	if ((!whole || data.bytes.failed) && status == ABUT_OK) {
		status = abut_fail_memory(error, "the replay page");
	}
	ABUT_THEN(status, join(&text, &data, out, error));
	abut_bytes_free(&text);
	abut_bytes_free(&data.bytes);
	return status;
}

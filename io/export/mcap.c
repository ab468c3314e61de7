/* A run as an MCAP file: coordinate frames of the bodies, their triangles, contacts as arrows, and what steps tell. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "io/export/export.h"
#include "io/export/foxglove.h"
#include "io/export/mcap_write.h"

enum { TRANSFORMS, BODIES, CONTACTS, STEPS, CHANNELS, WORLD_SIZE = 160 };

/* The coordinate frame that all bodies are in: "world", with as many underscores as make it no body's. */
static void name_world(const AbutModel *model, char world[WORLD_SIZE])
{
	size_t length = 5;
	memcpy(world, "world", length + 1);
	for (int i = 0; i < abut_model_body_count(model); i++) {
		if (strcmp(abut_model_body_name(model, i), world) == 0 && length < WORLD_SIZE - 1) {
			world[length++] = '_';
			world[length] = '\0';
			i = -1;
		}
	}
}

static double largest_impulse(const AbutRunRecord *record)
{
	double largest = 0.0;
	for (long i = 0; i < record->first_contact[record->n_frames]; i++) {
		const AbutContact *contact = &record->contacts[i];
		double squares = contact->normal_impulse * contact->normal_impulse;
		for (int k = 0; k < 3; k++) {
			squares += contact->friction_impulse[k] * contact->friction_impulse[k];
		}
		largest = fmax(largest, squares);
	}
	return sqrt(largest);
}

/* Adds the message at a time of the run, s, and empties it. */
static void add(AbutMcap *mcap, int channel, double time, AbutBytes *message)
{
	abut_mcap_message(mcap, channel, (uint64_t)llround(time * 1e9), message);
	message->size = 0;
}

static void add_step(AbutMcap *mcap, const AbutRunStep *step, AbutBytes *message)
{
	abut_foxglove_step(message, step);
	add(mcap, STEPS, step->time, message);
}

/* Messages in the order of their times. A last step that was not solved has no frame, but its numbers are told. */
static void write_messages(AbutMcap *mcap, const AbutRunRecord *record, const AbutBodyMesh *meshes)
{
	double middle[3];
	char world[WORLD_SIZE];
	AbutBytes message = {0};
	const double size = abut_run_extent(record, middle), most = largest_impulse(record);
	name_world(record->model, world);
	for (long k = 0; k < record->n_frames; k++) {
		const double time = record->times[k];
		abut_foxglove_transforms(&message, record, k, world, k == 0);
		add(mcap, TRANSFORMS, time, &message);
		if (k == 0) {
			abut_foxglove_bodies(&message, record, meshes);
			add(mcap, BODIES, time, &message);
		}
		abut_foxglove_contacts(&message, record, k, world, most > 0.0 ? 0.5 * size / most : 0.0, size);
		add(mcap, CONTACTS, time, &message);
		if (k > 0) {
			add_step(mcap, &record->steps[k - 1], &message);
		}
	}
	if (record->n_steps == record->n_frames) {
		add_step(mcap, &record->steps[record->n_steps - 1], &message);
	}
	abut_bytes_free(&message);
}

AbutStatus abut_export_mcap(const AbutRunRecord *record, FILE *file, AbutError *error)
{
	static const AbutMcapChannel channels[CHANNELS] = {
	    [TRANSFORMS] = {"/tf", "foxglove.FrameTransforms"},
	    [BODIES] = {"/bodies", "foxglove.SceneUpdate"},
	    [CONTACTS] = {"/contacts", "foxglove.SceneUpdate"},
	    [STEPS] = {"/steps", "abut.Step"},
	};
	/* 2^63 ns: 292 years */
	if (!(record->times[record->n_frames - 1] < 9.2e9)) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the run ends at %g s; MCAP counts nanoseconds, up to 9.2e9 s",
		                      record->times[record->n_frames - 1]);
	}
	AbutMcap mcap;
	AbutBytes descriptor = {0};
	AbutBodyMesh *meshes = NULL;
	AbutStatus status = abut_run_meshes_create(record, &meshes, error);
	if (status == ABUT_OK) {
		abut_foxglove_describe(&descriptor);
		abut_mcap_begin(&mcap, file, CHANNELS, channels, &descriptor);
		write_messages(&mcap, record, meshes);
		status = abut_mcap_finish(&mcap, error);
	}
	abut_run_meshes_free(meshes, record->n_bodies);
	abut_bytes_free(&descriptor);
	return status;
}

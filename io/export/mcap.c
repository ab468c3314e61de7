/* Writes a run as an MCAP file: coordinate frames of the bodies, their triangles, contacts as arrows, step results,
 * joints and sensors. */
#include "io/export/mcap.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "io/export/foxglove.h"
#include "io/export/foxglove_describe.h"
#include "io/export/mcap_joints.h"
#include "io/export/mcap_sensors.h"
#include "io/export/mcap_write.h"
#include "io/export/proto.h"
#include "io/export/run_meshes.h"

/* --- messages --- */

/* Appends a foxglove.FrameTransforms: the poses of the moving bodies at a frame of the run, in the coordinate frame
 * `world`. With `all`, static bodies are included. */
static void put_transforms(AbutBytes *out, const AbutRunRecord *record, long frame, const char *world, bool all)
{
	for (int i = 0; i < record->n_bodies; i++) {
		const AbutBodyState *state = &record->bodies[frame * record->n_bodies + i];
		if (!all && abut_model_body_is_static(record->model, i)) {
			continue;
		}
		const size_t begun = abut_proto_begin(out, 1);
		abut_foxglove_time(out, 1, record->times[frame]);
		abut_proto_text(out, 2, world);
		abut_proto_text(out, 3, abut_model_body_name(record->model, i));
		abut_foxglove_numbers(out, 4, state->position, 3);
		abut_foxglove_quaternion(out, 5, state->orientation);
		abut_proto_end(out, begun);
	}
}

static void put_triangles(AbutBytes *out, const AbutShapeMesh *mesh, const float color[3])
{
	static const double origin[3] = {0.0, 0.0, 0.0}, straight[4] = {1.0, 0.0, 0.0, 0.0};
	const double rgba[4] = {(double)color[0], (double)color[1], (double)color[2], 1.0};
	const size_t begun = abut_proto_begin(out, 12);
	abut_foxglove_pose(out, 1, origin, straight);
	for (int i = 0; i < mesh->n_vertices; i++) {
		abut_foxglove_numbers(out, 2, &mesh->positions[3 * i], 3);
	}
	abut_foxglove_numbers(out, 3, rgba, 4);
	const size_t indices = abut_proto_begin(out, 5); /* packed, as proto3 stores repeated numbers */
	for (int i = 0; i < 3 * mesh->n_triangles; i++) {
		abut_bytes_integer(out, (uint64_t)mesh->triangles[i], 4);
	}
	abut_proto_end(out, indices);
	abut_proto_end(out, begun);
}

/* Appends a foxglove.SceneUpdate with the triangles of every body; they move with the body's coordinate frame. */
static void put_bodies(AbutBytes *out, const AbutRunRecord *record, const AbutBodyMesh *meshes)
{
	for (int i = 0; i < record->n_bodies; i++) {
		const char *name = abut_model_body_name(record->model, i);
		const size_t begun = abut_foxglove_entity(out, record->times[0], name, name);
		for (int k = 0; k < meshes[i].n_parts; k++) {
			put_triangles(out, &meshes[i].parts[k], meshes[i].color);
		}
		abut_proto_end(out, begun);
	}
}

/* Appends a foxglove.SceneUpdate with the entity "contacts", which replaces the previous one. Each contact with an
 * impulse gets an arrow along its impulse on the second body, `scale` m long per N s. `size` (m) sets the thickness. */
static void put_contacts(AbutBytes *out, const AbutRunRecord *record, long frame, const char *world, double scale,
                         double size)
{
	static const double red[4] = {0.85, 0.1, 0.1, 1.0};
	const size_t begun = abut_foxglove_entity(out, record->times[frame], world, "contacts");
	for (long i = record->first_contact[frame]; i < record->first_contact[frame + 1]; i++) {
		const AbutContact *contact = &record->contacts[i];
		double impulse[3];
		abut_add_scaled3(contact->friction_impulse, contact->normal_impulse, contact->normal, impulse);
		abut_foxglove_arrow(out, contact->point, impulse, scale, 0.01 * size, red);
	}
	abut_proto_end(out, begun);
}

/* Appends an abut.Step: time, outcome and numbers of a row of steps.csv. */
static void put_step(AbutBytes *out, const AbutRunStep *step)
{
	const int counts[] = {step->halvings, step->tries, step->iterations, step->finish_iterations,
	                      step->active_contacts};
	const double numbers[] = {step->kappa, step->residual, step->complementarity, step->max_penetration,
	                          step->totals.energy};
	abut_foxglove_time(out, 1, step->time);
	abut_proto_text(out, 2, abut_outcome_name(step->outcome));
	abut_proto_integer(out, 3, step->exact != 0);
	abut_proto_integer(out, 4, step->retried != 0);
	for (int i = 0; i < 5; i++) {
		abut_proto_integer(out, 5 + i, (uint64_t)counts[i]);
	}
	for (int i = 0; i < 5; i++) {
		abut_proto_double(out, 10 + i, numbers[i]);
	}
	abut_foxglove_numbers(out, 15, step->totals.momentum, 3);
}

/* --- the file --- */

enum {
	TRANSFORMS,
	BODIES,
	CONTACTS,
	STEPS,
	JOINT_AXES,
	JOINT_STATES,
	JOINT_FORCES,
	SENSORS,
	CHANNELS,
	WORLD_SIZE = 160
};

/* Names the coordinate frame of the world: "world", with underscores appended until no body has this name. */
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

/* Adds the message at a time of the run (s), then empties it. */
static void add(AbutMcap *mcap, int channel, double time, AbutBytes *message)
{
	abut_mcap_message(mcap, channel, (uint64_t)llround(time * 1e9), message);
	message->size = 0;
}

static void add_step(AbutMcap *mcap, const AbutRunStep *step, AbutBytes *message)
{
	put_step(message, step);
	add(mcap, STEPS, step->time, message);
}

/* Adds the messages about joints at a frame. Their axes move with the bodies, so that one message is enough. */
static void add_joints(AbutMcap *mcap, const AbutRunRecord *record, long frame, const char *world, AbutBytes *message)
{
	const double time = record->times[frame];
	if (frame == 0) {
		abut_mcap_joint_axes(message, record, world);
		add(mcap, JOINT_AXES, time, message);
	}
	abut_mcap_joint_states(message, record, frame);
	add(mcap, JOINT_STATES, time, message);
	abut_mcap_joint_forces(message, record, frame);
	add(mcap, JOINT_FORCES, time, message);
}

/* Returns the channel of sensors, which comes after those of joints, if there are any. */
static int sensor_channel(const AbutRunRecord *record)
{
	return record->joints ? SENSORS : JOINT_AXES;
}

/* Writes the messages in order of time. A last step that was not solved has no frame, but its results are written. */
static void write_messages(AbutMcap *mcap, const AbutRunRecord *record, const AbutBodyMesh *meshes)
{
	double middle[3];
	char world[WORLD_SIZE];
	AbutBytes message = {0};
	const double size = abut_run_extent(record, middle), most = largest_impulse(record);
	name_world(record->model, world);
	for (long k = 0; k < record->n_frames; k++) {
		const double time = record->times[k];
		put_transforms(&message, record, k, world, k == 0);
		add(mcap, TRANSFORMS, time, &message);
		if (k == 0) {
			put_bodies(&message, record, meshes);
			add(mcap, BODIES, time, &message);
		}
		put_contacts(&message, record, k, world, most > 0.0 ? 0.5 * size / most : 0.0, size);
		add(mcap, CONTACTS, time, &message);
		if (record->joints) {
			add_joints(mcap, record, k, world, &message);
		}
		if (record->sensors) {
			abut_mcap_sensors(&message, record, k);
			add(mcap, sensor_channel(record), time, &message);
		}
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
	AbutMcapChannel channels[CHANNELS] = {
	    [TRANSFORMS] = {"/tf", "foxglove.FrameTransforms"},
	    [BODIES] = {"/bodies", "foxglove.SceneUpdate"},
	    [CONTACTS] = {"/contacts", "foxglove.SceneUpdate"},
	    [STEPS] = {"/steps", "abut.Step"},
	    [JOINT_AXES] = {"/joint_axes", "foxglove.SceneUpdate"},
	    [JOINT_STATES] = {"/joints", "foxglove.JointStates"},
	    [JOINT_FORCES] = {"/joint_forces", "abut.JointForces"},
	};
	channels[sensor_channel(record)] =
	    record->sensors ? (AbutMcapChannel){"/sensors", "abut.Sensors"} : channels[sensor_channel(record)];
	/* 2^63 ns are 292 years, or 9.2e9 s */
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
		abut_foxglove_describe(&descriptor, record->joints != NULL, record->sensors != NULL);
		abut_mcap_begin(&mcap, file, sensor_channel(record) + (record->sensors ? 1 : 0), channels, &descriptor);
		write_messages(&mcap, record, meshes);
		status = abut_mcap_finish(&mcap, error);
	}
	abut_run_meshes_free(meshes, record->n_bodies);
	abut_bytes_free(&descriptor);
	return status;
}

/* Writes a table of a run as CSV: a row for each frame and body, with the total contact impulse on the body, or a row
 * for each frame and freedom of a joint, or value of a sensor. */
#include "io/export/csv_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/model/sensor.h"
#include "io/run/output_csv.h"
#include "io/text/csv.h"
#include "io/text/number.h"

/* Number and total impulse of the contacts of a body in one step. */
typedef struct Push {
	int contacts;
	double impulse[3]; /* N s, world axes */
} Push;

/* Adds the impulse of a contact to its second body, and the opposite impulse to its first body. */
static void add_contact(const AbutContact *contact, Push *pushes)
{
	for (int i = 0; i < 3; i++) {
		const double impulse = contact->normal_impulse * contact->normal[i] + contact->friction_impulse[i];
		pushes[contact->body_b].impulse[i] += impulse;
		pushes[contact->body_a].impulse[i] -= impulse;
	}
	pushes[contact->body_a].contacts++;
	pushes[contact->body_b].contacts++;
}

/* Begins a row with the frame, its time and a name. */
static void begin_row(FILE *file, const AbutRunRecord *record, long frame, const char *name)
{
	char text[ABUT_NUMBER_SIZE];
	fprintf(file, "%ld,%s,", frame, abut_number_text(record->times[frame], text));
	abut_csv_write_text(file, name);
}

static void write_row(FILE *file, const AbutRunRecord *record, long frame, int body, const Push *push)
{
	const AbutBodyState *state = &record->bodies[frame * record->n_bodies + body];
	begin_row(file, record, frame, abut_model_body_name(record->model, body));
	abut_csv_write_numbers(file, state->position, 3);
	abut_csv_write_numbers(file, state->orientation, 4);
	abut_csv_write_numbers(file, state->linear_velocity, 3);
	abut_csv_write_numbers(file, state->angular_velocity, 3);
	fprintf(file, ",%d", push->contacts);
	abut_csv_write_numbers(file, push->impulse, 3);
	fputc('\n', file);
}

AbutStatus abut_export_bodies(const AbutRunRecord *record, FILE *file, AbutError *error)
{
	Push *const pushes = malloc((size_t)record->n_bodies * sizeof *pushes);
	if (!pushes) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	fputs("frame,time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,contacts,jx,jy,jz\n", file);
	for (long frame = 0; frame < record->n_frames; frame++) {
		memset(pushes, 0, (size_t)record->n_bodies * sizeof *pushes);
		for (long i = record->first_contact[frame]; i < record->first_contact[frame + 1]; i++) {
			add_contact(&record->contacts[i], pushes);
		}
		for (int body = 0; body < record->n_bodies; body++) {
			write_row(file, record, frame, body, &pushes[body]);
		}
	}
	free(pushes);
	return ABUT_OK;
}

AbutStatus abut_export_joints(const AbutRunRecord *record, FILE *file, AbutError *error)
{
	if (!record->joints) {
		return abut_error_set(
		    error, ABUT_ERROR_UNSUPPORTED, NULL,
		    "the run has no joints.csv; a table of joints needs a run of a scene with joints");
	}
	fputs("frame,", file);
	abut_output_write_joints_header(file);
	for (long k = 0; k < record->n_frames * record->n_joints; k++) {
		const AbutJointState *joint = &record->joints[k];
		const char *name = abut_model_joint_name(record->model, (int)(k % record->n_joints));
		for (int axis = 0; axis == 0 || axis < joint->n_axes; axis++) {
			begin_row(file, record, k / record->n_joints, name);
			abut_output_write_freedom(file, joint, axis);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_export_sensors(const AbutRunRecord *record, FILE *file, AbutError *error)
{
	const AbutModel *model = record->model;
	if (!record->sensors) {
		return abut_error_set(
		    error, ABUT_ERROR_UNSUPPORTED, NULL,
		    "the run has no sensors.csv; a table of sensors needs a run of a scene with sensors");
	}
	fputs("frame,", file);
	abut_output_write_sensors_header(file);
	for (long k = 0; k < record->n_frames * record->n_values; k++) {
		const int value = (int)(k % record->n_values), sensor = abut_sensor_of_value(model, value);
		begin_row(file, record, k / record->n_values, abut_model_sensor_name(model, sensor));
		fprintf(file, ",%s",
		        abut_model_sensor_channel(model, sensor, value - abut_model_sensor_first(model, sensor)));
		abut_csv_write_numbers(file, &record->sensors[k], 1);
		fputc('\n', file);
	}
	return ABUT_OK;
}

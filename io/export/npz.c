/* Writes a run as arrays of NumPy. */
#include "io/export/npz.h"

#include <stddef.h>
#include <string.h>

#include "dynamics/model/sensor.h"
#include "io/export/npz_arrays.h"

/* Adds `count` doubles, found at byte `offset`, of each of `n` elements of `size` bytes. The array has shape (frames, n
 * / frames, count) if `frames` > 0. */
static void add_doubles(AbutNpz *npz, const char *name, const void *elements, size_t size, size_t offset, long n,
                        int count, long frames)
{
	char shape[80];
	if (frames > 0) {
		snprintf(shape, sizeof shape, "%ld, %ld, %d", frames, n / frames, count);
		abut_npz_begin(npz, "'<f8'", shape);
	} else {
		abut_npz_rows(npz, "'<f8'", n, count > 1 ? count : 0);
	}
	for (long i = 0; i < n; i++) {
		double values[4];
		memcpy(values, (const char *)elements + (size_t)i * size + offset, (size_t)count * sizeof(double));
		abut_bytes_doubles(&npz->array, values, (size_t)count);
	}
	abut_npz_end(npz, name);
}

/* --- what the arrays hold --- */

/* Adds the names of `n` bodies, joints or values. */
static void add_names(AbutNpz *npz, const AbutModel *model, int n,
                      const char *(*name_of)(const AbutModel *model, int index), const char *array)
{
	int longest = 1;
	char type[24];
	for (int i = 0; i < n; i++) {
		const int length = abut_npz_text_length(name_of(model, i));
		longest = length > longest ? length : longest;
	}
	snprintf(type, sizeof type, "'<U%d'", longest);
	abut_npz_rows(npz, type, n, 0);
	for (int i = 0; i < n; i++) {
		abut_npz_text(npz, name_of(model, i), longest);
	}
	abut_npz_end(npz, array);
}

static void add_bodies(AbutNpz *npz, const AbutModel *model)
{
	const int n = abut_model_body_count(model);
	add_names(npz, model, n, abut_model_body_name, "bodies.npy");
	abut_npz_rows(npz, "'|b1'", n, 0);
	for (int i = 0; i < n; i++) {
		abut_bytes_integer(&npz->array, abut_model_body_is_static(model, i), 1);
	}
	abut_npz_end(npz, "static.npy");
	abut_npz_rows(npz, "'<f8'", n, 0);
	for (int i = 0; i < n; i++) {
		abut_bytes_double(&npz->array, abut_model_body_mass(model, i));
	}
	abut_npz_end(npz, "masses.npy");
}

static void add_motion(AbutNpz *npz, const AbutRunRecord *record)
{
	static const struct {
		const char *name;
		size_t offset;
		int count;
	} members[] = {{"positions.npy", offsetof(AbutBodyState, position), 3},
	               {"quaternions.npy", offsetof(AbutBodyState, orientation), 4},
	               {"linear_velocities.npy", offsetof(AbutBodyState, linear_velocity), 3},
	               {"angular_velocities.npy", offsetof(AbutBodyState, angular_velocity), 3}};
	const long n = record->n_frames * record->n_bodies;
	add_doubles(npz, "times.npy", record->times, sizeof(double), 0, record->n_frames, 1, 0);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		add_doubles(npz, members[i].name, record->bodies, sizeof *record->bodies, members[i].offset, n,
		            members[i].count, record->n_frames);
	}
}

static void add_contacts(AbutNpz *npz, const AbutRunRecord *record)
{
	static const struct {
		const char *name;
		size_t offset;
		int count;
	} members[] = {{"contact_scaling.npy", offsetof(AbutContact, scaling), 1},
	               {"contact_gap.npy", offsetof(AbutContact, gap), 1},
	               {"contact_points.npy", offsetof(AbutContact, point), 3},
	               {"contact_normals.npy", offsetof(AbutContact, normal), 3},
	               {"contact_normal_impulses.npy", offsetof(AbutContact, normal_impulse), 1},
	               {"contact_friction_impulses.npy", offsetof(AbutContact, friction_impulse), 3}};
	const long n = record->first_contact[record->n_frames];
	abut_npz_rows(npz, "'<i8'", record->n_frames + 1, 0);
	for (long i = 0; i <= record->n_frames; i++) {
		abut_bytes_integer(&npz->array, (uint64_t)record->first_contact[i], 8);
	}
	abut_npz_end(npz, "contact_offsets.npy");
	for (int of_parts = 0; of_parts < 2; of_parts++) {
		abut_npz_rows(npz, "'<i4'", n, 2);
		for (long i = 0; i < n; i++) {
			const AbutContact *c = &record->contacts[i];
			abut_bytes_integer(&npz->array, (uint64_t)(of_parts ? c->part_a : c->body_a), 4);
			abut_bytes_integer(&npz->array, (uint64_t)(of_parts ? c->part_b : c->body_b), 4);
		}
		abut_npz_end(npz, of_parts ? "contact_parts.npy" : "contact_bodies.npy");
	}
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		add_doubles(npz, members[i].name, record->contacts, sizeof *record->contacts, members[i].offset, n,
		            members[i].count, 0);
	}
}

/* Adds the joints, if the run has a table of them. */
static void add_joints(AbutNpz *npz, const AbutRunRecord *record)
{
	static const struct {
		const char *name;
		size_t offset;
	} members[] = {{"joint_positions.npy", offsetof(AbutJointState, position)},
	               {"joint_velocities.npy", offsetof(AbutJointState, velocity)},
	               {"joint_limit_efforts.npy", offsetof(AbutJointState, limit_effort)},
	               {"joint_friction_efforts.npy", offsetof(AbutJointState, friction_effort)},
	               {"joint_motor_efforts.npy", offsetof(AbutJointState, motor_effort)},
	               {"joint_forces.npy", offsetof(AbutJointState, force)},
	               {"joint_torques.npy", offsetof(AbutJointState, torque)}};
	if (!record->joints) {
		return;
	}
	add_names(npz, record->model, record->n_joints, abut_model_joint_name, "joints.npy");
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		add_doubles(npz, members[i].name, record->joints, sizeof *record->joints, members[i].offset,
		            record->n_frames * record->n_joints, 3, record->n_frames);
	}
}

static const char *sensor_of(const AbutModel *model, int value)
{
	return abut_model_sensor_name(model, abut_sensor_of_value(model, value));
}

static const char *channel_of(const AbutModel *model, int value)
{
	const int sensor = abut_sensor_of_value(model, value);
	return abut_model_sensor_channel(model, sensor, value - abut_model_sensor_first(model, sensor));
}

/* Adds the values of sensors, if the run has a table of them. */
static void add_sensors(AbutNpz *npz, const AbutRunRecord *record)
{
	if (record->sensors) {
		add_names(npz, record->model, record->n_values, sensor_of, "sensors.npy");
		add_names(npz, record->model, record->n_values, channel_of, "sensor_channels.npy");
		char shape[48];
		snprintf(shape, sizeof shape, "%ld, %d", record->n_frames, record->n_values);
		abut_npz_begin(npz, "'<f8'", shape);
		abut_bytes_doubles(&npz->array, record->sensors, (size_t)record->n_frames * (size_t)record->n_values);
		abut_npz_end(npz, "sensor_values.npy");
	}
}

/* Adds the steps as one structured array with the field names of steps.csv. */
static void add_steps(AbutNpz *npz, const AbutRunRecord *record)
{
	abut_npz_rows(
	    npz,
	    "[('time', '<f8'), ('outcome', '<U12'), ('exact', '|b1'), ('retried', '|b1'), ('halvings', '<i4'), "
	    "('tries', '<i4'), ('iterations', '<i4'), ('finish_iterations', '<i4'), ('kappa', '<f8'), "
	    "('residual', '<f8'), ('complementarity', '<f8'), ('max_penetration', '<f8'), ('active_contacts', "
	    "'<i4'), ('energy', '<f8'), ('momentum', '<f8', (3,))]",
	    record->n_steps, 0);
	for (long i = 0; i < record->n_steps; i++) {
		const AbutRunStep *step = &record->steps[i];
		AbutBytes *array = &npz->array;
		const int counts[] = {step->halvings, step->tries, step->iterations, step->finish_iterations};
		const double ends[] = {step->kappa, step->residual, step->complementarity, step->max_penetration};
		abut_bytes_double(array, step->time);
		abut_npz_text(npz, abut_outcome_name(step->outcome), 12);
		abut_bytes_integer(array, step->exact != 0, 1);
		abut_bytes_integer(array, step->retried != 0, 1);
		for (int k = 0; k < 4; k++) {
			abut_bytes_integer(array, (uint64_t)counts[k], 4);
		}
		abut_bytes_doubles(array, ends, 4);
		abut_bytes_integer(array, (uint64_t)step->active_contacts, 4);
		abut_bytes_double(array, step->totals.energy);
		abut_bytes_doubles(array, step->totals.momentum, 3);
	}
	abut_npz_end(npz, "steps.npy");
}

AbutStatus abut_export_npz(const AbutRunRecord *record, FILE *file, AbutError *error)
{
	AbutNpz npz = {.zip = {.file = file}, .error = error};
	add_bodies(&npz, record->model);
	add_motion(&npz, record);
	add_contacts(&npz, record);
	add_joints(&npz, record);
	add_sensors(&npz, record);
	add_steps(&npz, record);
	return abut_npz_finish(&npz);
}

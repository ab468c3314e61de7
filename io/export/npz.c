/* Writes a run as arrays of NumPy, in format 1.0 of NEP 1, each a member of the archive. */
#include "io/export/npz.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/model/sensor.h"
#include "io/text/bytes.h"

/* --- the archive: zip as specified in APPNOTE.TXT 6.3, version 2.0, method 0 (stored) ---
 *
 * Compression would make the files a third smaller, but slower to read, and would need zlib. tests/io/export/tables.py
 * reads the archive with NumPy. */

/* A zip archive that begins at the start of `file`. All members have the earliest date that zip allows, so that the
 * same members give the same bytes. */
typedef struct Zip {
	FILE *file;
	uint64_t at;       /* bytes written */
	AbutBytes central; /* central directory, which ends the archive */
	int n_members;
} Zip;

enum {
	LOCAL = 0x04034b50,
	CENTRAL = 0x02014b50,
	DIRECTORY_END = 0x06054b50,
	VERSION = 20,
	FIRST_DAY = 0x21,
	UTF8 = 1 << 11
};

/* Appends the fields that the local header and the central directory share. */
static void put_common(AbutBytes *out, uint32_t crc, size_t size, size_t name_length)
{
	abut_bytes_integer(out, VERSION, 2);
	abut_bytes_integer(out, UTF8, 2);
	abut_bytes_integer(out, 0, 2); /* stored */
	abut_bytes_integer(out, 0, 2); /* midnight */
	abut_bytes_integer(out, FIRST_DAY, 2);
	abut_bytes_integer(out, crc, 4);
	abut_bytes_integer(out, size, 4);
	abut_bytes_integer(out, size, 4);
	abut_bytes_integer(out, name_length, 2);
	abut_bytes_integer(out, 0, 2); /* no extra field */
}

/* Adds a member. Returns ABUT_ERROR_UNSUPPORTED if the archive would exceed 4 GiB or 65535 members. */
static AbutStatus zip_add(Zip *zip, const char *name, const AbutBytes *data, AbutError *error)
{
	const size_t length = strlen(name);
	const uint32_t crc = abut_crc32(0, data->data, data->size);
	AbutBytes head = {0};
	if (data->size > UINT32_MAX - 1024 || zip->at + data->size > UINT32_MAX - (1 << 20) ||
	    zip->n_members == 65535) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, name,
		                      "the archive would exceed 4 GiB, the limit of the format; export fewer "
		                      "steps, or as csv");
	}
	abut_bytes_integer(&head, LOCAL, 4);
	put_common(&head, crc, data->size, length);
	abut_bytes_put(&head, name, length);
	abut_bytes_integer(&zip->central, CENTRAL, 4);
	abut_bytes_integer(&zip->central, VERSION, 2); /* made by this version */
	put_common(&zip->central, crc, data->size, length);
	abut_bytes_integer(&zip->central, 0, 2); /* no comment */
	abut_bytes_integer(&zip->central, 0, 2); /* first disk */
	abut_bytes_integer(&zip->central, 0, 2); /* internal attributes */
	abut_bytes_integer(&zip->central, 0, 4); /* external attributes */
	abut_bytes_integer(&zip->central, zip->at, 4);
	abut_bytes_put(&zip->central, name, length);
	const bool failed = head.failed || zip->central.failed || data->failed;
	if (!failed) {
		fwrite(head.data, 1, head.size, zip->file);
		fwrite(data->data, 1, data->size, zip->file);
		zip->at += head.size + data->size;
		zip->n_members++;
	}
	abut_bytes_free(&head);
	return failed ? abut_error_set(error, ABUT_ERROR_MEMORY, name, "out of memory") : ABUT_OK;
}

/* Writes the central directory and frees it, also on failure. */
static AbutStatus zip_finish(Zip *zip, AbutError *error)
{
	const size_t size = zip->central.size;
	abut_bytes_integer(&zip->central, DIRECTORY_END, 4);
	abut_bytes_integer(&zip->central, 0, 4); /* disks */
	abut_bytes_integer(&zip->central, (uint64_t)zip->n_members, 2);
	abut_bytes_integer(&zip->central, (uint64_t)zip->n_members, 2);
	abut_bytes_integer(&zip->central, size, 4);
	abut_bytes_integer(&zip->central, zip->at, 4);
	abut_bytes_integer(&zip->central, 0, 2);
	const bool failed = zip->central.failed;
	if (!failed) {
		fwrite(zip->central.data, 1, zip->central.size, zip->file);
	}
	abut_bytes_free(&zip->central);
	return failed ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory") : ABUT_OK;
}

/* --- arrays --- */

/* The archive and the array being written. */
typedef struct Npz {
	Zip zip;
	AbutBytes array;
	AbutStatus status; /* status of the first failure */
	AbutError *error;
} Npz;

/* Begins an array: magic bytes, version, and a header padded to a multiple of 64 bytes. */
static void begin(Npz *npz, const char *type, const char *shape)
{
	static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
	AbutBytes *array = &npz->array;
	array->size = 0;
	abut_bytes_put(array, magic, sizeof magic);
	abut_bytes_integer(array, 0, 2);
	static const char first[] = "{'descr': ", second[] = ", 'fortran_order': False, 'shape': (", last[] = "), }";
	abut_bytes_put(array, first, sizeof first - 1);
	abut_bytes_put(array, type, strlen(type));
	abut_bytes_put(array, second, sizeof second - 1);
	abut_bytes_put(array, shape, strlen(shape));
	abut_bytes_put(array, last, sizeof last - 1);
	while (!array->failed && array->size % 64 != 63) {
		abut_bytes_put(array, " ", 1);
	}
	abut_bytes_put(array, "\n", 1);
	if (!array->failed) {
		array->data[8] = (unsigned char)(array->size - 10);
		array->data[9] = (unsigned char)((array->size - 10) >> 8);
	}
}

/* Begins an array of `n` rows with `columns` entries each; with 0 columns, a vector. */
static void begin_rows(Npz *npz, const char *type, long n, int columns)
{
	char shape[64];
	if (columns > 0) {
		snprintf(shape, sizeof shape, "%ld, %d", n, columns);
	} else {
		snprintf(shape, sizeof shape, "%ld,", n);
	}
	begin(npz, type, shape);
}

static void end(Npz *npz, const char *name)
{
	if (npz->status == ABUT_OK) {
		npz->status = zip_add(&npz->zip, name, &npz->array, npz->error);
	}
}

/* Adds `count` doubles, found at byte `offset`, of each of `n` elements of `size` bytes. The array has shape (frames, n
 * / frames, count) if `frames` > 0. */
static void add_doubles(Npz *npz, const char *name, const void *elements, size_t size, size_t offset, long n, int count,
                        long frames)
{
	char shape[80];
	if (frames > 0) {
		snprintf(shape, sizeof shape, "%ld, %ld, %d", frames, n / frames, count);
		begin(npz, "'<f8'", shape);
	} else {
		begin_rows(npz, "'<f8'", n, count > 1 ? count : 0);
	}
	for (long i = 0; i < n; i++) {
		double values[4];
		memcpy(values, (const char *)elements + (size_t)i * size + offset, (size_t)count * sizeof(double));
		abut_bytes_doubles(&npz->array, values, (size_t)count);
	}
	end(npz, name);
}

/* --- names --- */

/* Returns the code point at `*at` in a UTF-8 text and moves `*at` past it. */
static uint32_t next_code_point(const char **at)
{
	const unsigned char first = (unsigned char)*(*at)++;
	const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
	uint32_t code = more == 0 ? first : first & (0x3fU >> more);
	for (int i = 0; i < more && **at; i++) {
		code = code << 6 | ((unsigned char)*(*at)++ & 0x3fU);
	}
	return code;
}

static int count_code_points(const char *text)
{
	int n = 0;
	while (*text) {
		next_code_point(&text);
		n++;
	}
	return n;
}

/* Writes the text as `longest` code points, padded with zeros. */
static void put_text(Npz *npz, const char *text, int longest)
{
	for (int k = 0; k < longest; k++) {
		abut_bytes_integer(&npz->array, *text ? next_code_point(&text) : 0, 4);
	}
}

/* --- what the arrays hold --- */

/* Adds the names of `n` bodies, joints or values. */
static void add_names(Npz *npz, const AbutModel *model, int n,
                      const char *(*name_of)(const AbutModel *model, int index), const char *array)
{
	int longest = 1;
	char type[24];
	for (int i = 0; i < n; i++) {
		const int length = count_code_points(name_of(model, i));
		longest = length > longest ? length : longest;
	}
	snprintf(type, sizeof type, "'<U%d'", longest);
	begin_rows(npz, type, n, 0);
	for (int i = 0; i < n; i++) {
		put_text(npz, name_of(model, i), longest);
	}
	end(npz, array);
}

static void add_bodies(Npz *npz, const AbutModel *model)
{
	const int n = abut_model_body_count(model);
	add_names(npz, model, n, abut_model_body_name, "bodies.npy");
	begin_rows(npz, "'|b1'", n, 0);
	for (int i = 0; i < n; i++) {
		abut_bytes_integer(&npz->array, abut_model_body_is_static(model, i), 1);
	}
	end(npz, "static.npy");
	begin_rows(npz, "'<f8'", n, 0);
	for (int i = 0; i < n; i++) {
		abut_bytes_double(&npz->array, abut_model_body_mass(model, i));
	}
	end(npz, "masses.npy");
}

static void add_motion(Npz *npz, const AbutRunRecord *record)
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

static void add_contacts(Npz *npz, const AbutRunRecord *record)
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
	begin_rows(npz, "'<i8'", record->n_frames + 1, 0);
	for (long i = 0; i <= record->n_frames; i++) {
		abut_bytes_integer(&npz->array, (uint64_t)record->first_contact[i], 8);
	}
	end(npz, "contact_offsets.npy");
	for (int of_parts = 0; of_parts < 2; of_parts++) {
		begin_rows(npz, "'<i4'", n, 2);
		for (long i = 0; i < n; i++) {
			const AbutContact *c = &record->contacts[i];
			abut_bytes_integer(&npz->array, (uint64_t)(of_parts ? c->part_a : c->body_a), 4);
			abut_bytes_integer(&npz->array, (uint64_t)(of_parts ? c->part_b : c->body_b), 4);
		}
		end(npz, of_parts ? "contact_parts.npy" : "contact_bodies.npy");
	}
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		add_doubles(npz, members[i].name, record->contacts, sizeof *record->contacts, members[i].offset, n,
		            members[i].count, 0);
	}
}

/* Adds the joints, if the run has a table of them. */
static void add_joints(Npz *npz, const AbutRunRecord *record)
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
static void add_sensors(Npz *npz, const AbutRunRecord *record)
{
	if (record->sensors) {
		add_names(npz, record->model, record->n_values, sensor_of, "sensors.npy");
		add_names(npz, record->model, record->n_values, channel_of, "sensor_channels.npy");
		char shape[48];
		snprintf(shape, sizeof shape, "%ld, %d", record->n_frames, record->n_values);
		begin(npz, "'<f8'", shape);
		abut_bytes_doubles(&npz->array, record->sensors, (size_t)record->n_frames * (size_t)record->n_values);
		end(npz, "sensor_values.npy");
	}
}

/* Adds the steps as one structured array with the field names of steps.csv. */
static void add_steps(Npz *npz, const AbutRunRecord *record)
{
	begin_rows(npz,
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
		put_text(npz, abut_outcome_name(step->outcome), 12);
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
	end(npz, "steps.npy");
}

AbutStatus abut_export_npz(const AbutRunRecord *record, FILE *file, AbutError *error)
{
	Npz npz = {.zip = {.file = file}, .error = error};
	add_bodies(&npz, record->model);
	add_motion(&npz, record);
	add_contacts(&npz, record);
	add_joints(&npz, record);
	add_sensors(&npz, record);
	add_steps(&npz, record);
	const AbutStatus status = zip_finish(&npz.zip, error);
	abut_bytes_free(&npz.array);
	return npz.status != ABUT_OK ? npz.status : status;
}

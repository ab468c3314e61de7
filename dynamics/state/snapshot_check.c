/* Checks that the numbers of a snapshot are a state of the model. This is needed because a step does not check its
 * state. */
#include "dynamics/state/snapshot_check.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/check.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/key.h"
#include "dynamics/model/pair.h"
#include "dynamics/model/sensor.h"
#include "dynamics/state/snapshot.h"
#include "dynamics/state/state.h"

/* Fills the error: `where` is "state[INDEX]"; the message names the quantity, its value and the allowed values. */
__attribute__((format(printf, 3, 4))) static AbutStatus refuse(const AbutSnapshotCheck *check, size_t index,
                                                               const char *format, ...)
{
	char where[40], message[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	snprintf(where, sizeof where, "state[%zu]", index);
	return abut_error_set(check->error, ABUT_ERROR_ARGUMENT, where, "%s", message);
}

static bool is_integer(double value, double low, double high)
{
	return value >= low && value <= high && value == floor(value);
}

static AbutStatus check_counts(const AbutSnapshotCheck *check)
{
	const double *in = check->in;
	const size_t motion = abut_snapshot_contacts(check->model);
	if (check->n < ABUT_SNAPSHOT_HEAD) {
		return refuse(check, check->n, "the snapshot ends here; its head has %d numbers",
		              (int)ABUT_SNAPSHOT_HEAD);
	}
	if (in[ABUT_SNAPSHOT_LAYOUT] != ABUT_SNAPSHOT_VERSION) {
		return refuse(check, ABUT_SNAPSHOT_LAYOUT, "the snapshot's version is %.9g; it must be %d",
		              in[ABUT_SNAPSHOT_LAYOUT], ABUT_SNAPSHOT_VERSION);
	}
	if (in[ABUT_SNAPSHOT_LENGTH] != (double)check->n || check->n > INT_MAX) {
		return refuse(check, ABUT_SNAPSHOT_LENGTH,
		              "the snapshot says that it has %.17g numbers, and there are %zu",
		              in[ABUT_SNAPSHOT_LENGTH], check->n);
	}
	if (in[ABUT_SNAPSHOT_BODIES] != check->model->n_bodies || check->n < motion) {
		return refuse(check, ABUT_SNAPSHOT_BODIES,
		              "the snapshot is of %.9g bodies in %zu numbers; the model has %d in %zu",
		              in[ABUT_SNAPSHOT_BODIES], check->n, check->model->n_bodies, motion);
	}
	const size_t most = (check->n - motion) / ABUT_SNAPSHOT_CONTACT;
	if (!is_integer(in[ABUT_SNAPSHOT_CONTACTS], 0.0, (double)most)) {
		return refuse(check, ABUT_SNAPSHOT_CONTACTS,
		              "%.9g contacts; there is room for %zu of %d numbers or more", in[ABUT_SNAPSHOT_CONTACTS],
		              most, (int)ABUT_SNAPSHOT_CONTACT);
	}
	if (!is_integer(in[ABUT_SNAPSHOT_STEPS], 0, 0x1p53)) {
		return refuse(check, ABUT_SNAPSHOT_STEPS, "%.9g steps; it must be an integer from 0 to 2^53",
		              in[ABUT_SNAPSHOT_STEPS]);
	}
	for (size_t i = 0; i < check->n; i++) {
		if (!isfinite(in[i])) {
			return refuse(check, i, "is %g; every number must be finite", in[i]);
		}
	}
	return ABUT_OK;
}

/* Checks the units with a tolerance: on another machine, exp and sqrt may differ by rounding for the same model. */
static AbutStatus check_units(const AbutSnapshotCheck *check)
{
	const AbutUnits *units = &check->model->units;
	const double own[3] = {units->length, units->mass, units->time};
	static const char *const names[3] = {"length", "mass", "time"};
	for (int i = 0; i < 3; i++) {
		if (!(fabs(check->in[ABUT_SNAPSHOT_UNIT_LENGTH + i] - own[i]) <= 1e-9 * own[i])) {
			return refuse(check, ABUT_SNAPSHOT_UNIT_LENGTH + (size_t)i,
			              "the unit of %s is %.17g and the model's %.17g: the snapshot is of another "
			              "scene, and its last solution means nothing here",
			              names[i], check->in[ABUT_SNAPSHOT_UNIT_LENGTH + i], own[i]);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_motion(const AbutSnapshotCheck *check, int body)
{
	static const struct {
		size_t at;
		int n;
		const char *name;
	} vectors[] = {{ABUT_SNAPSHOT_POSITION, 3, "position"},
	               {ABUT_SNAPSHOT_LINEAR, 3, "linear velocity"},
	               {ABUT_SNAPSHOT_ANGULAR, 3, "angular velocity"},
	               {ABUT_SNAPSHOT_PAST, 12, "past velocity"}};
	const AbutBody *own = &check->model->bodies[body];
	const double *in = &check->in[abut_snapshot_body(body)];
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		const bool still = own->is_static && vectors[i].at != ABUT_SNAPSHOT_POSITION;
		for (int j = 0; j < vectors[i].n; j++) {
			const double value = in[vectors[i].at + (size_t)j];
			if (!(fabs(value) <= (still ? 0.0 : ABUT_LARGEST_INPUT))) {
				return refuse(check, abut_snapshot_body(body) + vectors[i].at + (size_t)j,
				              still ? "the %s of '%s' is %g; the body is static, and it must be 0"
				                    : "the %s of '%s' is %g; it must lie within +-1e30",
				              vectors[i].name, own->name, value);
			}
		}
	}
	const double *q = &in[ABUT_SNAPSHOT_ORIENTATION];
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	if (!(fabs(norm - 1.0) <= 1e-9)) {
		return refuse(check, abut_snapshot_body(body) + ABUT_SNAPSHOT_ORIENTATION,
		              "the orientation of '%s' has length %.12g; it must be a unit quaternion (to 1e-9)",
		              own->name, norm);
	}
	if (!abut_state_input_possible(check->model, body, &in[ABUT_SNAPSHOT_FORCE], &in[ABUT_SNAPSHOT_TORQUE])) {
		const double *f = &in[ABUT_SNAPSHOT_FORCE], *t = &in[ABUT_SNAPSHOT_TORQUE];
		return refuse(check, abut_snapshot_body(body) + ABUT_SNAPSHOT_FORCE,
		              own->is_static
		                  ? "'%s' has the force (%g, %g, %g) and the torque (%g, %g, %g); the body "
		                    "is static, and they must be 0"
		                  : "'%s' has the force (%g, %g, %g) and the torque (%g, %g, %g); each entry "
		                    "must lie within +-1e30",
		              own->name, f[0], f[1], f[2], t[0], t[1], t[2]);
	}
	AbutBodyState motion = {.position = {0.0}};
	memcpy(motion.orientation, &in[ABUT_SNAPSHOT_ORIENTATION], sizeof motion.orientation);
	memcpy(motion.linear_velocity, &in[ABUT_SNAPSHOT_LINEAR], sizeof motion.linear_velocity);
	memcpy(motion.angular_velocity, &in[ABUT_SNAPSHOT_ANGULAR], sizeof motion.angular_velocity);
	if (own->planar && !abut_motion_planar(&motion)) {
		return refuse(
		    check, abut_snapshot_body(body) + ABUT_SNAPSHOT_LINEAR,
		    "'%s' is planar and has the linear velocity (%g, %g, %g) and the spin (%g, %g, %g); only x and z "
		    "of the one and a spin about the world's y are allowed",
		    own->name, motion.linear_velocity[0], motion.linear_velocity[1], motion.linear_velocity[2],
		    motion.angular_velocity[0], motion.angular_velocity[1], motion.angular_velocity[2]);
	}
	return ABUT_OK;
}

/* Checks that all moving bodies have a last solution, or none has one. A step starts either from the last solutions of
 * all bodies or from none. */
static AbutStatus check_last_timestep(const AbutSnapshotCheck *check, int body)
{
	const AbutModel *model = check->model;
	const double *in = check->in;
	const double last = in[abut_snapshot_body(body) + ABUT_SNAPSHOT_LAST_TIMESTEP];
	const double unit = model->units.time;
	const size_t at = abut_snapshot_body(body) + ABUT_SNAPSHOT_LAST_TIMESTEP;
	if (model->bodies[body].is_static) {
		return last == 0.0 ? ABUT_OK
		                   : refuse(check, at,
		                            "the last timestep of '%s' is %g; the body is static, and it "
		                            "must be 0",
		                            model->bodies[body].name, last);
	}
	if (last != 0.0 && !(last * unit >= 1e-14 && last * unit <= 1e3)) {
		return refuse(check, at, "the last timestep of '%s' is %g s; it must be 0, or lie in 1e-14 to 1e3 s",
		              model->bodies[body].name, last * unit);
	}
	const double first = in[abut_snapshot_body(model->moving_body[0]) + ABUT_SNAPSHOT_LAST_TIMESTEP];
	if ((last > 0.0) != (first > 0.0)) {
		return refuse(check, at,
		              "the last timestep of '%s' is %g, and that of '%s' %g: all moving bodies have a last "
		              "step, or none has",
		              model->bodies[body].name, last, model->bodies[model->moving_body[0]].name, first);
	}
	return ABUT_OK;
}

static bool has_last_step(const AbutSnapshotCheck *check)
{
	const AbutModel *model = check->model;
	return model->n_moving > 0 &&
	       check->in[abut_snapshot_body(model->moving_body[0]) + ABUT_SNAPSHOT_LAST_TIMESTEP] > 0.0;
}

/* Checks that a joint has a last solution if and only if the bodies have one, and that its numbers are possible. */
static AbutStatus check_joint(const AbutSnapshotCheck *check, int joint)
{
	const size_t at = abut_snapshot_joint(check->model, joint);
	const double *in = &check->in[at];
	const char *name = check->model->joints.at[joint].name;
	if ((in[0] > 0.0) != has_last_step(check) || !(in[0] * check->model->units.time <= 1e3)) {
		return refuse(check, at, "the last timestep of joint '%s' is %g; it must be that of its bodies", name,
		              in[0]);
	}
	for (size_t i = 0; i < ABUT_SNAPSHOT_JOINT; i++) {
		if (!(fabs(in[i]) <= ABUT_LARGEST_INPUT)) {
			return refuse(check, at + i, "a number of joint '%s' is %g; it must lie within +-1e30", name,
			              in[i]);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_couplings(const AbutSnapshotCheck *check)
{
	const AbutJointList *joints = &check->model->joints;
	const size_t first = abut_snapshot_joint(check->model, joints->n);
	for (size_t i = 0; i < (size_t)ABUT_COUPLING_NUMBERS * (size_t)joints->n_couplings; i++) {
		const size_t coupling = i / ABUT_COUPLING_NUMBERS;
		const int *of = joints->couplings[coupling].joint;
		if (!(fabs(check->in[first + i]) <= ABUT_LARGEST_INPUT)) {
			return refuse(check, first + i,
			              "a number of couplings[%zu], of joints '%s' and '%s', is %g; it must lie within "
			              "+-1e30",
			              coupling, joints->at[of[0]].name, joints->at[of[1]].name, check->in[first + i]);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_sensors(const AbutSnapshotCheck *check)
{
	const AbutSensorList *sensors = &check->model->sensors;
	const size_t first = abut_snapshot_sensors(check->model);
	for (int i = 0; i < sensors->n; i++) {
		const AbutSensor *sensor = &sensors->at[i];
		for (int k = 0; sensor->kept >= 0 && k < sensor->n; k++) {
			const size_t at = first + (size_t)(sensor->kept + k);
			if (!(fabs(check->in[at]) <= ABUT_LARGEST_INPUT)) {
				return refuse(check, at, "a value of sensor '%s' is %g; it must lie within +-1e30",
				              sensor->name, check->in[at]);
			}
		}
	}
	return ABUT_OK;
}

/* Checks the contact at index `at`. Its parts must come after those in `before`. Sets `before` to its parts and `*size`
 * to its number of entries. */
static AbutStatus check_contact(const AbutSnapshotCheck *check, size_t at, int before[2], size_t *size)
{
	const AbutModel *model = check->model;
	const double *in = &check->in[at];
	AbutPair pair;
	if (check->n - at < ABUT_SNAPSHOT_CONTACT) {
		return refuse(check, ABUT_SNAPSHOT_LENGTH, "the snapshot ends within a contact, which begins at %zu",
		              at);
	}
	for (size_t i = 0; i < 2; i++) {
		if (!is_integer(in[ABUT_SNAPSHOT_PART_A + i], 0, model->n_parts - 1)) {
			return refuse(check, at + ABUT_SNAPSHOT_PART_A + i,
			              "part %.9g; the model has the parts 0 to %d", in[ABUT_SNAPSHOT_PART_A + i],
			              model->n_parts - 1);
		}
	}
	const int part[2] = {(int)in[ABUT_SNAPSHOT_PART_A], (int)in[ABUT_SNAPSHOT_PART_B]};
	if (part[0] >= part[1] || abut_compare_keys(before, part) >= 0) {
		return refuse(check, at, "parts %d and %d after %d and %d; they must be in order, each pair once",
		              part[0], part[1], before[0], before[1]);
	}
	if (!abut_pair_make(model, part[0], part[1], &pair)) {
		return refuse(check, at, "parts %d and %d, of '%s' and '%s', which may not touch in this model",
		              part[0], part[1], model->bodies[model->parts[part[0]].body].name,
		              model->bodies[model->parts[part[1]].body].name);
	}
	if (in[ABUT_SNAPSHOT_SOLVED] != 0.0 && in[ABUT_SNAPSHOT_SOLVED] != 1.0) {
		return refuse(check, at + ABUT_SNAPSHOT_SOLVED, "solved is %.9g; it must be 0 or 1",
		              in[ABUT_SNAPSHOT_SOLVED]);
	}
	const bool solved = in[ABUT_SNAPSHOT_SOLVED] == 1.0;
	const int sizes[2] = {solved ? pair.n_y : 0, solved ? pair.n_z : 0};
	for (size_t i = 0; i < 2; i++) {
		if (in[ABUT_SNAPSHOT_N_Y + i] != sizes[i]) {
			return refuse(check, at + ABUT_SNAPSHOT_N_Y + i,
			              "%.9g numbers of %s; parts %d and %d have %d in this model",
			              in[ABUT_SNAPSHOT_N_Y + i], i == 0 ? "y" : "z", part[0], part[1], sizes[i]);
		}
	}
	*size = ABUT_SNAPSHOT_CONTACT + (size_t)sizes[0] + (size_t)sizes[1];
	if (check->n - at < *size) {
		return refuse(check, ABUT_SNAPSHOT_LENGTH, "the snapshot ends within the contact that begins at %zu",
		              at);
	}
	memcpy(before, part, sizeof part);
	return ABUT_OK;
}

static AbutStatus check_contacts(const AbutSnapshotCheck *check)
{
	const int n = (int)check->in[ABUT_SNAPSHOT_CONTACTS];
	size_t at = abut_snapshot_contacts(check->model), size = 0;
	int before[2] = {-1, -1};
	if (n > 0 && !has_last_step(check)) {
		return refuse(check, ABUT_SNAPSHOT_CONTACTS, "%d contacts without a last step; there must be none", n);
	}
	for (int i = 0; i < n; i++, at += size) {
		ABUT_TRY(check_contact(check, at, before, &size));
	}
	return at == check->n ? ABUT_OK
	                      : refuse(check, ABUT_SNAPSHOT_LENGTH,
	                               "%zu numbers, but bodies, joints and contacts take %zu", check->n, at);
}

AbutStatus abut_snapshot_check(const AbutSnapshotCheck *check)
{
	AbutStatus status = check_counts(check);
	for (int i = 0; status == ABUT_OK && i < check->model->n_bodies; i++) {
		status = check_motion(check, i);
	}
	if (!check->whole) {
		return status;
	}
	for (int i = 0; status == ABUT_OK && i < check->model->n_bodies; i++) {
		status = check_last_timestep(check, i);
	}
	for (int i = 0; status == ABUT_OK && i < check->model->joints.n; i++) {
		status = check_joint(check, i);
	}
	ABUT_THEN(status, check_couplings(check));
	ABUT_THEN(status, check_sensors(check));
	if (status == ABUT_OK && (has_last_step(check) || check->model->joints.n > 0)) {
		status = check_units(check);
	}
	return status == ABUT_OK ? check_contacts(check) : status;
}

/* The layout of a snapshot (docs/interface.md, "Snapshots").
 *
 *     head | each body | each joint | each coupling | kept values of sensors | each contact from which the next step
 * may start, with its y and z
 */
#pragma once

#include "dynamics/model/model.h"
#include "dynamics/state/joint_memory.h"

/* Entries of the head. */
enum {
	ABUT_SNAPSHOT_LAYOUT,
	ABUT_SNAPSHOT_LENGTH,
	ABUT_SNAPSHOT_BODIES,
	ABUT_SNAPSHOT_CONTACTS,
	ABUT_SNAPSHOT_STEPS,
	ABUT_SNAPSHOT_UNIT_LENGTH,
	ABUT_SNAPSHOT_UNIT_MASS,
	ABUT_SNAPSHOT_UNIT_TIME,
	ABUT_SNAPSHOT_HEAD
};

/* Entries of a body. */
enum {
	ABUT_SNAPSHOT_POSITION = 0, /* position of the centre of mass */
	ABUT_SNAPSHOT_ORIENTATION = 3,
	ABUT_SNAPSHOT_LINEAR = 7,
	ABUT_SNAPSHOT_ANGULAR = 10,
	ABUT_SNAPSHOT_PAST = 13, /* velocities one step and two steps ago */
	ABUT_SNAPSHOT_LAST_TIMESTEP = 25,
	ABUT_SNAPSHOT_FORCE = 26,
	ABUT_SNAPSHOT_TORQUE = 29,
	ABUT_SNAPSHOT_BODY = 32
};

/* Entries of a contact, before its y and z. */
enum {
	ABUT_SNAPSHOT_PART_A,
	ABUT_SNAPSHOT_PART_B,
	ABUT_SNAPSHOT_SOLVED,
	ABUT_SNAPSHOT_N_Y,
	ABUT_SNAPSHOT_N_Z,
	ABUT_SNAPSHOT_ALPHA,
	ABUT_SNAPSHOT_NORMAL,
	ABUT_SNAPSHOT_CONTACT = ABUT_SNAPSHOT_NORMAL + 3
};

/* Numbers of a joint: its memory and the targets of its motors. */
enum { ABUT_SNAPSHOT_JOINT = ABUT_JOINT_NUMBERS + ABUT_JOINT_FREEDOMS };

/* Returns the index of the first number of a body. For the index after the last body, this is the first number of the
 * joints. */
static inline size_t abut_snapshot_body(int body)
{
	return ABUT_SNAPSHOT_HEAD + (size_t)ABUT_SNAPSHOT_BODY * (size_t)body;
}

/* Returns the index of the first number of a joint; for the index after the last joint, that of the couplings. */
static inline size_t abut_snapshot_joint(const AbutModel *model, int joint)
{
	return abut_snapshot_body(model->n_bodies) + (size_t)ABUT_SNAPSHOT_JOINT * (size_t)joint;
}

/* Returns the index of the first number of the sensors. */
static inline size_t abut_snapshot_sensors(const AbutModel *model)
{
	return abut_snapshot_joint(model, model->joints.n) +
	       (size_t)ABUT_COUPLING_NUMBERS * (size_t)model->joints.n_couplings;
}

/* Returns the index of the first number of the contacts. */
static inline size_t abut_snapshot_contacts(const AbutModel *model)
{
	return abut_snapshot_sensors(model) + (size_t)model->sensors.n_kept;
}

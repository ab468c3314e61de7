/* Inputs (forces and torques, and targets of motors) of a run by step, from inputs.csv of its folder or from a user's table
 * (docs/snapshots.md). */
#pragma once

#include <stdint.h>

#include "abut/model.h"
#include "io/text/names.h"

/* The input of a body, or the target of a motor, from `step` until the next row of the same. */
typedef struct AbutInputRow {
	long step;              /* counted from 1 */
	int body;               /* -1: the row is of a motor */
	double force_torque[6]; /* force in N, world axes, at the centre of mass; torque in N m, body axes */
	int joint, axis;        /* of the motor */
	double target;          /* of the motor */
} AbutInputRow;

/* All members zero: no inputs. */
typedef struct AbutInputs {
	int n, capacity;
	AbutInputRow *rows; /* (n) sorted by step; owned */
	int next;           /* first row not applied yet */
	long step;          /* last step whose inputs were set; 0: none yet */
} AbutInputs;

/* Makes the table of a model's bodies by name; false: out of memory. */
bool abut_body_names(const AbutModel *model, AbutNames *names);
/* Makes rows for step 1 from the inputs of the state. May fail with ABUT_ERROR_MEMORY. */
AbutStatus abut_inputs_of_state(const AbutModel *model, const AbutState *state, AbutInputs *out, AbutError *error);
/* Adds a row. */
AbutStatus abut_inputs_add(AbutInputs *inputs, const AbutInputRow *row, AbutError *error);
/* Reads the table `path`. Its columns are `step` or `time` (s), then `body` and `force_x` ... `torque_z`, or `joint`,
 * `axis` and `target`, or both; its rows must be in order of time. Errors give file and line. */
AbutStatus abut_inputs_read(const char *path, const AbutModel *model, AbutInputs *out, AbutError *error);
/* Writes inputs.csv into the folder. The file is complete or not written at all. */
AbutStatus abut_inputs_write(const AbutInputs *inputs, const AbutModel *model, const char *folder, AbutError *error);
/* Returns a hash of the rows, used to compare tables. */
uint64_t abut_inputs_digest(const AbutInputs *inputs);
void abut_inputs_free(AbutInputs *inputs);

/* Sets the input of a row. Returns ABUT_ERROR_ARGUMENT if it is not possible. */
AbutStatus abut_inputs_apply(const AbutInputRow *row, const AbutModel *model, AbutState *state);
/* Sets the inputs of a step. The first call also clears the inputs of all bodies; motors keep their targets. Passed to AbutRunPlan as `drive`,
 * with the AbutInputs as context. */
AbutStatus abut_inputs_drive(void *inputs, const AbutModel *model, AbutState *state, long step, AbutError *error);

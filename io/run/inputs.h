/* Inputs (forces and torques, and targets of motors) of a run by step (docs/snapshots.md). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "abut/model.h"

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

/* Makes rows for step 1 from the inputs of the state. May fail with ABUT_ERROR_MEMORY. */
AbutStatus abut_inputs_of_state(const AbutModel *model, const AbutState *state, AbutInputs *out, AbutError *error);
/* Adds a row. */
AbutStatus abut_inputs_add(AbutInputs *inputs, const AbutInputRow *row, AbutError *error);
/* Returns a hash of the rows, used to compare tables. */
uint64_t abut_inputs_digest(const AbutInputs *inputs);
void abut_inputs_free(AbutInputs *inputs);

/* Rows that do not act as they say. */
typedef struct AbutInputDoubts {
	int n_late;    /* number of rows that begin after the last step */
	long late;     /* step of the first of them */
	int n_clamped; /* number of efforts beyond the limits of their motors */
	int clamped;   /* row of the first of them */
} AbutInputDoubts;

/* Returns the largest effort of the motor of a row, N m or N; INFINITY: none, or the target is no effort. */
double abut_inputs_limit(const AbutInputRow *row, const AbutSceneDef *def);
/* Finds such rows in a run of `steps` steps. */
AbutInputDoubts abut_inputs_doubt(const AbutInputs *inputs, const AbutSceneDef *def, long steps);

/* Sets the input of a row. Returns ABUT_ERROR_ARGUMENT if it is not possible. */
AbutStatus abut_inputs_apply(const AbutInputRow *row, const AbutModel *model, AbutState *state);
/* Sets the inputs of a step. The first call also clears the inputs of all bodies; motors keep their targets. Passed to
 * AbutRunPlan as `drive`, with the AbutInputs as context. */
AbutStatus abut_inputs_drive(void *inputs, const AbutModel *model, AbutState *state, long step, AbutError *error);

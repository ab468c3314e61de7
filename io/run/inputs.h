/* The inputs of a run, step by step: inputs.csv of its folder, or a table of the user's (docs/snapshots.md). */
#ifndef IO_RUN_INPUTS_H
#define IO_RUN_INPUTS_H

#include <stdint.h>

#include "abut/model.h"

/* The input of a body from `step` on, until the next row of the body. */
typedef struct AbutInputRow {
	long step; /* from 1 */
	int body;
	double force_torque[6]; /* N, world, at the centre of mass; N m, body axes */
} AbutInputRow;

/* All zero: no inputs. */
typedef struct AbutInputs {
	int n, capacity;
	AbutInputRow *rows; /* (n) by step, owned */
	int next;           /* the first row that has not been set yet */
	long step;          /* up to which they are set: 0 before the first */
} AbutInputs;

/* Makes rows of step 1 from the inputs of the state. ABUT_ERROR_MEMORY. */
AbutStatus abut_inputs_of_state(const AbutModel *model, const AbutState *state, AbutInputs *out, AbutError *error);
/* Reads the table `path`, of the columns `step` or `time` (s), `body`, `force_x` ... `torque_z`, its rows in their
 * order in time. Errors have file and line. */
AbutStatus abut_inputs_read(const char *path, const AbutModel *model, AbutInputs *out, AbutError *error);
/* Writes inputs.csv into the folder, whole or not at all. */
AbutStatus abut_inputs_write(const AbutInputs *inputs, const AbutModel *model, const char *folder, AbutError *error);
/* Returns a digest of the rows, to compare tables. */
uint64_t abut_inputs_digest(const AbutInputs *inputs);
void abut_inputs_free(AbutInputs *inputs);

/* A driver of a run (AbutRunPlan; its context is the AbutInputs): sets the inputs of a step. Its first call also
 * clears the inputs of all bodies. */
AbutStatus abut_inputs_drive(void *inputs, const AbutModel *model, AbutState *state, long step, AbutError *error);

#endif

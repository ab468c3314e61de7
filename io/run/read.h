/* The folder of a run (docs/interface.md) read back into plain arrays. */
#ifndef IO_RUN_READ_H
#define IO_RUN_READ_H

#include "abut/io.h"
#include "io/json/tree.h"
#include "io/run/totals.h"

/* A row of steps.csv. */
typedef struct AbutRunStep {
	double time; /* s, of the state after the step; of a step that was not solved: before it */
	AbutOutcome outcome;
	int exact, retried; /* 0 or 1 */
	int halvings, tries, iterations, finish_iterations, active_contacts;
	double kappa, residual, complementarity;
	double max_penetration; /* m */
	AbutRunTotals totals;   /* of that state */
} AbutRunStep;

/* Frame 0 is the initial state, frame k the state after step k. The last step has no frame when it was not solved, so
 * that `n_steps` is `n_frames - 1` or `n_frames`. All is owned by the record; bodies are in the order of the scene. */
typedef struct AbutRunRecord {
	AbutScene *scene;  /* scene.json: as the run had it, overrides applied */
	AbutModel *model;  /* made from it */
	AbutJson *summary; /* summary.json */
	int n_bodies;
	long n_frames, n_steps;
	double *times;         /* (n_frames) s */
	AbutBodyState *bodies; /* (n_frames x n_bodies) */
	AbutRunTotals start;   /* of frame 0 */
	AbutRunStep *steps;    /* (n_steps): step k, from 0, leads to frame k + 1 */
	long *first_contact;   /* (n_frames + 1): contacts of frame k stand from [k] to [k + 1] - 1 */
	AbutContact *contacts; /* (first_contact[n_frames]); `torsional_impulse` is in no file, and 0 */
} AbutRunRecord;

/* Reads scene.json, summary.json, trajectory.csv, contacts.csv and steps.csv of `folder`. On anything but ABUT_OK the
 * record is empty and `error` (may be NULL) has file and line: ABUT_ERROR_IO when a file cannot be read,
 * ABUT_ERROR_PARSE when it is no file of a run, or they are not of one run. */
AbutStatus abut_run_read(const char *folder, AbutRunRecord *out, AbutError *error);
void abut_run_record_free(AbutRunRecord *record);

/* `times` of the state after step `step` (from 0), or -1: the step has none. */
static inline long abut_run_frame_of_step(const AbutRunRecord *record, long step)
{
	return step + 1 < record->n_frames ? step + 1 : -1;
}

#endif

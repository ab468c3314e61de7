/* Reads the folder of a run (docs/interface.md) into plain arrays. */
#pragma once

#include "abut/io.h"
#include "io/json/tree.h"
#include "io/run/totals.h"

/* A row of steps.csv. */
typedef struct AbutRunStep {
	double time; /* s, after the step; before it if the step was not solved */
	AbutOutcome outcome;
	int exact, retried; /* 0 or 1 */
	int halvings, tries, iterations, finish_iterations, active_contacts;
	double kappa, residual, complementarity;
	double max_penetration; /* m */
	AbutRunTotals totals;   /* of the state at `time` */
} AbutRunStep;

/* Frame 0 is the initial state, frame k the state after step k. The last step has no frame if it was not solved, so
 * `n_steps` is `n_frames - 1` or `n_frames`. The record owns all arrays. Bodies have the order of the scene. */
typedef struct AbutRunRecord {
	AbutScene *scene;                 /* from scene.json, with overrides applied */
	AbutModel *model;                 /* made from `scene` */
	AbutJson *summary;                /* from summary.json */
	int n_bodies, n_joints, n_values; /* n_values: of all sensors together */
	long n_frames, n_steps;
	double *times;          /* (n_frames), s */
	AbutBodyState *bodies;  /* (n_frames x n_bodies) */
	AbutRunTotals start;    /* at frame 0 */
	AbutRunStep *steps;     /* (n_steps); step k, counted from 0, leads to frame k + 1 */
	long *first_contact;    /* (n_frames + 1); contacts of frame k have indices [k] to [k + 1] - 1 */
	AbutContact *contacts;  /* (first_contact[n_frames]); `torsional_impulse` is 0, as no file contains it */
	AbutJointState *joints; /* (n_frames x n_joints); NULL without joints.csv; violations are 0, as no file
	                           contains them */
	double *sensors; /* (n_frames x n_values), in the order of abut_sensor_get_all; NULL without sensors.csv */
} AbutRunRecord;

/* Reads scene.json, summary.json, trajectory.csv, contacts.csv and steps.csv of `folder`, and joints.csv and
 * sensors.csv if they exist. On an error, the record is empty and `error` (may be NULL) gives file and line. Returns
 * ABUT_ERROR_IO if a file cannot be read, ABUT_ERROR_PARSE if a file is malformed or the files belong to different
 * runs. */
AbutStatus abut_run_read(const char *folder, AbutRunRecord *out, AbutError *error);
void abut_run_record_free(AbutRunRecord *record);

/* Writes the tables of a run. */
#pragma once

#include <stdio.h>

#include "io/run/run.h"

/* Each function writes the column names, or the rows of one state or step. Errors remain in the FILE (ferror). */
void abut_output_write_trajectory_header(FILE *file);
void abut_output_write_trajectory(FILE *file, const AbutModel *model, const AbutState *state);
void abut_output_write_contacts_header(FILE *file);
void abut_output_write_contacts(FILE *file, const AbutModel *model, const AbutState *state,
                                const AbutWorkspace *workspace);
void abut_output_write_joints_header(FILE *file);
void abut_output_write_joints(FILE *file, const AbutModel *model, const AbutState *state);
void abut_output_write_sensors_header(FILE *file);
void abut_output_write_sensors(FILE *file, const AbutModel *model, const AbutState *state);
/* Writes the rest of a row of joints.csv, from `axis` on: 0 also for a joint without freedoms, whose fields for it are
 * empty. */
void abut_output_write_freedom(FILE *file, const AbutJointState *joint, int axis);
void abut_output_write_steps_header(FILE *file);
void abut_output_write_step(FILE *file, const AbutRunView *view);
void abut_output_write_log_header(FILE *file);
void abut_output_write_log(FILE *file, const AbutRunView *view);

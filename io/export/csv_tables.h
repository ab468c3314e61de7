/* Writes a table of a run as CSV. */
#pragma once

#include <stdio.h>

#include "io/run/read.h"

/* Writes a row for each frame and body. */
AbutStatus abut_export_bodies(const AbutRunRecord *record, FILE *file, AbutError *error);
/* Writes a row for each frame, joint and freedom. Returns ABUT_ERROR_UNSUPPORTED if the run has no table of joints. */
AbutStatus abut_export_joints(const AbutRunRecord *record, FILE *file, AbutError *error);
/* Writes a row for each frame and value of a sensor. Returns ABUT_ERROR_UNSUPPORTED if the run has no such table. */
AbutStatus abut_export_sensors(const AbutRunRecord *record, FILE *file, AbutError *error);

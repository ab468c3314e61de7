/* Writes summary.json of a run. */
#pragma once

#include <stdio.h>

#include "abut/scene.h"
#include "io/run/run.h"

/* The data for summary.json. */
typedef struct AbutRunReport {
	const AbutSceneDef *def;
	const AbutModel *model;
	const AbutState *state; /* last state of the run */
	const AbutRunSummary *summary;
	unsigned long long seed;
	int n_warnings;
	const AbutError *warnings; /* (n_warnings) of abut_scene_review */
} AbutRunReport;

/* Writes a warning as a JSON string: the path in the scene and the message. */
void abut_output_write_warning(FILE *file, const AbutError *warning);

/* Writes the JSON object of summary.json and a line feed. */
void abut_output_write_summary(FILE *file, const AbutRunReport *report);

/* Continues an unfinished or finished run for `abut run --resume DIR`. */
#pragma once

#include "cli/common/open.h"
#include "io/run/folder.h"

/* The options of `abut run` that may go with --resume. */
typedef struct AbutRunCall {
	const char *resume; /* folder of the run; NULL: a new run */
	const char *log;
	double until;      /* s, the new end; 0: the old one */
	const char *scene; /* with --resume: compared with that of the run, unless NULL */
	AbutSceneChanges changes;
	bool quiet;
} AbutRunCall;

/* What abut_resume_read has read. All members must be freed, also after a failure. */
typedef struct AbutResumed {
	AbutRunSettings settings;
	AbutScene *scene;
	AbutModel *model;
} AbutResumed;

/* Reads the settings and the scene of the run. Returns ABUT_EXIT_DONE, or another exit status after a message. */
int abut_resume_read(const AbutRunCall *call, AbutResumed *out);
/* Restores the last snapshot; `*complete`: no steps are left. Returns the exit status, as above. */
int abut_resume_begin(const AbutRunCall *call, const AbutResumed *resumed, AbutState *state, AbutRunFolder *folder,
                      bool *complete);
/* Prints a line for a run with no steps left, or its summary as JSON. Returns the exit status, as above. */
int abut_resume_print_complete(const AbutRunCall *call, const AbutState *state, bool json);

/* `abut run --resume DIR`: continues an unfinished or finished run. */
#ifndef CLI_RUN_RESUME_H
#define CLI_RUN_RESUME_H

#include "cli/common/open.h"
#include "io/run/folder.h"

typedef struct AbutResumeCall {
	const char *folder, *log;
	double until;                    /* s, the new end; 0: the old one */
	const char *scene;               /* to compare with that of the run; NULL: none */
	const AbutSceneChanges *changes; /* to `scene` */
	bool quiet;
} AbutResumeCall;

/* The run, to be freed in any case. */
typedef struct AbutResumed {
	AbutRunSettings settings;
	AbutScene *scene;
	AbutModel *model;
} AbutResumed;

/* Reads the settings and the scene of the run. Returns ABUT_EXIT_DONE, or another exit status after a message. */
int abut_resume_read(const AbutResumeCall *call, AbutResumed *out);
/* Restores the last snapshot; `*complete`: no steps are left. Returns the exit status, as above. */
int abut_resume_begin(const AbutResumeCall *call, const AbutResumed *resumed, AbutState *state, AbutRunFolder *folder,
                      bool *complete);
/* Prints a line for a run with no steps left, or its summary as JSON. Returns the exit status, as above. */
int abut_resume_print_complete(const AbutResumeCall *call, const AbutState *state, bool json);

#endif

/* `abut run --resume DIR`: a run that was killed, or that ended, goes on. */
#ifndef CLI_RUN_RESUME_H
#define CLI_RUN_RESUME_H

#include "cli/changes.h"
#include "io/run_folder.h"

typedef struct AbutResumeCall {
	const char *folder, *until, *log;
	const char *scene;               /* NULL: the run's own */
	const AbutSceneChanges *changes; /* of `scene` */
	bool quiet;
} AbutResumeCall;

/* What goes on: to be freed in any case. */
typedef struct AbutResumed {
	AbutRunSettings settings;
	AbutScene *scene;
	AbutModel *model;
	AbutState *state;
	AbutRunFolder folder;
	bool complete; /* there is nothing left to do, which was said */
} AbutResumed;

/* ABUT_EXIT_DONE, or another exit status after a line on stderr. */
int abut_resume_open(const AbutResumeCall *call, AbutResumed *out);

#endif

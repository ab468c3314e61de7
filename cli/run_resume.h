/* `abut run --resume DIR`: a run that was killed, or that ended, goes on. */
#ifndef CLI_RUN_RESUME_H
#define CLI_RUN_RESUME_H

#include "cli/changes.h"
#include "io/run/folder.h"

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
} AbutResumed;

/* Reads what the run was called with. ABUT_EXIT_DONE, or another exit status after a line on stderr. */
int abut_resume_read(const AbutResumeCall *call, AbutResumed *out);
/* Takes the run from its last snapshot; `*complete`: there is nothing left to do. As above. */
int abut_resume_begin(const AbutResumeCall *call, const AbutResumed *resumed, AbutState *state, AbutRunFolder *folder,
                      bool *complete);
/* What a run that is complete prints: a line, or its summary as JSON. As above. */
int abut_resume_print_complete(const AbutResumeCall *call, const AbutState *state, bool json);

#endif

/* Manages the folder of a run in progress: its tables, settings, inputs and snapshots. */
#pragma once

#include "io/run/inputs.h"
#include "io/run/output.h"
#include "io/run/point.h"
#include "io/run/save.h"
#include "io/run/settings.h"

/* All members are zero for a run without a folder. */
typedef struct AbutRunFolder {
	AbutOutput *output;
	AbutSaver *saver;
	AbutInputs inputs;
	bool driven;  /* inputs come from a table, not from the scene */
	bool goes_on; /* the run continues from `point` */
	AbutRunPoint point;
	char replaced[ABUT_RUN_TEXT_SIZE]; /* describes the run that a new one replaces; empty: none */
	int lock;                          /* 1 + file descriptor of the lock; 0: no lock */
} AbutRunFolder;

typedef struct AbutRunFolderOptions {
	const char *folder; /* NULL: no folder, only the log is written */
	const char *log;    /* path of the iteration log; NULL: no log */
	const char *inputs; /* path of a table that replaces the scene's inputs; NULL: no table */
	long save_every;    /* steps between snapshots; 0: only the last state is saved */
	unsigned long long seed;
} AbutRunFolderOptions;

/* Begins a run of the scene from its initial state, `state`. `scene` must outlive the run. Fails like abut_output_open
 * and abut_inputs_read, and with ABUT_ERROR_ARGUMENT if another process is using the folder. */
AbutStatus abut_run_folder_begin(const AbutRunFolderOptions *options, const AbutScene *scene, const AbutModel *model,
                                 const AbutState *state, AbutRunFolder *out, AbutError *error);
/* Resumes the run in `options->folder`. `settings`, `scene` and `model` must come from this folder; the inputs are read
 * from it. Sets `state` to the last snapshot, or leaves it at the initial state if there is no snapshot. Returns
 * ABUT_ERROR_ARGUMENT if inputs, model or tables do not belong to the run; `error` says which. */
AbutStatus abut_run_folder_resume(const AbutRunFolderOptions *options, const AbutRunSettings *settings,
                                  const AbutScene *scene, const AbutModel *model, AbutState *state, AbutRunFolder *out,
                                  AbutError *error);
/* Returns whether the run was already complete at `steps` steps, with its summary written. */
bool abut_run_folder_complete(const AbutRunFolder *run, const char *folder, long steps);

/* Saves the last state and the summary of the run, from its `report`. */
AbutStatus abut_run_folder_end(AbutRunFolder *run, const AbutRunReport *report, AbutError *error);
void abut_run_folder_close(AbutRunFolder *run);

/* The folder of a run while it runs: its tables, its settings, its inputs and its snapshots, begun or gone on with. */
#ifndef IO_RUN_FOLDER_H
#define IO_RUN_FOLDER_H

#include "io/run/inputs.h"
#include "io/run/output.h"
#include "io/run/point.h"
#include "io/run/save.h"
#include "io/run/settings.h"

/* All of it may be zero: a run without a folder. */
typedef struct AbutRunFolder {
	AbutOutput *output;
	AbutSaver *saver;
	AbutInputs inputs;
	bool driven;  /* the inputs are the table's, and not the scene's */
	bool goes_on; /* from `point` */
	AbutRunPoint point;
	int lock; /* 1 + a descriptor; 0: none */
} AbutRunFolder;

typedef struct AbutRunFolderOptions {
	const char *folder; /* NULL: none, then `log` alone counts */
	const char *log;    /* NULL: none */
	const char *inputs; /* a table that takes the place of the scene's inputs; NULL: none */
	long save_every;    /* steps between snapshots; 0: of the last state alone */
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

#endif

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

/* Begins a run of the scene from `state`, its initial one. `scene` must outlive it. Statuses as of abut_output_open and
 * abut_inputs_read; ABUT_ERROR_ARGUMENT also where another process runs in the folder. */
AbutStatus abut_run_folder_begin(const AbutRunFolderOptions *options, const AbutScene *scene, const AbutModel *model,
                                 const AbutState *state, AbutRunFolder *out, AbutError *error);
/* Goes on with the run of `options->folder`, whose settings were read and made into scene and model (its inputs are
 * those of the folder): `state` becomes that of its last snapshot, or stays the initial one where there is none.
 * ABUT_ERROR_ARGUMENT: the inputs, the model or the tables are not those of the run, by name. */
AbutStatus abut_run_folder_resume(const AbutRunFolderOptions *options, const AbutRunSettings *settings,
                                  const AbutScene *scene, const AbutModel *model, AbutState *state, AbutRunFolder *out,
                                  AbutError *error);
/* Whether the run had ended after `steps` steps, and was summed up. */
bool abut_run_folder_complete(const AbutRunFolder *run, const char *folder, long steps);

/* Saves the last state, and the summary. `report` is that of the run. */
AbutStatus abut_run_folder_end(AbutRunFolder *run, const AbutRunReport *report, AbutError *error);
void abut_run_folder_close(AbutRunFolder *run);

#endif

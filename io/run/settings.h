/* The settings of a run, as run.json of its folder stores them: all that is needed to repeat its steps. */
#ifndef IO_RUN_SETTINGS_H
#define IO_RUN_SETTINGS_H

#include <stdint.h>

#include "abut/io.h"
#include "io/json/tree.h"

typedef struct AbutRunSettings {
	unsigned long long seed;
	long save_every;        /* steps between snapshots; 0: only the last state's */
	uint64_t inputs;        /* abut_inputs_digest */
	const char *file;       /* of the scene: meshes lie beside it */
	const char *scene;      /* its text */
	int n_overrides;        /* --method among them */
	const char **overrides; /* (n_overrides) */
	char *path;             /* owned: `file` from the root; NULL of settings that were read */
	AbutJson *root;         /* owned, as is the array: strings lie in it; NULL of settings that were not read */
} AbutRunSettings;

/* Makes the settings of a run of `scene`, which must outlive them. ABUT_ERROR_MEMORY. */
AbutStatus abut_run_settings_of(const AbutScene *scene, unsigned long long seed, long save_every, uint64_t inputs,
                                AbutRunSettings *out, AbutError *error);
/* Writes run.json into the folder, whole or not at all. */
AbutStatus abut_run_settings_write(const AbutRunSettings *settings, const char *folder, AbutError *error);
/* Reads run.json; errors have file, line and path. */
AbutStatus abut_run_settings_read(const char *folder, AbutRunSettings *out, AbutError *error);
void abut_run_settings_free(AbutRunSettings *settings);

/* Makes the scene again. `duration` ("duration=T"; NULL: as it was) replaces all overrides of the duration. */
AbutStatus abut_run_settings_scene(const AbutRunSettings *settings, const char *duration, AbutScene **out,
                                   AbutError *error);

#endif

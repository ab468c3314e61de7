/* Settings of a run as stored in run.json of its folder: all that is needed to repeat its steps. */
#pragma once

#include <stdint.h>

#include "abut/io.h"
#include "io/json/tree.h"

typedef struct AbutRunSettings {
	unsigned long long seed;
	long save_every;        /* steps between snapshots; 0: only the last state is saved */
	uint64_t inputs;        /* result of abut_inputs_digest */
	const char *file;       /* path of the scene; mesh paths are relative to its folder */
	const char *scene;      /* text of the scene */
	int n_overrides;        /* --method is one of them */
	const char **overrides; /* (n_overrides) */
	char *path;             /* owned: absolute path for `file`; NULL for a pipe and after reading run.json */
	AbutJson *root;         /* owned, holds the strings read from run.json; otherwise NULL */
} AbutRunSettings;

/* Makes the settings of a run of `scene`, which must outlive them. May fail with ABUT_ERROR_MEMORY. */
AbutStatus abut_run_settings_of(const AbutScene *scene, unsigned long long seed, long save_every, uint64_t inputs,
                                AbutRunSettings *out, AbutError *error);
/* Writes run.json into the folder. The file is complete or not written at all. */
AbutStatus abut_run_settings_write(const AbutRunSettings *settings, const char *folder, AbutError *error);
/* Reads run.json. Errors give file, line and path. */
AbutStatus abut_run_settings_read(const char *folder, AbutRunSettings *out, AbutError *error);
void abut_run_settings_free(AbutRunSettings *settings);

/* Loads the scene again from the settings. If `duration` ("duration=T") is not NULL, it replaces all overrides of the
 * duration. */
AbutStatus abut_run_settings_scene(const AbutRunSettings *settings, const char *duration, AbutScene **out,
                                   AbutError *error);

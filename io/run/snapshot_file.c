/* Writes and reads snapshot files; a file has a temporary name until its bytes are on disk. */
#include "io/run/snapshot_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"

static AbutStatus write_bytes(const char *folder, const char *name, const void *bytes, size_t size, AbutError *error)
{
	AbutTarget target = {NULL};
	AbutStatus status = abut_target_open(&target, folder, name, error);
	if (status == ABUT_OK) {
		fwrite(bytes, 1, size, target.file);
	}
	return abut_target_end_synced(&target, status, error);
}

AbutStatus abut_snapshot_write(const AbutModel *model, const AbutState *state, const char *path, AbutError *error)
{
	return abut_snapshot_write_in(NULL, path, model, state, error);
}

AbutStatus abut_snapshot_write_in(const char *folder, const char *name, const AbutModel *model, const AbutState *state,
                                  AbutError *error)
{
	const size_t size = abut_snapshot_size(model, state);
	if (size == 0 || !name) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "model, state and path must not be NULL, and the state must be the model's");
	}
	void *const bytes = malloc(size);
	if (!bytes) {
		return abut_fail_memory(error, "the snapshot");
	}
	AbutStatus status = abut_snapshot_save(model, state, size, bytes, error);
	ABUT_THEN(status, write_bytes(folder, name, bytes, size, error));
	free(bytes);
	return status;
}

AbutStatus abut_snapshot_read(const AbutModel *model, AbutState *state, const char *path, AbutError *error)
{
	char *bytes = NULL;
	size_t size = 0;
	if (!model || !state || !path) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model, state and path must not be NULL");
	}
	AbutStatus status = abut_file_read(path, "snapshot", SIZE_MAX / 4, &bytes, &size, error);
	if (status == ABUT_OK) {
		status = abut_snapshot_restore(model, state, size, bytes, error);
		if (status != ABUT_OK && error) {
			snprintf(error->file, sizeof error->file, "%s", path);
		}
	}
	free(bytes);
	return status;
}

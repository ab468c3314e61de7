/* Snapshots: a state as bytes, in memory or in a file, from which a program can resume bit for bit.
 *
 *     abut_snapshot_size -> abut_snapshot_save -> (memory, a file, another process) -> abut_snapshot_restore
 *
 * The bytes hold everything that the next step depends on (abut_state_snapshot: motion, inputs, warm start, number of
 * steps), a description of the model (so that another model is refused with the name of the difference), the version of
 * their layout, the byte order and a checksum. docs/snapshots.md describes the layout. A snapshot file contains exactly
 * these bytes.
 *
 * A restored state continues bit for bit with the same library on the same kind of machine. To resume in a different
 * model (with another kappa, say), restore the numbers of abut_state_snapshot, which check less. */
#ifndef ABUT_SNAPSHOT_H
#define ABUT_SNAPSHOT_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the layout of the bytes. */
#define ABUT_SNAPSHOT_FORMAT 1

/* The description that a snapshot contains. */
typedef struct AbutSnapshotInfo {
	int format;       /* ABUT_SNAPSHOT_FORMAT */
	char version[32]; /* of the library that made the snapshot */
	size_t size;      /* bytes */
	long steps;       /* steps taken */
	double time;      /* s */
	int n_bodies;     /* static bodies included */
	int n_contacts;   /* contacts from which the next step may start */
} AbutSnapshotInfo;

/* Returns the size of the state's snapshot in bytes, which grows with its contacts. Returns 0 if the state does not
 * belong to the model. */
ABUT_API size_t abut_snapshot_size(const AbutModel *model, const AbutState *state);
/* Writes the snapshot to `out`, a buffer of `size` >= abut_snapshot_size bytes that is aligned for a double, like
 * memory of malloc. The rest of the buffer is unchanged. Allocates nothing. Returns ABUT_ERROR_ARGUMENT if the buffer
 * is too small, and ABUT_ERROR_NUMERICAL if a number of the state is not finite (`error`, may be NULL, names its
 * place). */
ABUT_API AbutStatus abut_snapshot_save(const AbutModel *model, const AbutState *state, size_t size, void *out,
                                       AbutError *error);
/* Restores the state from the `size` bytes `in`, which must be aligned like `out` of abut_snapshot_save. The model must
 * be the one of the snapshot, or made of a definition that differs only in its name, initial motion and inputs. Unless
 * the status is ABUT_OK, the state is unchanged.
 *
 * Returns ABUT_ERROR_PARSE for other or damaged bytes, ABUT_ERROR_UNSUPPORTED for another format or byte order,
 * ABUT_ERROR_ARGUMENT for another model (`error` names the difference with both values), and ABUT_ERROR_MEMORY if the
 * state cannot grow to as many contacts. */
ABUT_API AbutStatus abut_snapshot_restore(const AbutModel *model, AbutState *state, size_t size, const void *in,
                                          AbutError *error);
/* Reads the description of the snapshot of `size` bytes `in` to `out`, without a model. Returns the statuses of
 * abut_snapshot_restore. */
ABUT_API AbutStatus abut_snapshot_info(size_t size, const void *in, AbutSnapshotInfo *out, AbutError *error);

/* Saves the state as the file `path`. The file replaces an earlier one only when it is completely on the disk. Returns
 * ABUT_ERROR_IO if writing fails, and ABUT_ERROR_ARGUMENT if the folder does not exist. */
ABUT_API AbutStatus abut_snapshot_write(const AbutModel *model, const AbutState *state, const char *path,
                                        AbutError *error);
/* Restores the state from the file `path`, which errors name. Returns ABUT_ERROR_IO if it cannot be read, and the
 * statuses of abut_snapshot_restore. */
ABUT_API AbutStatus abut_snapshot_read(const AbutModel *model, AbutState *state, const char *path, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

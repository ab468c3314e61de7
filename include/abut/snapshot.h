/* A state as bytes that a program keeps and goes on from, bit for bit: in memory, or in a file.
 *
 *     abut_snapshot_size -> abut_snapshot_save -> (memory, a file, another process) -> abut_snapshot_restore
 *
 * The bytes hold all that the next step depends on (abut_state_snapshot: motion, inputs, warm start, steps taken), what
 * the model is (so that those of another are refused by the name of what differs), the version of their layout, the
 * byte order and a checksum. The layout stands in docs/snapshots.md. A file of them is those bytes and no more.
 *
 * A restored state continues bit for bit with the same library on the same kind of machine. To go on in a model that
 * differs (another kappa, say), restore the numbers of abut_state_snapshot instead: these look at less. */
#ifndef ABUT_SNAPSHOT_H
#define ABUT_SNAPSHOT_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the layout of the bytes. */
#define ABUT_SNAPSHOT_FORMAT 1

/* What bytes say of themselves. */
typedef struct AbutSnapshotInfo {
	int format;       /* ABUT_SNAPSHOT_FORMAT */
	char version[32]; /* of the library that made them */
	size_t size;      /* bytes */
	long steps;       /* taken */
	double time;      /* s */
	int n_bodies;     /* static ones too */
	int n_contacts;   /* that the next step may start from */
} AbutSnapshotInfo;

/* How many bytes the state takes now: more with more contacts. 0 when the state is not the model's. */
ABUT_API size_t abut_snapshot_size(const AbutModel *model, const AbutState *state);
/* The state into `out`, which has room for `size` >= abut_snapshot_size bytes and is aligned for a double, as malloc's
 * memory is; the rest of it is left alone. Allocates nothing. ABUT_ERROR_ARGUMENT: too little room;
 * ABUT_ERROR_NUMERICAL: a number of the state is not finite (`error`, may be NULL, names its place). */
ABUT_API AbutStatus abut_snapshot_save(const AbutModel *model, const AbutState *state, size_t size, void *out,
                                       AbutError *error);
/* And back, from the `size` bytes `in`, aligned like `out`. The model must be the one that they were made with, or one
 * made of the same definition: its name and its initial motion and inputs may differ, and nothing else. On anything but
 * ABUT_OK the state is as it was: ABUT_ERROR_PARSE when these are no such bytes, or damaged; ABUT_ERROR_UNSUPPORTED:
 * another format or byte order; ABUT_ERROR_ARGUMENT: another model, `error` names what differs and both values;
 * ABUT_ERROR_MEMORY: the state cannot grow to as many contacts. */
ABUT_API AbutStatus abut_snapshot_restore(const AbutModel *model, AbutState *state, size_t size, const void *in,
                                          AbutError *error);
/* `out`: what the `size` bytes `in` say of themselves, without a model. Statuses as of restore. */
ABUT_API AbutStatus abut_snapshot_info(size_t size, const void *in, AbutSnapshotInfo *out, AbutError *error);

/* Saves the state as the file `path`: it has that name when all of it is on the disk, and until then what stood there
 * before stays. ABUT_ERROR_IO: the machine fails; ABUT_ERROR_ARGUMENT: there is no such place. */
ABUT_API AbutStatus abut_snapshot_write(const AbutModel *model, const AbutState *state, const char *path,
                                        AbutError *error);
/* Restores it from the file `path`; the error's file is the path. ABUT_ERROR_IO: it cannot be read. */
ABUT_API AbutStatus abut_snapshot_read(const AbutModel *model, AbutState *state, const char *path, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

/* Writes a state as bytes and restores it (include/abut/snapshot.h). The bytes are a head, a description of the model
 * (dynamics/model/fingerprint.h), and the numbers of abut_state_snapshot. docs/snapshots.md describes the layout. */
#include "abut/snapshot.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "abut/version.h"
#include "base/error.h"
#include "base/hash.h"
#include "dynamics/model/fingerprint.h"
#include "dynamics/state/snapshot.h"
#include "dynamics/state/state.h"

/* The head. Its size is a multiple of 8 bytes, so that the numbers after it are aligned. */
typedef struct Head {
	char magic[8];
	uint32_t order, format;
	uint64_t size;     /* bytes of the snapshot, with the head */
	uint64_t checksum; /* of all other bytes */
	char version[32];
	uint64_t n_words, n_numbers;
} Head;

_Static_assert(sizeof(Head) == 80, "the head of a snapshot has no padding");

static const char magic[8] = {'A', 'B', 'U', 'T', 'S', 'N', 'A', 'P'};
static const uint32_t order = 0x01020304u, other_order = 0x04030201u;

/* Computes the checksum. Changing any one byte changes it, since each step of the hash is one to one. */
static uint64_t checksum_of(const unsigned char *bytes, size_t size)
{
	const size_t at = offsetof(Head, checksum), after = at + sizeof(uint64_t);
	return abut_hash_bytes(abut_hash_bytes(ABUT_HASH_START, bytes, at), bytes + after, size - after);
}

static bool is_aligned(const void *bytes)
{
	return (uintptr_t)bytes % _Alignof(double) == 0;
}

/* --- writing --- */

size_t abut_snapshot_size(const AbutModel *model, const AbutState *state)
{
	const size_t numbers = abut_state_snapshot_size(model, state);
	return numbers == 0 ? 0 : sizeof(Head) + 8 * (abut_fingerprint_size(model) + numbers);
}

AbutStatus abut_snapshot_save(const AbutModel *model, const AbutState *state, size_t size, void *out, AbutError *error)
{
	const size_t needed = abut_snapshot_size(model, state);
	if (needed == 0 || !out || !is_aligned(out)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, NULL,
		    "model, state and memory must not be NULL, the state must be the model's, and the "
		    "memory aligned for a double");
	}
	if (size < needed) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "there is room for %zu bytes; the snapshot takes %zu (abut_snapshot_size)", size,
		                      needed);
	}
	Head head = {.order = order,
	             .format = ABUT_SNAPSHOT_FORMAT,
	             .size = needed,
	             .n_words = abut_fingerprint_size(model),
	             .n_numbers = abut_state_snapshot_size(model, state)};
	memcpy(head.magic, magic, sizeof magic);
	strncpy(head.version, abut_version(), sizeof head.version - 1);
	unsigned char *const bytes = out;
	uint64_t *const words = (uint64_t *)(void *)(bytes + sizeof head);
	double *const numbers = (double *)(void *)(words + head.n_words);
	for (size_t i = 0; i < head.n_words; i++) {
		words[i] = abut_fingerprint_word(model, i);
	}
	const AbutStatus status = abut_state_snapshot(model, state, numbers);
	for (size_t i = 0; status == ABUT_OK && i < head.n_numbers; i++) {
		if (!isfinite(numbers[i])) {
			return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL,
			                      "number %zu of the state is %g; a snapshot holds finite ones", i,
			                      numbers[i]);
		}
	}
	memcpy(bytes, &head, sizeof head);
	head.checksum = checksum_of(bytes, needed);
	memcpy(bytes, &head, sizeof head);
	return status;
}

/* --- restoring --- */

static AbutStatus refuse(AbutError *error, const char *message)
{
	return abut_error_set(error, ABUT_ERROR_PARSE, NULL, "%s", message);
}

/* Reads the head of a complete snapshot. */
static AbutStatus read_head(size_t size, const unsigned char *in, Head *head, AbutError *error)
{
	if (!in || !is_aligned(in)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "the bytes must not be NULL, and aligned for a double");
	}
	if (size < sizeof magic || memcmp(in, magic, sizeof magic) != 0) {
		return refuse(error, "these bytes are no snapshot: they must begin with ABUTSNAP");
	}
	if (size < sizeof *head) {
		return refuse(error, "the snapshot ends within its head");
	}
	memcpy(head, in, sizeof *head);
	if (head->order == other_order) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the snapshot was made on a machine of the other byte order");
	}
	if (head->order == order && head->format != ABUT_SNAPSHOT_FORMAT) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
		                      "the snapshot's format is %u; this version reads %d", head->format,
		                      ABUT_SNAPSHOT_FORMAT);
	}
	if (head->size != size) {
		return abut_error_set(
		    error, ABUT_ERROR_PARSE, NULL,
		    "the snapshot says that it has %llu bytes, and there are %zu: it was cut short or "
		    "added to",
		    (unsigned long long)head->size, size);
	}
	if (head->order != order || head->checksum != checksum_of(in, size)) {
		return refuse(error, "the snapshot's checksum is wrong: it was damaged");
	}
	const uint64_t all = (size - sizeof *head) / 8;
	if (head->n_words > all || head->n_numbers != all - head->n_words ||
	    head->n_words <= ABUT_FINGERPRINT_TIMESTEP || head->n_numbers < ABUT_SNAPSHOT_HEAD ||
	    head->version[sizeof head->version - 1] != '\0') {
		return refuse(error, "the snapshot's head does not fit its size");
	}
	return ABUT_OK;
}

static const uint64_t *words_of(const unsigned char *in)
{
	return (const uint64_t *)(const void *)(in + sizeof(Head));
}

AbutStatus abut_snapshot_restore(const AbutModel *model, AbutState *state, size_t size, const void *in,
                                 AbutError *error)
{
	Head head = {.size = 0};
	if (!model || !state || state->model != model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "model and state must not be NULL, and the state must be the model's");
	}
	ABUT_TRY(read_head(size, in, &head, error));
	ABUT_TRY(abut_fingerprint_compare(model, head.n_words, words_of(in), error));
	const double *numbers = (const double *)(const void *)(words_of(in) + head.n_words);
	return abut_state_restore(model, state, head.n_numbers, numbers, error);
}

AbutStatus abut_snapshot_info(size_t size, const void *in, AbutSnapshotInfo *out, AbutError *error)
{
	Head head = {.size = 0};
	if (!out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "out must not be NULL");
	}
	ABUT_TRY(read_head(size, in, &head, error));
	const double *numbers = (const double *)(const void *)(words_of(in) + head.n_words);
	double timestep = 0.0;
	memcpy(&timestep, &words_of(in)[ABUT_FINGERPRINT_TIMESTEP], sizeof timestep);
	const double counts[3] = {numbers[ABUT_SNAPSHOT_BODIES], numbers[ABUT_SNAPSHOT_CONTACTS],
	                          numbers[ABUT_SNAPSHOT_STEPS]};
	for (int i = 0; i < 3; i++) {
		if (!(counts[i] >= 0.0 && counts[i] <= (i < 2 ? (double)INT_MAX : 0x1p53))) {
			return refuse(error, "the snapshot's counts are none");
		}
	}
	*out = (AbutSnapshotInfo){.format = (int)head.format,
	                          .size = size,
	                          .steps = (long)counts[2],
	                          .time = counts[2] * timestep,
	                          .n_bodies = (int)counts[0],
	                          .n_contacts = (int)counts[1]};
	memcpy(out->version, head.version, sizeof out->version);
	return ABUT_OK;
}

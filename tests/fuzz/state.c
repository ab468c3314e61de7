/* Fuzzes states: the numbers of a state (abut_state_restore) and the bytes of a snapshot (abut_snapshot_restore). The
 * input is a list of changes to those of a good state, so that most of them stay in order. */
#include <string.h>

#include "abut/snapshot.h"
#include "base/hash.h"
#include "fuzz.h"

enum { METHODS = ABUT_METHOD_COUNT, WARM_STEPS = 5, STEPS = 2, CHECKSUM = 24 };

/* Returns a world of each method, some steps after its start. The memory is kept until the process ends. */
static FuzzWorld *world_of(unsigned method)
{
	static FuzzWorld worlds[METHODS];
	FuzzWorld *const world = &worlds[method % METHODS];
	if (!world->model) {
		AbutScene *scene = NULL;
		char override[64];
		const char *const overrides[] = {override};
		snprintf(override, sizeof override, "solver.method=%s", abut_method_name(method % METHODS));
		FUZZ_CHECK(abut_scene_parse(fuzz_scene_text, strlen(fuzz_scene_text), "scene.json", 1, overrides,
		                            &scene, NULL) == ABUT_OK);
		FUZZ_CHECK(fuzz_world_make(world, abut_scene_def(scene)));
		fuzz_world_step(world, WARM_STEPS);
		abut_scene_destroy(scene);
	}
	return world;
}

/* Takes steps from `state` and leaves the world as it was. */
static void step_from(const FuzzWorld *world, AbutState *state)
{
	fuzz_world_step(&(FuzzWorld){world->model, state, world->workspace}, STEPS);
}

/* The input: one byte for the method and one for the number of values to drop at the end; then 9 bytes a change: the
 * index, modulo the number of values, and the new value. */
void fuzz_state(const uint8_t *data, size_t size)
{
	const FuzzWorld *const world = world_of(size > 0 ? data[0] : 0);
	const size_t n = abut_state_snapshot_size(world->model, world->state), cut = size > 1 ? data[1] % 4u : 0;
	double *const numbers = calloc(n, sizeof *numbers);
	AbutState *state = NULL;
	AbutError error = {0};
	FUZZ_CHECK(numbers && abut_state_snapshot(world->model, world->state, numbers) == ABUT_OK);
	for (size_t at = 2; at + 9 <= size; at += 9) {
		memcpy(&numbers[data[at] % n], data + at + 1, sizeof *numbers);
	}
	FUZZ_CHECK(abut_state_create(world->model, &state, &error) == ABUT_OK);
	if (fuzz_result(abut_state_restore(world->model, state, n - cut, numbers, &error), &error)) {
		step_from(world, state);
	}
	if (fuzz_result(abut_state_restore_motion(world->model, state, n - cut, numbers, &error), &error)) {
		step_from(world, state);
	}
	abut_state_destroy(state);
	free(numbers);
}

/* Stores the checksum of the snapshot's bytes in its head (dynamics/state/snapshot_bytes.c). */
static void mend_checksum(unsigned char *bytes, size_t size)
{
	const size_t after = CHECKSUM + sizeof(uint64_t);
	if (size >= after) {
		const uint64_t hash =
		    abut_hash_bytes(abut_hash_bytes(ABUT_HASH_START, bytes, CHECKSUM), bytes + after, size - after);
		memcpy(bytes + CHECKSUM, &hash, sizeof hash);
	}
}

/* The input: one byte for the method, one that chooses whether the checksum is mended and how much is cut off; then 3
 * bytes a change: the index, and the new byte. */
void fuzz_snapshot(const uint8_t *data, size_t size)
{
	const FuzzWorld *const world = world_of(size > 0 ? data[0] : 0);
	const size_t whole = abut_snapshot_size(world->model, world->state), mode = size > 1 ? data[1] : 0;
	const size_t length = mode >= 240 ? whole * (mode - 240) / 16 : whole;
	unsigned char *const bytes = calloc(1, whole);
	AbutState *state = NULL;
	AbutSnapshotInfo info;
	AbutError error = {0};
	FUZZ_CHECK(bytes && abut_snapshot_save(world->model, world->state, whole, bytes, &error) == ABUT_OK);
	for (size_t at = 2; at + 3 <= size; at += 3) {
		bytes[(data[at] + 256u * data[at + 1]) % whole] = data[at + 2];
	}
	if (mode % 8 != 7) {
		mend_checksum(bytes, length);
	}
	fuzz_result(abut_snapshot_info(length, bytes, &info, &error), &error);
	FUZZ_CHECK(abut_state_create(world->model, &state, &error) == ABUT_OK);
	if (fuzz_result(abut_snapshot_restore(world->model, state, length, bytes, &error), &error)) {
		step_from(world, state);
	}
	abut_state_destroy(state);
	free(bytes);
}

/* Shared parts of the fuzz harnesses (docs/fuzzing.md). A harness is a function of some bytes. It calls one parser,
 * uses what the parser made, and checks the result. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "abut/io.h"

/* X(name): the harnesses. Each is the function fuzz_NAME. */
#define FUZZ_LIST(X)                                                                                                   \
	X(scene)                                                                                                       \
	X(overrides)                                                                                                   \
	X(urdf)                                                                                                        \
	X(mjcf)                                                                                                        \
	X(mesh_arrays)                                                                                                 \
	X(mesh_file)                                                                                                   \
	X(cache)                                                                                                       \
	X(dump)                                                                                                        \
	X(snapshot)                                                                                                    \
	X(state)                                                                                                       \
	X(inputs)                                                                                                      \
	X(sweep_spec)                                                                                                  \
	X(sweep_folder)                                                                                                \
	X(run_folder)                                                                                                  \
	X(resume)

#define FUZZ_X(name) void fuzz_##name(const uint8_t *data, size_t size);
FUZZ_LIST(FUZZ_X)
#undef FUZZ_X

/* Ends the process with a message unless the condition holds. */
#define FUZZ_CHECK(condition)                                                                                          \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                  \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

/* Checks a call: an error must have the status of the call and a message of one line. Returns whether it succeeded. */
bool fuzz_result(AbutStatus status, const AbutError *error);

/* --- files, in a temporary folder of this process --- */

/* Returns the path of the file `name` in the folder; static storage, valid until eight more calls. */
const char *fuzz_path(const char *name);
/* Writes a file of the folder, and returns its path like fuzz_path. */
const char *fuzz_write(const char *name, const void *data, size_t size);
/* Writes the `n` files `names` of the folder from an input of several files: a line "=== NAME" starts each file. Files
 * that the input lacks are removed. */
void fuzz_write_several(const uint8_t *data, size_t size, int n, const char *const *names);

/* --- worlds --- */

/* A model with a state and a workspace. */
typedef struct FuzzWorld {
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} FuzzWorld;

/* Makes a world. Returns whether the definition is accepted; if not, there is nothing to free. */
bool fuzz_world_make(FuzzWorld *world, const AbutSceneDef *def);
/* Checks a step: state, contacts and info of a solved step hold no NaN, quaternions have unit length, and a failed step
 * has an explanation. */
void fuzz_world_check(const FuzzWorld *world, const AbutStepInfo *info);
/* Takes steps, until one fails, and checks each. */
void fuzz_world_step(const FuzzWorld *world, int steps);
void fuzz_world_free(FuzzWorld *world);
/* Makes a model from a scene's text, which must be valid. */
AbutModel *fuzz_model(const char *text);
/* Returns a small scene of a box, a ball and a floor: the model of harnesses that need one. */
extern const char fuzz_scene_text[];

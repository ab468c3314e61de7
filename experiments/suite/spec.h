/* Reads the settings of an experiment. They are a JSON object in a file, read like a scene (io/json/node.h): unknown
 * keys are errors, and every error has its line and column. */
#pragma once

#include "io/json/read.h"
#include "io/json/scene_keys.h"
#include "io/json/source.h"

/* Makes a set of keys, none of them deprecated; `what` names the object. */
#define ABUT_SPEC_KEYS(what, ...)                                                                                      \
	{                                                                                                              \
		what, (const char *const[])                                                                            \
		{                                                                                                      \
			__VA_ARGS__, NULL                                                                              \
		}                                                                                                      \
	}

typedef struct AbutSpec {
	AbutSource source;
	AbutJson *tree;
	AbutReader reader;
	AbutNode root; /* points into `reader`: do not move an open spec */
} AbutSpec;

/* Reads the file and checks its keys. The value of "experiment", if present, must be the name of the key set. Close the
 * spec after a failure, too. */
AbutStatus abut_spec_open(AbutSpec *spec, const char *path, const AbutKeySet *keys, AbutError *error);
void abut_spec_close(AbutSpec *spec);
/* Opens the spec of an experiment, reads its settings with `read`, and closes it. */
AbutStatus abut_spec_read(const char *path, const AbutKeySet *keys, void (*read)(const AbutNode *root, void *out),
                          void *out, AbutError *error);
/* Converts the status of reading an input: ABUT_ERROR_IO becomes ABUT_ERROR_ARGUMENT, because a file named in the call
 * that cannot be read is a wrong argument. ABUT_ERROR_IO then always means that results cannot be written. */
AbutStatus abut_input_status(AbutStatus status);

/* Reads a required array of 1 to `most` numbers; returns their number, 0 after an error. */
int abut_spec_numbers(const AbutNode *object, const char *key, int most, AbutRange range, double *out);
/* Requires an array of `low` to `high` objects, which messages call `what`; false after an error. */
bool abut_spec_objects(const AbutNode *object, const char *key, const char *what, int low, int high, AbutNode *array);

/* Reads the names of files in the folder of the spec, by `n` keys. A missing key gives NULL, but at least one must be
 * present. The names live as long as the spec. */
AbutStatus abut_spec_parts(const AbutSpec *spec, int n, const char *const *keys, const char **out);
/* Writes the path of `file`, relative to the folder of the spec at `path`. */
enum { ABUT_SPEC_PATH = 4096 };
void abut_spec_beside(const char *path, const char *file, char out[ABUT_SPEC_PATH]);

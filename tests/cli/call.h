/* Calls the command in a folder of its own and collects its results, for the tests of cli. */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Paths are given to the shell as variables, so that they may contain any character. */
#define SCENES "\"$ABUT_TEST_SCENES\"/"

/* The results of a call. */
typedef struct Call {
	int status;
	char out[1 << 23], err[1 << 12];
} Call;

extern char folder[64]; /* of this test; tests run in processes of their own */

void set_up(void);
void tear_down(void);

/* Runs `abut ARGUMENTS` through the shell in this test's folder, preceded by `before`. */
void call_after(Call *call, const char *before, const char *arguments);
void call(Call *call, const char *arguments);

void read_file(const char *path, char *out, size_t size);
void write_file(const char *name, const char *text);
bool exists(const char *name);
int count_lines(const char *text);
cJSON *parse_json(const char *text); /* one object; the caller deletes it */
double number(const cJSON *object, const char *key);

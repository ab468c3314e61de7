/* Writes the start of a scene as a keyframe of MJCF. Tested in tests/io/describe.c. */
#include "io/describe/keyframe_out.h"

#include <stdlib.h>

#include "base/grow.h"
#include "io/text/number.h"

void abut_describe_key_add(AbutDescribedKey *key, AbutKeyPart part, const double *values, int n)
{
	const int first = key->n[part];
	if (key->full || !abut_grow(&key->values[part], &key->capacity[part], first + n, sizeof *key->values[part])) {
		key->full = true;
		return;
	}
	for (int i = 0; i < n; i++) {
		key->values[part][first + i] = values[i];
	}
	key->n[part] += n;
}

static void write_numbers(FILE *file, int n, const double *values)
{
	char number[ABUT_NUMBER_SIZE];
	for (int i = 0; i < n; i++) {
		fprintf(file, "%s%s", i > 0 ? " " : "", abut_number_short(values[i], number));
	}
}

bool abut_describe_key(FILE *file, const AbutDescribedKey *key)
{
	static const char *const names[ABUT_KEY_PARTS] = {"qpos", "qvel", "ctrl"};
	bool acts = false;
	for (int part = ABUT_KEY_QVEL; part < ABUT_KEY_PARTS; part++) {
		for (int i = 0; i < key->n[part]; i++) {
			acts = acts || key->values[part][i] != 0.0;
		}
	}
	if (acts) {
		fputs("<keyframe>\n<key name=\"start\"", file);
		for (int part = 0; part < ABUT_KEY_PARTS; part++) {
			if (key->n[part] > 0) {
				fprintf(file, " %s=\"", names[part]);
				write_numbers(file, key->n[part], key->values[part]);
				fputc('"', file);
			}
		}
		fputs("/>\n</keyframe>\n", file);
	}
	return acts;
}

void abut_describe_free_key(AbutDescribedKey *key)
{
	for (int part = 0; part < ABUT_KEY_PARTS; part++) {
		free(key->values[part]);
	}
}

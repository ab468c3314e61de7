/* Fuzzes overrides of a scene (--set): one on each line. */
#include <string.h>

#include "fuzz.h"

enum { OVERRIDES_MAX = 8 };

void fuzz_overrides(const uint8_t *data, size_t size)
{
	char *const text = malloc(size + 1);
	const char *overrides[OVERRIDES_MAX];
	int n = 0;
	FUZZ_CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *line = text; line && n < OVERRIDES_MAX;) {
		char *const end = strchr(line, '\n');
		overrides[n++] = line;
		line = end ? end + 1 : NULL;
		if (end) {
			*end = '\0';
		}
	}
	AbutScene *scene = NULL;
	AbutError error = {0};
	if (fuzz_result(
	        abut_scene_parse(fuzz_scene_text, strlen(fuzz_scene_text), "scene.json", n, overrides, &scene, &error),
	        &error)) {
		AbutModel *model = NULL;
		fuzz_result(abut_model_create(abut_scene_def(scene), &model, &error), &error);
		abut_model_destroy(model);
	}
	abut_scene_destroy(scene);
	free(text);
}

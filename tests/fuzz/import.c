/* Fuzzes robot models, URDF and MJCF: the import, its notes, and the scene that it writes. */
#include <string.h>

#include "fuzz.h"
#include "io/import/import.h"
#include "io/import/report.h"
#include "io/import/write.h"
#include "io/text/memory_stream.h"

/* Parses the scene of the import. Meshes are not read, as the folder has none. */
static void check_scene(const AbutImport *import)
{
	AbutBytes bytes = {0};
	AbutError error = {0};
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	FILE *const stream = abut_memory_stream(&bytes);
	FUZZ_CHECK(stream);
	const AbutStatus status = abut_import_write(import, fuzz_path(""), stream, &error);
	char *const text = abut_memory_stream_text(stream, &bytes);
	FUZZ_CHECK(text);
	if (fuzz_result(status, &error) &&
	    fuzz_result(abut_scene_parse(text, strlen(text), "scene.json", 0, NULL, &scene, &error), &error)) {
		fuzz_result(abut_model_create(abut_scene_def(scene), &model, &error), &error);
	}
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	free(text);
}

static void import_model(const uint8_t *data, size_t size)
{
	AbutImport *import = NULL;
	AbutError error = {0};
	if (fuzz_result(abut_import_read(fuzz_write("model.xml", data, size), NULL, &import, &error), &error)) {
		FUZZ_CHECK(abut_import_counts(import).bodies > 0);
		for (int i = 0; abut_import_note(import, i); i++) {
			const char *const text = abut_import_note(import, i)->text;
			FUZZ_CHECK(text[0] != '\0' && !strchr(text, '\n'));
		}
		check_scene(import);
	}
	abut_import_free(import);
}

void fuzz_urdf(const uint8_t *data, size_t size)
{
	import_model(data, size);
}

void fuzz_mjcf(const uint8_t *data, size_t size)
{
	import_model(data, size);
}

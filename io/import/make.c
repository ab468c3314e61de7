/* Makes the scene of an import. Tested in tests/cli/scene/import.c. */
#include "io/import/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/import/settle.h"
#include "io/import/write.h"
#include "io/text/memory_stream.h"

void abut_made_free(AbutMade *made)
{
	abut_scene_destroy(made->scene);
	free(made->text);
	*made = (AbutMade){.text = NULL};
}

static AbutStatus write_text(const AbutImport *import, const char *folder, AbutMade *out, AbutError *error)
{
	AbutBytes bytes = {0};
	FILE *const stream = abut_memory_stream(&bytes);
	AbutStatus status = stream ? abut_import_write(import, folder, stream, error) : ABUT_ERROR_MEMORY;
	out->text = abut_memory_stream_text(stream, &bytes);
	if (out->text) {
		out->length = strlen(out->text);
	} else {
		status = ABUT_ERROR_MEMORY;
	}
	return status == ABUT_ERROR_MEMORY ? abut_error_set(error, status, NULL, "out of memory") : status;
}

/* Makes the scene once. Sets `*changed` if its start was mended, so that it must be made again. */
static AbutStatus make_once(AbutImport *import, const char *folder, const char *name, bool lifts, AbutMade *out,
                            bool *changed, AbutError *error)
{
	AbutModel *model = NULL;
	AbutStatus status = write_text(import, folder, out, error);
	ABUT_THEN(status, abut_scene_parse(out->text, out->length, name, 0, NULL, &out->scene, error));
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(out->scene), &model, error);
		if (status != ABUT_OK) {
			abut_scene_locate(out->scene, error);
		}
	}
	ABUT_THEN(status, abut_import_settle(import, model, lifts, changed, error));
	abut_model_destroy(model);
	return status;
}

AbutStatus abut_import_make(AbutImport *import, const char *folder, const char *name, bool lifts, AbutMade *out,
                            AbutError *error)
{
	enum { ROUNDS_MAX = 20 };
	bool changed = true;
	AbutStatus status = ABUT_OK;
	*out = (AbutMade){.text = NULL};
	for (int round = 0; status == ABUT_OK && changed && round < ROUNDS_MAX; round++) {
		changed = false;
		abut_made_free(out);
		status = make_once(import, folder, name, lifts, out, &changed, error);
	}
	ABUT_THEN(status, abut_import_note_raised(import, error));
	if (status == ABUT_OK && changed) { /* the last mend is not in the text yet */
		abut_made_free(out);
		status = write_text(import, folder, out, error);
		ABUT_THEN(status, abut_scene_parse(out->text, out->length, name, 0, NULL, &out->scene, error));
	}
	return status;
}

/* Reading the text of a scene: from a file or from memory. */
#include <stdlib.h>
#include <string.h>

#include "io/scene/internal.h"
#include "io/text/file_text.h"

AbutStatus abut_scene_load(const char *path, int n_overrides, const char *const *overrides, AbutScene **out,
                           AbutError *error)
{
	return abut_scene_load_with(path, NULL, n_overrides, overrides, out, error);
}

AbutStatus abut_scene_load_with(const char *path, const AbutShapeTypes *types, int n_overrides,
                                const char *const *overrides, AbutScene **out, AbutError *error)
{
	char *text = NULL;
	size_t length = 0;
	*out = NULL;
	const AbutStatus status = abut_file_read(path, "scene", ABUT_SCENE_MAX_BYTES, &text, &length, error);
	return status == ABUT_OK ? abut_scene_from_text(text, length, path, types, n_overrides, overrides, out, error)
	                         : status;
}

AbutStatus abut_scene_parse(const char *text, size_t length, const char *name, int n_overrides,
                            const char *const *overrides, AbutScene **out, AbutError *error)
{
	return abut_scene_parse_with(text, length, name, NULL, n_overrides, overrides, out, error);
}

AbutStatus abut_scene_parse_with(const char *text, size_t length, const char *name, const AbutShapeTypes *types,
                                 int n_overrides, const char *const *overrides, AbutScene **out, AbutError *error)
{
	*out = NULL;
	if (length > ABUT_SCENE_MAX_BYTES) {
		return abut_file_fail_size(error, name, "scene", ABUT_SCENE_MAX_BYTES);
	}
	char *const copy = malloc(length + 1);
	if (!copy) {
		return abut_file_fail(error, name, ABUT_ERROR_MEMORY, "out of memory reading the scene");
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	return abut_scene_from_text(copy, length, name, types, n_overrides, overrides, out, error);
}

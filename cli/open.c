/* From a scene file to a model. */
#include "cli/cli.h"

int abut_open_scene(const char *path, const AbutTextList *overrides, AbutScene **scene, AbutModel **model,
                    AbutError *error)
{
	AbutStatus status = abut_scene_load(path, overrides->count, overrides->items, scene, error);
	if (status == ABUT_OK) {
		status = abut_model_create(abut_scene_def(*scene), model, error);
		if (status != ABUT_OK) {
			abut_scene_locate(*scene, error);
			abut_scene_destroy(*scene);
			*scene = NULL;
		}
	}
	if (status == ABUT_OK) {
		return ABUT_EXIT_DONE;
	}
	return status == ABUT_ERROR_MEMORY ? ABUT_EXIT_MACHINE : ABUT_EXIT_USAGE;
}

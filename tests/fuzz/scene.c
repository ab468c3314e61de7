/* Fuzzes scene text: the parser, the model, and a few steps. */
#include "fuzz.h"

enum { STEPS = 3, BODIES_MAX = 12 };

void fuzz_scene(const uint8_t *data, size_t size)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	FuzzWorld world;
	if (fuzz_result(abut_scene_parse((const char *)data, size, "fuzz.json", 0, NULL, &scene, &error), &error)) {
		const AbutSceneDef *const def = abut_scene_def(scene);
		for (int i = 0; abut_scene_warning(scene, i); i++) {
			FUZZ_CHECK(abut_scene_warning(scene, i)->message[0] != '\0');
		}
		if (def->n_bodies <= BODIES_MAX && fuzz_world_make(&world, def)) {
			fuzz_world_step(&world, STEPS);
			fuzz_world_free(&world);
		}
	}
	abut_scene_destroy(scene);
}

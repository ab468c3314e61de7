/* Fuzzes dumps of a step: the dump, its state, and the step again. */
#include "fuzz.h"
#include "io/dump/read.h"

enum { BODIES_MAX = 12 };

void fuzz_dump(const uint8_t *data, size_t size)
{
	AbutDump *dump = NULL;
	AbutError error = {0};
	FuzzWorld world;
	if (fuzz_result(abut_dump_load(fuzz_write("step.json", data, size), 0, NULL, &dump, &error), &error)) {
		const AbutSceneDef *const def = abut_scene_def(dump->scene);
		if (def->n_bodies <= BODIES_MAX && fuzz_world_make(&world, def)) {
			for (int cold = 0; cold < 2; cold++) {
				if (fuzz_result(abut_dump_restore(dump, world.model, world.state, cold, &error),
				                &error)) {
					fuzz_world_step(&world, 1);
				}
			}
			fuzz_world_free(&world);
		}
	}
	abut_dump_destroy(dump);
}

/* Runs steps that must not allocate, for tests of every method. */
#pragma once

#include <criterion/criterion.h>

#include "allocation_watch.h"
#include "world.h"

static inline void world_run_watched(World *world, int steps)
{
	for (int i = 0; i < steps; i++) {
		AbutStepInfo info = {.tries = 0};
		watch_begin(0);
		const AbutStatus status = abut_step(world->model, world->state, world->workspace, &info);
		watch_end();
		cr_assert_eq(status, ABUT_OK);
		cr_assert_eq(watch.calls, 0, "%ld allocations in step %d", watch.calls, i);
	}
}

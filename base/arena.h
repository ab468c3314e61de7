/* Places several arrays in one block of memory: once with base NULL to measure the block, and then in the block itself.
 */
#pragma once

#include <stddef.h>

enum { ABUT_ARENA_ALIGNMENT = 64 };

typedef struct AbutArena {
	char *base; /* aligned start of the block; NULL while measuring */
	size_t used;
} AbutArena;

static inline void *abut_arena_take(AbutArena *arena, size_t count, size_t size)
{
	arena->used = (arena->used + ABUT_ARENA_ALIGNMENT - 1) / ABUT_ARENA_ALIGNMENT * ABUT_ARENA_ALIGNMENT;
	void *const out = arena->base ? arena->base + arena->used : NULL;
	arena->used += count * size;
	return out;
}

/* Starts to place arrays in `memory`. Its size must be the measured one plus ABUT_ARENA_ALIGNMENT. */
static inline void abut_arena_begin(AbutArena *arena, void *memory)
{
	arena->base = (char *)memory + (ABUT_ARENA_ALIGNMENT - (size_t)memory % ABUT_ARENA_ALIGNMENT);
	arena->used = 0;
}

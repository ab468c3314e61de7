/* Grows arrays and keeps their content. The capacity at least doubles, so that growth is rare. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Makes space for `needed` elements. `array` is the address of a pointer from malloc or NULL, `capacity` the number of
 * elements that fit. Returns false when out of memory, without any change. */
static inline bool abut_grow(void *array, int *capacity, int needed, size_t size)
{
	if (needed <= *capacity) {
		return true;
	}
	void *old;
	memcpy(&old, array, sizeof old);
	const size_t wanted = (size_t)needed > 2 * (size_t)*capacity ? (size_t)needed : 2 * (size_t)*capacity;
	void *const moved = realloc(old, wanted * size);
	if (!moved) {
		return false;
	}
	memcpy(array, &moved, sizeof moved);
	*capacity = (int)wanted;
	return true; /* cppcheck-suppress memleak ; the caller's pointer has it now */
}

typedef struct AbutGrown {
	void *array; /* address of the pointer */
	size_t size; /* of an element */
} AbutGrown;

/* Grows arrays of one common capacity, which changes only if all of them have grown. */
static inline bool abut_grow_together(const AbutGrown arrays[], int n, int *capacity, int needed)
{
	int grown = *capacity;
	for (int i = 0; i < n; i++) {
		grown = *capacity;
		if (!abut_grow(arrays[i].array, &grown, needed, arrays[i].size)) {
			return false;
		}
	}
	*capacity = grown;
	return true;
}

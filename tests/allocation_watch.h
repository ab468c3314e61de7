/* Counts the library's allocations and makes one of them fail. The linker wraps the allocator in the executable
 * (tests/CMakeLists.txt), so that all calls from the library's own code are seen; those inside shared libraries (qhull,
 * LAPACK, cJSON, AMD) are not. Included by one file of an executable. */
#ifndef ALLOCATION_WATCH_H
#define ALLOCATION_WATCH_H

#include <stdbool.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static struct {
	bool watching;
	long calls, live; /* allocations tried, blocks held more than at the start */
	long fail_at;     /* the allocation that fails, from 1; 0: none */
} watch;

static bool refuse_next(void)
{
	return watch.watching && ++watch.calls == watch.fail_at;
}

static void *count_block(void *memory)
{
	watch.live += watch.watching && memory;
	return memory;
}

void *__wrap_malloc(size_t size)
{
	return refuse_next() ? NULL : count_block(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return refuse_next() ? NULL : count_block(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
	if (refuse_next()) {
		return NULL;
	}
	void *out = __real_realloc(memory, size);
	return memory ? out : count_block(out);
}

void __wrap_free(void *memory)
{
	watch.live -= watch.watching && memory;
	__real_free(memory);
}

static void watch_begin(long fail_at)
{
	watch.calls = watch.live = 0;
	watch.fail_at = fail_at;
	watch.watching = true;
}

static void watch_end(void)
{
	watch.watching = false;
}

#endif

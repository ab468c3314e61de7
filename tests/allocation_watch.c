#include "allocation_watch.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

Watch watch;

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

void watch_begin(long fail_at)
{
	watch.calls = watch.live = 0;
	watch.fail_at = fail_at;
	watch.watching = true;
}

void watch_end(void)
{
	watch.watching = false;
}

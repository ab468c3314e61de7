/* Replaces the allocation functions of the C library and makes one of the allocations fail. strdup, fopen, operator new
 * and all others call these. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "faults.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool fails(void)
{
	const FaultKind kind = faults_kind();
	if ((kind == FAULT_NONE || kind == FAULT_MALLOC || kind == FAULT_MEMORY) && faults_due()) {
		errno = ENOMEM;
		return true;
	}
	return false;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return fails() ? NULL : __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	void *made = memalign(alignment, size);
	*block = made ? made : *block;
	return made ? 0 : ENOMEM;
}

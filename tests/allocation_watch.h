/* Counts the library's allocations and makes them fail. The linker wraps the allocator in this executable
 * (tests/CMakeLists.txt), so that all calls from the library's own code are seen. Those inside shared libraries (qhull,
 * LAPACK, cJSON, AMD) are not. */
#pragma once

#include <stdbool.h>

typedef struct Watch {
	bool watching;
	long calls, live; /* allocations tried, blocks held more than at the start */
	long fail_at;     /* the allocation that fails, from 1; 0: none */
} Watch;

extern Watch watch;

void watch_begin(long fail_at);
void watch_end(void);

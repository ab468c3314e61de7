/* How many random cases a test takes. Sanitizers make each case about ten times as long, and the release build checks
 * the values of all of them: under sanitizers a twentieth of the cases looks for faults of memory and arithmetic. */
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define TEST_EFFORT(n) ((n) < 20 ? 1 : (n) / 20)
#define TEST_SLOWDOWN 8.0
#else
#define TEST_EFFORT(n) (n)
#define TEST_SLOWDOWN 1.0
#endif

/* The same, but at least `least`, such as one case for each pair of kinds. */
#define TEST_EFFORT_FROM(least, n) (TEST_EFFORT(n) < (least) ? (least) : TEST_EFFORT(n))

/* What reading a mesh says when its process needs too much memory. AddressSanitizer ends a process whose `new` fails
 * before the handler runs that would tell the cause. */
#ifdef __SANITIZE_ADDRESS__
#define TEST_TOO_MUCH_MEMORY "Assimp crashed on it"
#else
#define TEST_TOO_MUCH_MEMORY "reading it needs more than 512 MiB"
#endif

/* How many random cases a test takes. Sanitizers make each case about ten times as long, and the release build has
 * checked the values of all of them: under sanitizers a quarter of the cases looks for faults of memory and arithmetic.
 */
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define TEST_EFFORT(n) ((n) < 4 ? 1 : (n) / 4)
#else
#define TEST_EFFORT(n) (n)
#endif

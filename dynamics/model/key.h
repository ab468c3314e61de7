/* Keys: two ascending indices of parts or bodies that identify a pair. */
#ifndef DYNAMICS_MODEL_KEY_H
#define DYNAMICS_MODEL_KEY_H

#include <stdint.h>

/* Returns the key as one number, in the same order. */
static inline uint64_t abut_key(const int part[2])
{
	return (uint64_t)(unsigned)part[0] << 32 | (unsigned)part[1];
}

/* Returns the order of two keys: negative, zero or positive. */
static inline int abut_compare_keys(const int a[2], const int b[2])
{
	return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : (a[1] > b[1]) - (a[1] < b[1]);
}

#endif

/* Keys that identify a pair: the indices of two parts or two bodies, ascending. */
#pragma once

#include <stdint.h>

/* Returns the key as one number. The numbers have the order of the keys. */
static inline uint64_t abut_key(const int part[2])
{
	return (uint64_t)(unsigned)part[0] << 32 | (unsigned)part[1];
}

/* Compares two keys: returns a negative number, zero or a positive number. */
static inline int abut_compare_keys(const int a[2], const int b[2])
{
	return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : (a[1] > b[1]) - (a[1] < b[1]);
}

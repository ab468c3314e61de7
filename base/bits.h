/* Compares doubles by their bits: -0 differs from 0, and a NaN equals itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t abut_bits(double value)
{
	uint64_t out = 0;
	memcpy(&out, &value, sizeof out);
	return out;
}

static inline bool abut_same_bits(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (abut_bits(a[i]) != abut_bits(b[i])) {
			return false;
		}
	}
	return true;
}

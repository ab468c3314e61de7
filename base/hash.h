/* Hashes by FNV-1a, 64 bits. Not secure against deliberate collisions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define ABUT_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t abut_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;
	for (size_t i = 0; i < n; i++) {
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	}
	return hash;
}

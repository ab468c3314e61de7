/* A digest (FNV-1a, 64 bits) of what a sweep is made of: tells sweeps apart, and states of runs. Not against malice. */
#ifndef EXPERIMENTS_SWEEP_DIGEST_H
#define EXPERIMENTS_SWEEP_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ABUT_DIGEST_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t abut_digest_bytes(uint64_t digest, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < size; i++) {
		digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
	}
	return digest;
}

static inline uint64_t abut_digest_text(uint64_t digest, const char *text)
{
	return abut_digest_bytes(digest, text, strlen(text) + 1);
}

#endif

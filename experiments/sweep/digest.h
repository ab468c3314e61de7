/* A digest of what a sweep is made of: tells sweeps apart, and states of runs (base/hash.h). */
#ifndef EXPERIMENTS_SWEEP_DIGEST_H
#define EXPERIMENTS_SWEEP_DIGEST_H

#include <string.h>

#include "base/hash.h"

/* The text with its end, so that texts one after the other are told apart. */
static inline uint64_t abut_digest_text(uint64_t digest, const char *text)
{
	return abut_hash_bytes(digest, text, strlen(text) + 1);
}

#endif

/* Makes strings from JSON values. The caller frees them; NULL when out of memory. */
#pragma once

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "io/json/tree.h"

static inline AbutStatus abut_sweep_fail_memory(AbutError *error)
{
	abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the sweep");
	return ABUT_ERROR_MEMORY;
}

char *abut_text_of_json(const AbutJson *value);
/* Returns the text of a value for a table: a string without its quotes, unless it contains control characters. */
char *abut_text_of_label(const AbutJson *value);

/* Adds a text to the digest, including its end, so that ("a", "bc") and ("ab", "c") have different digests. */
static inline uint64_t abut_digest_text(uint64_t digest, const char *text)
{
	return abut_hash_bytes(digest, text, strlen(text) + 1);
}

/* Builds growing byte arrays for writers of binary files, little-endian on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero means empty. After memory runs out, `failed` is true and nothing more is added. */
typedef struct AbutBytes {
	unsigned char *data; /* owned */
	size_t size, capacity;
	bool failed;
} AbutBytes;

void abut_bytes_free(AbutBytes *bytes);
/* Adds `n` bytes at the end, which the caller fills. NULL: out of memory. */
unsigned char *abut_bytes_extend(AbutBytes *bytes, size_t n);
void abut_bytes_put(AbutBytes *bytes, const void *data, size_t n);
/* Appends the lowest `n` <= 8 bytes of `value`, lowest byte first. */
void abut_bytes_integer(AbutBytes *bytes, uint64_t value, int n);
void abut_bytes_float(AbutBytes *bytes, float value);
void abut_bytes_double(AbutBytes *bytes, double value);
void abut_bytes_doubles(AbutBytes *bytes, const double *values, size_t n);
/* Appends bytes `filler` until the size is a multiple of `alignment`. */
void abut_bytes_pad(AbutBytes *bytes, size_t alignment, unsigned char filler);
/* Overwrites four existing bytes. */
void abut_bytes_set_u32(AbutBytes *bytes, size_t at, uint32_t value);

/* Returns the CRC-32 of ISO 3309, as used in zip and MCAP. `crc` is the CRC of the bytes so far, 0 at the start. */
uint32_t abut_crc32(uint32_t crc, const void *data, size_t n);

/* Bytes that grow, little-endian whatever the machine, for the writers of binary files. */
#ifndef IO_TEXT_BYTES_H
#define IO_TEXT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero: empty. Once memory runs out `failed` stays and nothing more is added. */
typedef struct AbutBytes {
	unsigned char *data; /* owned */
	size_t size, capacity;
	bool failed;
} AbutBytes;

void abut_bytes_free(AbutBytes *bytes);
/* Room for `n` more bytes at the end, which count from now on; NULL: failed. */
unsigned char *abut_bytes_extend(AbutBytes *bytes, size_t n);
void abut_bytes_put(AbutBytes *bytes, const void *data, size_t n);
/* The lowest `n` <= 8 bytes of `value`, the lowest first. */
void abut_bytes_integer(AbutBytes *bytes, uint64_t value, int n);
void abut_bytes_float(AbutBytes *bytes, float value);
void abut_bytes_double(AbutBytes *bytes, double value);
void abut_bytes_doubles(AbutBytes *bytes, const double *values, size_t n);
/* As many bytes `filler` as bring the size to a multiple of `alignment`. */
void abut_bytes_pad(AbutBytes *bytes, size_t alignment, unsigned char filler);
/* Overwrites four bytes that are there. */
void abut_bytes_set_u32(AbutBytes *bytes, size_t at, uint32_t value);

/* CRC-32 of ISO 3309, as of zip and MCAP: goes on from the CRC of what came before, 0 of nothing. */
uint32_t abut_crc32(uint32_t crc, const void *data, size_t n);

#endif

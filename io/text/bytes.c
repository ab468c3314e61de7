/* Builds growing byte arrays and computes their CRC. */
#include "io/text/bytes.h"

#include <stdlib.h>
#include <string.h>

void abut_bytes_free(AbutBytes *bytes)
{
	free(bytes->data);
	memset(bytes, 0, sizeof *bytes);
}

unsigned char *abut_bytes_extend(AbutBytes *bytes, size_t n)
{
	if (bytes->failed || n > SIZE_MAX / 2 - bytes->size) {
		bytes->failed = true;
		return NULL;
	}
	if (bytes->size + n > bytes->capacity) {
		const size_t wanted = bytes->size + n > 2 * bytes->capacity ? bytes->size + n : 2 * bytes->capacity;
		unsigned char *const moved = realloc(bytes->data, wanted);
		if (!moved) {
			bytes->failed = true;
			return NULL;
		}
		bytes->data = moved;
		bytes->capacity = wanted;
	}
	unsigned char *const at = bytes->data + bytes->size;
	bytes->size += n;
	return at;
}

void abut_bytes_put(AbutBytes *bytes, const void *data, size_t n)
{
	unsigned char *const at = n > 0 ? abut_bytes_extend(bytes, n) : NULL;
	if (at) {
		memcpy(at, data, n);
	}
}

void abut_bytes_integer(AbutBytes *bytes, uint64_t value, int n)
{
	unsigned char *const at = abut_bytes_extend(bytes, (size_t)n);
	for (int i = 0; at && i < n; i++) {
		at[i] = (unsigned char)(value >> (8 * i));
	}
}

void abut_bytes_float(AbutBytes *bytes, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	abut_bytes_integer(bytes, bits, 4);
}

void abut_bytes_double(AbutBytes *bytes, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	abut_bytes_integer(bytes, bits, 8);
}

void abut_bytes_doubles(AbutBytes *bytes, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		abut_bytes_double(bytes, values[i]);
	}
}

void abut_bytes_pad(AbutBytes *bytes, size_t alignment, unsigned char filler)
{
	while (!bytes->failed && bytes->size % alignment != 0) {
		abut_bytes_put(bytes, &filler, 1);
	}
}

void abut_bytes_set_u32(AbutBytes *bytes, size_t at, uint32_t value)
{
	for (int i = 0; !bytes->failed && i < 4; i++) {
		bytes->data[at + (size_t)i] = (unsigned char)(value >> (8 * i));
	}
}

/* Updates a CRC-32 (reflected polynomial 0xedb88320) by n bytes, four bits at a time. Entry i of the table is the
 * register i after four shifts. Tested in tests/io/export.c. */
uint32_t abut_crc32(uint32_t crc, const void *data, size_t n)
{
	static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	                                   0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	                                   0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
	const unsigned char *byte = data;
	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= byte[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

/* Writes arrays of NumPy into a zip archive, in format 1.0 of NEP 1, each a member. */
#include "io/export/npz_arrays.h"

#include <string.h>

#include "base/error.h"

/* --- the archive: zip as specified in APPNOTE.TXT 6.3, version 2.0, method 0 (stored) ---
 *
 * Compression would make the files a third smaller, but slower to read, and would need zlib. tests/io/export/tables.py
 * reads the archive with NumPy. */

enum {
	LOCAL = 0x04034b50,
	CENTRAL = 0x02014b50,
	DIRECTORY_END = 0x06054b50,
	VERSION = 20,
	FIRST_DAY = 0x21,
	UTF8 = 1 << 11
};

/* Appends the fields that the local header and the central directory share. */
static void put_common(AbutBytes *out, uint32_t crc, size_t size, size_t name_length)
{
	abut_bytes_integer(out, VERSION, 2);
	abut_bytes_integer(out, UTF8, 2);
	abut_bytes_integer(out, 0, 2); /* stored */
	abut_bytes_integer(out, 0, 2); /* midnight */
	abut_bytes_integer(out, FIRST_DAY, 2);
	abut_bytes_integer(out, crc, 4);
	abut_bytes_integer(out, size, 4);
	abut_bytes_integer(out, size, 4);
	abut_bytes_integer(out, name_length, 2);
	abut_bytes_integer(out, 0, 2); /* no extra field */
}

/* Adds a member. Returns ABUT_ERROR_UNSUPPORTED if the archive would exceed 4 GiB or 65535 members. */
static AbutStatus zip_add(AbutZip *zip, const char *name, const AbutBytes *data, AbutError *error)
{
	const size_t length = strlen(name);
	const uint32_t crc = abut_crc32(0, data->data, data->size);
	AbutBytes head = {0};
	if (data->size > UINT32_MAX - 1024 || zip->at + data->size > UINT32_MAX - (1 << 20) ||
	    zip->n_members == 65535) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, name,
		                      "the archive would exceed 4 GiB, the limit of the format; export fewer "
		                      "steps, or as csv");
	}
	abut_bytes_integer(&head, LOCAL, 4);
	put_common(&head, crc, data->size, length);
	abut_bytes_put(&head, name, length);
	abut_bytes_integer(&zip->central, CENTRAL, 4);
	abut_bytes_integer(&zip->central, VERSION, 2); /* made by this version */
	put_common(&zip->central, crc, data->size, length);
	abut_bytes_integer(&zip->central, 0, 2); /* no comment */
	abut_bytes_integer(&zip->central, 0, 2); /* first disk */
	abut_bytes_integer(&zip->central, 0, 2); /* internal attributes */
	abut_bytes_integer(&zip->central, 0, 4); /* external attributes */
	abut_bytes_integer(&zip->central, zip->at, 4);
	abut_bytes_put(&zip->central, name, length);
	const bool failed = head.failed || zip->central.failed || data->failed;
	if (!failed) {
		fwrite(head.data, 1, head.size, zip->file);
		fwrite(data->data, 1, data->size, zip->file);
		zip->at += head.size + data->size;
		zip->n_members++;
	}
	abut_bytes_free(&head);
	return failed ? abut_error_set(error, ABUT_ERROR_MEMORY, name, "out of memory") : ABUT_OK;
}

/* Writes the central directory and frees it, also on failure. */
static AbutStatus zip_finish(AbutZip *zip, AbutError *error)
{
	const size_t size = zip->central.size;
	abut_bytes_integer(&zip->central, DIRECTORY_END, 4);
	abut_bytes_integer(&zip->central, 0, 4); /* disks */
	abut_bytes_integer(&zip->central, (uint64_t)zip->n_members, 2);
	abut_bytes_integer(&zip->central, (uint64_t)zip->n_members, 2);
	abut_bytes_integer(&zip->central, size, 4);
	abut_bytes_integer(&zip->central, zip->at, 4);
	abut_bytes_integer(&zip->central, 0, 2);
	const bool failed = zip->central.failed;
	if (!failed) {
		fwrite(zip->central.data, 1, zip->central.size, zip->file);
	}
	abut_bytes_free(&zip->central);
	return failed ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory") : ABUT_OK;
}

/* --- arrays --- */

/* Begins an array: magic bytes, version, and a header padded to a multiple of 64 bytes. */
void abut_npz_begin(AbutNpz *npz, const char *type, const char *shape)
{
	static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
	AbutBytes *array = &npz->array;
	array->size = 0;
	abut_bytes_put(array, magic, sizeof magic);
	abut_bytes_integer(array, 0, 2);
	static const char first[] = "{'descr': ", second[] = ", 'fortran_order': False, 'shape': (", last[] = "), }";
	abut_bytes_put(array, first, sizeof first - 1);
	abut_bytes_put(array, type, strlen(type));
	abut_bytes_put(array, second, sizeof second - 1);
	abut_bytes_put(array, shape, strlen(shape));
	abut_bytes_put(array, last, sizeof last - 1);
	while (!array->failed && array->size % 64 != 63) {
		abut_bytes_put(array, " ", 1);
	}
	abut_bytes_put(array, "\n", 1);
	if (!array->failed) {
		array->data[8] = (unsigned char)(array->size - 10);
		array->data[9] = (unsigned char)((array->size - 10) >> 8);
	}
}

/* Begins an array of `n` rows with `columns` entries each; with 0 columns, a vector. */
void abut_npz_rows(AbutNpz *npz, const char *type, long n, int columns)
{
	char shape[64];
	if (columns > 0) {
		snprintf(shape, sizeof shape, "%ld, %d", n, columns);
	} else {
		snprintf(shape, sizeof shape, "%ld,", n);
	}
	abut_npz_begin(npz, type, shape);
}

void abut_npz_end(AbutNpz *npz, const char *name)
{
	if (npz->status == ABUT_OK) {
		npz->status = zip_add(&npz->zip, name, &npz->array, npz->error);
	}
}

/* --- names --- */

/* Returns the code point at `*at` in a UTF-8 text and moves `*at` past it. */
static uint32_t next_code_point(const char **at)
{
	const unsigned char first = (unsigned char)*(*at)++;
	const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
	uint32_t code = more == 0 ? first : first & (0x3fU >> more);
	for (int i = 0; i < more && **at; i++) {
		code = code << 6 | ((unsigned char)*(*at)++ & 0x3fU);
	}
	return code;
}

int abut_npz_text_length(const char *text)
{
	int n = 0;
	while (*text) {
		next_code_point(&text);
		n++;
	}
	return n;
}

void abut_npz_text(AbutNpz *npz, const char *text, int longest)
{
	for (int k = 0; k < longest; k++) {
		abut_bytes_integer(&npz->array, *text ? next_code_point(&text) : 0, 4);
	}
}

AbutStatus abut_npz_finish(AbutNpz *npz)
{
	const AbutStatus status = zip_finish(&npz->zip, npz->status == ABUT_OK ? npz->error : NULL);
	abut_bytes_free(&npz->array);
	return npz->status != ABUT_OK ? npz->status : status;
}

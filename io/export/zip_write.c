/* Zip as APPNOTE.TXT 6.3 has it, version 2.0, method 0 (stored). Compression would make runs smaller by a third and
 * reading them into memory slower; it would need zlib, which this does not (tests/io/export/tables.py reads it with
 * NumPy). */
#include "io/export/zip_write.h"

#include <string.h>

#include "base/error.h"

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50, VERSION = 20, FIRST_DAY = 0x21, UTF8 = 1 << 11 };

/* The fields that the local header and the directory have in common. */
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

AbutStatus abut_zip_add(AbutZip *zip, const char *name, const AbutBytes *data, AbutError *error)
{
	const size_t length = strlen(name);
	const uint32_t crc = abut_crc32(0, data->data, data->size);
	AbutBytes head = {0};
	if (data->size > UINT32_MAX - 1024 || zip->at + data->size > UINT32_MAX - (1 << 20) ||
	    zip->n_members == 65535) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, name,
		                      "the archive would be larger than 4 GiB, the most that it may be; export fewer "
		                      "steps, or as csv");
	}
	abut_bytes_integer(&head, LOCAL, 4);
	put_common(&head, crc, data->size, length);
	abut_bytes_put(&head, name, length);
	abut_bytes_integer(&zip->central, CENTRAL, 4);
	abut_bytes_integer(&zip->central, VERSION, 2); /* made by */
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

AbutStatus abut_zip_finish(AbutZip *zip, AbutError *error)
{
	const size_t size = zip->central.size;
	abut_bytes_integer(&zip->central, END, 4);
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

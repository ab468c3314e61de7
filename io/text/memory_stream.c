/* Opens streams that write to memory. */
#define _GNU_SOURCE /* fopencookie */
#include "io/text/memory_stream.h"

#include <string.h>

static ssize_t append(void *cookie, const char *text, size_t n)
{
	unsigned char *const at = abut_bytes_extend(cookie, n);
	if (at) {
		memcpy(at, text, n);
	}
	return at ? (ssize_t)n : 0; /* 0: an error of the stream */
}

FILE *abut_memory_stream(AbutBytes *bytes)
{
	return fopencookie(bytes, "w", (cookie_io_functions_t){.write = append});
}

bool abut_memory_stream_close(FILE *stream, const AbutBytes *bytes)
{
	return stream && fclose(stream) == 0 && !bytes->failed;
}

char *abut_memory_stream_text(FILE *stream, AbutBytes *bytes)
{
	const bool whole = abut_memory_stream_close(stream, bytes);
	abut_bytes_integer(bytes, 0, 1);
	char *const text = (char *)bytes->data;
	if (!whole || bytes->failed) {
		abut_bytes_free(bytes);
		return NULL;
	}
	*bytes = (AbutBytes){0};
	return text;
}

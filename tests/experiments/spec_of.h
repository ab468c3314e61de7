/* Writes a spec of the experiments with fewer runs into a folder of the test. */
#pragma once

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replaces the first `from` in the text, which must have room, by `to`. */
static inline void replace(char *text, size_t size, const char *from, const char *to)
{
	char *at = strstr(text, from);
	cr_assert_not_null(at, "no %s", from);
	const size_t tail = strlen(at + strlen(from)) + 1;
	cr_assert_lt((size_t)(at - text) + strlen(to) + tail, size);
	memmove(at + strlen(to), at + strlen(from), tail);
	memcpy(at, to, strlen(to));
}

static inline void read_spec(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "rb");
	cr_assert_not_null(file, "%s", path);
	const size_t n = fread(text, 1, size - 1, file);
	text[n] = '\0';
	fclose(file);
}

static inline void write_spec(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");
	cr_assert_not_null(file, "%s", path);
	fputs(text, file);
	fclose(file);
}

/* Writes and splits paths in a JSON text. */
#include "io/json/path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
	       c == '+';
}

static bool is_plain_key(const char *key, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!is_plain(key[i])) {
			return false;
		}
	}
	return length > 0;
}

static void append(char *path, size_t size, char c)
{
	const size_t length = strlen(path);
	if (length + 1 < size) {
		path[length] = c;
		path[length + 1] = '\0';
	}
}

void abut_path_append_key(char *path, size_t size, const char *key, size_t length)
{
	const bool plain = is_plain_key(key, length);
	if (plain && path[0]) {
		append(path, size, '.');
	} else if (!plain) {
		append(path, size, '[');
		append(path, size, '"');
	}
	for (size_t i = 0; i < length && i < ABUT_PATH_MAX_KEY; i++) {
		if (key[i] == '"' || key[i] == '\\') {
			append(path, size, '\\');
		}
		append(path, size, (unsigned char)key[i] < 0x20 || key[i] == 0x7f ? '?' : key[i]);
	}
	if (!plain) {
		append(path, size, '"');
		append(path, size, ']');
	}
}

void abut_path_append_index(char *path, size_t size, int index)
{
	const size_t length = strlen(path);
	snprintf(path + length, size - length, "[%d]", index);
}

/* Reads `"key"]` from `p`. Returns the position after it, or NULL if it is malformed. */
static const char *parse_quoted(const char *p, const char *end, AbutPathStep *step)
{
	size_t n = 0;
	for (p++; p < end && *p != '"'; p++) {
		if (*p == '\\' && ++p == end) {
			return NULL;
		}
		if (n == ABUT_PATH_MAX_KEY) {
			return NULL;
		}
		step->key[n++] = *p;
	}
	step->key[n] = '\0';
	step->index = -1;
	return end - p >= 2 && p[1] == ']' ? p + 2 : NULL;
}

/* Reads `12]` from `p`. Returns the position after it, or NULL if it is malformed. */
static const char *parse_index(const char *p, const char *end, AbutPathStep *step)
{
	int index = 0;
	const char *digits = p;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (index > (INT_MAX - 9) / 10) {
			return NULL;
		}
		index = 10 * index + (*p - '0');
	}
	step->index = index;
	step->key[0] = '\0';
	return p > digits && p < end && *p == ']' ? p + 1 : NULL;
}

/* Reads a plain key from `p`. Returns the position after it, or NULL if the key is empty or too long. */
static const char *parse_plain(const char *p, const char *end, AbutPathStep *step)
{
	size_t n = 0;
	for (; p < end && is_plain(*p); p++) {
		if (n == ABUT_PATH_MAX_KEY) {
			return NULL;
		}
		step->key[n++] = *p;
	}
	step->key[n] = '\0';
	step->index = -1;
	return n > 0 ? p : NULL;
}

int abut_path_parse(const char *path, size_t length, AbutPathStep *steps)
{
	const char *p = path, *end = path + length;
	int n = 0;
	while (p && p < end) {
		if (n == ABUT_PATH_MAX_STEPS) {
			return -1;
		}
		AbutPathStep *step = &steps[n++];
		if (*p == '[') {
			p++;
			p = p < end && *p == '"' ? parse_quoted(p, end, step) : parse_index(p, end, step);
		} else if (n == 1) {
			p = parse_plain(p, end, step);
		} else {
			p = *p == '.' ? parse_plain(p + 1, end, step) : NULL;
		}
	}
	return p ? n : -1;
}

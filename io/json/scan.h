/* Scans JSON text strictly (RFC 8259): one event per call, without recursion or allocation. The scanner decides what is
 * valid JSON and knows its position as an offset and as a path. The tree is built afterwards, only from valid text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/json/path.h"

enum {
	ABUT_JSON_MAX_DEPTH = ABUT_PATH_MAX_STEPS, /* depth of nested arrays and objects */
	ABUT_JSON_MAX_NUMBER = 63                  /* characters; limit of the tree builder */
};

typedef enum AbutJsonEvent {
	ABUT_JSON_KEY,   /* a key of an object */
	ABUT_JSON_VALUE, /* a string, number, true, false or null */
	ABUT_JSON_OPEN,  /* the start of an array or object */
	ABUT_JSON_CLOSE, /* the end of an array or object */
	ABUT_JSON_END,   /* the end of the text */
	ABUT_JSON_ERROR  /* `message` says what is wrong at `start` */
} AbutJsonEvent;

typedef struct AbutJsonFrame {
	bool is_object;
	int index;                 /* index of the current element of an array */
	size_t key_start, key_end; /* offsets of the current key, without quotes and with escapes as written; both 0
	                              before the first key */
} AbutJsonFrame;

typedef struct AbutJsonScanner {
	const char *text;
	size_t length, offset;
	size_t start;   /* offset of the last event */
	int state;      /* private */
	int depth;      /* number of open arrays and objects */
	int path_depth; /* number of frames in the path of the last key or value, or of the value that contains an error
	                 */
	AbutJsonFrame frames[ABUT_JSON_MAX_DEPTH];
	char message[160]; /* of the error */
} AbutJsonScanner;

void abut_json_scan_init(AbutJsonScanner *scanner, const char *text, size_t length);
/* Returns the next event. After ABUT_JSON_END or ABUT_JSON_ERROR, returns the same event again. */
AbutJsonEvent abut_json_scan_next(AbutJsonScanner *scanner);
/* Scans to the end. Returns true if the whole text is JSON; otherwise the scanner holds the error. */
bool abut_json_scan_all(AbutJsonScanner *scanner);
/* Writes the path of the last key or value, or of the value with the error, to `path` of `size` > 0 bytes. */
void abut_json_scan_path(const AbutJsonScanner *scanner, char *path, size_t size);

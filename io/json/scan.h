/* A strict scanner of JSON text (RFC 8259): one event a call, no recursion, no allocation. It decides what is JSON and
 * knows its place as an offset and as a path. The tree is built afterwards, from text that has passed. */
#ifndef IO_JSON_SCAN_H
#define IO_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "io/json/path.h"

enum {
	ABUT_JSON_MAX_DEPTH = ABUT_PATH_MAX_STEPS, /* of nested arrays and objects */
	ABUT_JSON_MAX_NUMBER = 63                  /* characters: what the tree builder reads */
};

typedef enum AbutJsonEvent {
	ABUT_JSON_KEY,   /* a key of an object */
	ABUT_JSON_VALUE, /* a string, number, true, false or null */
	ABUT_JSON_OPEN,  /* the start of an array or object */
	ABUT_JSON_CLOSE, /* the end of one */
	ABUT_JSON_END,   /* the end of the text */
	ABUT_JSON_ERROR  /* `message` says what is wrong at `start` */
} AbutJsonEvent;

typedef struct AbutJsonFrame {
	bool is_object;
	int index; /* of the current element of an array */
	size_t key_start,
	    key_end; /* offsets of the current key, without quotes, escapes as written; 0, 0 before the first */
} AbutJsonFrame;

typedef struct AbutJsonScanner {
	const char *text;
	size_t length, offset;
	size_t start;   /* offset of the last event */
	int state;      /* private */
	int depth;      /* open arrays and objects */
	int path_depth; /* frames that lead to the last key or value, or to the value that an error lies in */
	AbutJsonFrame frames[ABUT_JSON_MAX_DEPTH];
	char message[160]; /* of an error */
} AbutJsonScanner;

void abut_json_scan_init(AbutJsonScanner *scanner, const char *text, size_t length);
/* Returns the next event. After ABUT_JSON_END or ABUT_JSON_ERROR, returns the same event again. */
AbutJsonEvent abut_json_scan_next(AbutJsonScanner *scanner);
/* Scans to the end; true if the whole text is JSON, otherwise the scanner holds the error. */
bool abut_json_scan_all(AbutJsonScanner *scanner);
/* Writes the path of the last key or value, or of the value with the error, into `path` of capacity `size` > 0. */
void abut_json_scan_path(const AbutJsonScanner *scanner, char *path, size_t size);

#endif

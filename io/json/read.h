/* Reads typed values from nodes. Errors are recorded in the reader; the output may then be partly written. */
#pragma once

#include "io/json/node.h"

typedef enum AbutRange { ABUT_ANY, ABUT_POSITIVE, ABUT_NONNEGATIVE } AbutRange; /* allowed values; all must be finite */

/* Each function returns whether it has read the value. */
bool abut_node_number(const AbutNode *node, AbutRange range, double *out);
bool abut_node_integer(const AbutNode *node, int low, int high, int *out);
bool abut_node_vector(const AbutNode *node, int n, AbutRange range, double *out);
/* Reads a string of 1 to ABUT_NAME_MAX bytes without control characters; it belongs to the tree. */
void abut_node_name(const AbutNode *node, const char **out);
/* Reads the path of a file: a string of 1 to ABUT_FILE_MAX bytes without control characters. */
enum { ABUT_FILE_MAX = 4095 };
void abut_node_file(const AbutNode *node, const char **out);
/* Reads one of `n` names and returns its index in `*out`. */
bool abut_node_choice(const AbutNode *node, const char *const *names, int n, int *out);
/* Reads a required integer from 0 to `most` (INT_MAX or 2^53 - 1). Returns 0 after an error. */
double abut_node_require_whole(const AbutNode *object, const char *key, double most);
/* Reads a required string, which belongs to the tree. Returns "" after an error. */
const char *abut_node_require_string(const AbutNode *object, const char *key);
/* Reads a required array of `n` strings, which belong to the tree; each must be `expected`. Leaves room for `extra`
 * more. The caller frees the array. Returns NULL if it is missing or memory runs out. */
const char **abut_node_require_strings(const AbutNode *object, const char *key, const char *expected, int extra,
                                       int *n);
/* Requires the key to be 1, the version of the format; `hint` follows the message that the key is missing. */
void abut_node_require_version(const AbutNode *root, const char *key, const char *hint, const char *format);

/* Each function reads an optional member; if it is absent, the output is unchanged. Returns whether it has been read.
 */
bool abut_read_number(const AbutNode *object, const char *key, AbutRange range, double *out);
bool abut_read_integer(const AbutNode *object, const char *key, int low, int high, int *out);
bool abut_read_bool(const AbutNode *object, const char *key, bool *out);
bool abut_read_vector(const AbutNode *object, const char *key, int n, AbutRange range, double *out);
bool abut_read_quaternion(const AbutNode *object, const char *key, double out[4]);
bool abut_read_choice(const AbutNode *object, const char *key, const char *const *names, int n, int *out);

/* Each function reads a required member; after an error, the output may be unchanged. */
void abut_require_number(const AbutNode *object, const char *key, AbutRange range, double *out);
void abut_require_integer(const AbutNode *object, const char *key, int low, int high, int *out);
void abut_require_bool(const AbutNode *object, const char *key, bool *out);
void abut_require_vector(const AbutNode *object, const char *key, int n, AbutRange range, double *out);
void abut_require_name(const AbutNode *object, const char *key, const char **out);

/* The tree of a JSON text: a thin view of cJSON, which io/json/tree.c alone includes. Trees come only from text that
 * the scanner (io/json/scan.h) has passed, so their depth is bounded and a failure to build one is a failure of memory.
 */
#ifndef IO_JSON_TREE_H
#define IO_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cJSON AbutJson;

typedef enum AbutJsonType {
	ABUT_JSON_NULL,
	ABUT_JSON_BOOL,
	ABUT_JSON_NUMBER,
	ABUT_JSON_STRING,
	ABUT_JSON_ARRAY,
	ABUT_JSON_OBJECT
} AbutJsonType;

/* Each makes a tree that the caller owns. NULL: out of memory. */
AbutJson *abut_json_parse(const char *text, size_t length);
AbutJson *abut_json_create_string(const char *string);
AbutJson *abut_json_create_object(void);
void abut_json_destroy(AbutJson *tree); /* NULL is fine */

AbutJsonType abut_json_type(const AbutJson *value);
double abut_json_number(const AbutJson *value);      /* of a number; infinite past the range of a double */
bool abut_json_bool(const AbutJson *value);          /* of a bool */
const char *abut_json_string(const AbutJson *value); /* of a string; lives as long as the tree */
const char *abut_json_key(const AbutJson *member);   /* of a member of an object */

/* Returns members of an object or elements of an array, in order; NULL after the last. */
AbutJson *abut_json_first(const AbutJson *container);
AbutJson *abut_json_next(const AbutJson *member);
AbutJson *abut_json_get(const AbutJson *object, const char *key); /* the first of that key, or NULL */
int abut_json_count(const AbutJson *container);

/* Puts `value` (taken over, also on failure) in place of any member of that key, or of an element. False: out of
 * memory.
 */
bool abut_json_put(AbutJson *object, const char *key, AbutJson *value);
bool abut_json_replace(AbutJson *array, AbutJson *element, AbutJson *value);

#endif

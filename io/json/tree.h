/* Wraps the JSON trees of cJSON, which only io/json/tree.c includes. Trees are built only from text that the scanner
 * (io/json/scan.h) has accepted. So their depth is bounded, and building a tree fails only if memory runs out. */
#pragma once

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

/* Each function makes a tree that the caller owns. NULL: out of memory. */
AbutJson *abut_json_parse(const char *text, size_t length);
AbutJson *abut_json_create_string(const char *string);
AbutJson *abut_json_create_object(void);
void abut_json_destroy(AbutJson *tree); /* `tree` may be NULL */

AbutJsonType abut_json_type(const AbutJson *value);
double abut_json_number(const AbutJson *value); /* `value` must be a number; infinite if beyond the range of a double */
bool abut_json_bool(const AbutJson *value);     /* `value` must be a bool */
const char *abut_json_string(const AbutJson *value); /* `value` must be a string; valid as long as the tree */
const char *abut_json_key(const AbutJson *member);   /* key of a member of an object */

/* Return the first and the next member of an object or element of an array; NULL after the last. */
AbutJson *abut_json_first(const AbutJson *container);
AbutJson *abut_json_next(const AbutJson *member);
AbutJson *abut_json_get(const AbutJson *object, const char *key); /* the first member with this key, or NULL */
int abut_json_count(const AbutJson *container);

/* Puts `value` in place of the member `key`, if any; below, in place of an element. Both take ownership of `value`,
 * also on failure. They return false if memory runs out. */
bool abut_json_put(AbutJson *object, const char *key, AbutJson *value);
bool abut_json_replace(AbutJson *array, AbutJson *element, AbutJson *value);

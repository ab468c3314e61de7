/* Writes a JSON tree as text. */
#include "io/json/write.h"

#include <stdbool.h>

#include "io/text/number.h"

/* NOLINTNEXTLINE(misc-no-recursion): no deeper than ABUT_JSON_MAX_DEPTH, as trees come from scanned text. */
void abut_json_write(FILE *file, const AbutJson *value)
{
	const AbutJsonType type = abut_json_type(value);
	const bool is_object = type == ABUT_JSON_OBJECT;
	switch (type) {
	case ABUT_JSON_NULL:
		fputs("null", file);
		break;
	case ABUT_JSON_BOOL:
		fputs(abut_json_bool(value) ? "true" : "false", file);
		break;
	case ABUT_JSON_NUMBER:
		abut_json_write_number(file, abut_json_number(value));
		break;
	case ABUT_JSON_STRING:
		abut_json_write_string(file, abut_json_string(value));
		break;
	case ABUT_JSON_ARRAY:
	case ABUT_JSON_OBJECT:
		fputc(is_object ? '{' : '[', file);
		for (const AbutJson *child = abut_json_first(value); child; child = abut_json_next(child)) {
			if (child != abut_json_first(value)) {
				fputs(", ", file);
			}
			if (is_object) {
				abut_json_write_string(file, abut_json_key(child));
				fputs(": ", file);
			}
			abut_json_write(file, child);
		}
		fputc(is_object ? '}' : ']', file);
		break;
	}
}

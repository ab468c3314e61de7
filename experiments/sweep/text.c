/* Makes strings of JSON values. */
#include "experiments/sweep/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/write.h"
#include "io/text/memory_stream.h"
#include "io/text/words.h"

char *abut_text_of_json(const AbutJson *value)
{
	AbutBytes text = {0};
	FILE *file = abut_memory_stream(&text);
	if (file) {
		abut_json_write(file, value);
	}
	return abut_memory_stream_text(file, &text);
}

char *abut_text_of_label(const AbutJson *value)
{
	if (abut_json_type(value) == ABUT_JSON_STRING) {
		const char *string = abut_json_string(value), *c = string;
		while (*c && (unsigned char)*c >= 0x20 && *c != 0x7f) {
			c++;
		}
		if (*c == '\0') {
			return abut_text_format("%s", string);
		}
	}
	return abut_text_of_json(value);
}

#include "cli/json_print.h"

#include <stdio.h>

#include "io/text/number.h"

void abut_print_number(const char *key, double value)
{
	printf(", \"%s\": ", key);
	abut_json_write_number(stdout, value);
}

void abut_print_entries(const double values[3])
{
	putchar('[');
	for (int i = 0; i < 3; i++) {
		fputs(i > 0 ? ", " : "", stdout);
		abut_json_write_number(stdout, values[i]);
	}
	putchar(']');
}

void abut_print_vector(const char *key, const double values[3])
{
	printf(", \"%s\": ", key);
	abut_print_entries(values);
}

void abut_print_text(const char *key, const char *text)
{
	printf(", \"%s\": ", key);
	abut_json_write_string(stdout, text);
}

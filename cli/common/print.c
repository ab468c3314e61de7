/* Parts of the tables and JSON objects that several verbs print on stdout. */
#include "cli/common/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/text/number.h"

void abut_print_first(const char *key, const char *text)
{
	printf("{\"%s\": ", key);
	abut_json_write_string(stdout, text);
}

void abut_print_number(const char *key, double value)
{
	printf(", \"%s\": ", key);
	abut_json_write_number(stdout, value);
}

void abut_print_entries(const double values[3])
{
	for (int i = 0; i < 3; i++) {
		fputs(i > 0 ? ", " : "[", stdout);
		abut_json_write_number(stdout, values[i]);
	}
	putchar(']');
}

void abut_print_matrix(const double values[9])
{
	for (int i = 0; i < 3; i++) {
		fputs(i > 0 ? ", " : "[", stdout);
		abut_print_entries(&values[3 * i]);
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

void abut_print_end(unsigned long long seed)
{
	printf(", \"seed\": %llu, \"version\": \"%s\"}\n", seed, abut_version());
}

void abut_print_rounded(int n, const double *values, double largest, int width)
{
	for (int i = 0; i < n; i++) {
		printf(" %*.5g", width, fabs(values[i]) < 5e-6 * largest ? 0.0 : values[i]);
	}
}

int abut_name_width(const AbutModel *model)
{
	int width = 4;
	for (int i = 0; i < abut_model_body_count(model); i++) {
		const int length = (int)strlen(abut_model_body_name(model, i));
		width = length > width ? length : width;
	}
	return width;
}

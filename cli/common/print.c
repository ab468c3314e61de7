/* Prints parts of the tables and JSON objects that several verbs write to stdout. */
#include "cli/common/print.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/report.h"
#include "io/text/file_text.h"
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

void abut_print_comma(int i)
{
	fputs(i > 0 ? ", " : "", stdout);
}

void abut_print_list(int n, const double *values)
{
	abut_json_write_numbers(stdout, ", ", values, n);
}

void abut_print_matrix(const double values[9])
{
	for (int i = 0; i < 3; i++) {
		fputs(i > 0 ? ", " : "[", stdout);
		abut_print_list(3, &values[3 * i]);
	}
	putchar(']');
}

void abut_print_vector(const char *key, const double values[3])
{
	printf(", \"%s\": ", key);
	abut_print_list(3, values);
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

void abut_print_count(int n, const char *what, const char *before, const char *after)
{
	if (n > 0) {
		printf("%s%d %s%s%s", before, n, what, n == 1 ? "" : "s", after);
	}
}

int abut_print_file(const char *folder, const char *name)
{
	AbutError error = {0};
	char *text = NULL, *const path = abut_path_join(folder, name);
	size_t length = 0;
	if (!path) {
		return abut_report_memory();
	}
	const AbutStatus status = abut_file_read(path, name, SIZE_MAX / 4, &text, &length, &error);
	free(path);
	if (status != ABUT_OK) {
		return abut_report_error(&error, ABUT_EXIT_MACHINE);
	}
	fwrite(text, 1, length, stdout);
	free(text);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

/* Prints parts of the tables and JSON objects that several verbs write to stdout. */
#pragma once

#include "abut/abut.h"

/* Print members of a JSON object. The first function begins the object, others add a member after a comma, and the last
 * two add the closing brace. */
void abut_print_first(const char *key, const char *text);
void abut_print_number(const char *key, double value);
void abut_print_vector(const char *key, const double values[3]);
void abut_print_text(const char *key, const char *text);
void abut_print_end(unsigned long long seed);

/* Prints `n` numbers, or the rows of a 3 x 3 matrix, as a JSON array. */
void abut_print_list(int n, const double *values);
void abut_print_matrix(const double values[9]);
/* Prints the comma before element `i` of a JSON array; nothing before the first. */
void abut_print_comma(int i);

/* Prints "3 joints" or "1 joint" between `before` and `after`; nothing if n is 0. */
void abut_print_count(int n, const char *what, const char *before, const char *after);
/* Prints the file `folder/name`. Returns the exit status. */
int abut_print_file(const char *folder, const char *name);

/* Prints `n` numbers in `width` columns each. Numbers below 5e-6 of `largest` are printed as 0. */
void abut_print_rounded(int n, const double *values, double largest, int width);
/* Returns the width of a column of body names. */
int abut_name_width(const AbutModel *model);

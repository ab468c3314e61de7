/* Members of the JSON objects that verbs print on stdout, each after a comma. */
#ifndef CLI_JSON_PRINT_H
#define CLI_JSON_PRINT_H

void abut_print_number(const char *key, double value);
void abut_print_vector(const char *key, const double values[3]);
void abut_print_text(const char *key, const char *text);

/* The array alone. */
void abut_print_entries(const double values[3]);

#endif

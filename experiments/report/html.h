/* Text for HTML. Errors stay in the FILE. */
#ifndef EXPERIMENTS_REPORT_HTML_H
#define EXPERIMENTS_REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

/* `length` bytes as text: what HTML would read as markup is escaped, control characters are left out. */
void abut_html_write(FILE *file, const char *text, size_t length);
void abut_html_text(FILE *file, const char *text);

#endif

/* Text and Markdown as HTML. Errors of writing stay in the FILE. */
#pragma once

#include <stdio.h>

/* Writes text: markup characters are escaped, control characters are left out. */
void abut_html_text(FILE *file, const char *text);

/* Writes the Markdown of the READMEs of experiments: headings, paragraphs, lists of one level, fenced code, and in a
 * line `code`, **strong**, *emphasis* and [links](url), of which only the words are kept. Headings of level one are
 * left out: the page has its own. */
void abut_html_markdown(FILE *file, const char *text);

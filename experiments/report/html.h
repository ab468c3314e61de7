/* Writes text and Markdown as HTML. Write errors stay in the FILE. */
#pragma once

#include <stdio.h>

/* Writes text. Escapes markup characters and leaves out control characters. */
void abut_html_text(FILE *file, const char *text);

/* Writes the Markdown of the experiments' READMEs: headings, paragraphs, lists of one level, and fenced code. Within a
 * line: `code`, **strong**, *emphasis* and [links](url), of which only the words are kept. Leaves out headings of level
 * one, because the page has its own. */
void abut_html_markdown(FILE *file, const char *text);

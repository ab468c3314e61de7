#include "experiments/report/html.h"

#include <string.h>

void abut_html_write(FILE *file, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		switch (c) {
		case '&':
			fputs("&amp;", file);
			break;
		case '<':
			fputs("&lt;", file);
			break;
		case '>':
			fputs("&gt;", file);
			break;
		case '"':
			fputs("&quot;", file);
			break;
		default:
			if (c >= 0x20 || c == '\n' || c == '\t') {
				fputc(c, file);
			}
		}
	}
}

void abut_html_text(FILE *file, const char *text)
{
	abut_html_write(file, text, strlen(text));
}

/* A README as a part of a page: line by line, with one block open at a time. */
#include <stdbool.h>
#include <string.h>

#include "experiments/report/html.h"

typedef enum Block { NONE, PARAGRAPH, LIST, CODE } Block;

static const char *const opening[] = {"", "<p>", "<ul>\n<li>", "<pre>"};
static const char *const closing[] = {"", "</p>\n", "</li>\n</ul>\n", "</pre>\n"};

static void change(FILE *file, Block *block, Block next)
{
	fputs(closing[*block], file);
	fputs(opening[next], file);
	*block = next;
}

/* The bytes from `text` up to `mark`, within `length`; 0 when the mark is missing or nothing stands before it. */
static size_t up_to(const char *text, size_t length, const char *mark)
{
	const size_t n = strlen(mark);
	for (size_t i = 0; i + n <= length; i++) {
		if (strncmp(text + i, mark, n) == 0) {
			return i;
		}
	}
	return 0;
}

/* What stands in pairs of marks; the first that fits is taken. */
static const struct {
	const char *open, *close, *tag;
	bool plain; /* what is inside is text */
} spans[] = {
    {"`", "`", "code", true},
    {"**", "**", "strong", false},
    {"*", "*", "em", false},
};

static void write_line(FILE *file, const char *text, size_t length);

/* Writes the span that starts at `text`; its length, 0 when none does. */
static size_t write_span(FILE *file, const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
		const size_t mark = strlen(spans[i].open);
		if (length <= mark || strncmp(text, spans[i].open, mark) != 0 || text[mark] == ' ') {
			continue;
		}
		const size_t inside = up_to(text + mark, length - mark, spans[i].close);
		if (inside == 0) {
			continue;
		}
		fprintf(file, "<%s>", spans[i].tag);
		if (spans[i].plain) {
			abut_html_write(file, text + mark, inside);
		} else {
			write_line(file, text + mark, inside);
		}
		fprintf(file, "</%s>", spans[i].tag);
		return inside + 2 * mark;
	}
	return 0;
}

/* Of [words](url) the words: the page stands alone, and the READMEs' links are relative. */
static size_t write_link(FILE *file, const char *text, size_t length)
{
	if (text[0] != '[') {
		return 0;
	}
	const size_t words = up_to(text + 1, length - 1, "](");
	const size_t url = words ? up_to(text + words + 3, length - words - 3, ")") : 0;
	if (url == 0) {
		return 0;
	}
	write_line(file, text + 1, words);
	return words + url + 4;
}

static void write_line(FILE *file, const char *text, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t taken = write_span(file, text + i, length - i);
		taken = taken ? taken : write_link(file, text + i, length - i);
		if (taken == 0) {
			abut_html_write(file, text + i, 1);
			taken = 1;
		}
		i += taken;
	}
}

/* Writes "## Heading" as one; false when the line is none. */
static bool write_heading(FILE *file, Block *block, const char *line, size_t length)
{
	const size_t level = strspn(line, "#");
	if (level == 0 || level > 4 || level >= length || line[level] != ' ') {
		return false;
	}
	change(file, block, NONE);
	if (level > 1) {
		fprintf(file, "<h%d>", (int)level);
		write_line(file, line + level + 1, length - level - 1);
		fprintf(file, "</h%d>\n", (int)level);
	}
	return true;
}

static void write_block_line(FILE *file, Block *block, const char *line, size_t length)
{
	const size_t indent = strspn(line, " ");
	if (indent >= length) {
		change(file, block, NONE);
	} else if (length - indent > 2 && strncmp(line + indent, "- ", 2) == 0) {
		if (*block == LIST) {
			fputs("</li>\n<li>", file);
		} else {
			change(file, block, LIST);
		}
		write_line(file, line + indent + 2, length - indent - 2);
	} else if (!write_heading(file, block, line, length)) {
		if (*block == NONE) {
			change(file, block, PARAGRAPH);
		} else {
			fputc('\n', file);
		}
		write_line(file, line + indent, length - indent);
	}
}

void abut_html_markdown(FILE *file, const char *text)
{
	Block block = NONE;
	while (*text) {
		const size_t length = strcspn(text, "\n");
		if (strncmp(text, "```", 3) == 0) {
			change(file, &block, block == CODE ? NONE : CODE);
		} else if (block == CODE) {
			abut_html_write(file, text, length);
			fputc('\n', file);
		} else {
			write_block_line(file, &block, text, length);
		}
		text += length + (text[length] == '\n');
	}
	change(file, &block, NONE);
}

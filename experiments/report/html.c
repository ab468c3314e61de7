/* Writes text as HTML, and a README as part of a page, block by block. A block is the lines up to the start of the next
 * one. */
#include "experiments/report/html.h"

#include <stdbool.h>
#include <string.h>

static void write_escaped(FILE *file, const char *text, size_t length)
{
	static const char marks[] = "&<>\"", *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		const char *special = c ? strchr(marks, c) : NULL;
		if (special) {
			fputs(names[special - marks], file);
		} else if (c >= 0x20 || c == '\n' || c == '\t') {
			fputc(c, file);
		}
	}
}

void abut_html_text(FILE *file, const char *text)
{
	write_escaped(file, text, strlen(text));
}

/* --- Markdown --- */

/* Returns the number of bytes from `text` up to `mark`, within `length`; 0 if the mark is missing or comes first. */
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

/* Spans between pairs of marks; the first matching one is used. */
static const struct {
	const char *open, *close, *tag;
	bool plain; /* marks inside the span have no meaning */
} spans[] = {
    {"`", "`", "code", true},
    {"**", "**", "strong", false},
    {"*", "*", "em", false},
};

static void write_line(FILE *file, const char *text, size_t length);

/* Writes the span that starts at `text` and returns its length. Returns 0 if there is none. */
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
			write_escaped(file, text + mark, inside);
		} else {
			write_line(file, text + mark, inside);
		}
		fprintf(file, "</%s>", spans[i].tag);
		return inside + 2 * mark;
	}
	return 0;
}

/* Writes the words of [words](url) without a link: READMEs have relative links, but the page is a single file. */
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
			write_escaped(file, text + i, 1);
			taken = 1;
		}
		i += taken;
	}
}

static size_t line_length(const char *text)
{
	return strcspn(text, "\n");
}

/* Returns the start of the next line. */
static const char *after_line(const char *text)
{
	text += line_length(text);
	return *text ? text + 1 : text;
}

static bool is_blank(const char *line)
{
	return strspn(line, " \t") >= line_length(line);
}

static bool is_item(const char *line)
{
	return strncmp(line + strspn(line, " "), "- ", 2) == 0;
}

static bool is_fence(const char *line)
{
	return strncmp(line, "```", 3) == 0;
}

/* Returns the level 1 to 4 of a heading, otherwise 0. */
static int heading_level(const char *line)
{
	const size_t level = strspn(line, "#");
	return level >= 1 && level <= 4 && line[level] == ' ' ? (int)level : 0;
}

/* Returns the end of the paragraph or item that starts at `text`. */
static const char *block_end(const char *text)
{
	const char *end = after_line(text);
	while (*end && !is_blank(end) && !is_item(end) && !is_fence(end) && heading_level(end) == 0) {
		end = after_line(end);
	}
	return end;
}

/* Writes the lines from `text` to `end`, without surrounding white space. */
static void write_lines(FILE *file, const char *text, const char *end)
{
	text += strspn(text, " ");
	while (end > text && strchr(" \n", end[-1])) {
		end--;
	}
	write_line(file, text, (size_t)(end - text));
}

static const char *write_code(FILE *file, const char *text)
{
	fputs("<pre>", file);
	for (text = after_line(text); *text && !is_fence(text); text = after_line(text)) {
		write_escaped(file, text, line_length(text));
		fputc('\n', file);
	}
	fputs("</pre>\n", file);
	return after_line(text);
}

static const char *write_list(FILE *file, const char *text)
{
	fputs("<ul>\n", file);
	while (is_item(text)) {
		const char *end = block_end(text);
		fputs("<li>", file);
		write_lines(file, strchr(text, '-') + 1, end);
		fputs("</li>\n", file);
		text = end;
	}
	fputs("</ul>\n", file);
	return text;
}

static const char *write_block(FILE *file, const char *text)
{
	const int level = heading_level(text);
	if (is_fence(text)) {
		return write_code(file, text);
	}
	if (is_item(text)) {
		return write_list(file, text);
	}
	const char *end = level > 0 ? after_line(text) : block_end(text);
	if (level != 1) {
		fprintf(file, level > 0 ? "<h%d>" : "<p>", level);
		write_lines(file, text + (level > 0 ? level + 1 : 0), end);
		fprintf(file, level > 0 ? "</h%d>\n" : "</p>\n", level);
	}
	return end;
}

void abut_html_markdown(FILE *file, const char *text)
{
	while (*text) {
		text = is_blank(text) ? after_line(text) : write_block(file, text);
	}
}

/* Scans JSON text: a state machine over the grammar, with an explicit stack of bounded depth. */
#include "io/json/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/text/words.h"

/* What the grammar allows next. */
enum { STATE_VALUE, STATE_FIRST_ITEM, STATE_FIRST_KEY, STATE_AFTER, STATE_END, STATE_ERROR };

void abut_json_scan_init(AbutJsonScanner *scanner, const char *text, size_t length)
{
	memset(scanner, 0, sizeof *scanner);
	scanner->text = text;
	scanner->length = length;
	scanner->state = STATE_VALUE;
}

__attribute__((format(printf, 3, 4))) static AbutJsonEvent fail(AbutJsonScanner *scanner, size_t at, const char *format,
                                                                ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(scanner->message, sizeof scanner->message, format, arguments);
	va_end(arguments);
	scanner->start = at;
	scanner->state = STATE_ERROR;
	return ABUT_JSON_ERROR;
}

static bool starts_with(const AbutJsonScanner *scanner, const char *word)
{
	const size_t n = strlen(word);
	return scanner->length - scanner->offset >= n && memcmp(scanner->text + scanner->offset, word, n) == 0;
}

/* Reports a character that the grammar does not allow here. */
static AbutJsonEvent unexpected(AbutJsonScanner *scanner, const char *expected)
{
	const size_t at = scanner->offset;
	if (at >= scanner->length) {
		return fail(scanner, at, "the text ends where %s is expected", expected);
	}
	const unsigned char c = (unsigned char)scanner->text[at];
	if (c == 0) {
		return fail(scanner, at, "NUL byte where %s is expected", expected);
	}
	if (starts_with(scanner, "\xef\xbb\xbf")) {
		return fail(scanner, at, "byte order mark where %s is expected; save the file without it", expected);
	}
	const char next = at + 1 < scanner->length ? scanner->text[at + 1] : '\0';
	if (c == '#' || (c == '/' && (next == '/' || next == '*'))) {
		return fail(scanner, at, "comments are not JSON; %s is expected here", expected);
	}
	static const char *const not_numbers[] = {"NaN", "nan", "NAN", "Infinity", "-Infinity", "inf", "-inf", "Inf"};
	for (size_t i = 0; i < sizeof not_numbers / sizeof *not_numbers; i++) {
		if (starts_with(scanner, not_numbers[i])) {
			return fail(scanner, at, "%s is not JSON: numbers must be finite", not_numbers[i]);
		}
	}
	if (c < 0x20 || c >= 0x7f) {
		return fail(scanner, at, "byte 0x%02x where %s is expected", c, expected);
	}
	return fail(scanner, at, "'%c' where %s is expected", c, expected);
}

static void skip_space(AbutJsonScanner *scanner)
{
	while (scanner->offset < scanner->length && strchr(" \t\r\n", scanner->text[scanner->offset]) &&
	       scanner->text[scanner->offset]) {
		scanner->offset++;
	}
}

static char peek(const AbutJsonScanner *scanner)
{
	return scanner->offset < scanner->length ? scanner->text[scanner->offset] : '\0';
}

/* Reads four hexadecimal digits; returns -1 if they are malformed. */
static int scan_hex4(AbutJsonScanner *scanner)
{
	int value = 0;
	for (int i = 0; i < 4; i++, scanner->offset++) {
		const char c = peek(scanner);
		const char *digit = c ? strchr("0123456789abcdef", c | 0x20) : NULL;
		if (!digit || c < '0') {
			return -1;
		}
		value = 16 * value + (int)(digit - "0123456789abcdef");
	}
	return value;
}

/* Scans an escape, which starts at the current offset. Returns false with the error set if it is malformed. */
static bool scan_escape(AbutJsonScanner *scanner)
{
	const size_t at = scanner->offset++;
	const char c = peek(scanner);
	if (c && strchr("\"\\/bfnrt", c)) {
		scanner->offset++;
		return true;
	}
	if (c != 'u') {
		fail(scanner, at, "a backslash in a string must be followed by one of \"\\/bfnrtu");
		return false;
	}
	scanner->offset++;
	int code = scan_hex4(scanner);
	if (code >= 0xd800 && code <= 0xdbff && starts_with(scanner, "\\u")) {
		scanner->offset += 2;
		const int low = scan_hex4(scanner);
		code = low >= 0xdc00 && low <= 0xdfff ? 0x10000 : -1;
	}
	if (code <= 0 || (code >= 0xd800 && code <= 0xdfff)) {
		fail(scanner, at,
		     "\\u must be followed by four hexadecimal digits of a character (not NUL, no lone "
		     "surrogate)");
		return false;
	}
	return true;
}

/* Scans a string, which starts at the current offset. Returns false with the error set if it is malformed. */
static bool scan_string(AbutJsonScanner *scanner)
{
	const size_t at = scanner->offset++;
	while (scanner->offset < scanner->length) {
		const char c = scanner->text[scanner->offset];
		if (c == '"') {
			scanner->offset++;
			return true;
		}
		if (c == '\\') {
			if (!scan_escape(scanner)) {
				return false;
			}
			continue;
		}
		if ((unsigned char)c < 0x20) {
			fail(scanner, scanner->offset,
			     "a control character (byte 0x%02x) inside a string must be escaped", (unsigned)c);
			return false;
		}
		const size_t n = abut_utf8_length(scanner->text + scanner->offset, scanner->length - scanner->offset);
		if (n == 0) {
			fail(scanner, scanner->offset, "byte 0x%02x inside a string is not valid UTF-8",
			     (unsigned char)c);
			return false;
		}
		scanner->offset += n;
	}
	fail(scanner, at, "this string is not closed");
	return false;
}

static bool scan_digits(AbutJsonScanner *scanner)
{
	const size_t at = scanner->offset;
	while (peek(scanner) >= '0' && peek(scanner) <= '9') {
		scanner->offset++;
	}
	return scanner->offset > at;
}

/* Returns whether a number starts here, even in a form that JSON does not allow (+1, .5). */
static bool at_number(const AbutJsonScanner *scanner)
{
	size_t at = scanner->offset;
	at += at < scanner->length && (scanner->text[at] == '-' || scanner->text[at] == '+');
	const bool is_negative = at > scanner->offset && scanner->text[scanner->offset] == '-';
	at += at < scanner->length && scanner->text[at] == '.';
	const bool has_digit = at < scanner->length && scanner->text[at] >= '0' && scanner->text[at] <= '9';
	return has_digit || (is_negative && !starts_with(scanner, "-I") && !starts_with(scanner, "-i"));
}

/* Scans a number, which starts at the current offset. Returns false with the error set if it is malformed. */
static bool scan_number(AbutJsonScanner *scanner)
{
	const size_t at = scanner->offset;
	scanner->offset += peek(scanner) == '-';
	bool valid = true;
	if (peek(scanner) == '0') {
		scanner->offset++;
		valid = !(peek(scanner) >= '0' && peek(scanner) <= '9');
	} else {
		valid = scan_digits(scanner);
	}
	if (valid && peek(scanner) == '.') {
		scanner->offset++;
		valid = scan_digits(scanner);
	}
	if (valid && (peek(scanner) | 0x20) == 'e') {
		scanner->offset++;
		scanner->offset += peek(scanner) == '-' || peek(scanner) == '+';
		valid = scan_digits(scanner);
	}
	if (!valid) {
		fail(scanner, at, "a malformed number: JSON allows -12, 3.5, 1e-6 (no leading zero, no bare dot)");
	} else if (scanner->offset - at > ABUT_JSON_MAX_NUMBER) {
		fail(scanner, at, "a number of %zu characters; at most %d are allowed", scanner->offset - at,
		     ABUT_JSON_MAX_NUMBER);
		valid = false;
	}
	return valid;
}

static AbutJsonEvent open_container(AbutJsonScanner *scanner, bool is_object)
{
	if (scanner->depth == ABUT_JSON_MAX_DEPTH) {
		scanner->path_depth =
		    1; /* report only the first step: the whole path would be longer than the rest of the message */
		return fail(scanner, scanner->offset, "arrays and objects nested deeper than %d", ABUT_JSON_MAX_DEPTH);
	}
	scanner->path_depth = scanner->depth;
	AbutJsonFrame *frame = &scanner->frames[scanner->depth++];
	memset(frame, 0, sizeof *frame);
	frame->is_object = is_object;
	scanner->state = is_object ? STATE_FIRST_KEY : STATE_FIRST_ITEM;
	scanner->offset++;
	return ABUT_JSON_OPEN;
}

static AbutJsonEvent close_container(AbutJsonScanner *scanner)
{
	scanner->start = scanner->offset++;
	scanner->path_depth = --scanner->depth;
	scanner->state = STATE_AFTER;
	return ABUT_JSON_CLOSE;
}

static AbutJsonEvent scan_value(AbutJsonScanner *scanner)
{
	scanner->start = scanner->offset;
	scanner->path_depth = scanner->depth;
	const char c = peek(scanner);
	if (c == '{' || c == '[') {
		return open_container(scanner, c == '{');
	}
	scanner->state = STATE_AFTER;
	if (c == '"') {
		return scan_string(scanner) ? ABUT_JSON_VALUE : ABUT_JSON_ERROR;
	}
	if (at_number(scanner)) {
		return scan_number(scanner) ? ABUT_JSON_VALUE : ABUT_JSON_ERROR;
	}
	static const char *const words[] = {"true", "false", "null"};
	for (int i = 0; i < 3; i++) {
		if (starts_with(scanner, words[i])) {
			scanner->offset += strlen(words[i]);
			return ABUT_JSON_VALUE;
		}
	}
	return unexpected(scanner, "a value");
}

static AbutJsonEvent scan_key(AbutJsonScanner *scanner)
{
	scanner->path_depth = scanner->depth - 1; /* an error in a key belongs to the enclosing object */
	if (peek(scanner) != '"') {
		return unexpected(scanner, "a key in double quotes");
	}
	const size_t at = scanner->offset;
	if (!scan_string(scanner)) {
		return ABUT_JSON_ERROR;
	}
	AbutJsonFrame *frame = &scanner->frames[scanner->depth - 1];
	frame->key_start = at + 1;
	frame->key_end = scanner->offset - 1;
	scanner->start = at;
	scanner->path_depth = scanner->depth;
	skip_space(scanner);
	if (peek(scanner) != ':') {
		return unexpected(scanner, "a colon after the key");
	}
	scanner->offset++;
	scanner->state = STATE_VALUE;
	return ABUT_JSON_KEY;
}

/* Scans what follows a value: the end of the text, a closing bracket, or a comma and the next key or element. */
static AbutJsonEvent scan_after(AbutJsonScanner *scanner)
{
	scanner->path_depth = scanner->depth > 0 ? scanner->depth - 1 : 0;
	if (scanner->depth == 0) {
		if (scanner->offset < scanner->length) {
			return unexpected(scanner, "the end of the text");
		}
		scanner->start = scanner->offset;
		scanner->state = STATE_END;
		return ABUT_JSON_END;
	}
	AbutJsonFrame *frame = &scanner->frames[scanner->depth - 1];
	const char c = peek(scanner);
	if (c == (frame->is_object ? '}' : ']')) {
		return close_container(scanner);
	}
	if (c != ',') {
		return unexpected(scanner, frame->is_object ? "a comma or '}'" : "a comma or ']'");
	}
	scanner->offset++;
	skip_space(scanner);
	if (frame->is_object) {
		return scan_key(scanner);
	}
	frame->index++;
	return scan_value(scanner);
}

AbutJsonEvent abut_json_scan_next(AbutJsonScanner *scanner)
{
	if (scanner->state == STATE_END || scanner->state == STATE_ERROR) {
		return scanner->state == STATE_END ? ABUT_JSON_END : ABUT_JSON_ERROR;
	}
	skip_space(scanner);
	if (scanner->state == STATE_AFTER) {
		return scan_after(scanner);
	}
	const char c = peek(scanner);
	if ((scanner->state == STATE_FIRST_KEY && c == '}') || (scanner->state == STATE_FIRST_ITEM && c == ']')) {
		return close_container(scanner);
	}
	return scanner->state == STATE_FIRST_KEY ? scan_key(scanner) : scan_value(scanner);
}

bool abut_json_scan_all(AbutJsonScanner *scanner)
{
	AbutJsonEvent event;
	do {
		event = abut_json_scan_next(scanner);
	} while (event != ABUT_JSON_END && event != ABUT_JSON_ERROR);
	return event == ABUT_JSON_END;
}

void abut_json_scan_path(const AbutJsonScanner *scanner, char *path, size_t size)
{
	path[0] = '\0';
	for (int i = 0; i < scanner->path_depth; i++) {
		const AbutJsonFrame *frame = &scanner->frames[i];
		if (!frame->is_object) {
			abut_path_append_index(path, size, frame->index);
		} else if (frame->key_end > 0) {
			abut_path_append_key(path, size, scanner->text + frame->key_start,
			                     frame->key_end - frame->key_start);
		}
	}
}

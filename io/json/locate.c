/* Finds a path in a JSON text. */
#include "io/json/locate.h"

#include <string.h>

#include "io/json/scan.h"

void abut_text_position(const char *text, size_t length, size_t offset, int *line, int *column)
{
	*line = 1;
	*column = 1;
	for (size_t i = 0; i < offset && i < length; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80) {
			++*column;
		}
	}
	/* An offset inside a character has the column of that character. */
	if (offset < length && ((unsigned char)text[offset] & 0xc0) == 0x80 && *column > 1) {
		--*column;
	}
}

static bool frame_matches(const AbutJsonScanner *scanner, const AbutJsonFrame *frame, const AbutPathStep *step)
{
	if (!frame->is_object) {
		return step->index == frame->index;
	}
	const size_t n = frame->key_end - frame->key_start;
	return step->index < 0 && strlen(step->key) == n && memcmp(scanner->text + frame->key_start, step->key, n) == 0;
}

/* Returns whether the scanner's current key or value lies on the path. The innermost step differs most often and is
 * compared first. */
static bool on_path(const AbutJsonScanner *scanner, const AbutPathStep *steps, int n_steps)
{
	if (scanner->path_depth > n_steps) {
		return false;
	}
	for (int i = scanner->path_depth - 1; i >= 0; i--) {
		if (!frame_matches(scanner, &scanner->frames[i], &steps[i])) {
			return false;
		}
	}
	return true;
}

void abut_json_locate(const char *text, size_t length, const char *path, bool at_key, int occurrence, int *line,
                      int *column)
{
	AbutPathStep steps[ABUT_PATH_MAX_STEPS];
	int n_steps = abut_path_parse(path, strlen(path), steps);
	if (n_steps < 0) {
		n_steps = 0;
	}
	AbutJsonScanner scanner;
	abut_json_scan_init(&scanner, text, length);
	size_t best = 0;
	int best_depth = -1;
	for (;;) {
		const AbutJsonEvent event = abut_json_scan_next(&scanner);
		if (event == ABUT_JSON_END || event == ABUT_JSON_ERROR) {
			break;
		}
		if (event == ABUT_JSON_CLOSE || !on_path(&scanner, steps, n_steps)) {
			continue;
		}
		if (scanner.path_depth == n_steps && (event == ABUT_JSON_KEY) == at_key && --occurrence <= 0) {
			best = scanner.start;
			break;
		}
		if (event != ABUT_JSON_KEY && scanner.path_depth > best_depth) {
			best = scanner.start;
			best_depth = scanner.path_depth;
		}
	}
	abut_text_position(text, length, best, line, column);
}

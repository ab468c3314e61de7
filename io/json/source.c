/* Converts a path in a scene to file, line and column. */
#include "io/json/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json/locate.h"
#include "io/json/scan.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

void abut_source_free(AbutSource *source)
{
	for (int i = 0; i < source->n_overrides; i++) {
		free(source->overrides[i].text);
	}
	free(source->overrides);
	free(source->name);
	free(source->text);
	memset(source, 0, sizeof *source);
}

AbutStatus abut_source_parse(const AbutSource *source, const char *what, AbutJson **root, AbutError *error)
{
	AbutJsonScanner scanner;
	abut_json_scan_init(&scanner, source->text, source->length);
	if (!abut_json_scan_all(&scanner)) {
		char path[sizeof error->where];
		abut_json_scan_path(&scanner, path, sizeof path);
		abut_error_set(error, ABUT_ERROR_PARSE, path, "%s", scanner.message);
		snprintf(error->file, sizeof error->file, "%s", source->name);
		abut_text_position(source->text, source->length, scanner.start, &error->line, &error->column);
		return ABUT_ERROR_PARSE;
	}
	*root = abut_json_parse(source->text, source->length);
	return *root ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory reading the %s", what);
}

AbutStatus abut_source_load(AbutSource *source, const char *path, const char *what, size_t most, AbutJson **root,
                            AbutError *error)
{
	source->name = strdup(path);
	AbutStatus status = source->name ? ABUT_OK : abut_fail_memory(error, path);
	ABUT_THEN(status, abut_file_read(path, what, most, &source->text, &source->length, error));
	ABUT_THEN(status, abut_source_parse(source, what, root, error));
	return status;
}

/* Returns whether `path` equals `prefix` or lies inside it. */
static bool lies_in(const char *path, const char *prefix)
{
	const size_t n = strlen(prefix);
	return n > 0 && strncmp(path, prefix, n) == 0 && (path[n] == '\0' || path[n] == '.' || path[n] == '[');
}

void abut_source_locate(const AbutSource *source, bool at_key, int occurrence, AbutError *error)
{
	for (int i = source->n_overrides - 1; i >= 0; i--) {
		if (lies_in(error->where, source->overrides[i].path)) {
			char quoted[ABUT_QUOTE_SIZE];
			const size_t n = strlen(error->message);
			snprintf(error->file, sizeof error->file, "--set");
			snprintf(error->message + n, sizeof error->message - n, " (set by %s)",
			         abut_text_quote(source->overrides[i].text, quoted));
			error->line = error->column = 0;
			return;
		}
	}
	snprintf(error->file, sizeof error->file, "%s", source->name);
	abut_json_locate(source->text, source->length, error->where, at_key, occurrence, &error->line, &error->column);
}

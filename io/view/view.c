/* Writes the replay page: the bundle with the packed runs inserted. */
#include "io/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"
#include "io/view/data.h"
#include "io/view/pack.h"

/* The runs are inserted here (io/view/page.html). */
static const char marker[] = "<!-- abut: runs -->";
static const char before[] = "<script type=\"application/x-abut-run\">", after[] = "</script>\n";

enum { BUNDLE_MOST_BYTES = 64 << 20 };

static size_t base64_length(size_t n)
{
	return (n + 2) / 3 * 4;
}

static void write_base64(FILE *file, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < n; i += 3) {
		const uint32_t group = ((uint32_t)bytes[i] << 16) | (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
		                       (i + 2 < n ? (uint32_t)bytes[i + 2] : 0);
		fputc(digits[group >> 18], file);
		fputc(digits[(group >> 12) & 63], file);
		fputc(i + 1 < n ? digits[(group >> 6) & 63] : '=', file);
		fputc(i + 2 < n ? digits[group & 63] : '=', file);
	}
}

/* Everything needed to write a page. */
typedef struct Page {
	char *bundle;
	size_t bundle_length;
	int n_runs;
	AbutRunRecord records[ABUT_VIEW_MOST_RUNS];
	AbutBytes packed[ABUT_VIEW_MOST_RUNS];
} Page;

static void drop_packed(Page *page)
{
	for (int i = 0; i < page->n_runs; i++) {
		abut_bytes_free(&page->packed[i]);
	}
}

static void close_page(Page *page)
{
	drop_packed(page);
	for (int i = 0; i < page->n_runs; i++) {
		abut_run_record_free(&page->records[i]);
	}
	free(page->bundle);
}

static AbutStatus read_bundle(Page *page, const char *path, AbutError *error)
{
	const AbutStatus status = abut_file_read(path, "bundle of the replay page", BUNDLE_MOST_BYTES, &page->bundle,
	                                         &page->bundle_length, error);
	if (status == ABUT_OK && !strstr(page->bundle, marker)) {
		return abut_file_fail(error, path, ABUT_ERROR_PARSE,
		                      "this is not the bundle of the replay page: it does not contain '%s'", marker);
	}
	return status;
}

static size_t page_size(const Page *page)
{
	size_t size = page->bundle_length;
	for (int i = 0; i < page->n_runs; i++) {
		size += base64_length(page->packed[i].size) + sizeof before + sizeof after - 2;
	}
	return size - (sizeof marker - 1);
}

static AbutStatus pack_all(Page *page, long every, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	drop_packed(page);
	for (int i = 0; status == ABUT_OK && i < page->n_runs; i++) {
		status = abut_view_pack(&page->records[i], every, &page->packed[i], error);
	}
	return status;
}

static long most_frames(const Page *page, long every)
{
	long most = 0;
	for (int i = 0; i < page->n_runs; i++) {
		const long n = abut_view_frame_count(&page->records[i], every);
		most = n > most ? n : most;
	}
	return most;
}

/* Packs the runs, showing fewer states until the page is small enough or only two states are left. The size of other
 * data is not known in advance, so `every` grows in proportion to the last size, and at least by one. */
static AbutStatus pack_within(Page *page, long *every, AbutError *error)
{
	AbutStatus status = pack_all(page, *every, error);
	while (status == ABUT_OK && page_size(page) > ABUT_VIEW_MOST_BYTES && most_frames(page, *every) > 2) {
		const double factor = (double)page_size(page) / (double)ABUT_VIEW_MOST_BYTES;
		const long next = (long)((double)*every * factor);
		*every = next > *every ? next : *every + 1;
		status = pack_all(page, *every, error);
	}
	return status;
}

static AbutStatus write_page(const Page *page, const AbutViewOptions *options, AbutError *error)
{
	AbutTarget target = {NULL};
	AbutStatus status = options->replaces_link ? abut_target_replace(&target, options->out, error)
	                                           : abut_target_open(&target, NULL, options->out, error);
	if (status == ABUT_OK) {
		const char *const place = strstr(page->bundle, marker), *const rest = place + sizeof marker - 1;
		fwrite(page->bundle, 1, (size_t)(place - page->bundle), target.file);
		for (int i = 0; i < page->n_runs; i++) {
			fputs(before, target.file);
			write_base64(target.file, page->packed[i].data, page->packed[i].size);
			fputs(after, target.file);
		}
		fwrite(rest, 1, page->bundle_length - (size_t)(rest - page->bundle), target.file);
	}
	return abut_target_end(&target, status, error);
}

AbutStatus abut_view_write(const AbutViewOptions *options, AbutViewReport *report, AbutError *error)
{
	Page page = {.n_runs = options->n_runs};
	long every = options->every > 0 ? options->every : 1;
	AbutStatus status = read_bundle(&page, options->bundle, error);
	for (int i = 0; status == ABUT_OK && i < page.n_runs; i++) {
		status = abut_run_read(options->folders[i], &page.records[i], error);
	}
	ABUT_THEN(status, options->every > 0 ? pack_all(&page, every, error) : pack_within(&page, &every, error));
	ABUT_THEN(status, write_page(&page, options, error));
	if (status == ABUT_OK && report) {
		*report = (AbutViewReport){page_size(&page), every, {0, 0}};
		for (int i = 0; i < page.n_runs; i++) {
			report->frames[i] = abut_view_frame_count(&page.records[i], every);
		}
	}
	close_page(&page);
	return status;
}

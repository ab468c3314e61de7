/* Writes report.html, a self-contained page. */
#include "experiments/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "abut/version.h"
#include "base/error.h"
#include "experiments/report/html.h"
#include "io/text/file_text.h"

enum { PATH_SIZE = 4096, MOST_STYLE = 1 << 16, MOST_FIGURE = 1 << 26 };

static AbutStatus read_from(const char *folder, const char *name, const char *what, size_t most, char **text,
                            AbutError *error)
{
	char path[PATH_SIZE];
	size_t length = 0;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return abut_file_read(path, what, most, text, &length, error);
}

/* Writes text between two pieces of HTML. */
static void write_between(FILE *file, const char *before, const char *text, const char *after)
{
	fputs(before, file);
	abut_html_text(file, text);
	fputs(after, file);
}

static AbutStatus write_head(FILE *file, const AbutReport *report, const char *style, AbutError *error)
{
	char *css = NULL;
	ABUT_TRY(read_from(style, "page.css", "style of the page", MOST_STYLE, &css, error));
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
	      file);
	abut_html_text(file, report->title);
	fprintf(file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>", css);
	abut_html_text(file, report->title);
	fprintf(file, "</h1>\n<p class=\"run\">Abut %s &#183; seed %llu%s</p>\n", abut_version(), report->seed,
	        report->quick ? " &#183; <strong>quick run: a demonstration without verdicts</strong>" : "");
	if (report->command) {
		write_between(file, "<pre class=\"command\">", report->command, "</pre>\n");
	}
	fputs("</header>\n", file);
	free(css);
	return ABUT_OK;
}

static void write_targets(FILE *file, const AbutReport *report)
{
	static const char *const classes[] = {"none", "met", "missed"};
	if (report->n_targets == 0) {
		return;
	}
	fputs("<section>\n<h2>Result</h2>\n<ul class=\"targets\">\n", file);
	for (int i = 0; i < report->n_targets; i++) {
		const AbutReportTarget *target = &report->targets[i];
		fprintf(file, "<li><span class=\"verdict %s\">%s</span> <span>", classes[target->verdict],
		        abut_verdict_name(target->verdict));
		abut_html_text(file, target->text);
		fputs("</span></li>\n", file);
	}
	fputs("</ul>\n</section>\n", file);
}

/* Returns the length of the attribute prefix at `text`, if an id of the drawing follows it; otherwise 0. */
static size_t before_name(const char *text)
{
	static const char *const marks[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (strncmp(text, marks[i], strlen(marks[i])) == 0) {
			return strlen(marks[i]);
		}
	}
	return 0;
}

/* Writes a drawing. gnuplot uses the same ids in every drawing, and a page has several. So each id is prefixed with the
 * name of the figure. */
static void write_svg(FILE *file, const char *svg, const char *name)
{
	while (*svg) {
		const size_t n = before_name(svg);
		if (n > 0) {
			fprintf(file, "%.*s%s-", (int)n, svg, name);
			svg += n;
		} else {
			fputc(*svg++, file);
		}
	}
}

static AbutStatus write_figure(FILE *file, const AbutFigure *figure, const char *out, AbutError *error)
{
	char *svg = NULL, name[256];
	fputs("<figure>\n", file);
	if (figure->drawn) {
		snprintf(name, sizeof name, "%s.svg", figure->name);
		ABUT_TRY(read_from(out, name, "figure", MOST_FIGURE, &svg, error));
		const char *start = strstr(svg, "<svg"); /* skips the prologue, which only a separate file needs */
		write_svg(file, start ? start : "", figure->name);
	} else {
		write_between(file, "<p class=\"undrawn\">Not drawn: ",
		              figure->problem ? figure->problem : "gnuplot was not found; install Debian's gnuplot-nox",
		              ". <code>gnuplot ");
		abut_html_text(file, figure->name);
		fputs(".gp</code> in this folder draws it.</p>\n", file);
	}
	write_between(file, "<figcaption>", figure->caption, "</figcaption>\n</figure>\n");
	free(svg);
	return ABUT_OK;
}

static void write_cells(FILE *file, const AbutTable *table, int row)
{
	char text[ABUT_CELL_SIZE];
	fputs("<tr>", file);
	for (int i = 0; i < table->n_columns; i++) {
		if (table->columns[i].digits == ABUT_COLUMN_OF_FILES) {
			continue;
		}
		fputs(abut_table_cell(table, row, i)->text ? "<td class=\"text\">" : "<td>", file);
		abut_html_text(file, abut_table_show(table, row, i, text));
		fputs("</td>", file);
	}
	fputs("</tr>\n", file);
}

static void write_table(FILE *file, const AbutTable *table)
{
	write_between(file, "<div class=\"table\">\n<table>\n<caption>", table->title, "</caption>\n<thead>\n<tr>");
	for (int i = 0; i < table->n_columns; i++) {
		if (table->columns[i].digits == ABUT_COLUMN_OF_FILES) {
			continue;
		}
		const bool text = abut_table_rows(table) > 0 && abut_table_cell(table, 0, i)->text;
		fputs(text ? "<th class=\"text\">" : "<th>", file);
		abut_html_text(file, table->columns[i].heading);
		fputs("</th>", file);
	}
	fputs("</tr>\n</thead>\n<tbody>\n", file);
	for (int row = 0; row < abut_table_rows(table); row++) {
		write_cells(file, table, row);
	}
	fputs("</tbody>\n</table>\n</div>\n", file);
	for (int i = 0; i < table->n_notes; i++) {
		write_between(file, "<p class=\"note\">", table->notes[i], "</p>\n");
	}
}

static void write_settings(FILE *file, const AbutReport *report)
{
	fputs("<section>\n<h2>Settings</h2>\n<dl>\n", file);
	for (int i = 0; i < report->n_settings; i++) {
		write_between(file, "<div><dt>", report->settings[i].name, "</dt><dd>");
		abut_html_text(file, report->settings[i].value);
		fputs("</dd></div>\n", file);
	}
	fputs("</dl>\n</section>\n", file);
}

static void write_files(FILE *file, const AbutReport *report)
{
	fputs("<footer>\n<p>In the same folder: <code>result.json</code>", file);
	for (int i = 0; i < report->n_tables; i++) {
		write_between(file, ", <code>", report->tables[i]->name, ".csv</code>");
	}
	fputs("; the tables also as JSON, the figures as SVG and PNG, each with its gnuplot script.</p>\n</footer>\n",
	      file);
}

AbutStatus abut_report_write_page(FILE *file, const AbutReport *report, const char *style, const char *out,
                                  AbutError *error)
{
	ABUT_TRY(write_head(file, report, style, error));
	fputs("<main>\n", file);
	if (report->about) {
		fputs("<section class=\"about\">\n", file);
		abut_html_markdown(file, report->about);
		fputs("</section>\n", file);
	}
	write_targets(file, report);
	fputs("<section>\n<h2>Figures and tables</h2>\n", file);
	for (int i = 0; i < report->n_figures; i++) {
		ABUT_TRY(write_figure(file, &report->figures[i], out, error));
	}
	for (int i = 0; i < report->n_tables; i++) {
		if (!report->tables[i]->data) {
			write_table(file, report->tables[i]);
		}
	}
	fputs("</section>\n", file);
	write_settings(file, report);
	fputs("</main>\n", file);
	write_files(file, report);
	fputs("</body>\n</html>\n", file);
	return ABUT_OK;
}

/* Tests reports: tables as CSV and JSON, the page, Markdown, and drawing with or without gnuplot. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/report/heat.h"
#include "experiments/report/html.h"
#include "experiments/report/write.h"
#include "experiments/temp_folder.h"

TestSuite(report, .init = set_up, .fini = tear_down);

static const char *read_out(const char *name)
{
	static char text[1 << 20];
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	cr_assert_not_null(file, "%s", path);
	const size_t n = fread(text, 1, sizeof text - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

static void write_in(const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

/* Checks that every tag is closed in the order of opening, and that text contains no markup characters. Void elements
 * end in "/>". */
static void check_html(const char *text)
{
	char open[64][16];
	int depth = 0;
	for (const char *c = text; *c; c++) {
		if (*c == '&') {
			const size_t n = strcspn(c, "; \n");
			cr_assert(c[n] == ';' && n < 10, "a bare & at %.20s", c);
		}
		cr_assert_neq(*c, '>', "a bare > at %.20s", c);
		if (*c != '<') {
			continue;
		}
		const char *end = strchr(c, '>');
		cr_assert_not_null(end, "%.20s", c);
		char tag[16];
		const size_t n = strcspn(c + 1, " />\n");
		if (c[1] == '/') {
			snprintf(tag, sizeof tag, "%.*s", (int)(end - c - 2), c + 2);
			cr_assert_gt(depth, 0);
			cr_assert_str_eq(tag, open[depth - 1], "</%s> in <%s>", tag, open[depth - 1]);
			depth--;
		} else if (c[1] != '!' && c[1] != '?' && end[-1] != '/') {
			cr_assert(n > 0 && n < sizeof tag && depth < 64, "%.20s", c);
			snprintf(open[depth++], sizeof open[0], "%.*s", (int)n, c + 1);
		}
		c = end;
		/* The content of a style sheet is not HTML text. */
		if (depth > 0 && strcmp(open[depth - 1], "style") == 0 && end[-1] != '/') {
			c = strstr(end, "</style>");
			cr_assert_not_null(c);
			c--;
		}
	}
	cr_assert_eq(depth, 0, "<%s> is open at the end", depth > 0 ? open[depth - 1] : "");
}

static const char hostile[] = "a <b> & \"c\", \x01"
                              "d";

static void fill(AbutReport *report, bool quick)
{
	abut_report_init(report, "name", hostile, quick, 7);
	report->command = strdup("abut experiment name > x");
	report->about = strdup("# Title\n\n## Question\n\nIs `a < b`?\n");
	abut_report_setting(report, "a & b", "%g < %g", 1.0, 2.0);
	AbutTable *table = abut_report_table(report, "table", hostile);
	abut_table_column(table, "words", "words <of>", 0);
	abut_table_column(table, "value", "value", 3);
	abut_table_text(table, hostile);
	abut_table_number(table, 1.0 / 3.0);
	abut_table_text(table, "nothing");
	abut_table_number(table, (double)NAN);
	AbutTable *data = abut_report_data(report, "data", "points");
	abut_table_column(data, "x", "x", 3);
	abut_table_column(data, "y", "y", 3);
	for (int i = 0; i < 20; i++) {
		abut_table_numbers(data, 2, (const double[]){i, i * i});
	}
	abut_report_figure(report, "parabola", 400, 300, hostile);
	abut_report_target(report, true, "one");
	abut_report_target(report, false, "two");
	abut_report_result(report, "three");
	write_in("parabola.gp", "plot 'data.csv' using 1:2 with lines\n");
}

static AbutStatus write_all(AbutReport *report, bool *undrawn, AbutError *error)
{
	return abut_report_write(report, folder, ABUT_SOURCE_DIR "/experiments/report", folder, undrawn, error);
}

Test(report, tables_read_back)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn;
	fill(&report, false);
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	cr_expect_str_eq(read_out("table.csv"), "words,value\n\"a <b> & \"\"c\"\", \x01"
	                                        "d\",0.33333333333333331\n"
	                                        "nothing,\n");
	cJSON *object = cJSON_Parse(read_out("table.json"));
	cr_assert_not_null(object);
	const cJSON *rows = cJSON_GetObjectItem(object, "rows");
	cr_assert_eq(cJSON_GetArraySize(rows), 2);
	const cJSON *first = cJSON_GetArrayItem(rows, 0), *second = cJSON_GetArrayItem(rows, 1);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(first, "words")), hostile);
	cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(first, "value")), 1.0 / 3.0);
	cr_expect(cJSON_IsNull(cJSON_GetObjectItem(second, "value")));
	cJSON_Delete(object);
	object = cJSON_Parse(read_out("result.json"));
	cr_assert_not_null(object);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(object, "title")), hostile);
	cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(object, "tables")), 1, "data tables are not for the page");
	cJSON_Delete(object);
	abut_report_free(&report);
}

Test(report, page_is_well_formed_and_escaped)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn;
	fill(&report, false);
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	const char *page = read_out("report.html");
	check_html(page);
	cr_expect_null(strstr(page, "a <b>"));
	cr_expect_null(strchr(page, '\x01'));
	cr_expect_not_null(strstr(page, "a &lt;b&gt; &amp; &quot;c&quot;, d"));
	cr_expect_not_null(strstr(page, "NOT met"));
	cr_expect_not_null(strstr(page, "<code>a &lt; b</code>"));
	cr_expect_null(strstr(page, "http://abut"), "nothing is loaded from elsewhere");
	abut_report_free(&report);
}

/* Both pictures are drawn, and the page contains the drawing. */
Test(report, figures_are_drawn)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn;
	fill(&report, false);
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	if (undrawn) {
		cr_skip_test("gnuplot is not installed");
	}
	cr_expect(report.figures[0].drawn);
	cr_expect_eq(memcmp(read_out("parabola.png"), "\x89PNG", 4), 0);
	cr_expect_not_null(strstr(read_out("parabola.svg"), "<svg"));
	cr_expect_not_null(strstr(read_out("report.html"), "<svg"));
	abut_report_free(&report);
}

Test(report, without_gnuplot_all_else_is_written)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn = false;
	fill(&report, false);
	cr_assert_eq(setenv("PATH", "/nowhere", 1), 0);
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	cr_expect(undrawn);
	cr_expect_not(report.figures[0].drawn);
	const char *page = read_out("report.html");
	check_html(page);
	cr_expect_not_null(strstr(page, "gnuplot-nox"));
	cr_expect_null(strstr(page, "<svg"));
	cr_expect_not_null(strstr(read_out("parabola.gp"), "data.csv"));
	abut_report_free(&report);
	cr_assert_eq(setenv("PATH", "/usr/bin:/bin", 1), 0);
}

/* A wrong script costs only its picture. */
Test(report, a_wrong_script_costs_its_figure_alone)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn = false;
	fill(&report, false);
	abut_report_figure(&report, "line", 400, 300, "a line");
	write_in("parabola.gp", "plod 'data.csv'\n");
	write_in("line.gp", "plot 'data.csv' using 1:2 with lines\n");
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	if (undrawn) {
		cr_skip_test("gnuplot is not installed");
	}
	cr_expect_not(report.figures[0].drawn);
	cr_assert_not_null(report.figures[0].problem);
	cr_expect_not_null(strstr(report.figures[0].problem, "line "), "%s", report.figures[0].problem);
	cr_expect(report.figures[1].drawn);
	cr_expect_null(report.figures[1].problem);
	const char *page = read_out("report.html");
	check_html(page);
	cr_expect_not_null(strstr(page, "cannot draw"));
	cr_expect_not_null(strstr(page, "<svg"));
	cJSON *object = cJSON_Parse(read_out("result.json"));
	cr_assert_not_null(object);
	const cJSON *figures = cJSON_GetObjectItem(object, "figures");
	cr_expect(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(figures, 0), "drawn")));
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(figures, 1), "drawn")));
	cJSON_Delete(object);
	abut_report_free(&report);
}

/* Finds the text of each name on the page, which must be unique. */
Test(report, names_of_several_drawings_are_the_pages_only_ones)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn = false;
	int names = 0;
	fill(&report, false);
	abut_report_figure(&report, "line", 400, 300, "a line");
	write_in("line.gp", "plot 'data.csv' using 1:2 with linespoints\n");
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	if (undrawn) {
		cr_skip_test("gnuplot is not installed");
	}
	const char *page = read_out("report.html");
	for (const char *at = page; (at = strstr(at, " id=")) != NULL; at++) {
		char name[128];
		snprintf(name, sizeof name, "%.*s", (int)(strcspn(at + 5, "\"'") + 5), at);
		const char *again = at + 1;
		while ((again = strstr(again, name)) != NULL && strchr("\"'", again[strlen(name)]) == NULL) {
			again++;
		}
		cr_expect_null(again, "twice: %s", name);
		names++;
	}
	cr_expect_gt(names, 1);
	cr_expect_not_null(strstr(page, "href='#line-gp"), "what is drawn again is found by its new name");
	abut_report_free(&report);
}

/* A cell without a value does not have the colour of a good one. */
Test(report, a_heat_cell_without_a_value_is_grey)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn = false;
	const AbutHeatPanel panel = {0, 0, "panel"};
	abut_report_init(&report, "name", "title", false, 0);
	AbutTable *table = abut_report_data(&report, "heat", "cells");
	abut_heat_columns(table);
	abut_heat_add(table, &panel, &(AbutHeatCell){0, 0, "a", "1", 0.0, "0"});
	abut_heat_add(table, &panel, &(AbutHeatCell){1, 0, "b", "1", (double)NAN, "failed"});
	abut_report_common_figure(&report, "heat", "heat", 400, 300, "cells");
	cr_expect_eq(abut_table_cell(table, 0, 7)->number, 0.0);
	cr_expect_eq(abut_table_cell(table, 1, 7)->number, -1.0);
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	if (!undrawn) {
		cr_expect(report.figures[0].drawn, "%s", report.figures[0].problem);
		const char *svg = read_out("heat.svg");
		cr_expect_not_null(strstr(svg, "201, 201, 201"), "grey");
		cr_expect_not_null(strstr(svg, ">failed<"));
	}
	abut_report_free(&report);
}

Test(report, notes_stand_under_their_table)
{
	AbutReport report;
	AbutError error = {0};
	bool undrawn = false;
	char longer[400];
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	fill(&report, false);
	abut_table_note(report.tables[0], "%s & more", longer);
	cr_assert_eq(write_all(&report, &undrawn, &error), ABUT_OK, "%s", error.message);
	const char *page = read_out("report.html");
	check_html(page);
	cr_expect_not_null(strstr(page, "xxx &amp; more"));
	cr_expect_not_null(strstr(page, longer), "whole");
	abut_report_free(&report);
}

Test(report, a_quick_run_gives_no_verdicts)
{
	AbutReport report;
	fill(&report, false);
	cr_expect(abut_report_missed(&report));
	cr_expect_eq(report.targets[0].verdict, ABUT_VERDICT_MET);
	abut_report_free(&report);
	fill(&report, true);
	cr_expect_not(abut_report_missed(&report));
	cr_expect_eq(report.targets[0].verdict, ABUT_VERDICT_NONE);
	abut_report_free(&report);
}

Test(report, a_table_that_ends_within_a_row_is_refused)
{
	AbutReport report;
	AbutError error = {0};
	fill(&report, false);
	cr_expect_eq(abut_report_check(&report, &error), ABUT_OK);
	abut_table_number(report.tables[0], 1.0);
	cr_expect_eq(abut_report_check(&report, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_not_null(strstr(error.message, "table"));
	abut_report_free(&report);
}

Test(report, markdown)
{
	static const struct {
		const char *text, *html;
	} cases[] = {
	    {"# Title\n\nText\nof two lines\n", "<p>Text\nof two lines</p>\n"},
	    {"## A & b\n", "<h2>A &amp; b</h2>\n"},
	    {"- one\n- **two** and\n  on\n", "<ul>\n<li>one</li>\n<li><strong>two</strong> and\n  on</li>\n</ul>\n"},
	    {"`a*b*c` *d* [e](f.md)", "<p><code>a*b*c</code> <em>d</em> e</p>\n"},
	    {"```\n<x>\n```\nend", "<pre>&lt;x&gt;\n</pre>\n<p>end</p>\n"},
	    {"2 * 3 * 4 ` [", "<p>2 * 3 * 4 ` [</p>\n"},
	    {"**over\ntwo** lines", "<p><strong>over\ntwo</strong> lines</p>\n"},
	    {"text\n- item\n\ntext", "<p>text</p>\n<ul>\n<li>item</li>\n</ul>\n<p>text</p>\n"},
	    {"```\nopen", "<pre>open\n</pre>\n"},
	    {"**open", "<p>**open</p>\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[256] = "";
		FILE *file = fmemopen(out, sizeof out, "w");
		abut_html_markdown(file, cases[i].text);
		fclose(file);
		cr_expect_str_eq(out, cases[i].html, "%s", cases[i].text);
	}
}

/* Collects settings, tables, figures and targets of a report. */
#include "experiments/report/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

enum { TEXT_SIZE = 1024 };

static char *copy(AbutReport *report, const char *text)
{
	char *const out = strdup(text);
	report->failed = report->failed || !out;
	return out;
}

static char *print(AbutReport *report, const char *format, va_list arguments)
{
	char text[TEXT_SIZE];
	vsnprintf(text, sizeof text, format, arguments);
	return copy(report, text);
}

/* Makes room for one more element. Without memory, marks the report as failed and returns false. */
static bool make_room(AbutReport *report, void *array, int *room, int n, size_t size)
{
	const bool good = abut_grow(array, room, n + 1, size);
	report->failed = report->failed || !good;
	return good;
}

void abut_report_init(AbutReport *report, const char *name, const char *title, bool quick, unsigned long long seed)
{
	*report = (AbutReport){.quick = quick, .seed = seed};
	report->name = copy(report, name);
	report->title = copy(report, title);
}

void abut_report_free(AbutReport *report)
{
	for (int i = 0; i < report->n_settings; i++) {
		free(report->settings[i].name);
		free(report->settings[i].value);
	}
	for (int i = 0; i < report->n_tables; i++) {
		abut_table_destroy(report->tables[i]);
	}
	for (int i = 0; i < report->n_targets; i++) {
		free(report->targets[i].text);
	}
	for (int i = 0; i < report->n_figures; i++) {
		free(report->figures[i].problem);
	}
	free(report->settings);
	free(report->tables);
	free(report->figures);
	free(report->targets);
	free(report->name);
	free(report->title);
	free(report->command);
	free(report->about);
	memset(report, 0, sizeof *report);
}

static AbutTable *add_table(AbutReport *report, const char *name, const char *title, bool data)
{
	if (!make_room(report, &report->tables, &report->table_room, report->n_tables, sizeof(AbutTable *))) {
		return NULL;
	}
	AbutTable *table = abut_table_create(name, title, data);
	if (!table) {
		report->failed = true;
		return NULL;
	}
	report->tables[report->n_tables++] = table;
	return table;
}

AbutTable *abut_report_table(AbutReport *report, const char *name, const char *title)
{
	return add_table(report, name, title, false);
}

AbutTable *abut_report_data(AbutReport *report, const char *name, const char *title)
{
	return add_table(report, name, title, true);
}

static void add_figure(AbutReport *report, AbutFigure figure)
{
	if (make_room(report, &report->figures, &report->figure_room, report->n_figures, sizeof *report->figures)) {
		report->figures[report->n_figures++] = figure;
	}
}

void abut_report_figure(AbutReport *report, const char *name, int width, int height, const char *caption)
{
	add_figure(report,
	           (AbutFigure){.name = name, .script = name, .caption = caption, .width = width, .height = height});
}

void abut_report_common_figure(AbutReport *report, const char *name, const char *script, int width, int height,
                               const char *caption)
{
	add_figure(
	    report,
	    (AbutFigure){
	        .name = name, .script = script, .common = true, .caption = caption, .width = width, .height = height});
}

void abut_report_setting(AbutReport *report, const char *name, const char *format, ...)
{
	if (make_room(report, &report->settings, &report->setting_room, report->n_settings, sizeof *report->settings)) {
		va_list arguments;
		va_start(arguments, format);
		report->settings[report->n_settings++] =
		    (AbutSetting){copy(report, name), print(report, format, arguments)};
		va_end(arguments);
	}
}

static void add_target(AbutReport *report, AbutVerdict verdict, const char *format, va_list arguments)
{
	if (make_room(report, &report->targets, &report->target_room, report->n_targets, sizeof *report->targets)) {
		report->targets[report->n_targets++] = (AbutReportTarget){print(report, format, arguments), verdict};
	}
}

void abut_report_target(AbutReport *report, bool met, const char *format, ...)
{
	const AbutVerdict verdict = met ? ABUT_VERDICT_MET : ABUT_VERDICT_NOT_MET;
	va_list arguments;
	va_start(arguments, format);
	add_target(report, report->quick ? ABUT_VERDICT_NONE : verdict, format, arguments);
	va_end(arguments);
}

void abut_report_result(AbutReport *report, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	add_target(report, ABUT_VERDICT_NONE, format, arguments);
	va_end(arguments);
}

AbutStatus abut_report_check(const AbutReport *report, AbutError *error)
{
	bool failed = report->failed;
	for (int i = 0; i < report->n_tables; i++) {
		const AbutTable *table = report->tables[i];
		failed = failed || table->failed;
		if (!failed && table->n_cells != table->n_columns * abut_table_rows(table)) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the table %s ends within a row",
			                      table->name);
		}
	}
	return failed ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the report") : ABUT_OK;
}

bool abut_report_missed(const AbutReport *report)
{
	for (int i = 0; i < report->n_targets; i++) {
		if (report->targets[i].verdict == ABUT_VERDICT_NOT_MET) {
			return true;
		}
	}
	return false;
}

const char *abut_verdict_name(AbutVerdict verdict)
{
	switch (verdict) {
	case ABUT_VERDICT_MET:
		return "met";
	case ABUT_VERDICT_NOT_MET:
		return "NOT met";
	case ABUT_VERDICT_NONE:
		break;
	}
	return "reported";
}

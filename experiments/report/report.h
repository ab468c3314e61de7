/* Collects the results of an experiment: settings, tables, figures, targets. The experiment fills them in; write.h
 * makes files and a page from them. */
#pragma once

#include "abut/status.h"
#include "experiments/report/table.h"

typedef enum AbutVerdict {
	ABUT_VERDICT_NONE, /* no verdict, as in a quick run or for a result without a bound */
	ABUT_VERDICT_MET,
	ABUT_VERDICT_NOT_MET
} AbutVerdict;

typedef struct AbutReportTarget {
	char *text; /* owned: target and result in words */
	AbutVerdict verdict;
} AbutReportTarget;

typedef struct AbutSetting {
	char *name, *value; /* owned */
} AbutSetting;

/* A figure, which gnuplot draws from `SCRIPT.gp`. The script reads the files of the tables by their names. */
typedef struct AbutFigure {
	const char *name, *caption; /* static */
	const char *script;         /* static */
	bool common;                /* the script is one of all experiments (experiments/report/), not of this one */
	int width, height;          /* screen pixels */
	bool drawn;
	char *problem; /* owned: why gnuplot could not draw it; NULL if it could, or if gnuplot is not installed */
} AbutFigure;

typedef struct AbutReport {
	char *name, *title; /* owned: name and title of the experiment */
	char *command;      /* owned: the command that repeats the experiment */
	char *about;        /* owned: the README of the experiment's folder */
	bool quick;         /* the run is quick and has no verdicts */
	unsigned long long seed;
	AbutSetting *settings;
	AbutTable **tables; /* each owned */
	AbutFigure *figures;
	AbutReportTarget *targets;
	int n_settings, n_tables, n_figures, n_targets;
	int setting_room, table_room, figure_room, target_room;
	bool failed; /* out of memory */
} AbutReport;

void abut_report_init(AbutReport *report, const char *name, const char *title, bool quick, unsigned long long seed);
void abut_report_free(AbutReport *report);

/* Adds a table, which the report owns. Returns NULL when out of memory; abut_report_check then fails. */
AbutTable *abut_report_table(AbutReport *report, const char *name, const char *title);
/* Adds a table with the columns of an array. */
#define ABUT_TABLE(report, name, title, columns)                                                                       \
	abut_report_columns(abut_report_table(report, name, title), sizeof(columns) / sizeof *(columns), columns)
#define ABUT_DATA(report, name, title, columns)                                                                        \
	abut_report_columns(abut_report_data(report, name, title), sizeof(columns) / sizeof *(columns), columns)
static inline AbutTable *abut_report_columns(AbutTable *table, int n, const AbutColumn *columns)
{
	abut_table_columns(table, n, columns);
	return table;
}
/* Adds a table that is only in files and figures, not on the page. */
AbutTable *abut_report_data(AbutReport *report, const char *name, const char *title);
void abut_report_figure(AbutReport *report, const char *name, int width, int height, const char *caption);
/* Adds a figure with a script `SCRIPT.gp` that all experiments share (experiments/report/); "heat" draws shaded cells
 * from the table of the same name (heat.h). */
void abut_report_common_figure(AbutReport *report, const char *name, const char *script, int width, int height,
                               const char *caption);
__attribute__((format(printf, 3, 4))) void abut_report_setting(AbutReport *report, const char *name, const char *format,
                                                               ...);
/* Adds a target. In a quick run its verdict is ABUT_VERDICT_NONE. */
__attribute__((format(printf, 3, 4))) void abut_report_target(AbutReport *report, bool met, const char *format, ...);
/* Adds a result without a bound. */
__attribute__((format(printf, 2, 3))) void abut_report_result(AbutReport *report, const char *format, ...);

/* Checks the report: ABUT_ERROR_MEMORY when something is missing, ABUT_ERROR_ARGUMENT when the cells of a table do not
 * fill its rows. */
AbutStatus abut_report_check(const AbutReport *report, AbutError *error);
bool abut_report_missed(const AbutReport *report);  /* whether a target was missed */
const char *abut_verdict_name(AbutVerdict verdict); /* "met", "NOT met", "reported" */

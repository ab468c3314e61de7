/* What an experiment has found: settings, tables, figures, targets. The experiment fills it in; the files and the page
 * are made from it (write.h). */
#ifndef EXPERIMENTS_REPORT_REPORT_H
#define EXPERIMENTS_REPORT_REPORT_H

#include "abut/status.h"
#include "experiments/report/table.h"

typedef enum AbutVerdict {
	ABUT_VERDICT_NONE, /* not asked of this run: a quick one, or a figure without a bound */
	ABUT_VERDICT_MET,
	ABUT_VERDICT_NOT_MET
} AbutVerdict;

typedef struct AbutReportTarget {
	char *text; /* owned: what was asked and what came out */
	AbutVerdict verdict;
} AbutReportTarget;

typedef struct AbutSetting {
	char *name, *value; /* owned */
} AbutSetting;

/* Drawn by gnuplot from `SCRIPT.gp`, which reads the tables' files by their names. */
typedef struct AbutFigure {
	const char *name, *caption; /* static */
	const char *script;         /* static */
	bool common;                /* the script is one of all experiments, otherwise in the experiment's folder */
	int width, height;          /* in units of a screen's pixel */
	bool drawn;
	char *problem; /* owned: why gnuplot could not draw it; NULL: it did, or is missing */
} AbutFigure;

typedef struct AbutReport {
	char *name, *title; /* owned: of the experiment */
	char *command;      /* owned: the call that repeats it */
	char *about;        /* owned: the README of its folder */
	bool quick;         /* no verdicts */
	unsigned long long seed;
	AbutSetting *settings;
	AbutTable **tables; /* owned each */
	AbutFigure *figures;
	AbutReportTarget *targets;
	int n_settings, n_tables, n_figures, n_targets;
	int setting_room, table_room, figure_room, target_room;
	bool failed; /* out of memory */
} AbutReport;

void abut_report_init(AbutReport *report, const char *name, const char *title, bool quick, unsigned long long seed);
void abut_report_free(AbutReport *report);

/* The table is the report's. NULL when out of memory, which abut_report_check then tells. */
AbutTable *abut_report_table(AbutReport *report, const char *name, const char *title);
/* Makes the table with the columns of an array. */
#define ABUT_TABLE(report, name, title, columns)                                                                       \
	abut_report_columns(abut_report_table(report, name, title), sizeof(columns) / sizeof *(columns), columns)
#define ABUT_DATA(report, name, title, columns)                                                                        \
	abut_report_columns(abut_report_data(report, name, title), sizeof(columns) / sizeof *(columns), columns)
static inline AbutTable *abut_report_columns(AbutTable *table, int n, const AbutColumn *columns)
{
	abut_table_columns(table, n, columns);
	return table;
}
/* The same for one that only files and figures have. */
AbutTable *abut_report_data(AbutReport *report, const char *name, const char *title);
void abut_report_figure(AbutReport *report, const char *name, int width, int height, const char *caption);
/* The same by the script `SCRIPT.gp` of all experiments (report/). */
void abut_report_common_figure(AbutReport *report, const char *name, const char *script, int width, int height,
                               const char *caption);
/* Panels of shaded cells, from the table of the same name (heat.h). */
void abut_report_heat(AbutReport *report, const char *name, int width, int height, const char *caption);
__attribute__((format(printf, 3, 4))) void abut_report_setting(AbutReport *report, const char *name, const char *format,
                                                               ...);
/* In a quick run the verdict is NONE, whatever is said here. */
__attribute__((format(printf, 3, 4))) void abut_report_target(AbutReport *report, bool met, const char *format, ...);
/* A figure of interest without a bound. */
__attribute__((format(printf, 2, 3))) void abut_report_result(AbutReport *report, const char *format, ...);

/* ABUT_ERROR_MEMORY when something is missing, ABUT_ERROR_ARGUMENT when a table's cells do not fill its rows. */
AbutStatus abut_report_check(const AbutReport *report, AbutError *error);
bool abut_report_missed(const AbutReport *report);  /* a target */
const char *abut_verdict_name(AbutVerdict verdict); /* "met", "NOT met", "reported" */

#endif

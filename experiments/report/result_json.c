/* The object of result.json. */
#include "experiments/report/result_json.h"

#include "abut/version.h"
#include "experiments/report/table_files.h"
#include "experiments/report/write.h"
#include "io/text/number.h"

static void write_text(FILE *file, const char *before, const char *text)
{
	fputs(before, file);
	abut_json_write_string(file, text);
}

void abut_report_write_json(FILE *file, const AbutReport *report)
{
	write_text(file, "{\"experiment\": ", report->name);
	write_text(file, ", \"title\": ", report->title);
	write_text(file, ", \"version\": ", abut_version());
	fprintf(file, ", \"seed\": %llu, \"quick\": %s", report->seed, report->quick ? "true" : "false");
	write_text(file, ", \"command\": ", report->command ? report->command : "");
	fputs(", \"settings\": {", file);
	for (int i = 0; i < report->n_settings; i++) {
		write_text(file, i > 0 ? ", " : "", report->settings[i].name);
		write_text(file, ": ", report->settings[i].value);
	}
	fputs("}, \"targets\": [", file);
	for (int i = 0; i < report->n_targets; i++) {
		write_text(file, i > 0 ? ",\n {\"text\": " : "\n {\"text\": ", report->targets[i].text);
		write_text(file, ", \"verdict\": ", abut_verdict_name(report->targets[i].verdict));
		fputc('}', file);
	}
	fputs("], \"figures\": [", file);
	for (int i = 0; i < report->n_figures; i++) {
		write_text(file, i > 0 ? ", {\"name\": " : "{\"name\": ", report->figures[i].name);
		write_text(file, ", \"caption\": ", report->figures[i].caption);
		fprintf(file, ", \"drawn\": %s}", report->figures[i].drawn ? "true" : "false");
	}
	fputs("], \"tables\": [", file);
	const char *separator = "\n ";
	for (int i = 0; i < report->n_tables; i++) {
		if (!report->tables[i]->data) {
			fputs(separator, file);
			abut_table_write_json(file, report->tables[i]);
			separator = ",\n ";
		}
	}
	fputs("]}\n", file);
}

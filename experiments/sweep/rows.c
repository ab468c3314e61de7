/* Writes the rows of runs.csv and times.csv. */
#include "experiments/sweep/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/sweep/grid.h"
#include "io/text/csv.h"
#include "io/text/memory_stream.h"
#include "io/text/number.h"
#include "io/text/words.h"

typedef enum FieldKind { COUNT, NUMBER, DIGEST } FieldKind;

/* A column with its value in one row. */
typedef struct Field {
	const char *name;
	FieldKind kind;
	long count;
	double number; /* NaN: none */
	uint64_t digest;
} Field;

enum { MOST_FIELDS = 32 };

const char *abut_run_outcome_name(AbutRunOutcome outcome)
{
	static const char *const names[ABUT_RUN_OUTCOME_COUNT] = {"done", "failed", "refused"};
	return names[outcome];
}

static int list_results(const AbutSweepResult *result, Field out[MOST_FIELDS])
{
	const AbutRunSummary *summary = &result->summary;
	const AbutSweepMeasures *measures = &result->measures;
	const Field fields[] = {
	    {"steps_asked", COUNT, .count = summary->steps_asked},
	    {"steps", COUNT, .count = summary->steps},
	    {"failed_steps", COUNT, .count = summary->failed_steps},
	    {"first_failed_step", COUNT, .count = summary->first_failed_step},
	    {"exact_steps", COUNT, .count = summary->exact_steps},
	    {"relaxed_steps", COUNT, .count = summary->relaxed_steps},
	    {"retried_steps", COUNT, .count = summary->retried_steps},
	    {"halved_steps", COUNT, .count = summary->halved_steps},
	    {"raised_kappa_steps", COUNT, .count = summary->raised_kappa_steps},
	    {"iterations_mean", NUMBER, .number = summary->iterations_mean},
	    {"iterations_max", COUNT, .count = summary->iterations_max},
	    {"max_penetration", NUMBER, .number = summary->max_penetration},
	    {"violation", NUMBER, .number = measures->violation},
	    {"max_residual", NUMBER, .number = summary->max_residual},
	    {"max_complementarity", NUMBER, .number = summary->max_complementarity},
	    {"energy_drift", NUMBER, .number = summary->energy_drift},
	    {"momentum_x", NUMBER, .number = measures->momentum[0]},
	    {"momentum_y", NUMBER, .number = measures->momentum[1]},
	    {"momentum_z", NUMBER, .number = measures->momentum[2]},
	    {"spin_x", NUMBER, .number = measures->spin[0]},
	    {"spin_y", NUMBER, .number = measures->spin[1]},
	    {"spin_z", NUMBER, .number = measures->spin[2]},
	    {"displacement", NUMBER, .number = measures->displacement},
	    {"rotation", NUMBER, .number = measures->rotation},
	    {"stood", NUMBER, .number = measures->stood},
	    {"max_joint_violation_m", NUMBER, .number = summary->joint_errors.violation_m},
	    {"max_joint_violation_rad", NUMBER, .number = summary->joint_errors.violation_rad},
	    {"max_limit_violation", NUMBER, .number = summary->joint_errors.limit},
	    {"final_time", NUMBER, .number = summary->final_time},
	    {"state_digest", DIGEST, .digest = result->state_digest},
	};
	_Static_assert(sizeof fields / sizeof *fields <= MOST_FIELDS, "room for all fields");
	memcpy(out, fields, sizeof fields);
	return sizeof fields / sizeof *fields;
}

static int list_times(const AbutSweepResult *result, Field out[MOST_FIELDS])
{
	const AbutRunSummary *summary = &result->summary;
	const Field fields[] = {
	    {"step_time_us_median", NUMBER, .number = summary->step_time_us_median},
	    {"step_time_us_mean", NUMBER, .number = summary->step_time_us_mean},
	    {"wall_time_s", NUMBER, .number = summary->wall_time_s},
	    {"setup_time_s", NUMBER, .number = result->setup_time_s},
	};
	memcpy(out, fields, sizeof fields);
	return sizeof fields / sizeof *fields;
}

static int list_fields(const AbutSweepResult *result, AbutSweepTableKind table, Field out[MOST_FIELDS])
{
	return table == ABUT_SWEEP_RESULTS ? list_results(result, out) : list_times(result, out);
}

bool abut_sweep_is_column(const char *name)
{
	static const char *const others[] = {"run", "seed", "outcome", "message"};
	const AbutSweepResult none = {.outcome = ABUT_RUN_DONE};
	Field fields[MOST_FIELDS];
	if (abut_text_index(name, others, sizeof others / sizeof *others) >= 0) {
		return true;
	}
	for (AbutSweepTableKind table = ABUT_SWEEP_RESULTS; table < ABUT_SWEEP_TABLES; table++) {
		const int n = list_fields(&none, table, fields);
		for (int i = 0; i < n; i++) {
			if (strcmp(name, fields[i].name) == 0) {
				return true;
			}
		}
	}
	return false;
}

static void write_header(const AbutSweep *sweep, AbutSweepTableKind table, FILE *file)
{
	const AbutSweepResult none = {.outcome = ABUT_RUN_DONE};
	Field fields[MOST_FIELDS];
	const int n = list_fields(&none, table, fields);
	fputs("run", file);
	for (int i = 0; table == ABUT_SWEEP_RESULTS && i < sweep->n_axes; i++) {
		fputc(',', file);
		abut_csv_write_text(file, sweep->axes[i].name);
	}
	fputs(table == ABUT_SWEEP_RESULTS ? ",seed,outcome" : "", file);
	for (int i = 0; i < n; i++) {
		fprintf(file, ",%s", fields[i].name);
	}
	fputs(table == ABUT_SWEEP_RESULTS ? ",message\n" : "\n", file);
}

static void write_field(const Field *field, FILE *file)
{
	char text[ABUT_NUMBER_SIZE];
	if (field->kind == COUNT) {
		fprintf(file, "%ld", field->count);
	} else if (field->kind == DIGEST) {
		fprintf(file, "%016" PRIx64, field->digest);
	} else if (!isnan(field->number)) {
		fputs(abut_number_text(field->number, text), file);
	}
}

/* Writes a row; all fields of a refused run are empty. */
static void write_row(const AbutSweep *sweep, long run, const AbutSweepResult *result, AbutSweepTableKind table,
                      FILE *file)
{
	Field fields[MOST_FIELDS];
	const int n = list_fields(result, table, fields);
	fprintf(file, "%ld", run);
	for (int i = 0; table == ABUT_SWEEP_RESULTS && i < sweep->n_axes; i++) {
		fputc(',', file);
		abut_csv_write_text(file, sweep->axes[i].values[abut_sweep_coordinate(sweep, run, i)].label);
	}
	if (table == ABUT_SWEEP_RESULTS) {
		fprintf(file, ",%llu,%s", abut_sweep_seed(sweep, run), abut_run_outcome_name(result->outcome));
	}
	for (int i = 0; i < n; i++) {
		fputc(',', file);
		if (result->outcome != ABUT_RUN_REFUSED) {
			write_field(&fields[i], file);
		}
	}
	if (table == ABUT_SWEEP_RESULTS) {
		fputc(',', file);
		abut_csv_write_text(file, result->message);
	}
	fputc('\n', file);
}

char *abut_sweep_row_text(const AbutSweep *sweep, long run, const AbutSweepResult *result, AbutSweepTableKind table)
{
	AbutBytes text = {0};
	FILE *file = abut_memory_stream(&text);
	if (file && result) {
		write_row(sweep, run, result, table, file);
	} else if (file) {
		write_header(sweep, table, file);
	}
	return abut_memory_stream_text(file, &text);
}

char *abut_sweep_header_text(const AbutSweep *sweep, AbutSweepTableKind table)
{
	return abut_sweep_row_text(sweep, -1, NULL, table);
}

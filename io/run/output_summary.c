/* Writes summary.json. */
#include "io/run/output_summary.h"

#include <math.h>

#include "abut/version.h"
#include "io/text/number.h"

static void write_key(FILE *file, const char *key)
{
	fputs(",\n  ", file);
	abut_json_write_string(file, key);
	fputs(": ", file);
}

static void write_number(FILE *file, const char *key, double value)
{
	write_key(file, key);
	abut_json_write_number(file, value);
}

static void write_count(FILE *file, const char *key, long value)
{
	write_key(file, key);
	fprintf(file, "%ld", value);
}

static void write_fields(FILE *file, const char *const *keys, const double *values, int n)
{
	for (int i = 0; i < n; i++) {
		fprintf(file, ", \"%s\": ", keys[i]);
		abut_json_write_number(file, values[i]);
	}
}

/* Writes the state with the same values as its rows in trajectory.csv. */
static void write_state(FILE *file, const AbutModel *model, const AbutState *state)
{
	static const char *const keys[] = {"px", "py", "pz", "qw", "qx", "qy", "qz",
	                                   "vx", "vy", "vz", "wx", "wy", "wz"};
	fputc('[', file);
	const char *separator = "\n    ";
	for (int i = 0; i < abut_model_body_count(model); i++) {
		AbutBodyState body;
		if (abut_state_get_body(model, state, i, &body) != ABUT_OK) {
			continue;
		}
		fprintf(file, "%s{\"time\": ", separator);
		abut_json_write_number(file, abut_state_time(state));
		fputs(", \"body\": ", file);
		abut_json_write_string(file, abut_model_body_name(model, i));
		write_fields(file, keys, body.position, 3);
		write_fields(file, keys + 3, body.orientation, 4);
		write_fields(file, keys + 7, body.linear_velocity, 3);
		write_fields(file, keys + 10, body.angular_velocity, 3);
		fputc('}', file);
		separator = ",\n    ";
	}
	fputs("\n  ]", file);
}

void abut_output_write_warning(FILE *file, const AbutError *warning)
{
	char text[sizeof warning->where + sizeof warning->message + 2];
	snprintf(text, sizeof text, "%s%s%s", warning->where, warning->where[0] ? ": " : "", warning->message);
	abut_json_write_string(file, text);
}

/* Writes the number of joints and their largest errors; nothing if there are none. */
static void write_joints(FILE *file, const AbutRunReport *report)
{
	const AbutRunJointErrors *errors = &report->summary->joint_errors;
	if (report->def->n_joints > 0) {
		write_count(file, "joints", report->def->n_joints);
		write_number(file, "max_joint_violation", fmax(errors->violation_m, errors->violation_rad));
		write_number(file, "max_joint_violation_m", errors->violation_m);
		write_number(file, "max_joint_violation_rad", errors->violation_rad);
		write_number(file, "max_limit_violation", errors->limit);
	}
}

void abut_output_write_summary(FILE *file, const AbutRunReport *report)
{
	const AbutRunSummary *summary = report->summary;
	fputs("{\n  \"name\": ", file);
	abut_json_write_string(file, report->def->name);
	write_key(file, "method");
	abut_json_write_string(file, abut_method_name(report->def->solver.method));
	write_key(file, "version");
	abut_json_write_string(file, abut_version());
	write_key(file, "seed");
	fprintf(file, "%llu", report->seed);
	write_number(file, "timestep", abut_model_timestep(report->model));
	write_number(file, "kappa", report->def->solver.kappa);
	write_count(file, "steps", summary->steps);
	write_count(file, "steps_asked", summary->steps_asked);
	write_count(file, "failed_steps", summary->failed_steps);
	write_count(file, "exact_steps", summary->exact_steps);
	write_count(file, "relaxed_steps", summary->relaxed_steps);
	write_count(file, "first_relaxed_step", summary->first_relaxed_step);
	write_count(file, "retried_steps", summary->retried_steps);
	write_count(file, "halved_steps", summary->halved_steps);
	write_count(file, "raised_kappa_steps", summary->raised_kappa_steps);
	if (summary->first_failed_step > 0) {
		write_count(file, "first_failed_step", summary->first_failed_step);
		write_key(file, "failure");
		abut_json_write_string(file, summary->failure);
	}
	if (summary->interrupted) {
		write_key(file, "interrupted");
		fputs("true", file);
	}
	for (int i = 0; i < report->n_warnings; i++) {
		fputs(i == 0 ? ",\n  \"warnings\": [" : ", ", file);
		abut_output_write_warning(file, &report->warnings[i]);
		fputs(i == report->n_warnings - 1 ? "]" : "", file);
	}
	write_number(file, "iterations_mean", summary->iterations_mean);
	write_count(file, "iterations_max", summary->iterations_max);
	write_number(file, "max_penetration", summary->max_penetration);
	write_number(file, "max_residual", summary->max_residual);
	write_number(file, "max_complementarity", summary->max_complementarity);
	write_joints(file, report);
	if (report->def->n_sensors > 0) {
		write_count(file, "sensors", report->def->n_sensors);
	}
	write_number(file, "energy_drift", summary->energy_drift);
	write_number(file, "step_time_us_median", summary->step_time_us_median);
	write_number(file, "step_time_us_mean", summary->step_time_us_mean);
	write_number(file, "wall_time_s", summary->wall_time_s);
	write_number(file, "final_time", summary->final_time);
	write_key(file, "final_state");
	write_state(file, report->model, report->state);
	fputs("\n}\n", file);
}

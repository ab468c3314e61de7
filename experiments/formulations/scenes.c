/* Runs shipped scenes with every method at several rates: the drop of a cube, a stack, and inclines below and above the
 * friction limit. */
#include "experiments/formulations/scenes.h"

#include <stdio.h>

#include "experiments/suite/trial.h"

enum { SCENES = 4, TEXT = 128 };

typedef enum Shipped { DROP, STACK, BELOW, ABOVE } Shipped;

static const char *const names[SCENES] = {"cube_drop", "stack_4", "incline_below", "incline_above"};

static AbutStatus run(const AbutFormulationSettings *settings, Shipped scene, const AbutVariant *variant, double rate,
                      AbutTried *out, AbutError *error)
{
	char file[4096], method[TEXT], model[TEXT], timestep[TEXT];
	snprintf(file, sizeof file, "%s/%s.json", settings->scenes, names[scene]);
	snprintf(method, sizeof method, "solver.method=%s", abut_method_name(variant->method));
	snprintf(model, sizeof model, "solver.convex_model=%s", abut_convex_model_name(variant->convex_model));
	snprintf(timestep, sizeof timestep, "timestep=%.17g", 1.0 / rate);
	const char *const overrides[] = {method, timestep, model};
	const AbutTrial trial = {.file = file,
	                         .n_overrides = variant->method == ABUT_METHOD_CONVEX ? 3 : 2,
	                         .overrides = overrides,
	                         .settled = 0.2};
	return abut_trial_run(&trial, out, error);
}

/* Stores the results at the last rate in the row of the table over all methods. */
static void keep(Shipped scene, const AbutTried *tried, AbutFormulationRow *row)
{
	if (scene == DROP) {
		row->penetration = tried->summary.max_penetration;
	} else if (scene == STACK) {
		row->time_us = tried->summary.step_time_us_median;
	} else if (scene == BELOW) {
		row->creep = tried->creep;
	}
}

static void add(AbutTable *table, Shipped scene, const AbutVariant *variant, double rate, const AbutTried *tried)
{
	const AbutRunSummary *summary = &tried->summary;
	abut_table_text(table, names[scene]);
	abut_table_text(table, variant->name);
	ABUT_NUMBERS(table, rate, summary->max_penetration, tried->creep, tried->gain, summary->iterations_mean,
	             summary->step_time_us_median, (double)(summary->failed_steps + summary->raised_kappa_steps));
}

/* Adds a note to the table that a method does not support the scene; its cells stay empty. Any other status ends the
 * study. */
static AbutStatus note_refusal(AbutTable *table, const AbutVariant *variant, AbutStatus status, const AbutError *error)
{
	if (status != ABUT_ERROR_UNSUPPORTED) {
		return status;
	}
	abut_table_note(table, "%s: - (%s)", variant->name, error->message);
	return ABUT_OK;
}

static AbutStatus run_rates(const AbutFormulationSettings *settings, Shipped scene, int v, AbutFormulationRow *row,
                            AbutTable *table, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < settings->n_rates && status == ABUT_OK; i++) {
		AbutTried tried;
		status = run(settings, scene, abut_variant(v), settings->rates[i], &tried, error);
		if (status == ABUT_OK) {
			add(table, scene, abut_variant(v), settings->rates[i], &tried);
			keep(scene, &tried, row);
		}
	}
	return status == ABUT_OK ? status : note_refusal(table, abut_variant(v), status, error);
}

AbutStatus abut_study_scenes(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                             AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"scene", "scene", 0},
	    {"method", "method", 0},
	    {"rate_hz", "rate, Hz", 3},
	    {"max_penetration_m", "largest penetration, m", 2},
	    {"creep_m_s", "speed over the last 0.2 s, m/s", 2},
	    {"energy_gain_j", "largest energy gain in a step, J", 2},
	    {"iterations_mean", "iterations a step", 3},
	    {"step_time_us", "median of a step, us", 3},
	    {"failed_steps", "failed steps", 6},
	};
	AbutTable *table = ABUT_TABLE(report, "scenes", "Shipped scenes", columns);
	AbutStatus status = ABUT_OK;
	for (int scene = 0; scene < SCENES && status == ABUT_OK; scene++) {
		for (int v = 0; v < ABUT_VARIANTS && status == ABUT_OK; v++) {
			if (abut_variant(v)->cone == ABUT_FRICTION_CONE_SOC ||
			    abut_variant(v)->method == ABUT_METHOD_LCP) {
				status = run_rates(settings, (Shipped)scene, v, &rows[v], table, error);
			}
		}
	}
	return status;
}

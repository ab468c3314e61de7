/* Compares all methods in a slide, a drop, a spin, a push, an impact and their derivatives. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "experiments/bench/inverse.h"
#include "experiments/formulations/coulomb.h"
#include "experiments/formulations/derivatives.h"
#include "experiments/formulations/impact.h"
#include "experiments/formulations/scenes.h"
#include "experiments/formulations/spin.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("formulations", "experiment", "half_extents", "mass", "timestep", "friction", "speed", "angles",
                   "rates", "largest_force", "forces", "spin_duration", "rounds");

static void read_settings(const AbutNode *root, void *settings)
{
	AbutFormulationSettings *out = settings;
	abut_require_vector(root, "half_extents", 3, ABUT_POSITIVE, out->box.half);
	abut_require_number(root, "mass", ABUT_POSITIVE, &out->box.mass);
	abut_require_number(root, "timestep", ABUT_POSITIVE, &out->box.timestep);
	abut_require_number(root, "friction", ABUT_POSITIVE, &out->box.friction);
	abut_require_number(root, "speed", ABUT_POSITIVE, &out->speed);
	out->n_angles = abut_spec_numbers(root, "angles", ABUT_MOST_ANGLES, ABUT_NONNEGATIVE, out->angles);
	out->n_rates = abut_spec_numbers(root, "rates", ABUT_MOST_RATES, ABUT_POSITIVE, out->rates);
	abut_require_number(root, "largest_force", ABUT_POSITIVE, &out->largest_force);
	abut_require_integer(root, "forces", 2, 2001, &out->forces);
	abut_require_number(root, "spin_duration", ABUT_POSITIVE, &out->spin_duration);
	abut_require_integer(root, "rounds", 1, 1000, &out->rounds);
}

static void describe(const AbutFormulationSettings *settings, AbutReport *report)
{
	const AbutLoneBody *box = &settings->box;
	abut_report_setting(report, "box", "half extents %g, %g, %g m; %g kg; friction %g", box->half[0], box->half[1],
	                    box->half[2], box->mass, box->friction);
	abut_report_setting(report, "timestep", "%g s; 0.002 s for the falling ball", box->timestep);
	abut_report_setting(report, "speed", "%g m/s", settings->speed);
	abut_report_setting(report, "push", "0 to %g N, %d forces", settings->largest_force, settings->forces);
	abut_report_setting(report, "seed", "%llu", settings->seed);
}

static void sum_up(const AbutFormulationRow *rows, AbutTable *table)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"slide_drift_m", "slide: drift to the side, m", 2},
	    {"slide_way_error", "slide: error of the way", 2},
	    {"push_error_m_s", "push: error relative to Coulomb's law, m/s", 2},
	    {"incline_creep_m_s", "incline below the limit: creep, m/s", 2},
	    {"drop_penetration_m", "drop: penetration, m", 2},
	    {"stack_step_us", "stack of 4: a step, us", 3},
	    {"spin_energy", "spin: energy, relative change", 2},
	    {"impact_peak_weights", "impact: largest force, weights", 3},
	    {"gradient_error", "gradient: error against differences", 2},
	    {"gradient_time", "gradient: time relative to a step", 3},
	};
	ABUT_COLUMNS(table, columns);
	for (int v = 0; v < ABUT_VARIANTS; v++) {
		const AbutFormulationRow *row = &rows[v];
		abut_table_text(table, abut_variant(v)->name);
		ABUT_NUMBERS(table, row->drift, row->way, row->push, row->creep, row->penetration, row->time_us,
		             row->spin_energy, row->peak, row->gradient, row->gradient_time);
	}
}

/* Reports how many inverses of soft contacts are computed per second (Todorov, ICRA 2011, table 1). */
static AbutStatus study_inverse(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                                AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"contacts", "contacts", 3},
	    {"per_second", "evaluations a second", 4},
	    {"published", "published", 6},
	    {"iterations", "iterations of the slowest contact", 3},
	    {"error", "velocity error relative to the forward solution, m/s", 2},
	    {"unsolved", "states not solved", 3},
	};
	AbutTable *table = ABUT_TABLE(report, "inverse", "Contact impulses from velocities, by barriers", columns);
	AbutStatus status = ABUT_OK;
	(void)rows;
	for (int i = 0; i < abut_bench_inverse_count && status == ABUT_OK; i++) {
		AbutInverseResult result;
		status = abut_bench_inverse_run(i, settings->seed, &result, error);
		ABUT_NUMBERS(table, result.contacts, result.per_second, result.published, result.iterations_mean,
		             result.largest_error, result.unsolved);
	}
	abut_table_note(table, "Published: on a processor of 2008.");
	return status;
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	static AbutFormulationStudy *const studies[] = {abut_study_slide,  abut_study_scenes, abut_study_spin,
	                                                abut_study_push,   abut_study_impact, abut_study_derivative,
	                                                abut_study_lifted, study_inverse};
	static const int n_studies = sizeof studies / sizeof *studies;
	AbutFormulationSettings settings = {.seed = run->seed ? *run->seed : 0};
	AbutFormulationRow rows[ABUT_VARIANTS];
	char scenes[ABUT_SPEC_PATH];
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	snprintf(scenes, sizeof scenes, "%s/../scenes", run->source);
	settings.scenes = scenes;
	for (int v = 0; v < ABUT_VARIANTS; v++) {
		rows[v] = (AbutFormulationRow){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	}
	describe(&settings, report);
	AbutTable *methods = abut_report_table(report, "methods", "All methods");
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < n_studies && status == ABUT_OK; i++) {
		status = studies[i](&settings, rows, report, error);
		abut_experiment_progress(run, (double)(i + 1) / n_studies);
	}
	sum_up(rows, methods);
	abut_report_figure(report, "formulations", 1080, 400,
	                   "Left: distance of a sliding box from its line at the end. Middle: the speed of a pushed "
	                   "box after a step. Right: the contact force of a falling ball, in weights.");
	return status;
}

const AbutExperiment abut_experiment_formulations = {"formulations", "formulations", "All methods side by side",
                                                     execute};

/* Compares all methods in a slide, a drop, a spin, a push, an impact and their derivatives. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/vec3.h"
#include "experiments/bench/inverse.h"
#include "experiments/formulations/coulomb.h"
#include "experiments/formulations/derivatives.h"
#include "experiments/formulations/scenes.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("formulations", "experiment", "half_extents", "mass", "timestep", "friction", "speed", "angles",
                   "rates", "largest_force", "forces", "spin_duration", "rounds");

static void read_settings(const AbutNode *root, void *settings)
{
	AbutFormulationSettings *out = settings;
	abut_spec_vector(root, "half_extents", 3, ABUT_POSITIVE, out->box.half);
	abut_spec_number(root, "mass", ABUT_POSITIVE, &out->box.mass);
	abut_spec_number(root, "timestep", ABUT_POSITIVE, &out->box.timestep);
	abut_spec_number(root, "friction", ABUT_POSITIVE, &out->box.friction);
	abut_spec_number(root, "speed", ABUT_POSITIVE, &out->speed);
	out->n_angles = abut_spec_numbers(root, "angles", ABUT_MOST_ANGLES, ABUT_NONNEGATIVE, out->angles);
	out->n_rates = abut_spec_numbers(root, "rates", ABUT_MOST_RATES, ABUT_POSITIVE, out->rates);
	abut_spec_number(root, "largest_force", ABUT_POSITIVE, &out->largest_force);
	abut_spec_integer(root, "forces", 2, 2001, &out->forces);
	abut_spec_number(root, "spin_duration", ABUT_POSITIVE, &out->spin_duration);
	abut_spec_integer(root, "rounds", 1, 1000, &out->rounds);
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

/* --- a spin: a box, free of gravity and torque, turns nearly about its middle axis --- */

/* Computes the inertia of a box about its centre, in body axes, kg m^2. */
static void inertia_of(const AbutLoneBody *box, double out[3])
{
	for (int k = 0; k < 3; k++) {
		const double a = box->half[(k + 1) % 3], b = box->half[(k + 2) % 3];
		out[k] = box->mass / 3.0 * (a * a + b * b);
	}
}

/* Computes the angular momentum in world axes. A vector v is turned by the quaternion (w, u): v + 2 w (u x v) + 2 u x
 * (u x v). */
static void momentum_of(const AbutLoneBody *box, const AbutBodyState *state, double out[3])
{
	const double w = state->orientation[0], *u = state->orientation + 1;
	double inertia[3], body[3], once[3], twice[3];
	inertia_of(box, inertia);
	for (int k = 0; k < 3; k++) {
		body[k] = inertia[k] * state->angular_velocity[k];
	}
	abut_cross3(u, body, once);
	abut_cross3(u, once, twice);
	for (int k = 0; k < 3; k++) {
		out[k] = body[k] + 2.0 * (w * once[k] + twice[k]);
	}
}

static AbutStatus spin(const AbutLoneBody *box, const AbutVariant *variant, long steps, double drift[2],
                       AbutError *error)
{
	AbutWorld world;
	const AbutStatus status = abut_lone_body_open(box, variant, &world, error);
	drift[0] = drift[1] = NAN;
	if (status != ABUT_OK) {
		return status;
	}
	AbutBodyState state;
	double before[3], after[3];
	const double energy = abut_state_energy(world.model, world.state);
	abut_state_get_body(world.model, world.state, ABUT_LONE_BODY, &state);
	momentum_of(box, &state, before);
	if (abut_lone_body_run(&world, steps)) {
		abut_state_get_body(world.model, world.state, ABUT_LONE_BODY, &state);
		momentum_of(box, &state, after);
		drift[0] = abut_state_energy(world.model, world.state) / energy - 1.0;
		const double off[3] = {after[0] - before[0], after[1] - before[1], after[2] - before[2]};
		drift[1] = abut_norm3(off) / abut_norm3(before);
	}
	abut_world_close(&world);
	return status;
}

static AbutStatus study_spin(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                             AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"energy_drift", "energy, relative change", 3},
	    {"momentum_drift", "angular momentum, relative change", 3},
	};
	const AbutLoneBody box = {.half = {0.1, 0.2, 0.3},
	                          .mass = 1.0,
	                          .above = 10.0,
	                          .spin = {0.1, 5.0, 0.1},
	                          .timestep = settings->box.timestep,
	                          .weightless = true};
	const long steps = lround(settings->spin_duration / box.timestep);
	AbutTable *table = ABUT_TABLE(report, "spin", "A spin without torque, about the middle axis", columns);
	AbutStatus status = ABUT_OK;
	for (int v = 0; v < ABUT_VARIANTS && status == ABUT_OK; v++) {
		double drift[2];
		status = spin(&box, abut_variant(v), steps, drift, error);
		abut_table_text(table, abut_variant(v)->name);
		abut_table_numbers(table, 2, drift);
		rows[v].spin_energy = drift[0];
	}
	return status;
}

/* --- an impact: a ball falls onto the floor (Todorov, ICRA 2011, figure 3) --- */

enum { CASES = 9, STEPS = 200 };

static const struct {
	const char *name;
	int variant;
	double time_constant; /* s */
	double margin;        /* m */
} cases[CASES] = {
    {"single-level", 0, 0.0, 0.0}, {"bilevel", 2, 0.0, 0.0},         {"point-ncp", 4, 0.0, 0.0},
    {"lcp", 6, 0.0, 0.0},          {"convex 0.02 s", 7, 0.02, 0.0},  {"convex 0.05 s", 7, 0.05, 0.0},
    {"convex 0.1 s", 7, 0.1, 0.0}, {"convex barriers", 9, 0.0, 0.0}, {"convex barriers, margin 20 mm", 9, 0.0, 0.02},
};

/* Returns the contact force divided by the weight of the ball. */
static double force_of(const AbutWorld *world, const AbutLoneBody *ball)
{
	double impulse = 0.0;
	for (int i = 0; i < abut_contact_count(world->workspace); i++) {
		AbutContact contact;
		abut_contact_get(world->model, world->workspace, i, &contact);
		impulse += contact.normal_impulse;
	}
	return impulse / (ball->timestep * ball->mass * 9.81);
}

/* Computes the largest force, `peak`, in weights, and the duration of the impact, `lasts`, in s. The impact lasts from
 * the first force to the last one that differs from the weight by 5 % or more. */
static AbutStatus fall(const AbutLoneBody *ball, const AbutVariant *variant, const char *name, AbutTable *curves,
                       double *peak, double *lasts, AbutError *error)
{
	AbutWorld world;
	const AbutStatus status = abut_lone_body_open(ball, variant, &world, error);
	double first = NAN, last = NAN;
	bool stepped = status == ABUT_OK;
	*peak = 0.0;
	for (int k = 1; k <= STEPS && stepped; k++) {
		stepped = abut_lone_body_run(&world, 1);
		const double force = stepped ? force_of(&world, ball) : (double)NAN, time = k * ball->timestep;
		abut_table_text(curves, name);
		ABUT_NUMBERS(curves, time, force);
		*peak = abut_study_worst(*peak, force);
		first = isnan(first) && force > 0.0 ? time - ball->timestep : first;
		last = !isnan(first) && fabs(force - 1.0) >= 0.05 ? time : last;
	}
	*lasts = last - first;
	abut_world_close(&world);
	return status;
}

static AbutStatus study_spread(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                               AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"peak_weights", "largest force, weights", 3},
	    {"lasts_s", "until the force is the weight, s", 3},
	};
	static const AbutColumn curve_columns[] = {
	    {"method", "method", 0}, {"time_s", "time, s", 4}, {"force_weights", "force, weights", 4}};
	AbutTable *table = ABUT_TABLE(report, "impact", "A ball falls by 50 mm: its force over time", columns);
	AbutTable *curves = ABUT_DATA(report, "force", "Contact force over time", curve_columns);
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < CASES && status == ABUT_OK; i++) {
		const AbutLoneBody ball = {.radius = 0.1,
		                           .mass = 1.0,
		                           .above = 0.05,
		                           .friction = settings->box.friction,
		                           .timestep = 0.002,
		                           .time_constant = cases[i].time_constant,
		                           .margin = cases[i].margin};
		double peak, lasts;
		status = fall(&ball, abut_variant(cases[i].variant), cases[i].name, curves, &peak, &lasts, error);
		abut_table_text(table, cases[i].name);
		ABUT_NUMBERS(table, peak, lasts);
		if (isnan(rows[cases[i].variant].peak)) {
			rows[cases[i].variant].peak = peak;
		}
	}
	return status;
}

/* --- all studies --- */

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
	static AbutFormulationStudy *const studies[] = {abut_study_slide,  abut_study_scenes, study_spin,
	                                                abut_study_push,   study_spread,      abut_study_derivative,
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

/* Compares derivatives of the step of a pushed box with respect to the force (figure 4 of Howell et al., Dojo). They
 * are analytic, exact and on the central path at several kappa, or by randomised smoothing at several widths, from
 * values and from derivatives. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "experiments/smoothing/randomised.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_KAPPAS = 8, MOST_SIGMAS = 4, MOST_FORCES = 2001 };

typedef struct Settings {
	AbutPush pushes[ABUT_PUSH_KINDS];
	double kappas[MOST_KAPPAS], sigmas[MOST_SIGMAS]; /* N */
	int n_kappas, n_sigmas;
	int forces;  /* number of forces of an analytic curve, including 0 and the largest */
	int stride;  /* a randomised curve has every stride-th force */
	int samples; /* number of draws of an estimate */
	int repeats; /* number of repeats of an estimate, for mean and spread */
	unsigned long long seed;
} Settings;

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("smoothing", "experiment", "half_extents", "mass", "timestep", "friction", "largest_force", "forces",
                   "stride", "kappas", "sigmas", "samples", "repeats");

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	AbutPush push = {.mass = 0.0};
	double friction[ABUT_PUSH_KINDS] = {0.0}, largest[ABUT_PUSH_KINDS] = {0.0};
	abut_require_vector(root, "half_extents", 3, ABUT_POSITIVE, push.half);
	abut_require_number(root, "mass", ABUT_POSITIVE, &push.mass);
	abut_require_number(root, "timestep", ABUT_POSITIVE, &push.timestep);
	abut_require_vector(root, "friction", ABUT_PUSH_KINDS, ABUT_NONNEGATIVE, friction);
	abut_require_vector(root, "largest_force", ABUT_PUSH_KINDS, ABUT_POSITIVE, largest);
	abut_require_integer(root, "forces", 2, MOST_FORCES, &out->forces);
	abut_require_integer(root, "stride", 1, out->forces - 1, &out->stride);
	abut_require_integer(root, "samples", 1, 1000000, &out->samples);
	abut_require_integer(root, "repeats", 2, 1000, &out->repeats);
	out->n_kappas = abut_spec_numbers(root, "kappas", MOST_KAPPAS, ABUT_POSITIVE, out->kappas);
	out->n_sigmas = abut_spec_numbers(root, "sigmas", MOST_SIGMAS, ABUT_POSITIVE, out->sigmas);
	for (int i = 0; i < ABUT_PUSH_KINDS; i++) {
		out->pushes[i] = push;
		out->pushes[i].kind = (AbutPushKind)i;
		out->pushes[i].friction = friction[i];
		out->pushes[i].largest = largest[i];
	}
}

/* --- one curve: one kind of derivative, over the forces --- */

typedef enum Way { EXACT, PATH, BY_VALUES, BY_DERIVATIVES, WAYS } Way;

static const char *const way_names[WAYS] = {"exact", "path", "values", "derivatives"};

typedef struct Curve {
	Way way;
	double width;          /* kappa, or sigma in N */
	int n, stride;         /* number of forces, every stride-th */
	double *force, *value; /* (n) N; m/s or rad/s, NaN if this kind has no value */
	double *first;         /* (n) derivative, in the first repeat */
	double *mean, *spread; /* (n) derivative, over the repeats */
	double us;             /* mean time of one derivative */
} Curve;

typedef struct Study {
	const Settings *settings;
	const AbutPush *push;
	Curve exact; /* reference for the other curves */
	AbutTable *curves, *estimates;
} Study;

static AbutStatus curve_create(const Settings *settings, const AbutPush *push, Way way, double width, Curve *out,
                               AbutError *error)
{
	const int stride = way < BY_VALUES ? 1 : settings->stride;
	const int n = (settings->forces - 1) / stride + 1;
	*out = (Curve){.way = way, .width = width, .n = n, .stride = stride};
	out->force = calloc(5 * (size_t)n, sizeof *out->force);
	if (!out->force) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a curve");
	}
	out->value = out->force + n;
	out->first = out->value + n;
	out->mean = out->first + n;
	out->spread = out->mean + n;
	for (int i = 0; i < n; i++) {
		out->force[i] = push->largest * (double)(i * stride) / (double)(settings->forces - 1);
		out->value[i] = NAN;
	}
	return ABUT_OK;
}

static void curve_free(Curve *curve)
{
	free(curve->force);
	*curve = (Curve){.n = 0};
}

static AbutStatus estimate(const Settings *settings, AbutPushedBox *box, Curve *curve, int index, AbutRng *rng,
                           double *slope, AbutError *error)
{
	const double force = curve->force[index];
	if (curve->way == BY_VALUES) {
		return abut_randomised_by_values(box, force, curve->width, settings->samples, rng, slope);
	}
	if (curve->way == BY_DERIVATIVES) {
		return abut_randomised_by_derivatives(box, force, curve->width, settings->samples, rng, slope, error);
	}
	return abut_pushed_box_differentiate(box, force, &curve->value[index], slope, error);
}

/* Measures a curve at all of its forces; repeats random estimates. */
static AbutStatus measure_curve(const Settings *settings, AbutPushedBox *box, Curve *curve, AbutError *error)
{
	const int repeats = curve->way < BY_VALUES ? 1 : settings->repeats;
	AbutRng rng = abut_rng_stream(settings->seed, (uint64_t)box->push.kind);
	AbutStatus status = ABUT_OK;
	const double start = abut_now_us();
	for (int i = 0; status == ABUT_OK && i < curve->n; i++) {
		double sum = 0.0, squares = 0.0;
		for (int r = 0; status == ABUT_OK && r < repeats; r++) {
			double slope = NAN;
			status = estimate(settings, box, curve, i, &rng, &slope, error);
			curve->first[i] = r == 0 ? slope : curve->first[i];
			sum += slope;
			squares += slope * slope;
		}
		curve->mean[i] = sum / repeats;
		const double variance = repeats > 1 ? (squares - sum * curve->mean[i]) / (repeats - 1) : 0.0;
		curve->spread[i] = sqrt(fmax(variance, 0.0));
	}
	curve->us = (abut_now_us() - start) / ((double)curve->n * repeats);
	return status;
}

/* --- properties of a curve --- */

/* Returns the last force at which the mean derivative rises through `level`; NaN if there is none. */
static double passes(const Curve *curve, double level)
{
	double at = NAN;
	for (int i = 1; i < curve->n; i++) {
		const double from = curve->mean[i - 1], to = curve->mean[i];
		if (from < level && to >= level) {
			at = curve->force[i - 1] +
			     (level - from) / (to - from) * (curve->force[i] - curve->force[i - 1]);
		}
	}
	return at;
}

/* Adds a row with root mean squares over the forces that have a derivative: of the difference between mean and exact
 * derivative, and of the spread. The exact curve has all forces, the others every stride-th. */
static void add_estimate(const Study *study, const Curve *curve)
{
	const double slope = abut_push_slope(study->push);
	const double *exact = study->exact.mean; /* was measured first */
	double off = 0.0, spread = 0.0;
	int n = 0;
	for (int i = 0; exact && i < curve->n; i++) {
		if (isnan(curve->mean[i])) {
			continue;
		}
		n++;
		off += pow((curve->mean[i] - exact[i * curve->stride]) / slope, 2.0);
		spread += pow(curve->spread[i] / slope, 2.0);
	}
	abut_table_text(study->estimates, abut_push_name(study->push->kind));
	abut_table_text(study->estimates, way_names[curve->way]);
	ABUT_NUMBERS(study->estimates, curve->way == EXACT ? (double)NAN : curve->width,
	             passes(curve, 0.8 * slope) - passes(curve, 0.2 * slope), sqrt(off / n), sqrt(spread / n),
	             curve->n - n, curve->us);
}

static void add_curve(const Study *study, const Curve *curve)
{
	for (int i = 0; i < curve->n; i++) {
		abut_table_text(study->curves, abut_push_name(study->push->kind));
		abut_table_text(study->curves, way_names[curve->way]);
		ABUT_NUMBERS(study->curves, curve->width, curve->force[i], curve->value[i], curve->first[i],
		             curve->mean[i], curve->spread[i]);
	}
}

static AbutStatus measure(Study *study, AbutPushedBox *box, Way way, double width, AbutError *error)
{
	Curve curve;
	AbutStatus status = curve_create(study->settings, study->push, way, width, &curve, error);
	ABUT_THEN(status, measure_curve(study->settings, box, &curve, error));
	if (status == ABUT_OK) {
		if (way == EXACT) {
			study->exact = curve;
		}
		add_curve(study, &curve);
		add_estimate(study, &curve);
	}
	if (status != ABUT_OK || way != EXACT) {
		curve_free(&curve);
	}
	return status;
}

/* Returns the largest error of the exact curve compared with the closed form, relative to the slope. For tipping, only
 * the threshold is checked, because the closed form is valid only where tipping begins. */
static double against_closed_form(const Study *study)
{
	const double threshold = abut_push_threshold(study->push), slope = abut_push_slope(study->push);
	double worst = 0.0;
	for (int i = 0; i < study->exact.n; i++) {
		const double force = study->exact.force[i];
		const bool near = fabs(force - threshold) < 1e-9 * threshold;
		if (!near && (force < threshold || study->push->kind != ABUT_PUSH_TIP)) {
			const double expected = force < threshold ? 0.0 : slope;
			worst = fmax(worst, fabs(study->exact.mean[i] - expected) / slope);
		}
	}
	return worst;
}

static void judge(const Study *study, AbutReport *report)
{
	const double worst = against_closed_form(study);
	abut_report_target(report, worst < 1e-6,
	                   "%s: the exact derivative is within %.1e of the slope of the closed form, target 1e-6",
	                   abut_push_name(study->push->kind), worst);
}

static AbutStatus at_kappa(Study *study, double kappa, AbutError *error)
{
	AbutPushedBox box;
	AbutStatus status = abut_pushed_box_open(&box, study->push, kappa, error);
	ABUT_THEN(status, measure(study, &box, kappa > 0.0 ? PATH : EXACT, kappa, error));
	for (int i = 0; status == ABUT_OK && kappa == 0.0 && i < 2 * study->settings->n_sigmas; i++) {
		status = measure(study, &box, i % 2 == 0 ? BY_VALUES : BY_DERIVATIVES, study->settings->sigmas[i / 2],
		                 error);
	}
	abut_pushed_box_close(&box);
	return status;
}

static AbutStatus study_push(const Settings *settings, const AbutPush *push, AbutTable *curves, AbutTable *estimates,
                             AbutReport *report, AbutError *error)
{
	Study study = {.settings = settings, .push = push, .curves = curves, .estimates = estimates};
	AbutStatus status = at_kappa(&study, 0.0, error);
	for (int i = 0; status == ABUT_OK && i < settings->n_kappas; i++) {
		status = at_kappa(&study, settings->kappas[i], error);
	}
	if (status == ABUT_OK) {
		judge(&study, report);
	}
	curve_free(&study.exact);
	return status;
}

static void describe(const Settings *settings, AbutReport *report)
{
	const AbutPush *push = settings->pushes;
	abut_report_setting(report, "box", "half extents %g, %g, %g m; %g kg, at rest on a plane", push->half[0],
	                    push->half[1], push->half[2], push->mass);
	abut_report_setting(report, "friction", "slip %g, lift %g, tip %g", push[ABUT_PUSH_SLIP].friction,
	                    push[ABUT_PUSH_LIFT].friction, push[ABUT_PUSH_TIP].friction);
	abut_report_setting(report, "timestep", "%g s", push->timestep);
	abut_report_setting(report, "motion begins at", "slip %g N, lift %g N, tip %g N",
	                    abut_push_threshold(&push[ABUT_PUSH_SLIP]), abut_push_threshold(&push[ABUT_PUSH_LIFT]),
	                    abut_push_threshold(&push[ABUT_PUSH_TIP]));
	abut_report_setting(report, "randomised", "%d samples for an estimate, %d estimates for a force, seed %llu",
	                    settings->samples, settings->repeats, settings->seed);
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	static const AbutColumn curve_columns[] = {
	    {"push", "push", 0},
	    {"way", "derivative", 0},
	    {"width", "kappa or sigma", 3},
	    {"force_N", "force, N", 4},
	    {"value", "velocity", 6},
	    {"slope", "derivative", 6},
	    {"slope_mean", "its mean", 6},
	    {"slope_spread", "its standard deviation", 3},
	};
	static const AbutColumn estimate_columns[] = {
	    {"push", "push", 0},
	    {"way", "derivative", 0},
	    {"width", "kappa, or sigma in N", 2},
	    {"rise_N", "range from 20 % to 80 % of the slope, N", 3},
	    {"off", "error of the mean, relative to the slope", 3},
	    {"noise", "standard deviation, relative to the slope", 3},
	    {"missing", "forces without", 6},
	    {"time_us", "time of an estimate, us", 3},
	};
	Settings settings = {.seed = run->seed ? *run->seed : 0};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	describe(&settings, report);
	AbutTable *estimates =
	    ABUT_TABLE(report, "estimates", "Estimates of the derivative by the force", estimate_columns);
	AbutTable *curves = ABUT_DATA(report, "curves", "Velocity after the step, and its derivatives", curve_columns);
	for (int i = 0; i < ABUT_PUSH_KINDS; i++) {
		ABUT_TRY(study_push(&settings, &settings.pushes[i], curves, estimates, report, error));
		abut_experiment_progress(run, (double)(i + 1) / ABUT_PUSH_KINDS);
	}
	abut_report_figure(
	    report, "smoothing", 1080, 900,
	    "Left: the velocity after a step over the force. Middle: its derivative, exact and on the central path. "
	    "Right: one randomised estimate for each force; thin lines from values, thick ones from derivatives.");
	return ABUT_OK;
}

const AbutExperiment abut_experiment_smoothing = {
    "smoothing", "smoothing", "Derivatives of a pushed box, compared with randomised smoothing", execute};

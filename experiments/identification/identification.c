/* Fits friction and corners of a tossed box to recordings of its poses, with derivatives of the step by both (Howell et
 * al., Dojo, section V-D). Compares them with the true values, and predicts tosses that were not used in the fit. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "experiments/identification/fit.h"
#include "experiments/identification/toss.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_TOSSES = 10000, MOST_FRAMES = 100000, COORDINATES = 3 * ABUT_TOSS_CORNERS };

typedef struct Settings {
	AbutTossedBox truth, guess;
	AbutTossNoise noise;
	int tosses, held_back, frames, steps, iterations, seed;
	double kappa;
} Settings;

/* The data of a run; recordings that are held back come last. */
typedef struct Study {
	const Settings *settings;
	AbutModel *truth, *guess;
	AbutBodyState *clean, *seen; /* ((tosses + held_back) x frames) */
	AbutFit fit;
	double corners[COORDINATES]; /* true, m */
} Study;

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("identification", "experiment", "true_half_extents", "true_skew", "true_friction",
                   "guessed_half_extents", "guessed_friction", "mass", "rate", "position_noise", "rotation_noise",
                   "tosses", "held_back", "frames", "steps", "kappa", "iterations", "seed");

static void read_boxes(const AbutNode *root, Settings *out)
{
	double rate = 1.0;
	abut_require_vector(root, "true_half_extents", 3, ABUT_POSITIVE, out->truth.half);
	abut_require_vector(root, "guessed_half_extents", 3, ABUT_POSITIVE, out->guess.half);
	abut_require_number(root, "true_skew", ABUT_NONNEGATIVE, &out->truth.skew);
	abut_require_number(root, "true_friction", ABUT_POSITIVE, &out->truth.friction);
	abut_require_number(root, "guessed_friction", ABUT_POSITIVE, &out->guess.friction);
	abut_require_number(root, "mass", ABUT_POSITIVE, &out->truth.mass);
	abut_require_number(root, "rate", ABUT_POSITIVE, &rate);
	out->guess.mass = out->truth.mass;
	out->guess.timestep = out->truth.timestep = 1.0 / rate;
}

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	read_boxes(root, out);
	abut_require_number(root, "position_noise", ABUT_POSITIVE, &out->noise.position);
	abut_require_number(root, "rotation_noise", ABUT_POSITIVE, &out->noise.rotation);
	abut_require_integer(root, "tosses", 1, MOST_TOSSES, &out->tosses);
	abut_require_integer(root, "held_back", 1, MOST_TOSSES, &out->held_back);
	abut_require_integer(root, "steps", 1, MOST_FRAMES, &out->steps);
	abut_require_integer(root, "frames", out->steps + 2, MOST_FRAMES, &out->frames);
	abut_require_integer(root, "iterations", 1, MOST_FRAMES, &out->iterations);
	abut_require_integer(root, "seed", 0, 1000000000, &out->seed);
	abut_require_number(root, "kappa", ABUT_NONNEGATIVE, &out->kappa);
}

/* --- the recordings --- */

static AbutStatus record(Study *study, unsigned long long seed, AbutError *error)
{
	const Settings *s = study->settings;
	const int n = s->tosses + s->held_back;
	const size_t frames = (size_t)n * (size_t)s->frames;
	AbutStatus status = abut_toss_model(&s->truth, s->truth.half, &study->truth, error);
	ABUT_THEN(status, abut_toss_model(&s->guess, s->truth.half, &study->guess, error));
	study->clean = calloc(frames, sizeof *study->clean);
	study->seen = calloc(frames, sizeof *study->seen);
	if (status == ABUT_OK && (!study->clean || !study->seen)) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for recordings");
	}
	for (int i = 0; status == ABUT_OK && i < n; i++) {
		AbutRng rng = abut_rng_stream(seed, (uint64_t)i);
		const ptrdiff_t at = (ptrdiff_t)i * s->frames;
		status = abut_toss_record(study->truth, &s->noise, &rng, s->frames, &study->clean[at], &study->seen[at],
		                          error);
	}
	if (status == ABUT_OK && !abut_toss_corners(study->truth, study->corners)) {
		status =
		    abut_error_set(error, ABUT_ERROR_ARGUMENT, "true_skew",
		                   "is %g: the faces then have no common corner; use a smaller value", s->truth.skew);
	}
	return status;
}

/* --- the fit --- */

static AbutFit make_fit(const Settings *settings)
{
	return (AbutFit){.body = ABUT_TOSS_BOX,
	                 .steps = settings->steps,
	                 .position_noise = settings->noise.position,
	                 .rotation_noise = settings->noise.rotation,
	                 .kappa = settings->kappa};
}

/* Chooses the parameters: friction with the floor, and the normal of each face, whose length is its distance. Bounds
 * are fixed, because a row and its bound scaled alike are the same face. */
static void choose_parameters(AbutFit *fit)
{
	fit->parameters[fit->n_parameters++] = (AbutParameter){ABUT_PARAMETER_FRICTION, 0, ABUT_TOSS_BOX, -1, 0};
	for (int i = 0; i < 4 * ABUT_TOSS_FACES; i++) {
		if (i % 4 < 3) {
			fit->parameters[fit->n_parameters++] =
			    (AbutParameter){ABUT_PARAMETER_FACE, ABUT_TOSS_BOX, -1, 0, i};
		}
	}
}

/* Returns the largest distance of a corner from its true position, m. */
static double corner_error(const Study *study, const AbutModel *model)
{
	double corners[COORDINATES], worst = 0.0;
	if (!abut_toss_corners(model, corners)) {
		return NAN;
	}
	for (int i = 0; i < ABUT_TOSS_CORNERS; i++) {
		double sum = 0.0;
		for (int k = 0; k < 3; k++) {
			sum += pow(corners[3 * i + k] - study->corners[3 * i + k], 2.0);
		}
		worst = fmax(worst, sqrt(sum));
	}
	return worst;
}

static void add_iteration(const Study *study, int iteration, AbutTable *table)
{
	const AbutFit *fit = &study->fit;
	const double data = 6.0 * (fit->steps + 1) * fit->n_segments, mu = study->settings->truth.friction;
	ABUT_NUMBERS(table, iteration, fit->cost / data, fit->values[0], fabs(fit->values[0] / mu - 1.0),
	             corner_error(study, fit->model), fit->dropped);
}

static AbutStatus fit_all(const AbutExperimentRun *run, Study *study, AbutTable *table, AbutError *error)
{
	const Settings *s = study->settings;
	bool done = false;
	study->fit = make_fit(s);
	choose_parameters(&study->fit);
	AbutStatus status = abut_fit_open(&study->fit, study->guess, s->tosses, s->frames, study->seen, error);
	for (int i = 0; status == ABUT_OK && i < s->iterations && !done; i++) {
		add_iteration(study, i, table);
		status = abut_fit_iterate(&study->fit, &done, error);
		abut_experiment_progress(run, (double)(i + 1) / s->iterations);
	}
	if (status == ABUT_OK) {
		add_iteration(study, abut_table_rows(table), table);
	}
	return status;
}

/* --- the recordings that were held back --- */

/* Returns the root mean square distance of the centre from its recorded position over a toss, m. */
static double distance(const AbutFit *toss, const double *residual)
{
	double sum = 0.0;
	for (int i = 0; i <= toss->steps; i++) {
		for (int k = 0; k < 3; k++) {
			sum += pow(residual[6 * i + k] * toss->position_noise, 2.0);
		}
	}
	return sqrt(sum / (toss->steps + 1));
}

static void add_heights(const Study *study, const char *name, const AbutFit *toss, const AbutFitSegment *from,
                        const double *residual, AbutTable *table)
{
	for (int i = 0; i <= toss->steps; i++) {
		abut_table_text(table, name);
		ABUT_NUMBERS(table, (i + 1) * study->settings->truth.timestep, from->seen[i].position[2],
		             from->seen[i].position[2] + residual[6 * i + 2] * toss->position_noise);
	}
}

/* Predicts each toss to its end from its first segment, whose start was fitted in the air, where no parameter has an
 * effect. */
static AbutStatus predict(const Study *study, const char *name, const AbutModel *model, const AbutFit *starts,
                          AbutTable *table, AbutTable *heights, AbutError *error)
{
	const Settings *s = study->settings;
	AbutFit toss = *starts;
	toss.steps = s->frames - 2;
	double *residual = calloc(6 * (size_t)s->frames + (size_t)s->held_back, sizeof *residual);
	AbutStatus status = ABUT_OK;
	if (!residual) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a toss");
	}
	double *off = residual + 6 * (ptrdiff_t)s->frames;
	for (int i = 0; status == ABUT_OK && i < s->held_back; i++) {
		const AbutFitSegment *from = &starts->segments[i * (starts->n_segments / s->held_back)];
		AbutFitRows rows = {.residual = residual};
		status = abut_fit_segment(&toss, model, from, &rows, error);
		off[i] = rows.solved ? distance(&toss, residual) : (double)INFINITY;
		if (status == ABUT_OK && i == 0) {
			add_heights(study, name, &toss, from, residual, heights);
		}
	}
	if (status == ABUT_OK) {
		abut_sort_numbers(off, (size_t)s->held_back);
		abut_table_text(table, name);
		ABUT_NUMBERS(table, s->held_back, off[0], off[s->held_back / 2], off[s->held_back - 1]);
	}
	free(residual);
	return status;
}

static AbutStatus predict_all(const Study *study, AbutTable *table, AbutTable *heights, AbutError *error)
{
	const Settings *s = study->settings;
	const AbutModel *const models[3] = {study->guess, study->fit.model, study->truth};
	static const char *const names[3] = {"guess", "found", "truth"};
	AbutFit starts = make_fit(s);
	bool done = false;
	AbutStatus status = abut_fit_open(&starts, study->truth, s->held_back, s->frames,
	                                  &study->seen[(ptrdiff_t)s->tosses * s->frames], error);
	for (int i = 0; status == ABUT_OK && i < s->iterations && !done; i++) {
		status = abut_fit_iterate(&starts, &done, error);
	}
	for (int i = 0; status == ABUT_OK && i < 3; i++) {
		status = predict(study, names[i], models[i], &starts, table, heights, error);
	}
	abut_fit_close(&starts);
	return status;
}

/* --- the report --- */

static void add_corners(const Study *study, AbutTable *table)
{
	double guess[COORDINATES], found[COORDINATES];
	if (!abut_toss_corners(study->guess, guess) || !abut_toss_corners(study->fit.model, found)) {
		return;
	}
	for (int i = 0; i < ABUT_TOSS_CORNERS; i++) {
		const double *t = &study->corners[3 * i], *g = &guess[3 * i], *f = &found[3 * i];
		ABUT_NUMBERS(table, i, t[0], t[1], t[2], hypot(hypot(g[0] - t[0], g[1] - t[1]), g[2] - t[2]),
		             hypot(hypot(f[0] - t[0], f[1] - t[1]), f[2] - t[2]));
	}
}

static void judge(const Study *study, AbutReport *report)
{
	const double mu = study->settings->truth.friction, found = study->fit.values[0];
	const double worst = corner_error(study, study->fit.model);
	abut_report_target(report, fabs(found / mu - 1.0) <= 0.02,
	                   "friction %.4f +- %.4f (true %g): error %.2f %%, at most 2 %% allowed", found,
	                   study->fit.deviation[0], mu, 100.0 * fabs(found / mu - 1.0));
	abut_report_target(report, worst <= 2e-3, "the worst corner is off by %.3f mm, at most 2 mm allowed",
	                   1e3 * worst);
}

static void describe(const Settings *s, unsigned long long seed, AbutReport *report)
{
	abut_report_setting(report, "box", "%g kg; true half extents %g, %g, %g m, faces leaning by up to %g",
	                    s->truth.mass, s->truth.half[0], s->truth.half[1], s->truth.half[2], s->truth.skew);
	abut_report_setting(report, "guess", "half extents %g, %g, %g m, no lean, friction %g", s->guess.half[0],
	                    s->guess.half[1], s->guess.half[2], s->guess.friction);
	abut_report_setting(report, "recordings", "%d tosses of %d frames at %g Hz, and %d held back; seed %llu",
	                    s->tosses, s->frames, 1.0 / s->truth.timestep, s->held_back, seed);
	abut_report_setting(report, "noise", "%g m and %g rad, each coordinate", s->noise.position, s->noise.rotation);
	abut_report_setting(report, "fit", "segments of %d steps, derivatives at kappa %g", s->steps, s->kappa);
}

typedef struct Tables {
	AbutTable *fit, *corners, *held, *heights;
} Tables;

static Tables make_tables(AbutReport *report)
{
	static const AbutColumn fit[] = {{"iteration", "iteration", 6},
	                                 {"cost", "cost per datum", 4},
	                                 {"friction", "friction", 5},
	                                 {"friction_off", "off by", 3},
	                                 {"corner_off_m", "worst corner off by, m", 3},
	                                 {"dropped", "segments without derivative", 6}};
	static const AbutColumn corners[] = {{"corner", "corner", 6},
	                                     {"x_m", "x, m", 5},
	                                     {"y_m", "y, m", 5},
	                                     {"z_m", "z, m", 5},
	                                     {"guess_off_m", "guess off by, m", 3},
	                                     {"found_off_m", "found off by, m", 3}};
	static const AbutColumn held[] = {{"model", "model", 0},
	                                  {"tosses", "tosses", 6},
	                                  {"least_m", "error of the best, m", 3},
	                                  {"median_m", "median, m", 3},
	                                  {"most_m", "of the worst, m", 3}};
	static const AbutColumn heights[] = {
	    {"model", "model", 0}, {"time_s", "time, s", 4}, {"seen_m", "seen, m", 6}, {"height_m", "predicted, m", 6}};
	Tables t = {abut_report_table(report, "fit", "The fit, iteration by iteration"),
	            abut_report_table(report, "corners", "True corners, and errors of guess and fit"),
	            abut_report_table(report, "held_back", "Held-back tosses, predicted from their initial flight"),
	            abut_report_data(report, "heights", "Height of the first held-back toss")};
	ABUT_COLUMNS(t.fit, fit);
	ABUT_COLUMNS(t.corners, corners);
	ABUT_COLUMNS(t.held, held);
	ABUT_COLUMNS(t.heights, heights);
	return t;
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Settings settings = {.seed = 0};
	Study study = {.settings = &settings};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	const unsigned long long seed = run->seed ? *run->seed : (unsigned long long)settings.seed;
	describe(&settings, seed, report);
	const Tables tables = make_tables(report);
	AbutStatus status = record(&study, seed, error);
	ABUT_THEN(status, fit_all(run, &study, tables.fit, error));
	if (status == ABUT_OK) {
		add_corners(&study, tables.corners);
		judge(&study, report);
		status = predict_all(&study, tables.held, tables.heights, error);
	}
	abut_fit_close(&study.fit);
	free(study.clean);
	free(study.seen);
	abut_model_destroy(study.truth);
	abut_model_destroy(study.guess);
	abut_report_figure(report, "identification", 1080, 400,
	                   "Left: cost per datum over the iterations. Middle: errors of friction and of the worst "
	                   "corner. Right: the first held-back toss, recorded and predicted from its flight.");
	return status;
}

const AbutExperiment abut_experiment_identification = {"identification", "identification",
                                                       "Friction and corners of a tossed box from recordings", execute};

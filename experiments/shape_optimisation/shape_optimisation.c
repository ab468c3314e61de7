/* Optimises the sizes of a cam by derivatives through its motion, for a wanted lift. The wanted curve is the closed
 * form of a cam of known sizes, so that the optimum is known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/shape_optimisation/cam.h"
#include "experiments/shape_optimisation/descent.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_STEPS = 100000, OUTLINE = 90 };

typedef struct Settings {
	AbutCam cam;
	double wanted[ABUT_CAM_SIZES], guess[ABUT_CAM_SIZES];
	int iterations;
	double longest;
} Settings;

typedef struct Study {
	const Settings *settings;
	double *wanted, *lift; /* (counted) m; lift: of the last run */
	AbutDescent descent;
	int runs;
} Study;

static const AbutKeySet keys = ABUT_SPEC_KEYS("shape-optimisation", "experiment", "wanted", "guess", "rate", "timestep",
                                              "falling_steps", "counted_steps", "kappa", "iterations", "first_step");
static const char *const size_names[ABUT_CAM_SIZES] = {"base along x", "base along z", "nose", "nose at x",
                                                       "nose at z"};

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	abut_require_vector(root, "wanted", ABUT_CAM_SIZES, ABUT_ANY, out->wanted);
	abut_require_vector(root, "guess", ABUT_CAM_SIZES, ABUT_ANY, out->guess);
	abut_require_number(root, "rate", ABUT_POSITIVE, &out->cam.rate);
	abut_require_number(root, "timestep", ABUT_POSITIVE, &out->cam.timestep);
	abut_require_integer(root, "falling_steps", 0, MOST_STEPS, &out->cam.falling);
	abut_require_integer(root, "counted_steps", 1, MOST_STEPS, &out->cam.counted);
	abut_require_number(root, "kappa", ABUT_NONNEGATIVE, &out->cam.kappa);
	abut_require_integer(root, "iterations", 1, MOST_STEPS, &out->iterations);
	abut_require_number(root, "first_step", ABUT_POSITIVE, &out->longest);
}

/* Computes the cost; impossible sizes and failed runs have none. */
static bool evaluate(void *context, const double *x, double *cost, double *slope)
{
	Study *study = context;
	AbutModel *model = NULL;
	AbutStatus status = abut_cam_model(&study->settings->cam, x, &model, NULL);
	if (status == ABUT_OK) {
		study->runs++;
		status = abut_cam_cost(&study->settings->cam, model, study->wanted, cost, slope, NULL);
	}
	abut_model_destroy(model);
	return status == ABUT_OK;
}

static double farthest(const Study *study)
{
	double worst = 0.0;
	for (int i = 0; i < ABUT_CAM_SIZES; i++) {
		worst = fmax(worst, fabs(study->descent.x[i] - study->settings->wanted[i]));
	}
	return worst;
}

static void add_iteration(const Study *study, int iteration, AbutTable *table)
{
	ABUT_NUMBERS(table, iteration, study->runs, sqrt(study->descent.cost), farthest(study));
}

static AbutStatus descend(const AbutExperimentRun *run, Study *study, AbutTable *table, AbutError *error)
{
	AbutDescent *descent = &study->descent;
	*descent = (AbutDescent){
	    .evaluate = evaluate, .context = study, .n = ABUT_CAM_SIZES, .longest = study->settings->longest};
	memcpy(descent->x, study->settings->guess, sizeof study->settings->guess);
	if (!abut_descent_begin(descent)) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, "guess",
		    "gives a cam (%g, %g, %g, %g, %g m) whose run fails; use sizes closer to the wanted ones",
		    descent->x[0], descent->x[1], descent->x[2], descent->x[3], descent->x[4]);
	}
	add_iteration(study, 0, table);
	for (int i = 1; i <= study->settings->iterations && abut_descent_step(descent); i++) {
		add_iteration(study, i, table);
		abut_experiment_progress(run, (double)i / study->settings->iterations);
	}
	return ABUT_OK;
}

/* --- the report --- */

static AbutStatus add_lifts(Study *study, const char *name, const double *sizes, AbutTable *table, AbutError *error)
{
	const AbutCam *cam = &study->settings->cam;
	AbutModel *model = NULL;
	AbutStatus status = abut_cam_model(cam, sizes, &model, error);
	ABUT_THEN(status, abut_cam_run(cam, model, study->lift, error));
	for (int i = 0; status == ABUT_OK && i < cam->counted; i++) {
		abut_table_text(table, name);
		ABUT_NUMBERS(table, abut_cam_angle(cam, cam->falling + i + 1), study->wanted[i], study->lift[i]);
	}
	abut_model_destroy(model);
	return status;
}

/* Adds the outlines of both parts of a cam as closed lines. */
static void add_outline(const char *name, const double *sizes, AbutTable *table)
{
	for (int part = 0; part < 2; part++) {
		for (int i = 0; i <= OUTLINE; i++) {
			const double angle = 2.0 * acos(-1.0) * i / OUTLINE;
			const double a = part ? sizes[ABUT_CAM_R] : sizes[ABUT_CAM_A];
			const double c = part ? sizes[ABUT_CAM_R] : sizes[ABUT_CAM_C];
			abut_table_text(table, name);
			ABUT_NUMBERS(table, part, a * cos(angle) + (part ? sizes[ABUT_CAM_X] : 0.0),
			             c * sin(angle) + (part ? sizes[ABUT_CAM_Z] : 0.0));
		}
	}
}

static void add_sizes(const Study *study, AbutTable *table)
{
	for (int i = 0; i < ABUT_CAM_SIZES; i++) {
		const double wanted = study->settings->wanted[i], found = study->descent.x[i];
		abut_table_text(table, size_names[i]);
		ABUT_NUMBERS(table, wanted, study->settings->guess[i], found, fabs(found - wanted));
	}
}

static AbutStatus add_figures(Study *study, AbutReport *report, AbutError *error)
{
	static const AbutColumn lifts[] = {
	    {"cam", "cam", 0}, {"angle_rad", "angle, rad", 5}, {"wanted_m", "wanted, m", 6}, {"lift_m", "lift, m", 6}};
	static const AbutColumn outlines[] = {
	    {"cam", "cam", 0}, {"part", "part", 3}, {"x_m", "x, m", 6}, {"z_m", "z, m", 6}};
	AbutTable *lift = ABUT_DATA(report, "lifts", "Lift over a turn", lifts);
	AbutTable *outline = ABUT_DATA(report, "outlines", "The cams", outlines);
	AbutStatus status = add_lifts(study, "guess", study->settings->guess, lift, error);
	ABUT_THEN(status, add_lifts(study, "found", study->descent.x, lift, error));
	add_outline("guess", study->settings->guess, outline);
	add_outline("found", study->descent.x, outline);
	add_outline("wanted", study->settings->wanted, outline);
	abut_report_figure(report, "cam", 1080, 400,
	                   "Left: root mean square error of the lift, and largest error of a size, over the "
	                   "iterations. Middle: the lift over a turn. Right: the cams, base and nose.");
	return status;
}

static void describe(const Settings *s, AbutReport *report)
{
	abut_report_setting(report, "cam", "%g rad/s, 1 kg, with a flywheel of 1e4 kg m^2, without friction",
	                    s->cam.rate);
	abut_report_setting(report, "steps", "%d counted steps after %d uncounted ones, of %g s", s->cam.counted,
	                    s->cam.falling, s->cam.timestep);
	abut_report_setting(report, "derivatives", "kappa %g, backwards through the run", s->cam.kappa);
}

static AbutStatus fill_report(const AbutExperimentRun *run, Study *study, AbutReport *report, AbutError *error)
{
	static const AbutColumn iterations[] = {{"iteration", "iteration", 6},
	                                        {"runs", "runs", 6},
	                                        {"rms_m", "error of the lift, rms, m", 3},
	                                        {"size_off_m", "largest error of a size, m", 3}};
	static const AbutColumn sizes[] = {{"size", "size", 0},
	                                   {"wanted_m", "optimum, m", 6},
	                                   {"guess_m", "guess, m", 6},
	                                   {"found_m", "found, m", 6},
	                                   {"off_m", "off by, m", 2}};
	AbutTable *found = ABUT_TABLE(report, "sizes", "Sizes of the cam", sizes);
	AbutTable *descent = ABUT_TABLE(report, "descent", "The optimisation, iteration by iteration", iterations);
	ABUT_TRY(descend(run, study, descent, error));
	add_sizes(study, found);
	abut_report_target(
	    report, farthest(study) < 1e-4,
	    "the largest error of a size relative to the known optimum is %.2g m, at most 1e-4 m allowed",
	    farthest(study));
	return add_figures(study, report, error);
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Settings settings = {.iterations = 0};
	Study study = {.settings = &settings};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	const AbutCam *cam = &settings.cam;
	describe(&settings, report);
	study.wanted = calloc(2 * (size_t)cam->counted, sizeof *study.wanted);
	if (!study.wanted) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for %d steps", cam->counted);
	}
	study.lift = study.wanted + cam->counted;
	for (int i = 0; i < cam->counted; i++) {
		study.wanted[i] = abut_cam_lift(settings.wanted, abut_cam_angle(cam, cam->falling + i + 1));
	}
	AbutStatus status = fill_report(run, &study, report, error);
	free(study.wanted);
	return status;
}

const AbutExperiment abut_experiment_shape_optimisation = {"shape-optimisation", "shape_optimisation",
                                                           "A cam optimised for a wanted lift", execute};

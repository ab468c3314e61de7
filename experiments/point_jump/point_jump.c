/* Computes the contact point of a tilted box, as a query and within the solution of a step (the single-level paper,
 * figure 5). tests/experiments/test_point_jump.c has the closed form of the latter. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "experiments/point_jump/tilted_box.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_KAPPAS = 6, MOST_SAMPLES = 20001, MOST_VARIANTS = 2 * MOST_KAPPAS + 2 };

typedef struct Settings {
	AbutTiltedBox box;
	double largest, smallest; /* rad: tilts are 0 and, on each side, logarithmic from `smallest` to `largest` */
	int samples;              /* on each side of zero */
	double kappas[MOST_KAPPAS];
	int n_kappas;
} Settings;

/* One curve of the point over the tilt: of the query, or of the step. */
typedef struct Variant {
	bool step;
	double kappa; /* 0: exact */
	char name[32];
	char label[48];
} Variant;

typedef struct Study {
	const Settings *settings;
	AbutTiltedBox box;
	const char *name; /* of its files */
	Variant variants[MOST_VARIANTS];
	int n_variants, n_tilts;
	double *tilts;  /* (n_tilts) increasing */
	double *points; /* (n_variants x n_tilts) m */
} Study;

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("point-jump", "experiment", "half_extents", "mass", "friction", "timestep", "box_offset",
                   "largest_tilt", "smallest_tilt", "samples", "kappas");

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	abut_require_vector(root, "half_extents", 3, ABUT_POSITIVE, out->box.half);
	abut_require_number(root, "mass", ABUT_POSITIVE, &out->box.mass);
	abut_require_number(root, "friction", ABUT_NONNEGATIVE, &out->box.friction);
	abut_require_number(root, "timestep", ABUT_POSITIVE, &out->box.timestep);
	abut_require_number(root, "box_offset", ABUT_POSITIVE, &out->box.offset);
	abut_require_number(root, "largest_tilt", ABUT_POSITIVE, &out->largest);
	abut_require_number(root, "smallest_tilt", ABUT_POSITIVE, &out->smallest);
	abut_require_integer(root, "samples", 2, (MOST_SAMPLES - 1) / 2, &out->samples);
	out->n_kappas = abut_spec_numbers(root, "kappas", MOST_KAPPAS, ABUT_POSITIVE, out->kappas);
}

/* Chooses the tilts: zero, and on both sides of it half of the samples by decades (near zero) and half evenly (at the
 * scale of a step). */
static void choose_tilts(const Settings *settings, double *tilts)
{
	const int n = settings->samples, by_decades = n / 2, evenly = n - by_decades;
	const double ratio = settings->smallest / settings->largest;
	int k = 0;
	tilts[k++] = 0.0;
	for (int i = 0; i < n; i++) {
		const double tilt = i < by_decades
		                        ? settings->largest * pow(ratio, (double)(i + 1) / (double)by_decades)
		                        : settings->largest * (double)(i - by_decades + 1) / (double)evenly;
		tilts[k++] = tilt;
		tilts[k++] = -tilt;
	}
	abut_sort_numbers(tilts, (size_t)k);
}

static void choose_variants(const Settings *settings, Study *study)
{
	for (int step = 0; step < 2; step++) {
		for (int i = -1; i < settings->n_kappas; i++) {
			Variant *variant = &study->variants[study->n_variants++];
			variant->step = step;
			variant->kappa = i < 0 ? 0.0 : settings->kappas[i];
			const char *what = step ? "step" : "query";
			if (i < 0) {
				snprintf(variant->name, sizeof variant->name, "%s_exact", what);
				snprintf(variant->label, sizeof variant->label, "%s, exact",
				         step ? "single-level step" : "query alone");
			} else {
				snprintf(variant->name, sizeof variant->name, "%s_kappa_%.0e", what, variant->kappa);
				snprintf(variant->label, sizeof variant->label, "%s, kappa %.0e",
				         step ? "single-level step" : "query alone", variant->kappa);
			}
		}
	}
}

static AbutStatus query(const Study *study, AbutCollision *collision, double kappa, double tilt, double *point,
                        AbutError *error)
{
	const AbutPose below = {{study->box.on_box ? study->box.offset : 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
	const AbutPose pose = abut_tilted_box_pose(&study->box, tilt);
	AbutCollisionResult result;
	abut_collision_forget(collision);
	const AbutStatus status = abut_collision_solve(collision, &below, &pose, kappa, &result, error);
	*point = status == ABUT_OK && result.outcome != ABUT_OUTCOME_FAILED ? result.point[0] : (double)NAN;
	return status;
}

static AbutStatus measure_variant(const Study *study, AbutCollision *collision, int index, AbutError *error)
{
	const Variant *variant = &study->variants[index];
	const AbutFinish finish = variant->kappa > 0.0 ? ABUT_FINISH_NONE : ABUT_FINISH_EXACT;
	const double kappa =
	    variant->kappa > 0.0 ? variant->kappa : 1e-6; /* exact: the end of the path before the finish */
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < study->n_tilts; i++) {
		double *point = &study->points[index * study->n_tilts + i];
		if (variant->step) {
			AbutTiltedStep step = {.point = NAN};
			status = abut_tilted_box_step(&study->box, ABUT_METHOD_SINGLE_LEVEL, finish, kappa,
			                              study->tilts[i], &step, error);
			*point = step.outcome <= ABUT_OUTCOME_RELAXED ? step.point : (double)NAN;
		} else {
			status = query(study, collision, variant->kappa, study->tilts[i], point, error);
		}
	}
	return status;
}

/* Returns the tilt at which the curve first passes `level`; NaN when it does not. */
static double crossing(const Study *study, const double *points, double level)
{
	for (int i = 1; i < study->n_tilts; i++) {
		const double from = points[i - 1], to = points[i];
		if ((from - level) * (to - level) <= 0.0 && from != to) {
			const double share = (level - from) / (to - from);
			return study->tilts[i - 1] + share * (study->tilts[i] - study->tilts[i - 1]);
		}
	}
	return NAN;
}

/* Adds a row about a curve: its ends, the turn in which it covers the middle four fifths of its way, and the largest
 * change between neighbouring samples. */
static void add_curve(const Study *study, int index, AbutTable *table)
{
	const double *points = &study->points[index * study->n_tilts];
	const double first = points[0], last = points[study->n_tilts - 1];
	double largest = 0.0, apart = 0.0;
	for (int i = 1; i < study->n_tilts; i++) {
		const double change = fabs(points[i] - points[i - 1]);
		if (change > largest) {
			largest = change;
			apart = study->tilts[i] - study->tilts[i - 1];
		}
	}
	const double width = crossing(study, points, first + 0.9 * (last - first)) -
	                     crossing(study, points, first + 0.1 * (last - first));
	abut_table_text(table, study->name);
	abut_table_text(table, study->variants[index].label);
	ABUT_NUMBERS(table, first, last, fabs(width), largest, apart);
}

static void add_points(const Study *study, AbutReport *report)
{
	AbutTable *table = abut_report_data(report, study->name, "Contact point along x from the box's centre, m");
	abut_table_column(table, "tilt", "tilt", 6);
	for (int j = 0; j < study->n_variants; j++) {
		abut_table_column(table, study->variants[j].name, study->variants[j].label, 6);
	}
	for (int i = 0; i < study->n_tilts; i++) {
		abut_table_number(table, study->tilts[i]);
		for (int j = 0; j < study->n_variants; j++) {
			abut_table_number(table, study->points[j * study->n_tilts + i]);
		}
	}
}

/* Adds a row about the steps that a method solves from these tilts. */
static AbutStatus add_solves(const Study *study, AbutMethod method, double kappa, AbutTable *table, AbutError *error)
{
	long solved = 0, iterations = 0;
	for (int i = 0; i < study->n_tilts; i++) {
		AbutTiltedStep step = {.outcome = ABUT_OUTCOME_FAILED};
		ABUT_TRY(
		    abut_tilted_box_step(&study->box, method, ABUT_FINISH_NONE, kappa, study->tilts[i], &step, error));
		solved += step.outcome <= ABUT_OUTCOME_RELAXED;
		iterations += step.iterations;
	}
	abut_table_text(table, study->name);
	abut_table_text(table, abut_method_name(method));
	ABUT_NUMBERS(table, kappa, study->n_tilts, (double)solved, (double)iterations / (double)study->n_tilts);
	return ABUT_OK;
}

static AbutStatus add_all_solves(const Study *study, AbutTable *table, AbutError *error)
{
	for (int i = 0; i < study->settings->n_kappas; i++) {
		ABUT_TRY(add_solves(study, ABUT_METHOD_SINGLE_LEVEL, study->settings->kappas[i], table, error));
		ABUT_TRY(add_solves(study, ABUT_METHOD_BILEVEL, study->settings->kappas[i], table, error));
	}
	return ABUT_OK;
}

static AbutStatus measure(const AbutExperimentRun *run, Study *study, double from, AbutError *error)
{
	AbutShape *shapes[2];
	AbutCollision *collision = NULL;
	AbutStatus status = abut_tilted_box_shapes(&study->box, shapes, error);
	ABUT_THEN(status, abut_collision_create(shapes[0], shapes[1], &collision, error));
	for (int i = 0; status == ABUT_OK && i < study->n_variants; i++) {
		status = measure_variant(study, collision, i, error);
		abut_experiment_progress(run, from + 0.4 * (double)(i + 1) / (double)study->n_variants);
	}
	abut_collision_destroy(collision);
	abut_shape_destroy(shapes[0]);
	abut_shape_destroy(shapes[1]);
	return status;
}

/* Adds the results of a study to the report and its two tables. */
static AbutStatus fill_report(const AbutExperimentRun *run, Study *study, AbutTable *curves, AbutTable *solves,
                              AbutReport *report, AbutError *error)
{
	choose_tilts(study->settings, study->tilts);
	ABUT_TRY(measure(run, study, study->box.on_box ? 0.5 : 0.0, error));
	for (int i = 0; i < study->n_variants; i++) {
		add_curve(study, i, curves);
	}
	add_points(study, report);
	return add_all_solves(study, solves, error);
}

static AbutStatus study_one(const AbutExperimentRun *run, const Settings *settings, bool on_box, AbutTable *curves,
                            AbutTable *solves, AbutReport *report, AbutError *error)
{
	Study study = {.settings = settings, .box = settings->box, .name = on_box ? "box" : "plane"};
	AbutStatus status = ABUT_ERROR_MEMORY;
	study.box.on_box = on_box;
	study.n_tilts = 2 * settings->samples + 1;
	choose_variants(settings, &study);
	study.tilts = calloc((size_t)study.n_tilts + 1, sizeof *study.tilts);
	study.points = calloc((size_t)study.n_tilts * (size_t)study.n_variants + 1, sizeof *study.points);
	if (study.tilts && study.points) {
		status = fill_report(run, &study, curves, solves, report, error);
	} else {
		abut_error_set(error, status, NULL, "out of memory for the tilts");
	}
	free(study.tilts);
	free(study.points);
	return status;
}

static void describe(const Settings *settings, AbutReport *report)
{
	const AbutTiltedBox *box = &settings->box;
	abut_report_setting(report, "box", "half extents %g, %g, %g m; %g kg", box->half[0], box->half[1], box->half[2],
	                    box->mass);
	abut_report_setting(report, "below it", "a plane; the same box, fixed, its centre %g m to the side",
	                    box->offset);
	abut_report_setting(report, "friction", "%g", box->friction);
	abut_report_setting(report, "timestep", "%g s", box->timestep);
	abut_report_setting(report, "tilts", "%d, up to %g rad to either side, the smallest %g rad",
	                    2 * settings->samples + 1, settings->largest, settings->smallest);
	abut_report_setting(report, "start of a step", "at rest and touching, from cold, without retries");
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	static const AbutColumn curve_columns[] = {
	    {"below", "below", 0},
	    {"curve", "contact point of", 0},
	    {"first_m", "at the most negative tilt, m", 4},
	    {"last_m", "at the most positive, m", 4},
	    {"turn_rad", "turn over the middle 80 % of that way, rad", 3},
	    {"largest_change_m", "largest change between two tilts, m", 3},
	    {"between_rad", "distance of these tilts, rad", 3},
	};
	static const AbutColumn solve_columns[] = {
	    {"below", "below", 0}, {"method", "method", 0}, {"kappa", "kappa", 2},
	    {"steps", "steps", 6}, {"solved", "solved", 6}, {"iterations_mean", "iterations a step", 3},
	};
	Settings settings = {.samples = 0};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	describe(&settings, report);
	AbutTable *curves =
	    ABUT_TABLE(report, "curves", "How fast the contact point moves with the tilt", curve_columns);
	AbutTable *solves = abut_report_table(report, "solves", "Steps solved from these tilts");
	ABUT_COLUMNS(solves, solve_columns);
	for (int i = 0; i < 2; i++) {
		ABUT_TRY(study_one(run, &settings, i == 1, curves, solves, report, error));
	}
	abut_report_figure(
	    report, "jump", 960, 640,
	    "Contact point along x, from the centre of the box, over the tilt of the box before the step. In the query "
	    "alone it jumps from edge to edge: within a turn of the size of kappa, or at once in the exact query. In "
	    "the solution of a step it follows the balance of torques.");
	return ABUT_OK;
}

const AbutExperiment abut_experiment_point_jump = {"point-jump", "point_jump",
                                                   "The contact point as a tilt goes through zero", execute};

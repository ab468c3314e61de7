/* Computes contact frames of two boxes through vertex, edge and face configurations (the single-level paper, figure 3)
 * and measures their continuity. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/contact/frame.h"
#include "experiments/contact_frames/path.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"
#include "io/json/read.h"

enum { MOST_KAPPAS = 6, MOST_SAMPLES = 4000, REFINEMENTS = 4 };

typedef struct Settings {
	AbutPath path;
	double kappas[MOST_KAPPAS]; /* 0: exact */
	int n_kappas, samples;      /* number of samples on each leg, before refinement */
	double view[2];             /* the drawing's rotations about x and z in gnuplot, degrees */
	AbutSpec spec;              /* owns the names */
} Settings;

/* A contact of two boxes: its point and its directions. */
typedef struct Frame {
	bool found;
	double scaling, gap, point[3];
	double directions[3][3]; /* unit vectors: normal from the fixed box to the moving one, two tangents */
	double length;           /* length of the frame's vectors in the equations, in [0, 1] */
} Frame;

static const AbutKeySet keys = ABUT_SPEC_KEYS("contact-frames", "experiment", "fixed_half_extents",
                                              "moving_half_extents", "waypoints", "kappas", "samples", "view");
static const AbutKeySet waypoint_keys = ABUT_SPEC_KEYS("a waypoint", "name", "position", "orientation");

static void read_waypoint(const AbutNode *node, AbutWaypoint *out)
{
	abut_node_check_keys(node, &waypoint_keys);
	abut_require_name(node, "name", &out->name);
	out->pose = (AbutPose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
	abut_require_vector(node, "position", 3, ABUT_ANY, out->pose.position);
	abut_read_quaternion(node, "orientation", out->pose.orientation);
}

static void read_waypoints(const AbutNode *root, AbutPath *path)
{
	AbutNode array, entry;
	if (!abut_spec_objects(root, "waypoints", "waypoints", 2, ABUT_WAYPOINTS_MAX, &array)) {
		return;
	}
	for (bool more = abut_node_first(&array, &entry); more; more = abut_node_next(&entry)) {
		read_waypoint(&entry, &path->points[path->n_points++]);
	}
}

static AbutStatus read_settings(const char *path, Settings *out, AbutError *error)
{
	ABUT_TRY(abut_spec_open(&out->spec, path, &keys, error));
	const AbutNode *root = &out->spec.root;
	abut_require_vector(root, "fixed_half_extents", 3, ABUT_POSITIVE, out->path.fixed);
	abut_require_vector(root, "moving_half_extents", 3, ABUT_POSITIVE, out->path.moving);
	read_waypoints(root, &out->path);
	out->n_kappas = abut_spec_numbers(root, "kappas", MOST_KAPPAS, ABUT_NONNEGATIVE, out->kappas);
	abut_require_integer(root, "samples", 2, MOST_SAMPLES, &out->samples);
	abut_require_vector(root, "view", 2, ABUT_ANY, out->view);
	return out->spec.reader.status;
}

/* --- frames --- */

typedef struct Query {
	const Settings *settings;
	AbutCollision *collision;
	double sigma;        /* constant of the frame's soft normalisation, 1/m */
	double reference[3]; /* reference direction of the tangents, chosen once, as in a step */
} Query;

/* Chooses the axis least aligned with the line of centres at the start. A step keeps its axis during a solve too. */
static void choose_reference(const AbutPath *path, double out[3])
{
	const double *line = path->points[0].pose.position;
	int least = 0;
	for (int i = 1; i < 3; i++) {
		least = fabs(line[i]) < fabs(line[least]) ? i : least;
	}
	for (int i = 0; i < 3; i++) {
		out[i] = i == least ? 1.0 : 0.0;
	}
}

static AbutStatus open_query(const Settings *settings, Query *query, AbutError *error)
{
	const AbutPath *path = &settings->path;
	AbutShape *shapes[2] = {NULL, NULL};
	*query = (Query){.settings = settings, .sigma = 3.0 / (abut_norm3(path->fixed) + abut_norm3(path->moving))};
	choose_reference(path, query->reference);
	AbutStatus status = abut_shape_create_box(path->fixed, &shapes[0], error);
	ABUT_THEN(status, abut_shape_create_box(path->moving, &shapes[1], error));
	ABUT_THEN(status, abut_collision_create(shapes[0], shapes[1], &query->collision, error));
	abut_shape_destroy(shapes[0]);
	abut_shape_destroy(shapes[1]);
	return status;
}

/* Computes the frame at `s`. On the path, the raw normal is d alpha / d x of the moving box. The exact query gives only
 * the direction of this normal. */
static AbutStatus find_frame(const Query *query, double kappa, double s, Frame *out, AbutError *error)
{
	static const AbutPose fixed = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
	const AbutPose pose = abut_path_pose(&query->settings->path, s);
	AbutCollisionResult result;
	AbutCollisionGradient gradient;
	AbutContactFrame frame;
	*out = (Frame){.found = false};
	abut_collision_forget(query->collision);
	const AbutStatus status = abut_collision_solve(query->collision, &fixed, &pose, kappa, &result, error);
	if (status != ABUT_OK || result.outcome == ABUT_OUTCOME_FAILED) {
		return status;
	}
	const double *raw = result.normal;
	if (kappa > 0.0) {
		if (abut_collision_gradient(query->collision, &gradient, NULL) != ABUT_OK) {
			return ABUT_OK;
		}
		raw = &gradient.scaling[6];
	}
	abut_contact_frame(raw, kappa > 0.0 ? query->sigma : 0.0, query->reference, &frame);
	out->found = true;
	out->scaling = result.scaling;
	out->gap = result.gap;
	out->length = abut_norm3(frame.N[0]);
	for (int i = 0; i < 3; i++) {
		out->point[i] = result.point[i];
		for (int k = 0; k < 3; k++) {
			out->directions[k][i] = frame.N[k][i] / abut_norm3(frame.N[k]);
		}
	}
	return ABUT_OK;
}

static double angle(const double a[3], const double b[3])
{
	double across[3];
	abut_cross3(a, b, across);
	return atan2(abut_norm3(across), abut_dot3(a, b));
}

static double distance(const double a[3], const double b[3])
{
	const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return abut_norm3(way);
}

/* --- continuity --- */

/* Finds the largest changes between neighbouring samples: of point (m), normal and tangent (rad). Each leg has
 * `samples` samples. */
static AbutStatus largest_changes(const Query *query, double kappa, int samples, double changes[3], int *missing,
                                  AbutError *error)
{
	const int n = samples * (query->settings->path.n_points - 1);
	Frame before = {.found = false}, now;
	changes[0] = changes[1] = changes[2] = 0.0;
	*missing = 0;
	for (int i = 0; i <= n; i++) {
		ABUT_TRY(find_frame(query, kappa, (double)i / (double)samples, &now, error));
		*missing += !now.found;
		if (before.found && now.found) {
			changes[0] = fmax(changes[0], distance(before.point, now.point));
			changes[1] = fmax(changes[1], angle(before.directions[0], now.directions[0]));
			changes[2] = fmax(changes[2], angle(before.directions[1], now.directions[1]));
		}
		before = now;
	}
	return ABUT_OK;
}

/* Adds a note if even the densest samples are too coarse. A continuous normal turns a quarter as much between samples
 * four times as dense. */
static void note_density(double kappa, double before, double densest, AbutTable *table)
{
	if (kappa > 0.0 && densest > 0.5 * before) {
		abut_table_note(
		    table, "kappa %.0e: even the densest samples cannot distinguish its continuous normal from a jump",
		    kappa);
	}
}

/* Adds the table of changes. Between samples twice as dense, a continuous frame changes half as much; a jump keeps its
 * size. */
static AbutStatus add_continuity(const AbutExperimentRun *run, const Query *query, AbutReport *report, AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"frames", "frames", 0},          {"samples", "samples a leg", 5},    {"point_m", "point, m", 3},
	    {"normal_rad", "normal, rad", 3}, {"tangent_rad", "tangent, rad", 3}, {"not_found", "frames not found", 5},
	};
	const Settings *settings = query->settings;
	AbutTable *table =
	    ABUT_TABLE(report, "continuity", "Largest changes of a frame between neighbouring samples", columns);
	for (int i = 0; i < settings->n_kappas; i++) {
		double changes[REFINEMENTS][3];
		for (int refine = 0; refine < REFINEMENTS; refine++) {
			const int samples = settings->samples << (2 * refine);
			int missing = 0;
			ABUT_TRY(
			    largest_changes(query, settings->kappas[i], samples, changes[refine], &missing, error));
			if (settings->kappas[i] > 0.0) {
				abut_table_format(table, "kappa %.0e", settings->kappas[i]);
			} else {
				abut_table_text(table, "exact");
			}
			abut_table_number(table, samples);
			abut_table_numbers(table, 3, changes[refine]);
			abut_table_number(table, missing);
		}
		note_density(settings->kappas[i], changes[REFINEMENTS - 2][1], changes[REFINEMENTS - 1][1], table);
		abut_experiment_progress(run, (double)(i + 1) / (double)settings->n_kappas);
	}
	return ABUT_OK;
}

/* --- what is drawn --- */

static AbutStatus add_path(const Query *query, AbutReport *report, AbutError *error)
{
	const Settings *settings = query->settings;
	const int n = settings->samples * (settings->path.n_points - 1);
	AbutTable *table = abut_report_data(report, "path", "Frames along the path");
	static const char *const parts[] = {"px", "py", "pz", "nx", "ny", "nz", "tx", "ty", "tz", "length"};
	abut_table_column(table, "s", "place on the path", 6);
	for (int k = 0; k < settings->n_kappas; k++) {
		for (int j = 0; j < 10; j++) {
			char name[48];
			snprintf(name, sizeof name, settings->kappas[k] > 0.0 ? "%s_kappa_%.0e" : "%s_exact", parts[j],
			         settings->kappas[k]);
			abut_table_column(table, name, name, 6);
		}
	}
	for (int i = 0; i <= n; i++) {
		const double s = (double)i / (double)settings->samples;
		abut_table_number(table, s);
		for (int k = 0; k < settings->n_kappas; k++) {
			Frame frame;
			ABUT_TRY(find_frame(query, settings->kappas[k], s, &frame, error));
			abut_table_numbers(table, 3, frame.point);
			abut_table_numbers(table, 3, frame.directions[0]);
			abut_table_numbers(table, 3, frame.directions[1]);
			abut_table_number(table, frame.length);
		}
	}
	return ABUT_OK;
}

static void add_edges(const Settings *settings, int waypoint, AbutTable *table)
{
	const double x = settings->view[0] * 0.017453292519943295, z = settings->view[1] * 0.017453292519943295;
	const double eye[3] = {sin(x) * sin(z), -sin(x) * cos(z), cos(x)};
	static const AbutPose fixed = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
	for (int body = 0; body < 2; body++) {
		AbutEdge edges[12];
		abut_path_edges(body ? settings->path.moving : settings->path.fixed,
		                body ? &settings->path.points[waypoint].pose : &fixed, eye, edges);
		for (int i = 0; i < 12; i++) {
			ABUT_NUMBERS(table, waypoint, body, edges[i].front);
			abut_table_numbers(table, 6, edges[i].ends[0]);
		}
	}
}

/* Adds the numbers of a frame to a table for the drawing. */
static void add_frame(const Frame *frame, AbutTable *table)
{
	ABUT_NUMBERS(table, frame->scaling, frame->gap);
	abut_table_numbers(table, 3, frame->point);
	for (int k = 0; k < 3; k++) {
		abut_table_numbers(table, 3, frame->directions[k]);
	}
	abut_table_number(table, frame->length);
}

/* Adds a frame to a table of the page. */
static void show_frame(const Frame *frame, AbutTable *table)
{
	const double *vectors[4] = {frame->point, frame->directions[0], frame->directions[1], frame->directions[2]};
	ABUT_NUMBERS(table, frame->scaling, frame->gap);
	for (int k = 0; k < 4; k++) {
		const double *v = vectors[k];
		/* Adding 0.0 avoids negative zeros. */
		abut_table_format(table, "%.3f %.3f %.3f", round(1e3 * v[0]) / 1e3 + 0.0, round(1e3 * v[1]) / 1e3 + 0.0,
		                  round(1e3 * v[2]) / 1e3 + 0.0);
	}
}

static const AbutColumn shown_columns[] = {
    {"configuration", "configuration", 0},
    {"scaling", "scaling", 5},
    {"gap_m", "gap, m", 2},
    {"point_m", "point, m", 0},
    {"normal", "normal", 0},
    {"tangent", "tangent", 0},
    {"other_tangent", "other tangent", 0},
};

static const AbutColumn waypoint_columns[] = {
    {"configuration", "configuration", 0},
    {"scaling", "scaling", 5},
    {"gap_m", "gap, m", 3},
    {"px", "point x, m", 3},
    {"py", "y", 3},
    {"pz", "z", 3},
    {"nx", "normal x", 3},
    {"ny", "y", 3},
    {"nz", "z", 3},
    {"t1x", "tangent x", 3},
    {"t1y", "y", 3},
    {"t1z", "z", 3},
    {"t2x", "tangent 2 x", 3},
    {"t2y", "y", 3},
    {"t2z", "z", 3},
    {"length", "length s", 3},
};

static const AbutColumn edge_columns[] = {
    {"configuration", "configuration", 3},
    {"body", "body", 3},
    {"front", "front", 3},
    {"x0", "x", 6},
    {"y0", "y", 6},
    {"z0", "z", 6},
    {"x1", "x", 6},
    {"y1", "y", 6},
    {"z1", "z", 6},
};

/* Adds the frames at the waypoints for the last kappa: a table on the page, and one with the boxes' edges for the
 * drawing. */
static AbutStatus add_waypoints(const Query *query, AbutReport *report, AbutError *error)
{
	const Settings *settings = query->settings;
	AbutTable *shown = abut_report_table(report, "frames", "Frames at the named configurations");
	AbutTable *table =
	    ABUT_DATA(report, "waypoints", "Frames at the named configurations, as numbers", waypoint_columns);
	AbutTable *edges = abut_report_data(report, "edges", "Edges of the boxes there");
	ABUT_COLUMNS(shown, shown_columns);
	ABUT_COLUMNS(edges, edge_columns);
	for (int i = 0; i < settings->path.n_points; i++) {
		Frame frame;
		ABUT_TRY(find_frame(query, settings->kappas[settings->n_kappas - 1], i, &frame, error));
		abut_table_text(shown, settings->path.points[i].name);
		show_frame(&frame, shown);
		abut_table_text(table, settings->path.points[i].name);
		add_frame(&frame, table);
		add_edges(settings, i, edges);
	}
	return ABUT_OK;
}

static void describe(const Settings *settings, AbutReport *report)
{
	const double *a = settings->path.fixed, *b = settings->path.moving;
	abut_report_setting(report, "fixed box", "half extents %g, %g, %g m", a[0], a[1], a[2]);
	abut_report_setting(report, "moving box", "half extents %g, %g, %g m", b[0], b[1], b[2]);
	abut_report_setting(report, "legs", "%d, straight between %d configurations", settings->path.n_points - 1,
	                    settings->path.n_points);
	abut_report_setting(report, "frames drawn", "at kappa %g", settings->kappas[settings->n_kappas - 1]);
}

static AbutStatus make_all(const AbutExperimentRun *run, const Settings *settings, AbutReport *report, AbutError *error)
{
	Query query;
	describe(settings, report);
	AbutStatus status = open_query(settings, &query, error);
	ABUT_THEN(status, add_waypoints(&query, report, error));
	ABUT_THEN(status, add_path(&query, report, error));
	ABUT_THEN(status, add_continuity(run, &query, report, error));
	abut_collision_destroy(query.collision);
	abut_report_figure(
	    report, "frames", 1000, 560,
	    "Contact point (grey), normal (blue) and tangents (red) of the two boxes. Hidden edges are thin.");
	abut_report_figure(
	    report, "components", 1000, 620,
	    "Normal and contact point along the path, with the named configurations at whole numbers. On the central "
	    "path both are continuous, and steeper at smaller kappa. At the smallest kappa the samples are too coarse "
	    "to show this (see the table). Exact frames jump where the features that meet change.");
	return status;
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Settings *settings = calloc(1, sizeof *settings);
	if (!settings) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the frames");
	}
	AbutStatus status = read_settings(run->spec, settings, error);
	ABUT_THEN(status, make_all(run, settings, report, error));
	abut_spec_close(&settings->spec);
	free(settings);
	return status;
}

const AbutExperiment abut_experiment_contact_frames = {"contact-frames", "contact_frames",
                                                       "Contact frames through vertices, edges and faces", execute};

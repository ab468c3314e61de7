/* abut collide SCENE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "cli/cli.h"
#include "cli/json_print.h"
#include "dynamics/model/pair.h"
#include "io/text/number.h"
#include "shapes/change/size.h"

typedef struct Options {
	bool json;
	double kappa, near; /* near: m, INFINITY for all pairs */
	unsigned long long seed;
} Options;

typedef struct Report {
	const AbutModel *model;
	const AbutSceneDef *def;
	const Options *options;
	int width; /* of the names in the table */
	long pairs, failed;
} Report;

/* One pair of parts: indices into the model's parts. */
typedef struct Query {
	int part[2];
	AbutCollisionResult result;
	bool has_gradient;
	AbutCollisionGradient gradient;
} Query;

static const AbutPart *part_of(const Report *report, const Query *query, int i)
{
	return &report->model->parts[query->part[i]];
}

/* --- output --- */

static void print_heading(const Report *report)
{
	printf("%-*s  %-*s %12s %12s  %-32s  %-26s\n", report->width, "a", report->width, "b", "scaling", "gap (m)",
	       "point (m)", "normal");
}

/* Three numbers, what is rounding beside the largest as 0. */
static void print_entries(int width, const double values[3])
{
	const double largest = fmax(fabs(values[0]), fmax(fabs(values[1]), fabs(values[2])));
	for (int i = 0; i < 3; i++) {
		printf(" %*.5g", width, fabs(values[i]) < 5e-6 * largest ? 0.0 : values[i]);
	}
}

/* The body's name, and of one of several parts its number: hammer[1]. */
static void print_side(const Report *report, const Query *query, int i)
{
	const AbutBody *body = &report->model->bodies[part_of(report, query, i)->body];
	int printed = printf("%s", body->name);
	if (body->n_parts > 1) {
		printed += printf("[%d]", query->part[i] - body->first_part);
	}
	printf("%*s ", report->width > printed ? report->width - printed : 0, "");
}

static void print_row(const Report *report, const Query *query)
{
	const AbutCollisionResult *r = &query->result;
	print_side(report, query, 0);
	putchar(' ');
	print_side(report, query, 1);
	if (r->outcome == ABUT_OUTCOME_FAILED) {
		printf("not solved\n");
		return;
	}
	printf("%12.6f %12.4e ", r->scaling, r->gap);
	print_entries(10, r->point);
	putchar(' ');
	print_entries(8, r->normal);
	putchar('\n');
}

static void print_json_gradient(const Report *report, const Query *query)
{
	const AbutCollisionGradient *gradient = &query->gradient;
	for (int i = 0; i < 2; i++) {
		const int sizes = abut_shape_size_count(part_of(report, query, i)->shape->kind);
		printf("%s\"%c\": {\"position\": ", i > 0 ? ", " : "", "ab"[i]);
		abut_print_entries(&gradient->scaling[6 * i]);
		abut_print_vector("rotation", &gradient->scaling[6 * i + 3]);
		printf(", \"size\": [");
		for (int k = 0; k < sizes; k++) {
			fputs(k > 0 ? ", " : "", stdout);
			abut_json_write_number(stdout, gradient->scaling[ABUT_COLLISION_SIZES + 3 * i + k]);
		}
		printf("]}");
	}
}

static void print_json(const Report *report, const Query *query)
{
	const AbutCollisionResult *r = &query->result;
	printf("%s\n {\"outcome\": \"%s\"", report->pairs > 1 ? "," : "", abut_outcome_name(r->outcome));
	for (int i = 0; i < 2; i++) {
		const AbutPart *part = part_of(report, query, i);
		const AbutBody *body = &report->model->bodies[part->body];
		abut_print_text(i == 0 ? "a" : "b", body->name);
		const int place = query->part[i] - body->first_part;
		printf(", \"part_%c\": %d", "ab"[i], place);
	}
	if (r->outcome != ABUT_OUTCOME_FAILED) {
		abut_print_number("scaling", r->scaling);
		abut_print_number("gap", r->gap);
		abut_print_vector("point", r->point);
		abut_print_vector("normal", r->normal);
		abut_print_number("error", r->error);
	}
	printf(", \"iterations\": %d", r->iterations);
	if (query->has_gradient) {
		printf(", \"dscaling\": {");
		print_json_gradient(report, query);
		putchar('}');
	} else if (report->options->kappa > 0.0 && r->outcome != ABUT_OUTCOME_FAILED) {
		printf(", \"dscaling\": null");
	}
	putchar('}');
}

/* --- queries --- */

static AbutPose pose_of(const Report *report, const AbutPart *part)
{
	const AbutBodyDef *body = &report->def->bodies[part->body];
	AbutPose pose;
	memcpy(pose.position, body->position, sizeof pose.position);
	memcpy(pose.orientation, body->orientation, sizeof pose.orientation);
	return pose;
}

static AbutStatus solve(const Report *report, Query *query, AbutError *error)
{
	const AbutPart *a = part_of(report, query, 0), *b = part_of(report, query, 1);
	const AbutPose pose_a = pose_of(report, a), pose_b = pose_of(report, b);
	const double kappa = report->options->kappa;
	AbutCollision *collision = NULL;
	AbutStatus status = abut_collision_create(a->shape, b->shape, &collision, error);
	if (status == ABUT_OK) {
		status = abut_collision_solve(collision, &pose_a, &pose_b, kappa, &query->result, error);
	}
	if (status == ABUT_OK) {
		query->has_gradient = abut_collision_gradient(collision, &query->gradient, NULL) == ABUT_OK;
	}
	abut_collision_destroy(collision);
	return status;
}

/* Whether the spheres about the two are further apart than what is printed; of a halfspace that is not asked. */
static bool is_far(const Report *report, const Query *query)
{
	double distance[3] = {0.0, 0.0, 0.0}, radii = 0.0;
	for (int i = 0; i < 2; i++) {
		const AbutPart *part = part_of(report, query, i);
		const AbutPose pose = pose_of(report, part);
		double R[9], centre[3];
		if (part->shape->kind == ABUT_SHAPE_HALFSPACE) {
			return false;
		}
		abut_quat_to_mat3(pose.orientation, R);
		abut_mat3_vec(R, part->shape->centre, centre);
		for (int j = 0; j < 3; j++) {
			distance[j] += (i == 0 ? 1.0 : -1.0) * (centre[j] + pose.position[j]);
		}
		radii += part->shape->outer_radius;
	}
	return abut_norm3(distance) - radii > report->options->near;
}

static void print_query(Report *report, const Query *query)
{
	const bool failed = query->result.outcome == ABUT_OUTCOME_FAILED;
	if (!failed && !(query->result.gap <= report->options->near)) {
		return;
	}
	report->pairs++;
	report->failed += failed;
	if (report->options->json) {
		print_json(report, query);
	} else {
		print_row(report, query);
	}
}

static int print_pairs(Report *report, AbutError *error)
{
	const AbutModel *model = report->model;
	for (int i = 0; i < model->n_parts; i++) {
		for (int j = i + 1; j < model->n_parts; j++) {
			AbutPair pair;
			if (!abut_pair_make(model, i, j, &pair)) {
				continue;
			}
			const int first = pair.flipped ? 1 : 0; /* a and b as contacts have them */
			Query query = {.part = {pair.part[first], pair.part[1 - first]}};
			if (is_far(report, &query)) {
				continue;
			}
			if (solve(report, &query, error) != ABUT_OK) {
				return abut_report_error(error, ABUT_EXIT_USAGE);
			}
			print_query(report, &query);
		}
	}
	return report->failed > 0 ? ABUT_EXIT_CHECK : ABUT_EXIT_DONE;
}

static int collide(const Options *options, const AbutScene *scene, const AbutModel *model)
{
	AbutError error = {0};
	Report report = {.model = model, .def = abut_scene_def(scene), .options = options, .width = 4};
	for (int i = 0; i < model->n_bodies; i++) {
		const int length = (int)strlen(model->bodies[i].name);
		report.width = length > report.width ? length : report.width;
	}
	if (options->json) {
		printf("{\"seed\": %llu", options->seed);
		abut_print_number("kappa", options->kappa + 0.0);
		if (isfinite(options->near)) {
			abut_print_number("near", options->near);
		}
		abut_print_text("version", abut_version());
		printf(", \"pairs\": [");
	} else {
		print_heading(&report);
	}
	const int exit_status = print_pairs(&report, &error);
	if (options->json) {
		printf("]}\n");
	}
	return exit_status;
}

static bool read_options(const char *kappa, const char *near, Options *options)
{
	if (!abut_args_number("collide", "kappa", kappa, &options->kappa) ||
	    !abut_args_number("collide", "near", near, &options->near)) {
		return false;
	}
	if (options->kappa != 0.0 &&
	    !(options->kappa >= ABUT_COLLISION_KAPPA_MIN && options->kappa <= ABUT_COLLISION_KAPPA_MAX)) {
		abut_report("collide: --kappa is %g; it must be 0 or %g to %g", options->kappa,
		            ABUT_COLLISION_KAPPA_MIN, ABUT_COLLISION_KAPPA_MAX);
		return false;
	}
	return true;
}

static int open_and_collide(const char *path, const AbutTextList *overrides, const Options *options)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutError error = {0};
	int exit_status = abut_open_scene(path, overrides, &scene, &model, &error);
	if (exit_status == ABUT_EXIT_DONE) {
		abut_report_warnings(scene);
	}
	exit_status =
	    exit_status == ABUT_EXIT_DONE ? collide(options, scene, model) : abut_report_error(&error, exit_status);
	exit_status = abut_finish_stdout(exit_status);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return exit_status;
}

int abut_verb_collide(int argc, char **argv)
{
	const char *path = NULL, *kappa = NULL, *near = NULL;
	Options options = {.kappa = 1e-8, .near = (double)INFINITY};
	AbutTextList overrides = {0, calloc((size_t)argc + 1, sizeof *overrides.items)};
	const AbutOption known[] = {
	    {"kappa", ABUT_OPTION_TEXT, &kappa},         {"near", ABUT_OPTION_TEXT, &near},
	    {"set", ABUT_OPTION_LIST, &overrides},       {"json", ABUT_OPTION_FLAG, &options.json},
	    {"seed", ABUT_OPTION_NUMBER, &options.seed},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (!overrides.items) {
		abut_report("out of memory");
		return exit_status;
	}
	if (abut_args_parse("collide", argc, argv, known, sizeof known / sizeof *known, 1, 1, &path, &exit_status)) {
		exit_status = read_options(kappa, near, &options) ? open_and_collide(path, &overrides, &options)
		                                                  : ABUT_EXIT_USAGE;
	}
	free(overrides.items);
	return exit_status;
}

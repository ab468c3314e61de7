/* Runs the verb `collide`, which prints gap, contact point and normal of each pair at the start. Tested in
 * tests/cli/scene/collide.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/args.h"
#include "cli/common/open.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "dynamics/model/pair_query.h"

typedef struct Options {
	bool json;
	double kappa, near; /* near: m, INFINITY for all pairs */
	unsigned long long seed;
} Options;

/* The printed data, and the number of pairs. */
typedef struct Report {
	const AbutModel *model;
	const AbutSceneDef *def;
	const Options *options;
	int width; /* of the names in the table */
	long pairs, failed;
} Report;

/* Prints three numbers to five digits; numbers below 5e-6 of the largest are printed as 0. */
static void print_rounded(const double values[3], int width)
{
	abut_print_rounded(3, values, fmax(fabs(values[0]), fmax(fabs(values[1]), fabs(values[2]))), width);
}

/* Prints the name of a body. If it has several parts, adds the part, as in hammer[1]. */
static void print_side(const Report *report, const AbutPairQuery *query, int i)
{
	int printed = printf("%s", abut_model_body_name(report->model, query->body[i]));
	if (report->def->bodies[query->body[i]].n_parts > 1) {
		printed += printf("[%d]", query->part[i]);
	}
	printf("%*s ", report->width > printed ? report->width - printed : 0, "");
}

static void print_row(const Report *report, const AbutPairQuery *query)
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
	print_rounded(r->point, 10);
	putchar(' ');
	print_rounded(r->normal, 8);
	putchar('\n');
}

static void print_json_gradient(const AbutPairQuery *query)
{
	const double *scaling = query->gradient.scaling;
	for (int i = 0; i < 2; i++) {
		printf("%s\"%c\": {\"position\": ", i > 0 ? ", " : "", "ab"[i]);
		abut_print_list(3, &scaling[6 * i]);
		abut_print_vector("rotation", &scaling[6 * i + 3]);
		printf(", \"size\": ");
		abut_print_list(query->n_sizes[i], &scaling[ABUT_COLLISION_SIZES + 3 * i]);
		putchar('}');
	}
}

static void print_json(const Report *report, const AbutPairQuery *query)
{
	const AbutCollisionResult *r = &query->result;
	printf("%s\n {\"outcome\": \"%s\"", report->pairs > 1 ? "," : "", abut_outcome_name(r->outcome));
	for (int i = 0; i < 2; i++) {
		abut_print_text(i == 0 ? "a" : "b", abut_model_body_name(report->model, query->body[i]));
		printf(", \"part_%c\": %d", i == 0 ? 'a' : 'b', query->part[i]);
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
		print_json_gradient(query);
		putchar('}');
	} else if (report->options->kappa > 0.0 && r->outcome != ABUT_OUTCOME_FAILED) {
		printf(", \"dscaling\": null");
	}
	putchar('}');
}

static bool print_query(void *context, const AbutPairQuery *query)
{
	Report *report = context;
	const bool failed = query->result.outcome == ABUT_OUTCOME_FAILED;
	if (!failed && !(query->result.gap <= report->options->near)) {
		return true;
	}
	report->pairs++;
	report->failed += failed;
	if (report->options->json) {
		print_json(report, query);
	} else {
		print_row(report, query);
	}
	return true;
}

static int collide(const Options *options, const AbutScene *scene, const AbutModel *model)
{
	AbutError error = {0};
	Report report = {
	    .model = model, .def = abut_scene_def(scene), .options = options, .width = abut_name_width(model)};
	if (options->json) {
		printf("{\"seed\": %llu", options->seed);
		abut_print_number("kappa", options->kappa + 0.0);
		if (isfinite(options->near)) {
			abut_print_number("near", options->near);
		}
		abut_print_text("version", abut_version());
		printf(", \"pairs\": [");
	} else {
		printf("%-*s  %-*s %12s %12s  %-32s  %-26s\n", report.width, "a", report.width, "b", "scaling",
		       "gap (m)", "point (m)", "normal");
	}
	const AbutPairCall queries = {options->kappa, options->near, false, print_query, &report};
	const AbutStatus status = abut_pair_queries(model, &queries, &error);
	const int exit_status = status != ABUT_OK   ? abut_report_error(&error, ABUT_EXIT_USAGE)
	                        : report.failed > 0 ? ABUT_EXIT_CHECK
	                                            : ABUT_EXIT_DONE;
	if (options->json) {
		printf("]}\n");
	}
	return exit_status;
}

static int call(const char *path, const AbutSceneChanges *changes, const Options *options)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	if (options->kappa != 0.0 &&
	    !(options->kappa >= ABUT_COLLISION_KAPPA_MIN && options->kappa <= ABUT_COLLISION_KAPPA_MAX)) {
		return abut_refuse("collide: --kappa is %g; it must be 0 or lie in [%g, %g]", options->kappa,
		                   ABUT_COLLISION_KAPPA_MIN, ABUT_COLLISION_KAPPA_MAX);
	}
	int exit_status = abut_changes_open(changes, path, &scene, &model);
	if (exit_status == ABUT_EXIT_DONE) {
		abut_report_warnings(scene);
		exit_status = collide(options, scene, model);
	}
	exit_status = abut_finish_stdout(exit_status);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return exit_status;
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	const char *path = NULL;
	Options options = {.kappa = 1e-8, .near = (double)INFINITY};
	AbutSceneChanges changes = {.method = NULL};
	const AbutOption table[] = {
	    {"kappa", ABUT_OPTION_NUMBER, &options.kappa}, {"near", ABUT_OPTION_NUMBER, &options.near},
	    {"set", ABUT_OPTION_LIST, &changes.overrides}, {"json", ABUT_OPTION_FLAG, &options.json},
	    {"seed", ABUT_OPTION_INTEGER, &options.seed},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, &path, &exit_status)) {
		exit_status = call(path, &changes, &options);
	}
	abut_changes_free(&changes);
	return exit_status;
}

const AbutVerb abut_verb_collide = {
    .name = "collide",
    .summary = "print gap, contact point and normal of each pair at the start",
    .help = "usage: abut collide SCENE [--kappa K] [--near GAP] [--set PATH=VALUE]... [--json] [--seed N]\n"
            "\n"
            "Prints gap, contact point and normal of each pair at the start: for all pairs of parts that may\n"
            "touch. The scaling is the factor by which both shapes grow until they share a point (above 1: apart;\n"
            "a halfspace does not grow). The contact point is that shared point, and the normal points from a to\n"
            "b. --json adds the derivatives of the scaling by poses and sizes.\n"
            "\n"
            "  --kappa K         relaxation of the conic problem, 1e-12 to 1e-2 (default 1e-8); 0: exact, without\n"
            "                    derivatives\n"
            "  --near GAP        prints only pairs with a gap of at most GAP metres\n"
            "  --set PATH=VALUE  overrides one value of the scene, such as bodies.cube.position=[0,0,0.4]; may be\n"
            "                    repeated\n"
            "  --json            prints one JSON object instead of the table\n"
            "  --seed N          seed of all random choices (this verb makes none), repeated in the object\n"
            "\n"
            "Exit status: 0 done, 1 a pair was not solved, 2 the call or the scene is wrong, 3 system error\n"
            "(memory, disk).\n",
    .argument = "scene",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};

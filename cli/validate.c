/* abut validate SCENE */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "io/number.h"
#include "io/run.h"

static void print_text(const char *path, const AbutScene *scene, const AbutModel *model)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	printf("%s: valid: %d bodies, %d contacts, %ld steps of %g s\n", path, abut_model_body_count(model),
	       abut_model_pair_count(model), abut_run_steps(def), def->timestep);
}

static void print_json(const AbutScene *scene, const AbutModel *model, unsigned long long seed)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	printf("{\"valid\": true, \"name\": ");
	abut_json_write_string(stdout, def->name);
	printf(", \"bodies\": %d, \"contacts\": %d, \"steps\": %ld, \"seed\": %llu, \"version\": \"%s\"}\n",
	       abut_model_body_count(model), abut_model_pair_count(model), abut_run_steps(def), seed, abut_version());
}

static void print_valid(const char *path, const AbutScene *scene, const AbutModel *model, bool json, bool quiet,
                        unsigned long long seed)
{
	if (!quiet) {
		abut_report_warnings(scene);
	}
	if (json) {
		print_json(scene, model, seed);
	} else if (!quiet) {
		print_text(path, scene, model);
	}
}

static void print_json_error(const AbutError *error, unsigned long long seed)
{
	printf("{\"valid\": false, \"file\": ");
	abut_json_write_string(stdout, error->file);
	printf(", \"line\": %d, \"column\": %d, \"path\": ", error->line, error->column);
	abut_json_write_string(stdout, error->where);
	printf(", \"message\": ");
	abut_json_write_string(stdout, error->message);
	printf(", \"seed\": %llu, \"version\": \"%s\"}\n", seed, abut_version());
}

/* Every shape of the scene once; false with the first that fails a test, at its place in the file. */
static bool check_shapes(const AbutScene *scene, AbutError *error)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	const AbutShape *last = NULL;
	for (int i = 0; i < def->n_bodies; i++) {
		for (int k = 0; k < def->bodies[i].n_parts; k++) {
			AbutShapeReport report;
			const AbutShape *shape = def->bodies[i].parts[k];
			if (shape == last || abut_shape_check(shape, &report) != ABUT_OK || report.passed) {
				last = shape;
				continue;
			}
			error->status = ABUT_ERROR_ARGUMENT;
			snprintf(error->where, sizeof error->where, "bodies[%d].shape", i);
			snprintf(error->message, sizeof error->message, "the shape fails the test %.480s",
			         report.message);
			abut_scene_locate(scene, error);
			return false;
		}
	}
	return true;
}

int abut_verb_validate(int argc, char **argv)
{
	bool json = false, quiet = false;
	unsigned long long seed = 0;
	AbutTextList overrides = {0, calloc((size_t)argc + 1, sizeof *overrides.items)};
	const AbutOption options[] = {
	    {"set", ABUT_OPTION_LIST, &overrides},
	    {"json", ABUT_OPTION_FLAG, &json},
	    {"quiet", ABUT_OPTION_FLAG, &quiet},
	    {"seed", ABUT_OPTION_NUMBER, &seed},
	};
	const char *path = NULL;
	int exit_status = ABUT_EXIT_MACHINE;
	if (!overrides.items) {
		abut_report("out of memory");
		return exit_status;
	}
	if (abut_args_parse("validate", argc, argv, options, sizeof options / sizeof *options, 1, 1, &path,
	                    &exit_status)) {
		AbutScene *scene = NULL;
		AbutModel *model = NULL;
		AbutError error = {0};
		exit_status = abut_open_scene(path, &overrides, &scene, &model, &error);
		if (exit_status == ABUT_EXIT_DONE && !check_shapes(scene, &error)) {
			exit_status = ABUT_EXIT_USAGE;
		}
		if (exit_status != ABUT_EXIT_DONE) {
			abut_report_error(&error, exit_status);
			if (json) {
				print_json_error(&error, seed);
			}
		} else {
			print_valid(path, scene, model, json, quiet, seed);
		}
		exit_status = abut_finish_stdout(exit_status);
		abut_model_destroy(model);
		abut_scene_destroy(scene);
	}
	free(overrides.items);
	return exit_status;
}

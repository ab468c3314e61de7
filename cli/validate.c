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
		if (exit_status != ABUT_EXIT_DONE) {
			abut_report_error(&error, exit_status);
			if (json) {
				print_json_error(&error, seed);
			}
		} else if (json) {
			print_json(scene, model, seed);
		} else if (!quiet) {
			print_text(path, scene, model);
		}
		exit_status = abut_finish_stdout(exit_status);
		abut_model_destroy(model);
		abut_scene_destroy(scene);
	}
	free(overrides.items);
	return exit_status;
}

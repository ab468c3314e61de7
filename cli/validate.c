/* abut validate SCENE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json_print.h"
#include "dynamics/model/model.h"
#include "io/run/run.h"
#include "io/text/number.h"

enum { MOST_ROWS = 20 }; /* of the table of masses */

/* Numbers of which what is rounding beside `largest` is printed as 0. */
static void print_entries(int n, const double *values, double largest)
{
	for (int i = 0; i < n; i++) {
		printf(" %11.5g", fabs(values[i]) < 5e-6 * largest ? 0.0 : values[i]);
	}
}

static int name_width(const AbutModel *model)
{
	size_t width = 4;
	for (int i = 0; i < model->n_bodies; i++) {
		const size_t length = strlen(model->bodies[i].name);
		width = length > width ? length : width;
	}
	return (int)width;
}

/* A row for each body that moves; axes are the body's. */
static void print_masses(const AbutModel *model)
{
	const int width = name_width(model), rows = model->n_moving < MOST_ROWS ? model->n_moving : MOST_ROWS;
	if (rows > 0) {
		printf("%-*s %5s %11s %35s %s\n", width, "body", "parts", "mass (kg)", "centre of mass (m)",
		       "   inertia about it (kg m^2): xx, yy, zz, xy, xz, yz");
	}
	for (int i = 0; i < rows; i++) {
		const AbutBody *body = &model->bodies[model->moving_body[i]];
		const double *J = body->inertia_si, six[6] = {J[0], J[4], J[8], J[1], J[2], J[5]};
		printf("%-*s %5d", width, body->name, body->n_parts);
		print_entries(1, &body->mass_si, 0.0);
		print_entries(3, body->centre_of_mass, body->radius * model->units.length);
		print_entries(6, six, fmax(J[0], fmax(J[4], J[8])));
		putchar('\n');
	}
	if (rows < model->n_moving) {
		printf("and %d more bodies: --json has all\n", model->n_moving - rows);
	}
}

static void print_text(const char *path, const AbutScene *scene, const AbutModel *model)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	printf("%s: valid: %d bodies, %d contacts, %ld steps of %g s\n", path, abut_model_body_count(model),
	       abut_model_pair_count(model), abut_run_steps(def), def->timestep);
	print_masses(model);
}

static void print_json_masses(const AbutModel *model)
{
	printf(", \"masses\": [");
	for (int i = 0; i < model->n_moving; i++) {
		const AbutBody *body = &model->bodies[model->moving_body[i]];
		printf("%s{\"body\": ", i > 0 ? ", " : "");
		abut_json_write_string(stdout, body->name);
		abut_print_number("parts", body->n_parts);
		abut_print_number("mass", body->mass_si);
		abut_print_vector("centre_of_mass", body->centre_of_mass);
		printf(", \"inertia\": [");
		for (int row = 0; row < 3; row++) {
			printf("%s", row > 0 ? ", " : "");
			abut_print_entries(&body->inertia_si[3 * row]);
		}
		printf("]}");
	}
	putchar(']');
}

static void print_json(const AbutScene *scene, const AbutModel *model, unsigned long long seed)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	printf("{\"valid\": true, \"name\": ");
	abut_json_write_string(stdout, def->name);
	printf(", \"bodies\": %d, \"contacts\": %d, \"steps\": %ld", abut_model_body_count(model),
	       abut_model_pair_count(model), abut_run_steps(def));
	print_json_masses(model);
	printf(", \"seed\": %llu, \"version\": \"%s\"}\n", seed, abut_version());
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

/* Every shape of the scene, once for parts in a row that share it; false with the first that fails a test or cannot be
 * checked, at its place in the file. */
static bool check_shapes(const AbutScene *scene, AbutError *error)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	const AbutShape *last = NULL;
	for (int i = 0; i < def->n_bodies; i++) {
		for (int k = 0; k < def->bodies[i].n_parts; k++) {
			AbutShapeReport report;
			const AbutShape *shape = def->bodies[i].parts[k];
			const AbutStatus status = shape == last ? ABUT_OK : abut_shape_check(shape, &report);
			if (shape == last || (status == ABUT_OK && report.passed)) {
				last = shape;
				continue;
			}
			error->status = status == ABUT_OK ? ABUT_ERROR_ARGUMENT : status;
			snprintf(error->where, sizeof error->where, "bodies[%d].shape", i);
			snprintf(error->message, sizeof error->message, "the shape %s %.470s",
			         status == ABUT_OK ? "fails the test" : "cannot be checked:",
			         status == ABUT_OK ? report.message : abut_status_name(status));
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
			exit_status = abut_exit_status(&error);
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

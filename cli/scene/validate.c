/* Runs the verb `validate`, which checks a scene and prints the masses of its bodies. Tested in tests/cli/command.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/args.h"
#include "cli/common/open.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "dynamics/model/model.h"
#include "io/run/output_summary.h"
#include "io/run/run.h"
#include "io/text/number.h"

enum { MOST_ROWS = 20 }; /* of the table of masses */

/* Prints a row for each moving body, in body axes. */
static void print_masses(const AbutModel *model)
{
	const int width = abut_name_width(model), rows = model->n_moving < MOST_ROWS ? model->n_moving : MOST_ROWS;
	if (rows > 0) {
		printf("%-*s %5s %11s %35s %s\n", width, "body", "parts", "mass (kg)", "centre of mass (m)",
		       "   inertia about it (kg m^2): xx, yy, zz, xy, xz, yz");
	}
	for (int i = 0; i < rows; i++) {
		const AbutBody *body = &model->bodies[model->moving_body[i]];
		const double *J = body->inertia_si, six[6] = {J[0], J[4], J[8], J[1], J[2], J[5]};
		printf("%-*s %5d", width, body->name, body->n_parts);
		abut_print_rounded(1, &body->mass_si, 0.0, 11);
		abut_print_rounded(3, body->centre_of_mass, body->radius * model->units.length, 11);
		abut_print_rounded(6, six, fmax(J[0], fmax(J[4], J[8])), 11);
		putchar('\n');
	}
	if (rows < model->n_moving) {
		printf("and %d more bodies: --json has all\n", model->n_moving - rows);
	}
}

/* Returns the name of a body, or "world". */
static const char *name_of(const AbutSceneDef *def, int body)
{
	return body == ABUT_JOINT_WORLD ? "world" : def->bodies[body].name;
}

/* Says how many rows the table leaves out. */
static void print_more(int n, const char *what)
{
	if (n > MOST_ROWS) {
		printf("and %d more %s: --json has all\n", n - MOST_ROWS, what);
	}
}

/* Returns the number of freedoms of a joint that may have a motor of their own. */
static int motor_axes(const AbutJointDef *joint)
{
	return joint->type == ABUT_JOINT_BALL ? 1 : abut_joint_type_freedoms(joint->type);
}

static int count_motors(const AbutSceneDef *def)
{
	int n = 0;
	for (int i = 0; i < def->n_joints; i++) {
		for (int k = 0; k < motor_axes(&def->joints[i]); k++) {
			n += def->joints[i].axes[k].motor.type != ABUT_MOTOR_NONE ? 1 : 0;
		}
	}
	return n;
}

/* Prints a row for each joint, with the types of its motors. */
static void print_joints(const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_joints && i < MOST_ROWS; i++) {
		const AbutJointDef *joint = &def->joints[i];
		printf("joint %s: %s from %s to %s", joint->name, abut_joint_type_name(joint->type),
		       name_of(def, joint->parent), name_of(def, joint->child));
		for (int k = 0; k < motor_axes(joint); k++) {
			if (joint->axes[k].motor.type != ABUT_MOTOR_NONE) {
				printf(", %s motor", abut_motor_type_name(joint->axes[k].motor.type));
				if (motor_axes(joint) > 1) {
					printf(" on freedom %d", k);
				}
			}
		}
		putchar('\n');
	}
	print_more(def->n_joints, "joints");
}

/* Prints a row for each site and for each sensor. */
static void print_sensors(const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_sites && i < MOST_ROWS; i++) {
		printf("site %s: on %s\n", def->sites[i].name, name_of(def, def->sites[i].body));
	}
	print_more(def->n_sites, "sites");
	for (int i = 0; i < def->n_sensors && i < MOST_ROWS; i++) {
		const AbutSensorDef *sensor = &def->sensors[i];
		printf("sensor %s: %s", sensor->name, abut_sensor_type_name(sensor->type));
		if (sensor->site >= 0) {
			printf(" at site %s", def->sites[sensor->site].name);
		}
		if (sensor->joint >= 0) {
			printf(" of joint %s", def->joints[sensor->joint].name);
		}
		if (sensor->body >= 0) {
			printf(" of body %s", name_of(def, sensor->body));
		}
		putchar('\n');
	}
	print_more(def->n_sensors, "sensors");
}

/* Prints the equation of each coupling. */
static void print_couplings(const AbutSceneDef *def)
{
	const int rows = def->n_couplings < MOST_ROWS ? def->n_couplings : MOST_ROWS;
	for (int i = 0; i < rows; i++) {
		const AbutCouplingDef *coupling = &def->couplings[i];
		printf("coupling ");
		for (int k = 0; k < 2; k++) {
			const AbutJointDef *joint = &def->joints[coupling->joint[k]];
			fputs(joint->name, stdout);
			if (abut_joint_type_freedoms(joint->type) > 1) {
				printf("[%d]", coupling->axis[k]);
			}
			if (k == 0) {
				printf(" = %g ", coupling->ratio);
			}
		}
		if (coupling->offset != 0.0) {
			printf(" %c %g", coupling->offset > 0.0 ? '+' : '-', fabs(coupling->offset));
		}
		putchar('\n');
	}
	print_more(def->n_couplings, "couplings");
}

static void print_text(const char *path, const AbutScene *scene, const AbutModel *model)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	printf("%s: valid: %d bodies, ", path, abut_model_body_count(model));
	abut_print_count(def->n_joints, "joint", "", ", ");
	abut_print_count(count_motors(def), "motor", "", ", ");
	abut_print_count(def->n_couplings, "coupling", "", ", ");
	abut_print_count(def->n_sites, "site", "", ", ");
	abut_print_count(def->n_sensors, "sensor", "", ", ");
	printf("%d contacts, %ld steps of %g s\n", abut_model_pair_count(model), abut_run_steps(def), def->timestep);
	print_masses(model);
	print_joints(def);
	print_couplings(def);
	print_sensors(def);
}

static void print_json_masses(const AbutModel *model)
{
	printf(", \"masses\": [");
	for (int i = 0; i < model->n_moving; i++) {
		const AbutBody *body = &model->bodies[model->moving_body[i]];
		fputs(i > 0 ? ", " : "", stdout);
		abut_print_first("body", body->name);
		abut_print_number("parts", body->n_parts);
		abut_print_number("mass", body->mass_si);
		abut_print_vector("centre_of_mass", body->centre_of_mass);
		printf(", \"inertia\": ");
		abut_print_matrix(body->inertia_si);
		putchar('}');
	}
	putchar(']');
}

/* Prints the joints with their types and bodies; nothing if there are none. */
static void print_json_joints(const AbutSceneDef *def)
{
	if (def->n_joints == 0) {
		return;
	}
	printf(", \"joints\": [");
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		fputs(i > 0 ? ", " : "", stdout);
		abut_print_first("joint", joint->name);
		abut_print_text("type", abut_joint_type_name(joint->type));
		abut_print_text("parent", name_of(def, joint->parent));
		abut_print_text("child", name_of(def, joint->child));
		putchar('}');
	}
	putchar(']');
}

/* Prints the motors; nothing if there are none. */
static void print_json_motors(const AbutSceneDef *def)
{
	int n = 0;
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *joint = &def->joints[i];
		for (int k = 0; k < motor_axes(joint); k++) {
			if (joint->axes[k].motor.type != ABUT_MOTOR_NONE) {
				fputs(n++ > 0 ? ", " : ", \"motors\": [", stdout);
				abut_print_first("joint", joint->name);
				abut_print_number("freedom", k);
				abut_print_text("type", abut_motor_type_name(joint->axes[k].motor.type));
				putchar('}');
			}
		}
	}
	fputs(n > 0 ? "]" : "", stdout);
}

/* Prints the couplings; nothing if there are none. */
static void print_json_couplings(const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_couplings; i++) {
		const AbutCouplingDef *coupling = &def->couplings[i];
		printf(i > 0 ? ", {\"joints\": [" : ", \"couplings\": [{\"joints\": [");
		abut_json_write_string(stdout, def->joints[coupling->joint[0]].name);
		printf(", ");
		abut_json_write_string(stdout, def->joints[coupling->joint[1]].name);
		printf("], \"axes\": [%d, %d]", coupling->axis[0], coupling->axis[1]);
		abut_print_number("ratio", coupling->ratio);
		abut_print_number("offset", coupling->offset);
		putchar('}');
	}
	fputs(def->n_couplings > 0 ? "]" : "", stdout);
}

/* Prints the sites and the sensors; nothing if there are none. */
static void print_json_sensors(const AbutSceneDef *def)
{
	for (int i = 0; i < def->n_sites; i++) {
		printf(i > 0 ? ", " : ", \"sites\": [");
		abut_print_first("site", def->sites[i].name);
		abut_print_text("body", name_of(def, def->sites[i].body));
		putchar('}');
	}
	fputs(def->n_sites > 0 ? "]" : "", stdout);
	for (int i = 0; i < def->n_sensors; i++) {
		const AbutSensorDef *sensor = &def->sensors[i];
		printf(i > 0 ? ", " : ", \"sensors\": [");
		abut_print_first("sensor", sensor->name);
		abut_print_text("type", abut_sensor_type_name(sensor->type));
		if (sensor->site >= 0) {
			abut_print_text("site", def->sites[sensor->site].name);
		}
		if (sensor->joint >= 0) {
			abut_print_text("joint", def->joints[sensor->joint].name);
		}
		if (sensor->body >= 0) {
			abut_print_text("body", def->bodies[sensor->body].name);
		}
		putchar('}');
	}
	fputs(def->n_sensors > 0 ? "]" : "", stdout);
}

static void print_json_warnings(const AbutScene *scene, const AbutReview *review)
{
	int n = 0;
	printf(", \"warnings\": [");
	for (; abut_scene_warning(scene, n); n++) {
		abut_print_comma(n);
		abut_output_write_warning(stdout, abut_scene_warning(scene, n));
	}
	for (int i = 0; i < review->n; i++) {
		abut_print_comma(n++);
		abut_output_write_warning(stdout, &review->warnings[i]);
	}
	putchar(']');
}

static void print_json(const AbutScene *scene, const AbutModel *model, const AbutReview *review,
                       unsigned long long seed)
{
	const AbutSceneDef *def = abut_scene_def(scene);
	printf("{\"valid\": true");
	abut_print_text("name", def->name);
	printf(", \"bodies\": %d, \"contacts\": %d, \"steps\": %ld", abut_model_body_count(model),
	       abut_model_pair_count(model), abut_run_steps(def));
	print_json_masses(model);
	print_json_joints(def);
	print_json_motors(def);
	print_json_couplings(def);
	print_json_sensors(def);
	print_json_warnings(scene, review);
	abut_print_end(seed);
}

static int print_valid(const char *path, const AbutScene *scene, const AbutModel *model, bool json, bool quiet,
                       unsigned long long seed)
{
	AbutReview review;
	const int exit_status = abut_review(scene, model, quiet, &review);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	if (json) {
		print_json(scene, model, &review, seed);
	} else if (!quiet) {
		print_text(path, scene, model);
	}
	return ABUT_EXIT_DONE;
}

static void print_json_error(const AbutError *error, unsigned long long seed)
{
	printf("{\"valid\": false");
	abut_print_text("file", error->file);
	printf(", \"line\": %d, \"column\": %d", error->line, error->column);
	abut_print_text("path", error->where);
	abut_print_text("message", error->message);
	abut_print_end(seed);
}

/* Checks every shape of the scene; consecutive parts that share a shape are checked once. Stops at the first shape that
 * fails a test or cannot be checked: returns false, with the reason and the place in the file in `error`. */
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

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	bool json = false, quiet = false;
	unsigned long long seed = 0;
	AbutTextList overrides = {0, NULL};
	const AbutOption options[] = {
	    {"set", ABUT_OPTION_LIST, &overrides},
	    {"json", ABUT_OPTION_FLAG, &json},
	    {"quiet", ABUT_OPTION_FLAG, &quiet},
	    {"seed", ABUT_OPTION_INTEGER, &seed},
	};
	const char *path = NULL;
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_args_parse(verb, argc, argv, options, sizeof options / sizeof *options, &path, &exit_status)) {
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
			exit_status = print_valid(path, scene, model, json, quiet, seed);
		}
		exit_status = abut_finish_stdout(exit_status);
		abut_model_destroy(model);
		abut_scene_destroy(scene);
	}
	free(overrides.items);
	return exit_status;
}

const AbutVerb abut_verb_validate = {
    .name = "validate",
    .summary = "check a scene and its shapes without running it",
    .help = "usage: abut validate SCENE [--set PATH=VALUE]... [--json] [--seed N] [--quiet]\n"
            "\n"
            "Checks a scene without running it: reads every value, creates the model and tests every shape. A\n"
            "shape must be finite and bounded and must have an interior. Functions of your own must be convex,\n"
            "with correct derivatives. Prints the mass, centre of mass and inertia of the moving bodies, the\n"
            "joints with their motors, the couplings, the sites and the sensors. SCENE is a JSON file; /dev/stdin "
            "reads a pipe.\n"
            "\n"
            "  --set PATH=VALUE  overrides one value of the scene, such as timestep=0.05; may be repeated\n"
            "  --json            prints one JSON object instead of text, also for an error\n"
            "  --seed N          seed of all random choices (this verb makes none), repeated in the object\n"
            "  --quiet           prints only errors\n"
            "\n"
            "An error is one line on stderr:\n"
            "abut: FILE:LINE:COLUMN: PATH.IN.JSON: what is wrong and what is allowed.\n"
            "\n"
            "Exit status: 0 valid, 2 not valid, 3 system error (memory, disk).\n",
    .argument = "scene",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};

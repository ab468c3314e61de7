/* Runs the verb `linearise`, which writes a step in joint coordinates as a linear system. Tested in
 * tests/cli/grad/linearise.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/args.h"
#include "cli/common/open.h"
#include "cli/common/print.h"
#include "cli/common/report.h"
#include "cli/grad/function.h"
#include "io/export/casadi.h"
#include "io/export/linear.h"
#include "io/run/run.h"
#include "io/text/output_target.h"

enum { WHY_SIZE = 384, OUTPUT_NAME = 64, NAME_SIZE = 256, MAX_STEPS = 1000000000 };

typedef struct Options {
	bool json;
	const char *scene, *out, *casadi;
	double kappa, at; /* NAN: not given */
	unsigned long long seed;
	AbutSceneChanges changes;
} Options;

/* All resources of the verb; each may be NULL. */
typedef struct Job {
	AbutScene *scene;
	AbutModel *model;
	AbutState *before, *state;
	AbutWorkspace *workspace;
	AbutRobot *robot;
	AbutLinear *linear;
	AbutLinearSystem system;
	char *output_names; /* (n_y x output_size) */
	size_t output_size;
	double *numbers;    /* all of the system */
	const char **names; /* all of the system */
} Job;

static void close_job(Job *job)
{
	free(job->output_names);
	free(job->numbers);
	free(job->names);
	abut_linear_destroy(job->linear);
	abut_robot_destroy(job->robot);
	abut_workspace_destroy(job->workspace);
	abut_state_destroy(job->state);
	abut_state_destroy(job->before);
	abut_model_destroy(job->model);
	abut_scene_destroy(job->scene);
}

/* --- the request --- */

static bool ends_with(const char *text, const char *end)
{
	const size_t n = strlen(text), k = strlen(end);
	return n >= k && strcmp(text + n - k, end) == 0;
}

static bool check_options(const Options *options)
{
	if (!isnan(options->kappa) && options->kappa != 0.0 && !(options->kappa >= 1e-12 && options->kappa <= 1.0)) {
		return abut_deny("linearise: --kappa-gradient is %g; it must be 0 (at the exact solution) or lie in "
		                 "[1e-12, 1]",
		                 options->kappa);
	}
	if (!isnan(options->at) && !(options->at >= 0.0)) {
		return abut_deny("linearise: --at is %g s; it must be 0 or later", options->at);
	}
	if (options->out && !ends_with(options->out, ".npz") && !ends_with(options->out, ".csv")) {
		return abut_deny("linearise: --out is '%s'; its name must end with .npz or .csv", options->out);
	}
	if (options->casadi && (options->out || options->json || !isnan(options->at))) {
		return abut_deny("linearise: --casadi writes a function, not the matrices of one step; it goes without "
		                 "--out, --json and --at");
	}
	return !options->casadi || abut_function_check(options->casadi);
}

static int open_job(const Options *options, Job *job)
{
	AbutError error = {0};
	const int exit_status = abut_changes_open(&options->changes, options->scene, &job->scene, &job->model);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	const double kappa = isnan(options->kappa) ? abut_scene_def(job->scene)->solver.kappa_gradient : options->kappa;
	AbutStatus status = abut_linear_create(job->model, kappa, &job->linear, &error);
	if (status == ABUT_OK && abut_linear_state_count(job->linear) == 0) {
		return abut_refuse("linearise: %s: no body moves, so there is nothing to differentiate",
		                   options->scene);
	}
	ABUT_THEN(status, abut_robot_create(job->model, &job->robot, &error));
	ABUT_THEN(status, abut_state_create(job->model, &job->state, &error));
	ABUT_THEN(status, abut_state_create(job->model, &job->before, &error));
	ABUT_THEN(status, abut_workspace_create(job->model, &job->workspace, &error));
	if (status != ABUT_OK) {
		abut_scene_locate(job->scene, &error);
		return abut_report_error(&error, ABUT_EXIT_USAGE);
	}
	abut_report_warnings(job->scene);
	return ABUT_EXIT_DONE;
}

/* --- names and numbers --- */

/* Writes the names of all values of sensors. */
static bool name_outputs(Job *job)
{
	const AbutModel *model = job->model;
	job->output_size = 1;
	for (int i = 0; i < abut_model_sensor_count(model); i++) {
		const size_t size = strlen(abut_model_sensor_name(model, i)) + OUTPUT_NAME;
		job->output_size = size > job->output_size ? size : job->output_size;
	}
	job->output_names = calloc((size_t)job->system.n_y + 1, job->output_size);
	for (int i = 0; job->output_names && i < abut_model_sensor_count(model); i++) {
		for (int k = 0; k < abut_model_sensor_channels(model, i); k++) {
			const int value = abut_model_sensor_first(model, i) + k;
			snprintf(&job->output_names[(size_t)value * job->output_size], job->output_size, "%s.%s",
			         abut_model_sensor_name(model, i), abut_model_sensor_channel(model, i, k));
		}
	}
	return job->output_names != NULL;
}

static void list_names(Job *job)
{
	AbutLinearSystem *s = &job->system;
	s->x_names = job->names;
	s->u_names = s->x_names + s->n_x;
	s->y_names = s->u_names + s->n_u;
	s->q_names = s->y_names + s->n_y;
	s->rate_names = s->q_names + s->n_q;
	for (int i = 0; i < s->n_x; i++) {
		s->x_names[i] = abut_linear_state_name(job->linear, i);
	}
	for (int i = 0; i < s->n_u; i++) {
		s->u_names[i] = abut_linear_input_name(job->linear, i);
	}
	for (int i = 0; i < s->n_y; i++) {
		s->y_names[i] = &job->output_names[(size_t)i * job->output_size];
	}
	for (int i = 0; i < s->n_q; i++) {
		s->q_names[i] = abut_robot_coordinate_name(job->robot, i);
	}
	for (int i = 0; i < s->n_x / 2; i++) {
		s->rate_names[i] = abut_robot_velocity_name(job->robot, i);
	}
}

/* Gives the system its memory. */
static bool allocate(Job *job)
{
	AbutLinearSystem *s = &job->system;
	s->n_x = abut_linear_state_count(job->linear);
	s->n_u = abut_linear_input_count(job->linear);
	s->n_y = abut_linear_output_count(job->linear);
	s->n_q = abut_robot_coordinate_count(job->robot);
	const size_t n_x = (size_t)s->n_x, n_u = (size_t)s->n_u, n_y = (size_t)s->n_y, n_q = (size_t)s->n_q;
	double *at = job->numbers = calloc((n_x + n_y) * (n_x + n_u) + 2 * n_q + n_x + n_u, sizeof *at);
	job->names = calloc(n_x + n_u + n_y + n_q + n_x / 2, sizeof *job->names);
	if (!at || !job->names || !name_outputs(job)) {
		return false;
	}
	list_names(job);
	struct {
		double **to;
		size_t n;
	} const parts[] = {{&s->A, n_x * n_x}, {&s->B, n_x * n_u}, {&s->C, n_y * n_x},
	                   {&s->D, n_y * n_u}, {&s->q, n_q},       {&s->rates, n_x / 2},
	                   {&s->u, n_u},       {&s->next_q, n_q},  {&s->next_rates, n_x / 2}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		*parts[i].to = at;
		at += parts[i].n;
	}
	return true;
}

/* --- the step --- */

/* Takes a step, with its derivative if it is the `last` one. */
static int take_step(const Options *options, Job *job, bool last)
{
	AbutStepInfo info = {.row = 0};
	AbutStatus status = abut_state_copy(job->model, job->state, job->before);
	ABUT_THEN(status, last ? abut_linear_step(job->linear, job->state, job->workspace, &info)
	                       : abut_step(job->model, job->state, job->workspace, &info));
	if (status != ABUT_OK) {
		return abut_report_memory();
	}
	if (info.outcome >= ABUT_OUTCOME_RAISED_KAPPA) {
		char why[WHY_SIZE];
		abut_step_explain(job->model, job->before, &info, why, sizeof why);
		abut_report("%s: the step that begins at %g s was not solved: %s", options->scene,
		            abut_state_time(job->before), why);
		return ABUT_EXIT_CHECK;
	}
	return ABUT_EXIT_DONE;
}

/* Reads the state and the targets of the motors before the step. */
static void read_point(Job *job)
{
	AbutLinearSystem *s = &job->system;
	s->time = abut_state_time(job->state);
	s->timestep = abut_scene_def(job->scene)->timestep;
	s->kappa = abut_linear_kappa(job->linear);
	abut_robot_get_state(job->robot, job->state, s->q, s->rates);
	for (int i = 0; i < s->n_u; i++) {
		const AbutParameter motor = abut_linear_input(job->linear, i);
		abut_state_get_motor(job->model, job->state, motor.part, motor.index, &s->u[i]);
	}
}

/* Computes the number of steps before --at, which must begin a step. */
static int count_steps(const Options *options, double timestep, int *out)
{
	const double at = isnan(options->at) ? 0.0 : options->at, nearest = round(at / timestep);
	if (!(nearest <= MAX_STEPS)) {
		return abut_refuse(
		    "linearise: --at is %g s, which is %g steps of %g s; it must be at most %d steps, %g s", at,
		    nearest, timestep, MAX_STEPS, MAX_STEPS * timestep);
	}
	if (fabs(at - nearest * timestep) > 1e-9 * fmax(at, timestep)) {
		return abut_refuse(
		    "linearise: --at is %.12g s; no step of %.12g s begins there, the nearest one begins at "
		    "%.12g s",
		    at, timestep, nearest * timestep);
	}
	*out = (int)nearest;
	return ABUT_EXIT_DONE;
}

static int differentiate(const Options *options, Job *job)
{
	AbutLinearSystem *s = &job->system;
	AbutError error = {0};
	int steps = 0;
	int exit_status = count_steps(options, abut_scene_def(job->scene)->timestep, &steps);
	for (int k = 0; exit_status == ABUT_EXIT_DONE && k < steps; k++) {
		exit_status = take_step(options, job, false);
	}
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	read_point(job);
	exit_status = take_step(options, job, true);
	if (exit_status != ABUT_EXIT_DONE) {
		return exit_status;
	}
	abut_robot_get_state(job->robot, job->state, s->next_q, s->next_rates);
	AbutStatus status = abut_linear_matrices(job->linear, s->A, s->B, NULL, &error);
	ABUT_THEN(status, abut_linear_outputs(job->linear, s->C, s->D, &error));
	if (status == ABUT_ERROR_UNSUPPORTED && strncmp(error.where, "sensors[", 8) == 0) {
		status = ABUT_OK; /* note_unknown names the sensors */
	}
	if (status != ABUT_OK) {
		abut_report("%s: the step that begins at %g s has no derivative: %s", options->scene, s->time,
		            error.message);
		return abut_exit_status(&error) == ABUT_EXIT_MACHINE ? ABUT_EXIT_MACHINE : ABUT_EXIT_CHECK;
	}
	return ABUT_EXIT_DONE;
}

/* --- output --- */

static int write_file(const Options *options, const Job *job)
{
	AbutTarget target = {0};
	AbutError error = {0};
	AbutStatus status = abut_target_open(&target, NULL, options->out, &error);
	if (status == ABUT_OK && ends_with(options->out, ".npz")) {
		status = abut_linear_write_npz(&job->system, target.file, &error);
	} else if (status == ABUT_OK) {
		abut_linear_write_csv(&job->system, target.file);
	}
	status = abut_target_end(&target, status, &error);
	return abut_report_output(status, &error);
}

/* Notes on stderr the sensors that have no derivative. */
static void note_unknown(const Options *options, const Job *job)
{
	const AbutLinearSystem *s = &job->system;
	for (int i = 0; i < abut_model_sensor_count(job->model); i++) {
		const size_t first = (size_t)abut_model_sensor_first(job->model, i);
		bool unknown = false;
		for (int k = 0; k < abut_model_sensor_channels(job->model, i); k++) {
			unknown = unknown || isnan(s->C[(first + (size_t)k) * (size_t)s->n_x]);
		}
		if (unknown) {
			abut_report("%s: the derivative of sensor '%s' is not known; its rows of C and D are NaN",
			            options->scene, abut_model_sensor_name(job->model, i));
		}
	}
}

static int print_job(const Options *options, const Job *job)
{
	const AbutLinearSystem *s = &job->system;
	note_unknown(options, job);
	if (options->json) {
		abut_print_first("name", abut_scene_def(job->scene)->name);
		printf(", \"method\": \"%s\"", abut_method_name(abut_scene_def(job->scene)->solver.method));
		abut_linear_write_json(s, stdout);
		abut_print_end(options->seed);
	} else if (options->out) {
		printf("%s: step at %g s: %d states, %d inputs, %d outputs, timestep %g s\n%s\n",
		       abut_scene_def(job->scene)->name, s->time, s->n_x, s->n_u, s->n_y, s->timestep, options->out);
	} else {
		abut_linear_write_csv(s, stdout);
	}
	return ABUT_EXIT_DONE;
}

static int write_casadi(const Options *options, const Job *job)
{
	AbutTarget target = {0};
	AbutError error = {0};
	const char *begin;
	const int length = abut_function_name(options->casadi, &begin);
	char function[NAME_SIZE], *scene = realpath(options->scene, NULL);
	snprintf(function, sizeof function, "%.*s", length, begin);
	if (!scene) {
		return abut_report_memory();
	}
	const AbutCasadi of = {.function = function,
	                       .scene = scene,
	                       .n_overrides = options->changes.overrides.count,
	                       .overrides = options->changes.overrides.items,
	                       .kappa = abut_linear_kappa(job->linear),
	                       .n_q = abut_robot_coordinate_count(job->robot),
	                       .n_v = abut_robot_velocity_count(job->robot),
	                       .n_u = abut_linear_input_count(job->linear)};
	AbutStatus status = abut_target_open(&target, NULL, options->casadi, &error);
	if (status == ABUT_OK) {
		abut_casadi_write(&of, target.file);
	}
	status = abut_target_end(&target, status, &error);
	if (status == ABUT_OK) {
		printf("%s: function %s of x (%d) and u (%d)\n%s\n", abut_scene_def(job->scene)->name, function,
		       of.n_q + of.n_v, of.n_u, options->casadi);
	}
	free(scene);
	return abut_report_output(status, &error);
}

/* Writes the matrices of a step. */
static int write_matrices(const Options *options, Job *job)
{
	int exit_status = allocate(job) ? differentiate(options, job) : abut_report_memory();
	if (exit_status == ABUT_EXIT_DONE && options->out) {
		exit_status = write_file(options, job);
	}
	return exit_status == ABUT_EXIT_DONE ? print_job(options, job) : exit_status;
}

static int call(Options *options)
{
	Job job = {0};
	if (!check_options(options)) {
		return ABUT_EXIT_USAGE;
	}
	int exit_status = abut_changes_check(&options->changes);
	exit_status = exit_status == ABUT_EXIT_DONE ? open_job(options, &job) : exit_status;
	if (exit_status == ABUT_EXIT_DONE) {
		exit_status = options->casadi ? write_casadi(options, &job) : write_matrices(options, &job);
	}
	close_job(&job);
	return abut_finish_stdout(exit_status);
}

static int execute(const AbutVerb *verb, int argc, char **argv)
{
	Options options = {.kappa = (double)NAN, .at = (double)NAN};
	const AbutOption table[] = {
	    {"method", ABUT_OPTION_TEXT, &options.changes.method},
	    {"set", ABUT_OPTION_LIST, &options.changes.overrides},
	    {"at", ABUT_OPTION_NUMBER, &options.at},
	    {"kappa-gradient", ABUT_OPTION_NUMBER, &options.kappa},
	    {"out", ABUT_OPTION_TEXT, &options.out},
	    {"casadi", ABUT_OPTION_TEXT, &options.casadi},
	    {"json", ABUT_OPTION_FLAG, &options.json},
	    {"seed", ABUT_OPTION_INTEGER, &options.seed},
	};
	int exit_status = ABUT_EXIT_MACHINE;
	if (abut_args_parse(verb, argc, argv, table, sizeof table / sizeof *table, &options.scene, &exit_status)) {
		exit_status = call(&options);
	}
	abut_changes_free(&options.changes);
	return exit_status;
}

const AbutVerb abut_verb_linearise = {
    .name = "linearise",
    .summary = "writes a step as a linear system in joint coordinates",
    .help =
        "usage: abut linearise SCENE [options]\n"
        "\n"
        "Writes the matrices of x+ = A x + B u and y = C x + D u for small changes of the state x before a\n"
        "step, of the targets u of the motors, and of the sensors y: coordinates of the joints and bases,\n"
        "then their rates. Writes the names of all rows and columns, the timestep, and the state and the\n"
        "targets at which the matrices were taken as well (docs/interface.md, \"abut linearise\").\n"
        "\n"
        "  --at T            takes the step that begins at T s, a multiple of the timestep (default 0)\n"
        "  --out FILE        writes FILE.npz (NumPy arrays) or FILE.csv (a table with the columns matrix,\n"
        "                    row, column, value); without it, the table is printed\n"
        "  --casadi FILE.c   writes the step as C source of a function FILE for CasADi's external(), with its\n"
        "                    Jacobian jac_FILE, instead of matrices (docs/interface.md)\n"
        "  --kappa-gradient K\n"
        "                    differentiates on the central path at K, 1e-12 to 1, where opening, closing and\n"
        "                    slipping contacts are smoothed; 0: at the exact solution (default:\n"
        "                    solver.kappa_gradient of the scene, 0)\n"
        "  --method M        single-level (default), lcp, point-ncp or convex (not where contacts, or springs that\n"
        "                    hold joints or couplings, act on bodies with joints; by x only where no soft\n"
        "                    limits or dry friction act)\n"
        "  --set PATH=VALUE  overrides one value of the scene, such as timestep=0.05; may be repeated\n"
        "  --json            prints one JSON object with all entries instead of the table\n"
        "  --seed N          seed of all random choices (this verb makes none), repeated in the object\n"
        "\n"
        "Exit status: 0 done; 1 a step failed or has no derivative; 2 the call or the scene is wrong; 3\n"
        "system error (memory, disk).\n",
    .argument = "scene",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = execute};

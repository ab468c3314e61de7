/* Counts failures and violations of robots of other programs, imported from MJCF and URDF, under random controls: 5 s
 * at 10 ms, with new targets of all motors every 50 ms; or standing: 2 s from the first keyframe, with the targets of
 * the model. A robot that moves freely in a world without bodies falls on a plane below it. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/reliability/trees.h"
#include "experiments/setting/imported.h"

enum { PATH_SIZE = 600 };

static const double run_time = 5.0, standing_time = 2.0, timestep = 0.01; /* s */
static const long held = 5;                                               /* steps between changes of the targets */

/* A model while it runs. */
typedef struct Imported {
	AbutImportedRobot robot;
	const AbutModel *model;
	AbutState *state;
	AbutRng rng;
	Tally tally;
	double joint_m, joint_rad, limit; /* largest violations of exact steps */
} Imported;

static void set_target(void *context, int joint, int axis, double target)
{
	const Imported *imported = context;
	abut_state_set_motor(imported->model, imported->state, joint, axis, target);
}

static void draw_targets(void *data, const AbutModel *model, AbutState *state, long step)
{
	Imported *imported = data;
	if (step % held == 0) {
		imported->model = model;
		imported->state = state;
		abut_imported_drive(&imported->robot.def, &imported->rng, set_target, imported);
	}
}

static void add_step(void *data, const AbutModel *model, const AbutState *state, const AbutStepInfo *info,
                     bool touching)
{
	(void)model;
	(void)state;
	(void)touching;
	Imported *imported = data;
	if (info->exact) {
		imported->joint_m = fmax(imported->joint_m, info->joint_violation_m);
		imported->joint_rad = fmax(imported->joint_rad, info->joint_violation_rad);
		imported->limit = fmax(imported->limit, info->limit_violation);
	}
}

/* Imports a model. Returns false, with a line on stdout, if it cannot be a scene. */
static bool open_model(const TreesOptions *options, const char *path, const char *name, Imported *imported)
{
	const AbutImportOptions first = {.keyframe = "0"};
	AbutError error = {.status = ABUT_OK};
	if (options->standing && abut_imported_open(path, &first, name, &imported->robot, &error) == ABUT_OK) {
		return true;
	}
	abut_imported_close(&imported->robot);
	const AbutStatus status = abut_imported_open(path, NULL, name, &imported->robot, &error);
	if (status != ABUT_OK) {
		printf("%-44.44s refused: %s\n", name, error.message);
	}
	return status == ABUT_OK;
}

static void print_row(const char *name, const Imported *imported)
{
	const Tally *t = &imported->tally;
	const double steps = t->steps > 0 ? (double)t->steps : 1.0;
	printf("%-44.44s %6ld %6ld %6ld %7ld %8.5f %7.2f %5d %8.1e %8.1e %8.1e %8.1e %8.1f\n", name, t->steps,
	       t->failed, t->halved, t->retried, (double)t->exact / steps, (double)t->iterations / steps,
	       t->iterations_max, imported->joint_m, imported->joint_rad, imported->limit, t->exact_penetration,
	       1e6 * t->seconds / steps);
	fflush(stdout);
}

/* Runs a model with the seeds of the options, and prints its row. */
static bool run_model(const TreesOptions *options, const char *path, const char *name, Imported *worst, Tally *total)
{
	static Scene scene;
	Imported imported = {.model = NULL};
	bool good = true;
	if (open_model(options, path, name, &imported)) {
		scene_begin(&scene, options->keep);
		good = (options->standing ? abut_imported_add_ground(&imported.robot, NULL)
		                          : abut_imported_add_plane(&imported.robot, NULL)) == ABUT_OK;
		scene.def = imported.robot.def;
		scene.def.solver = *options->solver;
		scene.def.timestep = timestep;
		scene.label = name;
		scene.watch = (Watch){&imported, options->standing ? NULL : draw_targets, add_step};
		for (unsigned long k = 0; good && k < options->count; k++) {
			imported.rng = abut_rng_stream(options->first + k, 1);
			good = study_run(&scene, options->standing ? standing_time : run_time, options->first + k,
			                 &imported.tally);
		}
		scene_begin(&scene, NULL); /* it refers to the model no longer */
		print_row(name, &imported);
		worst->joint_m = fmax(worst->joint_m, imported.joint_m);
		worst->joint_rad = fmax(worst->joint_rad, imported.joint_rad);
		worst->limit = fmax(worst->limit, imported.limit);
		tally_add(total, &imported.tally);
	}
	abut_imported_close(&imported.robot);
	return good;
}

/* Selects visible entries of a folder. */
static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool is_model(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && (strcmp(dot, ".xml") == 0 || strcmp(dot, ".urdf") == 0);
}

/* Runs the models of a folder. */
static bool run_folder(const TreesOptions *options, const char *folder, Imported *worst, Tally *total)
{
	char path[PATH_SIZE], name[PATH_SIZE];
	struct dirent **files = NULL;
	bool good = true;
	snprintf(path, sizeof path, "%s/models/%s", options->data, folder);
	const int n = scandir(path, &files, is_visible, alphasort);
	for (int i = 0; i < n; i++) {
		const int named = snprintf(name, sizeof name, "%s/%s", folder, files[i]->d_name);
		const int placed = snprintf(path, sizeof path, "%s/models/%s", options->data, name);
		const bool fits = named < PATH_SIZE && placed < PATH_SIZE;
		if (good && fits && is_model(name) && trees_selected(options, name)) {
			good = run_model(options, path, name, worst, total);
		}
		free(files[i]);
	}
	free(files);
	return good;
}

/* Prints the aims of the project and whether they are met. Returns how many are missed. */
static int print_aims(const Imported *worst, const Tally *total)
{
	const double steps = total->steps > 0 ? (double)total->steps : 1.0;
	const struct {
		const char *what;
		double value, most;
	} aims[] = {{"share of failed steps", (double)total->failed / steps, 1e-4},
	            {"share of steps that are not exact", 1.0 - (double)total->exact / steps, 0.02},
	            {"penetration (m) of exact steps", total->exact_penetration, 1e-8},
	            {"joint violation (m) of exact steps", worst->joint_m, 1e-9},
	            {"joint violation (rad) of exact steps", worst->joint_rad, 1e-9},
	            {"limit violation (m, rad) of exact steps", worst->limit, 1e-8}};
	int missed = total->steps == 0;
	printf("%ld steps of %ld runs\n", total->steps, total->runs);
	for (size_t i = 0; i < sizeof aims / sizeof *aims && total->steps > 0; i++) {
		const bool met = aims[i].value <= aims[i].most;
		printf("%-40s %.2e, at most %.0e: %s\n", aims[i].what, aims[i].value, aims[i].most,
		       met ? "met" : "missed");
		missed += !met;
	}
	return missed;
}

bool imported_run(const TreesOptions *options, Tally *total)
{
	Imported worst = {.model = NULL};
	char path[PATH_SIZE];
	struct dirent **folders = NULL;
	bool good = true;
	snprintf(path, sizeof path, "%s/models", options->data);
	const int n = scandir(path, &folders, is_visible, alphasort);
	if (n < 0) {
		fprintf(stderr,
		        "abut_reliability: cannot read the folder %s; --data gives the folder that contains it\n",
		        path);
		return false;
	}
	printf("%-44s %6s %6s %6s %7s %8s %7s %5s %8s %8s %8s %8s %8s\n", "model", "steps", "failed", "halved",
	       "retried", "exact", "it", "max", "joint m", "joint rad", "limit", "pen m", "us/step");
	for (int i = 0; i < n; i++) {
		good = good && run_folder(options, folders[i]->d_name, &worst, total);
		free(folders[i]);
	}
	free(folders);
	const int missed = print_aims(&worst, total);
	if (options->missed) {
		*options->missed = missed;
	}
	return good;
}

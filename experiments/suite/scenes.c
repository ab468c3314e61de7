/* Runs scenes with several solver settings and reports the results. */
#include "experiments/suite/scenes.h"

#include <string.h>

#include "base/error.h"
#include "experiments/suite/spec.h"
#include "io/json/read.h"

enum { MOST_SCENES = 8, MOST_VALUES = 8, N_FINISHES = 2, MOST_SETS = 4, OVERRIDE = 64 };

typedef struct Scene {
	const char *name, *file;     /* owned by the spec */
	char pictures[64];           /* name of its figure */
	const char *sets[MOST_SETS]; /* owned by the spec: changes of the file, as for `--set` */
	int n_sets;
	double duration; /* s; 0: as in the file */
	double times[ABUT_TRIAL_PICTURES];
	int n_times;
	AbutView view;
} Scene;

typedef struct Settings {
	AbutSpec spec; /* owns the names */
	Scene scenes[MOST_SCENES];
	double rates[MOST_VALUES], kappas[MOST_VALUES]; /* Hz */
	AbutFinish finishes[N_FINISHES];
	int n_scenes, n_rates, n_kappas, n_finishes;
	double settled; /* s, time at the end over which creep is measured */
} Settings;

static const AbutKeySet scene_keys =
    ABUT_SPEC_KEYS("a scene of the experiment", "name", "file", "set", "duration", "pictures", "view");
static const AbutKeySet view_keys = ABUT_SPEC_KEYS("a view", "turn", "rise", "centre", "half");

static void read_sets(const AbutNode *scene, Scene *out)
{
	AbutNode array, entry;
	if (!abut_node_get(scene, "set", &array) || !abut_node_check_array(&array, "an array of overrides")) {
		return;
	}
	const int n = abut_json_count(array.value);
	if (n > MOST_SETS) {
		abut_node_fail(&array, ABUT_ERROR_PARSE, "must have at most %d overrides, has %d", MOST_SETS, n);
		return;
	}
	for (bool more = abut_node_first(&array, &entry); more; more = abut_node_next(&entry)) {
		abut_node_name(&entry, &out->sets[out->n_sets++]);
	}
}

static void read_scene(const AbutNode *node, Scene *out)
{
	AbutNode view;
	if (!abut_node_check_keys(node, &scene_keys)) {
		return;
	}
	abut_require_name(node, "name", &out->name);
	abut_require_name(node, "file", &out->file);
	read_sets(node, out);
	abut_read_number(node, "duration", ABUT_POSITIVE, &out->duration);
	out->n_times = abut_spec_numbers(node, "pictures", ABUT_TRIAL_PICTURES, ABUT_NONNEGATIVE, out->times);
	if (abut_node_require(node, "view", &view) && abut_node_check_keys(&view, &view_keys)) {
		abut_require_number(&view, "turn", ABUT_ANY, &out->view.turn);
		abut_require_number(&view, "rise", ABUT_ANY, &out->view.rise);
		abut_require_vector(&view, "centre", 3, ABUT_ANY, out->view.centre);
		abut_require_number(&view, "half", ABUT_POSITIVE, &out->view.half);
	}
	if (out->name) {
		snprintf(out->pictures, sizeof out->pictures, "%s", out->name);
		for (char *c = out->pictures; *c; c++) {
			*c = *c == ' ' ? '_' : *c;
		}
	}
}

static void read_scenes(const AbutNode *root, Settings *out)
{
	AbutNode array, entry;
	if (!abut_spec_objects(root, "scenes", "scenes", 1, MOST_SCENES, &array)) {
		return;
	}
	for (bool more = abut_node_first(&array, &entry); more; more = abut_node_next(&entry)) {
		read_scene(&entry, &out->scenes[out->n_scenes++]);
	}
}

static void read_finishes(const AbutNode *root, Settings *out)
{
	static const char *const names[N_FINISHES] = {"exact", "none"};
	AbutNode array, entry;
	if (!abut_node_require(root, "finishes", &array) || !abut_node_check_array(&array, "an array of finishes")) {
		return;
	}
	for (bool more = abut_node_first(&array, &entry); more && out->n_finishes < N_FINISHES;
	     more = abut_node_next(&entry)) {
		int finish = 0;
		abut_node_choice(&entry, names, N_FINISHES, &finish);
		out->finishes[out->n_finishes++] = (AbutFinish)finish;
	}
}

static AbutStatus read_settings(const char *path, const AbutSceneStudy *study, Settings *out, AbutError *error)
{
	const AbutKeySet keys = {
	    study->name,
	    (const char *const[]){"experiment", "settled", "rates", "kappas", "finishes", "scenes", NULL},
	};
	*out = (Settings){.n_scenes = 0};
	ABUT_TRY(abut_spec_open(&out->spec, path, &keys, error));
	const AbutNode *root = &out->spec.root;
	abut_require_number(root, "settled", ABUT_POSITIVE, &out->settled);
	out->n_rates = abut_spec_numbers(root, "rates", MOST_VALUES, ABUT_POSITIVE, out->rates);
	out->n_kappas = abut_spec_numbers(root, "kappas", MOST_VALUES, ABUT_POSITIVE, out->kappas);
	read_finishes(root, out);
	read_scenes(root, out);
	return out->spec.reader.status;
}

static void show(const AbutSceneCase *done, const AbutTried *tried, AbutTable *table)
{
	const AbutRunSummary *summary = &tried->summary;
	abut_table_text(table, done->scene);
	ABUT_NUMBERS(table, done->rate, done->kappa);
	abut_table_text(table, abut_finish_name(done->finish));
	ABUT_NUMBERS(table, tried->bodies, (double)summary->steps, (double)summary->failed_steps);
	ABUT_NUMBERS(table, (double)summary->retried_steps, (double)summary->halved_steps,
	             (double)summary->exact_steps);
	ABUT_NUMBERS(table, summary->iterations_mean, summary->iterations_max, summary->step_time_us_median,
	             summary->step_time_us_mean);
	ABUT_NUMBERS(table, summary->max_penetration, summary->energy_drift, tried->gain, tried->creep);
}

/* A study in progress. */
typedef struct Work {
	const AbutExperimentRun *run;
	const AbutSceneStudy *study;
	const Settings *settings;
	AbutTable *table;
	AbutReport *report;
} Work;

static AbutStatus run_case(const Work *work, const Scene *scene, const AbutSceneCase *asked, bool draw,
                           AbutError *error)
{
	char path[ABUT_SPEC_PATH], values[4][OVERRIDE];
	const char *overrides[MOST_SETS + 4];
	int n = 0;
	abut_spec_beside(work->run->spec, scene->file, path);
	snprintf(values[0], OVERRIDE, "timestep=%.17g", 1.0 / asked->rate);
	snprintf(values[1], OVERRIDE, "solver.kappa=%.17g", asked->kappa);
	snprintf(values[2], OVERRIDE, "solver.finish=%s", abut_finish_name(asked->finish));
	snprintf(values[3], OVERRIDE, "duration=%.17g", scene->duration);
	for (int i = 0; i < scene->n_sets; i++) {
		overrides[n++] = scene->sets[i];
	}
	for (int i = 0; i < (scene->duration > 0.0 ? 4 : 3); i++) {
		overrides[n++] = values[i];
	}
	AbutTrial trial = {.file = path,
	                   .n_overrides = n,
	                   .overrides = overrides,
	                   .settled = work->settings->settled,
	                   .n_times = scene->n_times,
	                   .view = scene->view,
	                   .watch = work->study->watch,
	                   .context = work->study->context};
	AbutTried tried;
	memcpy(trial.times, scene->times, sizeof trial.times);
	trial.pictures = draw ? abut_frames_table(work->report, scene->pictures, scene->name) : NULL;
	const AbutStatus status = abut_trial_run(&trial, &tried, error);
	if (status == ABUT_OK) {
		show(asked, &tried, work->table);
		work->study->judge(work->study->context, asked, &tried, work->report);
	}
	if (status == ABUT_OK && trial.pictures) {
		enum { in_a_row = 4, size = 300 };
		abut_frames_figure(
		    work->report, trial.pictures->name, scene->n_times, in_a_row, size,
		    "The scene over time. Dots are contact points under force, drawn through the bodies.");
	}
	return status;
}

/* Runs all scenes with all settings; the first run of each scene is drawn. */
static AbutStatus run_all(const Work *work, AbutError *error)
{
	const Settings *settings = work->settings;
	const int each = settings->n_rates * settings->n_kappas * settings->n_finishes, all = each * settings->n_scenes;
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < all; i++) {
		const Scene *scene = &settings->scenes[i / each];
		const int finish = i % settings->n_finishes, rest = i / settings->n_finishes;
		const AbutSceneCase asked = {.scene = scene->name,
		                             .rate = settings->rates[rest / settings->n_kappas % settings->n_rates],
		                             .kappa = settings->kappas[rest % settings->n_kappas],
		                             .finish = settings->finishes[finish]};
		status = run_case(work, scene, &asked, i % each == 0, error);
		abut_experiment_progress(work->run, (double)(i + 1) / (double)all);
	}
	return status;
}

AbutStatus abut_scenes_run(const AbutExperimentRun *run, const AbutSceneStudy *study, AbutReport *report,
                           AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"scene", "scene", 0},
	    {"rate_hz", "Hz", 4},
	    {"kappa", "kappa", 2},
	    {"finish", "finish", 0},
	    {"bodies", "bodies", 5},
	    {"steps", "steps", 8},
	    {"failed_steps", "failed", 6},
	    {"retried_steps", "retried", 6},
	    {"halved_steps", "halved", 6},
	    {"exact_steps", "exact", 6},
	    {"iterations_mean", "itera- tions", 3},
	    {"iterations_max", "most", 5},
	    {"us_median", "median step, us", 3},
	    {"us_mean", "mean, us", 3},
	    {"max_penetration_m", "penetration, m", 2},
	    {"energy_drift_j", "energy, J", 3},
	    {"energy_gain_j", "largest gain in a step, J", 2},
	    {"creep_m_s", "creep, m/s", 2},
	};
	Settings settings;
	AbutStatus status = read_settings(run->spec, study, &settings, error);
	if (status == ABUT_OK) {
		abut_report_setting(report, "creep", "over the last %g s of a run", settings.settled);
		AbutTable *table = abut_report_table(report, "runs", study->title);
		ABUT_COLUMNS(table, columns);
		const Work work = {run, study, &settings, table, report};
		status = run_all(&work, error);
	}
	abut_spec_close(&settings.spec);
	return status;
}

/* Drops robots and moves them at random, in Abut and in MuJoCo, against the timestep. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "experiments/peers/peers.h"
#include "experiments/robots/accurate.h"
#include "experiments/robots/atlas.h"
#include "experiments/robots/times.h"
#include "experiments/robots/trial.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_TIMESTEPS = 16, ENGINES = 2 };

static const double reference = 0.001; /* s: timestep of the runs whose largest rate bounds the others */
static const double most_times = 3.0;  /* times this rate is too much */
static const double recorded = 1.5;    /* s of heights in the figure */
static const double interval = 0.02;   /* s between two of them, at least */
/* Hz: of Dojo's table II, and at which it runs Atlas in real time. */
static const double published_rates[4] = {10.0, 100.0, 1000.0, 65.0};

typedef struct Settings {
	double timesteps[MOST_TIMESTEPS], drop_timesteps[MOST_TIMESTEPS]; /* s */
	double duration, drop_duration;                                   /* s */
	int n_timesteps, n_drop_timesteps, seeds, accurate_seeds;
} Settings;

/* Engines, as indices and in names. */
typedef struct Engine {
	const char *name;
	AbutStatus (*try)(const AbutRobotTrial *trial, AbutRobotMeasure *out, AbutError *error);
} Engine;
static const Engine engines[ENGINES] = {{"Abut", abut_robot_try}, {"MuJoCo", abut_robot_try_mujoco}};

/* The experiment while it runs. */
typedef struct Study {
	const AbutExperimentRun *run;
	Settings settings;
	int n_engines;
	AbutTable *drops, *moves, *stable, *accurate, *times, *heights;
	AbutReport *report;
	double done, parts; /* for progress */
	const AbutRobotModel *robot;
	const char *engine;                 /* of the run whose heights are recorded */
	double timestep, start, last_time;  /* s; m: height at the start; s */
	AbutRobotMeasure atlas[ENGINES][4]; /* of the drops at the published rates and at 65 Hz */
} Study;

static void advance(Study *study)
{
	study->done += 1.0;
	abut_experiment_progress(study->run, study->done / study->parts);
}

/* The columns that the tables of drops and of random motion have in common. */
#define MEASURED_COLUMNS                                                                                               \
	{"robot", "robot", 0}, {"engine", "engine", 0}, {"timestep_s", "timestep, s", 3},                              \
	    {"penetration_m", "penetration, m", 2}, {"limit", "limits, rad", 2}, {"joint_m", "joints, m", 2},          \
	{                                                                                                              \
		"joint_rad", "rad", 2                                                                                  \
	}

/* --- drops --- */

static void record_height(void *context, double time, double height)
{
	Study *study = context;
	if (time <= recorded && time - study->last_time > interval - 1e-9) {
		study->last_time = time;
		abut_table_text(study->heights, study->robot->source->name);
		abut_table_text(study->heights, study->engine);
		ABUT_NUMBERS(study->heights, study->timestep, time, height, height - study->start);
	}
}

static const AbutColumn drop_columns[] = {MEASURED_COLUMNS,
                                          {"height_m", "height at the end, m", 4},
                                          {"us", "us per step", 3},
                                          {"real_time", "times real time", 3},
                                          {"lost", "lost", 2}};

static void add_drop(Study *study, const AbutRobotMeasure *m)
{
	const double per_step = m->us / (double)m->steps;
	abut_table_text(study->drops, study->robot->source->name);
	abut_table_text(study->drops, study->engine);
	ABUT_NUMBERS(study->drops, study->timestep, m->penetration, m->limit, m->joint_m, m->joint_rad, m->height,
	             per_step, 1e6 * study->timestep / per_step, (double)m->lost);
}

/* Keeps the result of a drop of Atlas at a published rate. */
static void keep_atlas(Study *study, int engine, const AbutRobotMeasure *m)
{
	for (int i = 0; i < 4; i++) {
		if (fabs(study->timestep * published_rates[i] - 1.0) < 1e-9) {
			study->atlas[engine][i] = *m;
		}
	}
}

static double times_real_time(const AbutRobotMeasure *m, double timestep)
{
	return 1e6 * timestep * (double)m->steps / m->us;
}

static void judge_atlas(const Study *study)
{
	const AbutRobotMeasure *results = study->atlas[0];
	AbutReport *report = study->report;
	const double start = study->start;
	for (int i = 0; i < 3; i++) {
		const AbutRobotMeasure *m = &results[i];
		const bool stands = m->lost == 0 && fabs(m->height - start + abut_atlas_drop) < 0.01;
		if (m->steps > 0) {
			abut_report_target(report, stands,
			                   "Atlas stands at %g Hz: torso at %.4f m, dropped from %.4f m",
			                   published_rates[i], m->height, start);
			abut_report_target(report, m->penetration <= 1e-9,
			                   "its feet sink at most 1e-9 m at %g Hz: %.2g m", published_rates[i],
			                   m->penetration);
		}
	}
	if (results[3].steps > 0) {
		const double factor = times_real_time(&results[3], 1.0 / published_rates[3]);
		abut_report_target(report, factor >= 5.0,
		                   "Atlas at 65 Hz runs at 5 times real time or more: %.3g times", factor);
	}
}

/* Returns the height of the torso in the scene. */
static double start_height(const AbutRobotModel *robot)
{
	const AbutSceneDef *def = &robot->imported.def;
	for (int i = 0; i < def->n_bodies; i++) {
		if (strcmp(def->bodies[i].name, robot->source->torso) == 0) {
			return def->bodies[i].position[2];
		}
	}
	return NAN;
}

static AbutStatus drop(Study *study, AbutError *error)
{
	const Settings *settings = &study->settings;
	study->start = start_height(study->robot);
	for (int i = 0; i < settings->n_drop_timesteps * study->n_engines; i++) {
		const Engine *engine = &engines[i % study->n_engines];
		AbutRobotMeasure m = {.runs = 0};
		study->timestep = settings->drop_timesteps[i / study->n_engines];
		study->engine = engine->name;
		study->last_time = -1.0;
		const AbutRobotTrial trial = {.robot = study->robot,
		                              .timestep = study->timestep,
		                              .duration = settings->drop_duration,
		                              .height = record_height,
		                              .context = study};
		ABUT_TRY(engine->try(&trial, &m, error));
		add_drop(study, &m);
		if (study->robot->source->is_atlas) {
			keep_atlas(study, i % study->n_engines, &m);
		}
	}
	judge_atlas(study);
	advance(study);
	return ABUT_OK;
}

/* --- random motion --- */

static const AbutColumn move_columns[] = {MEASURED_COLUMNS,         {"speed", "largest rate", 3},
                                          {"us", "us per step", 3}, {"exact_share", "exact", 4},
                                          {"failed", "failed", 3},  {"lost", "lost runs", 3}};
static const AbutColumn stable_columns[] = {{"robot", "robot", 0},
                                            {"engine", "engine", 0},
                                            {"largest_s", "largest timestep, s", 3},
                                            {"next_s", "next, s", 3},
                                            {"lost", "runs lost there", 3}};

static AbutStatus move_at(const Study *study, const Engine *engine, double timestep, double most, AbutRobotMeasure *out,
                          AbutError *error)
{
	const unsigned long long first = study->run->seed ? *study->run->seed : 0;
	*out = (AbutRobotMeasure){.runs = 0};
	for (int i = 0; i < study->settings.seeds; i++) {
		const AbutRobotTrial trial = {.robot = study->robot,
		                              .timestep = timestep,
		                              .duration = study->settings.duration,
		                              .driven = true,
		                              .seed = first + (unsigned)i,
		                              .most = most};
		ABUT_TRY(engine->try(&trial, out, error));
	}
	return ABUT_OK;
}

static void add_move(const Study *study, const Engine *engine, double timestep, const AbutRobotMeasure *m)
{
	const bool is_abut = engine == engines;
	const double steps = (double)m->steps;
	abut_table_text(study->moves, study->robot->source->name);
	abut_table_text(study->moves, engine->name);
	ABUT_NUMBERS(study->moves, timestep, m->penetration, m->limit, m->joint_m, m->joint_rad, m->speed,
	             m->us / steps, is_abut ? (double)m->exact / steps : (double)NAN,
	             is_abut ? (double)m->failed : (double)NAN, (double)m->lost);
}

/* Moves the robot at all timesteps up to the first one at which a run is lost. */
static AbutStatus move(Study *study, const Engine *engine, AbutError *error)
{
	const Settings *settings = &study->settings;
	const AbutRobotSource *source = study->robot->source;
	AbutRobotMeasure m;
	double largest = 0.0, next = NAN, lost = NAN;
	ABUT_TRY(move_at(study, engine, reference, 0.0, &m, error));
	const double most = most_times * m.speed;
	for (int i = 0; i < settings->n_timesteps && isnan(next); i++) {
		const double timestep = settings->timesteps[i];
		ABUT_TRY(move_at(study, engine, timestep, most, &m, error));
		add_move(study, engine, timestep, &m);
		if (m.lost > 0) {
			next = timestep;
			lost = (double)m.lost;
		} else {
			largest = timestep;
		}
	}
	abut_table_text(study->stable, source->name);
	abut_table_text(study->stable, engine->name);
	ABUT_NUMBERS(study->stable, largest, next, lost);
	if (engine == engines && source->target > 0.0) {
		abut_report_target(study->report, largest >= source->target - 1e-9,
		                   "largest stable timestep of %s at least %g ms: %g ms", source->name,
		                   1e3 * source->target, 1e3 * largest);
	}
	advance(study);
	return ABUT_OK;
}

/* Compares times with MuJoCo: of the cheapest settings that keep the robot within 1 mm and 0.1 degrees, and of steps of
 * 5 ms. */
static AbutStatus compare_times(Study *study, AbutError *error)
{
	const AbutExperimentRun *run = study->run;
	const AbutAccurateRuns runs = {.robot = study->robot,
	                               .duration = study->settings.duration,
	                               .seeds = study->settings.accurate_seeds,
	                               .first_seed = run->seed ? *run->seed : 0,
	                               .mujoco = study->n_engines > 1};
	ABUT_TRY(abut_robot_accurate(&runs, study->accurate, study->report, error));
	if (runs.mujoco) {
		ABUT_TRY(abut_robot_times(runs.robot, runs.seeds, runs.first_seed, runs.robot->source->file != NULL,
		                          study->times, study->report, error));
	}
	advance(study);
	return ABUT_OK;
}

/* --- all --- */

static const AbutKeySet keys = ABUT_SPEC_KEYS("robots", "experiment", "seeds", "accurate_seeds", "duration",
                                              "timesteps", "drop_duration", "drop_timesteps");

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	double seeds = 0.0, accurate_seeds = 0.0;
	abut_require_number(root, "seeds", ABUT_POSITIVE, &seeds);
	abut_require_number(root, "accurate_seeds", ABUT_POSITIVE, &accurate_seeds);
	out->seeds = (int)fmin(seeds, 1e6);
	out->accurate_seeds = (int)fmin(accurate_seeds, 1e6);
	abut_require_number(root, "duration", ABUT_POSITIVE, &out->duration);
	abut_require_number(root, "drop_duration", ABUT_POSITIVE, &out->drop_duration);
	out->n_timesteps = abut_spec_numbers(root, "timesteps", MOST_TIMESTEPS, ABUT_POSITIVE, out->timesteps);
	out->n_drop_timesteps =
	    abut_spec_numbers(root, "drop_timesteps", MOST_TIMESTEPS, ABUT_POSITIVE, out->drop_timesteps);
}

static AbutStatus study_robot(Study *study, const AbutRobotSource *source, AbutError *error)
{
	AbutRobotModel robot;
	const AbutRobotFolders folders = {study->run->source, study->run->data, study->run->out};
	AbutStatus status = abut_robot_model_open(source, &folders, &robot, error);
	study->robot = &robot;
	ABUT_THEN(status, drop(study, error));
	for (int i = 0; source->is_driven && i < study->n_engines; i++) {
		ABUT_THEN(status, move(study, &engines[i], error));
	}
	if (source->is_driven) {
		ABUT_THEN(status, compare_times(study, error));
	}
	study->robot = NULL;
	abut_robot_model_close(&robot);
	return status;
}

/* Adds the settings and notes that say where robots come from, and counts parts. Fails if --data has none of them. */
static AbutStatus list_sources(Study *study, AbutError *error)
{
	const char *data = study->run->data;
	int found = 0;
	for (int i = 0; i < abut_robot_source_count; i++) {
		const AbutRobotSource *source = &abut_robot_sources[i];
		const bool exists = abut_robot_source_exists(source, data);
		study->parts += exists ? 1.0 + source->is_driven * (study->n_engines + 1) : 0.0;
		found += exists && source->file;
		if (source->file) {
			abut_report_setting(study->report, source->name, "%s%s (%s)",
			                    exists ? "" : "not found: ", source->file, source->origin);
		}
	}
	if (data && found == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "--data %s has none of the robots; it needs files such as models/gym_ant/ant.xml "
		                      "(experiments/robots/README.md says where to get them)",
		                      data);
	}
	if (!data) {
		abut_table_note(study->drops,
		                "Only our own robots: those of other projects are not part of Abut. --data "
		                "DIR names a folder with models/gym_ant/ant.xml and others, which "
		                "experiments/robots/README.md lists with their projects.");
	}
	return ABUT_OK;
}

static const AbutColumn height_columns[] = {
    {"robot", "robot", 0},    {"engine", "engine", 0},      {"timestep_s", "timestep, s", 3},
    {"time_s", "time, s", 3}, {"height_m", "height, m", 4}, {"change_m", "change, m", 4}};
static const AbutColumn published_columns[] = {{"source", "source", 0},
                                               {"hz10_mm", "10 Hz, mm", 2},
                                               {"hz100_mm", "100 Hz, mm", 2},
                                               {"hz1000_mm", "1000 Hz, mm", 2},
                                               {"real_time_65hz", "times real time at 65 Hz", 2}};

/* Adds the results for Atlas of this run and those that Dojo's authors published (table II). */
static void add_published(const Study *study)
{
	AbutTable *table =
	    ABUT_TABLE(study->report, "published", "Distance of the feet of Atlas from the floor", published_columns);
	for (int i = 0; i < study->n_engines; i++) {
		const AbutRobotMeasure *results = study->atlas[i];
		abut_table_format(table, "%s, this run", engines[i].name);
		for (int k = 0; k < 3; k++) {
			abut_table_number(table, results[k].steps > 0 ? -1e3 * results[k].penetration : (double)NAN);
		}
		abut_table_number(table, results[3].steps > 0 ? times_real_time(&results[3], 1.0 / published_rates[3])
		                                              : (double)NAN);
	}
	abut_table_text(table, "Dojo, published");
	ABUT_NUMBERS(table, 1e-12, 1e-7, 8e-6, 1.0);
	abut_table_text(table, "MuJoCo, published");
	abut_table_text(table, "failure");
	ABUT_NUMBERS(table, -28.0, -46.0, (double)NAN);
	abut_table_note(table, "Negative: penetration, the largest of the drop. Published: Howell et al., Dojo: a "
	                       "differentiable physics engine for robotics, table II, on a laptop with an i9-10885H.");
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Study study = {.run = run, .n_engines = abut_peer_mujoco.count > 0 ? ENGINES : 1, .report = report};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &study.settings, error));
	study.drops = ABUT_TABLE(report, "drops", "Drops, with motors that hold the pose", drop_columns);
	study.moves = ABUT_TABLE(report, "moves", "Random targets of motors", move_columns);
	study.stable = ABUT_TABLE(report, "stable", "Largest stable timestep", stable_columns);
	study.accurate = abut_robot_accurate_table(report);
	study.times = abut_robot_times_table(report);
	study.heights = ABUT_DATA(report, "heights", "Heights of the torso after a drop", height_columns);
	abut_report_setting(report, "random motion", "%d seeds of %g s", study.settings.seeds, study.settings.duration);
	abut_report_setting(report, "drops", "%g s; servos of Atlas: %g N m/rad, damping %g N m s/rad in the joints",
	                    study.settings.drop_duration, abut_atlas_stiffness, abut_atlas_damping);
	ABUT_TRY(list_sources(&study, error));
	for (int i = 0; i < abut_robot_source_count; i++) {
		if (abut_robot_source_exists(&abut_robot_sources[i], run->data)) {
			ABUT_TRY(study_robot(&study, &abut_robot_sources[i], error));
		}
	}
	add_published(&study);
	abut_report_figure(report, "heights", 1000, 420,
	                   "Torso after a drop in Abut, at several timesteps. Dashed: MuJoCo.");
	abut_report_figure(report, "penetration", 1000, 420,
	                   "Largest penetration of random motions. Dashed: MuJoCo, the same robots.");
	return ABUT_OK;
}

const AbutExperiment abut_experiment_robots = {"robots", "robots",
                                               "Robots that fall, stand and move at random, beside MuJoCo", execute};

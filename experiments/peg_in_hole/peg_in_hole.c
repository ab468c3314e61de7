/* Drops a square peg into a square hole made of a convex bundle (the single-level paper, figure 7), and checks that it
 * goes in for every rate and clearance. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "experiments/peg_in_hole/insertion.h"
#include "experiments/setting/world.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/frames.h"
#include "experiments/suite/spec.h"
#include "io/json/read.h"

/* --- pictures of a fall --- */

enum { PICTURES = 4 };

/* Draws the scene without the third part of the block, so that the hole is visible. In space this part is the wall
 * towards the eye (insertion.c). */
static AbutStatus draw(const AbutInsertionScene *scene, const AbutWorld *world, int panel, const AbutView *view,
                       AbutTable *table, AbutError *error)
{
	enum { FRONT = 2 };
	AbutBodyDef bodies[ABUT_INSERTION_BODIES] = {scene->bodies[0], scene->bodies[1]};
	AbutBodyDef *block = &bodies[ABUT_INSERTION_BLOCK];
	const AbutShape *parts[ABUT_INSERTION_PARTS];
	AbutSceneDef def = scene->def;
	char label[32];
	if (block->n_parts == ABUT_INSERTION_PARTS) {
		block->n_parts = 0;
		for (int i = 0; i < ABUT_INSERTION_PARTS; i++) {
			if (i != FRONT) {
				parts[block->n_parts++] = scene->parts[i];
			}
		}
		block->parts = parts;
	}
	def.bodies = bodies;
	snprintf(label, sizeof label, "t = %.3g s", abut_state_time(world->state));
	const AbutFrame frame = {panel, label, &def, world->model, world->state, world->workspace};
	return abut_frames_add(&frame, view, table, error);
}

static AbutStatus draw_all(const AbutInsertionScene *scene, const double times[PICTURES], const AbutView *view,
                           AbutTable *table, AbutError *error)
{
	AbutWorld world;
	AbutStatus status = abut_world_open(&world, &scene->def, error);
	for (int i = 0; status == ABUT_OK && i < PICTURES; i++) {
		AbutStepInfo info = {.tries = 0};
		while (status == ABUT_OK && abut_state_time(world.state) < times[i] - 0.5 * scene->def.timestep) {
			status = abut_step(world.model, world.state, world.workspace, &info);
		}
		ABUT_THEN(status, draw(scene, &world, i, view, table, error));
	}
	abut_world_close(&world);
	return status;
}

static AbutStatus add_row_of_pictures(const AbutPeg *peg, const AbutInsertion *insertion, const double times[PICTURES],
                                      const AbutView *view, const char *name, const char *caption, AbutReport *report,
                                      AbutError *error)
{
	enum { size = 300 };
	AbutInsertionScene scene;
	AbutStatus status = abut_insertion_scene(peg, insertion, &scene, error);
	ABUT_THEN(status, draw_all(&scene, times, view, abut_frames_table(report, name, caption), error));
	if (status == ABUT_OK) {
		abut_frames_figure(report, name, PICTURES, PICTURES, size, caption);
	}
	abut_insertion_scene_free(&scene);
	return status;
}

enum { SPACE, PLANAR, ABOVE, N_KINDS, MOST_CLEARANCES = 6, MOST_RATES = 6, MOST_SEEDS = 100000 };

/* A peg is inserted when its lowest corner is this close to the floor, as a fraction of the depth. With a path that
 * ends at kappa 1e-6 the peg hovers by some 1e-9. */
static const double arrived = 1e-6;

/* The kinds of fall: in space, in a plane with a torque that leans the peg over, or in space from above the rim. */
typedef struct Kind {
	const char *name;
	AbutPeg peg;
	double clearances[MOST_CLEARANCES];
	int n_clearances, seeds;
} Kind;

typedef struct Settings {
	Kind kinds[N_KINDS];
	double rates[MOST_RATES]; /* Hz */
	int n_rates;
	unsigned long long first_seed;
} Settings;

static const AbutKeySet keys =
    ABUT_SPEC_KEYS("peg-in-hole", "experiment", "width", "length", "depth", "wall", "mass", "push", "friction", "reach",
                   "duration", "rates", "space", "planar", "above");
static const AbutKeySet kind_keys = ABUT_SPEC_KEYS("falls of a peg", "clearances", "drop", "lean", "seeds");

static void read_kind(const AbutNode *root, const char *name, const AbutPeg *peg, Kind *out)
{
	AbutNode node;
	*out = (Kind){.name = name, .peg = *peg};
	if (!abut_node_require(root, name, &node) || !abut_node_check_keys(&node, &kind_keys)) {
		return;
	}
	out->n_clearances = abut_spec_numbers(&node, "clearances", MOST_CLEARANCES, ABUT_POSITIVE, out->clearances);
	abut_require_number(&node, "drop", ABUT_ANY, &out->peg.drop);
	abut_read_number(&node, "lean", ABUT_ANY, &out->peg.lean);
	abut_require_integer(&node, "seeds", 1, MOST_SEEDS, &out->seeds);
}

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	AbutPeg peg = {.lean = 0.0};
	abut_require_number(root, "width", ABUT_POSITIVE, &peg.width);
	abut_require_number(root, "length", ABUT_POSITIVE, &peg.length);
	abut_require_number(root, "depth", ABUT_POSITIVE, &peg.depth);
	abut_require_number(root, "wall", ABUT_POSITIVE, &peg.wall);
	abut_require_number(root, "mass", ABUT_POSITIVE, &peg.mass);
	abut_require_number(root, "push", ABUT_NONNEGATIVE, &peg.push);
	abut_require_number(root, "friction", ABUT_POSITIVE, &peg.friction);
	abut_require_number(root, "reach", ABUT_NONNEGATIVE, &peg.reach);
	abut_require_number(root, "duration", ABUT_POSITIVE, &peg.duration);
	out->n_rates = abut_spec_numbers(root, "rates", MOST_RATES, ABUT_POSITIVE, out->rates);
	read_kind(root, "space", &peg, &out->kinds[SPACE]);
	read_kind(root, "planar", &peg, &out->kinds[PLANAR]);
	read_kind(root, "above", &peg, &out->kinds[ABOVE]);
}

/* --- all runs of a clearance and a rate --- */

typedef struct Cell {
	long runs, inserted, steps, failed, retried, halved, exact;
	double shallowest;                  /* smallest final depth of all runs, m */
	double tilt;                        /* largest tilt at the end, rad */
	double iterations, us, penetration; /* mean; mean over the runs of their medians; largest, m */
	int most_iterations;
} Cell;

static void add_run(const Kind *kind, const AbutInserted *run, Cell *cell)
{
	const AbutRunSummary *summary = &run->summary;
	cell->runs++;
	cell->inserted += summary->failed_steps == 0 && fabs(run->depth - kind->peg.depth) <= arrived * kind->peg.depth;
	cell->steps += summary->steps;
	cell->failed += summary->failed_steps;
	cell->retried += summary->retried_steps;
	cell->halved += summary->halved_steps;
	cell->exact += summary->exact_steps;
	cell->shallowest = fmin(cell->shallowest, run->depth);
	cell->tilt = fmax(cell->tilt, run->tilt);
	cell->iterations += summary->iterations_mean * (double)summary->steps;
	cell->most_iterations =
	    summary->iterations_max > cell->most_iterations ? summary->iterations_max : cell->most_iterations;
	cell->us += summary->step_time_us_mean * (double)summary->steps;
	cell->penetration = fmax(cell->penetration, summary->max_penetration);
}

static void show_cell(const Kind *kind, double clearance, double rate, const Cell *cell, AbutTable *table)
{
	abut_table_text(table, kind->name);
	ABUT_NUMBERS(table, clearance, rate, (double)cell->runs, (double)cell->inserted);
	ABUT_NUMBERS(table, (double)cell->steps, (double)cell->failed);
	ABUT_NUMBERS(table, (double)cell->retried, (double)cell->halved, (double)cell->exact);
	ABUT_NUMBERS(table, cell->shallowest, kind->peg.depth - cell->shallowest, cell->tilt);
	ABUT_NUMBERS(table, cell->iterations / (double)cell->steps, cell->most_iterations,
	             cell->us / (double)cell->steps, cell->penetration);
}

static AbutStatus measure_cell(const Kind *kind, const Settings *settings, AbutInsertion insertion, Cell *cell,
                               AbutError *error)
{
	AbutStatus status = ABUT_OK;
	*cell = (Cell){.shallowest = INFINITY};
	for (int i = 0; status == ABUT_OK && i < kind->seeds; i++) {
		AbutInserted run;
		insertion.seed = settings->first_seed + (unsigned long long)i;
		status = abut_insertion_run(&kind->peg, &insertion, NULL, &run, error);
		if (status == ABUT_OK) {
			add_run(kind, &run, cell);
		}
	}
	return status;
}

static void judge(const Kind *kind, double clearance, double rate, const Cell *cell, AbutReport *report)
{
	abut_report_target(report, cell->inserted == cell->runs && cell->failed == 0,
	                   "%s, clearance %g, %g Hz: %ld of %ld pegs inserted; %ld of %ld steps failed, none allowed",
	                   kind->name, clearance, rate, cell->inserted, cell->runs, cell->failed, cell->steps);
}

static AbutStatus measure(const AbutExperimentRun *run, const Settings *settings, AbutTable *table, AbutReport *report,
                          AbutError *error)
{
	AbutStatus status = ABUT_OK;
	int done = 0;
	int all = 0;
	for (int k = 0; k < N_KINDS; k++) {
		all += settings->n_rates * settings->kinds[k].n_clearances;
	}
	for (int k = 0; k < N_KINDS; k++) {
		const Kind *kind = &settings->kinds[k];
		const int n = settings->n_rates * kind->n_clearances;
		for (int i = 0; status == ABUT_OK && i < n; i++) {
			const double rate = settings->rates[i % settings->n_rates];
			const AbutInsertion insertion = {.clearance = kind->clearances[i / settings->n_rates],
			                                 .timestep = 1.0 / rate,
			                                 .planar = k == PLANAR};
			Cell cell;
			status = measure_cell(kind, settings, insertion, &cell, error);
			if (status == ABUT_OK) {
				show_cell(kind, insertion.clearance, rate, &cell, table);
				judge(kind, insertion.clearance, rate, &cell, report);
			}
			abut_experiment_progress(run, (double)++done / (double)all);
		}
	}
	return status;
}

/* --- one fall of each clearance, for the figure --- */

typedef struct Watch {
	const Kind *kind;
	double clearance;
	AbutTable *table;
} Watch;

static AbutStatus watch(void *context, const AbutRunView *view, AbutError *error)
{
	const Watch *it = context;
	AbutBodyState state;
	(void)error;
	abut_state_get_body(view->model, view->state, abut_model_body_count(view->model) - 1, &state);
	abut_table_text(it->table, it->kind->name);
	ABUT_NUMBERS(it->table, it->clearance, abut_state_time(view->state),
	             abut_insertion_depth(&it->kind->peg, &state));
	return ABUT_OK;
}

static AbutStatus add_falls(const Settings *settings, AbutReport *report, AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"falls", "falls", 0}, {"clearance", "clearance", 3}, {"time_s", "time, s", 4}, {"depth_m", "depth, m", 6}};
	AbutTable *table =
	    ABUT_DATA(report, "falls", "Depth of the lowest corner over time, one fall for each clearance", columns);
	AbutStatus status = ABUT_OK;
	for (int k = 0; k < N_KINDS; k++) {
		for (int i = 0; status == ABUT_OK && i < settings->kinds[k].n_clearances; i++) {
			const Kind *kind = &settings->kinds[k];
			Watch it = {kind, kind->clearances[i], table};
			const AbutRunObserver observer = {watch, &it, false};
			const AbutInsertion insertion = {.clearance = it.clearance,
			                                 .timestep = 1.0 / settings->rates[settings->n_rates - 1],
			                                 .planar = k == PLANAR,
			                                 .seed = settings->first_seed};
			AbutInserted fall;
			status = abut_insertion_run(&kind->peg, &insertion, &observer, &fall, error);
		}
	}
	abut_report_figure(
	    report, "depth", 900, 420,
	    "Depth of the lowest corner of the peg below the rim over time, at the last rate, one curve for each "
	    "clearance. In narrower holes, friction at the walls slows the peg while it turns upright.");
	return status;
}

/* Adds pictures of the falls into the widest holes. */
static AbutStatus add_pictures(const Settings *settings, AbutReport *report, AbutError *error)
{
	static const double in_space[PICTURES] = {0.0, 0.05, 0.1, 0.3};
	static const double in_plane[PICTURES] = {0.0, 0.1, 0.15, 0.3};
	const Kind *above = &settings->kinds[ABOVE], *planar = &settings->kinds[PLANAR];
	const AbutView view = {.turn = 0.0, .rise = 6.0, .centre = {0.0, 0.0, 0.13}, .half = 0.25};
	AbutInsertion insertion = {.clearance = above->clearances[0],
	                           .timestep = 1.0 / settings->rates[settings->n_rates - 1],
	                           .seed = settings->first_seed};
	ABUT_TRY(
	    add_row_of_pictures(&above->peg, &insertion, in_space, &view, "pegs_above",
	                        "A peg that falls from above the rim, in the hole of the largest clearance, without "
	                        "the front wall. Dots are contact points under force, drawn through the bodies.",
	                        report, error));
	insertion.planar = true;
	insertion.clearance = planar->clearances[0];
	return add_row_of_pictures(&planar->peg, &insertion, in_plane, &view, "pegs_planar",
	                           "A planar peg leaned over by a torque, in the hole of the largest clearance, seen "
	                           "along y. It ends on three points.",
	                           report, error);
}

static void describe(const Settings *settings, AbutReport *report)
{
	const AbutPeg *peg = &settings->kinds[SPACE].peg;
	abut_report_setting(report, "peg", "%g x %g x %g m, %g kg; pushed down by %g N; friction %g", peg->width,
	                    peg->width, peg->length, peg->mass, peg->push, peg->friction);
	abut_report_setting(report, "hole",
	                    "%g m deep, with plain edges, between walls of %g m; clearances are fractions of the width "
	                    "of the peg, both sides together",
	                    peg->depth, peg->wall);
	abut_report_setting(report, "starts",
	                    "%g m inside the rim; from above, %g m over it; offsets and turns within %g of the largest "
	                    "that can enter; seeds from %llu",
	                    -peg->drop, settings->kinds[ABOVE].peg.drop, peg->reach, settings->first_seed);
	abut_report_setting(report, "planar", "leaned over by %g N m", settings->kinds[PLANAR].peg.lean);
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"falls", "falls", 0},
	    {"clearance", "clearance", 3},
	    {"rate_hz", "Hz", 4},
	    {"runs", "runs", 6},
	    {"inserted", "inserted", 6},
	    {"steps", "steps", 8},
	    {"failed_steps", "failed", 6},
	    {"retried_steps", "retried", 6},
	    {"halved_steps", "halved", 6},
	    {"exact_steps", "exact", 8},
	    {"depth_min_m", "least depth, m", ABUT_COLUMN_OF_FILES},
	    {"short_of_floor_m", "largest distance from the floor, m", 2},
	    {"tilt_max_rad", "tilt at the end, rad", 3},
	    {"iterations_mean", "itera- tions", 3},
	    {"iterations_max", "most", 4},
	    {"us_mean", "mean step, us", 3},
	    {"max_penetration_m", "penetration, m", 2},
	};
	Settings settings = {.first_seed = run->seed ? *run->seed : 0};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	report->seed = settings.first_seed;
	describe(&settings, report);
	AbutTable *table = ABUT_TABLE(report, "insertions", "Insertions", columns);
	ABUT_TRY(measure(run, &settings, table, report, error));
	ABUT_TRY(add_pictures(&settings, report, error));
	return add_falls(&settings, report, error);
}

const AbutExperiment abut_experiment_peg_in_hole = {"peg-in-hole", "peg_in_hole",
                                                    "A square peg into a hole made of a bundle", execute};

/* Counts failures, iterations and violations of falling robots (random_robot.c), in cells of a size, a kind and a
 * timestep. The motors have random targets, which change every 50 ms. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/reliability/random_tree.h"
#include "experiments/reliability/trees.h"

enum { MOST_ITERATIONS = 400 };

static const RobotKind kinds[] = {
    {"flight", false, false, 0.5, 0.5, 1, 1}, {"plain", true, false, 0.0, 0.0, 1, 1},
    {"laws", true, false, 1.0, 1.0, 1, 1},    {"several", true, false, 1.0, 1.0, 2, TREE_FEET},
    {"bodies", true, true, 0.0, 0.0, 1, 1},   {"all", true, true, 1.0, 1.0, 2, TREE_FEET}};
static const struct {
	const char *name;
	int least, most; /* bodies */
} sizes[] = {{"5-10", 5, 10}, {"11-30", 11, TREE_LINKS}};
static const double timesteps[] = {0.005, 0.01, 0.02, 0.05};
enum { KINDS = sizeof kinds / sizeof *kinds, SIZES = 2, TIMESTEPS = 4 };
static const double run_time = 2.0, hold_time = 0.05, most_torque = 3.0, most_force = 10.0; /* s, s, N m, N */

/* The iterations of steps without, and with, a contact that pushes. */
typedef struct Iterations {
	long steps, sum;
	long histogram[MOST_ITERATIONS + 1]; /* the last entry: that many or more */
} Iterations;

typedef struct Cell {
	Tally tally;
	Iterations of[2];
	double joint_m, joint_rad, limit; /* largest violations of exact steps */
} Cell;

/* A run of a robot. */
typedef struct Fall {
	const Tree *tree;
	AbutRng rng;
	long held; /* steps between changes of the torques */
	Cell *cell;
} Fall;

/* Draws the targets of the motors: efforts, or positions of servos around 0. */
static void draw_targets(void *data, const AbutModel *model, AbutState *state, long step)
{
	Fall *fall = data;
	for (int i = 0; step % fall->held == 0 && i < fall->tree->n - 1; i++) {
		const AbutJointDef *joint = &fall->tree->joints[i];
		const bool slide = joint->type == ABUT_JOINT_SLIDE;
		for (int k = 0; joint->type != ABUT_JOINT_BALL && k < abut_joint_type_freedoms(joint->type); k++) {
			const double most = joint->axes[k].motor.type == ABUT_MOTOR_FORCE
			                        ? (slide ? most_force : most_torque)
			                        : 0.25 * (joint->axes[k].upper - joint->axes[k].lower);
			abut_state_set_motor(model, state, i, k, abut_rng_uniform(&fall->rng, -most, most));
		}
	}
}

static void add_step(void *data, const AbutModel *model, const AbutState *state, const AbutStepInfo *info,
                     bool touching)
{
	(void)model;
	(void)state;
	Cell *cell = ((Fall *)data)->cell;
	Iterations *of = &cell->of[touching];
	of->steps++;
	of->sum += info->iterations;
	of->histogram[info->iterations < MOST_ITERATIONS ? info->iterations : MOST_ITERATIONS]++;
	if (info->exact) {
		cell->joint_m = fmax(cell->joint_m, info->joint_violation_m);
		cell->joint_rad = fmax(cell->joint_rad, info->joint_violation_rad);
		cell->limit = fmax(cell->limit, info->limit_violation);
	}
}

static bool run_robot(const TreesOptions *options, int size, int kind, double timestep, unsigned long seed, Cell *cell)
{
	static Tree tree;
	AbutRng rng = abut_rng_stream(seed, (uint64_t)size * KINDS + (uint64_t)kind);
	const int n = (int)abut_rng_uniform(&rng, sizes[size].least, sizes[size].most + 1);
	tree_begin(&tree, options->keep);
	tree.scene.def.solver = *options->solver;
	tree.scene.def.timestep = timestep;
	robot_draw(&kinds[kind], n, &rng, &tree);
	Fall fall = {&tree, rng, lround(fmax(1.0, hold_time / timestep)), cell};
	tree.scene.watch = (Watch){&fall, draw_targets, add_step};
	const bool good = tree.good && study_run(&tree.scene, run_time, seed, &cell->tally);
	tree_free(&tree);
	return good;
}

/* Returns the smallest number of iterations that suffices for 99 % of the steps. */
static int percentile(const Iterations *of)
{
	long count = 0;
	int i = -1;
	while (i < MOST_ITERATIONS && (double)count < 0.99 * (double)of->steps) {
		count += of->histogram[++i];
	}
	return i < 0 ? 0 : i;
}

static double mean(const Iterations *of)
{
	return of->steps > 0 ? (double)of->sum / (double)of->steps : 0.0;
}

static void print_header(void)
{
	printf("%-20s %5s %7s %6s %7s %7s %9s %7s %5s %7s %5s %6s %8s %8s %8s %8s %8s\n", "cell", "runs", "steps",
	       "failed", "halved", "retried", "exact", "flight", "p99", "contact", "p99", "max", "joint m", "joint rad",
	       "limit", "pen m", "us/step");
}

static void print_cell(const char *name, const Cell *cell)
{
	const Tally *t = &cell->tally;
	const double steps = t->steps > 0 ? (double)t->steps : 1.0;
	printf("%-20s %5ld %7ld %6ld %7ld %7ld %9.5f %7.2f %5d %7.2f %5d %6d %8.1e %8.1e %8.1e %8.1e %8.1f\n", name,
	       t->runs, t->steps, t->failed, t->halved, t->retried, (double)t->exact / steps, mean(&cell->of[0]),
	       percentile(&cell->of[0]), mean(&cell->of[1]), percentile(&cell->of[1]), t->iterations_max, cell->joint_m,
	       cell->joint_rad, cell->limit, t->exact_penetration, 1e6 * t->seconds / steps);
	fflush(stdout);
}

/* Prints which aims a cell misses, and returns whether it misses any. The aims: one failed step in 10,000 and 99 %
 * exact steps, or one in 2,000 and 95 % with servos, dry friction and feet of several points; 4 and 10 iterations in
 * flight and with contacts up to 10 bodies and 20 ms, 6 and 16 up to 30 bodies; violations of 1e-10, and 1e-9 of
 * limits. */
static bool print_missed(int size, int kind, double timestep, const Cell *cell)
{
	const bool hard = kinds[kind].points_most > 1;
	const double steps = (double)cell->tally.steps, flight = size == 0 ? 4.0 : 6.0,
	             contact = size == 0 ? 10.0 : 16.0;
	const bool timed = timestep < 0.03; /* 50 ms is reported only */
	const struct {
		const char *what;
		bool missed;
	} aims[] = {{"failed", (double)cell->tally.failed > steps / (hard ? 2000.0 : 10000.0)},
	            {"exact", (double)cell->tally.exact < steps * (hard ? 0.95 : 0.99)},
	            {"iterations in flight", timed && mean(&cell->of[0]) > flight},
	            {"iterations with contacts", timed && mean(&cell->of[1]) > contact},
	            {"joints", fmax(cell->joint_m, cell->joint_rad) > 1e-10},
	            {"limits", cell->limit > 1e-9}};
	bool any = false;
	for (size_t i = 0; i < sizeof aims / sizeof *aims; i++) {
		if (aims[i].missed) {
			printf("%s%s", any ? ", " : "    misses: ", aims[i].what);
			any = true;
		}
	}
	printf("%s", any ? "\n" : "");
	return any;
}

bool trees_selected(const TreesOptions *options, const char *cell)
{
	return !options->cells || strstr(cell, options->cells);
}

bool robots_run(const TreesOptions *options, Tally *total)
{
	static Cell cell;
	bool good = true;
	int cells = 0, missed = 0;
	print_header();
	for (int i = 0; good && i < SIZES * KINDS * TIMESTEPS; i++) {
		const int size = i / (KINDS * TIMESTEPS), kind = i / TIMESTEPS % KINDS;
		const double timestep = timesteps[i % TIMESTEPS];
		char name[64];
		snprintf(name, sizeof name, "%s %s %g ms", sizes[size].name, kinds[kind].name, 1e3 * timestep);
		if (!trees_selected(options, name)) {
			continue;
		}
		memset(&cell, 0, sizeof cell);
		for (unsigned long k = 0; good && k < options->count; k++) {
			good = run_robot(options, size, kind, timestep, options->first + k, &cell);
		}
		print_cell(name, &cell);
		missed += print_missed(size, kind, timestep, &cell);
		cells++;
		if (options->rows) {
			tally_print_rows(&cell.tally);
		}
		tally_add(total, &cell.tally);
	}
	printf("seeds %lu to %lu: %d of %d cells miss an aim\n", options->first, options->first + options->count - 1,
	       missed, cells);
	return good;
}

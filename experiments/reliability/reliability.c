/* Measures in long sweeps how often a step fails and how exact it is, for docs/performance.md.
 *
 *      abut_reliability drops|shapes|pairs|stacks|incline [--seeds N] [--cold] [--dense] [--pyramid] [--shifted]
 *                       [--bilevel] [--no-retry] [--rows] [--dump-failures DIR]
 *      abut_reliability pairs [--sizes] [--mass-ratios] ...
 *      abut_reliability robots|mechanisms [--seeds N | --only SEED] [--judge] [--cells TEXT] [--method M] ...
 *      abut_reliability imported [--data DIR] [--standing] [--seeds N | --only SEED] [--judge] [--cells TEXT] ...
 *      abut_reliability robustness [--seeds N] [--part I/N | --only SEED] ...
 *
 * Prints one row for each study on stdout. --rows adds a table of the steps that each row of the cascade solves. Prints
 * a line on stderr for each step that was retried or failed, in robustness only for failed steps.
 *
 * Exit status 0: done, even if steps failed; 1: a bound of robustness or an aim of imported is not met; 2: a wrong
 * call; 3: a scene was refused, or the table or a failed step could not be written. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/reliability/robustness.h"
#include "experiments/reliability/study.h"
#include "experiments/reliability/trees.h"

typedef struct Options {
	int seeds;
	bool cold, dense, pyramid, shifted, bilevel, no_retry;
	bool rows;               /* prints the steps that each row of the cascade solves */
	bool sizes, mass_ratios; /* ratios of the upper body to the lower one are drawn */
	Keep *keep;              /* where failed steps are saved */
	Tally *total;            /* sums over all runs */
	int *missed;             /* aims of imported models that are missed */
	bool single;             /* only the scene of one seed */
	unsigned long seed;
	bool judge;         /* random trees: the seeds that no rule of the solver was chosen on */
	const char *data;   /* imported: the folder that contains models/ */
	const char *cells;  /* random trees: the cells whose names contain this text */
	const char *method; /* of random trees; NULL: single-level */
	bool standing;      /* imported: motors keep their targets */
	int part, parts;    /* run the seeds of part `part`, from 1, of `parts` */
} Options;

static const double up[3] = {0.0, 0.0, 1.0};

static void report(const Options *options, const char *name, const Tally *tally)
{
	tally_print(name, tally);
	tally_add(options->total, tally);
}

static void apply_options(const Options *options, AbutSolverOptions *solver)
{
	solver->method = options->bilevel ? ABUT_METHOD_BILEVEL : ABUT_METHOD_SINGLE_LEVEL;
	for (int i = 0; options->method && i < ABUT_METHOD_COUNT; i++) {
		if (strcmp(options->method, abut_method_name((AbutMethod)i)) == 0) {
			solver->method = (AbutMethod)i;
		}
	}
	solver->retry = !options->no_retry;
	solver->warm_start = !options->cold;
	solver->linear_solver = options->dense ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
	solver->warm_start_rule = options->shifted ? ABUT_WARM_RULE_SHIFTED : ABUT_WARM_RULE_EXTRAPOLATED;
	solver->friction_cone = options->pyramid ? ABUT_FRICTION_CONE_PYRAMID : ABUT_FRICTION_CONE_SOC;
}

/* Begins a scene on the plane. */
static void begin(const Options *options, const AbutShape *plane, double rate, Scene *scene)
{
	scene_begin(scene, options->keep);
	apply_options(options, &scene->def.solver);
	scene->def.timestep = 1.0 / rate;
	scene_add(scene, plane, 0.0, (const double[3]){0.0, 0.0, 0.0});
}

static void random_motion(AbutRng *rng, AbutBodyDef *body)
{
	abut_rng_rotation(rng, body->orientation);
	for (int i = 0; i < 3; i++) {
		body->angular_velocity[i] = abut_rng_uniform(rng, -5.0, 5.0);
		body->linear_velocity[i] = abut_rng_uniform(rng, -1.0, 1.0);
	}
}

static bool drop(const Options *options, const AbutShape *shape, const AbutShape *plane, double rate, double kappa,
                 AbutFinish finish, int seed, Tally *tally)
{
	static Scene scene;
	AbutRng rng = {(uint64_t)seed * 7919u + 101u};
	begin(options, plane, rate, &scene);
	scene.def.solver.kappa = kappa;
	scene.def.solver.finish = finish;
	random_motion(&rng, scene_add(&scene, shape, 1.0, (const double[3]){0.0, 0.0, 1.9}));
	return study_run(&scene, 1.5, (unsigned long)seed, tally);
}

static bool drops(const Options *options)
{
	static const double rates[] = {10.0, 20.0, 50.0, 100.0, 200.0};
	static const double kappas[] = {1e-4, 1e-6, 1e-8};
	AbutShape *cube = shape_make(0), *plane = floor_make(up);
	bool good = cube && plane;
	for (int exact = 0; good && exact < 2; exact++) {
		for (int k = 0; good && k < 3; k++) {
			if (exact && k != 1) {
				continue;
			}
			for (int r = 0; good && r < 5; r++) {
				Tally tally = {.runs = 0};
				for (int seed = 0; good && seed < options->seeds; seed++) {
					good = drop(options, cube, plane, rates[r], kappas[k],
					            exact ? ABUT_FINISH_EXACT : ABUT_FINISH_NONE, seed, &tally);
				}
				char name[64];
				snprintf(name, sizeof name, "cube %g Hz %g%s", rates[r], kappas[k],
				         exact ? " exact" : "");
				report(options, name, &tally);
			}
		}
	}
	abut_shape_destroy(cube);
	abut_shape_destroy(plane);
	return good;
}

static bool shapes(const Options *options)
{
	AbutShape *plane = floor_make(up);
	bool good = plane != NULL;
	for (int i = 0; good && i < SHAPE_COUNT; i++) {
		AbutShape *shape = shape_make(i);
		good = shape != NULL;
		for (int r = 0; good && r < 2; r++) {
			Tally tally = {.runs = 0};
			const double rate = r == 0 ? 20.0 : 100.0;
			for (int seed = 0; good && seed < options->seeds; seed++) {
				good = drop(options, shape, plane, rate, 1e-6, ABUT_FINISH_EXACT, seed, &tally);
			}
			char name[64];
			snprintf(name, sizeof name, "%s %g Hz", shape_name(i), rate);
			report(options, name, &tally);
		}
		abut_shape_destroy(shape);
	}
	abut_shape_destroy(plane);
	return good;
}

/* Two shapes, one above the other. `size` scales the upper one. */
typedef struct Pair {
	const AbutShape *lower, *upper;
	double size;
	double mass_ratio; /* upper to lower; 0: draw 0.5 to 2 */
} Pair;

static bool drop_pair(const Options *options, const Pair *pair, const AbutShape *plane, double rate, int seed,
                      Tally *tally)
{
	static Scene scene;
	AbutRng rng = {(uint64_t)seed * 6151u + 55u};
	begin(options, plane, rate, &scene);
	random_motion(&rng, scene_add(&scene, pair->lower, 1.0, (const double[3]){0.0, 0.0, 0.9}));
	const double offset[3] = {abut_rng_uniform(&rng, -0.2, 0.2), abut_rng_uniform(&rng, -0.2, 0.2),
	                          1.8 + 0.9 * pair->size};
	const double mass = abut_rng_uniform(&rng, 0.5, 2.0);
	AbutBodyDef *body = scene_add(&scene, pair->upper, pair->mass_ratio > 0.0 ? pair->mass_ratio : mass, offset);
	random_motion(&rng, body);
	for (int i = 0; i < 3 && pair->size > 1.0; i++) {
		body->angular_velocity[i] /= pair->size; /* so that a point of its surface is no faster */
	}
	return study_run(&scene, 1.5, (unsigned long)seed, tally);
}

/* Drops the pair of one seed at both rates, with the ratios that the options select. */
static bool drop_scaled_pair(const Options *options, int i, int j, const AbutShape *plane, int seed, Tally *tally)
{
	AbutRng rng = {((uint64_t)seed * 8191u + (uint64_t)i) * 8191u + (uint64_t)j};
	AbutShape *lower = shape_make(i), *upper = shape_make(j);
	Pair pair = {lower, upper, 1.0, 0.0};
	bool good = lower && upper;
	const double size = pow(30.0, abut_rng_uniform(&rng, -1.0, 1.0));
	const double mass = pow(1000.0, abut_rng_uniform(&rng, -1.0, 1.0));
	if (good && options->sizes) {
		AbutError error = {.status = ABUT_OK};
		pair.size = size;
		good = abut_shape_scale(upper, size, &error) == ABUT_OK;
		if (!good) {
			fprintf(stderr, "abut_reliability: %s scaled by %g: %s\n", shape_name(j), size, error.message);
		}
		pair.mass_ratio = good ? upper->mass.volume / lower->mass.volume : 0.0;
	}
	if (options->mass_ratios) {
		pair.mass_ratio = mass;
	}
	good = good && drop_pair(options, &pair, plane, 20.0, seed, tally) &&
	       drop_pair(options, &pair, plane, 100.0, seed, tally);
	abut_shape_destroy(lower);
	abut_shape_destroy(upper);
	return good;
}

static bool pairs(const Options *options)
{
	AbutShape *plane = floor_make(up);
	bool good = plane != NULL;
	Tally total = {.runs = 0};
	for (int i = 0; good && i < SHAPE_COUNT; i++) {
		for (int j = 0; good && j < SHAPE_COUNT; j++) {
			Tally tally = {.runs = 0};
			for (int seed = 0; good && seed < options->seeds; seed++) {
				good = drop_scaled_pair(options, i, j, plane, seed, &tally);
			}
			char name[64];
			snprintf(name, sizeof name, "%s on %s", shape_name(j), shape_name(i));
			report(options, name, &tally);
			tally_add(&total, &tally);
		}
	}
	tally_print("all pairs", &total);
	abut_shape_destroy(plane);
	return good;
}

static bool stacks(const Options *options)
{
	static Scene scene;
	static const double rates[] = {10.0, 20.0, 50.0, 100.0};
	AbutShape *cube = shape_make(0), *plane = floor_make(up);
	bool good = cube && plane;
	for (int height = 2; good && height <= 16; height *= 2) {
		for (int r = 0; good && r < 4; r++) {
			Tally tally = {.runs = 0};
			begin(options, plane, rates[r], &scene);
			for (int i = 0; i < height; i++) {
				scene_add(&scene, cube, 1.0, (const double[3]){0.0, 0.0, 0.5 + i});
			}
			good = study_run(&scene, 1.0, 0, &tally);
			char name[64];
			snprintf(name, sizeof name, "stack %d %g Hz", height, rates[r]);
			report(options, name, &tally);
			printf("    momentum %.1e kg m/s, horizontal drift %.1e m\n", tally.momentum, tally.drift);
		}
	}
	abut_shape_destroy(cube);
	abut_shape_destroy(plane);
	return good;
}

/* Runs a box at rest on an incline, whose slope is `ratio` times the friction limit. `yaw` (rad) turns the box about
 * the normal. */
static bool incline_run(const Options *options, double ratio, double yaw, double rate)
{
	static Scene scene;
	const double mu = 0.5, g = 9.81, angle = atan(ratio * mu);
	const double normal[3] = {sin(angle), 0.0, cos(angle)};
	AbutShape *cube = shape_make(0), *plane = floor_make(normal);
	Tally tally = {.runs = 0};
	begin(options, plane, rate, &scene);
	scene.def.friction = mu;
	const double centre[3] = {0.5 * normal[0], 0.0, 0.5 * normal[2]};
	AbutBodyDef *body = scene_add(&scene, cube, 1.0, centre);
	const double half[2] = {0.5 * angle, 0.5 * yaw};
	/* tilt about y, then yaw about the normal: q = q_tilt q_yaw */
	const double t[4] = {cos(half[0]), 0.0, sin(half[0]), 0.0}, z[4] = {cos(half[1]), 0.0, 0.0, sin(half[1])};
	body->orientation[0] = t[0] * z[0];
	body->orientation[1] = t[2] * z[3];
	body->orientation[2] = t[2] * z[0];
	body->orientation[3] = t[0] * z[3];
	const bool good = cube && plane && study_run(&scene, 1.0, 0, &tally);
	/* distance of a slide from rest at constant acceleration a, integrated with the next velocity: dt^2 a n (n + 1)
	 * / 2 */
	const double a = g * (sin(angle) - mu * cos(angle)), dt = 1.0 / rate;
	const double exact = a > 0.0 ? a * dt * dt * rate * (rate + 1.0) / 2.0 : 0.0;
	const double slid = tally.drift / cos(angle);
	printf(
	    "incline %.4f of the limit, yaw %2.0f deg, %3g Hz: slid %.3e m, exact %.3e m, failed %ld, exact steps %ld "
	    "of %ld\n",
	    ratio, yaw * 57.29577951308232, rate, slid, exact, tally.failed, tally.exact, tally.steps);
	abut_shape_destroy(cube);
	abut_shape_destroy(plane);
	return good;
}

static bool incline(const Options *options)
{
	static const double ratios[] = {0.9, 0.99, 0.999, 1.01}, rates[] = {10.0, 50.0, 100.0};
	bool good = true;
	for (int i = 0; i < 4; i++) {
		for (int y = 0; y < 3; y++) {
			for (int r = 0; r < 3; r++) {
				good = incline_run(options, ratios[i], y * 0.39269908169872414, rates[r]) && good;
			}
		}
	}
	return good;
}

/* Runs a study of random trees. */
static bool trees(const Options *options, bool (*run)(const TreesOptions *, Tally *))
{
	AbutSolverOptions solver = abut_scene_def_default().solver;
	apply_options(options, &solver);
	const TreesOptions of = {options->single  ? options->seed
	                         : options->judge ? TREES_FIRST_JUDGED
	                                          : TREES_FIRST_CHOICE,
	                         options->single ? 1 : (unsigned long)options->seeds,
	                         options->cells,
	                         &solver,
	                         options->keep,
	                         options->rows,
	                         options->data,
	                         options->missed,
	                         options->standing};
	return run(&of, options->total);
}

static bool robots(const Options *options)
{
	return trees(options, robots_run);
}

static bool mechanisms(const Options *options)
{
	return trees(options, mechanisms_run);
}

static bool imported(const Options *options)
{
	return trees(options, imported_run);
}

/* Runs the robustness sweep; returns the exit status of the command. */
static int robustness(const Options *options)
{
	static Sweep sweep;
	const unsigned long seeds = (unsigned long)options->seeds, parts = (unsigned long)options->parts;
	const unsigned long begin = seeds * ((unsigned long)options->part - 1) / parts;
	SweepOptions sweep_options = {begin,
	                              seeds * (unsigned long)options->part / parts - begin,
	                              options->cold,
	                              options->dense,
	                              options->pyramid,
	                              options->keep};
	if (options->single) {
		sweep_options.first = options->seed;
		sweep_options.count = 1;
	}
	if (!sweep_run(&sweep_options, &sweep)) {
		return 3;
	}
	sweep_print(&sweep);
	if (options->rows) {
		tally_print_rows(&sweep.total);
	}
	sweep_print_bounds(&sweep, options->cold);
	const SweepBounds met = sweep_bounds(&sweep, options->cold);
	return met.failures && met.finite && met.iterations ? 0 : 1;
}

static int usage(void)
{
	fprintf(stderr,
	        "usage: abut_reliability drops|shapes|pairs|stacks|incline [--seeds N] [--cold] [--dense] "
	        "[--pyramid] [--shifted]\n"
	        "                        [--bilevel] [--no-retry] [--rows] [--dump-failures DIR]\n"
	        "       abut_reliability pairs [--sizes] [--mass-ratios] ...\n"
	        "       abut_reliability robots|mechanisms [--judge] [--only SEED] [--cells TEXT] [--method M] ...\n"
	        "       abut_reliability imported [--data DIR] [--standing] [--judge] [--only SEED] ...\n"
	        "       abut_reliability robustness [--part I/N | --only SEED] ...\n");
	return 2;
}

/* Parses an integer in [low, high]; `rest` is the text after it. */
static bool parse_number(const char *text, long low, long high, long *value, const char **rest)
{
	char *end = NULL;
	errno = 0;
	*value = strtol(text, &end, 10);
	*rest = end;
	return end != text && errno == 0 && *value >= low && *value <= high;
}

/* Parses an option with a value. False if the option is unknown or its value out of range. */
static bool parse_value(const char *name, const char *text, Options *options)
{
	const char *rest = "";
	long value = 0, of = 0;
	if (strcmp(name, "--seeds") == 0 && parse_number(text, 1, 100000000, &value, &rest) && *rest == '\0') {
		options->seeds = (int)value;
		return true;
	}
	if (strcmp(name, "--only") == 0 && parse_number(text, 0, LONG_MAX, &value, &rest) && *rest == '\0') {
		options->single = true;
		options->seed = (unsigned long)value;
		return true;
	}
	if (strcmp(name, "--cells") == 0) {
		options->cells = text;
		return true;
	}
	for (int i = 0; strcmp(name, "--method") == 0 && i < ABUT_METHOD_COUNT; i++) {
		if (strcmp(text, abut_method_name((AbutMethod)i)) == 0) {
			options->method = text;
			return true;
		}
	}
	if (strcmp(name, "--data") == 0) {
		options->data = text;
		return true;
	}
	if (strcmp(name, "--part") == 0 && parse_number(text, 1, 1000, &value, &rest) && *rest == '/' &&
	    parse_number(rest + 1, value, 1000, &of, &rest) && *rest == '\0') {
		options->part = (int)value;
		options->parts = (int)of;
		return true;
	}
	return false;
}

static bool parse_options(int argc, char **argv, Options *options)
{
	const struct {
		const char *name;
		bool *out;
	} flags[] = {{"--cold", &options->cold},        {"--dense", &options->dense},
	             {"--pyramid", &options->pyramid},  {"--shifted", &options->shifted},
	             {"--sizes", &options->sizes},      {"--mass-ratios", &options->mass_ratios},
	             {"--bilevel", &options->bilevel},  {"--no-retry", &options->no_retry},
	             {"--rows", &options->rows},        {"--judge", &options->judge},
	             {"--standing", &options->standing}};
	const size_t n = sizeof flags / sizeof *flags;
	for (int i = 0; i < argc; i++) {
		size_t flag = 0;
		while (flag < n && strcmp(argv[i], flags[flag].name) != 0) {
			flag++;
		}
		if (flag < n) {
			*flags[flag].out = true;
		} else if (strcmp(argv[i], "--dump-failures") == 0 && i + 1 < argc) {
			options->keep->folder = argv[++i];
		} else if (i + 1 == argc || !parse_value(argv[i], argv[i + 1], options)) {
			return false;
		} else {
			i++;
		}
	}
	return true;
}

static void report_kept(const Keep *keep)
{
	if (keep->folder) {
		fprintf(stderr, "%ld failed steps kept in %s, %ld not kept\n", keep->written, keep->folder,
		        keep->left_out);
	}
}

/* What a study takes and prints. */
typedef enum Kind {
	KIND_PLAIN,
	KIND_RATIOS, /* takes --sizes and --mass-ratios */
	KIND_TREES,  /* takes --judge, --only and --cells, prints its own tables */
	KIND_SWEEP   /* robustness */
} Kind;

/* Returns whether the options fit the study. */
static bool options_apply(const Options *options, Kind kind)
{
	return (kind == KIND_RATIOS || !(options->sizes || options->mass_ratios)) &&
	       (kind == KIND_TREES || !(options->judge || options->cells || options->method || options->standing)) &&
	       (kind == KIND_PLAIN || kind == KIND_RATIOS || !options->bilevel) &&
	       (kind != KIND_SWEEP || !options->no_retry) &&
	       (kind == KIND_SWEEP || (options->parts == 0 && (kind == KIND_TREES || !options->single))) &&
	       !(options->single && (options->parts > 0 || options->judge));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*run)(const Options *);
		int seeds;
		Kind kind;
	} studies[] = {{"drops", drops, 200, KIND_PLAIN},
	               {"shapes", shapes, 50, KIND_PLAIN},
	               {"pairs", pairs, 5, KIND_RATIOS},
	               {"stacks", stacks, 1, KIND_PLAIN},
	               {"incline", incline, 1, KIND_PLAIN},
	               {"robots", robots, 100, KIND_TREES},
	               {"mechanisms", mechanisms, 100, KIND_TREES},
	               {"imported", imported, 1, KIND_TREES}};
	Keep keep = {.folder = NULL};
	Tally total = {.runs = 0};
	int missed = 0;
	Options options = {.seeds = 0, .data = "../shared/data", .keep = &keep, .total = &total, .missed = &missed};
	const bool sweep = argc > 1 && strcmp(argv[1], "robustness") == 0;
	size_t study = 0;
	const size_t n = sizeof studies / sizeof *studies;
	while (argc > 1 && study < n && strcmp(argv[1], studies[study].name) != 0) {
		study++;
	}
	if (argc < 2 || (study == n && !sweep) || !parse_options(argc - 2, argv + 2, &options) ||
	    !options_apply(&options, sweep ? KIND_SWEEP : studies[study].kind)) {
		return usage();
	}
	if (sweep) {
		options.seeds = options.seeds > 0 ? options.seeds : 40 * RANDOM_SCENE_CYCLE; /* over a million steps */
		options.part = options.parts > 0 ? options.part : 1;
		options.parts = options.parts > 0 ? options.parts : 1;
		keep.study = "robustness";
		const int status = robustness(&options);
		report_kept(&keep);
		return fflush(stdout) == 0 && !ferror(stdout) ? status : 3;
	}
	options.seeds = options.seeds > 0 ? options.seeds : studies[study].seeds;
	if (studies[study].kind != KIND_TREES && studies[study].run != incline) {
		tally_print_header();
	}
	keep.study = studies[study].name;
	const bool good = studies[study].run(&options);
	if (options.rows && studies[study].kind != KIND_TREES) {
		tally_print_rows(&total);
	}
	report_kept(&keep);
	return good && fflush(stdout) == 0 && !ferror(stdout) ? missed > 0 : 3;
}

/* The long sweeps behind the figures of docs/performance.md: how often a step fails, and how exact it is.
 *
 *     abut_reliability drops|shapes|pairs|stacks|incline [--seeds N] [--cold] [--dense] [--pyramid] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study.h"

typedef struct Options {
	int seeds;
	bool cold, dense, pyramid;
} Options;

static const double up[3] = {0.0, 0.0, 1.0};

static void apply_options(const Options *options, Scene *scene)
{
	scene->def.solver.warm_start = !options->cold;
	scene->def.solver.linear_solver = options->dense ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
	scene->def.solver.friction_cone = options->pyramid ? ABUT_FRICTION_CONE_PYRAMID : ABUT_FRICTION_CONE_SOC;
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
	scene_begin(&scene);
	apply_options(options, &scene);
	scene.def.timestep = 1.0 / rate;
	scene.def.solver.kappa = kappa;
	scene.def.solver.finish = finish;
	scene_add(&scene, plane, 0.0, (const double[3]){0.0, 0.0, 0.0});
	random_motion(&rng, scene_add(&scene, shape, 1.0, (const double[3]){0.0, 0.0, 1.9}));
	return study_run(&scene, 1.5, (unsigned long)seed, tally);
}

static bool drops(const Options *options)
{
	static const double rates[] = {10.0, 20.0, 50.0, 100.0, 200.0};
	static const double kappas[] = {1e-4, 1e-6, 1e-8};
	AbutShape *cube = shape_make(0), *plane = floor_make(up);
	bool good = cube && plane;
	for (int exact = 0; exact < 2; exact++) {
		for (int k = 0; k < 3; k++) {
			if (exact && k != 1) {
				continue;
			}
			for (int r = 0; r < 5; r++) {
				Tally tally = {.runs = 0};
				for (int seed = 0; good && seed < options->seeds; seed++) {
					good = drop(options, cube, plane, rates[r], kappas[k],
					            exact ? ABUT_FINISH_EXACT : ABUT_FINISH_NONE, seed, &tally);
				}
				char name[64];
				snprintf(name, sizeof name, "cube %g Hz %g%s", rates[r], kappas[k],
				         exact ? " exact" : "");
				tally_print(name, &tally);
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
	for (int i = 0; good && i < shape_count(); i++) {
		AbutShape *shape = shape_make(i);
		for (int r = 0; r < 2; r++) {
			Tally tally = {.runs = 0};
			const double rate = r == 0 ? 20.0 : 100.0;
			for (int seed = 0; seed < options->seeds && shape && good; seed++) {
				good = drop(options, shape, plane, rate, 1e-6, ABUT_FINISH_EXACT, seed, &tally);
			}
			char name[64];
			snprintf(name, sizeof name, "%s %g Hz", shape_name(i), rate);
			tally_print(name, &tally);
		}
		abut_shape_destroy(shape);
	}
	abut_shape_destroy(plane);
	return good;
}

static bool drop_pair(const Options *options, const AbutShape *lower, const AbutShape *upper, const AbutShape *plane,
                      double rate, int seed, Tally *tally)
{
	static Scene scene;
	AbutRng rng = {(uint64_t)seed * 6151u + 55u};
	scene_begin(&scene);
	apply_options(options, &scene);
	scene.def.timestep = 1.0 / rate;
	scene_add(&scene, plane, 0.0, (const double[3]){0.0, 0.0, 0.0});
	random_motion(&rng, scene_add(&scene, lower, 1.0, (const double[3]){0.0, 0.0, 0.9}));
	const double offset[3] = {abut_rng_uniform(&rng, -0.2, 0.2), abut_rng_uniform(&rng, -0.2, 0.2), 2.7};
	random_motion(&rng, scene_add(&scene, upper, abut_rng_uniform(&rng, 0.5, 2.0), offset));
	return study_run(&scene, 1.5, (unsigned long)seed, tally);
}

static bool pairs(const Options *options)
{
	AbutShape *plane = floor_make(up);
	bool good = plane != NULL;
	Tally total = {.runs = 0};
	for (int i = 0; good && i < shape_count(); i++) {
		for (int j = 0; good && j < shape_count(); j++) {
			AbutShape *lower = shape_make(i), *upper = shape_make(j);
			Tally tally = {.runs = 0};
			good = lower && upper;
			for (int seed = 0; seed < options->seeds && good; seed++) {
				good = drop_pair(options, lower, upper, plane, 20.0, seed, &tally) &&
				       drop_pair(options, lower, upper, plane, 100.0, seed, &tally);
			}
			char name[64];
			snprintf(name, sizeof name, "%s on %s", shape_name(j), shape_name(i));
			tally_print(name, &tally);
			total.runs += tally.runs;
			total.steps += tally.steps;
			total.failed += tally.failed;
			total.raised += tally.raised;
			total.halved += tally.halved;
			total.retried += tally.retried;
			total.exact += tally.exact;
			total.iterations += tally.iterations;
			total.seconds += tally.seconds;
			total.iterations_max =
			    tally.iterations_max > total.iterations_max ? tally.iterations_max : total.iterations_max;
			total.penetration = fmax(total.penetration, tally.penetration);
			total.exact_penetration = fmax(total.exact_penetration, tally.exact_penetration);
			abut_shape_destroy(lower);
			abut_shape_destroy(upper);
		}
	}
	tally_print("all pairs", &total);
	abut_shape_destroy(plane);
	return good;
}

static bool stacks(const Options *options)
{
	static Scene scene;
	AbutShape *cube = shape_make(0), *plane = floor_make(up);
	bool good = cube && plane;
	for (int height = 2; good && height <= 16; height *= 2) {
		for (int r = 0; r < 4; r++) {
			static const double rates[] = {10.0, 20.0, 50.0, 100.0};
			Tally tally = {.runs = 0};
			scene_begin(&scene);
			apply_options(options, &scene);
			scene.def.timestep = 1.0 / rates[r];
			scene_add(&scene, plane, 0.0, (const double[3]){0.0, 0.0, 0.0});
			for (int i = 0; i < height; i++) {
				scene_add(&scene, cube, 1.0, (const double[3]){0.0, 0.0, 0.5 + i});
			}
			good = study_run(&scene, 1.0, 0, &tally);
			char name[64];
			snprintf(name, sizeof name, "stack %d %g Hz", height, rates[r]);
			tally_print(name, &tally);
			printf("    momentum %.1e kg m/s, horizontal drift %.1e m\n", tally.momentum, tally.drift);
		}
	}
	abut_shape_destroy(cube);
	abut_shape_destroy(plane);
	return good;
}

/* A box resting flush on an incline whose slope is `ratio` of the friction limit, its axes turned by `yaw` about the
 * normal. */
static bool incline_run(const Options *options, double ratio, double yaw, double rate)
{
	static Scene scene;
	const double mu = 0.5, g = 9.81, angle = atan(ratio * mu);
	const double normal[3] = {sin(angle), 0.0, cos(angle)};
	AbutShape *cube = shape_make(0), *plane = floor_make(normal);
	Tally tally = {.runs = 0};
	scene_begin(&scene);
	apply_options(options, &scene);
	scene.def.timestep = 1.0 / rate;
	scene.def.friction = mu;
	scene_add(&scene, plane, 0.0, (const double[3]){0.0, 0.0, 0.0});
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
	/* sliding from rest under constant acceleration a, next-velocity integrator: dt^2 a n (n + 1) / 2 */
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

static int usage(void)
{
	fprintf(stderr, "usage: abut_reliability drops|shapes|pairs|stacks|incline [--seeds N] [--cold] [--dense] "
	                "[--pyramid]\n");
	return 2;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*run)(const Options *);
		int seeds;
		bool table;
	} studies[] = {{"drops", drops, 200, true},
	               {"shapes", shapes, 50, true},
	               {"pairs", pairs, 5, true},
	               {"stacks", stacks, 1, true},
	               {"incline", incline, 1, false}};
	Options options = {.seeds = 0};
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) {
			options.seeds = atoi(argv[++i]);
		} else if (strcmp(argv[i], "--cold") == 0) {
			options.cold = true;
		} else if (strcmp(argv[i], "--dense") == 0) {
			options.dense = true;
		} else if (strcmp(argv[i], "--pyramid") == 0) {
			options.pyramid = true;
		} else {
			return usage();
		}
	}
	for (size_t i = 0; argc > 1 && i < sizeof studies / sizeof *studies; i++) {
		if (strcmp(argv[1], studies[i].name) == 0) {
			options.seeds = options.seeds > 0 ? options.seeds : studies[i].seeds;
			if (studies[i].table) {
				tally_print_header();
			}
			return studies[i].run(&options) ? 0 : 3;
		}
	}
	return usage();
}

/* Judges every step of every shipped scene without joints, and of random drops of every pair of shapes, by the oracle.
 * The exact solve ends at a natural residual of 1e-10 in model units. The weights of its law are 10 for friction, 0.1
 * for collision, gap times 10 and slip times 0.1. So a row of a shape has an error of at most 1e-9, and duals of size n
 * = 1 / (sum of radii) an error of the same order. The oracle divides by the sizes, speeds and momenta of the pair,
 * which in these scenes are within a factor of ten of the units. Hence the bound of 2e-9; 5e-10 is measured. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/oracle.h"
#include "dynamics/world.h"

static const double bound = 2e-9;

/* Bodies meet head on, without gravity or one dropped on the other. The step must not choose the root in which the
 * bodies have passed each other. */
Test(optimality, head_on)
{
	for (int first = 0; first < WORLD_SHAPES; first++) {
		for (int second = 0; second < WORLD_SHAPES; second++) {
			for (int variant = 0; variant < 3; variant++) {
				World world;
				char what[96];
				AbutError error = {.status = ABUT_OK};
				Oracle oracle = {.steps = 0};
				world_begin(&world);
				AbutBodyDef *one = world_add(&world, make_primitive(first, 1.0), 1.0, 0.0, 0.0, 0.0);
				AbutBodyDef *other = world_add(&world, make_primitive(second, 1.0), 1.0, 0.0, 0.0, 0.0);
				if (variant < 2) {
					world.def.gravity[2] = 0.0;
					one->linear_velocity[0] = variant == 0 ? 1.0 : 5.0;
					other->position[0] = 1.6;
				} else {
					one->is_static = true;
					other->position[2] = 1.6;
				}
				snprintf(what, sizeof what, "%s against %s, variant %d", primitive_name(first),
				         primitive_name(second), variant);
				cr_assert(oracle_run(&world.def, 120, &oracle, &error), "%s: %s", what, error.message);
				oracle_assert(&oracle, bound, what);
				cr_expect_eq(oracle.failed, 0, "%s: %ld failed", what, oracle.failed);
				world_end(&world);
			}
		}
	}
}

enum { MOST_SCENES = 64 };

typedef struct SceneName {
	char file[128];
} SceneName;

static int by_name(const void *a, const void *b)
{
	return strcmp(((const SceneName *)a)->file, ((const SceneName *)b)->file);
}

ParameterizedTestParameters(optimality, shipped_scenes)
{
	static SceneName scenes[MOST_SCENES];
	size_t count = 0;
	DIR *folder = opendir(ABUT_SOURCE_DIR "/experiments/scenes");
	struct dirent *entry;
	while (folder && (entry = readdir(folder)) && count < MOST_SCENES) {
		const size_t length = strlen(entry->d_name);
		if (length > 5 && length < sizeof scenes->file && strcmp(entry->d_name + length - 5, ".json") == 0) {
			memcpy(scenes[count++].file, entry->d_name, length + 1);
		}
	}
	if (folder) {
		closedir(folder);
	}
	qsort(scenes, count, sizeof *scenes, by_name);
	return cr_make_param_array(SceneName, scenes, count);
}

ParameterizedTest(SceneName *name, optimality, shipped_scenes)
{
	char path[512];
	AbutScene *scene = NULL;
	AbutError error = {.status = ABUT_OK};
	snprintf(path, sizeof path, "%s/experiments/scenes/%s", ABUT_SOURCE_DIR, name->file);
	cr_assert_eq(abut_scene_load(path, 0, NULL, &scene, &error), ABUT_OK, "%s: %s", name->file, error.message);
	const AbutSceneDef *def = abut_scene_def(scene);
	if (def->n_joints > 0) { /* the oracle knows the impulses of contacts only */
		abut_scene_destroy(scene);
		return;
	}
	Oracle oracle = {.steps = 0};
	cr_assert(oracle_run(def, lround(def->duration / def->timestep), &oracle, &error), "%s: %s", name->file,
	          error.message);
	oracle_assert(&oracle, bound, name->file);
	cr_expect_eq(oracle.failed, 0, "%s: %ld failed steps", name->file, oracle.failed);
	cr_expect_leq(oracle.relaxed + oracle.skipped_halved, oracle.steps / 50, "%s: %ld relaxed, %ld halved of %ld",
	              name->file, oracle.relaxed, oracle.skipped_halved, oracle.steps);
	abut_scene_destroy(scene);
}

static int first_shapes[WORLD_SHAPES] = {0, 1, 2, 3, 4, 5, 6, 7};

ParameterizedTestParameters(optimality, random_pairs)
{
	return cr_make_param_array(int, first_shapes, WORLD_SHAPES);
}

/* Drops one shape on another on a tilted or level floor, with random poses, spins, masses, centres of mass, friction
 * and timestep. */
ParameterizedTest(int *first, optimality, random_pairs)
{
	static const double rates[] = {20.0, 50.0, 100.0, 200.0};
	Oracle total = {.steps = 0};
	for (int second = 0; second < WORLD_SHAPES; second++) {
		for (unsigned seed = 0; seed < 4; seed++) {
			AbutRng rng = {1000u * (unsigned)*first + 100u * (unsigned)second + seed};
			World world;
			world_begin(&world);
			world.def.timestep = 1.0 / rates[seed];
			world.def.friction = abut_rng_uniform(&rng, 0.0, 1.0);
			const double tilt = seed % 2 ? 0.2 : 0.0;
			world_add_floor(&world, tilt, 0.5 * tilt, 1.0);
			for (int i = 0; i < 2; i++) {
				AbutShape *shape = make_primitive(i == 0 ? *first : second, 1.0);
				AbutBodyDef *body = world_add(&world, shape, abut_rng_uniform(&rng, 0.5, 3.0),
				                              abut_rng_uniform(&rng, -0.1, 0.1),
				                              abut_rng_uniform(&rng, -0.1, 0.1), i == 0 ? 0.75 : 2.2);
				abut_rng_rotation(&rng, body->orientation);
				for (int k = 0; k < 3; k++) {
					body->angular_velocity[k] = abut_rng_uniform(&rng, -2.0, 2.0);
					body->linear_velocity[k] = abut_rng_uniform(&rng, -0.5, 0.5);
					body->centre_of_mass[k] = abut_rng_uniform(&rng, -0.05, 0.05);
				}
				body->has_centre_of_mass = seed >= 2;
			}
			Oracle oracle = {.steps = 0};
			AbutError error = {.status = ABUT_OK};
			char what[96];
			snprintf(what, sizeof what, "%s on %s, seed %u", primitive_name(second), primitive_name(*first),
			         seed);
			cr_assert(oracle_run(&world.def, lround(1.5 / world.def.timestep), &oracle, &error), "%s: %s",
			          what, error.message);
			oracle_assert(&oracle, bound, what);
			total.steps += oracle.steps;
			total.failed += oracle.failed;
			total.relaxed += oracle.relaxed;
			total.skipped_halved += oracle.skipped_halved;
			world_end(&world);
		}
	}
	cr_expect_eq(total.failed, 0, "%s: %ld of %ld steps failed", primitive_name(*first), total.failed, total.steps);
	cr_expect_leq(total.relaxed + total.skipped_halved, total.steps / 100, "%s: %ld relaxed, %ld halved of %ld",
	              primitive_name(*first), total.relaxed, total.skipped_halved, total.steps);
}

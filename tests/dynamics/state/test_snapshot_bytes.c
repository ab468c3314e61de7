/* Tests snapshots as bytes. Every shipped scene continues bit for bit with every method. Bytes that are damaged,
 * truncated or of another model are refused with the reason, and the state is unchanged. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dynamics/model/model.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"
#include "effort.h"

typedef struct Bytes {
	size_t size;
	unsigned char *at;
} Bytes;

static Bytes save(const AbutModel *model, const AbutState *state)
{
	AbutError error = {.status = ABUT_OK};
	Bytes out = {.size = abut_snapshot_size(model, state)};
	cr_assert_gt(out.size, 0);
	out.at = malloc(out.size);
	cr_assert_not_null(out.at);
	cr_assert_eq(abut_snapshot_save(model, state, out.size, out.at, &error), ABUT_OK, "%s", error.message);
	return out;
}

static bool same(const Bytes *a, const Bytes *b)
{
	return a->size == b->size && memcmp(a->at, b->at, a->size) == 0;
}

/* --- every scene, every method --- */

typedef struct Run {
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} Run;

/* Returns false if the method does not support the scene. */
static bool begin(Run *run, const AbutScene *scene)
{
	AbutError error = {.status = ABUT_OK};
	memset(run, 0, sizeof *run);
	if (abut_model_create(abut_scene_def(scene), &run->model, &error) != ABUT_OK) {
		return false;
	}
	cr_assert_eq(abut_state_create(run->model, &run->state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(run->model, &run->workspace, &error), ABUT_OK);
	return true;
}

static void end(Run *run)
{
	abut_workspace_destroy(run->workspace);
	abut_state_destroy(run->state);
	abut_model_destroy(run->model);
}

static void step(Run *run, int n)
{
	AbutStepInfo info = {.tries = 0};
	for (int i = 0; i < n; i++) {
		cr_assert_eq(abut_step(run->model, run->state, run->workspace, &info), ABUT_OK);
	}
}

/* Applies forces from a seed, so that the state contains more than the scene. */
static void push(Run *run, AbutRng *rng)
{
	for (int i = 0; i < abut_model_body_count(run->model); i++) {
		double force[3], torque[3] = {0.0, 0.01, 0.0};
		for (int j = 0; j < 3; j++) {
			force[j] = abut_rng_uniform(rng, -0.2, 0.2);
		}
		if (!abut_model_body_is_static(run->model, i)) {
			cr_assert_eq(abut_state_set_input(run->model, run->state, i, force, torque), ABUT_OK);
		}
	}
}

/* Restores into a new model, state and workspace, so that only the bytes are transferred. `what` names the scene. */
static void goes_on(Run *run, const AbutScene *scene, const char *what, const char *method, unsigned seed)
{
	AbutRng rng = {seed};
	Run fresh;
	cr_assert(begin(&fresh, scene));
	const int before = (int)abut_rng_uniform(&rng, 1.0, TEST_EFFORT(60));
	step(run, before);
	push(run, &rng);
	step(run, 2);
	Bytes kept = save(run->model, run->state);
	AbutError error = {.status = ABUT_OK};
	AbutSnapshotInfo info;
	cr_assert_eq(abut_snapshot_info(kept.size, kept.at, &info, &error), ABUT_OK, "%s", error.message);
	cr_assert(info.steps == before + 2 && info.time == abut_state_time(run->state) && info.size == kept.size);
	cr_assert_eq(abut_snapshot_restore(fresh.model, fresh.state, kept.size, kept.at, &error), ABUT_OK,
	             "%s, %s, seed %u: %s: %s", what, method, seed, error.where, error.message);
	for (int i = 0; i < TEST_EFFORT(12); i++) {
		Bytes a = save(run->model, run->state), b = save(fresh.model, fresh.state);
		cr_assert(same(&a, &b), "%s, %s, seed %u: %d steps after step %d", what, method, seed, i, before + 2);
		free(a.at);
		free(b.at);
		step(run, 1);
		step(&fresh, 1);
	}
	free(kept.at);
	end(&fresh);
}

/* Returns false if the method does not support the scene. */
static bool try_method(const char *path, const char *method, unsigned seed)
{
	AbutScene *scene = NULL;
	AbutError error = {.status = ABUT_OK};
	Run run;
	char text[64];
	const char *const overrides[] = {text};
	snprintf(text, sizeof text, "solver.method=%s", method);
	cr_assert_eq(abut_scene_load(path, 1, overrides, &scene, &error), ABUT_OK, "%s: %s", path, error.message);
	const bool supported = begin(&run, scene);
	if (supported) {
		goes_on(&run, scene, path, method, seed);
		end(&run);
	}
	abut_scene_destroy(scene);
	return supported;
}

Test(snapshot_bytes, every_scene_goes_on_with_every_method)
{
#define ABUT_X(constant, name) name,
	static const char *const methods[] = {ABUT_METHOD_LIST(ABUT_X)};
#undef ABUT_X
	DIR *folder = opendir(ABUT_SOURCE_DIR "/experiments/scenes");
	cr_assert_not_null(folder);
	int scenes = 0, runs[ABUT_METHOD_COUNT] = {0};
	for (struct dirent *entry; (entry = readdir(folder));) {
		char path[512];
		const char *dot = strrchr(entry->d_name, '.');
		if (!dot || strcmp(dot, ".json") != 0) {
			continue;
		}
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/experiments/scenes/%s", entry->d_name);
		for (int m = 0; m < ABUT_METHOD_COUNT; m++) {
			runs[m] += try_method(path, methods[m], (unsigned)(100 * scenes + m + 1));
		}
		scenes++;
	}
	closedir(folder);
	cr_assert_geq(scenes, 20);
	for (int m = 0; m < ABUT_METHOD_COUNT; m++) {
		/* Only point-ncp refuses shapes. */
		cr_assert(runs[m] == scenes || (m == ABUT_METHOD_POINT_NCP && runs[m] >= 8), "%s: %d of %d scenes",
		          methods[m], runs[m], scenes);
	}
}

/* --- invalid bytes --- */

/* Begins a world with a box and a ball on a floor, after some steps. */
static void begin_pair(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, 0.5);
	world_add(world, make_sphere(0.3), 2.0, 0.1, 0.0, 1.3);
	AbutPairDef *pair = world_add_pair(world, 1, 2);
	pair->friction = 0.4;
	world->def.all_pairs = true;
}

static void expect_refused(World *world, const Bytes *bytes, size_t size, AbutStatus status, const char *where,
                           const char *word)
{
	AbutError error = {.status = ABUT_OK};
	Bytes before = save(world->model, world->state);
	cr_expect_eq(abut_snapshot_restore(world->model, world->state, size, bytes->at, &error), status, "%s: %s", word,
	             error.message);
	cr_expect(error.status == status && strstr(error.message, word) && strstr(error.where, where),
	          "'%s' is not in '%s: %s'", word, error.where, error.message);
	Bytes after = save(world->model, world->state);
	cr_expect(same(&before, &after), "%s: a refused call changed the state", word);
	free(before.at);
	free(after.at);
}

Test(snapshot_bytes, damaged_bytes_are_refused)
{
	World world;
	begin_pair(&world);
	world_make(&world);
	for (int i = 0; i < 20; i++) {
		world_step(&world);
	}
	Bytes bytes = save(world.model, world.state);
	/* Changes one bit of each byte in turn. */
	for (size_t i = 0; i < bytes.size; i++) {
		AbutError error = {.status = ABUT_OK};
		bytes.at[i] ^= (unsigned char)(1u << (i % 8));
		const AbutStatus status = abut_snapshot_restore(world.model, world.state, bytes.size, bytes.at, &error);
		cr_assert((status == ABUT_ERROR_PARSE || status == ABUT_ERROR_UNSUPPORTED) && error.message[0],
		          "byte %zu of %zu: %d", i, bytes.size, (int)status);
		bytes.at[i] ^= (unsigned char)(1u << (i % 8));
	}
	for (size_t n = 0; n < bytes.size; n += n < 100 ? 1 : 37) {
		AbutError error = {.status = ABUT_OK};
		cr_assert_eq(abut_snapshot_restore(world.model, world.state, n, bytes.at, &error), ABUT_ERROR_PARSE,
		             "%zu bytes", n);
	}
	const unsigned char first = bytes.at[0], lowest = bytes.at[8], format = bytes.at[12];
	bytes.at[0] = 'X';
	expect_refused(&world, &bytes, bytes.size, ABUT_ERROR_PARSE, "", "ABUTSNAP");
	bytes.at[0] = first;
	for (int i = 0; i < 2; i++) { /* reversed byte order */
		const unsigned char held = bytes.at[8 + i];
		bytes.at[8 + i] = bytes.at[11 - i];
		bytes.at[11 - i] = held;
	}
	expect_refused(&world, &bytes, bytes.size, ABUT_ERROR_UNSUPPORTED, "", "byte order");
	for (int i = 0; i < 2; i++) {
		const unsigned char held = bytes.at[8 + i];
		bytes.at[8 + i] = bytes.at[11 - i];
		bytes.at[11 - i] = held;
	}
	cr_assert_eq(bytes.at[8], lowest);
	bytes.at[12] = 9;
	expect_refused(&world, &bytes, bytes.size, ABUT_ERROR_UNSUPPORTED, "", "format is 9");
	bytes.at[12] = format;
	expect_refused(&world, &bytes, bytes.size - 8, ABUT_ERROR_PARSE, "", "cut short");
	bytes.at[bytes.size - 3] ^= 4;
	expect_refused(&world, &bytes, bytes.size, ABUT_ERROR_PARSE, "", "checksum");
	free(bytes.at);
	world_end(&world);
}

/* The model differs in one thing from that of the bytes. The error names it, with both values if it is a number. */
Test(snapshot_bytes, another_model_is_refused_by_what_differs)
{
	static const char *const expected[][2] = {
	    {"", ""},
	    {"timestep", "0.01"},
	    {"solver.kappa", "9.9999999999999995e-07 in the snapshot and 1.0000000000000001e-05"},
	    {"solver.method", "is single-level in the snapshot and convex in the model"},
	    {"gravity[2]", "-9.81"},
	    {"bodies[1].mass", "of 'body 1' is 1 in the snapshot and 1.5 in the model"},
	    {"bodies[2].friction", "is 0.5 in the snapshot and 0.75 in the model"},
	    {"bodies[2].shape", "has another shape"},
	    {"bodies[1].name", "another name"},
	    {"bodies[1].inertia", "another inertia"},
	    {"contacts", "other values"},
	    {"contacts", "is true in the snapshot and false in the model"},
	    {"bodies", "is 3 bodies in the snapshot and 2 in the model"},
	    {"solver.max_iterations", "is 30 in the snapshot and 31 in the model"},
	    {"solver.warm_start", "is true in the snapshot and false in the model"},
	    {"bodies[1]", "not as free"},
	};
	World world;
	begin_pair(&world);
	world_make(&world);
	world_step(&world);
	Bytes bytes = save(world.model, world.state);
	world_end(&world);
	for (int i = 0; i < (int)(sizeof expected / sizeof *expected); i++) {
		begin_pair(&world);
		AbutShape *other = make_sphere(0.30000000000000004);
		world.def.timestep = i == 1 ? 0.02 : world.def.timestep;
		world.def.solver.kappa = i == 2 ? 1e-5 : world.def.solver.kappa;
		world.def.solver.method = i == 3 ? ABUT_METHOD_CONVEX : world.def.solver.method;
		world.def.gravity[2] = i == 4 ? -9.8 : world.def.gravity[2];
		world.bodies[1].mass = i == 5 ? 1.5 : world.bodies[1].mass;
		world.bodies[2].friction = i == 6 ? 0.75 : world.bodies[2].friction;
		world.parts[2] = i == 7 ? other : world.parts[2];
		world.bodies[1].name = i == 8 ? "somebody" : world.bodies[1].name;
		world.bodies[1].has_inertia = i == 9;
		world.bodies[1].inertia[0] = world.bodies[1].inertia[4] = world.bodies[1].inertia[8] = 0.2;
		world.pairs[0].friction = i == 10 ? 0.41 : 0.4;
		world.def.all_pairs = i != 11;
		world.def.n_bodies -= i == 12;
		world.def.n_pairs -= i == 12;
		world.def.solver.max_iterations += i == 13;
		world.def.solver.warm_start = i != 14;
		world.bodies[1].planar_xz = i == 15;
		world_make(&world);
		if (i == 0) { /* no difference; then a different start, which the bytes replace */
			AbutError error = {.status = ABUT_OK};
			world_run(&world, 5);
			cr_assert_eq(abut_snapshot_restore(world.model, world.state, bytes.size, bytes.at, &error),
			             ABUT_OK, "%s: %s", error.where, error.message);
		} else {
			expect_refused(&world, &bytes, bytes.size, ABUT_ERROR_ARGUMENT, expected[i][0], expected[i][1]);
		}
		world.def.n_bodies = 3; /* so that all shapes are freed */
		world_end(&world);
		abut_shape_destroy(other);
	}
	free(bytes.at);
}

Test(snapshot_bytes, arguments_and_numbers_that_are_none)
{
	World world;
	AbutError error = {.status = ABUT_OK};
	AbutSnapshotInfo info;
	begin_pair(&world);
	world_make(&world);
	world_step(&world);
	Bytes bytes = save(world.model, world.state);
	cr_expect_eq(abut_snapshot_size(NULL, world.state), 0);
	cr_expect_eq(abut_snapshot_size(world.model, NULL), 0);
	cr_expect_eq(abut_snapshot_save(world.model, world.state, bytes.size - 1, bytes.at, &error),
	             ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "takes"), "%s", error.message);
	cr_expect_eq(abut_snapshot_save(world.model, world.state, bytes.size, NULL, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_snapshot_save(NULL, world.state, bytes.size, bytes.at, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_snapshot_restore(world.model, NULL, bytes.size, bytes.at, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_snapshot_restore(world.model, world.state, bytes.size, NULL, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_snapshot_restore(world.model, world.state, bytes.size - 1, bytes.at + 1, NULL),
	             ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_snapshot_info(bytes.size, bytes.at, NULL, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_snapshot_info(8, bytes.at, &info, NULL), ABUT_ERROR_PARSE);
	cr_expect_eq(abut_snapshot_write(world.model, world.state, NULL, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_snapshot_read(world.model, NULL, "x", NULL), ABUT_ERROR_ARGUMENT);
	world.state->motion[2].at.linear_velocity[1] = (double)NAN;
	cr_expect_eq(abut_snapshot_save(world.model, world.state, bytes.size, bytes.at, &error), ABUT_ERROR_NUMERICAL);
	cr_expect(strstr(error.message, "finite"), "%s", error.message);
	free(bytes.at);
	world_end(&world);
}

/* A world of a batch continues in another batch, with other threads, as a world with another index. */
Test(snapshot_bytes, worlds_of_a_batch)
{
	World world;
	AbutBatch *one = NULL, *two = NULL;
	begin_pair(&world);
	world_make(&world);
	cr_assert_eq(abut_batch_create(world.model, 3, 2, &one, NULL), ABUT_OK);
	cr_assert_eq(abut_batch_create(world.model, 2, 1, &two, NULL), ABUT_OK);
	const double force[3] = {3.0, 0.0, 1.0}, torque[3] = {0.0, 0.2, 0.0};
	cr_assert_eq(abut_state_set_input(world.model, abut_batch_state(one, 2), 2, force, torque), ABUT_OK);
	cr_assert_eq(abut_batch_step(one, 25), ABUT_OK);
	Bytes kept = save(world.model, abut_batch_state(one, 2));
	cr_assert_eq(abut_snapshot_restore(world.model, abut_batch_state(two, 0), kept.size, kept.at, NULL), ABUT_OK);
	cr_assert_eq(abut_batch_step(one, 30), ABUT_OK);
	cr_assert_eq(abut_batch_step(two, 30), ABUT_OK);
	Bytes a = save(world.model, abut_batch_state(one, 2)), b = save(world.model, abut_batch_state(two, 0));
	cr_expect(same(&a, &b));
	free(kept.at);
	free(a.at);
	free(b.at);
	abut_batch_destroy(one);
	abut_batch_destroy(two);
	world_end(&world);
}

Test(snapshot_bytes, files)
{
	World world;
	AbutError error = {.status = ABUT_OK};
	char folder[] = "/tmp/abut-test-XXXXXX", path[64], command[96];
	begin_pair(&world);
	world_make(&world);
	world_run(&world, 7);
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/state.abut", folder);
	cr_assert_eq(abut_snapshot_write(world.model, world.state, path, &error), ABUT_OK, "%s", error.message);
	Bytes kept = save(world.model, world.state);
	world_run(&world, 5);
	cr_assert_eq(abut_snapshot_write(world.model, world.state, "/dev/full", &error), ABUT_ERROR_IO);
	cr_expect(strcmp(error.file, "/dev/full") == 0 && strstr(error.message, "No space left"), "%s: %s", error.file,
	          error.message);
	cr_assert_eq(abut_snapshot_read(world.model, world.state, path, &error), ABUT_OK, "%s", error.message);
	Bytes back = save(world.model, world.state);
	cr_expect(same(&kept, &back));
	/* The file contains exactly the bytes. */
	cr_assert_eq(truncate(path, (off_t)kept.size - 1), 0);
	cr_expect_eq(abut_snapshot_read(world.model, world.state, path, &error), ABUT_ERROR_PARSE);
	cr_expect_str_eq(error.file, path);
	snprintf(command, sizeof command, "%s/none", folder);
	cr_expect_eq(abut_snapshot_read(world.model, world.state, command, &error), ABUT_ERROR_IO);
	snprintf(command, sizeof command, "%s/none/state", folder);
	cr_expect_eq(abut_snapshot_write(world.model, world.state, command, &error), ABUT_ERROR_ARGUMENT);
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	cr_expect_eq(system(command), 0);
	free(kept.at);
	free(back.at);
	world_end(&world);
}

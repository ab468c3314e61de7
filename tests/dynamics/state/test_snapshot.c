/* Tests snapshots: a state written as numbers continues bit for bit, and numbers that are not a state of the model are
 * refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/state/snapshot.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

/* The numbers of a state; the caller frees them. */
typedef struct Numbers {
	size_t n;
	double *values;
} Numbers;

static Numbers take(const AbutModel *model, const AbutState *state)
{
	Numbers out = {.n = abut_state_snapshot_size(model, state)};
	out.values = malloc(out.n * sizeof *out.values);
	cr_assert_not_null(out.values);
	cr_assert_eq(abut_state_snapshot(model, state, out.values), ABUT_OK);
	return out;
}

static bool same_bits(const Numbers *a, const Numbers *b)
{
	return a->n == b->n && memcmp(a->values, b->values, a->n * sizeof *a->values) == 0;
}

/* A heap of shapes that falls and comes to rest on a slope. One body has a second part, one is pushed, and with `fast`
 * one passes another so quickly that steps are taken in parts. */
typedef struct Heap {
	World world;
	AbutShape *second;
	const AbutShape *both[2];
} Heap;

static void begin_heap_as(Heap *heap, bool fast, const AbutSolverOptions *options, double mass)
{
	World *world = &heap->world;
	world_begin(world);
	world->def.solver = *options;
	world_add_floor(world, 0.0, 0.1, 1.0);
	for (int i = 0; i < WORLD_SHAPES; i++) {
		AbutRng rng = {(unsigned)i};
		AbutBodyDef *body = world_add(world, make_primitive(i, 0.5), mass + 0.3 * i, 0.2 * (i % 2),
		                              0.15 * (i % 3), 0.5 + 0.5 * i);
		abut_rng_rotation(&rng, body->orientation);
		body->angular_velocity[i % 3] = 2.0;
	}
	heap->second = make_box(0.1, 0.3, 0.1);
	const double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, aside[3] = {0.3, 0.0, 0.1};
	cr_assert_eq(abut_shape_move(heap->second, turn, aside, NULL), ABUT_OK);
	heap->both[0] = world->shapes[1];
	heap->both[1] = heap->second;
	world->bodies[1].parts = heap->both;
	world->bodies[1].n_parts = 2;
	world->bodies[2].force[0] = 1.0;
	world->bodies[3].torque[1] = -0.1;
	if (fast) {
		world->bodies[4].linear_velocity[2] = -120.0;
	}
	world_make(world);
}

static void begin_heap(Heap *heap, bool fast)
{
	const AbutSolverOptions options = abut_solver_options_default();
	begin_heap_as(heap, fast, &options, 1.0);
}

static void end_heap(Heap *heap)
{
	world_end(&heap->world);
	abut_shape_destroy(heap->second);
}

/* Restores a snapshot into a different state: at the start, in flight, at first contacts, after steps in parts and at
 * rest. The numbers must be equal at once, and after each of 40 steps. */
Test(snapshot, continues_bit_for_bit)
{
	static const int moments[] = {0, 1, 2, 5, 17, 30, 60, 120};
	int halved = 0, contacts = 0;
	for (int fast = 0; fast < 2; fast++) {
		for (size_t m = 0; m < sizeof moments / sizeof *moments; m++) {
			Heap heap;
			World *a = &heap.world;
			AbutState *b = NULL;
			AbutWorkspace *workspace = NULL;
			AbutStepInfo info = {.tries = 0};
			begin_heap(&heap, fast == 1);
			cr_assert_eq(abut_state_create(a->model, &b, NULL), ABUT_OK);
			cr_assert_eq(abut_workspace_create(a->model, &workspace, NULL), ABUT_OK);
			for (int n = 0; n < moments[m]; n++) {
				world_try(a);
				halved += a->info.halvings > 0;
			}
			for (int n = 0; n < 70; n++) {
				abut_step(a->model, b, workspace, &info);
			}
			Numbers before = take(a->model, a->state);
			AbutError error = {.status = ABUT_OK};
			contacts += before.values[ABUT_SNAPSHOT_CONTACTS] > 2.0;
			cr_assert_eq(abut_state_restore(a->model, b, before.n, before.values, &error), ABUT_OK,
			             "moment %d: %s %s", moments[m], error.where, error.message);
			cr_assert(abut_state_time(a->state) == abut_state_time(b));
			for (int n = 0; n <= 40; n++) {
				Numbers x = take(a->model, a->state), y = take(a->model, b);
				cr_assert(same_bits(&x, &y), "fast %d, %d steps, then %d", fast, moments[m], n);
				free(x.values);
				free(y.values);
				world_try(a);
				cr_assert_eq(abut_step(a->model, b, workspace, &info), ABUT_OK);
				cr_assert(info.iterations == a->info.iterations && info.residual == a->info.residual);
			}
			free(before.values);
			abut_workspace_destroy(workspace);
			abut_state_destroy(b);
			end_heap(&heap);
		}
	}
	cr_assert(halved > 0 && contacts > 4, "%d halved steps, %d moments with contacts", halved, contacts);
}

/* Checks that the numbers are refused, that the error names a place among them, and that the state is unchanged. */
static void assert_refused(const Heap *heap, AbutState *state, size_t n, const double *values, const char *what,
                           size_t index)
{
	const AbutModel *model = heap->world.model;
	AbutError error = {.status = ABUT_OK};
	Numbers before = take(model, state);
	cr_assert_eq(abut_state_restore(model, state, n, values, &error), ABUT_ERROR_ARGUMENT, "%s at %zu", what,
	             index);
	cr_assert(error.status == ABUT_ERROR_ARGUMENT && strncmp(error.where, "state[", 6) == 0 && error.message[0],
	          "%s at %zu: %s: %s", what, index, error.where, error.message);
	Numbers after = take(model, state);
	cr_assert(same_bits(&before, &after), "%s at %zu: a refused call changed the state", what, index);
	free(before.values);
	free(after.values);
}

/* Finds the first number of each contact. */
static int find_contacts(const Heap *heap, const Numbers *numbers, size_t at[64])
{
	const int n = (int)numbers->values[ABUT_SNAPSHOT_CONTACTS];
	size_t next = abut_snapshot_body(heap->world.def.n_bodies);
	cr_assert(n > 2 && n <= 64);
	for (int i = 0; i < n; i++) {
		const double *in = &numbers->values[next];
		at[i] = next;
		next += ABUT_SNAPSHOT_CONTACT + (size_t)in[ABUT_SNAPSHOT_N_Y] + (size_t)in[ABUT_SNAPSHOT_N_Z];
	}
	cr_assert_eq(next, numbers->n);
	return n;
}

/* Begins a heap at rest, with its numbers, and another state of it, some steps later. */
static Numbers begin_corruption(Heap *heap, AbutState **other)
{
	begin_heap(heap, false);
	World *world = &heap->world;
	for (int n = 0; n < 60; n++) {
		world_try(world);
	}
	const Numbers numbers = take(world->model, world->state);
	cr_assert_eq(abut_state_create(world->model, other, NULL), ABUT_OK);
	for (int n = 0; n < 3; n++) {
		world_try(world);
	}
	cr_assert_eq(abut_state_copy(world->model, world->state, *other), ABUT_OK);
	return numbers;
}

static void end_corruption(Heap *heap, AbutState *other, Numbers *numbers)
{
	free(numbers->values);
	abut_state_destroy(other);
	end_heap(heap);
}

Test(snapshot, every_number_that_is_not_finite_is_refused)
{
	Heap heap;
	AbutState *other = NULL;
	Numbers numbers = begin_corruption(&heap, &other);
	const double bad[] = {NAN, INFINITY, -INFINITY};
	for (size_t i = 0; i < numbers.n; i++) {
		const double kept = numbers.values[i];
		for (size_t k = 0; k < 3; k++) {
			numbers.values[i] = bad[k];
			assert_refused(&heap, other, numbers.n, numbers.values, "not finite", i);
		}
		numbers.values[i] = kept;
	}
	for (size_t n = 0; n < numbers.n; n++) {
		assert_refused(&heap, other, n, numbers.values, "cut short", n);
		const double length = numbers.values[ABUT_SNAPSHOT_LENGTH];
		numbers.values[ABUT_SNAPSHOT_LENGTH] = (double)n; /* the length entry agrees with it */
		assert_refused(&heap, other, n, numbers.values, "cut short and consistent", n);
		numbers.values[ABUT_SNAPSHOT_LENGTH] = length;
	}
	cr_assert_eq(abut_state_restore(heap.world.model, other, numbers.n, numbers.values, NULL), ABUT_OK);
	end_corruption(&heap, other, &numbers);
}

static void refuse_value(const Heap *heap, AbutState *state, Numbers *numbers, size_t index, double value,
                         const char *what)
{
	const double kept = numbers->values[index];
	cr_assert_neq(kept, value, "%s at %zu changes nothing", what, index);
	numbers->values[index] = value;
	assert_refused(heap, state, numbers->n, numbers->values, what, index);
	numbers->values[index] = kept;
}

Test(snapshot, wrong_values_are_refused)
{
	Heap heap;
	AbutState *other = NULL;
	Numbers numbers = begin_corruption(&heap, &other);
	size_t contacts[64];
	const int n_contacts = find_contacts(&heap, &numbers, contacts);
	const int n_bodies = heap.world.def.n_bodies;
	for (size_t i = 0; i < ABUT_SNAPSHOT_HEAD; i++) {
		if (i != ABUT_SNAPSHOT_STEPS) {
			refuse_value(&heap, other, &numbers, i, numbers.values[i] * (1.0 + 1e-8), "head");
			refuse_value(&heap, other, &numbers, i, numbers.values[i] + 1.0, "head");
			refuse_value(&heap, other, &numbers, i, numbers.values[i] - 1.0, "head");
		}
		refuse_value(&heap, other, &numbers, i, -1.0, "head");
		refuse_value(&heap, other, &numbers, i, 0.5, "head");
		refuse_value(&heap, other, &numbers, i, 1e300, "head");
	}
	for (int body = 0; body < n_bodies; body++) {
		const size_t at = abut_snapshot_body(body);
		for (size_t i = 0; i < ABUT_SNAPSHOT_BODY; i++) {
			refuse_value(&heap, other, &numbers, at + i, 1.1e30, "body");
			refuse_value(&heap, other, &numbers, at + i, -1.1e30, "body");
		}
		for (size_t i = ABUT_SNAPSHOT_LINEAR; body == 0 && i < ABUT_SNAPSHOT_BODY; i++) {
			refuse_value(&heap, other, &numbers, at + i, 1e-9, "static body");
		}
		for (size_t i = 0; i < 4; i++) {
			refuse_value(&heap, other, &numbers, at + ABUT_SNAPSHOT_ORIENTATION + i,
			             numbers.values[at + ABUT_SNAPSHOT_ORIENTATION + i] + 1e-3, "orientation");
		}
		if (body > 0) {
			refuse_value(&heap, other, &numbers, at + ABUT_SNAPSHOT_LAST_TIMESTEP, 0.0, "last timestep");
			refuse_value(&heap, other, &numbers, at + ABUT_SNAPSHOT_LAST_TIMESTEP, -0.01, "last timestep");
			refuse_value(&heap, other, &numbers, at + ABUT_SNAPSHOT_LAST_TIMESTEP, 1e-300, "last timestep");
		}
	}
	for (int i = 0; i < n_contacts; i++) {
		static const double wrong[] = {-1.0, 0.5, 1e9, 2147483648.0, 4294967296.0};
		for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
			for (size_t j = ABUT_SNAPSHOT_PART_A; j <= ABUT_SNAPSHOT_N_Z; j++) {
				refuse_value(&heap, other, &numbers, contacts[i] + j, wrong[k], "contact");
			}
		}
		const double *in = &numbers.values[contacts[i]];
		const bool solved = in[ABUT_SNAPSHOT_SOLVED] == 1.0;
		refuse_value(&heap, other, &numbers, contacts[i] + ABUT_SNAPSHOT_SOLVED, solved ? 0.0 : 1.0, "solved");
		refuse_value(&heap, other, &numbers, contacts[i] + ABUT_SNAPSHOT_N_Y, in[ABUT_SNAPSHOT_N_Y] + 1.0, "y");
		refuse_value(&heap, other, &numbers, contacts[i] + ABUT_SNAPSHOT_PART_B, in[ABUT_SNAPSHOT_PART_A],
		             "a part with itself");
		if (i > 0) { /* repeats the contact before */
			double parts[2];
			memcpy(parts, in, sizeof parts);
			memcpy(&numbers.values[contacts[i]], &numbers.values[contacts[i - 1]], sizeof parts);
			assert_refused(&heap, other, numbers.n, numbers.values, "twice", contacts[i]);
			memcpy(&numbers.values[contacts[i]], parts, sizeof parts);
		}
	}
	end_corruption(&heap, other, &numbers);
}

/* Parts 1 and 2 are of one body: they may not touch. */
Test(snapshot, parts_that_may_not_touch_are_refused)
{
	Heap heap;
	AbutState *other = NULL;
	Numbers numbers = begin_corruption(&heap, &other);
	size_t contacts[64];
	find_contacts(&heap, &numbers, contacts);
	double *const first = &numbers.values[contacts[0]];
	first[ABUT_SNAPSHOT_PART_A] = 1.0;
	first[ABUT_SNAPSHOT_PART_B] = 2.0;
	assert_refused(&heap, other, numbers.n, numbers.values, "parts of one body", contacts[0]);
	AbutError error = {.status = ABUT_OK};
	abut_state_restore(heap.world.model, other, numbers.n, numbers.values, &error);
	cr_assert(strstr(error.message, "may not touch"), "%s", error.message);
	end_corruption(&heap, other, &numbers);
}

/* Random corruptions are refused, or give a state from which a step can be taken. */
Test(snapshot, spoilt_numbers_do_no_harm, .timeout = 120)
{
	Heap heap;
	AbutState *other = NULL;
	Numbers numbers = begin_corruption(&heap, &other);
	World *world = &heap.world;
	double *const spoilt = malloc(numbers.n * sizeof *spoilt);
	int accepted = 0;
	for (unsigned seed = 0; seed < 3000; seed++) {
		static const double factors[] = {0.0, -1.0, 1e-3, 1e3, 1e12, 1e-300, 1e100};
		AbutRng rng = {seed};
		memcpy(spoilt, numbers.values, numbers.n * sizeof *spoilt);
		for (unsigned k = 0; k <= seed % 3; k++) {
			const size_t i = (size_t)(abut_rng_next(&rng) % numbers.n);
			spoilt[i] *= factors[abut_rng_next(&rng) % (sizeof factors / sizeof *factors)];
		}
		if (abut_state_restore(world->model, other, numbers.n, spoilt, NULL) == ABUT_OK) {
			AbutStepInfo info = {.tries = 0};
			accepted++;
			if (seed % 10 == 0) {
				cr_assert_eq(abut_step(world->model, other, world->workspace, &info), ABUT_OK,
				             "seed %u", seed);
				Numbers after = take(world->model, other);
				for (size_t i = 0; i < after.n; i++) {
					cr_assert(isfinite(after.values[i]), "seed %u: number %zu", seed, i);
				}
				free(after.values);
			}
		}
	}
	cr_assert(accepted > 300, "%d", accepted);
	free(spoilt);
	end_corruption(&heap, other, &numbers);
}

/* The method may differ, but the scene may not, unless only the motion is restored. */
Test(snapshot, other_models)
{
	Heap heap, twin, heavy, pyramid;
	AbutState *other = NULL;
	AbutError error = {.status = ABUT_OK};
	AbutSolverOptions options = abut_solver_options_default();
	Numbers numbers = begin_corruption(&heap, &other);
	options.kappa = 1e-8;
	options.linear_solver = ABUT_LINEAR_SOLVER_DENSE;
	options.warm_start = false;
	begin_heap_as(&twin, false, &options, 1.0);
	cr_assert_eq(abut_state_restore(twin.world.model, twin.world.state, numbers.n, numbers.values, &error), ABUT_OK,
	             "%s", error.message);
	Numbers back = take(twin.world.model, twin.world.state);
	cr_assert(same_bits(&numbers, &back));
	cr_assert_eq(abut_state_restore(heap.world.model, twin.world.state, numbers.n, numbers.values, &error),
	             ABUT_ERROR_ARGUMENT);
	options = abut_solver_options_default();
	begin_heap_as(&heavy, false, &options, 3.0);
	options.friction_cone = ABUT_FRICTION_CONE_PYRAMID;
	begin_heap_as(&pyramid, false, &options, 1.0);
	assert_refused(&heavy, heavy.world.state, numbers.n, numbers.values, "another mass", ABUT_SNAPSHOT_UNIT_MASS);
	assert_refused(&pyramid, pyramid.world.state, numbers.n, numbers.values, "another cone", 0);
	World *const worlds[] = {&heavy.world, &pyramid.world};
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(
		    abut_state_restore_motion(worlds[i]->model, worlds[i]->state, numbers.n, numbers.values, &error),
		    ABUT_OK, "%s", error.message);
		Numbers motion = take(worlds[i]->model, worlds[i]->state);
		cr_assert(motion.values[ABUT_SNAPSHOT_CONTACTS] == 0.0 &&
		          motion.values[ABUT_SNAPSHOT_STEPS] == numbers.values[ABUT_SNAPSHOT_STEPS]);
		const size_t at = abut_snapshot_body(3);
		cr_assert_eq(
		    memcmp(&motion.values[at], &numbers.values[at], ABUT_SNAPSHOT_LAST_TIMESTEP * sizeof(double)), 0);
		numbers.values[at] = NAN;
		cr_assert_eq(
		    abut_state_restore_motion(worlds[i]->model, worlds[i]->state, numbers.n, numbers.values, &error),
		    ABUT_ERROR_ARGUMENT);
		numbers.values[at] = motion.values[at];
		free(motion.values);
		world_try(worlds[i]);
	}
	free(back.values);
	end_heap(&twin);
	end_heap(&heavy);
	end_heap(&pyramid);
	end_corruption(&heap, other, &numbers);
}

Test(snapshot, arguments)
{
	Heap heap;
	double value = 0.0;
	begin_heap(&heap, false);
	const AbutModel *model = heap.world.model;
	AbutState *state = heap.world.state;
	cr_expect_eq(abut_state_snapshot_size(NULL, state), 0);
	cr_expect_eq(abut_state_snapshot_size(model, NULL), 0);
	cr_expect_eq(abut_state_snapshot(NULL, state, &value), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_state_snapshot(model, NULL, &value), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_state_snapshot(model, state, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_state_restore(NULL, state, 1, &value, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_state_restore(model, NULL, 1, &value, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_state_restore(model, state, 1, NULL, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_state_restore_motion(model, state, 0, &value, NULL), ABUT_ERROR_ARGUMENT);
	end_heap(&heap);
}

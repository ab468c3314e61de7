/* Tests batches. Every world moves as it would alone, bit for bit, for any number of threads. A failure stops only its
 * own world. A batch or values that are not valid are refused as a whole. The linker wraps pthread_create
 * (tests/CMakeLists.txt), so that it can be made to fail. test_allocation.c tests memory. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/thread_pool.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

enum { N_WORLDS = 13, N_STEPS = 84, N_BODIES = 5, OF_WORLD = N_BODIES * 13, N_STATES = N_WORLDS * OF_WORLD };

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

static int threads_left = 1000;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	return threads_left-- > 0 ? __real_pthread_create(thread, attributes, start, argument) : EAGAIN;
}

static bool same_bits(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

/* Begins a world with a floor and four shapes above it, one with its centre of mass moved. */
static void begin_heap(World *world)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.1, 1.0);
	for (int i = 1; i < N_BODIES; i++) {
		world_add(world, make_primitive(2 * i - 1, 0.5), 1.0 + 0.3 * i, 0.2 * (i % 2), 0.1 * i, 0.5 * i);
	}
	world->bodies[2].has_centre_of_mass = true;
	world->bodies[2].centre_of_mass[1] = 0.03;
	world_make(world);
}

/* Gives the bodies of a world random motion, and pushes them. */
static void throw(const AbutModel *model, AbutState *state, unsigned seed)
{
	AbutRng rng = {seed};
	for (int body = 1; body < N_BODIES; body++) {
		AbutBodyState s;
		double force[3], torque[3];
		cr_assert_eq(abut_state_get_body(model, state, body, &s), ABUT_OK);
		for (int i = 0; i < 3; i++) {
			s.linear_velocity[i] = abut_rng_uniform(&rng, -2.0, 1.0);
			s.angular_velocity[i] = abut_rng_uniform(&rng, -4.0, 4.0);
			force[i] = abut_rng_uniform(&rng, -1.0, 1.0);
			torque[i] = abut_rng_uniform(&rng, -0.1, 0.1);
		}
		cr_assert_eq(abut_state_set_body(model, state, body, &s), ABUT_OK);
		cr_assert_eq(abut_state_set_input(model, state, body, force, torque), ABUT_OK);
	}
}

static AbutBatch *make_batch(const World *world, int n_worlds, int n_threads)
{
	AbutBatch *batch = NULL;
	AbutError error = {.status = ABUT_OK};
	cr_assert_eq(abut_batch_create(world->model, n_worlds, n_threads, &batch, &error), ABUT_OK, "%s",
	             error.message);
	return batch;
}

/* Computes the reference: each world alone, with its own workspace. Returns how many were in contact at the end. */
static int step_alone(const World *world, double *states, AbutStepInfo *infos, AbutOutcome *worst)
{
	int touching = 0;
	for (unsigned i = 0; i < N_WORLDS; i++) {
		AbutState *state = NULL;
		AbutWorkspace *workspace = NULL;
		cr_assert_eq(abut_state_create(world->model, &state, NULL), ABUT_OK);
		cr_assert_eq(abut_workspace_create(world->model, &workspace, NULL), ABUT_OK);
		throw(world->model, state, i);
		worst[i] = ABUT_OUTCOME_EXACT;
		for (int n = 0; n < N_STEPS; n++) {
			infos[i] = (AbutStepInfo){.tries = 0};
			cr_assert_eq(abut_step(world->model, state, workspace, &infos[i]), ABUT_OK);
			worst[i] = infos[i].outcome > worst[i] ? infos[i].outcome : worst[i];
		}
		for (int body = 0; body < N_BODIES; body++) {
			AbutBodyState s;
			cr_assert_eq(abut_state_get_body(world->model, state, body, &s), ABUT_OK);
			memcpy(states, &s, sizeof s);
			states += 13;
		}
		touching += infos[i].active_contacts > 0;
		abut_workspace_destroy(workspace);
		abut_state_destroy(state);
	}
	return touching;
}

static void assert_same_info(const AbutStepInfo *a, const AbutStepInfo *b, int world)
{
	cr_assert(a->outcome == b->outcome && a->exact == b->exact && a->retried == b->retried &&
	              a->halvings == b->halvings && a->tries == b->tries && a->iterations == b->iterations &&
	              a->finish_iterations == b->finish_iterations && a->active_contacts == b->active_contacts,
	          "world %d", world);
	cr_assert(a->kappa == b->kappa && a->residual == b->residual && a->complementarity == b->complementarity &&
	              a->max_penetration == b->max_penetration,
	          "world %d", world);
}

/* Includes impacts, calls of one step and of many steps, several worlds for a thread, and more threads than cores. */
Test(batch, same_bits_for_any_number_of_threads)
{
	static const int threads[] = {1, 2, 3, 8}, steps[] = {1, 12, N_STEPS};
	static double alone[N_STATES], together[N_STATES];
	AbutStepInfo infos[N_WORLDS];
	AbutOutcome worst[N_WORLDS];
	World world;
	begin_heap(&world);
	cr_assert_eq(step_alone(&world, alone, infos, worst), N_WORLDS, "the worlds must reach the floor");
	for (int k = 0; k < 12; k++) {
		AbutBatch *batch = make_batch(&world, N_WORLDS, threads[k / 3]);
		cr_assert_eq(abut_batch_thread_count(batch), threads[k / 3]);
		for (int i = 0; i < N_WORLDS; i++) {
			throw(world.model, abut_batch_state(batch, i), (unsigned)i);
		}
		for (int n = 0; n < N_STEPS; n += steps[k % 3]) {
			cr_assert_eq(abut_batch_step(batch, steps[k % 3]), ABUT_OK);
		}
		cr_assert_eq(abut_batch_get_states(batch, together), ABUT_OK);
		cr_assert(same_bits(alone, together, sizeof alone), "%d threads, %d steps a call", threads[k / 3],
		          steps[k % 3]);
		for (int i = 0; i < N_WORLDS; i++) {
			AbutStepInfo info;
			AbutOutcome outcome;
			cr_assert_eq(abut_batch_info(batch, i, &info), ABUT_OK);
			cr_assert_eq(abut_batch_outcome(batch, i, &outcome), ABUT_OK);
			assert_same_info(&info, &infos[i], i);
			cr_assert(steps[k % 3] < N_STEPS || outcome == worst[i], "world %d", i);
		}
		abut_batch_destroy(batch);
	}
	world_end(&world);
}

/* Inputs set together equal inputs set one by one. If one is refused, none changes. */
Test(batch, inputs)
{
	static double inputs[N_WORLDS * N_BODIES * 6], expected[N_STATES], found[N_STATES];
	World world;
	begin_heap(&world);
	AbutBatch *one_by_one = make_batch(&world, N_WORLDS, 2), *bulk = make_batch(&world, N_WORLDS, 2);
	AbutRng rng = {7};
	for (int i = 0; i < N_WORLDS * N_BODIES; i++) {
		double *input = &inputs[6 * i];
		for (int j = 0; j < 6 && i % N_BODIES > 0; j++) {
			input[j] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		cr_assert_eq(abut_state_set_input(world.model, abut_batch_state(one_by_one, i / N_BODIES), i % N_BODIES,
		                                  input, input + 3),
		             ABUT_OK);
	}
	cr_assert_eq(abut_batch_set_inputs(bulk, inputs), ABUT_OK);
	const double impossible[] = {NAN, INFINITY, 1.0};
	const int places[] = {N_WORLDS * N_BODIES * 6 - 1, 8, 3}; /* the last one is the floor's */
	for (int k = 0; k < 3; k++) {
		const double kept = inputs[places[k]];
		inputs[6] += 1.0;
		inputs[places[k]] = impossible[k];
		cr_assert_eq(abut_batch_set_inputs(bulk, inputs), ABUT_ERROR_ARGUMENT, "input %d", k);
		inputs[places[k]] = kept;
		inputs[6] -= 1.0;
	}
	cr_assert_eq(abut_batch_step(one_by_one, 40), ABUT_OK);
	cr_assert_eq(abut_batch_step(bulk, 40), ABUT_OK);
	cr_assert_eq(abut_batch_get_states(one_by_one, expected), ABUT_OK);
	cr_assert_eq(abut_batch_get_states(bulk, found), ABUT_OK);
	cr_assert(same_bits(expected, found, sizeof found));
	cr_assert(!same_bits(found, &found[OF_WORLD], OF_WORLD * sizeof *found),
	          "worlds with different inputs moved alike");
	abut_batch_destroy(bulk);
	abut_batch_destroy(one_by_one);
	world_end(&world);
}

/* A torque too large for any step stops its world in the middle of a call, in the state before the failed step. The
 * other worlds continue. The stopped world stays so until it is restarted. */
Test(batch, failure_of_one_world)
{
	static double expected[N_STATES], found[N_STATES];
	const double zero[3] = {0.0, 0.0, 0.0}, force[3] = {0.0, 0.0, 20.0}, torque[3] = {0.0, 0.0, 64.0 * 2000.0};
	World world;
	begin_heap(&world);
	AbutBatch *healthy = make_batch(&world, N_WORLDS, 1), *batch = make_batch(&world, N_WORLDS, 3);
	AbutState *sick = abut_batch_state(batch, 5);
	for (int i = 0; i < N_WORLDS; i++) {
		throw(world.model, abut_batch_state(healthy, i), (unsigned)i);
		throw(world.model, abut_batch_state(batch, i), (unsigned)i);
	}
	cr_assert_eq(abut_state_set_input(world.model, sick, 1, force, torque), ABUT_OK);
	for (int n = 0; n < 2; n++) {
		cr_assert_eq(abut_batch_step(healthy, 60), ABUT_OK);
		cr_assert_eq(abut_batch_step(batch, 60), ABUT_OK);
	}
	cr_assert_eq(abut_batch_get_states(healthy, expected), ABUT_OK);
	cr_assert_eq(abut_batch_get_states(batch, found), ABUT_OK);
	for (int i = 0; i < N_WORLDS; i++) {
		AbutOutcome outcome;
		AbutStepInfo info;
		cr_assert_eq(abut_batch_outcome(batch, i, &outcome), ABUT_OK);
		cr_assert_eq(abut_batch_info(batch, i, &info), ABUT_OK);
		cr_assert_eq(outcome == ABUT_OUTCOME_FAILED, i == 5, "world %d: %s", i, abut_outcome_name(outcome));
		cr_assert_eq(info.outcome == ABUT_OUTCOME_FAILED, i == 5, "world %d", i);
		cr_assert(i == 5 || same_bits(&expected[i * OF_WORLD], &found[i * OF_WORLD], OF_WORLD * sizeof *found),
		          "world %d", i);
	}
	const double stopped = abut_state_time(sick);
	cr_assert(stopped > 0.02 && stopped < 0.59, "stopped at %g s", stopped);
	cr_assert_eq(abut_state_copy(world.model, abut_batch_state(healthy, 5), sick), ABUT_OK);
	cr_assert_eq(abut_state_set_input(world.model, sick, 1, zero, zero), ABUT_OK);
	cr_assert_eq(abut_state_set_input(world.model, abut_batch_state(healthy, 5), 1, zero, zero), ABUT_OK);
	cr_assert_eq(abut_batch_restart(batch, 5), ABUT_OK);
	cr_assert_eq(abut_batch_step(healthy, 20), ABUT_OK);
	cr_assert_eq(abut_batch_step(batch, 20), ABUT_OK);
	cr_assert_eq(abut_batch_get_states(healthy, expected), ABUT_OK);
	cr_assert_eq(abut_batch_get_states(batch, found), ABUT_OK);
	cr_assert(same_bits(expected, found, sizeof found), "after the restart");
	abut_batch_destroy(batch);
	abut_batch_destroy(healthy);
	world_end(&world);
}

/* fork copies no threads: the child steps alone, to the same bits, and frees the batch without waiting for any. */
Test(batch, a_forked_child_steps_alone, .timeout = 30)
{
	static double expected[N_STATES], found[N_STATES];
	World world;
	begin_heap(&world);
	AbutBatch *batch = make_batch(&world, N_WORLDS, 3), *other = make_batch(&world, N_WORLDS, 1);
	cr_assert_eq(abut_batch_step(batch, 10), ABUT_OK);
	const pid_t child = fork();
	if (child == 0) {
		alarm(20);
		bool good = abut_batch_step(batch, 20) == ABUT_OK && abut_batch_get_states(batch, found) == ABUT_OK &&
		            abut_batch_step(other, 30) == ABUT_OK &&
		            abut_batch_get_states(other, expected) == ABUT_OK &&
		            same_bits(expected, found, sizeof found);
		abut_batch_destroy(batch);
		_exit(good ? 0 : 1);
	}
	int status = -1;
	cr_assert(child > 0 && waitpid(child, &status, 0) == child);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with status %#x", (unsigned)status);
	cr_assert_eq(abut_batch_step(batch, 10), ABUT_OK);
	abut_batch_destroy(other);
	abut_batch_destroy(batch);
	world_end(&world);
}

/* A step solved at a larger kappa counts as the worst of its call, and its world continues. */
Test(batch, raised_step_is_reported)
{
	World world;
	world_begin(&world);
	world_add(&world, make_cube(1.0), 0.0, -0.95, 0.0, 0.0);
	world_add(&world, make_cube(1.0), 0.0, 0.95, 0.0, 0.0);
	world_add(&world, make_cube(1.0), 3.0, 0.0, 0.0, 0.0);
	world_make(&world);
	AbutOutcome worst = ABUT_OUTCOME_EXACT, found;
	for (int n = 0; n < 200 && world.info.outcome != ABUT_OUTCOME_FAILED; n++) {
		world_try(&world);
		worst = world.info.outcome > worst ? world.info.outcome : worst;
	}
	cr_assert_geq(worst, ABUT_OUTCOME_RAISED_KAPPA, "a cube of 1 m fits into 0.9 m");
	AbutBatch *batch = make_batch(&world, 2, 2);
	cr_assert_eq(abut_batch_step(batch, 200), ABUT_OK);
	cr_assert_eq(abut_batch_outcome(batch, 1, &found), ABUT_OK);
	cr_assert_eq(found, worst);
	cr_assert_eq(abut_state_time(abut_batch_state(batch, 1)), abut_state_time(world.state));
	abut_batch_destroy(batch);
	world_end(&world);
}

Test(batch, argument_errors)
{
	const AbutStatus bad = ABUT_ERROR_ARGUMENT;
	double numbers[2 * N_BODIES * 13] = {0.0};
	AbutError error = {.status = ABUT_OK};
	AbutStepInfo info;
	AbutOutcome outcome;
	World world;
	begin_heap(&world);
	AbutBatch *batch = NULL;
	cr_expect_eq(abut_batch_create(NULL, 2, 1, &batch, &error), bad);
	cr_expect_eq(abut_batch_create(world.model, 2, 1, NULL, NULL), bad);
	cr_expect_eq(abut_batch_create(world.model, 0, 1, &batch, &error), bad);
	cr_expect_eq(abut_batch_create(world.model, 2, -1, &batch, &error), bad);
	cr_expect(error.status == bad && error.message[0] && !batch);
	batch = make_batch(&world, 2, 0);
	const int cores = abut_thread_cores();
	cr_expect_eq(abut_batch_thread_count(batch), cores < 2 ? cores : 2);
	cr_expect_eq(abut_batch_world_count(batch), 2);
	for (int i = -1; i < 3; i += 3) {
		cr_expect_null(abut_batch_state(batch, i));
		cr_expect_eq(abut_batch_info(batch, i, &info), bad);
		cr_expect_eq(abut_batch_outcome(batch, i, &outcome), bad);
		cr_expect_eq(abut_batch_restart(batch, i), bad);
	}
	cr_expect_null(abut_batch_state(NULL, 0));
	cr_expect_eq(abut_batch_info(NULL, 0, &info), bad);
	cr_expect_eq(abut_batch_info(batch, 0, NULL), bad);
	cr_expect_eq(abut_batch_outcome(NULL, 0, &outcome), bad);
	cr_expect_eq(abut_batch_outcome(batch, 0, NULL), bad);
	cr_expect_eq(abut_batch_restart(NULL, 0), bad);
	cr_expect_eq(abut_batch_step(NULL, 1), bad);
	cr_expect_eq(abut_batch_step(batch, 0), bad);
	cr_expect_eq(abut_batch_step(batch, -1), bad);
	cr_expect_eq(abut_batch_get_states(NULL, numbers), bad);
	cr_expect_eq(abut_batch_get_states(batch, NULL), bad);
	cr_expect_eq(abut_batch_set_inputs(NULL, numbers), bad);
	cr_expect_eq(abut_batch_set_inputs(batch, NULL), bad);
	cr_expect_eq(abut_state_time(abut_batch_state(batch, 0)), 0.0);
	abut_batch_destroy(batch);
	abut_batch_destroy(NULL);
	world_end(&world);
}

/* If a thread is refused, the threads started before it are ended. */
Test(batch, refused_threads)
{
	World world;
	begin_heap(&world);
	for (int allowed = 0; allowed < 3; allowed++) {
		AbutBatch *batch = NULL;
		AbutError error = {.status = ABUT_OK};
		threads_left = allowed;
		cr_assert_eq(abut_batch_create(world.model, 8, 4, &batch, &error), ABUT_ERROR_UNSUPPORTED);
		cr_assert_null(batch);
		cr_assert(strstr(error.message, "threads"), "%s", error.message);
	}
	threads_left = 3;
	AbutBatch *batch = make_batch(&world, 8, 4);
	cr_assert_eq(abut_batch_step(batch, 1), ABUT_OK);
	abut_batch_destroy(batch);
	threads_left = 1000;
	world_end(&world);
}

typedef struct Tally {
	int counts[1000];
	int by_thread[8];
} Tally;

static void count_item(void *context, int item, int thread)
{
	Tally *tally = context;
	tally->counts[item]++;
	tally->by_thread[thread]++;
}

/* The pool does each item once, for any number of items, over many runs of one pool. */
Test(batch, pool_does_each_item_once)
{
	for (int n_threads = 1; n_threads <= 8; n_threads++) {
		AbutThreadPool *pool = NULL;
		cr_assert_eq(abut_thread_pool_create(n_threads, &pool, NULL), ABUT_OK);
		for (int n = 0; n < 1000; n++) {
			Tally tally = {.by_thread = {0}};
			int done = 0;
			abut_thread_pool_run(pool, n, count_item, &tally);
			for (int i = 0; i < n; i++) {
				cr_assert_eq(tally.counts[i], 1, "item %d of %d on %d threads", i, n, n_threads);
			}
			for (int i = 0; i < n_threads; i++) {
				done += tally.by_thread[i];
			}
			cr_assert_eq(done, n);
		}
		abut_thread_pool_destroy(pool);
	}
	abut_thread_pool_destroy(NULL);
}

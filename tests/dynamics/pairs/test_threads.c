/* Tests that the result of an island does not depend on the threads that solve islands, or on the parts in which other
 * islands take a step. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/thread_pool.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"

/* Begins a world with stacks, a row of boxes that lean on each other, pairs that meet, bodies in free flight, and
 * projectiles too fast for a whole step that hit some of them at different times. */
static void begin_fair(World *world)
{
	AbutRng rng = {5};
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int stack = 0; stack < 5; stack++) {
		for (int i = 0; i < 3; i++) {
			world_add(world, make_cube(0.6), 1.0, 3.0 * stack, 0.02 * i, 0.3 + 0.6 * i);
		}
	}
	for (int i = 0; i < 9; i++) {
		AbutBodyDef *body = world_add(world, make_box(0.1, 0.4, 0.6), 0.7, 0.45 * i, 6.0, 0.62);
		turn_about(0.0, 1.0, 0.0, 0.1, body->orientation);
	}
	for (int i = 0; i < 10; i++) {
		AbutBodyDef *body = world_add(world, make_primitive(i % WORLD_SHAPES, 0.7), 1.0 + 0.1 * i,
		                              2.0 * (i / 2) + 1.1 * (i % 2), -6.0, 1.5);
		abut_rng_rotation(&rng, body->orientation);
		body->linear_velocity[0] = i % 2 ? -1.5 : 1.5;
		body->angular_velocity[i % 3] = 3.0;
	}
	for (int i = 0; i < 6; i++) {
		AbutBodyDef *body = world_add(world, make_primitive(i, 0.5), 1.0, 3.0 * i, -12.0, 40.0 + i);
		body->angular_velocity[i % 3] = 20.0 * i;
	}
	for (int i = 0; i < 4; i++) {
		AbutBodyDef *shot = world_add(world, make_sphere(0.12), 0.4, 3.0 * i, 12.0 + 20.0 * i, 0.5 + 0.3 * i);
		shot->linear_velocity[1] = -60.0;
	}
}

static void make_threaded(World *world, int n_threads)
{
	world_make(world);
	abut_workspace_destroy(world->workspace);
	cr_assert_eq(abut_workspace_create_threaded(world->model, n_threads, &world->workspace, NULL), ABUT_OK);
}

static void assert_same_step(const World *a, const World *b, int threads)
{
	for (int i = 0; i < a->def.n_bodies; i++) {
		const AbutBodyState s = world_body(a, i), t = world_body(b, i);
		cr_assert_eq(memcmp(&s, &t, sizeof s), 0, "%d threads, step %ld: body %d", threads, a->steps - 1, i);
	}
	cr_assert_eq(memcmp(&a->info, &b->info, sizeof a->info), 0, "%d threads, step %ld: info", threads,
	             a->steps - 1);
	cr_assert_eq(abut_contact_count(a->workspace), abut_contact_count(b->workspace));
	for (int i = 0; i < abut_contact_count(a->workspace); i++) {
		const AbutContact c = world_contact(a, i), d = world_contact(b, i);
		cr_assert_eq(memcmp(&c, &d, sizeof c), 0, "%d threads, step %ld: contact %d", threads, a->steps - 1, i);
	}
}

/* With fewer threads than islands, and with more threads than cores. */
Test(threads, give_the_same_bits)
{
	static const int threads[] = {2, 3, 7};
	enum { N = sizeof threads / sizeof *threads };
	static World one, many[N];
	begin_fair(&one);
	make_threaded(&one, 1);
	for (int k = 0; k < N; k++) {
		begin_fair(&many[k]);
		make_threaded(&many[k], threads[k]);
	}
	int most = 0, fewest = WORLD_BODIES, halved = 0, resolved = 0;
	for (int n = 0; n < 200; n++) {
		world_try(&one);
		const int islands = one.workspace->partition.n_islands;
		most = islands > most ? islands : most;
		fewest = islands < fewest ? islands : fewest;
		halved += one.info.halvings > 0;
		resolved += one.info.tries > 0;
		for (int k = 0; k < N; k++) {
			world_try(&many[k]);
			assert_same_step(&one, &many[k], threads[k]);
		}
	}
	cr_assert(most > fewest && fewest > 7, "%d to %d islands", fewest, most);
	cr_assert_gt(halved, 5, "%d steps in parts", halved);
	cr_assert_gt(resolved, 10, "%d steps beyond the warm start", resolved);
	world_end(&one);
	for (int k = 0; k < N; k++) {
		world_end(&many[k]);
	}
}

/* A log is written in the order of the islands, by the calling thread alone, with the same entries. */
Test(threads, keep_the_log)
{
	enum { ROOM = 2000 };
	static AbutIteration logs[2][ROOM];
	World worlds[2];
	for (int k = 0; k < 2; k++) {
		begin_fair(&worlds[k]);
		make_threaded(&worlds[k], k == 0 ? 1 : 3);
	}
	for (int n = 0; n < 30; n++) {
		AbutStepInfo info[2];
		for (int k = 0; k < 2; k++) {
			memset(logs[k], 0, sizeof logs[k]);
			info[k] = (AbutStepInfo){.log = {.entries = logs[k], .capacity = ROOM}};
			cr_assert_eq(abut_step(worlds[k].model, worlds[k].state, worlds[k].workspace, &info[k]),
			             ABUT_OK);
		}
		cr_assert_eq(info[0].log.count, info[1].log.count, "step %d", n);
		cr_assert_eq(memcmp(logs[0], logs[1], sizeof logs[0]), 0, "step %d", n);
	}
	world_end(&worlds[0]);
	world_end(&worlds[1]);
}

/* Adds a box with outer radius 7/8 and 1 kg. The mean radius, which is the unit of length, then has the same bits for
 * any number of boxes. */
static AbutBodyDef *add_box(World *world, double x, double y, double z)
{
	return world_add(world, make_box(0.25, 0.375, 0.75), 1.0, x, y, z);
}

static void begin_halves(World *world, double speed)
{
	world_begin(world);
	world_add_floor(world, 0.0, 0.0, 1.0);
	for (int i = 0; i < 2; i++) {
		add_box(world, 0.0, 0.02 * i, 0.75 + 1.5 * i);
	}
	for (int i = 0; i < 2; i++) {
		AbutBodyDef *body = add_box(world, 8.0 + 1.5 * i, 0.1 * i, 1.0);
		body->linear_velocity[0] = i == 0 ? 1.0 : -1.0;
		body->angular_velocity[1] = 2.0;
	}
	add_box(world, 16.0, 0.0, 5.0)->angular_velocity[2] = 1.0;
	if (speed > 0.0) {
		add_box(world, 0.0, 1000.0, 0.75);
		add_box(world, 0.15 * speed, 1000.1, 0.8)->linear_velocity[0] = -speed;
	}
}

/* An impact at 200 to 800 m/s is solved in parts. The other islands have the same bits as in a world without it. */
Test(threads, parts_are_those_of_an_island)
{
	for (double speed = 200.0; speed <= 800.0; speed *= 2.0) {
		World calm, hit;
		int halvings = 0;
		begin_halves(&calm, 0.0);
		begin_halves(&hit, speed);
		world_make(&calm);
		world_make(&hit);
		cr_assert_eq(calm.model->units.length, hit.model->units.length);
		cr_assert_eq(calm.model->units.mass, hit.model->units.mass);
		cr_assert_eq(calm.model->units.time, hit.model->units.time);
		for (int n = 0; n < 100; n++) {
			world_try(&calm);
			world_try(&hit);
			cr_assert_eq(calm.info.halvings, 0);
			halvings = hit.info.halvings > halvings ? hit.info.halvings : halvings;
			for (int i = 0; i < calm.def.n_bodies; i++) {
				const AbutBodyState s = world_body(&calm, i), t = world_body(&hit, i);
				cr_assert_eq(memcmp(&s, &t, sizeof s), 0, "%g m/s, step %d: body %d", speed, n, i);
			}
		}
		cr_assert_gt(halvings, 0, "%g m/s", speed);
		world_end(&calm);
		world_end(&hit);
	}
}

typedef struct SignalsOfThread {
	bool worked, takes, crashes;
} SignalsOfThread;

static void look_at_signals(void *context, int item, int thread)
{
	SignalsOfThread *of = context;
	sigset_t mask;
	(void)item;
	usleep(2000); /* so that every thread gets some of the items */
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	of[thread].worked = true;
	of[thread].takes = !sigismember(&mask, SIGINT) || !sigismember(&mask, SIGALRM);
	of[thread].crashes = !sigismember(&mask, SIGSEGV) && !sigismember(&mask, SIGFPE);
}

/* Signals are delivered to the program's threads. Workers block them, except those that report a crash; the calling
 * thread keeps its signal mask. */
Test(threads, of_the_library_take_no_signals)
{
	enum { THREADS = 3 };
	AbutThreadPool *pool = NULL;
	SignalsOfThread of[THREADS] = {{false, false, false}};
	cr_assert_eq(abut_thread_pool_create(THREADS, &pool, NULL), ABUT_OK);
	abut_thread_pool_run_one_by_one(pool, 60, look_at_signals, of);
	abut_thread_pool_destroy(pool);
	cr_expect(of[0].worked && of[0].takes);
	for (int i = 1; i < THREADS; i++) {
		cr_expect(of[i].worked && !of[i].takes && of[i].crashes, "worker %d", i);
	}
}

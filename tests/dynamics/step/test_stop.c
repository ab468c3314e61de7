/* Tests that long calls end when their caller wants it, leave everything as it was, and ask only their caller. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dynamics/world.h"

/* A caller that wants to stop at its `at`-th question. It takes longer to answer than the time between two questions,
 * so that it is asked wherever a call can be stopped. */
typedef struct Caller {
	int asked, at;
	pthread_t thread;
	bool elsewhere; /* it was asked on another thread */
	bool slow;      /* takes longer to answer than the time between two questions */
} Caller;

static bool wants(void *context)
{
	Caller *caller = context;
	caller->elsewhere = caller->elsewhere || !pthread_equal(caller->thread, pthread_self());
	usleep(caller->slow ? 40000 : 0);
	return ++caller->asked >= caller->at;
}

static Caller caller_at(int at)
{
	return (Caller){.at = at, .slow = at > 1, .thread = pthread_self()};
}

static void begin_stack(World *world, AbutMethod method)
{
	world_begin_method(world, method);
	world_add_floor(world, 0.0, 0.0, 1.0);
	world_add(world, make_cube(1.0), 1.0, 0.0, 0.0, 0.6);
	world_add(world, make_sphere(0.5), 1.0, 0.1, 0.0, 1.7);
	world_make(world);
}

/* Begins clusters of spheres that all overlap, far from each other. A step of one takes seconds. */
static void begin_clusters(World *world, AbutMethod method, int clusters, int each, bool dense)
{
	world_begin_method(world, method);
	world->def.solver.convex_model = ABUT_CONVEX_MODEL_BARRIER;
	world->def.solver.linear_solver = dense ? ABUT_LINEAR_SOLVER_DENSE : ABUT_LINEAR_SOLVER_CONDENSED;
	for (int i = 0; i < clusters * each; i++) {
		world_add(world, make_sphere(1.0), 1.0, 100.0 * (i / each) + 0.001 * (i % each), 0.0, 1.0);
	}
	world_make(world);
}

static double *snapshot(const World *world, size_t *n)
{
	*n = abut_state_snapshot_size(world->model, world->state);
	double *out = malloc(*n * sizeof *out);
	cr_assert(out && abut_state_snapshot(world->model, world->state, out) == ABUT_OK);
	return out;
}

static void expect_same(const World *a, const World *b, AbutMethod method)
{
	size_t n, m;
	double *x = snapshot(a, &n), *y = snapshot(b, &m);
	cr_expect(n == m && memcmp(x, y, n * sizeof *x) == 0, "%s", abut_method_name(method));
	free(x);
	free(y);
}

Test(stop, a_stopped_step_changes_nothing)
{
	for (int method = 0; method < ABUT_METHOD_COUNT; method++) {
		static World stopped, other;
		begin_stack(&stopped, (AbutMethod)method);
		begin_stack(&other, (AbutMethod)method);
		for (int i = 0; i < 40; i++) {
			Caller caller = caller_at(1);
			const AbutStop stop = {wants, &caller};
			abut_workspace_set_stop(stopped.workspace, &stop);
			cr_expect_eq(abut_step(stopped.model, stopped.state, stopped.workspace, &stopped.info),
			             ABUT_ERROR_STOPPED);
			cr_expect(stopped.info.outcome == ABUT_OUTCOME_FAILED && caller.asked == 1);
			expect_same(&stopped, &other, (AbutMethod)method);
			abut_workspace_set_stop(stopped.workspace, NULL);
			world_step(&stopped);
			world_step(&other);
			expect_same(&stopped, &other, (AbutMethod)method);
		}
		world_end(&stopped);
		world_end(&other);
	}
}

/* Neither contacts nor a derivative remain of a stopped step, and a rollout does not record it. */
Test(stop, nothing_of_a_stopped_step_can_be_read)
{
	static World world;
	static double rows[ABUT_GRADIENT_ROWS * 2 * ABUT_GRADIENT_COLUMNS * 2];
	AbutGradient *gradient = NULL;
	AbutRollout *rollout = NULL;
	Caller caller = caller_at(1);
	begin_stack(&world, ABUT_METHOD_SINGLE_LEVEL);
	for (int i = 0; i < 40; i++) {
		world_step(&world);
	}
	cr_assert_eq(abut_gradient_create(world.model, 0.0, &gradient, NULL), ABUT_OK);
	cr_assert_eq(abut_rollout_create(world.model, &(AbutRolloutOptions){.capacity = 2}, &rollout, NULL), ABUT_OK);
	cr_assert_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_OK);
	cr_assert_eq(abut_gradient_matrix(gradient, rows, NULL), ABUT_OK);
	cr_assert_gt(abut_contact_count(world.workspace), 0);
	const double time = abut_state_time(world.state);
	abut_workspace_set_stop(world.workspace, &(AbutStop){wants, &caller});
	cr_expect_eq(abut_step_differentiate(world.model, world.state, world.workspace, gradient, &world.info),
	             ABUT_ERROR_STOPPED);
	cr_expect_neq(abut_gradient_matrix(gradient, rows, NULL), ABUT_OK);
	cr_expect_eq(abut_contact_count(world.workspace), 0);
	abut_workspace_set_stop(world.workspace, &(AbutStop){wants, &caller}); /* asks at once again */
	cr_expect_eq(abut_rollout_step(rollout, world.state, world.workspace, &world.info), ABUT_ERROR_STOPPED);
	cr_expect_eq(abut_rollout_count(rollout), 0);
	cr_expect_eq(abut_state_time(world.state), time);
	abut_rollout_destroy(rollout);
	abut_gradient_destroy(gradient);
	world_end(&world);
}

/* The caller stops at the second question, which comes in the `n`-th step. */
Test(stop, many_steps_report_what_they_completed)
{
	enum { MOST = 1000 };
	static World world, other;
	static double states[MOST * 3 * ABUT_STATE_NUMBERS];
	int taken = -1, n = 0;
	Caller patient = caller_at(1000000), caller = caller_at(2);
	begin_stack(&other, ABUT_METHOD_SINGLE_LEVEL);
	abut_workspace_set_stop(other.workspace, &(AbutStop){wants, &patient});
	for (; patient.asked < 2 && n < MOST; n++) {
		world_step(&other);
	}
	cr_assert(n > 1 && n < MOST, "%d steps", n);
	begin_stack(&world, ABUT_METHOD_SINGLE_LEVEL);
	abut_workspace_set_stop(world.workspace, &(AbutStop){wants, &caller});
	cr_expect_eq(abut_step_many(world.model, world.state, world.workspace, MOST, states, &taken, &world.info),
	             ABUT_ERROR_STOPPED);
	cr_expect_eq(taken, n - 1);
	abut_workspace_set_stop(world.workspace, NULL);
	world_step(&world);
	expect_same(&world, &other, ABUT_METHOD_SINGLE_LEVEL);
	world_end(&world);
	world_end(&other);
}

static void expect_hard_step_stops(AbutMethod method, int each, bool dense, int n_threads)
{
	static World world;
	begin_clusters(&world, method, n_threads, each, dense);
	abut_workspace_destroy(world.workspace);
	cr_assert_eq(abut_workspace_create_threaded(world.model, n_threads, &world.workspace, NULL), ABUT_OK);
	Caller caller = caller_at(4);
	const AbutStop stop = {wants, &caller};
	abut_workspace_set_stop(world.workspace, &stop);
	cr_expect_eq(abut_step(world.model, world.state, world.workspace, &world.info), ABUT_ERROR_STOPPED, "%s %d",
	             abut_method_name(method), n_threads);
	cr_expect(caller.asked == 4 && !caller.elsewhere, "%s: asked %d times", abut_method_name(method), caller.asked);
	cr_expect_eq(abut_state_time(world.state), 0.0);
	world_end(&world);
}

/* Bodies that touch each other have more unknowns than a dense matrix may hold: the step fails and says so. */
Test(stop, islands_too_large_for_a_dense_matrix_are_refused)
{
	static const AbutMethod methods[] = {ABUT_METHOD_SINGLE_LEVEL, ABUT_METHOD_BILEVEL, ABUT_METHOD_LCP,
	                                     ABUT_METHOD_CONVEX};
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		static World world;
		char text[400];
		begin_clusters(&world, methods[i], 1, 60, i < 2);
		cr_expect_eq(abut_step(world.model, world.state, world.workspace, &world.info), ABUT_OK);
		cr_expect(world.info.outcome == ABUT_OUTCOME_FAILED && world.info.unknowns > ABUT_DENSE_MAX);
		abut_step_explain(world.model, world.state, &world.info, text, sizeof text);
		cr_expect(strstr(text, "at most 4500"), "%s", text);
		world_end(&world);
	}
}

/* The caller is asked within a step, and also while its thread waits for the others. */
Test(stop, a_hard_step_asks_again)
{
	expect_hard_step_stops(ABUT_METHOD_SINGLE_LEVEL, 20, false, 1);
	expect_hard_step_stops(ABUT_METHOD_SINGLE_LEVEL, 20, false, 3);
	expect_hard_step_stops(ABUT_METHOD_BILEVEL, 20, false, 1);
	expect_hard_step_stops(ABUT_METHOD_BILEVEL, 10, true, 1);
	expect_hard_step_stops(ABUT_METHOD_LCP, 50, false, 1);
	expect_hard_step_stops(ABUT_METHOD_CONVEX, 30, false, 1);
}

/* Every world is left after a completed step. */
Test(stop, worlds_of_a_batch_stop_between_steps)
{
	enum { WORLDS = 5, STEPS = 1000000 };
	static World world;
	AbutBatch *batch = NULL;
	begin_stack(&world, ABUT_METHOD_SINGLE_LEVEL);
	cr_assert_eq(abut_batch_create(world.model, WORLDS, 2, &batch, NULL), ABUT_OK);
	Caller caller = caller_at(3);
	const AbutStop stop = {wants, &caller};
	abut_batch_set_stop(batch, &stop);
	cr_expect_eq(abut_batch_step(batch, STEPS), ABUT_ERROR_STOPPED);
	cr_expect(!caller.elsewhere && caller.asked == 3);
	for (int i = 0; i < WORLDS; i++) {
		AbutStepInfo info;
		AbutOutcome outcome = ABUT_OUTCOME_FAILED;
		AbutBodyState body;
		const AbutState *state = abut_batch_state(batch, i);
		cr_expect(abut_batch_outcome(batch, i, &outcome) == ABUT_OK && outcome != ABUT_OUTCOME_FAILED);
		cr_expect(abut_batch_info(batch, i, &info) == ABUT_OK && info.outcome != ABUT_OUTCOME_FAILED);
		static World alone;
		begin_stack(&alone, ABUT_METHOD_SINGLE_LEVEL);
		while (abut_state_time(alone.state) < abut_state_time(state)) {
			world_step(&alone);
		}
		cr_expect_eq(abut_state_get_body(world.model, state, 1, &body), ABUT_OK);
		const AbutBodyState same = world_body(&alone, 1);
		cr_expect_eq(memcmp(&body, &same, sizeof body), 0, "world %d at %g s", i, abut_state_time(state));
		world_end(&alone);
	}
	abut_batch_set_stop(batch, NULL);
	cr_expect_eq(abut_batch_step(batch, 1), ABUT_OK);
	abut_batch_destroy(batch);
	world_end(&world);
}

Test(stop, a_model_ends_while_it_weighs_a_union)
{
	AbutShape *spheres[2] = {make_sphere(1.0), make_sphere(1.2)};
	AbutBodyDef body = abut_body_def_default();
	AbutSceneDef def = abut_scene_def_default();
	AbutModel *model = NULL;
	AbutError error = {0};
	body.name = "pair";
	body.density = 1.0;
	body.n_parts = 2;
	body.parts = (const AbutShape *const *)spheres;
	def.n_bodies = 1;
	def.bodies = &body;
	Caller caller = caller_at(1);
	const AbutStop stop = {wants, &caller};
	def.stop = &stop;
	cr_expect_eq(abut_model_create(&def, &model, &error), ABUT_ERROR_STOPPED, "%s", error.message);
	cr_expect(!model && error.status == ABUT_ERROR_STOPPED && strcmp(error.where, "bodies[0].shape") == 0);
	caller.at = 1000000;
	cr_expect_eq(abut_model_create(&def, &model, &error), ABUT_OK, "%s", error.message);
	abut_model_destroy(model);
	abut_shape_destroy(spheres[0]);
	abut_shape_destroy(spheres[1]);
}

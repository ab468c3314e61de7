/* Tests a scene with more bodies near each other than a workspace has memory for at first. Memory is allocated when
 * needed, once; a step for which allocation fails leaves everything unchanged. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocation_watch.h"
#include "base/vec3.h"
#include "dynamics/step/workspace.h"
#include "dynamics/world.h"
#include "effort.h"

/* side^3 smooth spheres of diameter 1 on a lattice, without gravity, each with its own velocity. Their spin of 87 rad/s
 * could, as far as a step knows, become translation, so dozens of others are in reach. */
typedef struct Swarm {
	int n;
	AbutShape *shape;
	const AbutShape *part;
	AbutBodyDef *bodies;
	char (*names)[16];
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} Swarm;

/* `spun`: the spin is present from the start; otherwise it is reached in the first step. */
static void begin_swarm(Swarm *swarm, int side, double speed, bool spun)
{
	AbutRng rng = {(uint64_t)side};
	AbutSceneDef def = abut_scene_def_default();
	AbutError error = {.status = ABUT_OK};
	const int n = side * side * side;
	*swarm = (Swarm){.n = n, .shape = make_sphere(0.5)};
	swarm->part = swarm->shape;
	swarm->bodies = calloc((size_t)n, sizeof *swarm->bodies);
	swarm->names = calloc((size_t)n, sizeof *swarm->names);
	for (int i = 0; i < n; i++) {
		const int place[3] = {i % side, i / side % side, i / side / side};
		AbutBodyDef *body = &swarm->bodies[i];
		*body = abut_body_def_default();
		snprintf(swarm->names[i], sizeof swarm->names[i], "%d", i);
		body->name = swarm->names[i];
		body->n_parts = 1;
		body->parts = &swarm->part;
		body->mass = 1.0;
		for (int j = 0; j < 3; j++) {
			body->position[j] = 1.1 * place[j];
			body->linear_velocity[j] = speed * abut_rng_uniform(&rng, -1.0, 1.0);
			const double spin = abut_rng_next(&rng) % 2 ? 50.0 : -50.0;
			body->angular_velocity[j] = spun ? spin : 0.0;
			body->torque[j] = spun ? 0.0 : spin * 0.1 / 0.01; /* 0.1 kg m^2, in a step of 0.01 s */
		}
	}
	def.name = "swarm";
	def.gravity[2] = 0.0;
	def.friction = 0.0;
	def.bodies = swarm->bodies;
	def.n_bodies = n;
	cr_assert_eq(abut_model_create(&def, &swarm->model, &error), ABUT_OK, "%s: %s", error.where, error.message);
	cr_assert_eq(abut_state_create(swarm->model, &swarm->state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(swarm->model, &swarm->workspace, &error), ABUT_OK);
}

static void end_swarm(Swarm *swarm)
{
	abut_workspace_destroy(swarm->workspace);
	abut_state_destroy(swarm->state);
	abut_model_destroy(swarm->model);
	abut_shape_destroy(swarm->shape);
	free(swarm->bodies);
	free(swarm->names);
}

static double deepest(const Swarm *swarm)
{
	double least = INFINITY;
	AbutBodyState s, t;
	for (int i = 0; i < swarm->n; i++) {
		cr_assert_eq(abut_state_get_body(swarm->model, swarm->state, i, &s), ABUT_OK);
		for (int j = 0; j < i; j++) {
			cr_assert_eq(abut_state_get_body(swarm->model, swarm->state, j, &t), ABUT_OK);
			const double line[3] = {t.position[0] - s.position[0], t.position[1] - s.position[1],
			                        t.position[2] - s.position[2]};
			least = fmin(least, abut_norm3(line));
		}
	}
	return 1.0 - least;
}

static bool same_states(const Swarm *swarm, const AbutState *a, const AbutState *b)
{
	bool same = abut_state_time(a) == abut_state_time(b);
	for (int i = 0; i < swarm->n; i++) {
		AbutBodyState s, t;
		cr_assert_eq(abut_state_get_body(swarm->model, a, i, &s), ABUT_OK);
		cr_assert_eq(abut_state_get_body(swarm->model, b, i, &t), ABUT_OK);
		same = same && memcmp(&s, &t, sizeof s) == 0;
	}
	return same;
}

/* A few hundred bodies collide. A second run from the start allocates nothing and gives the same bits. */
Test(growth, of_a_swarm)
{
	enum { STEPS = TEST_EFFORT(3) };
	Swarm swarm;
	AbutState *start = NULL, *end = NULL;
	begin_swarm(&swarm, 6, 20.0, true);
	cr_assert_eq(abut_state_create(swarm.model, &start, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(swarm.model, &end, NULL), ABUT_OK);
	const int room = swarm.workspace->pairs.capacity;
	cr_assert_lt(room, abut_model_pair_count(swarm.model));
	int most = 0;
	for (int n = 0; n < STEPS; n++) {
		AbutStepInfo info = {.tries = 0};
		cr_assert_eq(abut_step(swarm.model, swarm.state, swarm.workspace, &info), ABUT_OK);
		cr_assert_eq(info.outcome, ABUT_OUTCOME_EXACT, "step %d: %s", n, abut_outcome_name(info.outcome));
		cr_assert_leq(deepest(&swarm), 1e-8, "step %d: %g m", n, deepest(&swarm));
		most = info.active_contacts > most ? info.active_contacts : most;
	}
	cr_assert_gt(swarm.workspace->pairs.capacity, room);
	cr_assert_gt(most, room, "%d at most", most);
	cr_assert_eq(abut_state_copy(swarm.model, swarm.state, end), ABUT_OK);
	cr_assert_eq(abut_state_copy(swarm.model, start, swarm.state), ABUT_OK);
	for (int n = 0; n < STEPS; n++) {
		AbutStepInfo info = {.tries = 0};
		watch_begin(0);
		const AbutStatus status = abut_step(swarm.model, swarm.state, swarm.workspace, &info);
		watch_end();
		cr_assert_eq(status, ABUT_OK);
		cr_assert_eq(watch.calls, 0, "step %d: %ld allocations", n, watch.calls);
	}
	cr_assert(same_states(&swarm, swarm.state, end));
	abut_state_destroy(start);
	abut_state_destroy(end);
	end_swarm(&swarm);
}

/* Each allocation of a step that needs more memory fails in turn, before workspace and state have grown. The step must
 * report this, change nothing and leave no memory behind. The next step must equal that of a run without failures. The
 * step tested is the second one, so its warm start must be preserved too. */
Test(growth, that_fails)
{
	Swarm swarm;
	AbutState *start = NULL, *end = NULL;
	AbutStepInfo info = {.tries = 0};
	begin_swarm(&swarm, 4, 30.0, false);
	cr_assert_eq(abut_state_create(swarm.model, &start, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(swarm.model, &end, NULL), ABUT_OK);
	cr_assert_eq(abut_step(swarm.model, start, swarm.workspace, &info), ABUT_OK);
	for (int i = 0; i < swarm.n; i++) {
		const double zero[3] = {0.0, 0.0, 0.0};
		cr_assert_eq(abut_state_set_input(swarm.model, start, i, zero, zero), ABUT_OK);
	}
	const int room = start->store.capacity;
	cr_assert(start->store.n > 100 && start->store.n < room, "%d of %d", start->store.n, room);
	cr_assert_eq(abut_state_copy(swarm.model, start, end), ABUT_OK);
	cr_assert_eq(abut_step(swarm.model, end, swarm.workspace, &info), ABUT_OK);
	cr_assert_eq(info.outcome, ABUT_OUTCOME_EXACT);
	cr_assert_eq(info.halvings, 0);
	cr_assert_gt(info.active_contacts, room, "%d active", info.active_contacts);
	long n = 1;
	for (bool reached = true; reached; n += 4 / TEST_EFFORT(4)) {
		AbutWorkspace *w = NULL;
		AbutState *state = NULL;
		watch_begin(0);
		cr_assert_eq(abut_workspace_create(swarm.model, &w, NULL), ABUT_OK);
		cr_assert_eq(abut_state_create(swarm.model, &state, NULL), ABUT_OK);
		cr_assert_eq(abut_state_copy(swarm.model, start, state), ABUT_OK);
		watch.calls = 0;
		watch.fail_at = n;
		AbutStatus status = abut_step(swarm.model, state, w, &info);
		reached = watch.calls >= n;
		watch.fail_at = 0;
		if (reached) {
			cr_expect_eq(status, ABUT_ERROR_MEMORY, "allocation %ld: '%s'", n, abut_status_name(status));
			cr_expect_eq(info.outcome, ABUT_OUTCOME_FAILED, "allocation %ld", n);
			cr_expect(same_states(&swarm, state, start), "allocation %ld: the state has changed", n);
			cr_expect_eq(abut_contact_count(w), 0, "allocation %ld", n);
			status = abut_step(swarm.model, state, w, &info);
		}
		cr_expect_eq(status, ABUT_OK, "allocation %ld", n);
		cr_expect(same_states(&swarm, state, end), "allocation %ld: another step", n);
		cr_expect_eq(abut_contact_count(w), info.active_contacts);
		abut_workspace_destroy(w);
		abut_state_destroy(state);
		watch_end();
		cr_expect_eq(watch.live, 0, "allocation %ld: %ld blocks are left", n, watch.live);
	}
	cr_expect_gt(n, 10, "%ld allocations", n - 2);
	abut_state_destroy(start);
	abut_state_destroy(end);
	end_swarm(&swarm);
}

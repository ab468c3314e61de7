/* Measures the time to compute impulses of soft contacts from velocities. */
#include "experiments/bench/inverse.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "solver/soft/barrier_forward.h"

/* FREEDOMS: degrees of freedom of the touched body, as of a humanoid. */
enum { FREEDOMS = 24, STATES = 100, ROUNDS = 20 };

static const struct {
	int contacts;
	double published;
} cases[] = {{2, 241774.0}, {5, 54190.0}, {10, 12991.0}, {20, 2361.0}};

/* One state: a problem, its velocities without contact, and the velocities after contact. */
typedef struct State {
	AbutBarrierProblem problem;
	double *A, *R, *mu, *least, *c, *v;
} State;

typedef struct Room {
	State states[STATES];
	double *J, *f, *back;
	AbutBarrierRoom forward;
} Room;

static void carve(Room *room, int n, AbutArena *arena)
{
	const size_t contacts = (size_t)n, rows = 3 * contacts;
	for (int i = 0; i < STATES; i++) {
		State *state = &room->states[i];
		state->A = abut_arena_take(arena, rows * rows, sizeof(double));
		state->R = abut_arena_take(arena, rows, sizeof(double));
		state->mu = abut_arena_take(arena, contacts, sizeof(double));
		state->least = abut_arena_take(arena, contacts, sizeof(double));
		state->c = abut_arena_take(arena, rows, sizeof(double));
		state->v = abut_arena_take(arena, rows, sizeof(double));
	}
	room->J = abut_arena_take(arena, rows * FREEDOMS, sizeof(double));
	room->f = abut_arena_take(arena, rows, sizeof(double));
	room->back = abut_arena_take(arena, rows, sizeof(double));
	abut_barrier_room_carve(&room->forward, n, arena);
}

/* Fills a state with the parameters of the paper: kappa 0.1, slope 10, and R from 0.01 in contact to 100 at the margin.
 * Half of the contacts touch. */
static void fill(Room *room, State *state, int n, AbutRng *rng)
{
	static const double kappa = 0.1, slope = 10.0, least_R = 0.01, most_R = 100.0, friction = 0.7;
	const int rows = 3 * n;
	for (int i = 0; i < rows * FREEDOMS; i++) {
		room->J[i] = 0.3 * abut_rng_normal(rng);
	}
	for (int i = 0; i < rows; i++) {
		for (int j = 0; j < rows; j++) {
			double sum = 0.0;
			for (int k = 0; k < FREEDOMS; k++) {
				sum += room->J[i * FREEDOMS + k] * room->J[j * FREEDOMS + k];
			}
			state->A[i * rows + j] = sum;
		}
		state->c[i] = abut_rng_normal(rng) - (i % 3 == 0 ? 0.5 : 0.0);
	}
	for (int k = 0; k < n; k++) {
		const double away = fmax(abut_rng_uniform(rng, -1.0, 1.0), 0.0);
		for (int i = 0; i < 3; i++) {
			state->R[3 * k + i] = least_R + (most_R - least_R) * away;
		}
		state->mu[k] = friction;
		state->least[k] = -10.0 * away;
	}
	state->problem = (AbutBarrierProblem){n, state->A, state->R, state->mu, state->least, kappa, slope, NULL};
}

/* Returns the least time for one state, us. */
static double measure(Room *room, const State *state, AbutInverseResult *out)
{
	AbutBarrierReport report = {.iterations = 0};
	double least = INFINITY;
	for (int round = 0; round < ROUNDS; round++) {
		const double start = abut_now_us();
		abut_barrier_inverse(&state->problem, state->v, room->f, room->back, &report);
		least = fmin(least, abut_now_us() - start);
	}
	for (int i = 0; i < 3 * state->problem.n; i++) {
		out->largest_error = fmax(out->largest_error, fabs(room->back[i] - state->c[i]));
	}
	out->iterations_mean += (double)report.iterations / STATES;
	out->unsolved += !report.solved;
	return least;
}

const int abut_bench_inverse_count = sizeof cases / sizeof *cases;

AbutStatus abut_bench_inverse_run(int index, unsigned long long seed, AbutInverseResult *out, AbutError *error)
{
	const int n = cases[index].contacts;
	Room *room = calloc(1, sizeof *room);
	AbutArena arena = {.base = NULL};
	double time = 0.0;
	if (room) {
		carve(room, n, &arena);
	}
	void *memory = malloc(arena.used + ABUT_ARENA_ALIGNMENT);
	*out = (AbutInverseResult){.contacts = n, .published = cases[index].published};
	if (!room || !memory) {
		free(memory);
		free(room);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for %d contacts", n);
	}
	abut_arena_begin(&arena, memory);
	carve(room, n, &arena);
	for (int i = 0; i < STATES; i++) {
		AbutRng rng = abut_rng_stream(seed, (uint64_t)index * STATES + (uint64_t)i);
		State *state = &room->states[i];
		AbutBarrierReport report;
		fill(room, state, n, &rng);
		abut_barrier_forward(&state->problem, state->c, &room->forward, room->f, state->v, &report);
		out->unsolved += !report.solved;
		time += measure(room, state, out);
	}
	out->per_second = 1e6 * STATES / time;
	free(memory);
	free(room);
	return ABUT_OK;
}

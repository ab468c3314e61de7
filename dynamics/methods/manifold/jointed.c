/* Solves islands with joints for the methods lcp and convex. */
#include "dynamics/methods/manifold/jointed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "dynamics/methods/manifold/bounded.h"
#include "dynamics/methods/manifold/columns.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/solve/cascade.h"
#include "dynamics/solve/redirect.h"
#include "dynamics/solve/tries.h"

/* Change of the velocities along the rows at which the turns end; the largest one of an exact step; and one that is
 * accepted if the turns do not end below it. Model units. */
static const double enough = 1e-11, exactly = 1e-10, nearly = 1e-7;

/* Shares of A's diagonal that hold the impulses near the last ones: in the first turns; when they stall; and the least
 * one, after further stalls. docs/formulation.md 16 has what other values of all constants of this file do to robots.
 */
static const double prox_first = 1e-7, prox_stalled = 1e-6, prox_least = 1e-10;

/* Turns of the first plan; of both, or of rules without plans; and in each of them before steps are halved. */
enum { FIRST_PLAN = 20, MOST_TURNS = 60, MOST_WITHOUT_PLANS = 40, PATIENCE = 6 };

/* --- memory --- */

AbutStatus abut_jointed_reserve(AbutLcpRoom *room, int n_bodies, int rows)
{
	AbutLcpColumns *columns = &room->columns;
	if (rows > 0 && n_bodies > INT_MAX / 6 / rows) {
		return ABUT_ERROR_MEMORY;
	}
	return abut_grow(&columns->at, &columns->n_at, 6 * n_bodies * rows, sizeof *columns->at) &&
	               abut_grow(&columns->lanes, &columns->n_lanes, 6 * n_bodies, sizeof *columns->lanes) &&
	               abut_grow(&columns->x, &columns->n_x, rows, sizeof *columns->x) &&
	               abut_grow(&columns->s, &columns->n_s, rows, sizeof *columns->s) &&
	               abut_grow(&columns->off, &columns->n_off, rows, sizeof *columns->off) &&
	               abut_secants_reserve(&columns->secants, rows) == ABUT_OK
	           ? ABUT_OK
	           : ABUT_ERROR_MEMORY;
}

void abut_jointed_destroy(AbutLcpRoom *room)
{
	free(room->columns.at);
	free(room->columns.lanes);
	free(room->columns.x);
	free(room->columns.s);
	free(room->columns.off);
	abut_secants_destroy(&room->columns.secants);
	room->columns = (AbutLcpColumns){.at = NULL};
}

/* --- rows of contacts --- */

/* Makes the rows of all contacts and of the joints' laws, as the rules do. */
static void make_rows(AbutLcpIsland *island)
{
	AbutWorkspace *w = island->w;
	island->n_rows = island->n_inner = 0;
	for (int i = 0; i < island->n_moving; i++) {
		abut_lcp_invert_mass(island->moving[i], &abut_lcp_work(w)->bodies[island->moving[i]->body]);
	}
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(w, island->members, i);
		AbutLcpContact *contact = &abut_lcp_work(w)->contacts[index];
		contact->first_row = island->n_rows;
		abut_lcp_rows(&w->pairs.candidates[index].pair, w->bodies, abut_lcp_work(w)->bodies, contact,
		              &island->room->rows[island->n_rows]);
		island->n_rows += abut_lcp_contact_rows(contact);
	}
	if (abut_lcp_work(w)->rule->add_joint_rows) {
		abut_lcp_work(w)->rule->add_joint_rows(island);
	}
}

double abut_jointed_velocity_along(const AbutLcpIsland *island, const AbutLcpRow *row)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		for (int k = 0; row->body[s] >= 0 && k < 6; k++) {
			sum += row->J[6 * s + k] * island->jointed->iterate.y[6 * row->body[s] + k];
		}
	}
	return sum;
}

/* --- the linear motion --- */

/* Sets `free` to v_k - H^-1 J' x_k. */
static void set_free(const AbutLcpIsland *island)
{
	AbutLcpBody *bodies = abut_lcp_work(island->w)->bodies;
	for (int b = 0; b < island->n_moving; b++) {
		double *own = bodies[island->moving[b]->body].free;
		memcpy(own, &island->jointed->iterate.y[6 * b], 6 * sizeof *own);
		for (int i = 0; i < island->n_rows; i++) {
			const double x = island->room->columns.x[i];
			for (int k = 0; x != 0.0 && k < 6; k++) {
				own[k] -= x * abut_column_of(island, i)[6 * b + k];
			}
		}
	}
}

void abut_jointed_push(const AbutLcpIsland *island)
{
	AbutLcpBody *bodies = abut_lcp_work(island->w)->bodies;
	for (int b = 0; b < island->n_moving; b++) {
		double *next = bodies[island->moving[b]->body].next;
		memcpy(next, &island->jointed->iterate.y[6 * b], 6 * sizeof *next);
		for (int i = 0; i < island->n_rows; i++) {
			const double change = island->room->boxed.x[i] - island->room->columns.x[i];
			for (int k = 0; change != 0.0 && k < 6; k++) {
				next[k] += change * abut_column_of(island, i)[6 * b + k];
			}
		}
	}
}

/* --- the joints --- */

static void setup(const AbutLcpIsland *island)
{
	AbutWorkspace *w = island->w;
	const AbutIslandChoice choice = {0, abut_island_joints(island->state, w, island->members)};
	island->jointed->stop = w->stop;
	abut_island_setup(island->model, w->bodies, &w->pairs, &w->partition, island->members, &choice,
	                  island->model->timestep, island->jointed);
}

void abut_jointed_load(const AbutLcpIsland *island)
{
	AbutLcpColumns *columns = &island->room->columns;
	memset(columns->lanes, 0, 6 * (size_t)island->n_moving * sizeof *columns->lanes);
	for (int i = 0; i < abut_lcp_loads(island); i++) {
		const double change = island->room->boxed.x[i] - columns->x[i];
		abut_columns_add_row(island, &island->room->rows[i], change, &columns->lanes[0][0], ABUT_LANES);
		columns->x[i] = island->room->boxed.x[i];
		columns->s[i] = change;
	}
	for (int b = 0; b < island->n_moving; b++) {
		AbutBodyWork *body = island->moving[b];
		for (int k = 0; k < 6; k++) {
			body->momentum[k] += columns->lanes[6 * b + k][0];
			body->full_momentum[k] = body->momentum[k];
		}
	}
}

void abut_jointed_unload(const AbutLcpIsland *island)
{
	for (int row = 0; row < island->n_rows; row++) {
		const AbutLcpRow *own = &island->room->rows[row];
		for (int i = 0; i < 12; i++) {
			AbutBodyWork *body = own->body[i / 6] >= 0 ? island->moving[own->body[i / 6]] : NULL;
			if (body && !(body->planar && i % 2 == 1)) {
				body->full_momentum[i % 6] -= island->room->columns.x[row] * own->J[i];
			}
		}
	}
}

/* What solves the joints again. */
typedef struct Again {
	AbutIsland *island;
	AbutStepInfo *one;
} Again;

static bool finish_again(const void *data)
{
	const Again *a = data;
	return abut_stage_exact(a->island, &abut_exact_from_loose_end, NULL, a->one);
}

/* Solves the joints, from the last solution in this step unless it is the first one, in the direction that their
 * impulses ask for (dynamics/joint/direction.h). */
static bool balance(const AbutLcpIsland *island, bool first, AbutStepInfo *info)
{
	AbutIsland *own = island->jointed;
	AbutStepInfo one = {.outcome = ABUT_OUTCOME_FAILED};
	const Again again = {own, &one};
	abut_jointed_load(island);
	if (!first && finish_again(&again)) {
		one.outcome = ABUT_OUTCOME_EXACT;
		abut_step_redirect(own, finish_again, &again, &one);
	} else {
		abut_step_solve(island->model, own, ABUT_EFFORT_FULL, &one);
	}
	info->iterations += one.iterations;
	info->residual = abut_stage_natural(&one);
	return one.outcome != ABUT_OUTCOME_FAILED;
}

/* --- the turns --- */

/* Sets n numbers to zero; for n = 0, x may be NULL. */
static void clear(int n, double *x)
{
	for (int i = 0; i < n; i++) {
		x[i] = 0.0;
	}
}

/* Computes the differences of the velocities along the rows from those for which the impulses were found. Returns the
 * largest one, or the largest part of `prox` in the equations of the rows. */
static double mismatch(const AbutLcpIsland *island)
{
	const AbutLcpColumns *columns = &island->room->columns;
	const int n = abut_lcp_loads(island);
	double most = 0.0;
	clear(n, columns->off);
	abut_secants_multiply(&columns->secants, n, columns->s, columns->off);
	for (int i = 0; i < n; i++) {
		const AbutLcpRow *row = &island->room->rows[i];
		columns->off[i] = abut_jointed_velocity_along(island, row) -
		                  abut_lcp_velocity_along(island, row, true) - columns->off[i];
		double off = fabs(columns->off[i]);
		if (columns->prox > 0.0) {
			const double *A = island->room->A;
			off = abut_max(off, columns->prox * A[(size_t)i * (size_t)(island->n_rows + 1)] *
			                        fabs(columns->s[i]));
		}
		most = off <= most ? most : off;
	}
	return most;
}

/* Finds the impulses for the linear motion about the present solution. `halved`: goes half the way to them. */
static bool solve_contacts(AbutLcpIsland *island, bool halved, AbutStepInfo *info)
{
	const AbutPointRule *rule = abut_lcp_work(island->w)->rule;
	AbutStepInfo one = {.tries = 0};
	if (rule->boxed) {
		abut_bounded_add(island);
	}
	if (!abut_columns_make(island)) {
		return false;
	}
	set_free(island);
	bool solved = rule->solve(island, &one);
	if (!solved && island->room->columns.secants.n > 0) {
		island->room->columns.secants.n = 0;
		solved = rule->solve(island, &one);
	}
	info->iterations += one.iterations;
	info->tries += one.tries;
	info->retried = info->retried || one.retried;
	info->residual = abut_max(info->residual, one.residual);
	if (!solved) {
		return false;
	}
	rule->velocities(island);
	for (int i = 0; halved && i < abut_lcp_loads(island); i++) {
		double *x = &island->room->boxed.x[i];
		*x = 0.5 * (*x + island->room->columns.x[i]);
	}
	return true;
}

static void take_velocities(const AbutLcpIsland *island)
{
	for (int b = 0; b < island->n_moving; b++) {
		memcpy(abut_lcp_work(island->w)->bodies[island->moving[b]->body].next,
		       &island->jointed->iterate.y[6 * b], 6 * sizeof(double));
	}
}

/* The turns so far. */
typedef struct Turns {
	int turn;
	double off, now; /* what mismatch returned after the last turn but one, and after the last one */
	bool fresh;      /* no impulses were found yet, or they are discarded */
	bool slow, stalled, corrected, halved;
} Turns;

/* Sets how A is made in the next turn: with rigid columns and a weaker `prox` after each turn that stalls. After one
 * that leads far away, `prox` is stronger again. */
static void follow_first_plan(AbutLcpColumns *columns, Turns *t)
{
	static const double farther = 4.0, weaker = 0.1;
	t->stalled = t->slow && t->now <= exactly;
	t->halved = t->slow && t->turn > PATIENCE && t->now > nearly;
	if (!t->slow || t->turn < 2) {
		return;
	}
	const double next = t->now > farther * t->off ? columns->prox / (weaker * weaker) : weaker * columns->prox;
	columns->prox = columns->rigid ? abut_min(abut_max(next, prox_least), prox_stalled) : prox_stalled;
	columns->rigid = true;
}

/* Corrects A after each turn that stalls. */
static void follow_second_plan(AbutLcpColumns *columns, int rows, Turns *t)
{
	const bool corrected = t->slow && isfinite(t->now) && t->now > exactly &&
	                       abut_secants_add(&columns->secants, rows, columns->off, columns->s);
	t->stalled = t->slow && !corrected && !t->corrected; /* a correction may first lead away */
	t->corrected = corrected;
	t->halved = t->stalled && t->turn > FIRST_PLAN + PATIENCE;
}

static void begin_plan(AbutLcpColumns *columns, double prox, int rows, double *x, Turns *t)
{
	columns->prox = prox;
	columns->rigid = false;
	columns->secants.n = 0;
	clear(rows, x);
	t->off = (double)INFINITY;
	t->fresh = true;
}

/* Judges the last turn. */
static void judge(const AbutLcpIsland *island, Turns *t)
{
	AbutLcpColumns *columns = &island->room->columns;
	t->now = !t->fresh ? mismatch(island) : abut_lcp_loads(island) > 0 ? (double)INFINITY : 0.0;
	t->slow = !(t->now < 0.5 * t->off);
	if (!abut_lcp_work(island->w)->rule->boxed) {
		t->stalled = t->slow;
		t->halved = t->stalled && t->turn > PATIENCE;
	} else if (t->turn < FIRST_PLAN) {
		follow_first_plan(columns, t);
	} else {
		follow_second_plan(columns, abut_lcp_loads(island), t);
	}
	t->off = t->now;
	t->fresh = false;
}

bool abut_jointed_solve(AbutLcpIsland *island, AbutStepInfo *info)
{
	const bool boxed = abut_lcp_work(island->w)->rule->boxed;
	const int most = boxed ? MOST_TURNS : MOST_WITHOUT_PLANS;
	AbutLcpColumns *columns = &island->room->columns;
	double of_contacts = 0.0;
	Turns t = {.turn = 0};
	setup(island);
	make_rows(island);
	clear(island->n_rows, columns->x);
	begin_plan(columns, boxed ? prox_first : 0.0, island->n_rows, island->room->boxed.x, &t);
	for (; t.turn < most; t.turn++) {
		if (boxed && t.turn == FIRST_PLAN) {
			begin_plan(columns, 0.0, abut_lcp_loads(island), island->room->boxed.x, &t);
		}
		if (!balance(island, t.fresh, info)) {
			return false;
		}
		judge(island, &t);
		if (t.now <= enough || (t.now <= nearly && (t.stalled || t.turn == most - 1))) {
			info->residual = abut_max(info->residual, abut_max(of_contacts, t.now));
			take_velocities(island);
			island->n_rows = abut_lcp_loads(island);
			island->n_inner = 0;
			return true;
		}
		info->residual = 0.0;
		if (!solve_contacts(island, t.halved, info)) {
			return false;
		}
		of_contacts = info->residual;
	}
	info->residual = t.now;
	return false;
}

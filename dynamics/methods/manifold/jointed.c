/* Solves islands with joints for the methods lcp and convex. */
#include "dynamics/methods/manifold/jointed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "dynamics/joint/condense.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/model/light_links.h"
#include "dynamics/solve/cascade.h"
#include "dynamics/solve/redirect.h"
#include "dynamics/solve/tries.h"
#include "solver/blocks/columns.h"

/* Change of the velocities along the rows at which the turns end; the largest one of an exact step; and one that is
 * accepted if the turns do not end below it. Model units. */
static const double enough = 1e-11, exactly = 1e-10, nearly = 1e-7;

/* Largest stiffness in H, as a multiple of the mass or inertia of the heavier body, so that A keeps its digits. */
static const double stiffest = 1e6;
/* Stiffness of a coupling in H, as a share of that of a held row. */
static const double softer = 1e-2;

enum { MOST_ROUNDS = 40 };

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

static double *column_of(const AbutLcpIsland *island, int row)
{
	return &island->room->columns.at[(size_t)row * 6 * (size_t)island->n_moving];
}

/* --- rows of contacts --- */

/* Makes the rows of all contacts and of the joints' laws, as the rules do. */
static void make_rows(AbutLcpIsland *island)
{
	AbutWorkspace *w = island->w;
	island->n_rows = 0;
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

/* Returns J v of a row, with the velocities of the joints' solution. */
static double velocity_along(const AbutLcpIsland *island, const AbutLcpRow *row)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		for (int k = 0; row->body[s] >= 0 && k < 6; k++) {
			sum += row->J[6 * s + k] * island->jointed->iterate.y[6 * row->body[s] + k];
		}
	}
	return sum;
}

/* Adds `by` J' of a row to a vector of the island's bodies; planar bodies take only the part in their plane. */
static void add_row(const AbutLcpIsland *island, const AbutLcpRow *row, double by, double *out, int stride)
{
	for (int s = 0; s < 2; s++) {
		const int body = row->body[s];
		for (int k = 0; body >= 0 && k < 6; k++) {
			const bool across = island->moving[body]->planar && (k == 1 || k == 3 || k == 5);
			out[(size_t)(6 * body + k) * (size_t)stride] += across ? 0.0 : by * row->J[6 * s + k];
		}
	}
}

/* --- the linear motion --- */

static void add_joint(const AbutJointWork *joint, const double *S, const AbutBlockSystem *system)
{
	for (int s = 0; s < 4; s++) {
		const int row = joint->body[s / 2]->moving, column = joint->body[s % 2]->moving;
		if (row < 0 || column < 0) {
			continue;
		}
		double *block = abut_block(system, row, column);
		for (int i = 0; i < abut_joint_rows(joint->joint); i++) {
			const double *g = &joint->start[i][abut_joint_column[s / 2]],
			             *h = &joint->start[i][abut_joint_column[s % 2]];
			for (int k = 0; k < 36; k++) {
				block[k / 6 * ABUT_BLOCK_ROW + k % 6] += S[i] * g[k / 6] * h[k % 6];
			}
		}
	}
}

/* Sets the mass, and a third of the trace of the inertia, of the heavier body. Light links between heavy ones are then
 * held as stiffly as these. */
static void weigh(const AbutJointWork *work, double heavier[2])
{
	heavier[0] = heavier[1] = 0.0;
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = work->body[s];
		if (body->moving >= 0) {
			const double *J = body->inertia;
			heavier[0] = abut_max(heavier[0], body->mass);
			heavier[1] = abut_max(heavier[1], (J[0] + J[4] + J[8]) / 3.0);
		}
	}
}

void abut_jointed_stiffness(const AbutLcpIsland *island, int joint, double *S)
{
	AbutIsland *own = island->jointed;
	AbutJointWork *work = &own->problem.joints[joint];
	double heavier[2];
	abut_joint_stiffness(work, own->problem.timestep, &own->iterate.law, S);
	weigh(work, heavier);
	const double *carried = work->joint->carried; /* levers are of the length 1 or so */
	const bool light = carried[0] > ABUT_LIGHT_LINK * heavier[0] || carried[1] > ABUT_LIGHT_LINK * heavier[1];
	for (int i = 0; i < abut_joint_rows(work->joint); i++) {
		const int freedom = i - work->joint->n_held;
		const bool slides = freedom >= 0 ? !abut_joint_turns(work->joint->kind, freedom)
		                                 : i < abut_joint_kind_places(work->joint->kind);
		const double most = stiffest * (light ? abut_max(carried[0], carried[1]) : heavier[slides ? 0 : 1]);
		S[i] = light && freedom < 0 ? most : abut_min(S[i], most);
	}
}

double abut_jointed_coupling_stiffness(const AbutCouplingWork *coupling)
{
	return (coupling->compliance > 0.0 ? 1.0 : softer) / coupling->regular;
}

/* Factorises H at the joints' solution. */
static bool factorise(const AbutLcpIsland *island)
{
	AbutIsland *own = island->jointed;
	const AbutBlockSystem *system = &own->problem.system;
	abut_block_system_clear(system);
	for (int i = 0; i < island->n_moving; i++) {
		double mass[36], *block = abut_block(system, i, i);
		abut_lcp_mass(island->moving[i], mass);
		for (int row = 0; row < 6; row++) {
			memcpy(&block[row * ABUT_BLOCK_ROW], &mass[6 * row], 6 * sizeof(double));
		}
	}
	for (int i = 0; i < own->problem.n_joints; i++) {
		double S[ABUT_JOINT_ROWS];
		abut_jointed_stiffness(island, i, S);
		add_joint(&own->problem.joints[i], S, system);
	}
	for (int i = 0; i < own->problem.n_couplings; i++) {
		const AbutCouplingWork *coupling = &own->problem.couplings[i];
		AbutCouplingRow row;
		abut_coupling_row(coupling, coupling->joint[0]->start, coupling->joint[1]->start, row);
		abut_coupling_add(coupling, row, row, abut_jointed_coupling_stiffness(coupling), 0.0, system);
	}
	return abut_block_system_solve(system);
}

/* Computes the columns H^-1 J'. */
static bool make_columns(const AbutLcpIsland *island)
{
	const int n = 6 * island->n_moving;
	AbutLanes *lanes = island->room->columns.lanes;
	AbutIsland *own = island->jointed;
	const AbutNcp *ncp = &own->ncp;
	AbutIterate *it = &own->iterate;
	abut_cones_law_exact(ncp->cones, ncp->n_cones, it->z, it->H, abut_joint_delta, abut_joint_delta,
	                     (double)INFINITY, &it->law);
	if (!factorise(island)) {
		return false;
	}
	for (int first = 0; first < island->n_rows; first += ABUT_LANES) {
		const int more = island->n_rows - first < ABUT_LANES ? island->n_rows - first : ABUT_LANES;
		memset(lanes, 0, (size_t)n * sizeof *lanes);
		for (int l = 0; l < more; l++) {
			add_row(island, &island->room->rows[first + l], 1.0, &lanes[0][l], ABUT_LANES);
		}
		abut_block_system_solve_again(&own->problem.system, lanes);
		for (int l = 0; l < more; l++) {
			for (int k = 0; k < n; k++) {
				column_of(island, first + l)[k] = lanes[k][l];
			}
		}
	}
	return true;
}

void abut_lcp_island_matrix(const AbutLcpIsland *island, double *A)
{
	const int n = island->n_rows;
	if (!island->jointed) {
		abut_lcp_matrix(n, island->room->rows, A);
		return;
	}
	for (int i = 0; i < n; i++) {
		const AbutLcpRow *row = &island->room->rows[i];
		for (int j = 0; j <= i; j++) {
			const double *column = column_of(island, j);
			double sum = 0.0;
			for (int s = 0; s < 2; s++) {
				for (int k = 0; row->body[s] >= 0 && k < 6; k++) {
					sum += row->J[6 * s + k] * column[6 * row->body[s] + k];
				}
			}
			A[(size_t)i * (size_t)n + (size_t)j] = A[(size_t)j * (size_t)n + (size_t)i] = sum;
		}
	}
}

/* Sets `free` to v_k - H^-1 J' x_k, or `next` to free + H^-1 J' x. */
static void set_velocities(const AbutLcpIsland *island, bool next)
{
	AbutLcpBody *bodies = abut_lcp_work(island->w)->bodies;
	for (int b = 0; b < island->n_moving; b++) {
		AbutLcpBody *own = &bodies[island->moving[b]->body];
		for (int k = 0; k < 6; k++) {
			double sum = next ? own->free[k] : island->jointed->iterate.y[6 * b + k];
			for (int i = 0; i < island->n_rows; i++) {
				const double x = next ? island->room->boxed.x[i] : -island->room->columns.x[i];
				sum += x * column_of(island, i)[6 * b + k];
			}
			*(next ? &own->next[k] : &own->free[k]) = sum;
		}
	}
}

void abut_jointed_push(const AbutLcpIsland *island)
{
	set_velocities(island, true);
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
	for (int i = 0; i < island->n_rows; i++) {
		const double change = island->room->boxed.x[i] - columns->x[i];
		add_row(island, &island->room->rows[i], change, &columns->lanes[0][0], ABUT_LANES);
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

/* Computes the differences of the velocities along the rows from those for which the impulses were found. Returns the
 * largest one. */
static double mismatch(const AbutLcpIsland *island)
{
	const AbutLcpColumns *columns = &island->room->columns;
	double most = 0.0;
	for (int i = 0; i < island->n_rows; i++) {
		columns->off[i] = 0.0;
	}
	abut_secants_multiply(&columns->secants, island->n_rows, columns->s, columns->off);
	for (int i = 0; i < island->n_rows; i++) {
		const AbutLcpRow *row = &island->room->rows[i];
		columns->off[i] =
		    velocity_along(island, row) - abut_lcp_velocity_along(island, row, true) - columns->off[i];
		const double off = fabs(columns->off[i]);
		most = off <= most ? most : off;
	}
	return most;
}

/* Corrects A by the last turn; returns false if its rule or the turn does not allow it. */
static bool correct(const AbutLcpIsland *island)
{
	AbutLcpColumns *columns = &island->room->columns;
	return abut_lcp_work(island->w)->rule->corrects &&
	       abut_secants_add(&columns->secants, island->n_rows, columns->off, columns->s);
}

/* Finds the impulses for the linear motion about the present solution. `halved`: goes half the way to them. */
static bool solve_contacts(AbutLcpIsland *island, bool halved, AbutStepInfo *info)
{
	const AbutPointRule *rule = abut_lcp_work(island->w)->rule;
	AbutStepInfo one = {.tries = 0};
	if (!make_columns(island)) {
		return false;
	}
	set_velocities(island, false);
	bool solved = rule->solve(island, &one);
	if (!solved && island->room->columns.secants.n > 0) {
		island->room->columns.secants.n = 0;
		set_velocities(island, false);
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
	for (int i = 0; halved && i < island->n_rows; i++) {
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

bool abut_jointed_solve(AbutLcpIsland *island, AbutStepInfo *info)
{
	static const int patient = 6; /* turns before steps are halved */
	double off = (double)INFINITY, of_contacts = 0.0;
	bool corrected = false;
	island->room->columns.secants.n = 0;
	setup(island);
	make_rows(island);
	for (int i = 0; i < island->n_rows; i++) {
		island->room->boxed.x[i] = island->room->columns.x[i] = 0.0;
	}
	for (int round = 0; round < MOST_ROUNDS; round++) {
		if (!balance(island, round == 0, info)) {
			return false;
		}
		const double now = round > 0 ? mismatch(island) : island->n_rows > 0 ? off : 0.0;
		const bool slow = !(now < 0.5 * off);
		const bool now_corrected = slow && isfinite(now) && now > exactly && correct(island);
		const bool stalled = slow && !now_corrected && !corrected; /* a correction may first lead away */
		corrected = now_corrected;
		if (now <= enough || (now <= nearly && (stalled || round == MOST_ROUNDS - 1))) {
			info->residual = abut_max(info->residual, abut_max(of_contacts, now));
			take_velocities(island);
			return true;
		}
		off = now;
		info->residual = 0.0;
		if (!solve_contacts(island, round > patient && stalled, info)) {
			return false;
		}
		of_contacts = info->residual;
	}
	info->residual = off;
	return false;
}

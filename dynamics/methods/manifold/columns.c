/* Computes the columns H^-1 J' of an island with joints, and A = J H^-1 J'. */
#include "dynamics/methods/manifold/columns.h"

#include <math.h>
#include <string.h>

#include "dynamics/joint/condense.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/setup.h"
#include "dynamics/methods/manifold/bounded.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/model/light_links.h"
#include "solver/blocks/columns.h"

/* Largest stiffness in H, as a multiple of the mass or inertia of the heavier body, so that A keeps its digits. */
static const double stiffest = 1e6;
/* Stiffness of a coupling in H, as a share of that of a held row. */
static const double softer = 1e-2;

void abut_columns_add_row(const AbutLcpIsland *island, const AbutLcpRow *row, double by, double *out, int stride)
{
	for (int s = 0; s < 2; s++) {
		const int body = row->body[s];
		for (int k = 0; body >= 0 && k < 6; k++) {
			const bool across = island->moving[body]->planar && (k == 1 || k == 3 || k == 5);
			out[(size_t)(6 * body + k) * (size_t)stride] += across ? 0.0 : by * row->J[6 * s + k];
		}
	}
}

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
			for (int k = 0; S[i] != 0.0 && k < 6; k++) {
				const double factor = S[i] * g[k];
				for (int c = 0; c < 6; c++) {
					block[k * ABUT_BLOCK_ROW + c] += factor * h[c];
				}
			}
		}
	}
}

/* Sets the mass, and a third of the trace of the inertia, of the heavier body. Light links between heavy ones are then
 * held as stiffly as these. */
static void weigh(const AbutJointWork *work, double heavier[2])
{
	double mass[2], inertia[2];
	abut_joint_weigh(work, mass, inertia);
	heavier[0] = abut_max(mass[0], mass[1]);
	heavier[1] = abut_max(inertia[0], inertia[1]);
}

void abut_jointed_stiffness(const AbutLcpIsland *island, int joint, double *S)
{
	AbutIsland *own = island->jointed;
	AbutJointWork *work = &own->problem.joints[joint];
	double heavier[2];
	abut_joint_stiffness(work, own->problem.timestep, &own->iterate.law, S);
	weigh(work, heavier);
	const bool bounded = abut_lcp_work(island->w)->rule->boxed && !work->joint->kind->freedom[0].spins;
	for (int i = 0; bounded && i < work->joint->kind->n_freedoms; i++) {
		S[work->joint->n_held + i] = abut_bounded_stiffness(island, work, i);
	}
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

/* Subtracts factor S row' row c from the right-hand side of one lane, on the bodies of a joint. */
static void subtract_row(const AbutJointWork *joint, const double *row, double S, const double *c, double *right)
{
	double along = 0.0;
	for (int k = 0; k < 12; k++) {
		const int body = joint->body[k / 6]->moving;
		along += body >= 0 ? row[abut_joint_column[k / 6] + k % 6] * c[6 * body + k % 6] : 0.0;
	}
	for (int k = 0; k < 12; k++) {
		const int body = joint->body[k / 6]->moving;
		if (body >= 0) {
			right[(size_t)(6 * body + k % 6) * ABUT_LANES] -=
			    S * along * row[abut_joint_column[k / 6] + k % 6];
		}
	}
}

static void subtract_mass(const AbutLcpIsland *island, const double *c, double *right)
{
	for (int i = 0; i < island->n_moving; i++) {
		double mass[36];
		abut_lcp_mass(island->moving[i], mass);
		for (int k = 0; k < 36; k++) {
			right[(size_t)(6 * i + k / 6) * ABUT_LANES] -= mass[k] * c[6 * i + k % 6];
		}
	}
}

/* Makes the right-hand sides of a refinement (columns.h) from those of some columns, which are in the lanes. */
static void leave(const AbutLcpIsland *island, int first, int more)
{
	const AbutIsland *own = island->jointed;
	AbutLanes *lanes = island->room->columns.lanes;
	for (int l = 0; l < more; l++) {
		subtract_mass(island, abut_column_of(island, first + l), &lanes[0][l]);
	}
	for (int i = 0; i < own->problem.n_joints; i++) {
		const AbutJointWork *joint = &own->problem.joints[i];
		double S[ABUT_JOINT_ROWS];
		abut_jointed_stiffness(island, i, S);
		for (int row = 0; row < abut_joint_rows(joint->joint); row++) {
			const double factor = row < joint->joint->n_held ? 2.0 * S[row] : S[row];
			for (int l = 0; factor != 0.0 && l < more; l++) {
				subtract_row(joint, joint->start[row], factor, abut_column_of(island, first + l),
				             &lanes[0][l]);
			}
		}
	}
}

static void load_lanes(const AbutLcpIsland *island, int first, int more)
{
	AbutLanes *lanes = island->room->columns.lanes;
	memset(lanes, 0, 6 * (size_t)island->n_moving * sizeof *lanes);
	for (int l = 0; l < more; l++) {
		abut_columns_add_row(island, &island->room->rows[first + l], 1.0, &lanes[0][l], ABUT_LANES);
	}
}

/* Solves for what is in the lanes, and adds the solutions to the columns. */
static void add_solutions(const AbutLcpIsland *island, int first, int more)
{
	AbutLanes *lanes = island->room->columns.lanes;
	abut_block_system_solve_again(&island->jointed->problem.system, lanes);
	for (int l = 0; l < more; l++) {
		for (int k = 0; k < 6 * island->n_moving; k++) {
			abut_column_of(island, first + l)[k] += lanes[k][l];
		}
	}
}

bool abut_columns_make(const AbutLcpIsland *island)
{
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
		memset(abut_column_of(island, first), 0, (size_t)more * 6 * (size_t)island->n_moving * sizeof(double));
		load_lanes(island, first, more);
		add_solutions(island, first, more);
		if (island->room->columns.rigid) {
			load_lanes(island, first, more);
			leave(island, first, more);
			add_solutions(island, first, more);
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
			const double *column = abut_column_of(island, j);
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

/* Decides which rows become active or inactive in the semismooth Newton method if rows are coupled.
 *
 * After elimination and linearisation, the problem is z >= 0, H = q + D z >= 0, z'H = 0. An iteration takes the set A
 * of rows with z - C H > 0 as active, and solves H_A = 0. The next set loses all rows with z_A = -D_AA^-1 q_A < 0, and
 * gains all rows with H < 0. If no off-diagonal entry of D is positive, this always ends, because rows that become
 * active push each other further in.
 *
 * In a chain of contacts, off-diagonal entries are positive and as large as the diagonal. For a bending tower with
 * hinges k and l, D_kl = sum over the bodies b beyond both of (b - k)(b - l). One opening hinge satisfies its
 * neighbours. Suppose that twenty hinges carry too large a moment and all of them open. Then only the differences of
 * nearly equal columns remain to balance the moments, and half of the z become negative. These rows leave, all rows are
 * violated again, and the set cycles, or its ends move by one contact per iteration. Therefore, in a block (a body),
 *
 *     only the most violated row becomes active, if its violation is at least a tenth of the worst one of all blocks;
 *     when rows become inactive, so do all rows with a dual smaller than the size of the most negative dual.
 *
 * The second rule has the same reason: of two neighbours with z = -5 and z = 4, neither separates them. The other rows
 * wait for the result, which mostly satisfies them. At a solution, no row is violated and no dual is negative; the
 * rules change the way to the solution, but not the solution. Few cycles remain: 2 % of the steps of a kicked tower of
 * 64 bodies need the path.
 *
 * A second-order cone (the rim of a cylinder) changes its state as a whole. Its violation is the distance of H from the
 * boundary, and its dual is the head of z. Tests: the rules in tests/solver/test_active_set.c
 * (the_worst_of_a_block_alone), the model problem with and without them (towers_bend_without_cycles), and towers in
 * tests/dynamics/solve/test_towers.c. */
#include "solver/ncp/active_set.h"

#include <string.h>

#include "base/vec3.h"
#include "solver/cones/soc.h"

/* Smallest violation of a row that may become active, as a share of the largest violation. */
static const double worth_while = 0.1;

/* A unit that changes state as a whole: a row of an orthant, or a second-order cone. */
typedef struct Unit {
	int row; /* its first row */
	bool was, is;
	double slack, dual; /* violated if slack < 0; becomes inactive if dual < 0 */
} Unit;

static int count_units(const AbutCone *cone)
{
	if (cone->block[0] == 0 && cone->block[1] == 0) {
		return 0;
	}
	return cone->kind == ABUT_CONE_ORTHANT ? cone->dim : cone->kind == ABUT_CONE_SOC ? 1 : 0;
}

static bool is_active(const AbutCone *cone, int index, const AbutConeLaw *law)
{
	return law->K[cone->law + index] > 0.0;
}

static Unit unit_of(const AbutCone *cone, int index, const double *z, const double *H, const AbutActiveSet *set,
                    const AbutConeLaw *law)
{
	const int row = cone->offset + index;
	return (Unit){.row = row,
	              .was = set->active[row],
	              .is = is_active(cone, index, law),
	              .slack = cone->kind == ABUT_CONE_ORTHANT ? H[row] : abut_soc_slack(cone->dim, &H[row]),
	              .dual = z[row]};
}

static bool changes(const AbutCone *cones, int n_cones, const AbutConeLaw *law, const AbutActiveSet *set)
{
	for (int i = 0; i < n_cones; i++) {
		const int n = count_units(&cones[i]);
		for (int j = 0; j < n; j++) {
			if (is_active(&cones[i], j, law) != set->active[cones[i].offset + j]) {
				return true;
			}
		}
	}
	return false;
}

static void clear(const AbutCone *cones, int n_cones, AbutWorst *worst)
{
	worst[0] = (AbutWorst){0.0, 0.0, -1};
	for (int i = 0; i < n_cones; i++) {
		worst[cones[i].block[0]] = worst[cones[i].block[1]] = (AbutWorst){0.0, 0.0, -1};
	}
}

static void enter(AbutWorst *worst, const Unit *unit)
{
	if (unit->is && !unit->was && unit->slack < worst->slack) {
		worst->slack = unit->slack;
		worst->row = unit->row;
	}
	if (unit->was && !unit->is) {
		worst->dual = abut_min(worst->dual, unit->dual);
	}
}

/* Finds the worst unit of each block. Entry 0 gets the worst unit of all blocks. */
static void find_worst(const AbutCone *cones, int n_cones, const double *z, const double *H, const AbutConeLaw *law,
                       const AbutActiveSet *set)
{
	for (int i = 0; i < n_cones; i++) {
		const int n = count_units(&cones[i]);
		for (int j = 0; j < n; j++) {
			const Unit unit = unit_of(&cones[i], j, z, H, set, law);
			enter(&set->worst[0], &unit);
			enter(&set->worst[cones[i].block[0]], &unit);
			enter(&set->worst[cones[i].block[1]], &unit);
		}
	}
}

/* Returns whether the rules of one block allow an active unit to stay active. A unit that becomes active without a
 * violation has had a positive dual from the start, and may. */
static bool stands(const AbutWorst *worst, const Unit *unit)
{
	if (unit->was) {
		return worst->dual == 0.0 || unit->dual >= -worst->dual;
	}
	return unit->slack >= 0.0 || worst->row == unit->row;
}

static bool allowed(const AbutCone *cone, const AbutActiveSet *set, const Unit *unit)
{
	for (int side = 0; side < 2; side++) {
		if (cone->block[side] > 0 && !stands(&set->worst[cone->block[side]], unit)) {
			return false;
		}
	}
	return unit->was || unit->slack >= 0.0 || unit->slack <= worth_while * set->worst[0].slack;
}

/* Sets the law of an inactive unit: z + dz = 0. */
static void release(const AbutCone *cone, int index, const double *z, AbutConeLaw *law)
{
	const bool orthant = cone->kind == ABUT_CONE_ORTHANT;
	const int first = cone->offset + index, rows = orthant ? 1 : cone->dim;
	memset(&law->K[cone->law + index], 0, (size_t)(rows * rows) * sizeof(double));
	for (int i = first; i < first + rows; i++) {
		law->c[0][i] = -z[i];
	}
}

void abut_active_set_thin(const AbutCone *cones, int n_cones, const double *z, const double *H, AbutActiveSet *set,
                          AbutConeLaw *law)
{
	if (!changes(cones, n_cones, law, set)) {
		return;
	}
	clear(cones, n_cones, set->worst);
	find_worst(cones, n_cones, z, H, law, set);
	for (int i = 0; i < n_cones; i++) {
		const int n = count_units(&cones[i]);
		for (int j = 0; j < n; j++) {
			Unit unit = unit_of(&cones[i], j, z, H, set, law);
			if (unit.is && !allowed(&cones[i], set, &unit)) {
				release(&cones[i], j, z, law);
				unit.is = false;
			}
			set->active[unit.row] = unit.is;
		}
	}
}

void abut_active_set_keep(const AbutCone *cones, int n_cones, const AbutConeLaw *law, AbutActiveSet *set)
{
	for (int i = 0; i < n_cones; i++) {
		const int n = count_units(&cones[i]);
		for (int j = 0; j < n; j++) {
			set->active[cones[i].offset + j] = is_active(&cones[i], j, law);
		}
	}
}

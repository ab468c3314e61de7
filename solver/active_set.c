/* Which rows become active, and which cease to be, where they hang together.
 *
 * By its projection the semismooth Newton makes every violated row active at once, and inactive every row with a
 * negative dual. In a chain of contacts that is far too much: where a tower bends, the pressure leaves the faces of
 * twenty contacts in a row, and what ends it is one of them opening as a hinge, the worst. With all twenty open, some
 * duals come out negative, these rows close, their neighbours are violated again, and the set cycles, or its ends move
 * by one contact in an iteration. So of the rows that meet in a block (a body),
 *
 *     only the most violated one becomes active, if it is violated at least a tenth as much as any row at all,
 *     and what is active stays so only with a dual larger than the most negative one is below zero.
 *
 * The others wait for what that leads to: most are satisfied then. At a solution nothing is violated and no dual is
 * negative, so that the rule changes the way there and not the solution. Tested by tests/solver/test_active_set.c and
 * tests/dynamics/test_towers.c. */
#include "solver/active_set.h"

#include "base/vec3.h"

/* Share of the largest violation of all. */
static const double worth_while = 0.1;

static bool contested(const AbutCone *cone)
{
	return cone->kind == ABUT_CONE_ORTHANT && (cone->block[0] > 0 || cone->block[1] > 0);
}

static void clear(const AbutCone *cones, int n_cones, AbutWorst *worst)
{
	worst[0] = (AbutWorst){0.0, 0.0, -1};
	for (int i = 0; i < n_cones; i++) {
		worst[cones[i].block[0]] = worst[cones[i].block[1]] = (AbutWorst){0.0, 0.0, -1};
	}
}

static void enter(AbutWorst *worst, int row, bool was, bool is, double z, double H)
{
	if (is && !was && -H > worst->violation) {
		worst->violation = -H;
		worst->row = row;
	}
	if (was && !is) {
		worst->dual = abut_min(worst->dual, z);
	}
}

/* Block 0, which is none, gets the worst of all. */
static void find_worst(const AbutCone *cones, int n_cones, const double *z, const double *H, const AbutConeLaw *law,
                       const AbutActiveSet *set)
{
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		for (int j = 0; j < cone->dim && contested(cone); j++) {
			const int row = cone->offset + j;
			const bool was = set->active[row], is = law->K[cone->law + j] > 0.0;
			enter(&set->worst[0], row, was, is, z[row], H[row]);
			enter(&set->worst[cone->block[0]], row, was, is, z[row], H[row]);
			enter(&set->worst[cone->block[1]], row, was, is, z[row], H[row]);
		}
	}
}

/* Whether an active row may be so, as far as one of its blocks is concerned. (One that becomes active without being
 * violated has a positive dual from where the iteration began.) */
static bool stands(const AbutWorst *worst, int row, bool was, double z, double H)
{
	return was ? z >= -worst->dual : H >= 0.0 || worst->row == row;
}

static bool allowed(const AbutCone *cone, const AbutActiveSet *set, int row, double z, double H)
{
	const bool was = set->active[row];
	for (int side = 0; side < 2; side++) {
		const int block = cone->block[side];
		if (block > 0 && !stands(&set->worst[block], row, was, z, H)) {
			return false;
		}
	}
	return was || H >= 0.0 || -H >= worth_while * set->worst[0].violation;
}

void abut_active_set_thin(const AbutCone *cones, int n_cones, const double *z, const double *H, AbutActiveSet *set,
                          AbutConeLaw *law)
{
	clear(cones, n_cones, set->worst);
	find_worst(cones, n_cones, z, H, law, set);
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		for (int j = 0; j < cone->dim && contested(cone); j++) {
			const int row = cone->offset + j;
			if (!allowed(cone, set, row, z[row], H[row])) { /* the law of an inactive row */
				law->K[cone->law + j] = 0.0;
				law->c[0][row] = -z[row];
			}
		}
	}
	abut_active_set_keep(cones, n_cones, law, set);
}

void abut_active_set_keep(const AbutCone *cones, int n_cones, const AbutConeLaw *law, AbutActiveSet *set)
{
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &cones[i];
		for (int j = 0; j < cone->dim && contested(cone); j++) {
			set->active[cone->offset + j] = law->K[cone->law + j] > 0.0;
		}
	}
}

/* What an exact solution holds, by d = z - C s (docs/formulation.md 4): an entry of an orthant is held where d > 0; a
 * second-order cone entirely where both eigenvalues d_0 -+ |d_1| are positive, not at all where both are negative, and
 * between these z and s lie on the boundary. How near the next mode is, is the least of these numbers.
 *
 * The two edges of a pyramid's direction may hold any force against each other. Less that, one of them has none: while
 * |beta|_1 < mu gamma the others hold, and how near the next mode is, psi tells alone. */
#include "experiments/reference/extended_modes.h"

#include <math.h>

#include "experiments/reference/extended_island.h"

static long double distance_of(const AbutExtendedIsland *island, int z, long double weight)
{
	return creall(island->base[z]) - weight * creall(island->slack[z]);
}

static void eigenvalues(const AbutExtendedIsland *island, const AbutExtendedCone *cone, long double out[2])
{
	const long double head = distance_of(island, cone->z, cone->weight);
	long double square = 0.0L;
	for (int i = 1; i < cone->dim; i++) {
		const long double d = distance_of(island, cone->z + i, cone->weight);
		square += d * d;
	}
	out[0] = head - sqrtl(square);
	out[1] = head + sqrtl(square);
}

static AbutExtendedMode mode_of(long double least, long double most)
{
	return least > 0.0L ? ABUT_EXTENDED_CLOSED : most > 0.0L ? ABUT_EXTENDED_PATH : ABUT_EXTENDED_OPEN;
}

static void choose_mode(AbutExtendedIsland *island, const AbutExtendedCone *cone)
{
	if (cone->kind != ABUT_CONE_ORTHANT) {
		long double d[2];
		eigenvalues(island, cone, d);
		island->modes[cone->z] = mode_of(d[0], d[1]);
		return;
	}
	for (int i = 0; i < cone->dim; i++) {
		const long double d = distance_of(island, cone->z + i, cone->weight);
		island->modes[cone->z + i] = mode_of(d, d);
	}
}

static void take_off(AbutExtendedIsland *island, const AbutExtendedContact *contact)
{
	for (int t = 0; t < contact->tail; t++) {
		const int edge = contact->friction_z + 1 + 2 * t;
		const AbutComplex common = fminl(creall(island->base[edge]), creall(island->base[edge + 1]));
		island->base[edge] -= common;
		island->base[edge + 1] -= common;
		island->slack[contact->friction_z] += 2.0L * common;
	}
}

/* Edges that stick: of a pair the one with force, and if there is none, either. */
static void hold_edges(AbutExtendedIsland *island, const AbutExtendedContact *contact)
{
	for (int t = 0; t < contact->tail; t++) {
		const int edge = contact->friction_z + 1 + 2 * t;
		const bool first = creall(island->base[edge]) >= creall(island->base[edge + 1]);
		island->modes[edge] = first ? ABUT_EXTENDED_CLOSED : ABUT_EXTENDED_OPEN;
		island->modes[edge + 1] = first ? ABUT_EXTENDED_OPEN : ABUT_EXTENDED_CLOSED;
	}
}

static bool sticks(const AbutExtendedIsland *island, const AbutExtendedContact *contact)
{
	return contact->tail > 0 && contact->pyramid && island->modes[contact->psi] == ABUT_EXTENDED_OPEN;
}

/* Needs the slacks at the solution. */
void abut_extended_choose_modes(AbutExtendedIsland *island)
{
	if (island->kappa > 0.0L) {
		return;
	}
	for (int i = 0; i < island->n_contacts; i++) {
		if (island->contacts[i].pyramid) {
			take_off(island, &island->contacts[i]);
		}
	}
	for (int i = 0; i < island->n_cones; i++) {
		choose_mode(island, &island->cones[i]);
	}
	for (int i = 0; i < island->n_contacts; i++) {
		AbutExtendedContact *contact = &island->contacts[i];
		if (sticks(island, contact)) {
			hold_edges(island, contact);
		}
		contact->pressed = island->modes[contact->z] == ABUT_EXTENDED_CLOSED;
		for (int k = 1; k < contact->n_cones; k++) {
			island->cones[contact->first_cone + k].left_out = !contact->pressed;
		}
		island->cones[contact->first_cone].left_out = !contact->pressed;
	}
}

static long double margin_of(const AbutExtendedIsland *island, const AbutExtendedCone *cone)
{
	long double d[2], margin = (long double)INFINITY;
	if (cone->kind != ABUT_CONE_ORTHANT) {
		eigenvalues(island, cone, d);
		return fminl(fabsl(d[0]), fabsl(d[1]));
	}
	for (int i = 0; i < cone->dim; i++) {
		margin = fminl(margin, fabsl(distance_of(island, cone->z + i, cone->weight)));
	}
	return margin;
}

/* Of a contact without force the gap alone counts. */
long double abut_extended_margin(const AbutExtendedIsland *island)
{
	long double margin = (long double)INFINITY;
	for (int i = 0; island->kappa == 0.0L && i < island->n_contacts; i++) {
		const AbutExtendedContact *contact = &island->contacts[i];
		const int n_cones = contact->pressed ? contact->n_cones : 1;
		for (int k = 0; k < n_cones; k++) {
			const AbutExtendedCone *cone = &island->cones[contact->first_cone + k];
			if (cone->z != contact->friction_z + 1 || !sticks(island, contact)) { /* these are its edges */
				margin = fminl(margin, margin_of(island, cone));
			}
		}
	}
	return margin;
}

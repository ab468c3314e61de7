/* Computes the growth distance of two spheres or capsules in closed form. With e and f half their axes (zero for a
 * sphere), the differences of their points are a parallelogram about the origin, padded by R = R_a + R_b:
 *
 *     C = { s e - t f : |s|, |t| <= 1 } + R ball,        h_C(n) = |n.e| + |n.f| + R    for |n| = 1.
 *
 * The ray along D leaves alpha C on a ball about a corner v, on a cylinder about an edge, or on one of two planes. On a
 * ball, and on a cylinder with D and v projected across the edge, D - alpha v has the length alpha R:
 *
 *     alpha = D.D / (D.v + sqrt((D.v)^2 - (v.v - R^2) D.D)),        n = (D - alpha v) / (alpha R).
 *
 * Every n gives a lower bound of alpha, n.D / h_C(n). The exact n is among the nine computed here; therefore the
 * largest bound is alpha. Tested in tests/collision/test_collide.c with all other pairs, and by comparison with scaled
 * axes. */
#include "collision/growth/rounds.h"

#include <math.h>

#include "base/vec3.h"

/* m^2. Below this square of the distance between the centres, products lose digits. */
static const double tiny_square = 1e-280;

typedef struct Rounds {
	double e[3], f[3], D[3], R;
	double alpha, found; /* the largest lower bound; the alpha that the surface of its normal gives */
	double n[3];
} Rounds;

bool abut_is_round(const AbutShape *shape)
{
	return shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_CAPSULE;
}

/* Computes half the axis of a sphere or capsule (world, m). */
static void half_axis(const AbutGrowthSide *side, double out[3])
{
	const double half = side->shape->kind == ABUT_SHAPE_CAPSULE ? 0.5 * side->shape->size[1] : 0.0;
	for (int i = 0; i < 3; i++) {
		out[i] = half * side->M[3 * i + 2];
	}
}

/* Tries a direction n, of any length, as the normal. `found` is the alpha of the surface to which n belongs. */
static void try_normal(Rounds *r, const double n[3], double found)
{
	const double length = abut_norm3(n);
	const double reach = fabs(abut_dot3(n, r->e)) + fabs(abut_dot3(n, r->f)) + length * r->R;
	const double bound = abut_dot3(n, r->D) / reach;
	if (length > 0.0 && bound > r->alpha) {
		r->alpha = bound;
		r->found = found;
		abut_divide3(n, length, r->n);
	}
}

/* Tries the ball about v. With D and v projected across an edge, tries the cylinder about it. */
static void try_round(Rounds *r, const double D[3], const double v[3])
{
	const double DD = abut_dot3(D, D), Dv = abut_dot3(D, v);
	const double square = Dv * Dv - (abut_dot3(v, v) - r->R * r->R) * DD;
	if (!(square >= 0.0) || !(Dv + sqrt(square) > 0.0)) {
		return;
	}
	const double alpha = DD / (Dv + sqrt(square));
	const double n[3] = {D[0] - alpha * v[0], D[1] - alpha * v[1], D[2] - alpha * v[2]};
	try_normal(r, n, alpha);
}

/* Tries the cylinders about the two edges that are parallel to `edge` and displaced by +-`other`. */
static void try_edges(Rounds *r, const double edge[3], const double other[3])
{
	const double square = abut_dot3(edge, edge);
	double D[3], v[3];
	if (!(square > 0.0)) {
		return;
	}
	const double along_D = abut_dot3(r->D, edge) / square, along_v = abut_dot3(other, edge) / square;
	for (int side = -1; side <= 1; side += 2) {
		abut_add_scaled3(r->D, -along_D, edge, D);
		abut_add_scaled3(other, -along_v, edge, v);
		abut_scale3(side, v, v);
		try_round(r, D, v);
	}
}

static void try_all(Rounds *r)
{
	double v[3], n[3];
	for (int corner = 0; corner < 4; corner++) {
		for (int i = 0; i < 3; i++) {
			v[i] = (corner & 1 ? -1.0 : 1.0) * r->e[i] + (corner & 2 ? -1.0 : 1.0) * r->f[i];
		}
		try_round(r, r->D, v);
	}
	try_edges(r, r->e, r->f);
	try_edges(r, r->f, r->e);
	abut_cross3(r->e, r->f, n);
	if (abut_dot3(n, r->D) < 0.0) {
		abut_scale3(-1.0, n, n);
	}
	try_normal(r, n, abut_dot3(n, r->D) / (abut_norm3(n) * r->R));
}

/* Returns s in [-1, 1] for w = D / alpha - R n = s e - t f. If e and f are parallel, s is not unique. Then the middle
 * of the values with t in [-1, 1] is returned. */
static double share_of_e(const Rounds *r)
{
	const double ee = abut_dot3(r->e, r->e), ff = abut_dot3(r->f, r->f), ef = abut_dot3(r->e, r->f);
	double w[3], low = -1.0, high = 1.0;
	if (!(ee > 0.0)) {
		return 0.0;
	}
	for (int i = 0; i < 3; i++) {
		w[i] = r->D[i] / r->alpha - r->R * r->n[i];
	}
	const double we = abut_dot3(w, r->e), wf = abut_dot3(w, r->f), determinant = ee * ff - ef * ef;
	if (determinant > 1e-12 * ee * ff) {
		return abut_min(abut_max((we * ff - wf * ef) / determinant, -1.0), 1.0);
	}
	const double reach = sqrt(ff / ee);
	low = abut_max(low, we / ee - reach);
	high = abut_min(high, we / ee + reach);
	return 0.5 * (low + high);
}

bool abut_rounds_solve(const AbutGrowthSide *a, const AbutGrowthSide *b, AbutGrowth *out)
{
	Rounds r = {.R = a->shape->size[0] + b->shape->size[0]};
	half_axis(a, r.e);
	half_axis(b, r.f);
	abut_sub3(b->centre, a->centre, r.D);
	if (!(abut_dot3(r.D, r.D) > tiny_square)) {
		return false;
	}
	try_all(&r);
	const double share = share_of_e(&r);
	out->alpha = r.alpha;
	out->error = fabs(r.found - r.alpha);
	out->height = fabs(abut_dot3(r.n, r.e)) + fabs(abut_dot3(r.n, r.f)) + r.R;
	out->supports = 1;
	for (int i = 0; i < 3; i++) {
		out->normal[i] = r.n[i];
		out->point[i] = a->centre[i] + r.alpha * (share * r.e[i] + a->shape->size[0] * r.n[i]);
	}
	return out->error <= 1e-12 * abut_max(1.0, r.alpha);
}

/* Checks the certificate that proves the answer of an exact query. */
#pragma once

#include <criterion/criterion.h>

#include "collide_pair.h"

static inline double sampled_distance(unsigned seed)
{
	AbutRng rng = {seed + 77777};
	return sample_log_uniform(&rng, 0.05, 5.0);
}

/* For any n, alpha >= n.D / (h_a(n) + h_b(-n)), with equality at the optimum. The point lies in both scaled shapes: no
 * direction separates it from either, and neither does the normal. The gap is along the normal. */
static inline void check_certificate(const CollidePair *pair, const AbutCollisionResult *r, const char *start,
                                     unsigned seed)
{
	const double size = pair->shape[0]->outer_radius + pair->shape[1]->outer_radius;
	double centre[2][3], back[3], apart[3];
	cr_assert_eq(r->outcome, ABUT_OUTCOME_EXACT, "%s, seed %u, %s: not exact, error %g", pair_name(pair), seed,
	             start, r->error);
	for (int i = 0; i < 2; i++) {
		pair_centre(pair, i, centre[i]);
	}
	for (int j = 0; j < 3; j++) {
		apart[j] = centre[1][j] - centre[0][j];
		back[j] = -r->normal[j];
	}
	const double reach = pair_reach(pair, 0, r->normal) + pair_reach(pair, 1, back);
	const double bound = abut_dot3(r->normal, apart) / reach;
	cr_assert_float_eq(abut_norm3(r->normal), 1.0, 1e-12, "%s, seed %u, %s", pair_name(pair), seed, start);
	cr_assert_float_eq(r->scaling, bound, 1e-10 * fmax(1.0, bound), "%s, seed %u, %s: %.15g, certified %.15g",
	                   pair_name(pair), seed, start, r->scaling, bound);
	cr_assert_float_eq(r->gap, (r->scaling - 1.0) * reach, 1e-9 * size * fmax(1.0, r->scaling), "%s, seed %u, %s",
	                   pair_name(pair), seed, start);
	AbutRng rng = {seed};
	for (int k = 0; k < 50; k++) {
		for (int i = 0; i < 2; i++) {
			double n[3], from[3];
			sample_unit(3, &rng, n);
			for (int j = 0; j < 3; j++) {
				n[j] = k == 0 ? (i == 0 ? r->normal[j] : back[j]) : n[j];
				from[j] = r->point[j] - centre[i][j];
			}
			const double excess = abut_dot3(n, from) - r->scaling * pair_reach(pair, i, n);
			cr_assert_leq(excess, 1e-9 * size * fmax(1.0, r->scaling),
			              "%s, seed %u, %s: point %g outside shape %d", pair_name(pair), seed, start,
			              excess, i);
		}
	}
}

/* Differentiates the axes of a contact and velocities along them with respect to the normal and the arms, for the
 * methods lcp and convex. */
#pragma once

#include "base/vec3.h"
#include "dynamics/methods/manifold/island.h"

/* Computes the changes of n, t1 = (c - (c.n) n) / |...| and t2 = n x t1 as n changes by dn. */
static inline void abut_lcp_turn_axes(const AbutLcpContact *contact, const double dn[3], double d[3][3])
{
	const double *n = contact->axes[0], *t1 = contact->axes[1], *c = contact->reference;
	const double cn = abut_dot3(c, n), dcn = abut_dot3(c, dn), length = sqrt(1.0 - cn * cn);
	double raw[3], first[3], second[3];
	for (int i = 0; i < 3; i++) {
		raw[i] = -(dcn * n[i] + cn * dn[i]) / length;
	}
	const double along = abut_dot3(t1, raw);
	abut_copy3(dn, d[0]);
	abut_add_scaled3(raw, -along, t1, d[1]);
	abut_cross3(dn, t1, first);
	abut_cross3(n, d[1], second);
	abut_add3(first, second, d[2]);
}

/* The velocity of side 1 relative to side 0 at the point, and its change as the arms change. */
typedef struct AbutLcpSight {
	double speed[3], change[3];
} AbutLcpSight;

static inline void abut_lcp_see(AbutLcpSight *sight, double sign, const double v[3], const double w[3],
                                const double arm[3], const double d_arm[3])
{
	double turned[3], change[3];
	abut_cross3(w, arm, turned);
	abut_cross3(w, d_arm, change);
	for (int i = 0; i < 3; i++) {
		sight->speed[i] += sign * (v[i] + turned[i]);
		sight->change[i] += sign * change[i];
	}
}

/* Returns the change of J v in the row along an axis, which itself changes by d_axis. */
static inline double abut_lcp_change_along(const AbutLcpSight *sight, const double axis[3], const double d_axis[3])
{
	return abut_dot3(d_axis, sight->speed) + abut_dot3(axis, sight->change);
}

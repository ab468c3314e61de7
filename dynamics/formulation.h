/* Numbers of the formulation in which the setting that was published with the single-level paper differs from the one
 * that converges (docs/formulation.md 3 and 11). */
#ifndef DYNAMICS_FORMULATION_H
#define DYNAMICS_FORMULATION_H

#include <stdbool.h>

typedef struct AbutFormulation {
	/* SI units instead of the scene's own; a polytope's rows of unit length, scaled about its frame's origin
	 * instead of its centre of mass; every pair solved for, near or far; contact impulses with the raw normal, not
	 * the soft one, times gamma; steps from rest instead of free flight. */
	bool published;
	double weight_contact, weight_friction; /* w_c, w_f */
	double boundary;                        /* share of the way to the cones' boundary that a step from cold goes */
} AbutFormulation;

/* At 0.95 twice as many of the published drops jam at 10 Hz; at 0.9 they take 3 % more iterations. */
static const AbutFormulation abut_formulation_default = {false, 10.0, 0.1, 0.95},
                             abut_formulation_published = {true, 1.0, 1.0, 0.92};

/* The soft normal n / sqrt(|n|^2 + sigma^2) with a sigma this large is n / sigma, and sigma times it the raw one, to
 * rounding. */
static const double abut_raw_sigma = 1e8;

#endif

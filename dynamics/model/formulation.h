/* Numbers of the formulation in which the setting that was published with the single-level paper differs from the one
 * that converges (docs/formulation.md 3 and 11). */
#ifndef DYNAMICS_MODEL_FORMULATION_H
#define DYNAMICS_MODEL_FORMULATION_H

#include <stdbool.h>

typedef struct AbutFormulation {
	/* SI units instead of the scene's own; a polytope's rows of unit length, scaled about its frame's origin
	 * instead of its centre of mass; every pair solved for, near or far; contact impulses with the raw normal, not
	 * the soft one, times gamma; steps from rest instead of free flight. */
	bool published;
	double weight_contact, weight_friction; /* w_c, w_f */
} AbutFormulation;

static const AbutFormulation abut_formulation_default = {false, 10.0, 0.1},
                             abut_formulation_published = {true, 1.0, 1.0};

/* The soft normal n / sqrt(|n|^2 + sigma^2) with a sigma this large is n / sigma, and sigma times it the raw one, to
 * rounding. */
static const double abut_raw_sigma = 1e8;

#endif

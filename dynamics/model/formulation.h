/* Settings in which the single-level paper differs from the default formulation, which converges (docs/formulation.md 3
 * and 11). */
#pragma once

#include <stdbool.h>

typedef struct AbutFormulation {
	/* The setting of the paper: SI units are used instead of the scene's own. Rows of a polytope have unit length,
	 * and it is scaled about the origin of its frame instead of its centre of mass. Every pair is solved for, near
	 * or far. Contact impulses are gamma times the raw normal instead of the soft one. Steps start from rest
	 * instead of free flight. */
	bool published;
	double weight_contact, weight_friction; /* weights w_c of the gap and w_f of the slip */
} AbutFormulation;

static const AbutFormulation abut_formulation_default = {false, 10.0, 0.1},
                             abut_formulation_published = {true, 1.0, 1.0};

/* A sigma so large that the soft normal n / sqrt(|n|^2 + sigma^2) equals n / sigma up to rounding. Multiplied by sigma,
 * it is the raw normal. */
static const double abut_raw_sigma = 1e8;

/* Settings of the formulation that differ between the single-level paper and the default, which converges
 * (docs/formulation.md 3 and 11). */
#ifndef DYNAMICS_MODEL_FORMULATION_H
#define DYNAMICS_MODEL_FORMULATION_H

#include <stdbool.h>

typedef struct AbutFormulation {
	/* The paper's setting. SI units instead of the scene's own. A polytope's rows have unit length, and it is
	 * scaled about its frame's origin instead of its centre of mass. Every pair is solved for, near or far. Contact
	 * impulses are gamma times the raw normal instead of the soft one. Steps start from rest instead of free
	 * flight. */
	bool published;
	double weight_contact, weight_friction; /* w_c, w_f */
} AbutFormulation;

static const AbutFormulation abut_formulation_default = {false, 10.0, 0.1},
                             abut_formulation_published = {true, 1.0, 1.0};

/* With a sigma this large, the soft normal n / sqrt(|n|^2 + sigma^2) is n / sigma to rounding; times sigma it is the
 * raw normal. */
static const double abut_raw_sigma = 1e8;

#endif

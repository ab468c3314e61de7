/* Couplings of a model: q_a = ratio q_b + offset for two freedoms of joints, in model units. */
#pragma once

#include "abut/joint.h"
#include "dynamics/model/method.h"
#include "dynamics/model/model.h"

typedef struct AbutCoupling {
	int joint[2], axis[2];
	double factor[2]; /* of q_a and q_b in the held value: 1, -ratio */
	double offset;
	bool turns;        /* q_a is a turn; otherwise a length */
	bool yields;       /* a spring of method convex holds it */
	bool tendon;       /* the mobility is that of the coupling; otherwise the sum of those of both freedoms */
	AbutSoftness soft; /* SI */
	double mobility;   /* rate of the held value per impulse (dynamics/joint/mobility.h) */
} AbutCoupling;

/* A coupling couples four pairs of bodies: each body of its first joint, k / 2, with each of its second, k % 2. */
enum { ABUT_COUPLING_PAIRS = 4 };

/* Returns factor[0] q_a + factor[1] q_b - offset, which a coupling holds at 0. */
static inline double abut_coupling_value(const AbutCoupling *coupling, double a, double b)
{
	return coupling->factor[0] * a + coupling->factor[1] * b - coupling->offset;
}

/* Checks the couplings. Call after the joints are checked. The error's `where` is a path inside the scene file, such
 * as "couplings[3].ratio". */
AbutStatus abut_couplings_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error);
/* Compiles the couplings of a checked definition. Call after the joints are compiled. */
AbutStatus abut_couplings_create(const AbutSceneDef *def, AbutModel *model, AbutError *error);
/* Copies the couplings to a copy of the model, whose own array is NULL. */
AbutStatus abut_couplings_copy(const AbutModel *from, AbutModel *copy, AbutError *error);

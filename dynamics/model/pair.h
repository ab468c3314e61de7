/* Which parts may touch, and their contact's values. A pair is computed from its two parts when they come near each
 * other: a model of n bodies stores nothing for its n^2 pairs. */
#ifndef DYNAMICS_MODEL_PAIR_H
#define DYNAMICS_MODEL_PAIR_H

#include "dynamics/model/model.h"

/* A pair of parts. Side 0 is a moving body's bounded part, side 1 the other part. */
typedef struct AbutPair {
	int body[2], part[2]; /* part: index into AbutModel.parts */
	bool flipped;         /* side 0 is the user's b */
	double mu;            /* friction coefficient */
	double restitution;
	double torsional_radius;
	const AbutSoftness *soft; /* the model's, or a rule's */
	double outer_radius;      /* sum of both parts' outer radii */
	double scale;             /* R: the same for the original shapes */
	int tail; /* rows of slip: 0 without friction, 2, or 3 with torsion; in the published setting 1 in a plane */
	int n_y, n_z, n_cones, n_law, n_side; /* sizes of its contact; n_side: side memory of both sides */
} AbutPair;

/* Returns the softness from the options, with the values that the pair (may be NULL) overrides. */
AbutSoftness abut_softness(const AbutSolverOptions *options, const AbutPairDef *pair);

/* Makes the model's pair rules from the definition, after its bodies and parts, and counts the pairs that may touch. */
AbutStatus abut_pair_rules_create(const AbutSceneDef *def, AbutModel *model, AbutError *error);

/* Returns the initial room for contacts of a state or workspace. */
AbutRoom abut_pair_room(const AbutModel *model);

/* Returns `contacts` times `each`, limited to a reasonable size; beyond it the room grows. */
static inline int abut_room_total(int64_t contacts, int each)
{
	const int64_t most = 1 << 24;
	return (int)(contacts * each < most ? contacts * each : most);
}

/* Returns whether two parts, first < second, may touch. */
bool abut_pair_allowed(const AbutModel *model, int first, int second);
/* Makes the pair of two parts. Returns false if they may not touch. */
bool abut_pair_make(const AbutModel *model, int first, int second, AbutPair *pair);

/* Return the friction coefficient of two bodies, and the torsional radius of two parts (model units, not negative), as
 * their pairs have them unless friction is off. */
double abut_pair_friction(const AbutModel *model, int body_a, int body_b);
double abut_pair_torsional_radius(const AbutModel *model, int part_a, int part_b);

#endif

/* Which parts may touch, and what their contact is made of. A pair is a function of its two parts, made when they come
 * near each other: a model of n bodies keeps nothing for its n^2 pairs. */
#ifndef DYNAMICS_MODEL_PAIR_H
#define DYNAMICS_MODEL_PAIR_H

#include "dynamics/model/model.h"

/* Side 0 is a moving body's bounded part, side 1 the other. */
typedef struct AbutPair {
	int body[2], part[2]; /* part: into AbutModel.parts */
	bool flipped;         /* side 0 is the user's b */
	double mu;            /* friction coefficient */
	double restitution;
	double torsional_radius;
	const AbutSoftness *soft;             /* the model's, or a rule's */
	double outer_radius;                  /* sum of both parts' outer radii */
	double scale;                         /* R: the same, of the shapes that the model was made with */
	int tail;                             /* rows of slip: 0 without friction, 2, or 3 with torsion; 1 in a
	                                         plane, as published */
	int n_y, n_z, n_cones, n_law, n_side; /* sizes of its contact; n_side: memory of both sides */
} AbutPair;

/* What the options say, and of it what a pair (NULL: none) says otherwise. */
AbutSoftness abut_softness(const AbutSolverOptions *options, const AbutPairDef *pair);

/* The rules of a definition into the model, whose bodies and parts are there; counts the pairs that may touch. */
AbutStatus abut_pair_rules_create(const AbutSceneDef *def, AbutModel *model, AbutError *error);

/* Returns the room for contacts that a state or workspace begins with. */
AbutRoom abut_pair_room(const AbutModel *model);

/* Returns `contacts` times `each`, but nothing out of proportion: what is more comes by growth. */
static inline int abut_room_total(int64_t contacts, int each)
{
	const int64_t most = 1 << 24;
	return (int)(contacts * each < most ? contacts * each : most);
}

/* Whether two parts, first < second, may touch. */
bool abut_pair_allowed(const AbutModel *model, int first, int second);
/* The pair of the two; false when they may not touch. */
bool abut_pair_make(const AbutModel *model, int first, int second, AbutPair *pair);

/* Friction coefficient of two bodies, and torsional radius of two parts (model units; not negative): what a pair of
 * theirs is made with, unless friction is switched off. */
double abut_pair_friction(const AbutModel *model, int body_a, int body_b);
double abut_pair_torsional_radius(const AbutModel *model, int part_a, int part_b);

#endif

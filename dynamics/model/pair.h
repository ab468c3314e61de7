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

/* Room for contacts that a state or workspace begins with: for all that a small scene may have; a large one has fewer
 * than its parts allow, and grows where it has not. */
typedef struct AbutRoom {
	int contacts, n_y, n_z, n_law, n_cones, n_side; /* the last five: of all of them together */
} AbutRoom;
AbutRoom abut_pair_room(const AbutModel *model);

/* Room and sizes by method (dynamics/methods/table.h): of contacts by the shapes' cones, by points fixed to bodies, and
 * what lcp remembers. */
AbutRoom abut_pair_room_cones(const AbutModel *model, int contacts);
AbutRoom abut_pair_room_points(const AbutModel *model, int contacts);
AbutRoom abut_pair_room_lcp(const AbutModel *model, int contacts);
void abut_pair_size_cones(const AbutModel *model, AbutPair *pair);
void abut_pair_size_points(const AbutModel *model, AbutPair *pair);
void abut_pair_size_lcp(const AbutModel *model, AbutPair *pair);

/* Whether two parts, first < second, may touch. */
bool abut_pair_allowed(const AbutModel *model, int first, int second);
/* The pair of the two; false when they may not touch. */
bool abut_pair_make(const AbutModel *model, int first, int second, AbutPair *pair);

/* Friction coefficient of two bodies, and torsional radius of two parts (model units; not negative): what a pair of
 * theirs is made with, unless friction is switched off. */
double abut_pair_friction(const AbutModel *model, int body_a, int body_b);
double abut_pair_torsional_radius(const AbutModel *model, int part_a, int part_b);

#endif

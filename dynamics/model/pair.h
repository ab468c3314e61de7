/* Which parts may touch, and the values of their contact. A pair is computed from its two parts when they come near
 * each other, so a model of n bodies stores nothing for its n^2 pairs. */
#pragma once

#include "dynamics/model/rules.h"

/* A pair of parts. Side 0 is a bounded part of a moving body; side 1 is the other part. */
typedef struct AbutPair {
	int body[2], part[2];           /* part: indices into AbutModel.parts */
	bool flipped;                   /* side 0 belongs to the user's body b */
	bool own_friction, own_torsion; /* the scene gives them for these two parts */
	double mu;                      /* friction coefficient */
	double restitution;
	double torsional_radius;
	const AbutSoftness *soft; /* the model's values, or those of a rule */
	double outer_radius;      /* sum of both parts' outer radii */
	double scale;             /* R, sum of both parts' `scale`: the outer radii of the original shapes */
	int tail; /* friction impulses: 0 without friction, 2, or 3 with torsion; in the published setting 1 in a plane
	           */
	int n_y, n_z, n_cones, n_law, n_side; /* sizes of its contact; n_side: memory of both sides */
} AbutPair;

/* Returns the softness of a joint's limits or dry friction. */
AbutSoftness abut_joint_softness(const AbutSolverOptions *options, const AbutJointSpring *spring);

/* Returns the initial memory sizes for contacts of a state or workspace. */
AbutRoom abut_pair_room(const AbutModel *model);

/* Returns `contacts` times `each`, but at most a reasonable size; beyond it, memory grows when needed. */
static inline int abut_room_total(int64_t contacts, int each)
{
	const int64_t most = 1 << 24;
	return (int)(contacts * each < most ? contacts * each : most);
}

/* Returns whether two parts, first < second, may touch. */
bool abut_pair_allowed(const AbutModel *model, int first, int second);
/* Computes the pair of two parts, first < second. Returns false if they may not touch. */
bool abut_pair_make(const AbutModel *model, int first, int second, AbutPair *pair);

/* Return the friction coefficient of two parts, of two bodies where nothing is said of their parts, and the torsional
 * radius of two parts (model units, not negative). These are the values that their pairs have, unless friction is off.
 */
double abut_part_friction(const AbutModel *model, int part_a, int part_b);
double abut_pair_friction(const AbutModel *model, int body_a, int body_b);
double abut_pair_torsional_radius(const AbutModel *model, int part_a, int part_b);
/* Returns the springs of the contacts of two parts. */
const AbutSoftness *abut_part_softness(const AbutModel *model, int part_a, int part_b);

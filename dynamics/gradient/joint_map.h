/* Computes the matrix of a joint from its linearised laws. */
#pragma once

#include "dynamics/gradient/joint/linear.h"
#include "dynamics/gradient/part.h"

/* Sets the sizes of the joint's matrix and carves it from the arena. */
void abut_joint_map_carve(const AbutJointLinear *linear, const AbutGradientAsk *ask, AbutArena *arena,
                          AbutEdgeMap *out);

/* Fills the carved matrix at the iterate. The bodies of `part` are filled. `rates` receives the effect of the
 * velocities at the start, one entry for each freedom counted by abut_joint_map_rates. */
void abut_joint_map_fill(const AbutJointLinear *linear, const AbutGradientAsk *ask, const AbutIterate *it,
                         const AbutGradientPart *part, AbutEdgeMap *out, AbutGradientRate *rates);

/* A soft law of a freedom with the row row0 at the start of the step, along which its impulse acts:
 *
 *     d impulse = -stiffness d(r+ - r) - before d(row0 v0) + by_start dc0,
 *
 * with the rates r+ and r of the coordinate in the step and in the one before, the velocities v0 at the start, and the
 * coordinate c0 there. */
typedef struct AbutJointSoftLaw {
	AbutJointWork *work;
	int axis;
	double impulse, stiffness, before, by_start;
} AbutJointSoftLaw;

enum { ABUT_JOINT_SOFT_RATES = 2 };

/* Carves and fills the matrix of a soft law, and its entries of AbutGradientPart.rates. */
void abut_joint_map_carve_soft(const AbutJointSoftLaw *law, AbutArena *arena, AbutEdgeMap *out);
void abut_joint_map_fill_soft(const AbutJointSoftLaw *law, double timestep, AbutEdgeMap *out);
void abut_joint_map_fill_rates(const AbutJointSoftLaw *law, const AbutGradientPart *part, AbutGradientRate *rates);

/* Returns the number of freedoms whose laws depend on the rate in the step before. */
int abut_joint_map_rates(const AbutJointLinear *linear);

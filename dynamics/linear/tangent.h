/* How the bodies of a robot move with its coordinates: the derivatives of poses and velocities at one end of a step. */
#pragma once

#include "base/lanes.h"
#include "dynamics/robot/robot.h"

/* A freedom seen at its link: displacement of the link's centre of mass, and turn (world), per change of the
 * coordinate. */
typedef struct AbutTangentColumn {
	double now[6], past[6];
} AbutTangentColumn;

/* A link at a pose, and a step before it. Small turns phi about the body's own axes and changes of its spin omega give
 *
 *     phi- = turn phi + spin domega,      domega = unspin (phi- - turn phi),
 *
 * and the changes of the three turns of a ball or base, c, and of their rates, those of the past ones: c- = own_turn c
 * + own_spin dc'. */
typedef struct AbutTangentLink {
	double timestep;            /* s, of the step that ends here */
	double R[9], past_R[9];     /* body axes */
	double arm[3], past_arm[3]; /* from the centre of mass of the near body to that of the link */
	double turn[9], spin[9], unspin[9];
	double by_rate[ABUT_ROBOT_BASE]; /* change of each past coordinate by its rate, if it is none of three turns */
	double own_turn[9], own_spin[9]; /* of links with three turns (`turns` >= 0) */
	int turns;                       /* first of the three freedoms, counted in the link; -1: there are none */
} AbutTangentLink;

/* The robot at a motion. */
typedef struct AbutTangent {
	const AbutRobot *robot;
	AbutTangentLink *links;     /* (n_links) */
	AbutTangentColumn *columns; /* (n_v) */
	AbutColumn *now, *past;     /* (n_v) points are seen from the link's centre of mass */
} AbutTangent;

/* Computes the derivatives at the motions of the moving bodies, whose positions are those of the centres of mass.
 * `timestep` (s) lists the length of the step that ends with each. Overwrites the poses and columns of the robot. */
void abut_tangent_place(AbutRobot *robot, const AbutBodyState *motion, const double *timestep, AbutTangent *out);

/* Computes eight changes of the bodies' states from eight changes of the coordinates and rates, `by` (2 n_v), with
 * inputs of 0, into `change` (18 n_moving; SI). `scratch` has 12 entries for each link. */
void abut_tangent_spread(const AbutTangent *tangent, const AbutLanes *by, AbutLanes *scratch, AbutLanes *change);
/* Computes the gradients of eight costs by coordinates and rates, `out` (2 n_v), from those by the bodies' states, the
 * first 12 of each body's 18 entries of `by` (18 n_moving). `scratch` has 12 entries for each link. */
void abut_tangent_gather(const AbutTangent *tangent, const AbutLanes *by, AbutLanes *scratch, AbutLanes *out);

/* A body's share of the derivative of a step. Model units, world axes. */
#ifndef DYNAMICS_GRADIENT_BODY_H
#define DYNAMICS_GRADIENT_BODY_H

#include "dynamics/body/body.h"

/* What a body's rows and columns are made of. */
typedef struct AbutGradientBody {
	double timestep, mass, least_inertia;
	double kept_mass; /* by which the momentum follows the old velocity: 0 of a quasi-static body */
	bool planar;
	double axes[9];    /* row k: what it takes of a small turn about its own axis k */
	double carried[9]; /* row k: the turn of the next pose with that of the start */
	double turned[9];  /* row k: of the angular balance's right side, with that turn */
	double spun[9];    /* row k: the same with the old spin about its own axis k */
	double pushed[9];  /* row k: with a torque about its own axis k */
	double G[9];       /* small turn of the next pose by w+ */
	double R0[9], R[9];
	double x[3], v[3], w[3]; /* next place, velocities */
	double turn[4];          /* quaternion of R R0' */
	double from[4];          /* orientation at the start */
} AbutGradientBody;

/* Computes the share of a body at its solution. */
void abut_gradient_body(const AbutBodyWork *work, double timestep, AbutGradientBody *out);

#endif

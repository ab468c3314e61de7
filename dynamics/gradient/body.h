/* Computes a body's share of the derivative of a step. Model units, world axes. */
#pragma once

#include "dynamics/body/body.h"

/* A body's contribution to the rows and columns of the derivative. "Row k" is the contribution of a small turn, spin or
 * torque about the body's own axis k. Balances are those of dynamics/body/balance.c. */
typedef struct AbutGradientBody {
	double timestep, mass, least_inertia;
	double kept_mass; /* mass that multiplies the old velocity: 0 for a quasi-static body */
	bool planar;
	double axes[9];    /* row k: the body's own axis k at the start; for a planar body its y component only */
	double carried[9]; /* row k: small turn of the next pose, at fixed velocities, per turn of the start */
	double turned[9];  /* row k: right side of the angular balance, per turn of the start */
	double spun[9];    /* row k: right side of the angular balance, per old spin */
	double pushed[9];  /* row k: right side of the angular balance, per torque */
	double G[9];       /* derivative of the next pose's small turn with respect to w+ */
	double R0[9], R[9];
	double x[3], v[3], w[3]; /* next position of the centre of mass, next velocities */
	double turn[4];          /* quaternion of R R0' */
	double from[4];          /* orientation at the start */
} AbutGradientBody;

/* Computes the share of a body at its solution. */
void abut_gradient_body(const AbutBodyWork *work, double timestep, AbutGradientBody *out);

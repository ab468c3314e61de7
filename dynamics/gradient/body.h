/* A body's share of the derivative of a step. Model units, world axes. */
#ifndef DYNAMICS_GRADIENT_BODY_H
#define DYNAMICS_GRADIENT_BODY_H

#include "dynamics/body/body.h"

/* The parts of a body's rows and columns. */
typedef struct AbutGradientBody {
	double timestep, mass, least_inertia;
	double kept_mass; /* mass that carries the old velocity over: 0 for a quasi-static body */
	bool planar;
	double axes[9];    /* row k: its part of a small turn about its own axis k */
	double carried[9]; /* row k: turn of the next pose for that of the start */
	double turned[9];  /* row k: right side of the angular balance for that turn */
	double spun[9];    /* row k: the same for the old spin about its own axis k */
	double pushed[9];  /* row k: the same for a torque about its own axis k */
	double G[9];       /* small turn of the next pose by w+ */
	double R0[9], R[9];
	double x[3], v[3], w[3]; /* next place, velocities */
	double turn[4];          /* quaternion of R R0' */
	double from[4];          /* orientation at the start */
} AbutGradientBody;

/* Computes the share of a body at its solution. */
void abut_gradient_body(const AbutBodyWork *work, double timestep, AbutGradientBody *out);

#endif

/* The body during a step, a node of the island's graph. Model units; angular velocities in world axes. */
#ifndef DYNAMICS_BODY_BODY_H
#define DYNAMICS_BODY_BODY_H

#include <stdbool.h>

/* A static body has moving < 0 and no velocity. */
typedef struct AbutBodyWork {
	int body;                      /* index in the model */
	int moving;                    /* index among the island's moving bodies; negative for a static body */
	bool planar;                   /* no motion along y, no rotation about x and z */
	bool quasi_static;             /* v0 and w0 are zero, whatever the state's velocity */
	double radius;                 /* of the sphere about the centre of mass that contains the body */
	double mass, inertia[9];       /* world axes at the start of the step, constant in the step */
	double least_inertia;          /* smallest principal moment, or a lower bound close to it */
	double x0[3], R0[9];           /* pose at the start */
	double v0[3], w0[3];           /* velocity at the start */
	double momentum[6];            /* value of m v+ and of its angular counterpart without contact */
	double full_momentum[6];       /* `momentum` before a homotopy reduces it (dynamics/solve/degrees.c) */
	double v[3], w[3], x[3], R[9]; /* at the iterate */
	double moved_by;               /* timestep of the last abut_body_move; 0: none */
	double psi[3], cosine;         /* psi = dt w / 2 and sqrt(1 - psi.psi) */
	double G[9];                   /* derivative of the next pose's rotation by w */
	double past[2][6];             /* linear and angular velocity one step and two steps ago */
	double last_timestep;          /* length of the last step or part of a step; 0: no last solution */
} AbutBodyWork;

#endif

/* A body during a step: a node of the island's graph. Model units; angular velocities in world axes. */
#ifndef DYNAMICS_BODY_BODY_H
#define DYNAMICS_BODY_BODY_H

#include <stdbool.h>

/* A static body has moving < 0 and no velocity. */
typedef struct AbutBodyWork {
	int body;                      /* in the model */
	int moving;                    /* place among the island's moving bodies, negative when static */
	bool planar;                   /* no motion along y, no turn about x and z */
	bool quasi_static;             /* v0 and w0 are zero, whatever the state's velocity */
	double radius;                 /* of the sphere about the centre of mass that holds the body */
	double mass, inertia[9];       /* world axes at the start of the step, constant in the step */
	double least_inertia;          /* smallest principal moment, or a little less */
	double x0[3], R0[9];           /* pose at the start */
	double v0[3], w0[3];           /* velocity at the start */
	double momentum[6];            /* what m v+ and the turn's counterpart must equal without contact */
	double full_momentum[6];       /* the same, while it is brought in by degrees (degrees.c) */
	double v[3], w[3], x[3], R[9]; /* at the iterate */
	double moved_by;       /* timestep for which v, w and what follows from them hold; 0: none since the start */
	double psi[3], cosine; /* half turn dt w / 2, sqrt(1 - psi.psi) */
	double G[9];           /* small turn of the next pose per change of w */
	double past[2][6];     /* linear and angular velocity before the last step, and before the one before it */
	double last_timestep;  /* of the last step, or part of one; 0: there is no last solution */
} AbutBodyWork;

#endif

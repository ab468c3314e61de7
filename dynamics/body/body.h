/* A body during a step: a node of its island's graph. All values are in model units; angular velocities are in world
 * axes. */
#pragma once

#include <stdbool.h>

/* How the torques of a body's joints change with a turn of the body (dynamics/joint/direction.h). */
typedef struct AbutTurnStiffness {
	double K[9];
	double load; /* dt^2 times the square of the largest frequency that K causes, or more; negative: unknown */
} AbutTurnStiffness;

/* A static body has `moving` < 0 and no velocity. */
typedef struct AbutBodyWork {
	int body;                      /* index in the model */
	int moving;                    /* index among the island's moving bodies; negative for a static body */
	bool planar;                   /* no motion along y, no rotation about x and z */
	bool quasi_static;             /* v0 and w0 are set to zero, whatever the state's velocity */
	double radius;                 /* of the sphere about the centre of mass that contains the body */
	double mass, inertia[9];       /* inertia: world axes at the start of the step, constant in the step */
	double least_inertia;          /* smallest principal moment of inertia, or slightly less */
	double x0[3], R0[9];           /* pose at the start of the step */
	double v0[3], w0[3];           /* velocity at the start of the step */
	double momentum[6];            /* linear and angular momentum after the step if there is no contact; world */
	double full_momentum[6];       /* `momentum` before a homotopy reduces it (dynamics/solve/degrees.c) */
	double v[3], w[3], x[3], R[9]; /* velocity and pose at the iterate */
	double moved_by;               /* timestep of the last abut_body_move; 0: none */
	double psi[3], cosine;         /* psi = dt w / 2, cosine = sqrt(1 - psi.psi) */
	double G[9];                   /* rotation of the next pose per change of w (balance.c) */
	double past[2][6];             /* linear and angular velocity one step and two steps ago */
	AbutTurnStiffness stiffness;   /* of its joints' torques against a turn */
	double last_timestep;          /* length of the last step or part of a step; 0: no last solution */
} AbutBodyWork;

/* Returns the world as a static body, for joints. */
static inline AbutBodyWork abut_body_world(void)
{
	return (AbutBodyWork){
	    .body = -1, .moving = -1, .R0 = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

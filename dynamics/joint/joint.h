/* A joint of an island during a step: an edge between two bodies, like a contact. All values are in model units;
 * angular velocities are in world axes.
 *
 * Unknowns of the joint, in y and z:
 *
 *     impulses lambda of the held rows
 *     per freedom, in y:  impulse of a free servo, psi of friction, psi of a limited servo
 *     per freedom, in z:  both limits, friction (1, b), limited servo (1, m); of a ball's bounds: the limits
 *
 * Equations, in r and H:
 *
 *     k(z+) / dt
 *     per freedom, in r:  the free servo, 1 - head of friction, 1 - head of the limited servo
 *     per freedom, in H:  w_l (c+ - lower), w_l (upper - c+), (psi, slip) of friction and of the limited servo
 *
 * The spins of a ball share their friction and their limited servo, whose b and m have three entries (spin.h).
 *
 * The bodies receive the impulses along their rows g, a mean of the rows at the start and at the end of the step
 * (direction.h). */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/joint/law.h"
#include "dynamics/model/joint.h"
#include "dynamics/state/joint_memory.h"

/* Places of a joint's unknowns in those of the island. */
typedef struct AbutJointPlaces {
	int y, z;
} AbutJointPlaces;

enum { ABUT_JOINT_UNKNOWNS = 9 }; /* most unknowns y of a joint */

/* A row in the columns of both bodies: 6 of the parent, 2 right-hand sides, 6 of the child, 2 unused (ABUT_ROW). */
typedef double AbutJointColumns[ABUT_ROW];

/* A clipped impulse of the spins of a ball (spin.h): b has three entries after the head, and so has u. */
typedef struct AbutSpinClip {
	AbutClipped clip;
	double u[3];
} AbutSpinClip;

/* What only a ball has; undefined for other joints. */
typedef struct AbutJointBall {
	double from[9];   /* the turn of the child's frame in the parent's at the start, of spins */
	double theta;     /* share of the rows at the end in g, of its bounds (direction.h) */
	double target[3]; /* of the motor, as given; model units */
	AbutSpinClip clip[ABUT_CLIPS];
	double stiffness[9]; /* of the clips, beside that of each spin */
} AbutJointBall;

/* What theta follows from (direction.h). */
typedef struct AbutJointLoad {
	double body[2];      /* before the solve, of both bodies */
	double theta_before; /* theta before the solution asked for more */
} AbutJointLoad;

typedef struct AbutJointWork {
	const AbutJoint *joint;
	AbutJointMemory *last; /* the last solution; after the step, the new one */
	AbutBodyWork *body[2]; /* parent and child; a static body or the world has moving < 0 */
	const AbutCone *cones; /* cones of the laws */
	AbutJointPlaces at;
	double theta; /* share of the rows at the end in g */
	AbutJointLoad load;
	bool turned_g;                      /* g is not `start` */
	double d0[3];                       /* position of the child minus that of the parent at the start; world */
	double share;                       /* of the parent in the arms at the end (direction.h) */
	double regular[2];                  /* delta / C of held lengths and turns: what stands for the compliance 0 */
	AbutJointPose pose;                 /* at the iterate */
	AbutJointRow rows[ABUT_JOINT_ROWS]; /* at the iterate: held, then free */
	double lever[2][3];                 /* from each body's centre to where the impulse acts; world */
	double start_arm[2][3];             /* levers at the start */
	double shift[2][3];                 /* of the levers at the end in g (direction.h) */
	double impulse[ABUT_JOINT_ROWS];    /* of all rows: held, then free */
	double residual[ABUT_JOINT_UNKNOWNS];    /* r for which the joint was condensed */
	AbutJointTurn near[ABUT_JOINT_FREEDOMS]; /* turns at the start */

	AbutJointColumns start[ABUT_JOINT_ROWS]; /* rows g at the start, geometric */
	AbutJointColumns end[ABUT_JOINT_ROWS];   /* the same at the iterate */
	AbutJointColumns g[ABUT_JOINT_ROWS];     /* impulses on the bodies */
	AbutJointColumns
	    j[ABUT_JOINT_ROWS]; /* derivative of the rate by the bodies' velocities; lanes: of the impulse */

	AbutJointAxisWork axis[ABUT_JOINT_LAWS];
	AbutJointBall ball;
} AbutJointWork;

/* First columns of the parent and of the child in a row. */
static const int abut_joint_column[2] = {0, ABUT_SIDE_1};

/* Returns whether the joint is a ball with limits. */
static inline bool abut_joint_bounded(const AbutJoint *joint)
{
	return joint->kind->n_laws > joint->kind->n_freedoms;
}

/* Returns whether spins of a ball share a clipped impulse. */
static inline bool abut_joint_spins_clipped(const AbutJointWork *work)
{
	return work->joint->kind->freedom[0].spins &&
	       (work->ball.clip[ABUT_CLIP_FRICTION].clip.there || work->ball.clip[ABUT_CLIP_SERVO].clip.there);
}

static inline int abut_joint_rows(const AbutJoint *joint)
{
	return joint->n_held + joint->kind->n_laws;
}

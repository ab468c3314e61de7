/* The joint space of a model: links from the ground outwards, and their freedoms. All values are in SI. */
#pragma once

#include "abut/robot.h"
#include "dynamics/model/joint.h"

enum { ABUT_ROBOT_BASE = 6, ABUT_ROBOT_PLANAR = 3, ABUT_ROBOT_NAME = 16 };

/* A moving body, and what moves it: a joint to a link before it or to the ground, or nothing (a base). */
typedef struct AbutLink {
	int body;
	int joint; /* -1: a base */
	int side;  /* of the body in its joint */
	int near;  /* the other body of the joint; of a base, the world */
	int q, v;  /* first entries in q and qdot */
	int n_q, n_v;
} AbutLink;

/* A freedom at a pose: the velocity that its rate causes at a point P of its link and of all links after it is axis x
 * (P
 * - point), or, of a slide, axis. */
typedef struct AbutColumn {
	double axis[3], point[3];
	bool slides;
	int on; /* body to which the axis is fixed */
} AbutColumn;

typedef struct AbutRobotPose {
	double R[9], x[3];           /* body axes; centre of mass */
	double past_R[9], past_x[3]; /* a step before */
	double v[3], w[3];           /* velocities; world */
	double dv[3], dw[3];         /* accelerations; world */
	double force[6];             /* force, and torque about the centre of mass, of the link and all after it */
} AbutRobotPose;

/* Scratch memory of inverse kinematics, allocated by its first call (reach_room.h): a linear system of n = n_v + n_rows
 * unknowns. */
typedef struct AbutReachRoom {
	int n_rows;       /* of loops and couplings */
	double *loop;     /* (n_rows x n_v) their derivatives */
	double *off;      /* (n_rows) their values */
	double *task;     /* (6 targets x n_v) derivatives of the targets' errors */
	double *error;    /* (6 targets) */
	double *matrix;   /* (n x n) */
	double *unknown;  /* (n) */
	int *pivots;      /* (n) */
	bool *fixed;      /* (n_v) freedoms that do not move in this iteration */
	double *q, *step; /* (n_q), (n_v) */
} AbutReachRoom;

/* An unknown that shares efforts: an impulse on a row of a joint that closes a loop, of a limit or motor on the row of
 * its freedom, or of a coupling on rows of two. */
typedef struct AbutShared {
	struct AbutJointWork *work[2]; /* NULL: there is no second one */
	int row[2];
	double impulse[2]; /* of the unknown 1 (N or N m) */
	int motor;         /* place in AbutRobot.motors, of a motor; -1: none */
	bool pushes;       /* it is at least 0: a limit */
	bool off;          /* it stays 0 in the set at hand (share_least.c) */
} AbutShared;

/* Scratch memory that shares efforts (share.c), allocated by the first call for a motion in a model with loops or
 * couplings; N unknowns at most. */
typedef struct AbutShare {
	int n;                /* unknowns of the island at hand */
	int n_free, n_driven; /* rows of both problems */
	int rank;             /* of the first one */
	AbutShared *unknowns; /* (N) */
	double *effort;       /* (n_v) e */
	double *columns;      /* (N x n_v) those of A */
	double *balance;      /* (n_bodies x 6) */
	double *change;       /* (N) d */
	double *before;       /* (N) d of the set before */
	double *right;        /* (n_v + N) right-hand side, and solution */
	double *free;         /* (N x (n_v + N)) the first problem; then its singular vectors */
	double *driven;       /* (N x (n_v + N)) the second problem */
	double *room;         /* of abut_lapack_least_squares */
} AbutShare;

/* What finds the forces that a motion leaves open: a step of a model whose motors hold rates. */
typedef struct AbutHeld {
	AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
} AbutHeld;

struct AbutRobot {
	const AbutModel *model;
	int n_links, n_q, n_v, n_loops;
	AbutLink *links;      /* (n_links) each after the one it hangs on */
	int *link_of;         /* (n_bodies + 1) link of a body; -1: the ground */
	int *link_of_joint;   /* (n_joints) link that the joint moves; -1: it closes a loop */
	int *link_of_v;       /* (n_v) */
	bool *driven;         /* (n_v) has a motor; in a model without motors, each freedom of a joint */
	AbutRobotPose *poses; /* (n_bodies + 1) with the world */
	AbutColumn *columns;  /* (n_v) */
	double *work[4];      /* each (n_q) scratch */
	char **names;         /* (n_q + n_v) */
	char *name_block;
	AbutReachRoom reach;
	AbutShare share;
	AbutHeld held;
	AbutWorkspace *workspace;
	double *balance;              /* (n_bodies x 6) of abut_robot_inverse */
	double *targets;              /* (n_joints x ABUT_JOINT_FREEDOMS) of motors, in abut_robot_inverse */
	double *motors;               /* (n_joints x ABUT_JOINT_FREEDOMS) efforts of motors, in abut_robot_inverse */
	AbutBodyState *motions;       /* (n_links) of abut_robot_set_state */
	struct AbutJointWork **works; /* (n_joints) joints of the island at hand; NULL: of others */
	AbutError error;              /* why the last refused call was refused */
};

/* Returns whether a ball moves the link. */
static inline bool abut_robot_is_ball(const AbutRobot *robot, const AbutLink *link)
{
	return link->joint >= 0 && robot->model->joints.at[link->joint].type == ABUT_JOINT_BALL;
}

/* Returns the name of a link's joint, or of its body if it is a base. */
static inline const char *abut_robot_link_name(const AbutRobot *robot, const AbutLink *link)
{
	return link->joint < 0 ? robot->model->bodies[link->body].name : robot->model->joints.at[link->joint].name;
}

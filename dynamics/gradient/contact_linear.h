/* Linearises a contact at a solution, for eight columns of a derivative at once. The linear equations give the changes
 * of its unknowns and wrenches for given motions of the bodies. dynamics/contact/condense.c solves similar equations
 * for the two right-hand sides of a Newton step. Here one factorisation with pivoting serves any number of columns,
 * without loss of digits. */
#pragma once

#include "base/arena.h"
#include "base/lanes.h"
#include "dynamics/contact/contact.h"
#include "dynamics/island/problem.h"
#include "dynamics/model/parameter.h"

/* One side of a linearised contact. */
typedef struct AbutLinearSide {
	double dN[3][9]; /* derivative of the contact frame with respect to the normal */
	double *F;       /* (width x width) W' K W, and the curvature of a smooth shape */
	bool gives;      /* F is not zero; open and rigid rows are not part of F */
	int u;           /* index of its first eps among the collision unknowns */
} AbutLinearSide;

/* A practically rigid row of a shape, dH + compliance dz = 0. It is row `first` of a side (dim 1), or a combination of
 * `dim` rows from `first` on, with the weights in AbutContactLinear.held. Its dual is an extra unknown next to the
 * collision unknowns: eliminating so stiff a row would cost the digits of the soft rows. */
typedef struct AbutRigidRow {
	int side, first, dim;
	double compliance;
} AbutRigidRow;

/* Changes of a contact's equations by parameters, at the current poses, velocities and unknowns. */
typedef struct AbutLinearInput {
	AbutLanes material[2][3]; /* displacement of a side's part in its body, at the contact point, world axes */
	AbutLanes turn[2][3];     /* small turn of the part relative to its body, world axes */
	AbutLanes mu, torsional_radius;
	/* Changes for a friction coefficient or torsional radius of 0: tangential and torsional impulses in units of I,
	 * and the weighted slip (creep) of sticking tangential friction. */
	AbutLanes tangential[2], torsion, creep[2];
	AbutLanes *dH;   /* (n_z) change of the shapes' rows; 0 elsewhere */
	AbutLanes *f[2]; /* (width of the side) change of W' lambda */
} AbutLinearInput;

/* The regularisation of a contact's collision problem. */
typedef enum AbutRegular {
	ABUT_REGULAR_NONE,
	ABUT_REGULAR_HELD, /* holds the point along both tangents, and eps; lanes.u corrects the effect */
	ABUT_REGULAR_ROUND /* a permanent curvature of side 0's shape along the tangents in which the point is flat */
} AbutRegular;

/* The rigid rows of a contact. */
typedef struct AbutRigidRows {
	int n, most;
	AbutRigidRow *rows; /* (n) */
	double *w;          /* (n x n_u) their derivatives with respect to the collision unknowns */
} AbutRigidRows;

/* Input and output of a push, in eight lanes. */
typedef struct AbutLinearLanes {
	AbutLanes *c;  /* (n_z) right-hand sides of the laws of impulses, dz = c - K dH; unused for the shapes' laws */
	AbutLanes *dz; /* (n_z) change of the duals */
	AbutLanes *u;  /* (n_u) values at which the regularisation holds the collision unknowns */
	AbutLanes *du; /* (n_u + rigid.n) change of the collision unknowns, then of the duals of rigid rows */
	AbutLanes *dH; /* (most rows of a side) scratch */
	AbutLanes *f;  /* (largest width of a side) scratch */
} AbutLinearLanes;

typedef struct AbutContactLinear {
	AbutContactWork *contact;
	AbutFrictionCone friction_cone;
	AbutConeLaw *law;
	bool on_path;
	AbutLinearSide side[2];
	int n_sides; /* sides that move */
	int n_u;     /* collision unknowns: dp_0 (3, side 0's frame), alpha, eps of both sides */
	AbutRegular regular;
	double rho;            /* added to the diagonal of the collision block */
	double tangents[2][3]; /* directions in which the point may be free, in side 0's frame; (0, 0, 0): none */
	double *turned;        /* (width x width) of side 1, scratch */
	AbutRigidRows rigid;
	double *lu;   /* (n_u + rigid.n) x (n_u + rigid.n): the factorised collision problem, rigid rows last */
	int *pivots;  /* (n_u + rigid.n) */
	double *held; /* (n_z) entries that the law holds: see abut_cone_held */
	bool *all;    /* (n_cones) true if every entry of the second-order cone is held */
	AbutLinearLanes lanes;
	bool has_input;
	AbutLinearInput input; /* zero and unused without has_input */
} AbutContactLinear;

/* Changes of the bodies: of the next poses (displacement, small turn) and of the velocities. World axes. */
typedef struct AbutLinearMotion {
	AbutLanes displacement[2][3], turn[2][3], velocity[2][3], spin[2][3];
} AbutLinearMotion;

/* Impulse and angular impulse on both sides, before multiplication by the side's sign. World axes, model units. */
typedef struct AbutLinearWrench {
	AbutLanes on[2][6];
} AbutLinearWrench;

/* Carves a contact's memory from the arena. */
void abut_contact_linear_carve(const AbutContactWork *contact, AbutArena *arena, AbutContactLinear *out);

/* The contact's duals z, rows H and slacks s at the point where the derivative is taken. */
typedef struct AbutLinearPoint {
	const double *z, *H; /* (n_z) */
	const double *s;     /* (n_z) on the path; NULL: an exact solution */
} AbutLinearPoint;

/* Linearises a contact at the point of the last evaluation, with the law `law`. Limits the stiffness of the law's
 * stiffest entries in place; these become held numbers. On the path, regularises a flat contact point. Returns false if
 * the regularised collision problem is singular. */
bool abut_contact_linear_begin(AbutContactWork *contact, const AbutContactProblem *problem, AbutConeLaw *law,
                               const AbutLinearPoint *at, AbutContactLinear *out);

/* Clears right-hand sides and parameters. */
void abut_contact_linear_clear(AbutContactLinear *linear);

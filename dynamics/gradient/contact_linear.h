/* A contact linearised at a solution: how its unknowns and wrenches follow the bodies and its own equations, in eight
 * lanes at once. dynamics/contact/condense.c does the same for the two right-hand sides of a Newton step. Here it is
 * done for any number of columns of a derivative, by one factorisation with pivoting, without loss of digits. */
#ifndef DYNAMICS_GRADIENT_CONTACT_LINEAR_H
#define DYNAMICS_GRADIENT_CONTACT_LINEAR_H

#include "base/arena.h"
#include "base/lanes.h"
#include "dynamics/contact/contact.h"
#include "dynamics/island/problem.h"
#include "dynamics/model/parameter.h"

/* One side of a linearised contact. */
typedef struct AbutLinearSide {
	double dN[3][9]; /* derivative of the contact frame by the normal */
	double *F;       /* (width x width) W' K W, and the curvature of a smooth shape */
	bool gives;      /* F is not zero; it excludes open and rigid rows */
	int u;           /* first of its eps among the collision unknowns */
} AbutLinearSide;

/* A practically rigid row of a shape, dH + compliance dz = 0: row `first` of a side alone (dim 1), or the sum of `dim`
 * rows along their ray in AbutContactLinear.held. Its dual is an unknown beside the collision unknowns: eliminating so
 * stiff a row would cost the digits of the soft ones. */
typedef struct AbutRigidRow {
	int side, first, dim;
	double compliance;
} AbutRigidRow;

/* Changes of a contact's equations by parameters, at the current poses, velocities and unknowns. */
typedef struct AbutLinearInput {
	AbutLanes material[2][3]; /* motion of a side's part relative to its body, at the contact point, world */
	AbutLanes turn[2][3];     /* small turn of the part relative to its body, world */
	AbutLanes mu, torsional_radius;
	/* Friction that begins at zero: tangential and torsional impulses over I, and the weighted slip (creep) at
	 * which tangential friction that sticks carries its load. */
	AbutLanes tangential[2], torsion, creep[2];
	AbutLanes *dH;   /* (n_z) change of the shapes' rows; 0 elsewhere */
	AbutLanes *f[2]; /* (width of the side) change of W' lambda */
} AbutLinearInput;

/* The regularisation of a contact's collision problem. */
typedef enum AbutRegular {
	ABUT_REGULAR_NONE,
	ABUT_REGULAR_HELD, /* holds the point along both tangents, and eps; corrected by the lanes of `u` */
	ABUT_REGULAR_ROUND /* a permanent curvature of side 0's shape along the tangents in which the point is flat */
} AbutRegular;

/* The rigid rows of a contact. */
typedef struct AbutRigidRows {
	int n, most;
	AbutRigidRow *rows; /* (n) */
	double *w;          /* (n x n_u) their derivatives by the collision unknowns */
} AbutRigidRows;

/* Input and output of a push, in eight lanes. */
typedef struct AbutLinearLanes {
	AbutLanes *c;  /* (n_z) right-hand sides of the laws of impulses, dz = c - K dH; the shapes' laws have none */
	AbutLanes *dz; /* (n_z) change of the duals */
	AbutLanes *u;  /* (n_u) collision unknowns at which the regularisation holds them */
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
	int n_u;     /* collision unknowns: delta (3, side 0's frame), alpha, eps of both sides */
	AbutRegular regular;
	double rho;            /* added to the diagonal of the collision block */
	double tangents[2][3]; /* in side 0's frame: directions in which the point may be free; (0, 0, 0): none */
	double *turned;        /* (width x width) of side 1, scratch */
	AbutRigidRows rigid;
	double *lu;   /* (n_u + rigid.n) squared: the factorised collision problem, rigid rows last */
	int *pivots;  /* (n_u + rigid.n) */
	double *held; /* (n_z) entries that the law holds: see abut_cone_held */
	bool *all;    /* (n_cones) whether every entry of a second-order cone is held */
	AbutLinearLanes lanes;
	bool has_input;
	AbutLinearInput input; /* zero and unused without has_input */
} AbutContactLinear;

/* Changes of the bodies, world axes: of the next poses (displacement, small turn) and of the velocities. */
typedef struct AbutLinearMotion {
	AbutLanes displacement[2][3], turn[2][3], velocity[2][3], spin[2][3];
} AbutLinearMotion;

/* Impulse and angular impulse on both sides, without their signs. */
typedef struct AbutLinearWrench {
	AbutLanes on[2][6];
} AbutLinearWrench;

/* Carves a contact's memory from the arena. */
void abut_contact_linear_carve(const AbutContactWork *contact, AbutArena *arena, AbutContactLinear *out);

/* The contact's own numbers at the point of a derivative. */
typedef struct AbutLinearPoint {
	const double *z, *H; /* (n_z) */
	const double *s;     /* (n_z) on the path; NULL: an exact solution */
} AbutLinearPoint;

/* Linearises a contact at the point of the last evaluation, under the problem's law. Softens the law's stiffest
 * entries, which are held instead. On the path, regularises a flat contact point. Returns false if the regularised
 * collision problem is singular. */
bool abut_contact_linear_begin(AbutContactWork *contact, const AbutContactProblem *problem, AbutConeLaw *law,
                               const AbutLinearPoint *at, AbutContactLinear *out);

/* Clears right-hand sides and parameters. */
void abut_contact_linear_clear(AbutContactLinear *linear);

#endif

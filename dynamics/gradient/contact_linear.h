/* A contact made linear at a solution: how its unknowns and its wrenches follow the bodies and its own equations, in
 * eight lanes at once. What dynamics/contact/condense.c does for the two right-hand sides of a Newton step, this does
 * for any number of columns of a derivative, by one factorisation with pivoting, without loss of digits. */
#ifndef DYNAMICS_GRADIENT_CONTACT_LINEAR_H
#define DYNAMICS_GRADIENT_CONTACT_LINEAR_H

#include "base/arena.h"
#include "base/lanes.h"
#include "dynamics/contact/contact.h"
#include "dynamics/island/problem.h"
#include "dynamics/model/parameter.h"

/* One side of a linearised contact. */
typedef struct AbutLinearSide {
	double dN[3][9]; /* of the contact frame by the normal */
	double *F;       /* (width x width) W' K W, and the curvature of a smooth shape */
	bool gives;      /* F is not zero; open rows and rigid rows are not in it */
	int u;           /* first of its eps among the collision unknowns */
} AbutLinearSide;

/* A row of a shape that is as good as rigid, dH + compliance dz = 0, of one side: row `first` of its own alone (dim 1),
 * or the sum of `dim` of them along the ray that AbutContactLinear.held has there. Its dual is an unknown beside the
 * collision unknowns: eliminated, so stiff a row would cost the digits of what is soft. */
typedef struct AbutRigidRow {
	int side, first, dim;
	double compliance;
} AbutRigidRow;

/* Changes of a contact's equations by parameters, at the current poses, velocities and unknowns. */
typedef struct AbutLinearInput {
	AbutLanes material[2][3]; /* motion of a side's part relative to its body, at the contact point, world */
	AbutLanes turn[2][3];     /* small turn of the part relative to its body, world */
	AbutLanes mu, torsional_radius;
	/* What friction begins with where there is none yet: impulses over I, angular ones about the normal, and the
	 * weighted slip at which what stuck carries its load. */
	AbutLanes tangential[2], torsion, creep[2];
	AbutLanes *dH;   /* (n_z) of the shapes' rows; 0 elsewhere */
	AbutLanes *f[2]; /* (width of the side) of W' lambda */
} AbutLinearInput;

/* What a contact's collision problem has beside its rows. */
typedef enum AbutRegular {
	ABUT_REGULAR_NONE,
	ABUT_REGULAR_HELD, /* of the point along both tangents and of eps, taken back by the lanes of `u` */
	ABUT_REGULAR_ROUND /* a curvature of side 0's shape, for good, along the tangents in which the point is flat */
} AbutRegular;

/* The rigid rows of a contact. */
typedef struct AbutRigidRows {
	int n, most;
	AbutRigidRow *rows; /* (n) */
	double *w;          /* (n x n_u) their derivatives by the collision unknowns */
} AbutRigidRows;

/* What a push takes and gives, in eight lanes. */
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
	int n_sides; /* that move */
	int n_u;     /* collision unknowns: delta (3, side 0's frame), alpha, eps of both sides */
	AbutRegular regular;
	double rho;            /* added to the diagonal of the collision block */
	double tangents[2][3]; /* in side 0's frame: along these the point may be free; (0, 0, 0): none */
	double *turned;        /* (width x width) of side 1, scratch */
	AbutRigidRows rigid;
	double *lu;   /* (n_u + rigid.n) squared: the factorised collision problem, rigid rows last */
	int *pivots;  /* (n_u + rigid.n) */
	double *held; /* (n_z) what the law holds: see abut_cone_held */
	bool *all;    /* (n_cones) whether every entry of a second-order cone is held */
	AbutLinearLanes lanes;
	bool has_input;
	AbutLinearInput input; /* zero, and not looked at, without has_input */
} AbutContactLinear;

/* Changes of the bodies in world axes: of the next poses (displacement, small turn) and of the velocities. */
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

/* Linearises a contact at the point of the last evaluation, under the problem's law. This changes the law: its stiffest
 * entries are softened, and what is taken off them is held. On the path a flat contact point is regularised. False: the
 * regularised collision problem is singular. */
bool abut_contact_linear_begin(AbutContactWork *contact, const AbutContactProblem *problem, AbutConeLaw *law,
                               const AbutLinearPoint *at, AbutContactLinear *out);

/* Clears right-hand sides and parameters. */
void abut_contact_linear_clear(AbutContactLinear *linear);
/* Adds one model unit of `parameter` (abut_parameter_unit) to lane `lane`, until the lanes are cleared; y and z are the
 * contact's own. Does nothing if the contact does not depend on the parameter. In contact_parameter.c. */
void abut_contact_linear_set_parameter(AbutContactLinear *linear, const AbutModel *model,
                                       const AbutParameter *parameter, const double *y, const double *z, int lane);
/* Returns whether the contact's equations depend on the parameter. In contact_parameter.c. */
bool abut_contact_parameter_touches(const AbutContactWork *contact, const AbutModel *model,
                                    const AbutParameter *parameter);
/* Computes wrenches, du and dz for these motions and for the right-hand sides and parameters that are set. In
 * contact_linear_push.c. */
void abut_contact_linear_push(AbutContactLinear *linear, const AbutLinearMotion *motion, AbutLinearWrench *out);

#endif

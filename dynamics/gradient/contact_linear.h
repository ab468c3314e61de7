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

/* Of one side. */
typedef struct AbutLinearSide {
	double dN[3][9]; /* of the contact frame by the normal */
	double *F;       /* (width x width) W' K W, and the curvature of a smooth shape */
	bool gives;      /* F is not zero: rows that are open, or as good as rigid, have no part in it */
	int u;           /* first of its eps among the collision unknowns */
} AbutLinearSide;

/* A row of a shape that is as good as rigid, dH + compliance dz = 0, of one side: row `first` of its own alone (dim 1),
 * or the sum of `dim` of them along the ray that AbutContactLinear.held has there. Its dual is an unknown beside the
 * collision unknowns: eliminated, so stiff a row would cost the digits of what is soft. */
typedef struct AbutRigidRow {
	int side, first, dim;
	double compliance;
} AbutRigidRow;

/* What parameters do to a contact's equations, at the poses, velocities and unknowns that are there. */
typedef struct AbutLinearInput {
	AbutLanes material[2][3]; /* motion of a side's part, but its body's, at the contact's point, world */
	AbutLanes turn[2][3];     /* small turn of the part, but its body's, world */
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

/* Rows that the law holds rigid. */
typedef struct AbutRigidRows {
	int n, most;
	AbutRigidRow *rows; /* (n) */
	double *w;          /* (n x n_u) by the collision unknowns */
} AbutRigidRows;

/* Directions, eight at a time. */
typedef struct AbutLinearLanes {
	AbutLanes *c;  /* (n_z) right-hand sides of the laws of impulses, dz = c - K dH; shapes have none */
	AbutLanes *dz; /* (n_z) */
	AbutLanes *u;  /* (n_u) collision unknowns, as the regularisation holds them */
	AbutLanes *du; /* (n_u) and then the duals of rigid rows */
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
	double *lu;   /* (n_u + rigid.n) squared */
	int *pivots;  /* (n_u + rigid.n) */
	double *held; /* (n_z) what the law holds: see abut_cone_held */
	bool *all;    /* (n_cones) of a second-order cone: every entry is held */
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

/* Memory for a contact, from the arena. */
void abut_contact_linear_carve(const AbutContactWork *contact, AbutArena *arena, AbutContactLinear *out);

/* The contact's own numbers at the point of a derivative. */
typedef struct AbutLinearPoint {
	const double *z, *H; /* (n_z) */
	const double *s;     /* (n_z) on the path; NULL: an exact solution */
} AbutLinearPoint;

/* At the point of the last evaluation, under the problem's law, which this changes: its stiffest entries are softened,
 * and what is taken off them is held. False when the collision problem, so regularised, is singular; on the path it is
 * regularised where a flat point touches. */
bool abut_contact_linear_begin(AbutContactWork *contact, const AbutContactProblem *problem, AbutConeLaw *law,
                               const AbutLinearPoint *at, AbutContactLinear *out);

/* No right-hand sides, and no parameters. */
void abut_contact_linear_clear(AbutContactLinear *linear);
/* Lane `lane` is also of one model unit of `parameter` (abut_parameter_unit), until all are cleared; y and z are the
 * contact's own. Of one that it does not depend on, nothing happens. contact_parameter.c. */
void abut_contact_linear_set_parameter(AbutContactLinear *linear, const AbutModel *model,
                                       const AbutParameter *parameter, const double *y, const double *z, int lane);
/* Whether the contact's equations hold the parameter. */
bool abut_contact_parameter_touches(const AbutContactWork *contact, const AbutModel *model,
                                    const AbutParameter *parameter);
/* Wrenches, du and dz for these motions, right-hand sides and parameters. */
void abut_contact_linear_push(AbutContactLinear *linear, const AbutLinearMotion *motion, AbutLinearWrench *out);

#endif

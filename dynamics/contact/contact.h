/* A contact of an island during a step: an edge between two bodies. All values are in model units; angular velocities
 * are in world axes. dynamics/island/problem.h has the equations of all contacts and bodies together. */
#pragma once

#include "collision/rows/smooth_rows.h"
#include "dynamics/body/body.h"
#include "dynamics/contact/frame.h"
#include "dynamics/contact/friction.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/memory.h"
#include "solver/blocks/system.h"

/* A differential is stored as a row: 6 columns of side 0's body, 2 right-hand sides, 6 columns of side 1's body, 2
 * unused. */
enum { ABUT_ROW = 16, ABUT_LANE = 6, ABUT_SIDE_1 = 8 };

/* Returns the number of doubles that a side needs for B_lambda, eps_map and, if its shape is smooth, its own rows. */
static inline int abut_side_memory(const AbutConicRows *rows)
{
	return 7 * rows->n_eps + abut_conic_rows_place_size(rows);
}

/* One side of a contact at the iterate. `sign` is the sign of the contact's impulse on this side: -1 on side 0, +1 on
 * side 1. */
typedef struct AbutContactSide {
	const AbutConicRows *rows;
	AbutBodyWork *body;
	const AbutCone *cones;
	double sign;
	double shift;     /* added to the row of a halfspace, which recovery from overlap moves back */
	int y, z;         /* places of its eps in the pair's y and of its lambda in the pair's z */
	double offset[3]; /* displacement of the body for this contact only, if the pair is nearly concentric; world */
	double from_side_0[3]; /* x0 + offset of this side, minus x0 of side 0, so that no digits are lost far from the
	                          origin; world */
	double arm[3];         /* from the displaced body's origin to p: p - x - offset, world */
	double g[3];           /* A' lambda, body frame */
	double d_lambda;       /* d' lambda */
	double n[3];           /* normal from side 0 to side 1, world */
	double velocity[3];    /* of the body's material at p; world */
	AbutContactFrame frame;
	double force[3];  /* impulse on side 1 from this side's frame; world */
	double *B_lambda; /* B' lambda (n_eps) */
	double *eps_map;  /* map of d eps (n_eps x 6): collision/rows/rows_parts.h */
	AbutShapeStiffness stiffness;
} AbutContactSide;

/* The last solution of a contact; after the step, the new one. */
typedef struct AbutContactLast {
	AbutContactMemory *entry;
	double *y, *z; /* the entry's own arrays */
} AbutContactLast;

/* The places of a contact's unknowns. */
typedef struct AbutContactPlaces {
	int y, z;                /* first entries in the problem's y and z */
	int psi_y;               /* friction's unknown in the pair's y */
	int friction_z, alpha_z; /* in the pair's z, where gamma is the first entry */
	int n_friction_y, n_friction_z;
} AbutContactPlaces;

/* Changes to a step for recovery from overlap (dynamics/solve/recovery.h). */
typedef struct AbutContactOverlap {
	double kept; /* overlap that this step leaves; added to the gap alpha - 1 */
	double
	    start_alpha; /* alpha at the start of the step if a nearly concentric pair is moved apart; otherwise < 0 */
	double start_depth; /* depth in a halfspace at the start of the step; model units of length */
} AbutContactOverlap;

/* Scales of a contact's equations (docs/formulation.md 3). */
typedef struct AbutContactScale {
	double sigma;           /* of the contact frame: 3 / R, with R the pair's scale */
	double weight_contact;  /* w_c, of the gap alpha - 1 */
	double weight_friction; /* w_f, of the slip */
	double impulse;         /* I: physical impulse = I gamma */
} AbutContactScale;

/* Values of a contact at the iterate. */
typedef struct AbutContactValue {
	double gamma, slip[3], beta[3];
	double head_residual;   /* mu gamma - beta_0 of a second-order friction cone */
	double stationarity[3]; /* n of side 0 minus n of side 1 */
} AbutContactValue;

typedef struct AbutContactWork {
	int index; /* index of the candidate */
	const AbutPair *pair;
	AbutContactLast last;
	AbutContactSide side[2];
	const AbutCone *cones; /* cones of the pair: gamma, friction, lambda_alpha, side 0, side 1 */
	const AbutCone *friction_cones, *alpha_cone;
	bool definite; /* both shapes have only orthant rows, so the collision block is definite */
	AbutContactPlaces at;
	AbutContactOverlap overlap;
	AbutContactScale scale;
	double mu;           /* friction coefficient: the pair's, except during a homotopy (dynamics/solve/degrees.h) */
	double reference[3]; /* reference direction c of the contact frame; world */
	AbutContactValue value;
	double rows[7][ABUT_ROW]; /* delta of dynamics/contact/condense.c (3, side 0's frame), dalpha, dslip (3) */
} AbutContactWork;

/* Data that all edges of an island share. */
typedef struct AbutEdgeRoom {
	double timestep;
	AbutFrictionCone friction_cone;
	AbutBlockSystem system; /* linear system of the bodies, to which contacts add */
	double *scratch;        /* scratch memory of the shape kernel */
} AbutEdgeRoom;

/* Returns the friction law's data of a contact. */
static inline AbutFriction abut_contact_friction(const AbutContactWork *contact, AbutFrictionCone kind)
{
	return (AbutFriction){kind, contact->pair->tail, contact->mu, contact->value.head_residual,
	                      contact->friction_cones};
}

/* Returns whether the contact recovers from an initial overlap in this step. */
static inline bool abut_contact_recovers(const AbutContactWork *contact)
{
	return contact->overlap.kept > 0.0 || contact->overlap.start_alpha >= 0.0 || contact->side[1].shift < 0.0;
}

/* A coupling of an island during a step: an edge of up to four bodies that holds
 *
 *     k = q_a - ratio q_b - offset = 0
 *
 * at the end of the step. Its unknown, in y, is the impulse I on q_a, which is -ratio I on q_b; its equation is k / dt.
 * A spring of method convex makes it k / dt + R I = goal (dynamics/methods/convex/coupling.h).
 *
 * The rows of both freedoms are those of their joints: row_a - ratio row_b is the derivative of k, and the impulses
 * act through the joints, which add them to those of their laws (AbutJointAxisWork.geared). */
#pragma once

#include "dynamics/joint/joint.h"
#include "dynamics/model/coupling.h"

enum { ABUT_COUPLING_BODIES = 4 };

typedef struct AbutCouplingWork {
	const AbutCoupling *coupling;
	AbutCouplingMemory *last; /* the last solution; after the step, the new one */
	AbutJointWork *joint[2];  /* a and b, of the same island */
	int row[2];               /* of the freedoms, in the joints' rows */
	int at;                   /* place of I among the island's y */
	double regular;           /* delta / C: what stands for the compliance 0; the compliance, if there is one */
	double compliance;        /* of a spring (method convex): k / dt + compliance I = goal; 0: none */
	double goal;              /* with a compliance */
	double value, residual;   /* k; the residual for which it was condensed */
	int n_bodies;
	AbutBodyWork *body[ABUT_COUPLING_BODIES]; /* (n_bodies) the moving bodies of both joints */
	int slot[2][2];                           /* of each side of both joints, in `body`; -1: it does not move */
} AbutCouplingWork;

/* A row in the columns of each body. */
typedef double AbutCouplingRow[ABUT_COUPLING_BODIES][6];

/* Combines rows of both joints, such as their `g`, to the row of the coupling. */
void abut_coupling_row(const AbutCouplingWork *work, const AbutJointColumns *a, const AbutJointColumns *b,
                       AbutCouplingRow out);
/* Sets the members that depend on the bodies of the two joints only. */
void abut_coupling_begin(const AbutCoupling *coupling, AbutJointWork *a, AbutJointWork *b, AbutCouplingWork *work);
/* Sets what stands for the compliance 0, from the coupling's row. */
void abut_coupling_set_compliance(const AbutCouplingRow row, AbutCouplingWork *work);
/* Sets up a coupling of two joints that are set up, with its impulse at `y` of the island. The joints take up the last
 * impulse, for the direction of all impulses. */
void abut_coupling_setup(const AbutCoupling *coupling, AbutCouplingMemory *last, AbutJointWork *a, AbutJointWork *b,
                         int y, double timestep, AbutCouplingWork *work);
/* Returns the impulse from which a step starts. */
double abut_coupling_start(const AbutCouplingWork *work, double timestep);
/* Hands the impulses of n couplings in the island's y to their joints. Call before the joints are evaluated. */
void abut_couplings_push(AbutCouplingWork *couplings, int n, const double *y);
/* Computes the residual k / dt, or that of a spring. Call after the joints are evaluated. */
void abut_coupling_evaluate(AbutCouplingWork *work, double timestep, double impulse, double *r);
/* Holds the coupling by a spring. */
void abut_coupling_soften(AbutCouplingWork *work, double compliance, double goal);
/* Adds the coupling to the system of the bodies, with its impulse eliminated as that of a joint's row (condense.h). */
void abut_coupling_condense(AbutCouplingWork *work, double residual, const AbutBlockSystem *system);
/* Adds S row_k row_k' by the rows g and j of the coupling, and the right-hand side g lane. */
void abut_coupling_add(const AbutCouplingWork *work, const AbutCouplingRow g, const AbutCouplingRow j, double S,
                       double lane, const AbutBlockSystem *system);
/* Returns the change of the impulse for the changes dv of all bodies. */
double abut_coupling_recover(const AbutCouplingWork *work, const double *dv);
/* Adds the coupling to the Jacobian of [r; H] (column-major, n rows). */
void abut_coupling_jacobian(const AbutCouplingWork *work, int n, double *J);
/* Stores the solution. */
void abut_coupling_keep(const AbutCouplingWork *work, double impulse);

/* Computes a body's share of the derivative of a step. Model units, world axes. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/model/parameter.h"

/* A body's contribution to the rows and columns of the derivative. "Row k" is the contribution of a small turn, spin or
 * torque about the body's own axis k. Balances are those of dynamics/body/balance.c. */
typedef struct AbutGradientBody {
	double timestep, mass, least_inertia;
	double kept_mass; /* mass that multiplies the old velocity: 0 for a quasi-static body */
	bool planar;
	double axes[9];    /* row k: the body's own axis k at the start; for a planar body its y component only */
	double carried[9]; /* row k: small turn of the next pose, at fixed velocities, per turn of the start */
	double turned[9];  /* row k: right side of the angular balance, per turn of the start */
	double spun[9];    /* row k: right side of the angular balance, per old spin */
	double pushed[9];  /* row k: right side of the angular balance, per torque */
	double G[9];       /* derivative of the next pose's small turn with respect to w+ */
	double R0[9], R[9];
	double x[3], v[3], w[3]; /* next position of the centre of mass, next velocities */
	double turn[4];          /* quaternion of R R0' */
	double from[4];          /* orientation at the start */
} AbutGradientBody;

/* Computes the share of a body at its solution. */
void abut_gradient_body(const AbutBodyWork *work, double timestep, AbutGradientBody *out);
/* The change of a body's equations for one model unit of a parameter (abut_parameter_unit). World axes, model units.
 * The next state changes only through the next pose and the velocities. */
typedef struct AbutBodyParameter {
	double right[6]; /* change of the right side of the balances: S d(v+, w+) = right + ... */
	double start[6]; /* change of the next pose at fixed velocities: displacement, small turn */
} AbutBodyParameter;

/* Computes the change of a body's equations by a parameter. The change is 0 for a static body and for a parameter that
 * the body does not depend on. `timestep` is the length of the part, a fixed share of the model's timestep. The `first`
 * part begins at the pose of the body frame. Its previous step has the length stored in the state (the part's own
 * length if none is stored). A later part begins at the pose of the centre of mass, and its previous part also scales
 * with the model's timestep. A planar body's balances out of its plane do not change. */
void abut_body_parameter(const AbutModel *model, const AbutBodyWork *body, double timestep, bool first,
                         const AbutParameter *parameter, AbutBodyParameter *out);

/* An island's step as equations in extended precision, F(u) = 0: what experiments/reference/extended_step.h solves.
 * Written from docs/formulation.md, 1 to 4; of the library it takes the numbers of the step's problem (model units),
 * none of its functions. Conic rows of constant matrices alone. */
#ifndef EXPERIMENTS_REFERENCE_EXTENDED_ISLAND_H
#define EXPERIMENTS_REFERENCE_EXTENDED_ISLAND_H

#include "abut/model.h"
#include "collision/rows/conic_rows.h"
#include "experiments/reference/extended_vec.h"

typedef struct AbutIsland AbutIsland;

/* The equations of the slack s and dual z of a cone. */
typedef enum AbutExtendedMode {
	ABUT_EXTENDED_PATH,   /* z o s = kappa e; with kappa 0, of a second-order cone, both on their boundary */
	ABUT_EXTENDED_CLOSED, /* s = 0 */
	ABUT_EXTENDED_OPEN    /* z = 0 */
} AbutExtendedMode;

typedef struct AbutExtendedBody {
	int moving; /* its index among the moving bodies */
	bool planar, quasi_static;
	long double old_timestep;
	AbutComplex mass, inertia[9]; /* body axes */
	/* At the start of the step; spin and torque in body axes. */
	AbutComplex moved[3]; /* displacement of the centre of mass from that of the step */
	AbutComplex R0[9], v0[3], spin[3], force[3], torque[3];
	/* At its end. */
	AbutComplex v[3], w[3], R[9], cosine;
} AbutExtendedBody;

typedef struct AbutExtendedSide {
	const AbutConicRows *rows; /* the model's */
	int body;                  /* of the island; negative: static */
	AbutComplex R[9];          /* of a static body */
	AbutComplex place[3];      /* start of its body, from that of side 0 */
	long double sign, shift;
	int y, z; /* its eps and lambda, in u */
} AbutExtendedSide;

typedef struct AbutExtendedContact {
	AbutExtendedSide side[2];
	bool pressed; /* at an exact solution: others are left out */
	int tail;     /* rows of slip */
	AbutComplex mu, torsional_radius, sigma, weight_contact, weight_friction, impulse_scale, delta;
	AbutComplex reference[3];
	int y, n_y, z, n_z;           /* its own unknowns, in u */
	bool pyramid;                 /* z of friction is (psi, edges in pairs), else (beta_0, beta) with psi in y */
	int psi, friction_z, alpha_z; /* in u */
	int first_cone, n_cones;      /* gamma's comes first */
} AbutExtendedContact;

typedef struct AbutExtendedCone {
	AbutConeKind kind;
	int z, dim; /* in u */
	long double kappa, weight;
	bool left_out;
} AbutExtendedCone;

typedef struct AbutExtendedIsland {
	int n_bodies, n_contacts, n_cones, n_y, n; /* u: y (n_y), then z */
	long double timestep, kappa;
	AbutExtendedBody *bodies;
	AbutExtendedContact *contacts;
	AbutExtendedCone *cones;
	AbutExtendedMode *modes; /* (n) of each entry of z; of a second-order cone that of its first */
	AbutComplex *base;       /* (n) the solution */
	AbutComplex *slack;      /* (n) s, at the places of z, of the last evaluation */
} AbutExtendedIsland;

/* Returns why an island is not supported, or NULL. */
const char *abut_extended_island_refusal(const AbutIsland *island);
/* Copies the island at its point, with kappa > 0 on the path. ABUT_ERROR_MEMORY. */
AbutStatus abut_extended_island_copy(const AbutModel *model, const AbutIsland *from, double kappa,
                                     AbutExtendedIsland *out);
void abut_extended_island_free(AbutExtendedIsland *island);

/* Chooses which conditions hold with equality at an exact solution. With kappa > 0 all follow the law of the path. */
void abut_extended_choose_modes(AbutExtendedIsland *island);

/* Returns the least distance of the solution from one with other modes; infinite with kappa > 0. */
long double abut_extended_margin(const AbutExtendedIsland *island);

#endif

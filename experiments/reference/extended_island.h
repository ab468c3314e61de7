/* Describes an island's step as equations F(u) = 0 in extended precision, which experiments/reference/extended_step.h
 * solves. They are written from docs/formulation.md, sections 1 to 4. The numbers of the step's problem, in model
 * units, come from the library, but none of its functions is used. Shapes must have conic rows with constant matrices.
 */
#pragma once

#include "abut/model.h"
#include "collision/rows/conic_rows.h"
#include "experiments/reference/extended_vec.h"

typedef struct AbutIsland AbutIsland;

/* Which equations the slack s and the dual z of a cone satisfy; "o" is the Jordan product, e its identity. */
typedef enum AbutExtendedMode {
	ABUT_EXTENDED_PATH,   /* z o s = kappa e; with kappa 0 for second-order cones only: s and z on the boundary */
	ABUT_EXTENDED_CLOSED, /* s = 0 */
	ABUT_EXTENDED_OPEN    /* z = 0 */
} AbutExtendedMode;

typedef struct AbutExtendedBody {
	int moving; /* index among the moving bodies */
	bool planar, quasi_static;
	long double old_timestep;
	AbutComplex mass, inertia[9]; /* model units, body axes */
	/* At the start of the step, model units; spin and torque in body axes, the rest in the world. */
	AbutComplex moved[3]; /* displacement of the centre of mass from its position in the unchanged step */
	AbutComplex R0[9], v0[3], spin[3], force[3], torque[3];
	/* At the end of the step, world. */
	AbutComplex v[3], w[3], R[9], cosine;
} AbutExtendedBody;

typedef struct AbutExtendedSide {
	const AbutConicRows *rows; /* owned by the model */
	int body;                  /* index in the island; negative: static */
	AbutComplex R[9];          /* body to world, of a static body */
	AbutComplex place[3];      /* position of the body at the start, relative to that of side 0, world */
	long double sign, shift;
	int y, z; /* offsets in u of the side's eps and lambda */
} AbutExtendedSide;

typedef struct AbutExtendedContact {
	AbutExtendedSide side[2];
	bool pressed; /* carries a force at the exact solution; other contacts are left out */
	int tail;     /* number of slip rows */
	AbutComplex mu, torsional_radius, sigma, weight_contact, weight_friction, impulse_scale, delta;
	AbutComplex reference[3];
	int y, n_y, z, n_z; /* offsets in u, and counts, of the contact's unknowns */
	bool pyramid; /* friction part of z: true (psi, edge forces in pairs), false (beta_0, beta) with psi in y */
	int psi, friction_z, alpha_z; /* offsets in u */
	int first_cone, n_cones;      /* the first is the cone of gamma, the normal impulse */
} AbutExtendedContact;

typedef struct AbutExtendedCone {
	AbutConeKind kind;
	int z, dim; /* offset in u of its dual, and its size */
	long double kappa, weight;
	bool left_out;
} AbutExtendedCone;

typedef struct AbutExtendedIsland {
	int n_bodies, n_contacts, n_cones, n_y, n; /* lengths; u consists of y (n_y), then z */
	long double timestep, kappa;
	AbutExtendedBody *bodies;
	AbutExtendedContact *contacts;
	AbutExtendedCone *cones;
	AbutExtendedMode *modes; /* (n) mode of each entry of z; a second-order cone uses its first entry */
	AbutComplex *base;       /* (n) u at the solution */
	AbutComplex *slack;      /* (n) slacks s of the last evaluation, at the same offsets as z */
} AbutExtendedIsland;

/* Returns the reason why the island is not supported; NULL if it is supported. */
const char *abut_extended_island_refusal(const AbutIsland *island);
/* Copies the island with its solution; with kappa > 0 this is a point on the central path. Returns ABUT_ERROR_MEMORY
 * when out of memory. */
AbutStatus abut_extended_island_copy(const AbutModel *model, const AbutIsland *from, double kappa,
                                     AbutExtendedIsland *out);
void abut_extended_island_free(AbutExtendedIsland *island);

/* Chooses which conditions hold with equality at an exact solution. With kappa > 0, all cones follow the central path.
 */
void abut_extended_choose_modes(AbutExtendedIsland *island);

/* Returns the distance from the solution to the nearest change of modes; infinite with kappa > 0. */
long double abut_extended_margin(const AbutExtendedIsland *island);

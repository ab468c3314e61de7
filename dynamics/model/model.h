/* The fields of AbutModel, which a step reads and never changes.
 *
 * Length, mass and time are divided by AbutUnits. So kappa has no units, and a scene in millimetres and grams behaves
 * like the same scene in metres and kilograms (docs/formulation.md 3). Fields in SI units say so. */
#ifndef DYNAMICS_MODEL_MODEL_H
#define DYNAMICS_MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "abut/model.h"
#include "collision/manifold/shape.h"
#include "collision/rows/conic_rows.h"
#include "dynamics/model/formulation.h"
#include "dynamics/model/method.h"

enum {
	ABUT_HALVING_LEVELS = 12, /* halvings for bodies that turn far, or pass each other by more than their size */
	ABUT_RETRY_LEVELS = 8,    /* halvings of a step that is not solved */
	ABUT_LEVELS = 14          /* both together */
};

/* Half turns |dt w / 2|. The law of the turn, c J w with c = sqrt(1 - psi.psi), has two roots for one angular momentum,
 * below and above sqrt(1/2). A part of a step stays on the lower one. It begins with at most ABUT_EASY_HALF_TURN; near
 * another body, unless it is the whole step, with at most ABUT_NEAR_HALF_TURN: fewer iterations, but in more parts. The
 * finest parts of a step carry ABUT_MOST_SPIN, for the spins that collisions give small bodies. Initial spins are
 * refused from ABUT_SPIN_LIMIT on. */
#define ABUT_LARGEST_HALF_TURN 0.7
#define ABUT_EASY_HALF_TURN 0.6
#define ABUT_NEAR_HALF_TURN 0.45
#define ABUT_SPIN_LIMIT (ABUT_EASY_HALF_TURN * 64)
#define ABUT_MOST_SPIN (ABUT_EASY_HALF_TURN * (1 << ABUT_HALVING_LEVELS))

typedef struct AbutUnits {
	double length, mass, time;         /* m, kg, s */
	double velocity, impulse, torsion; /* m/s, N s, N m s (angular impulse) */
} AbutUnits;

typedef struct AbutBody {
	const char *name;
	bool is_static, planar;
	int moving;                    /* index among the moving bodies; -1: static */
	int n_parts, first_part;       /* into AbutModel.parts */
	double mass, inertia[9];       /* about the centre of mass, body axes */
	double least_inertia;          /* smallest principal moment, or slightly less */
	double centre_of_mass[3];      /* SI, body frame */
	double radius;                 /* radius of the sphere about the centre of mass that contains the body */
	double mass_si, inertia_si[9]; /* kg, kg m^2 */
	AbutBodyState initial;         /* SI */
	double force[3], torque[3];    /* SI */
	double friction;               /* coefficient */
} AbutBody;

typedef struct AbutPart {
	AbutShape *shape;           /* SI, body frame */
	int body;                   /* index of its body */
	AbutConicRows rows;         /* relative to the centre of mass */
	int n_cones, law_size;      /* of its rows */
	double box_centre[3];       /* centre of the bounding box in body axes, from the centre of mass */
	double box_half[3];         /* half sides of the box; 0 for a halfspace */
	double reach;               /* radius of the sphere about the centre of mass that contains it */
	double scale;               /* outer radius of the original shape, which scales contacts */
	double divisor;             /* the same in m, which divides the rows; 0 for a halfspace */
	AbutManifoldShape manifold; /* for methods with contact points (dynamics/methods/manifold/model.c) */
} AbutPart;

/* Spring parameters of contacts in method convex, SI. */
typedef struct AbutSoftness {
	double solref[2], solimp[5], margin;
} AbutSoftness;

/* Values of a scene for the contacts of two bodies. */
typedef struct AbutPairRule {
	int body[2];             /* ascending; rules are sorted by them */
	bool allowed;            /* false: excluded */
	bool turned;             /* the user's a is body[1] */
	double friction;         /* negative: from the bodies' coefficients */
	double restitution;      /* negative: the model's */
	double torsional_radius; /* model units; negative: from the shapes */
	double torsional_change; /* added to the radius from the shapes */
	AbutSoftness soft;
} AbutPairRule;

/* Which pairs may touch, and their contacts' values. */
typedef struct AbutPairing {
	double restitution; /* of pairs without a rule */
	AbutSoftness soft;  /* of pairs without a rule */
	double margin;      /* largest margin of all pairs, model units; 0 without springs */
	bool all_pairs;     /* pairs without a rule may touch */
	int n_rules;
	AbutPairRule *rules; /* (n_rules) */
	int64_t n_pairs;     /* number of pairs of parts that may touch */
} AbutPairing;

struct AbutModel {
	AbutUnits units;
	AbutSolverOptions options;
	const AbutMethodRow *method; /* of options.method */
	AbutFormulation formulation;
	double tolerance, collision_kappa; /* as used */
	double timestep;                   /* model units */
	double gravity[3];
	double timestep_si, gravity_si[3];
	int n_bodies, n_moving, n_parts, n_planes;
	AbutBody *bodies;
	int *moving_body; /* (n_moving) body of each moving body */
	AbutPart *parts;
	int *planes;       /* (n_planes) parts that are halfspaces */
	bool quasi_static; /* steps start at rest */
	AbutPairing pairing;
	void *method_parts; /* the method's data of the parts; NULL: none */
	int scratch;        /* size of the shape kernel's scratch for the largest part */
	char *name_block;
};

#endif

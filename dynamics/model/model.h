/* Inside of AbutModel: what a step reads and never changes.
 *
 * Units: length, mass and time are divided by AbutUnits, so that kappa has no units and a scene in millimetres and
 * grams behaves as the same scene in metres and kilograms (docs/formulation.md 3). What carries SI says so. */
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
	ABUT_HALVING_LEVELS = 12, /* of bodies that pass each other's size, or turn far, in a step */
	ABUT_RETRY_LEVELS = 8,    /* of a step that is not solved */
	ABUT_LEVELS = 14          /* of both together */
};

/* Half turns |dt w / 2|: the law of the turn, c J w with c = sqrt(1 - psi.psi), has two roots for one angular momentum,
 * below and above sqrt(1/2). A part of a step stays on the lower one; it begins with at most ABUT_EASY_HALF_TURN, and
 * near another body with at most ABUT_NEAR_HALF_TURN, unless it is the whole step: fewer iterations, in more parts. The
 * finest parts of a step carry ABUT_MOST_SPIN, for what collisions make of small bodies; a spin that enters is refused
 * from ABUT_SPIN_LIMIT on. */
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
	int moving;                    /* place among the moving bodies, -1 when static */
	int n_parts, first_part;       /* into AbutModel.parts */
	double mass, inertia[9];       /* about the centre of mass, body axes */
	double least_inertia;          /* its smallest principal moment, or a little less */
	double centre_of_mass[3];      /* SI, body frame */
	double radius;                 /* of the sphere about the centre of mass that holds the body */
	double mass_si, inertia_si[9]; /* kg, kg m^2 */
	AbutBodyState initial;         /* SI */
	double force[3], torque[3];    /* SI */
	double friction;               /* coefficient */
} AbutBody;

typedef struct AbutPart {
	AbutShape *shape;      /* SI, body frame */
	int body;              /* that it belongs to */
	AbutConicRows rows;    /* about the centre of mass */
	int n_cones, law_size; /* of its rows */
	double box_centre[3];  /* the box of body axes that holds it, about the centre of mass */
	double box_half[3];    /* (0 for a halfspace) */
	double reach;          /* of the sphere about the centre of mass that holds it */
	double scale;          /* outer radius of the shape that the model was made with: contacts are scaled by it */
	double divisor;        /* the same, m: the rows are divided by it; 0 for a halfspace */
	AbutManifoldShape manifold; /* of methods that need contact points (dynamics/methods/manifold/model.c) */
} AbutPart;

/* What method convex makes contacts of, SI. */
typedef struct AbutSoftness {
	double solref[2], solimp[5], margin;
} AbutSoftness;

/* What a scene says of two bodies' contact, other than by its defaults. */
typedef struct AbutPairRule {
	int body[2];             /* ascending; rules are sorted by it */
	bool allowed;            /* false: excluded */
	bool turned;             /* the user's a is body[1] */
	double friction;         /* negative: from the bodies */
	double restitution;      /* negative: the model's */
	double torsional_radius; /* model units; negative: from the shapes */
	double torsional_change; /* what is added to that from the shapes */
	AbutSoftness soft;
} AbutPairRule;

/* Which pairs may touch, and what their contacts are made of. */
typedef struct AbutPairing {
	double restitution; /* of pairs without a rule */
	AbutSoftness soft;  /* of pairs without a rule */
	double margin;      /* the largest of all pairs, model units; 0 where contacts are no springs */
	bool all_pairs;     /* pairs without a rule may touch */
	int n_rules;
	AbutPairRule *rules; /* (n_rules) */
	int64_t n_pairs;     /* of parts that may touch */
} AbutPairing;

struct AbutModel {
	AbutUnits units;
	AbutSolverOptions options;
	const AbutMethodRow *method; /* of options.method */
	AbutFormulation formulation;
	double tolerance, collision_kappa; /* resolved */
	double timestep;                   /* in units of time */
	double gravity[3];
	double timestep_si, gravity_si[3];
	int n_bodies, n_moving, n_parts, n_planes;
	AbutBody *bodies;
	int *moving_body; /* (n_moving) body of each moving body */
	AbutPart *parts;
	int *planes;       /* (n_planes) parts that are halfspaces */
	bool quasi_static; /* steps begin at rest */
	AbutPairing pairing;
	void *method_parts; /* what the method keeps of each part; NULL: nothing */
	int scratch;        /* of the shape kernel, largest part */
	char *name_block;
};

#endif

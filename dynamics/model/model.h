/* The fields of AbutModel, which steps read and never change.
 *
 * Length, mass and time are divided by AbutUnits. So kappa has no unit, and a scene in millimetres and grams behaves
 * like the same scene in metres and kilograms (docs/formulation.md 3). Fields in SI units are marked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abut/model.h"
#include "collision/manifold/shape.h"
#include "collision/rows/conic_rows.h"
#include "dynamics/model/method.h"

/* Settings in which the single-level paper differs from the default formulation, which converges (docs/formulation.md 3
 * and 11). */
typedef struct AbutFormulation {
	/* The setting of the paper: SI units are used instead of the scene's own. Rows of a polytope have unit length,
	 * and it is scaled about the origin of its frame instead of its centre of mass. Every pair is solved for, near
	 * or far. Contact impulses are gamma times the raw normal instead of the soft one. Steps start from rest
	 * instead of free flight. */
	bool published;
	double weight_contact, weight_friction; /* weights w_c of the gap and w_f of the slip */
} AbutFormulation;

static const AbutFormulation abut_formulation_default = {false, 10.0, 0.1},
                             abut_formulation_published = {true, 1.0, 1.0};

/* A sigma so large that the soft normal n / sqrt(|n|^2 + sigma^2) equals n / sigma up to rounding. Multiplied by sigma,
 * it is the raw normal. */
static const double abut_raw_sigma = 1e8;

enum {
	ABUT_HALVING_LEVELS = 12, /* halvings for bodies that turn far, or pass each other by more than their size */
	ABUT_RETRY_LEVELS = 8,    /* halvings of a step that is not solved */
	ABUT_LEVELS = 14          /* halvings of both kinds together */
};

/* Half turns |psi| = |dt w / 2|. In the angular balance, the term c J w with c = sqrt(1 - psi.psi) has two roots for
 * one angular momentum, below and above |psi| = sqrt(1/2). Every part of a step stays on the lower root. At its
 * beginning, |psi| is at most ABUT_EASY_HALF_TURN; for a part of a step near another body, at most ABUT_NEAR_HALF_TURN,
 * which takes fewer iterations but more parts. With the finest parts, |psi| of the whole step may reach ABUT_MOST_SPIN,
 * for the spins that collisions give small bodies. Initial spins are refused from ABUT_SPIN_LIMIT on. */
#define ABUT_LARGEST_HALF_TURN 0.7
#define ABUT_EASY_HALF_TURN 0.6
#define ABUT_NEAR_HALF_TURN 0.45
#define ABUT_JOINTED_HALF_TURN 0.3
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
	int n_parts, first_part;       /* number of parts; index of the first in AbutModel.parts */
	double mass, inertia[9];       /* inertia: about the centre of mass, body axes */
	double least_inertia;          /* smallest principal moment of inertia, or slightly less */
	double centre_of_mass[3];      /* SI; body frame */
	double radius;                 /* radius of the sphere about the centre of mass that contains the body */
	double mass_si, inertia_si[9]; /* kg, kg m^2 */
	AbutBodyState initial;         /* SI */
	double force[3], torque[3];    /* SI; force in world axes, torque in body axes */
	double friction;               /* friction coefficient */
	double mobility[2]; /* of the centre of mass (0: 1 / mass) and of turns (dynamics/joint/mobility.h) */
	double home_position[3], home_orientation[4]; /* SI; pose of the definition, before joints were closed */
} AbutBody;

typedef struct AbutPart {
	AbutShape *shape;           /* SI, body frame */
	int body;                   /* index of its body */
	AbutConicRows rows;         /* with points relative to the centre of mass */
	int n_cones, law_size;      /* number of cones of the rows, and of entries of their laws */
	double box_centre[3];       /* centre of the bounding box in body axes, from the centre of mass */
	double box_half[3];         /* half edge lengths of the box; 0 for a halfspace */
	double reach;               /* radius of the sphere about the body's centre of mass that contains the part */
	double scale;               /* outer radius of the original shape, by which contacts are scaled */
	double divisor;             /* `scale` in m, by which rows are divided; 0 for a halfspace */
	AbutManifoldShape manifold; /* for methods with contact points (dynamics/methods/manifold/work.c) */
} AbutPart;

/* Spring parameters of contacts in method convex; SI. */
typedef struct AbutSoftness {
	double solref[2], solimp[5], margin;
} AbutSoftness;

/* Values that a scene gives for the contacts of two bodies. */
typedef struct AbutPairRule {
	int body[2];             /* ascending indices; rules are sorted by them */
	bool allowed;            /* false: the pair is excluded */
	bool turned;             /* the user's a is body[1] */
	bool of_parts;           /* the scene says something only of parts of the bodies */
	double friction;         /* negative: computed from the bodies' coefficients */
	double restitution;      /* negative: the model's value */
	double torsional_radius; /* model units; negative: computed from the shapes */
	double torsional_change; /* added to the radius computed from the shapes */
	AbutSoftness soft;
} AbutPairRule;

/* Values that a scene gives for the contacts of two parts; those that are negative are those of the bodies. */
typedef struct AbutPartRule {
	int part[2]; /* ascending indices into AbutModel.parts; rules are sorted by them */
	double friction, restitution;
	double torsional_radius; /* model units */
	AbutSoftness soft;
} AbutPartRule;

/* Which pairs may touch, and the values of their contacts. */
typedef struct AbutPairing {
	double restitution; /* for pairs without a rule */
	AbutSoftness soft;  /* for pairs without a rule */
	double margin;      /* largest margin of all pairs, model units; 0 without springs */
	bool all_pairs;     /* pairs without a rule may touch */
	int n_rules;
	AbutPairRule *rules; /* (n_rules) */
	int n_part_rules;
	AbutPartRule *part_rules; /* (n_part_rules) */
	int64_t n_pairs;          /* number of pairs of parts that may touch */
} AbutPairing;

/* The given initial coordinate that was changed most to close the joints. */
typedef struct AbutYielded {
	int n;           /* how many were changed */
	int joint, axis; /* joint: -1 if all given coordinates hold */
	bool turns;
	double from, to; /* rad or m */
} AbutYielded;

/* The joints, dynamics/model/joint.h. */
typedef struct AbutJointList {
	int n, n_yielding;    /* all, and those that springs of method convex hold */
	struct AbutJoint *at; /* (n) */
	char *names;          /* memory of their names */
	double moved, turned; /* m, rad: largest translation and turn of a body when the joints were closed */
	int moved_body;       /* the last body that set one of the two */
	AbutYielded yielded;
	int n_couplings;
	struct AbutCoupling *couplings; /* (n_couplings), dynamics/model/coupling.h */
} AbutJointList;

/* The sites and sensors, dynamics/model/sensor.h. */
typedef struct AbutSensorList {
	int n;
	struct AbutSensor *at; /* (n) */
	int n_sites;
	struct AbutSite *sites; /* (n_sites) */
	int *of_body;           /* (n_bodies) the first sensor of type contact_force of a body; -1: none */
	char *names;            /* memory of their names */
	int n_values, n_kept;   /* number of values of all sensors, and of those that states keep */
	bool loads;             /* a sensor needs the loads of joints */
} AbutSensorList;

struct AbutModel {
	AbutUnits units;
	AbutSolverOptions options;
	const AbutMethodRow *method; /* of options.method */
	AbutFormulation formulation;
	double tolerance, collision_kappa; /* the values in use, also if they are defaults */
	double timestep;                   /* model units */
	double gravity[3];
	double timestep_si, gravity_si[3];
	int n_bodies, n_moving, n_parts, n_planes;
	AbutBody *bodies;
	int *moving_body; /* (n_moving) index of each moving body among all bodies */
	AbutPart *parts;
	int *planes; /* (n_planes) indices of the parts that are halfspaces */
	AbutJointList joints;
	AbutSensorList sensors;
	bool quasi_static; /* every step starts at rest */
	AbutPairing pairing;
	void *method_parts; /* the method's own data of the parts; NULL: none */
	int scratch;        /* doubles of scratch memory for the shape kernel with the largest part */
	char *name_block;
};

/* Inside of AbutModel and AbutState: what a step reads, every offset computed once. A step works in the model's own
 * units; what carries SI units, for the way in and out, says so.
 *
 * Units: length, mass and time are divided by AbutUnits, so that kappa has no units and a scene in millimetres and
 * grams behaves as the same scene in metres and kilograms (docs/formulation.md 3). What carries SI says so. */
#ifndef DYNAMICS_MODEL_H
#define DYNAMICS_MODEL_H

#include <stddef.h>

#include "abut/model.h"
#include "collision/conic_rows.h"

enum {
	ABUT_HALVING_LEVELS = 12, /* of bodies that pass each other's size, or turn far, in a step */
	ABUT_RETRY_LEVELS = 8,    /* of a step that is not solved */
	ABUT_LEVELS = 14          /* of both together */
};

/* Half turns |dt w / 2|: the law of the turn, c J w with c = sqrt(1 - psi.psi), has two roots for one angular momentum,
 * below and above sqrt(1/2). A part of a step stays on the lower one; it begins with at most ABUT_EASY_HALF_TURN. The
 * finest parts of a step carry ABUT_MOST_SPIN, for what collisions make of small bodies; a spin that enters is refused
 * from ABUT_SPIN_LIMIT on. */
#define ABUT_LARGEST_HALF_TURN 0.7
#define ABUT_EASY_HALF_TURN 0.6
#define ABUT_SPIN_LIMIT (ABUT_EASY_HALF_TURN * 64)
#define ABUT_MOST_SPIN (ABUT_EASY_HALF_TURN * (1 << ABUT_HALVING_LEVELS))

typedef struct AbutUnits {
	double length, mass, time;         /* m, kg, s */
	double velocity, impulse, torsion; /* m/s, N s, N m s (angular impulse) */
} AbutUnits;

typedef struct AbutBody {
	const char *name;
	bool is_static;
	int moving;                    /* place among the moving bodies, -1 when static */
	int n_parts, first_part;       /* into AbutModel.parts */
	double mass, inertia[9];       /* about the centre of mass, body axes */
	double centre_of_mass[3];      /* SI, body frame */
	double radius;                 /* of the sphere about the centre of mass that holds the body */
	double mass_si, inertia_si[9]; /* kg, kg m^2 */
	AbutBodyState initial;         /* SI */
	double force[3], torque[3];    /* SI */
} AbutBody;

typedef struct AbutPart {
	AbutShape *shape;   /* SI, body frame */
	AbutConicRows rows; /* about the centre of mass */
} AbutPart;

/* A pair of parts that may touch. Side 0 is a moving body's bounded part, side 1 the other. */
typedef struct AbutPair {
	int body[2], part[2]; /* part: into AbutModel.parts */
	int local_part[2];    /* the part's place in its body */
	bool flipped;         /* side 0 is the user's b */
	double mu;            /* friction coefficient */
	double torsional_radius;
	double outer_radius; /* R: sum of both parts' outer radii */
	int tail;            /* rows of slip: 0 without friction, 2, or 3 with torsion */
	int n_y, n_z, n_cones;
	int y_offset, z_offset; /* among all pairs: places in the warm-start arrays */
} AbutPair;

/* One of the parts that a part may touch, and the pair of the two. */
typedef struct AbutPartner {
	int part, pair;
} AbutPartner;

struct AbutModel {
	AbutUnits units;
	AbutSolverOptions options;
	double tolerance; /* resolved */
	double timestep;  /* in units of time */
	double gravity[3];
	double timestep_si, gravity_si[3];
	int n_bodies, n_moving, n_parts, n_pairs;
	AbutBody *bodies;
	int *moving_body; /* (n_moving) body of each moving body */
	AbutPart *parts;
	AbutPair *pairs;
	int *first_partner;    /* (n_parts + 1) where each part's partners begin */
	AbutPartner *partners; /* (2 n_pairs) of bounded pairs, by part, sorted */
	int *plane_pairs;      /* (n_plane_pairs) pairs with a halfspace */
	int n_plane_pairs;
	int n_y_pairs, n_z_pairs, n_cones, n_law; /* sums over all pairs */
	int scratch;                              /* of the shape kernel, largest part */
	char *name_block;
};

struct AbutState {
	const AbutModel *model; /* that it was made from */
	long steps;             /* taken */
	double time;            /* s: steps times the timestep, not their sum */
	double last_timestep;   /* of the step, or part of one, that ended here; model units, 0: none */
	bool warm; /* there is a last solution: previous_velocity, and of each pair with warm_pair the arrays below */
	AbutBodyState *bodies;     /* SI, but position is that of the centre of mass */
	double *force, *torque;    /* (n_bodies x 3) SI */
	double *previous_velocity; /* (n_bodies x 6) linear and angular (world) velocity before the last step, SI */
	bool *warm_pair;           /* (n_pairs) */
	double *pair_y, *pair_z; /* (n_y_pairs), (n_z_pairs) last solution of each pair, model units, impulse scale 1 */
	double *pair_normal;     /* (n_pairs x 3) last normal, world */
	double *pair_alpha;      /* (n_pairs) last scaling; below 0 when unknown */
	void *memory;
	size_t memory_size;
};

/* Whether the body, which exists, can be pushed so. */
bool abut_state_input_possible(const AbutModel *model, int body, const double force[3], const double torque[3]);

#endif

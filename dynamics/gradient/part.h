/* Stores the derivative of one part of an island's step as a linear system, which outlives the step. It consists of the
 * bodies' shares, one matrix for each contact, and the factorised system of the bodies. The mathematics is in
 * dynamics/gradient/make.c. A step has several parts if it was halved while it was solved (dynamics/step/advance.c).
 * Model units, world axes. */
#pragma once

#include "abut/gradient.h"
#include "dynamics/body/body.h"
#include "dynamics/gradient/body.h"
#include "dynamics/gradient/edge_map.h"
#include "dynamics/gradient/joint/direction.h"
#include "dynamics/island/island.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"
#include "solver/ncp/ncp.h"

/* The reason why a derivative does not exist. Either the exact solution has only one-sided derivatives, or the
 * equations do not determine the derivative. */
typedef enum AbutRefusalWhy {
	ABUT_REFUSED_NOT,      /* the derivative exists */
	ABUT_REFUSED_OVERHELD, /* contacts hold more directions than the bodies have degrees of freedom */
	ABUT_REFUSED_UNLOADED, /* a contact is closed but carries no load */
	ABUT_REFUSED_SLIPPING, /* friction is at its bound, but nothing slips */
	ABUT_REFUSED_LEAVING,  /* the contact point is at the end of a face, but no load holds it there */
	ABUT_REFUSED_CROWDED,  /* the contact point is in a vertex of more than three faces, and one of the faces moves
	                        */
	ABUT_REFUSED_OVERLAPPING, /* bodies overlap at the start by more than one step removes; also on the path */
	ABUT_REFUSED_UNKNOWN,     /* method lcp: a contact point whose motion is not known */
	ABUT_REFUSED_SHARED,      /* method lcp: impulses that are not unique, and on which the motion depends */
	ABUT_REFUSED_LATE,        /* method lcp: a point of bodies without joints bounces within the step */
	ABUT_REFUSED_AT_LIMIT,    /* a joint is at its limit without load */
	ABUT_REFUSED_AT_BOUND,    /* dry friction or the motor of a joint is at its bound, but nothing slips */
	ABUT_REFUSED_JOINTED,     /* the parameter changes a joint, by which there is no derivative; also on the path */
	/* Method convex, with joints: */
	ABUT_REFUSED_SOFT,   /* contacts or soft equalities act on them, or a spring holds a coupling */
	ABUT_REFUSED_LOOP,   /* a soft limit or soft dry friction acts on a joint that closes a loop */
	ABUT_REFUSED_MOBILE, /* the parameter may change the softness of those that act */
	ABUT_REFUSED_FAST,   /* a ball leans fast for its limits; also on the path */
	ABUT_REFUSED_STIFF,  /* a spring acts at the end of the step (joint/law.h); also on the path */
	/* A joint's impulses turn towards the end of the step (theta > 0); all also on the path: */
	ABUT_REFUSED_TURNED,   /* by the impulses of the step itself */
	ABUT_REFUSED_CHAINED,  /* by those of another step or part that is differentiated with it */
	ABUT_REFUSED_DIRECTED, /* by an amount that depends on the inertia of the bodies */
	ABUT_REFUSED_KINKED,   /* by an amount that has a kink */
} AbutRefusalWhy;

/* A reason, and what causes it: a contact, by the model indices of its two bodies, or a joint. */
typedef struct AbutRefusal {
	AbutRefusalWhy why;
	int body[2];
	const char *joint; /* name of the joint that causes it; NULL: a contact */
} AbutRefusal;

/* Sets `first` unless it already holds a reason. */
static inline void abut_gradient_refuse_for(AbutRefusalWhy why, const AbutPair *pair, AbutRefusal *first)
{
	if (first->why == ABUT_REFUSED_NOT) {
		*first = (AbutRefusal){.why = why, .body = {pair->body[0], pair->body[1]}};
	}
}

/* The same for a joint. */
static inline void abut_gradient_refuse_joint(AbutRefusalWhy why, const char *joint, AbutRefusal *first)
{
	if (first->why == ABUT_REFUSED_NOT) {
		*first = (AbutRefusal){.why = why, .joint = joint};
	}
}

/* Returns the margin z - weight H of an orthant's entry at an exact solution: positive if the entry is held, negative
 * if open. */
static inline double abut_gradient_margin(const AbutCone *cone, int entry, const AbutIterate *it)
{
	return it->z[cone->offset + entry] - cone->weight * it->H[cone->offset + entry];
}

/* Memory that grows to the largest size requested. */
typedef struct AbutGradientRoom {
	void *memory;
	size_t size;
} AbutGradientRoom;

/* The groups of variables of a derivative. The derivative with respect to one group may exist where that with respect
 * to another does not. Impulses include forces, torques and the velocities at the start. */
enum { ABUT_BY_POSES, ABUT_BY_IMPULSES, ABUT_BY_PARAMETER /* + i: parameter i */ };

/* The effect of the velocities at the start through the rate of a joint's coordinate in the step before: the right
 * sides of its bodies change by push (by_velocity . change), with the change of the velocity in world axes and of the
 * spin in body axes. */
typedef struct AbutGradientRate {
	int body[2]; /* among the part's; -1: none */
	double push[2][6], by_velocity[2][6];
} AbutGradientRate;

/* The bodies of a jointed part, each with the held numbers that are eliminated with it (dynamics/gradient/nodes.c), and
 * the numbers that are left over (dynamics/gradient/left.c). */
typedef struct AbutGradientNodes {
	int *first;     /* (n + 1) node k holds `held`[first[k]] to [first[k + 1] - 1]; those left over follow */
	int *held;      /* (n_held) indices of held numbers */
	int *map;       /* (n_held) edge of each held number */
	int *position;  /* (n_maps) node that each edge belongs to */
	bool *busy;     /* (n) scratch */
	double *blocks; /* two blocks for each node, then four for each entry of its row */
	int n_left, n_dropped;
	AbutGradientRoom room; /* of the arrays below */
	double *Z;             /* (n_left x 6 n) motion by each number */
	double *C, *inverse;   /* (n_left x n_left) */
	double *check;         /* (n_dropped x n_left) */
	double *effect;        /* (n_left) of each number on free bodies */
	int *dropped;          /* (n_dropped) held numbers */
} AbutGradientNodes;

/* The linear system of the bodies' velocities. */
typedef struct AbutGradientSystem {
	AbutBlockPattern pattern;
	AbutBlockSystem sum, factors; /* the matrix S, and its factors */
	AbutGradientNodes nodes;      /* of a jointed part */
	double *columns;              /* (6 n x stride) solved columns of matrix.c; NULL if lanes.before is not NULL */
} AbutGradientSystem;

/* Right sides, solutions and results, eight columns at once. */
typedef struct AbutGradientLanes {
	AbutLanes *right, *start; /* (6 n) right sides of the balances; changes of the next poses at fixed velocities */
	AbutLanes *before;        /* (6 n) velocities at the start, if contacts depend on them; otherwise NULL */
	AbutLanes *x, *dx;        /* (6 n) solution, and its correction */
	AbutLanes *held, *next_held, *held_right; /* (n_held) */
	AbutLanes *change;                        /* (18 n) change of state and input; used by matrix.c and held.c */
	AbutLanes *next;                          /* (12 n) change of the next state */
	AbutLanes *parameters;                    /* (n_parameters) */
} AbutGradientLanes;

/* The derivative of a part; initially zero. All arrays are in `room`. */
typedef struct AbutGradientPart {
	AbutGradientRoom room;
	int n, n_maps, n_held; /* numbers of bodies, of edges that carry load, and of held numbers in all edges */
	int n_parameters;
	bool smoothed; /* the derivative is taken on the central path, not at the exact solution */
	AbutGradientBody *bodies;
	AbutEdgeMap *maps;
	AbutRefusal *causes; /* (n_maps) the contact or joint of each map; set by method single-level only */
	int n_rates;
	AbutGradientRate *rates; /* (n_rates) */
	AbutGradientDirections directions;
	bool jointed;                    /* some maps are those of joints */
	AbutRefusal *refused;            /* (ABUT_BY_PARAMETER + n_parameters) */
	AbutBodyParameter *by_parameter; /* (n x n_parameters) */
	AbutGradientSystem system;
	AbutGradientLanes lanes;
} AbutGradientPart;

/* Input for a part. */
typedef struct AbutGradientAsk {
	const AbutModel *model;
	const AbutMotion *motion; /* (n_bodies) at the start of the part */
	bool smoothed;            /* the island is at a point of the path, not at a solution */
	double kappa;             /* of the derivative; 0: at the exact solution */
	bool first; /* first part of the first step: it begins at the given state, not at the end of another part */
	bool holds_turns; /* directions of impulses are held where they would be refused */
	int n_parameters;
	const AbutParameter *parameters;
} AbutGradientAsk;

/* Returns how many derivatives one call of abut_gradient_drive covers. It covers one group of poses or impulses, or as
 * many parameters from `by` on as there are lanes. */
static inline int abut_gradient_driven(const AbutGradientPart *part, int by)
{
	const int left = ABUT_BY_PARAMETER + part->n_parameters - by;
	return by < ABUT_BY_PARAMETER ? 1 : left < ABUT_LANES ? left : ABUT_LANES;
}

/* Returns the length of a row of part->system.columns, in doubles. */
static inline size_t abut_gradient_columns_stride(const AbutGradientPart *part)
{
	return (12 * (size_t)part->n + (size_t)part->n_rates + ABUT_LANES - 1) / ABUT_LANES * ABUT_LANES;
}

/* Makes the room hold at least `size` bytes; its content is lost when it grows. Returns false if memory is short. */
bool abut_gradient_room_reserve(AbutGradientRoom *room, size_t size);

/* Takes the arrays of the part of `of` from an arena, which counts their size or has it. */
typedef void AbutGradientCarver(void *of, const AbutGradientAsk *ask, AbutArena *arena, AbutGradientPart *part);
/* Makes room for the arrays of a part, and takes them. */
AbutStatus abut_gradient_lay_out(AbutGradientCarver *carve, void *of, const AbutGradientAsk *ask,
                                 AbutGradientPart *part);

/* Carves bodies, parameters and maps from the arena; the caller then carves the matrix of each map. */
void abut_gradient_carve_bodies(int n, int n_maps, const AbutGradientAsk *ask, AbutArena *arena,
                                AbutGradientPart *part);
/* Carves the system with the given block pattern, and the lanes. `before`: contacts depend on the velocities at the
 * start. */
void abut_gradient_carve_system(const AbutBlockPattern *pattern, bool before, AbutArena *arena, AbutGradientPart *part);

/* Adds the filled maps to the system, which already holds the bodies' own blocks, and factorises it. Returns
 * ABUT_ERROR_NUMERICAL if it is singular. */
AbutStatus abut_gradient_factorise(AbutGradientPart *part);

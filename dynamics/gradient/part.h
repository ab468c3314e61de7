/* The derivative of a part of an island's step as a linear system that outlives the step: bodies, contacts as matrices,
 * and the factorised system of the bodies (dynamics/gradient/make.c has the mathematics). Model units, world axes. */
#ifndef DYNAMICS_GRADIENT_PART_H
#define DYNAMICS_GRADIENT_PART_H

#include "abut/gradient.h"
#include "dynamics/body/body.h"
#include "dynamics/gradient/body_parameter.h"
#include "dynamics/gradient/map.h"
#include "dynamics/island/island.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

/* What a body's rows and columns are made of (dynamics/gradient/body.c). */
typedef struct AbutGradientBody {
	double timestep, mass, least_inertia;
	double kept_mass; /* by which the momentum follows the old velocity: 0 of a quasi-static body */
	bool planar;
	double axes[9];    /* row k: what it takes of a small turn about its own axis k */
	double carried[9]; /* row k: the turn of the next pose with that of the start */
	double turned[9];  /* row k: of the angular balance's right side, with that turn */
	double spun[9];    /* row k: the same with the old spin about its own axis k */
	double pushed[9];  /* row k: with a torque about its own axis k */
	double G[9];       /* small turn of the next pose by w+ */
	double R0[9], R[9];
	double x[3], v[3], w[3]; /* next place, velocities */
	double turn[4];          /* quaternion of R R0' */
	double from[4];          /* orientation at the start */
} AbutGradientBody;

/* Memory that grows with the largest that it served. */
typedef struct AbutGradientRoom {
	void *memory;
	size_t size;
} AbutGradientRoom;

/* By what a part is differentiated: it may have one derivative and not the other. Velocities at the start, forces and
 * torques are impulses. */
enum { ABUT_BY_POSES, ABUT_BY_IMPULSES, ABUT_BY_PARAMETER /* the first of them; one more for each */ };

/* Why there is no derivative: an exact solution has one-sided ones alone, or its equations do not tell it. */
typedef enum AbutRefusalWhy {
	ABUT_REFUSED_NOT,         /* there is one */
	ABUT_REFUSED_OVERHELD,    /* contacts hold more than there are freedoms */
	ABUT_REFUSED_UNLOADED,    /* a contact touches and carries no load */
	ABUT_REFUSED_SLIPPING,    /* friction is at its bound, and nothing slips */
	ABUT_REFUSED_LEAVING,     /* the contact point is at the end of a face, and nothing holds it there */
	ABUT_REFUSED_CROWDED,     /* the point is in a vertex of more than three faces, and one of them moves */
	ABUT_REFUSED_OVERLAPPING, /* bodies overlap at the start by more than the step undoes; also on the path */
} AbutRefusalWhy;

/* Why, and the bodies of a contact where (in the model). */
typedef struct AbutRefusal {
	AbutRefusalWhy why;
	int body[2];
} AbutRefusal;

/* Directions of a part, eight at a time. */
typedef struct AbutGradientLanes {
	AbutLanes *right, *start, *x, *dx; /* (6 n) */
	AbutLanes *before;        /* (6 n) velocities at the start, where contacts follow them; otherwise NULL */
	AbutLanes *change, *next; /* (18 n), (12 n) of dynamics/gradient/by_products.c and dynamics/gradient/held.c */
	AbutLanes *held, *next_held, *held_right;
	AbutLanes *parameters; /* (n_parameters) */
} AbutGradientLanes;

/* Begins as zeros. Everything is in `room`. */
typedef struct AbutGradientPart {
	AbutGradientRoom room;
	int n, n_maps, n_held; /* bodies; contacts that press, and all that they hold */
	int n_parameters;
	bool smoothed; /* on the path */
	AbutGradientBody *bodies;
	AbutContactMap *maps;
	int (*pairs)[2];                 /* (n_maps) the contact's bodies in the model; of method single-level */
	AbutRefusal *refused;            /* (ABUT_BY_PARAMETER + n_parameters) */
	AbutBodyParameter *by_parameter; /* (n x n_parameters) */
	AbutBlockPattern pattern;
	AbutBlockSystem sum, system; /* S, and its factors */
	double *columns;             /* (6 n x stride) of dynamics/gradient/matrix.c */
	AbutGradientLanes lanes;
} AbutGradientPart;

/* What is asked of a part. */
typedef struct AbutGradientAsk {
	const AbutModel *model;
	const AbutMotion *motion; /* (n_bodies) at the start of the part */
	bool smoothed;            /* the island is at a point of the path, not at a solution */
	bool first;               /* part of what is chained: its start is given, not an end before it */
	int n_parameters;
	const AbutParameter *parameters;
} AbutGradientAsk;

/* How many lanes of a drive are of different things: they are by, by + 1 and so on. */
static inline int abut_gradient_driven(const AbutGradientPart *part, int by)
{
	const int left = ABUT_BY_PARAMETER + part->n_parameters - by;
	return by < ABUT_BY_PARAMETER ? 1 : left < ABUT_LANES ? left : ABUT_LANES;
}

/* Keeps the first reason that there is. */
static inline void abut_gradient_refuse_for(AbutRefusalWhy why, const AbutPair *pair, AbutRefusal *first)
{
	if (first->why == ABUT_REFUSED_NOT) {
		*first = (AbutRefusal){.why = why, .body = {pair->body[0], pair->body[1]}};
	}
}

/* Of an entry of an orthant at an exact solution: positive where it is held, negative where it is open. */
static inline double abut_gradient_margin(const AbutCone *cone, int entry, const AbutIterate *it)
{
	return it->z[cone->offset + entry] - cone->weight * it->H[cone->offset + entry];
}

/* dynamics/gradient/border.c: the first contacts of an exact solution that are on the border of two modes: by what they
 * hold (no load, or friction at its bound), and by where their points are (at the end of a face). */
typedef struct AbutBorders {
	AbutRefusal load, end;
} AbutBorders;
/* `z`, a copy of the solution's, a little to a side of all such borders: closed holds the load, sticks, and holds the
 * point at its end. */
typedef enum AbutBorderPlace { ABUT_BORDER_OPEN, ABUT_BORDER_AS_IS, ABUT_BORDER_CLOSED } AbutBorderPlace;
typedef struct AbutBorderSide {
	AbutBorderPlace load, end;
} AbutBorderSide;

/* dynamics/gradient/matrix.c: length of a row of part->columns, in doubles. */
static inline size_t abut_gradient_columns_stride(int n)
{
	return (12 * (size_t)n + ABUT_LANES - 1) / ABUT_LANES * ABUT_LANES;
}

#endif

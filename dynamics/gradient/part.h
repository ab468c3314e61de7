/* The derivative of a part of an island's step as a linear system that outlives the step: bodies, contacts as matrices,
 * and the factorised system of the bodies (dynamics/gradient/part.c has the mathematics). Model units, world axes. */
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
	AbutBlockSystem sum, system;       /* S, and its factors */
	double *columns;                   /* (6 n x stride) of dynamics/gradient/matrix.c */
	AbutLanes *right, *start, *x, *dx; /* (6 n) */
	AbutLanes *before;        /* (6 n) velocities at the start, where contacts follow them; otherwise NULL */
	AbutLanes *change, *next; /* (18 n), (12 n) of dynamics/gradient/by_products.c and dynamics/gradient/held.c */
	AbutLanes *held, *next_held, *held_right;
	AbutLanes *parameters; /* (n_parameters) */
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

/* dynamics/gradient/part.c: of the island, with the problem evaluated where the derivative is asked for. `scratch` and
 * `other` are used during the call alone. What is one-sided is told by part->refused. ABUT_ERROR_NUMERICAL: there is no
 * derivative to working precision. */
AbutStatus abut_gradient_part_make(AbutIsland *island, const AbutGradientAsk *ask, AbutGradientRoom *scratch,
                                   AbutGradientPart *other, AbutGradientPart *part);

/* What parts of all methods are carved from: bodies, parameters and maps, which the caller carves in turn; then the
 * system of a pattern, and lanes. `before`: contacts follow the velocities at the start. */
bool abut_gradient_room_reserve(AbutGradientRoom *room, size_t size);
void abut_gradient_carve_bodies(int n, int n_maps, const AbutGradientAsk *ask, AbutArena *arena,
                                AbutGradientPart *part);
void abut_gradient_carve_system(const AbutBlockPattern *pattern, bool before, AbutArena *arena, AbutGradientPart *part);
/* With the bodies' own blocks in part->sum and the maps filled: the matrix of the system, and its factors. */
bool abut_gradient_factorise(AbutGradientPart *part);

/* dynamics/gradient/body.c: of a body at its solution. */
void abut_gradient_body(const AbutBodyWork *work, double timestep, AbutGradientBody *out);

/* dynamics/gradient/solve.c: with part->right the right sides of the balances and part->start the changes of the next
 * poses at fixed velocities (and part->before the velocities at the start), zero but for bodies `first` to `last`,
 * part->x becomes d(v+, w+). `parameters` (n_parameters; NULL: none change) is what contacts make of their changes;
 * what bodies make of them is in right and start. False, here and below: it does not converge. */
bool abut_gradient_solve(const AbutGradientPart *part, int first, int last, const AbutLanes *parameters);
/* The same without corrections and parameters: what the regularised laws hold gives way a little (contact_stiffness.c),
 * by as much as abut_gradient_correction tells, */
void abut_gradient_solve_once(const AbutGradientPart *part, int first, int last);
/* the largest entry of the correction of part->x, a solution of part->right and part->start by solve_once. */
double abut_gradient_correction(const AbutGradientPart *part);
/* The transposed: with part->x a cost's derivative by (v+, w+), part->right and part->start become those by right sides
 * and by starts (and part->before that by velocities at the start, as contacts follow them), part->parameters that by
 * what contacts make of parameters. */
bool abut_gradient_solve_transposed(const AbutGradientPart *part);

/* dynamics/gradient/held.c: refuses what the contacts of an exact part hold more than there are freedoms for. Takes all
 * of the part's lanes. */
void abut_gradient_refuse_overheld(const AbutGradientPart *part);
/* Eight sums of all columns by poses or by impulses; or from `by` on eight parameters, one in each lane. Into
 * part->next, in units of what moves a body in flight by about 1. */
void abut_gradient_drive(const AbutGradientPart *part, int by);
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
AbutBorders abut_gradient_borders(const AbutIsland *island);
/* `z`, a copy of the solution's, a little to a side of all such borders: closed holds the load, sticks, and holds the
 * point at its end. */
typedef enum AbutBorderPlace { ABUT_BORDER_OPEN, ABUT_BORDER_AS_IS, ABUT_BORDER_CLOSED } AbutBorderPlace;
typedef struct AbutBorderSide {
	AbutBorderPlace load, end;
} AbutBorderSide;
void abut_gradient_leave_border(const AbutIsland *island, AbutBorderSide side, double *z);
/* Whether the sides of a border that a point at the end of a face makes are those of a body about to tip. */
bool abut_gradient_tips(const AbutGradientPart *closed, const AbutGradientPart *open);
/* What differs between the two sides of the border is refused for it; `open` is NULL where that side has none. */
void abut_gradient_refuse_border(const AbutGradientPart *closed, const AbutGradientPart *open,
                                 const AbutRefusal *border);

/* dynamics/gradient/unknown.c: refuses what the equations do not tell. */
void abut_gradient_refuse_overlap(const AbutGradientAsk *ask, const AbutPair *pair, AbutGradientPart *part);
void abut_gradient_refuse_unknown(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part);

/* dynamics/gradient/matrix.c: length of a row of part->columns, in doubles. */
static inline size_t abut_gradient_columns_stride(int n)
{
	return (12 * (size_t)n + ABUT_LANES - 1) / ABUT_LANES * ABUT_LANES;
}

/* Rows and columns of the state and the input in SI, by the columns' `unit` (18): those of the part's body i from row
 * 12 places[i] and column 18 places[i] on, of a matrix with rows of `width`. False also where a number is not finite.
 */
bool abut_gradient_part_matrix(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
                               double *out);

/* dynamics/gradient/by_products.c: the same of a part with `before`, column by column. */
bool abut_gradient_part_by_products(const AbutGradientPart *part, const double *unit, const int *places, size_t width,
                                    double *out);

/* dynamics/gradient/products.c: eight changes (18 n) of state and input, and `parameters` (n_parameters; NULL: none),
 * to those of the next state `out` (12 n). */
bool abut_gradient_part_forward(const AbutGradientPart *part, const AbutLanes *change, const AbutLanes *parameters,
                                AbutLanes *out);
/* `by_next` (12 n) to `out` (18 n); adds to `parameters` (n_parameters). */
bool abut_gradient_part_backward(const AbutGradientPart *part, const double *by_next, double *out, double *parameters);

#endif

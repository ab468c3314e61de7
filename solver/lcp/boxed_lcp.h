/* The boxed linear complementarity problem, with bounds that may hang on other unknowns:
 *
 *     w = A x + b,    lo <= x <= hi,    w_i >= 0 where x_i = lo_i,  w_i <= 0 where x_i = hi_i,  otherwise w_i = 0,
 *
 * A symmetric positive semidefinite. Where friction[i] = j >= 0, the bounds of x_i are -hi_i x_j and hi_i x_j: hi_i is
 * then the coefficient of friction, and j a row with lo_j = 0 and without friction of its own.
 *
 * A may be singular, as of four points of a face. Three methods, each in a file of its own, find index sets; the
 * equations of the sets (solver/lcp/coupled.c) then give the solution, and of those that A leaves open the one of least
 * effort (solver/lcp/least.c). Where one method finds none, others are tried (boxed_lcp.c). Tested against all index
 * sets in tests/solver/test_boxed_lcp.c and test_boxed_lcp_methods.c. */
#ifndef SOLVER_LCP_BOXED_LCP_H
#define SOLVER_LCP_BOXED_LCP_H

#include <stdbool.h>

#include "solver/lcp/clamped_factor.h"

/* Where an index is at the solution, by the bounds that the status speaks of. */
typedef enum AbutBoxedSet {
	ABUT_BOXED_CLAMPED, /* w = 0 */
	ABUT_BOXED_LOWER,   /* x at its lower bound */
	ABUT_BOXED_UPPER,   /* x at its upper bound */
	ABUT_BOXED_IDLE     /* x = 0: A_ii = 0 to rounding, nothing moves along it; or nothing was found */
} AbutBoxedSet;

typedef struct AbutBoxedLcp {
	int n;
	const double *A;       /* (n x n) row-major */
	const double *b;       /* (n) */
	const double *lo, *hi; /* (n) lo <= 0 <= hi; may be infinite */
	const int *friction;   /* (n) the index that bounds this one, or -1 */
	/* (n) sets from which Dantzig's passes start, as of the step before, idle where nothing is known; or NULL. They
	 * change how long it takes, and the solution by rounding alone. */
	const AbutBoxedSet *guess;
} AbutBoxedLcp;

typedef enum AbutBoxedStatus {
	ABUT_BOXED_SOLVED, /* with bounds that are those of its own normal impulses */
	ABUT_BOXED_FROZEN, /* with bounds from the pass before: solved as ODE does */
	ABUT_BOXED_ROUGH,  /* sweeps alone came near it: `residual` is up to ABUT_BOXED_ROUGHLY of the largest |b| */
	ABUT_BOXED_FAILED  /* there is no solution, or none was found; x = 0 then */
} AbutBoxedStatus;

typedef enum AbutBoxedMethod {
	ABUT_BOXED_DANTZIG,
	ABUT_BOXED_LEMKE,
	ABUT_BOXED_SWEEPS,
	ABUT_BOXED_ONE_PASS /* of Dantzig's, which stands: ODE's law, another problem than that of the others */
} AbutBoxedMethod;

typedef struct AbutBoxedReport {
	AbutBoxedStatus status;
	AbutBoxedMethod method; /* that found it */
	int pivots, passes; /* pivots or sweeps; passes of Dantzig's method, and one for each other that was tried */
	double residual;    /* max |x_i - P(x_i - w_i / A_ii)| A_ii over the bounds that `status` speaks of */
} AbutBoxedReport;

/* Room for problems of up to n unknowns. The solution is in x, w and set. */
typedef struct AbutBoxedRoom {
	double *x, *w;         /* (n) */
	AbutBoxedSet *set;     /* (n) */
	AbutBoxedSet *kept;    /* (n) of the pass, while the coupled equations try others */
	double *lower, *upper; /* (n) bounds of the pass */
	bool *entered;         /* (n) */
	double *dx, *dw, *dc;  /* (n) */
	double *regular;       /* (n x n) A with a larger diagonal */
	double *K;             /* (n x n) of the coupled equations, column-major */
	double *coupled_x;     /* (n) */
	double *coupled_w;     /* (n) */
	double *twice;         /* (2 n) */
	int *pivots;           /* (n) */
	bool least;            /* x is already the one of least effort for its sets */
	AbutClampedFactor factor;
} AbutBoxedRoom;

void abut_boxed_lcp_carve(AbutBoxedRoom *room, int n, AbutArena *arena);

/* By the method, and where that finds no solution with bounds of its own normal impulses by Lemke's, then by Dantzig's,
 * which may have one with fixed bounds; and where there is none at all, what sweeps have. Never NaN in x and w. */
void abut_boxed_lcp_solve(const AbutBoxedLcp *problem, AbutBoxedMethod method, AbutBoxedRoom *room,
                          AbutBoxedReport *report);

/* solver/lcp/dantzig.c: one index after the other is brought in, its w driven to zero or its x to a bound, while all
 * that have come before stay complementary (Baraff 1994). Rows with friction come last. How their bounds follow the
 * normal impulses:
 *
 *   pass 1     from the normal impulses of the problem without friction; this is what ODE and DART solve, and it ends;
 *   coupled    with the sets that a pass ends with, x_i = +-hi_i x_j is put into the equations of those that are
 *              clamped; where the solution does not fulfil all conditions, sets change to what it tells them to be, a
 *              few times (semismooth Newton). Accepted is a solution of the problem as stated above;
 *   pass 2 ... otherwise Dantzig once more, with bounds from the normal impulses of the last pass.
 *
 * Where the passes end without one, the last of them stands, with its fixed bounds (ABUT_BOXED_FROZEN). A is
 * regularised for the pivots: the diagonal times 1 + 1e-8. The solution is refined to one of A itself with the same
 * sets; where that does not fulfil all conditions, a sequence of such problems, and larger factors, lead to one (the
 * proximal point method). So impulses that A leaves open are those of the least effort, about.
 *
 * At most as many passes, >= 1; with 1 the coupled equations are not tried: ODE's law. Where it fails x means nothing.
 */
enum { ABUT_BOXED_PASSES = 12 };
void abut_boxed_lcp_dantzig(const AbutBoxedLcp *problem, int most_passes, AbutBoxedRoom *room, AbutBoxedReport *report);
/* solver/lcp/blocks.c: all rows that are in a wrong set change it at once. `problem` is strictly convex, lower and
 * upper bounds are the room's. True where x, w, the sets and the factor are those of the solution. Otherwise they are a
 * start for Dantzig's method: the rows that have entered are complementary, the others within their bounds. `pivots`
 * counts rows that change. */
typedef enum AbutBoxedStart {
	ABUT_BOXED_FRICTIONLESS, /* rows of normals alone, all clamped */
	ABUT_BOXED_FROM_GUESS,   /* the problem's, where it has one; otherwise all clamped */
	ABUT_BOXED_FROM_SETS     /* those in the room */
} AbutBoxedStart;
bool abut_boxed_lcp_blocks(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedStart start, double idle,
                           int *pivots);
/* solver/lcp/lemke.c; each row needs a finite bound. Where it fails x means nothing. */
void abut_boxed_lcp_lemke(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report);
/* solver/lcp/sweeps.c: projected Gauss-Seidel. Where it fails x means nothing. */
void abut_boxed_lcp_sweep(const AbutBoxedLcp *problem, AbutBoxedRoom *room, AbutBoxedReport *report);
/* solver/lcp/least.c: of a solution with bounds of its own, the one of least effort among those with the same w. */
void abut_boxed_lcp_least(const AbutBoxedLcp *problem, AbutBoxedRoom *room);

/* solver/lcp/coupled.c: the equations of the clamped indices,
 *
 *     (A_CC + A_CB E) x_C = -b_C - A_CN x_N,    x_B = E x_C,
 *
 * B being those at a bound that hangs on a clamped index, N the others at a bound. Solves them for n_rhs right-hand
 * sides in `right` (m x n_rhs, column-major), with `scratch` for twice as many; where A_CC is singular, one solution of
 * least effort, about. Returns the largest |right - K x|, infinity where nothing came of it. */
double abut_boxed_lcp_solve_clamped(const AbutBoxedLcp *problem, AbutBoxedRoom *room, int n_rhs, double *right,
                                    double *scratch);
/* +hi or -hi of an index of B, otherwise 0. */
double abut_boxed_lcp_slope(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, int i);
/* Solves them; true where the result, which replaces x, w and the sets, fulfils all conditions. Otherwise those stay,
 * and the factor's list of clamped indices means nothing. */
bool abut_boxed_lcp_couple(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* The same from all rows clamped and x = 0 on. Where it is false x, w and the sets mean nothing. */
bool abut_boxed_lcp_stick(const AbutBoxedLcp *problem, AbutBoxedRoom *room);
/* Each index to where x - w / A_ii lies in its box, and the list of the clamped ones. False when all were there. */
bool abut_boxed_lcp_change_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, const double *x, const double *w);
/* x_C by the least change that makes w_C zero while the others follow their bounds; then w. False without a result. */
bool abut_boxed_lcp_solve_sets(const AbutBoxedLcp *problem, AbutBoxedRoom *room, double *x, double *w);
/* Natural residual of x and w: with the pass's bounds, or (`coupled`) those of x itself. */
double abut_boxed_lcp_residual(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, const double *x, const double *w,
                               bool coupled);
/* What counts as zero in w: this times the largest |b|. */
#define ABUT_BOXED_TOLERANCE 1e-11
#define ABUT_BOXED_NEARLY 1e-7  /* where that cannot be had */
#define ABUT_BOXED_ROUGHLY 1e-4 /* of sweeps alone */
double abut_boxed_lcp_scale(const AbutBoxedLcp *problem);
void abut_boxed_lcp_product(const AbutBoxedLcp *problem, const double *restrict x,
                            double *restrict w); /* w = A x + b */
/* Its row i, and what its terms amount to: below ABUT_BOXED_ROUNDING of that it counts as zero. */
#define ABUT_BOXED_ROUNDING 0x1p-46
double abut_boxed_lcp_value(const AbutBoxedLcp *problem, const double *x, int i, double *size);

/* A_ii up to which nothing moves along a row but by rounding. */
double abut_boxed_lcp_idle_below(const AbutBoxedLcp *problem);

#endif

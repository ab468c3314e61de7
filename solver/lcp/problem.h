/* Defines a boxed linear complementarity problem (solver/lcp/boxed_lcp.h) and the room of its methods, and computes its
 * residual. */
#pragma once

#include <stdbool.h>

#include "base/stop.h"
#include "base/vec3.h"
#include "solver/lcp/clamped_factor.h"

/* The set of an index at the solution. The bounds are those that the status names. */
typedef enum AbutBoxedSet {
	ABUT_BOXED_CLAMPED, /* w = 0 */
	ABUT_BOXED_LOWER,   /* x at its lower bound */
	ABUT_BOXED_UPPER,   /* x at its upper bound */
	ABUT_BOXED_IDLE     /* x = 0: A_ii is 0 to rounding, so that nothing moves along it; or no solution was found */
} AbutBoxedSet;

typedef struct AbutBoxedLcp {
	int n;
	const double *A;       /* (n x n) row-major */
	const double *b;       /* (n) */
	const double *lo, *hi; /* (n) lo <= 0 <= hi; may be infinite */
	const int *friction;   /* (n) index whose x bounds this one, or -1 */
	/* (n) sets with which Dantzig's passes start, for example those of the last step. Unknown sets are idle. May be
	 * NULL. They affect the computing time; the solution changes only by rounding. */
	const AbutBoxedSet *guess;
	AbutStopper *stop; /* ends the solve early, without a solution; NULL: never */
} AbutBoxedLcp;

typedef enum AbutBoxedStatus {
	ABUT_BOXED_SOLVED, /* bounds are those of its own normal impulses */
	ABUT_BOXED_FROZEN, /* bounds are those of the pass before, like ODE */
	ABUT_BOXED_ROUGH, /* sweeps came near a solution: `residual` is at most ABUT_BOXED_ROUGHLY of the largest |b| */
	ABUT_BOXED_FAILED /* no solution exists or was found; x = 0 */
} AbutBoxedStatus;

typedef enum AbutBoxedMethod {
	ABUT_BOXED_DANTZIG,
	ABUT_BOXED_LEMKE,
	ABUT_BOXED_SWEEPS,
	ABUT_BOXED_ONE_PASS /* one pass of Dantzig's method: ODE's law, which is a different problem */
} AbutBoxedMethod;

typedef struct AbutBoxedReport {
	AbutBoxedStatus status;
	AbutBoxedMethod method; /* method that found the solution */
	int pivots, passes;     /* pivots or sweeps; passes of Dantzig's method, plus one for each other method tried */
	double residual;        /* max |x_i - P(x_i - w_i / A_ii)| A_ii with the bounds that `status` names */
} AbutBoxedReport;

/* Memory for problems of up to n unknowns. The solution is in x, w and set. */
typedef struct AbutBoxedRoom {
	double *x, *w;         /* (n) */
	AbutBoxedSet *set;     /* (n) */
	AbutBoxedSet *kept;    /* (n) sets of the pass, while the coupled equations try others */
	double *lower, *upper; /* (n) bounds of the pass */
	bool *entered;         /* (n) */
	double *dx, *dw, *dc;  /* (n) */
	double *regular;       /* (n x n) A with a larger diagonal */
	double *K;             /* (n x n) matrix of the coupled equations, column-major */
	double *coupled_x;     /* (n) */
	double *coupled_w;     /* (n) */
	double *twice;         /* (2 n) */
	int *pivots;           /* (n) */
	bool least;            /* x is already the solution of least effort for its sets */
	AbutClampedFactor factor;
} AbutBoxedRoom;

/* Returns row i of A. */
static inline const double *abut_boxed_lcp_row(const AbutBoxedLcp *problem, int i)
{
	return &problem->A[(size_t)i * (size_t)problem->n];
}

/* Computes the bounds of x_i. Those of friction rows follow from x. */
static inline void abut_boxed_lcp_box(const AbutBoxedLcp *problem, const double *x, int i, double *lower, double *upper)
{
	const int j = problem->friction[i];
	const double bound = j >= 0 ? problem->hi[i] * abut_max(x[j], 0.0) : 0.0;
	*lower = j >= 0 ? -bound : problem->lo[i];
	*upper = j >= 0 ? bound : problem->hi[i];
}

/* Takes the room for problems of up to n unknowns from an arena. */
void abut_boxed_lcp_carve(AbutBoxedRoom *room, int n, AbutArena *arena);

/* Returns the natural residual of x and w, with the bounds of the pass or (`coupled`) with those that follow from x. */
double abut_boxed_lcp_residual(const AbutBoxedLcp *problem, const AbutBoxedRoom *room, const double *x, const double *w,
                               bool coupled);
/* Tolerances, as shares of the largest |b|: below the first, w counts as zero. */
#define ABUT_BOXED_TOLERANCE 1e-11
#define ABUT_BOXED_NEARLY 1e-7  /* if the first cannot be reached */
#define ABUT_BOXED_ROUGHLY 1e-4 /* for sweeps */
double abut_boxed_lcp_scale(const AbutBoxedLcp *problem);
void abut_boxed_lcp_product(const AbutBoxedLcp *problem, const double *restrict x,
                            double *restrict w); /* w = A x + b */
/* Returns row i of the product. `size` is the sum of the sizes of its terms; a value below ABUT_BOXED_ROUNDING `size`
 * counts as zero. */
#define ABUT_BOXED_ROUNDING 0x1p-46
double abut_boxed_lcp_value(const AbutBoxedLcp *problem, const double *x, int i, double *size);

/* Returns the value of A_ii up to which a row moves only by rounding. */
double abut_boxed_lcp_idle_below(const AbutBoxedLcp *problem);

/* A shape in the form of the solver's kernels: the conic inequality of abut/shape.h as one matrix,
 *
 *     H = h + W u,    u = (p, alpha, eps),    W = [ -A  d  -B ]      (n_rows x width, row-major, width = 4 + n_eps)
 *
 * in the body's frame, about its centre of mass, in the model's unit of length. The rows of a bounded shape are divided
 * by its outer radius, or, after a change, by that of the original shape. */
#ifndef COLLISION_ROWS_ROWS_PARTS_H
#define COLLISION_ROWS_ROWS_PARTS_H

#include "abut/shape.h"
#include "solver/cones/cones.h"

/* C of the exact law for the duals of the collision problem (docs/formulation.md 4). */
#define ABUT_EXACT_WEIGHT_COLLISION 0.1

/* The rows of a smooth shape, whose H and W are those of functions at a point (collision/rows/smooth_rows.h). */
typedef struct AbutSmoothRows AbutSmoothRows;

typedef struct AbutConicRows {
	int n_rows, n_eps, n_orthant, n_soc, width;
	const int *soc_dim;     /* (n_soc) */
	const double *W, *h;    /* (n_rows x width), (n_rows); smooth shapes: W at the last evaluation, no h */
	double centre[3];       /* scaling centre */
	double outer_radius;    /* about the centre; 0 for a halfspace */
	double divisor;         /* m, divisor of the rows */
	double inner_radius;    /* of a sphere about the centre inside the shape; 0 for a halfspace */
	bool bounded;           /* false for a halfspace */
	bool box;               /* six orthant rows, i and i + 3 of p_i and alpha alone: most scenes consist of boxes */
	const double *columns;  /* polytopes of many faces: W by columns (collision/rows/many_faces.h); else NULL */
	AbutSmoothRows *smooth; /* NULL for constant matrices */
	/* The origin of the rows: a point p of the shape is (p - origin) / unit here. The shape outlives its rows. */
	const AbutShape *shape;
	double origin[3], unit;
	void *memory;
} AbutConicRows;

/* Returns whether the shape is an intersection of halfspaces without auxiliary variables: every positive dual is that
 * of a face. */
static inline bool abut_conic_rows_flat(const AbutConicRows *rows)
{
	return rows->n_soc == 0 && rows->n_eps == 0 && !rows->smooth;
}

static inline int abut_conic_rows_cone_count(const AbutConicRows *rows)
{
	return (rows->n_orthant > 0 ? 1 : 0) + rows->n_soc;
}

/* Returns AbutNcp.caution of a problem with these rows: a smooth shape may have no curvature along its face, and
 * inside. */
static inline double abut_conic_rows_caution(const AbutConicRows *a, const AbutConicRows *b)
{
	return a->smooth || b->smooth ? 0.1 : 0.0;
}

/* The point at which rows are evaluated. */
typedef struct AbutRowsPoint {
	double p[3], alpha;   /* own frame */
	const double *eps;    /* (n_eps) */
	const double *lambda; /* (n_rows) */
	double shift;         /* added to h: moves the plane of a halfspace */
} AbutRowsPoint;

/* A Newton step of a shape's unknowns. */
typedef struct AbutRowsStep {
	const double *point;      /* (4) of p, own frame, and alpha */
	double *eps, *lambda, *H; /* (n_eps) (n_rows) (n_rows) */
} AbutRowsStep;

/* The condensed shape (C of a smooth one: collision/rows/smooth_rows.h): its rows and eps under a law, reduced to a
 * stiffness on (p, alpha),
 *
 *     d(W4' lambda) = k[0] + w k[1] - Q d(p, alpha),        W4' lambda = (-A' lambda, d' lambda)
 *     d eps = map (4 columns) d(p, alpha) + map column 4 + w map column 5
 *
 * Only this file and its users know what a shape is made of. */
typedef struct AbutShapeStiffness {
	double Q[16]; /* row-major */
	double k[2][4];
} AbutShapeStiffness;

#endif

/* Defines a shape in the form that the solver's kernels use. The conic inequality of abut/shape.h is written with one
 * matrix,
 *
 *     H = h + W u,    u = (p, alpha, eps),    W = [ -A  d  -B ]      (n_rows x width, row-major, width = 4 + n_eps)
 *
 * in the body's frame, relative to its centre of mass, in the model's unit of length. The rows of a bounded shape are
 * divided by its outer radius. After a change of the shape, they are still divided by that of the original shape. */
#pragma once

#include "abut/shape.h"
#include "solver/cones/cones.h"

/* C of the exact law for the duals of the collision problem (docs/formulation.md 4). */
#define ABUT_EXACT_WEIGHT_COLLISION 0.1

/* The rows of a smooth shape, whose H and W come from functions evaluated at a point (collision/rows/smooth_rows.h). */
typedef struct AbutSmoothRows AbutSmoothRows;

typedef struct AbutConicRows {
	int n_rows, n_eps, n_orthant, n_soc, width;
	const int *soc_dim;  /* (n_soc) */
	const double *W, *h; /* (n_rows x width), (n_rows); smooth shapes: W at the last evaluation, h is not set */
	double centre[3];    /* scaling centre of the shape */
	double outer_radius; /* radius about the centre that contains the shape; 0 for a halfspace */
	double divisor;      /* divisor of the rows, m */
	double inner_radius; /* radius of a sphere about the centre inside the shape; 0 for a halfspace */
	bool bounded;        /* false for a halfspace */
	bool box; /* six orthant rows, of which i and i + 3 depend only on p_i and alpha: shape_kernel.c has faster code
	             for them */
	const double *columns; /* polytopes of many faces: W by columns (collision/rows/many_faces.h); otherwise NULL */
	AbutSmoothRows *smooth; /* NULL if the matrices are constant */
	/* The point p of the shape's frame (m) is (p - origin) / unit in the rows. The shape must outlive its rows. */
	const AbutShape *shape;
	double origin[3], unit;
	void *memory;
} AbutConicRows;

/* Returns whether the shape is an intersection of halfspaces without auxiliary variables, so that every positive dual
 * belongs to a face. */
static inline bool abut_conic_rows_flat(const AbutConicRows *rows)
{
	return rows->n_soc == 0 && rows->n_eps == 0 && !rows->smooth;
}

static inline int abut_conic_rows_cone_count(const AbutConicRows *rows)
{
	return (rows->n_orthant > 0 ? 1 : 0) + rows->n_soc;
}

/* Returns AbutNcp.caution of a problem with these rows. Regularisation is needed because a smooth shape may have no
 * curvature along its surface and in its interior. */
static inline double abut_conic_rows_caution(const AbutConicRows *a, const AbutConicRows *b)
{
	return a->smooth || b->smooth ? 0.1 : 0.0;
}

/* The point at which rows are evaluated. */
typedef struct AbutRowsPoint {
	double p[3], alpha;   /* in the rows' frame */
	const double *eps;    /* (n_eps) */
	const double *lambda; /* (n_rows) */
	double shift;         /* added to h: moves the plane of a halfspace */
} AbutRowsPoint;

/* A Newton step of the unknowns of one shape. */
typedef struct AbutRowsStep {
	const double *point;      /* (4) step of p in the rows' frame, and of alpha */
	double *eps, *lambda, *H; /* (n_eps) (n_rows) (n_rows) */
} AbutRowsStep;

/* A condensed shape: its rows and eps under a cone law (solver/cones/cones.h), reduced to a stiffness Q on (p, alpha).
 * W4 is the part of W that belongs to (p, alpha), and w the weight of the second lane. `map` is eps_map of
 * shape_kernel.h.
 *
 *     d(W4' lambda) = k[0] + w k[1] - Q d(p, alpha),        W4' lambda = (-A' lambda, d' lambda)
 *     d eps = map (4 columns) d(p, alpha) + map column 4 + w map column 5
 *
 * For a smooth shape, Q includes the curvature C (collision/rows/smooth_rows.h). Only this file and its users depend on
 * how a shape is represented. */
typedef struct AbutShapeStiffness {
	double Q[16]; /* row-major */
	double k[2][4];
} AbutShapeStiffness;

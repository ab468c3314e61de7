/* Shapes that no cone describes: smooth convex inequalities given by functions of the user's program.
 *
 *     g_i(u) <= 0  for every row i,     u = (p, alpha, eps)      (width = 4 + n_eps)
 *
 * p (3) is a point in the shape's own frame, alpha the scaling, eps (n_eps) auxiliary variables: p lies in the shape
 * scaled by alpha when some eps satisfies all rows. In the solver a row is the slack s_i = -g_i(u). What is asked of g:
 *
 *  - convex in u, all of it together, and twice differentiable near the boundary of the shape;
 *  - { p : g(p, alpha, .) <= 0 } is the shape scaled by alpha about `centre`. A function f of degree one (a norm) gives
 *    g = f(p) - alpha; any convex f(p) <= 0 gives one by its perspective, g = alpha f(p / alpha);
 *  - every row is a length (metres): |dg_i / dp| of about 1 at the boundary. Duals are compared with those of other
 *    shapes, so that a factor of ten does no harm and one of a thousand does;
 *  - finite wherever the solver may look: all of space, and alpha of either sign where that can be had.
 *
 * abut_shape_check (abut/shape_check.h) tests all of this and says what does not hold. Equations: docs/formulation.md
 * 1; from an inequality to a falling object: docs/tutorial_primitive.md. */
#ifndef ABUT_SMOOTH_H
#define ABUT_SMOOTH_H

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shape of functions is no part of a Minkowski sum or an intersection, whose rows have constant matrices
 * (ABUT_ERROR_UNSUPPORTED): give an ellipsoid or a polytope in its place, or functions of the whole: the rows of an
 * intersection one after the other, those of a sum at p_1, which is among eps, and at p - p_1. It may be a part of a
 * body. */

#define ABUT_SMOOTH_ROWS_MAX 16                         /* most rows of one shape */
#define ABUT_SMOOTH_EPS_MAX 8                           /* most auxiliary variables */
#define ABUT_SMOOTH_WIDTH_MAX (4 + ABUT_SMOOTH_EPS_MAX) /* most entries of u */

/* The functions are called from steps, at once from several threads: they read `data` and nothing else that changes,
 * allocate nothing, and write all of their output. Where g has no value they write NaN, which makes the call or step
 * fail with a sentence. */
struct AbutSmooth {
	int n_rows; /* 1 to ABUT_SMOOTH_ROWS_MAX */
	int n_eps;  /* 0 to ABUT_SMOOTH_EPS_MAX */
	/* g (n_rows) at u. */
	void (*value)(const void *data, const double *u, double *g);
	/* G (n_rows x width, row-major): dg_i / du_j at u. */
	void (*gradient)(const void *data, const double *u, double *G);
	/* H (width x width): sum of weight_i d2 g_i / du du, symmetric; no weight is negative. */
	void (*hessian)(const void *data, const double *u, const double *weight, double *H);
	/* Optional, for one row without eps: the point of the shape (alpha 1) that is furthest along a unit direction,
	 * where that has a closed form. It is held against value and gradient. NULL: such points are found by a convex
	 * program, to 1e-9 of the size, in some twenty evaluations. */
	void (*furthest)(const void *data, const double direction[3], double point[3]);
	/* What the functions read. A shape takes a copy of its own by `clone`, when it is made and each time it is
	 * copied (into a model, for a query), and gives it to `destroy` in the end. Without clone (both NULL) the
	 * pointer itself is shared: the data must outlive every shape, scene, model and query that it came into, and
	 * never change. */
	void *data;
	void *(*clone)(const void *data); /* answers NULL: out of memory */
	void (*destroy)(void *data);      /* of what clone made */
	double bounding_radius;           /* m: of a sphere about `centre` that holds the shape, best the smallest */
	double centre[3];                 /* m: a point well inside, about which alpha scales the shape */
};

/* The relative error of a mass that is integrated. */
#define ABUT_SMOOTH_MASS_ERROR 1e-6
/* A shape from `functions`, which are called to try them. Its own frame is that of g. `mass` (density 1, own frame) may
 * be NULL: then it is integrated, to a relative error of ABUT_SMOOTH_MASS_ERROR that the shape states in mass_error.
 * Refused with a sentence: values that are not finite, a point `centre` that is not inside, a shape that reaches beyond
 * its bounding radius, one whose mass does not converge. */
ABUT_API AbutStatus abut_shape_create_smooth(const AbutSmooth *functions, const AbutMassProperties *mass,
                                             AbutShape **out, AbutError *error);

#define ABUT_SUPERELLIPSOID_EXPONENT_MAX 20.0 /* largest exponent */
/* The superellipsoid with `radii` r and `exponents` (a, b), made by the call above (shapes/smooth/superellipsoid.c):
 *
 *     ( |x / r_x|^a + |y / r_y|^a )^(b / a) + |z / r_z|^b <= 1,     exponents = (a, b).
 *
 * Convex from 1 on, twice differentiable from 2 on: 2 <= a, b <= ABUT_SUPERELLIPSOID_EXPONENT_MAX. With 2 it is the
 * ellipsoid, with more a box with rounded edges. Mass properties in closed form. */
ABUT_API AbutStatus abut_shape_create_superellipsoid(const double radii[3], const double exponents[2], AbutShape **out,
                                                     AbutError *error);
/* Whether a shape was made by it, with its `radii` and `exponents`. */
ABUT_API bool abut_shape_is_superellipsoid(const AbutShape *shape, double radii[3], double exponents[2]);

#ifdef __cplusplus
}
#endif

#endif

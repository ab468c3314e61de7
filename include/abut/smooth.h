/* Shapes that no cone describes, given as smooth convex inequalities by functions of the user's program.
 *
 *     g_i(u) <= 0  for every row i,     u = (p, alpha, eps)      (width = 4 + n_eps)
 *
 * p (3) is a point in the shape's own frame, alpha the scaling, eps (n_eps) auxiliary variables. p lies in the shape
 * scaled by alpha if some eps satisfies all rows. In the solver a row is the slack s_i = -g_i(u). g must be
 *
 * - convex in all of u together, and twice differentiable near the boundary of the shape;
 * - such that { p : g(p, alpha, .) <= 0 } is the shape scaled by alpha about `centre`. A function f of degree one
 *   (a norm) gives g = f(p) - alpha; any convex f(p) <= 0 gives its perspective, g = alpha f(p / alpha);
 * - a length (metres) in every row: |dg_i / dp| about 1 at the boundary. Duals are compared with those of other
 *   shapes; a factor of ten does no harm, a factor of a thousand does;
 * - finite wherever the solver may evaluate it: everywhere in space, and if possible for alpha of either sign.
 *
 * abut_shape_check (abut/shape_check.h) tests these conditions and reports violations. docs/formulation.md 1 has the
 * equations; docs/tutorial_primitive.md goes from an inequality to a falling object. */
#ifndef ABUT_SMOOTH_H
#define ABUT_SMOOTH_H

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shape given by functions can be a part of a body. It cannot be a part of a Minkowski sum or an intersection, whose
 * rows have constant matrices (ABUT_ERROR_UNSUPPORTED). Use an ellipsoid or a polytope there, or functions of the whole
 * solid: for an intersection the rows of all parts; for a sum of two parts the rows of one at p_1, which is among eps,
 * and of the other at p - p_1. */

#define ABUT_SMOOTH_ROWS_MAX 16                         /* most rows of one shape */
#define ABUT_SMOOTH_EPS_MAX 8                           /* most auxiliary variables */
#define ABUT_SMOOTH_WIDTH_MAX (4 + ABUT_SMOOTH_EPS_MAX) /* most entries of u */

/* The functions of a smooth shape. Steps call them from several threads at once: they must read no changing data other
 * than `data`, allocate nothing and write all of their output. Where g has no value they write NaN; the call or step
 * then fails with an explanation. */
struct AbutSmooth {
	int n_rows; /* 1 to ABUT_SMOOTH_ROWS_MAX */
	int n_eps;  /* 0 to ABUT_SMOOTH_EPS_MAX */
	/* Computes g (n_rows) at u. */
	void (*value)(const void *data, const double *u, double *g);
	/* Computes G (n_rows x width, row-major), dg_i / du_j at u. */
	void (*gradient)(const void *data, const double *u, double *G);
	/* Computes H (width x width), the sum of weight_i d2 g_i / du du, symmetric; no weight is negative. */
	void (*hessian)(const void *data, const double *u, const double *weight, double *H);
	/* Optional, for one row without eps: computes in closed form the point of the shape (alpha 1) that is furthest
	 * along a unit direction. The result is checked against value and gradient. NULL: a convex program finds such
	 * points, to 1e-9 of the size, in about twenty evaluations. */
	void (*furthest)(const void *data, const double direction[3], double point[3]);
	/* Data that the functions read. A shape makes its own copy with `clone` when it is created and each time it is
	 * copied (into a model, for a query), and finally passes it to `destroy`. If both are NULL, the pointer itself
	 * is shared. The data must then never change, and must outlive every shape, scene, model and query that uses
	 * it. */
	void *data;
	void *(*clone)(const void *data); /* returns NULL if out of memory */
	void (*destroy)(void *data);      /* frees a copy made by clone */
	double bounding_radius; /* m: of a sphere about `centre` that contains the shape, preferably the smallest */
	double centre[3];       /* m: a point well inside the shape, about which alpha scales it */
};

#define ABUT_SMOOTH_MASS_ERROR 1e-6 /* relative error of an integrated mass */

/* Creates a shape from `functions`, which are called as a test. Its own frame is that of g. `mass` is at density 1, in
 * that frame; for NULL it is integrated, with a relative error of ABUT_SMOOTH_MASS_ERROR, stated in
 * AbutShape.mass_error. Refuses values that are not finite, a `centre` that is not inside, a shape that reaches beyond
 * its bounding radius, and one whose mass does not converge. */
ABUT_API AbutStatus abut_shape_create_smooth(const AbutSmooth *functions, const AbutMassProperties *mass,
                                             AbutShape **out, AbutError *error);

#define ABUT_SUPERELLIPSOID_EXPONENT_MAX 20.0 /* largest exponent */
/* Creates the superellipsoid with `radii` r and `exponents` (a, b), as a smooth shape (shapes/smooth/superellipsoid.c):
 *
 *      ( |x / r_x|^a + |y / r_y|^a )^(b / a) + |z / r_z|^b <= 1,     exponents = (a, b).
 *
 * It is convex for exponents of at least 1 and twice differentiable for at least 2, so 2 <= a, b <=
 * ABUT_SUPERELLIPSOID_EXPONENT_MAX. Exponents of 2 give the ellipsoid, larger ones a box with rounded edges. Its mass
 * has a closed form. */
ABUT_API AbutStatus abut_shape_create_superellipsoid(const double radii[3], const double exponents[2], AbutShape **out,
                                                     AbutError *error);
/* Returns whether the shape is a superellipsoid, with its `radii` and `exponents` if so. */
ABUT_API bool abut_shape_is_superellipsoid(const AbutShape *shape, double radii[3], double exponents[2]);

#ifdef __cplusplus
}
#endif

#endif

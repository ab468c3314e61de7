/* Convex shapes as one conic inequality of plain data.
 *
 * In the frame that the shape is given in (the body frame once it is part of a body), with scaling alpha:
 *
 *     s = h + alpha d - A p - B eps   in   K = R+^n_orthant x Q^soc_dim[0] x Q^soc_dim[1] ...        (1)
 *
 * p (3) is a point, eps (n_eps) are auxiliary variables, Q^k is the second-order cone whose first entry bounds the
 * norm of the rest. p lies in the shape scaled by alpha when some eps puts s in K; alpha = 1 is the shape itself.
 * Every row is a length (metres), so that duals are comparable. Source: the single-level paper, Appendix B, and
 * docs/formulation.md 1. */
#ifndef ABUT_SHAPE_H
#define ABUT_SHAPE_H

#include <stdbool.h>

#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a shape is. X(constant, name in scene files). */
#define ABUT_SHAPE_LIST(X)                                                                                             \
	X(ABUT_SHAPE_HALFSPACE, "halfspace")                                                                           \
	X(ABUT_SHAPE_BOX, "box")                                                                                       \
	X(ABUT_SHAPE_POLYTOPE, "polytope")                                                                             \
	X(ABUT_SHAPE_PADDED_POLYTOPE, "padded_polytope")                                                               \
	X(ABUT_SHAPE_SPHERE, "sphere")                                                                                 \
	X(ABUT_SHAPE_ELLIPSOID, "ellipsoid")                                                                           \
	X(ABUT_SHAPE_CAPSULE, "capsule")                                                                               \
	X(ABUT_SHAPE_CYLINDER, "cylinder")                                                                             \
	X(ABUT_SHAPE_CONE, "cone")                                                                                     \
	X(ABUT_SHAPE_MINKOWSKI_SUM, "minkowski_sum")                                                                   \
	X(ABUT_SHAPE_INTERSECTION, "intersection")                                                                     \
	X(ABUT_SHAPE_CONIC, "conic")                                                                                   \
	X(ABUT_SHAPE_SMOOTH, "smooth")

typedef enum AbutShapeKind {
#define ABUT_X(constant, name) constant,
	ABUT_SHAPE_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_SHAPE_COUNT
} AbutShapeKind;

/* Volume, centre of mass and inertia of a solid of density 1 (multiply volume and inertia by the density). */
typedef struct AbutMassProperties {
	double volume;            /* m^3 */
	double centre_of_mass[3]; /* m, in the shape's frame */
	double inertia[9];        /* m^5, row-major, about the centre of mass, axes of the shape's frame */
} AbutMassProperties;

/* The largest stated relative error of a mass with which a body may be made (AbutShape.mass_error). */
#define ABUT_MASS_ERROR_MAX 1e-4

/* Functions of the user's instead of constant matrices: abut/smooth.h. */
typedef struct AbutSmooth AbutSmooth;

/* A shape. Read-only to its users: made by a constructor, changed only by the functions below. The arrays belong to
 * the shape and live as long as it does. */
typedef struct AbutShape {
	AbutShapeKind kind;  /* what it was made as */
	int n_rows;          /* rows of s: n_orthant + the sum of soc_dim */
	int n_eps;           /* auxiliary variables */
	int n_orthant;       /* leading rows in the nonnegative orthant */
	int n_soc;           /* second-order cones after them */
	const int *soc_dim;  /* (n_soc) entries of each cone, >= 2 */
	const double *A;     /* (n_rows x 3) row-major */
	const double *B;     /* (n_rows x n_eps) row-major */
	const double *d;     /* (n_rows) metres */
	const double *h;     /* (n_rows) metres */
	double centre[3];    /* scaling centre: the shape shrinks to this point as alpha goes to 0; m */
	double outer_radius; /* of the sphere about `centre` that holds the shape; m; 0 for a halfspace */
	double inner_radius; /* of a sphere about `centre` inside the shape; m; 0 for a halfspace */
	double position[3];  /* of the shape's own frame in the frame it is given in, m */
	double rotation[9];  /* from the shape's own frame to the frame it is given in, row-major */
	double size[3];      /* in the own frame, by kind: box half extents; sphere, capsule, cylinder, padded: radius
	                        [0]; capsule, cylinder: length [1]; cone: base radius [0], height [1]; ellipsoid radii;
	                        halfspace: offset [0] along the own z, which is its normal */
	int n_vertices;      /* polytope and padded polytope (of the core), sum that is such a one; otherwise 0 */
	const double *vertices;   /* (n_vertices x 3) row-major, in the shape's own frame, m */
	double coplanar;          /* polytope: facets of its hull within this part of its size of a plane are one row */
	const AbutSmooth *smooth; /* kind smooth: its functions, A, B, d, h being zero; otherwise NULL */
	const double *cage;       /* kinds whose furthest points are convex programs: bounds of them; otherwise NULL */
	double smooth_unit;       /* m per unit of length of the functions: 1 but for scaled shapes */
	AbutMassProperties mass;  /* in the frame it is given in; volume 0 for a halfspace */
	bool mass_given;          /* `mass` is that of what the shape stands for, by abut_shape_set_mass */
	double mass_error;        /* stated relative error of `mass`: 0 for a closed form; may exceed
	                             ABUT_MASS_ERROR_MAX, which is refused where the mass is needed */
	int n_parts;              /* minkowski_sum and intersection: what they are made of, otherwise 0 */
	const struct AbutShape *const *parts; /* (n_parts) in the shape's own frame */
} AbutShape;

/* Constructors. `out` receives a shape that abut_shape_destroy frees. On anything but ABUT_OK `*out` is NULL and
 * `error` (may be NULL) says which value was wrong and what is allowed. All sizes are finite and positive, metres.
 * Axes of revolution lie along the shape's own z. */

/* The solid normal . p <= offset; `normal` (3) of any nonzero length is normalised together with `offset`. Does not
 * scale (d = 0), has no mass. */
ABUT_API AbutStatus abut_shape_create_halfspace(const double normal[3], double offset, AbutShape **out,
                                                AbutError *error);
/* The box of half extents `half_extents` along its own axes. */
ABUT_API AbutStatus abut_shape_create_box(const double half_extents[3], AbutShape **out, AbutError *error);
/* Bounded, with interior: A p <= b, A (m x 3) row-major, b (m). Rows are brought to unit length, redundant rows are
 * dropped, and the scaling centre becomes the centre of mass (the origin may lie outside). */
ABUT_API AbutStatus abut_shape_create_polytope(int m, const double *A, const double *b, AbutShape **out,
                                               AbutError *error);
/* Convex hull of the points `vertices` (n x 3) row-major, through qhull; coplanar facets are merged. */
ABUT_API AbutStatus abut_shape_create_polytope_from_vertices(int n, const double *vertices, AbutShape **out,
                                                             AbutError *error);
/* The same for points (n x 3) `vertices` with noise: facets within `coplanar` (0 to 1e-3; 1e-9 above) times the size of
 * one plane are merged, which leaves no point outside by more than that. */
ABUT_API AbutStatus abut_shape_create_polytope_coplanar(int n, const double *vertices, double coplanar, AbutShape **out,
                                                        AbutError *error);
/* The polytope `core` (kind polytope or box) padded by `radius`: its Minkowski sum with a ball. */
ABUT_API AbutStatus abut_shape_create_padded_polytope(const AbutShape *core, double radius, AbutShape **out,
                                                      AbutError *error);
/* The ball of radius `radius`. */
ABUT_API AbutStatus abut_shape_create_sphere(double radius, AbutShape **out, AbutError *error);
/* The ellipsoid of semi-axes `radii` along its own axes. */
ABUT_API AbutStatus abut_shape_create_ellipsoid(const double radii[3], AbutShape **out, AbutError *error);
/* All points within `radius` of a segment of `length` along z, about its middle. */
ABUT_API AbutStatus abut_shape_create_capsule(double radius, double length, AbutShape **out, AbutError *error);
/* The cylinder of `radius` and of `length` along z, about its middle. */
ABUT_API AbutStatus abut_shape_create_cylinder(double radius, double length, AbutShape **out, AbutError *error);
/* Apex towards +z; the origin is the centre of mass, a quarter of the `height` above the base of radius `radius`. */
ABUT_API AbutStatus abut_shape_create_cone(double height, double radius, AbutShape **out, AbutError *error);
/* All p_1 + ... + p_n, p_i in `parts[i - 1]`, none of the `n` >= 2 a halfspace; scaled about its centre of mass. */
ABUT_API AbutStatus abut_shape_create_minkowski_sum(int n, const AbutShape *const *parts, AbutShape **out,
                                                    AbutError *error);
/* What all `n` >= 2 `parts` hold, which must be bounded and have an inside; scaled about its centre of mass. Of
 * halfspaces, boxes and polytopes alone it is a polytope. */
ABUT_API AbutStatus abut_shape_create_intersection(int n, const AbutShape *const *parts, AbutShape **out,
                                                   AbutError *error);

/* The rows (1) of a shape of the user's own, n_orthant of them in the orthant and then the second-order cones. Each
 * cone may be in any unit: it is scaled to lengths. The set is that of alpha = 1, so of h + d alone; it must be bounded
 * and have an inside, and is scaled about its centre of mass. */
typedef struct AbutConicData {
	int n_rows;         /* n_orthant + the sum of soc_dim */
	int n_eps;          /* auxiliary variables, >= 0 */
	int n_orthant;      /* leading rows in the orthant, >= 0 */
	int n_soc;          /* second-order cones after them, >= 0 */
	const int *soc_dim; /* (n_soc) entries of each cone, >= 2 */
	const double *A;    /* (n_rows x 3) row-major */
	const double *B;    /* (n_rows x n_eps) row-major; may be NULL without eps */
	const double *d;    /* (n_rows) */
	const double *h;    /* (n_rows) */
} AbutConicData;

/* The shape of the rows `data`, which are copied. A set that is empty, flat or unbounded is refused. */
ABUT_API AbutStatus abut_shape_create_conic(const AbutConicData *data, AbutShape **out, AbutError *error);

/* A deep copy. */
ABUT_API AbutStatus abut_shape_clone(const AbutShape *shape, AbutShape **out, AbutError *error);
ABUT_API void abut_shape_destroy(AbutShape *shape); /* NULL is fine */

/* Moves the shape by p -> rotation p + translation (rotation row-major, orthonormal to 1e-9; translation m). */
ABUT_API AbutStatus abut_shape_move(AbutShape *shape, const double rotation[9], const double translation[3],
                                    AbutError *error);
/* Multiplies every length by `factor` > 0 (about the frame's origin): a change of the unit of length. */
ABUT_API AbutStatus abut_shape_scale(AbutShape *shape, double factor, AbutError *error);

/* Gives the shape the mass of what it stands for, such as of a mesh in place of its hull: density 1, in the frame that
 * the shape is given in now. Its scaling centre stays. Volume positive, inertia symmetric and positive on its diagonal;
 * abut_model_create judges the rest. */
ABUT_API AbutStatus abut_shape_set_mass(AbutShape *shape, const AbutMassProperties *mass, AbutError *error);

/* The support function: max of direction . p over the shape at alpha = 1, with the point where it is reached in
 * `point` (3, may be NULL). INFINITY for a halfspace unless the direction is along its normal (to rounding). */
ABUT_API double abut_shape_support(const AbutShape *shape, const double direction[3], double *point);

/* Name of a kind in scene files, "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_shape_kind_name(AbutShapeKind kind);

#ifdef __cplusplus
}
#endif

#endif

/* Convex shapes, each a conic inequality with constant matrices.
 *
 * In the frame in which the shape is given (the body frame once it is part of a body), with scaling alpha:
 *
 *      s = h + alpha d - A p - B eps   in   K = R+^n_orthant x Q^soc_dim[0] x Q^soc_dim[1] ...        (1)
 *
 * p (3) is a point and eps (n_eps) are auxiliary variables. Q^k is the second-order cone of dimension k, whose first
 * entry bounds the norm of the others. p lies in the shape scaled by alpha if s lies in K for some eps; alpha = 1 is
 * the shape itself. Every row is a length (metres), so that duals are comparable. Source: the single-level paper,
 * appendix B; docs/formulation.md 1. */
#ifndef ABUT_SHAPE_H
#define ABUT_SHAPE_H

#include <stdbool.h>

#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of shape. X(constant, name in scene files). */
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

/* Volume, centre of mass and inertia of a solid at density 1 (multiply volume and inertia by the density). */
typedef struct AbutMassProperties {
	double volume;            /* m^3 */
	double centre_of_mass[3]; /* m, in the shape's frame */
	double inertia[9];        /* m^5, row-major, about the centre of mass, axes of the shape's frame */
} AbutMassProperties;

/* Largest relative error of a mass (AbutShape.mass_error) from which a body can be made. */
#define ABUT_MASS_ERROR_MAX 1e-4

/* A shape given by user functions instead of constant matrices (abut/smooth.h). */
typedef struct AbutSmooth AbutSmooth;

/* A shape; read-only to its users. A constructor makes it, and only the functions below change it. The arrays belong to
 * the shape and are freed with it. */
typedef struct AbutShape {
	AbutShapeKind kind;  /* kind of its constructor */
	int n_rows;          /* number of rows of s: n_orthant + the sum of soc_dim */
	int n_eps;           /* number of auxiliary variables */
	int n_orthant;       /* leading rows in the nonnegative orthant */
	int n_soc;           /* second-order cones after them */
	const int *soc_dim;  /* (n_soc) entries of each cone, >= 2 */
	const double *A;     /* (n_rows x 3) row-major */
	const double *B;     /* (n_rows x n_eps) row-major */
	const double *d;     /* (n_rows) metres */
	const double *h;     /* (n_rows) metres */
	double centre[3];    /* scaling centre: the shape shrinks to this point as alpha goes to 0; m */
	double outer_radius; /* of a sphere about `centre` that contains the shape; m; 0 for a halfspace */
	double inner_radius; /* of a sphere about `centre` inside the shape; m; 0 for a halfspace */
	double position[3];  /* of the shape's own frame, in the frame in which it is given, m */
	double rotation[9];  /* from the shape's own frame to the frame in which it is given, row-major */
	double size[3];      /* in its own frame, by kind: box: half extents; sphere, capsule, cylinder, padded: radius
	                        [0]; capsule, cylinder: length [1]; cone: base radius [0], height [1]; ellipsoid: radii;
	                        halfspace: offset [0] along its own z, which is its normal */
	int n_vertices;      /* of a polytope, or of a padded polytope's core; otherwise 0 */
	const double *vertices;   /* (n_vertices x 3) row-major, in the shape's own frame, m */
	double coplanar;          /* polytope, core of a padded one: facets within this fraction of its size from one
	                             plane are one row */
	const AbutSmooth *smooth; /* smooth: its functions (A, B, d, h are zero); otherwise NULL */
	const double *cage; /* bounds of furthest points, for kinds that find them by convex programs; otherwise NULL */
	double smooth_unit; /* m per unit of length of the functions; 1 unless the shape was scaled */
	AbutMassProperties mass; /* in the frame in which it is given; volume 0 for a halfspace */
	bool mass_given;         /* `mass` was set by abut_shape_set_mass */
	double mass_error; /* stated relative error of `mass`, 0 for a closed form. Above ABUT_MASS_ERROR_MAX, uses that
	                      need the mass refuse the shape */
	int n_parts;       /* minkowski_sum and intersection: number of operands; otherwise 0 */
	const struct AbutShape *const *parts; /* (n_parts), in the shape's own frame */
} AbutShape;

/* Constructors. `out` receives a shape that abut_shape_destroy frees. Unless the status is ABUT_OK, `*out` is NULL and
 * `error` (may be NULL) says which value was wrong and what is allowed. Sizes are in metres, finite and positive. Axes
 * of revolution lie along the shape's own z. Source: the single-level paper, appendix B, equations (42) to (56). */

/* Creates the halfspace normal . p <= offset. `normal` (3) may have any nonzero length; it is normalised together with
 * `offset`. A halfspace does not scale (d = 0) and has no mass. */
ABUT_API AbutStatus abut_shape_create_halfspace(const double normal[3], double offset, AbutShape **out,
                                                AbutError *error);
/* Creates a box with the half extents `half_extents` along its own axes. */
ABUT_API AbutStatus abut_shape_create_box(const double half_extents[3], AbutShape **out, AbutError *error);
/* Creates the polytope A p <= b with `m` rows, `A` (m x 3) row-major and `b` (m). It must be bounded and have an
 * interior; the origin may lie outside. Rows are normalised to unit length, redundant rows are dropped, and the scaling
 * centre is the centre of mass. */
ABUT_API AbutStatus abut_shape_create_polytope(int m, const double *A, const double *b, AbutShape **out,
                                               AbutError *error);
/* Creates the convex hull of the `n` points `vertices` (n x 3), row-major, with Qhull. Coplanar facets are merged. */
ABUT_API AbutStatus abut_shape_create_polytope_from_vertices(int n, const double *vertices, AbutShape **out,
                                                             AbutError *error);
/* Creates the convex hull of the `n` noisy points `vertices` (n x 3). Facets within `coplanar` times the size from one
 * plane are merged (0 to 1e-3; abut_shape_create_polytope_from_vertices uses 1e-9). No point is outside by more than
 * that. */
ABUT_API AbutStatus abut_shape_create_polytope_coplanar(int n, const double *vertices, double coplanar, AbutShape **out,
                                                        AbutError *error);
/* Creates the Minkowski sum of `core`, a polytope or box, and a ball of `radius`. */
ABUT_API AbutStatus abut_shape_create_padded_polytope(const AbutShape *core, double radius, AbutShape **out,
                                                      AbutError *error);
/* Creates a ball of `radius`. */
ABUT_API AbutStatus abut_shape_create_sphere(double radius, AbutShape **out, AbutError *error);
/* Creates an ellipsoid with the semi-axes `radii` along its own axes. */
ABUT_API AbutStatus abut_shape_create_ellipsoid(const double radii[3], AbutShape **out, AbutError *error);
/* Creates a capsule: all points within `radius` of a segment of `length` along z, centred at the origin. */
ABUT_API AbutStatus abut_shape_create_capsule(double radius, double length, AbutShape **out, AbutError *error);
/* Creates a cylinder of `radius` and `length` along z, centred at the origin. */
ABUT_API AbutStatus abut_shape_create_cylinder(double radius, double length, AbutShape **out, AbutError *error);
/* Creates a cone of `height` with a base of `radius`. The apex points to +z; the origin is the centre of mass, a
 * quarter of the height above the base. */
ABUT_API AbutStatus abut_shape_create_cone(double height, double radius, AbutShape **out, AbutError *error);
/* Creates the Minkowski sum of the `n` >= 2 `parts`: all p_1 + ... + p_n with p_i in parts[i - 1]. No part may be a
 * halfspace. It scales about its centre of mass. Source: the single-level paper, (25). */
ABUT_API AbutStatus abut_shape_create_minkowski_sum(int n, const AbutShape *const *parts, AbutShape **out,
                                                    AbutError *error);
/* Creates the intersection of the `n` >= 2 `parts`, which must be bounded and have an interior. It scales about its
 * centre of mass. The intersection of halfspaces, boxes and polytopes is a polytope. */
ABUT_API AbutStatus abut_shape_create_intersection(int n, const AbutShape *const *parts, AbutShape **out,
                                                   AbutError *error);

/* The rows (1) of a user's own shape: n_orthant rows in the orthant, then the second-order cones. Each cone may be in
 * any unit and is scaled to lengths. The set is that at alpha = 1, so it depends only on h + d. It must be bounded and
 * have an interior, and it scales about its centre of mass. */
typedef struct AbutConicData {
	int n_rows;         /* number of rows: n_orthant + the sum of soc_dim */
	int n_eps;          /* number of auxiliary variables, >= 0 */
	int n_orthant;      /* leading rows in the orthant, >= 0 */
	int n_soc;          /* second-order cones after them, >= 0 */
	const int *soc_dim; /* (n_soc) entries of each cone, >= 2 */
	const double *A;    /* (n_rows x 3) row-major */
	const double *B;    /* (n_rows x n_eps) row-major; may be NULL without eps */
	const double *d;    /* (n_rows) */
	const double *h;    /* (n_rows) */
} AbutConicData;

/* Creates the shape with the rows `data`, which are copied. Refuses a set that is empty, flat or unbounded. */
ABUT_API AbutStatus abut_shape_create_conic(const AbutConicData *data, AbutShape **out, AbutError *error);

/* Makes a deep copy. */
ABUT_API AbutStatus abut_shape_clone(const AbutShape *shape, AbutShape **out, AbutError *error);
ABUT_API void abut_shape_destroy(AbutShape *shape); /* Frees the shape; accepts NULL. */

/* Moves the shape by p -> rotation p + translation (`rotation` row-major, orthonormal to 1e-9; `translation` in m). */
ABUT_API AbutStatus abut_shape_move(AbutShape *shape, const double rotation[9], const double translation[3],
                                    AbutError *error);
/* Multiplies every length by `factor` > 0 about the frame's origin, which changes the unit of length. */
ABUT_API AbutStatus abut_shape_scale(AbutShape *shape, double factor, AbutError *error);

/* Sets the mass of the solid that the shape represents, for example of the mesh whose hull it is: `mass` at density 1,
 * in the frame in which the shape is now given. The scaling centre is unchanged. The volume must be positive, and the
 * inertia symmetric with a positive diagonal; abut_model_create checks the rest. */
ABUT_API AbutStatus abut_shape_set_mass(AbutShape *shape, const AbutMassProperties *mass, AbutError *error);

/* Returns the support function: the maximum of direction . p over the shape at alpha = 1. `point` (3, may be NULL)
 * receives the point where it is reached. Returns INFINITY for a halfspace unless `direction` is along its normal (to
 * rounding). */
ABUT_API double abut_shape_support(const AbutShape *shape, const double direction[3], double *point);

/* Returns the name of a `kind` in scene files, or "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_shape_kind_name(AbutShapeKind kind);

#ifdef __cplusplus
}
#endif

#endif

/* Collision queries of two shapes at given poses: the scaling (growth distance), contact point and normal, and their
 * derivatives by poses and sizes.
 *
 *     scaling = min alpha such that both shapes, scaled by alpha about their centres, share a point
 *
 * The scaling is above 1 if the shapes are apart, 1 if they touch and below 1 if they overlap. A halfspace does not
 * scale. Source: the single-level paper, problem (14); DCOL; docs/formulation.md 9. */
#ifndef ABUT_COLLIDE_H
#define ABUT_COLLIDE_H

#include "abut/shape.h"
#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pose of the frame in which a shape is given. */
typedef struct AbutPose {
	double position[3];    /* m, world */
	double orientation[4]; /* [w, x, y, z], shape to world; of unit length to 1e-6; queries normalise it */
} AbutPose;

#define ABUT_COLLISION_KAPPA_MIN 1e-12 /* smallest kappa of a relaxed query */
#define ABUT_COLLISION_KAPPA_MAX 1e-2  /* largest kappa of a relaxed query */

/* The result of a query of two shapes. */
typedef struct AbutCollisionResult {
	AbutOutcome outcome; /* EXACT, also at kappa > 0 if rounding ends the path; RELAXED at the requested kappa, or
	                        if the exact solution was missed; FAILED */
	double scaling;      /* growth distance; 0 if the centre of one shape lies in the other one, a halfspace */
	double gap;          /* m: separation along the normal, negative for overlap */
	double point[3]; /* m, world: common point of the scaled shapes. If faces or edges are parallel and touch, it is
	                    one of many; at kappa > 0 it lies in their middle */
	double normal[3]; /* unit, world, from a to b: normal of the plane that separates the scaled shapes; EXACT:
	                     to about 1e-9 */
	double error;     /* EXACT: scaling minus the lower bound that the normal proves; otherwise the duality gap */
	int iterations;   /* Newton factorisations, and evaluations of both support functions */
} AbutCollisionResult;

enum {
	ABUT_COLLISION_SIZES = 12,  /* first column of the sizes */
	ABUT_COLLISION_COLUMNS = 18 /* columns of a derivative by poses and sizes */
};

/* First derivatives by poses and sizes, from the implicit function theorem. The columns are:
 *
 *   - position of a (3, world, per m);
 *   - rotation of a (3, small angles about a's own axes, q <- q * exp(phi / 2), per rad);
 *   - position and rotation of b, likewise;
 *   - from ABUT_COLLISION_SIZES on, sizes of a (3, as AbutShape.size, per m; 0 for a kind with fewer), sizes of b.
 *
 * Polytopes and the cores of padded polytopes have no sizes; see abut_collision_gradient_rows. */
typedef struct AbutCollisionGradient {
	double scaling[ABUT_COLLISION_COLUMNS];   /* dimensionless */
	double point[3][ABUT_COLLISION_COLUMNS];  /* m, world */
	double normal[3][ABUT_COLLISION_COLUMNS]; /* world */
} AbutCollisionGradient;

/* First derivatives by one row a.p <= b of a box or polytope. The scaling centre and the outer radius do not change.
 * The columns are the three entries of a, in the frame in which the shape is given (a may have any length), then b, per
 * m. */
typedef struct AbutCollisionRowGradient {
	double scaling[4];   /* dimensionless */
	double point[3][4];  /* m, world */
	double normal[3][4]; /* world */
} AbutCollisionRowGradient;

/* A pair of shapes prepared for queries: memory, and the last solution, from which the next query starts. That start
 * changes results only by rounding and by the choice among many correct points. One thread at a time may use it. */
typedef struct AbutCollision AbutCollision;

/* Prepares queries of the shapes `a` and `b`, which are copied. Refuses two halfspaces. */
ABUT_API AbutStatus abut_collision_create(const AbutShape *a, const AbutShape *b, AbutCollision **out,
                                          AbutError *error);
ABUT_API void abut_collision_destroy(AbutCollision *collision); /* Frees it; accepts NULL. */

/* Discards the last solution, so that the next query depends only on its arguments. Accepts NULL. */
ABUT_API void abut_collision_forget(AbutCollision *collision);

/* Solves the query with the shapes at `pose_a` and `pose_b`, and writes the result to `out`. Allocates nothing.
 *
 * With `kappa` 0 the query is exact: the scaling is accurate to 1e-10 (relative above 1). With kappa in
 * [ABUT_COLLISION_KAPPA_MIN, ABUT_COLLISION_KAPPA_MAX] the result lies on the central path of the conic problem, where
 * point and normal are unique and smooth in the poses.
 *
 * If the query cannot be solved, returns ABUT_OK with the outcome FAILED, and zeros except for `iterations`. Refuses a
 * position beyond 1e9 m, a quaternion not of unit length, and a kappa out of range; `out` is then unchanged. */
ABUT_API AbutStatus abut_collision_solve(AbutCollision *collision, const AbutPose *pose_a, const AbutPose *pose_b,
                                         double kappa, AbutCollisionResult *out, AbutError *error);

/* Computes the derivatives of the last query to `out`. The query must have been relaxed (kappa > 0) and solved.
 * Otherwise, or if the derivative does not exist to working precision (for example if centres coincide), returns
 * ABUT_ERROR_UNSUPPORTED with zeros. */
ABUT_API AbutStatus abut_collision_gradient(AbutCollision *collision, AbutCollisionGradient *out, AbutError *error);

/* Computes the derivatives of the last query by the rows of a (`which` 0) or b (1), which must be a box or a polytope.
 * `out` has n_rows entries, in the order of AbutShape.A. For another kind of shape returns ABUT_ERROR_UNSUPPORTED and
 * leaves `out` unchanged. */
ABUT_API AbutStatus abut_collision_gradient_rows(AbutCollision *collision, int which, AbutCollisionRowGradient *out,
                                                 AbutError *error);

/* Solves `n` queries at `kappa`. `collisions` (which may repeat), `poses_a`, `poses_b` and the results `out` are arrays
 * of n entries. Stops at the first refused query, which the error names; the results from there on are FAILED. */
ABUT_API AbutStatus abut_collision_solve_all(int n, AbutCollision *const *collisions, const AbutPose *poses_a,
                                             const AbutPose *poses_b, double kappa, AbutCollisionResult *out,
                                             AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

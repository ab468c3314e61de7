/* Collision of two shapes at given poses: the scaling (growth distance), where and along which normal they meet, and
 * how all of that changes with poses and sizes.
 *
 *     scaling = min alpha such that both shapes, scaled by alpha about their centres, share a point,
 *
 * above 1 when they are apart, 1 when they touch, below 1 when they overlap (the single-level paper, problem 14; DCOL).
 * A halfspace does not scale. docs/formulation.md 9. */
#ifndef ABUT_COLLIDE_H
#define ABUT_COLLIDE_H

#include "abut/shape.h"
#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the frame that a shape is given in. */
typedef struct AbutPose {
	double position[3];    /* m, world */
	double orientation[4]; /* [w, x, y, z], shape to world; of unit length to 1e-6, and normalised */
} AbutPose;

#define ABUT_COLLISION_KAPPA_MIN 1e-12 /* least kappa of a query that is not exact */
#define ABUT_COLLISION_KAPPA_MAX 1e-2  /* largest kappa of a query */

/* What a query of two shapes answers. */
typedef struct AbutCollisionResult {
	AbutOutcome outcome; /* EXACT, at kappa > 0 where rounding ends the path; RELAXED at the kappa asked for, or
	                        where exactness was missed; FAILED */
	double scaling;      /* of a pair with a halfspace 0 when the centre lies in it */
	double gap;          /* m: what separates the shapes along the normal, negative when they overlap along it */
	double point[3];     /* m, world: in both shapes scaled. Where faces or edges lie along each other it is one
	                        of many, at kappa > 0 in the middle of them */
	double normal[3];    /* unit, world, from a to b: of the planes that touch both shapes scaled. EXACT: to 1e-9
	                        or so */
	double error;        /* between the scaling and the bound that the normal proves (EXACT), or the duality gap */
	int iterations;      /* Newton factorisations, and supports of the two shapes where these were asked */
} AbutCollisionResult;

enum {
	ABUT_COLLISION_SIZES = 12,  /* where the columns by sizes begin */
	ABUT_COLLISION_COLUMNS = 18 /* of a derivative by poses and sizes */
};

/* First derivatives with respect to poses and sizes, by the implicit function theorem. Columns: position of a (3,
 * world, per m), rotation of a (3, small angles about a's own axes, q <- q * exp(phi / 2), per rad), then those of b;
 * from ABUT_COLLISION_SIZES on the sizes of a (3, the entries of AbutShape.size, per m; 0 where the kind has fewer),
 * then those of b. Polytopes, and the cores of padded ones, have no sizes: abut_collision_gradient_rows. */
typedef struct AbutCollisionGradient {
	double scaling[ABUT_COLLISION_COLUMNS];   /* dimensionless */
	double point[3][ABUT_COLLISION_COLUMNS];  /* m, world */
	double normal[3][ABUT_COLLISION_COLUMNS]; /* world */
} AbutCollisionGradient;

/* First derivatives with respect to one row a.p <= b of a box or polytope, the scaling centre and the outer radius
 * held: by the three entries of a, in the frame that the shape is given in (a need not stay of unit length), then by b,
 * per m. */
typedef struct AbutCollisionRowGradient {
	double scaling[4];   /* dimensionless */
	double point[3][4];  /* m, world */
	double normal[3][4]; /* world */
} AbutCollisionRowGradient;

/* Two shapes made ready for each other: memory, and the last solution, from which the next query of the pair starts.
 * Results do not depend on that but for rounding, and the choice of one point of many.
 * One thread at a time uses it. */
typedef struct AbutCollision AbutCollision;

/* Copies what it needs: the shapes `a` and `b` may be destroyed. Two halfspaces are refused. */
ABUT_API AbutStatus abut_collision_create(const AbutShape *a, const AbutShape *b, AbutCollision **out,
                                          AbutError *error);
ABUT_API void abut_collision_destroy(AbutCollision *collision); /* NULL is fine */

/* The next query starts from cold: its result depends on nothing but its arguments. */
ABUT_API void abut_collision_forget(AbutCollision *collision); /* NULL is fine */

/* The shapes at `pose_a` and `pose_b`. kappa 0: exact, the scaling to 1e-10, relative above 1. kappa in
 * [ABUT_COLLISION_KAPPA_MIN, _MAX]: on the central path of the conic problem, where point and normal are unique and
 * smooth in the poses. No allocation. A query that is not solved returns ABUT_OK with the outcome FAILED and no value
 * but zeros and `iterations`. Errors, which leave `out` as it was: a position beyond 1e9 m, a quaternion not of unit
 * length, a kappa outside its range. */
ABUT_API AbutStatus abut_collision_solve(AbutCollision *collision, const AbutPose *pose_a, const AbutPose *pose_b,
                                         double kappa, AbutCollisionResult *out, AbutError *error);

/* `out`: at the last query, which must have been relaxed (kappa > 0) and solved. ABUT_ERROR_UNSUPPORTED, with zeros,
 * when it was not, or when the derivative does not exist to working precision (centres that coincide among others). */
ABUT_API AbutStatus abut_collision_gradient(AbutCollision *collision, AbutCollisionGradient *out, AbutError *error);

/* The same by the rows of a (`which` 0) or b (1), a box or a polytope: `out` (its n_rows, in the order of AbutShape.A).
 * A shape of another kind is ABUT_ERROR_UNSUPPORTED and leaves `out` as it was. */
ABUT_API AbutStatus abut_collision_gradient_rows(AbutCollision *collision, int which, AbutCollisionRowGradient *out,
                                                 AbutError *error);

/* n queries in a row, all at `kappa`: arrays (n) of pairs `collisions`, which may repeat, of `poses_a`, `poses_b` and
 * results `out`. Ends at the first query that is wrong, which the error names; those from there on are FAILED. */
ABUT_API AbutStatus abut_collision_solve_all(int n, AbutCollision *const *collisions, const AbutPose *poses_a,
                                             const AbutPose *poses_b, double kappa, AbutCollisionResult *out,
                                             AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

/* Collision of two shapes at given poses: the scaling (growth distance), where and along which normal they meet, and
 * how all of that changes with the poses.
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

typedef struct AbutCollisionResult {
	AbutOutcome outcome; /* EXACT; RELAXED at the kappa asked for, or where exactness was missed; FAILED */
	double scaling;
	double gap;       /* m, to first order: (scaling - 1) / |d scaling / d position|; negative when overlapping */
	double point[3];  /* m, world: in both shapes scaled; not unique where faces or edges lie along each other */
	double normal[3]; /* unit, world, from a to b; of EXACT results */
	double error;     /* bound: how much the scaling may be too large or too small */
	int iterations;   /* Newton factorisations, or supports of the two shapes (polytopes, exactly) */
} AbutCollisionResult;

/* First derivatives with respect to the poses, by the implicit function theorem. Columns: position of a (3, world, per
 * m), rotation of a (3, small angles about a's own axes, q <- q * exp(phi / 2), per rad), then those of b. */
enum { ABUT_COLLISION_COLUMNS = 12 };

typedef struct AbutCollisionGradient {
	double scaling[ABUT_COLLISION_COLUMNS];
	double point[3][ABUT_COLLISION_COLUMNS]; /* m */
	double normal[3][ABUT_COLLISION_COLUMNS];
} AbutCollisionGradient;

/* Two shapes made ready for each other: memory, and the last solution, from which the next query of the pair starts.
 * One thread at a time uses it. */
typedef struct AbutCollision AbutCollision;

/* Copies what it needs: the shapes may be destroyed. Two halfspaces are refused. */
ABUT_API AbutStatus abut_collision_create(const AbutShape *a, const AbutShape *b, AbutCollision **out,
                                          AbutError *error);
ABUT_API void abut_collision_destroy(AbutCollision *collision); /* NULL is fine */

/* The next query starts from cold: its result depends on nothing but its arguments. */
ABUT_API void abut_collision_forget(AbutCollision *collision);

/* kappa 0: exact, to 1e-10 of the scaling. kappa in [1e-12, 1e-2]: on the central path of the conic problem, where
 * point and normal are unique and smooth in the poses. No allocation. A query that is not solved returns ABUT_OK with
 * the outcome FAILED and no value but zeros. Errors: a pose that is not finite or whose quaternion is not of unit
 * length; a kappa outside its range. */
ABUT_API AbutStatus abut_collision_solve(AbutCollision *collision, const AbutPose *pose_a, const AbutPose *pose_b,
                                         double kappa, AbutCollisionResult *out, AbutError *error);

/* At the last query, which must have been relaxed (kappa > 0) and solved. ABUT_ERROR_UNSUPPORTED when it was not, or
 * when the derivative does not exist to working precision. */
ABUT_API AbutStatus abut_collision_gradient(AbutCollision *collision, AbutCollisionGradient *out, AbutError *error);

/* n queries in a row: arrays (n) of pairs, which may repeat, and poses. Ends at the first call that is wrong. */
ABUT_API AbutStatus abut_collision_solve_all(int n, AbutCollision *const *collisions, const AbutPose *poses_a,
                                             const AbutPose *poses_b, double kappa, AbutCollisionResult *out,
                                             AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

/* Whether a shape is what the solver takes it for: sampled tests of a user's functions or conic data. `abut validate`
 * runs them for the shapes of a scene. A test that passes is no proof; one that fails names the place and the numbers.
 */
#ifndef ABUT_SHAPE_CHECK_H
#define ABUT_SHAPE_CHECK_H

#include "abut/smooth.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tests, in the order in which they are made; one that rests on one that failed is left out. X(constant, name). */
#define ABUT_SHAPE_TEST_LIST(X)                                                                                        \
	X(ABUT_SHAPE_TEST_FINITE, "finite")     /* functions or matrices give numbers */                               \
	X(ABUT_SHAPE_TEST_GRADIENT, "gradient") /* is that of differences of the value */                              \
	X(ABUT_SHAPE_TEST_HESSIAN, "hessian")   /* is that of differences of the gradient */                           \
	X(ABUT_SHAPE_TEST_CONVEX, "convex")     /* no Hessian bends down, no value lies above its chord */             \
	X(ABUT_SHAPE_TEST_BOUNDED, "bounded")   /* a furthest point in every direction, within the outer radius */     \
	X(ABUT_SHAPE_TEST_INTERIOR, "interior") /* the scaling centre is inside, and the inner ball */                 \
	X(ABUT_SHAPE_TEST_ROWS, "rows")         /* the rows bear the furthest point: feasible, with duals */           \
	X(ABUT_SHAPE_TEST_SCALING, "scaling")   /* alpha scales the shape about its centre */                          \
	X(ABUT_SHAPE_TEST_LENGTHS, "lengths")   /* a row is a length: its gradient is near 1 at the boundary */        \
	X(ABUT_SHAPE_TEST_MASS, "mass")         /* possible for a solid between the two radii */

typedef enum AbutShapeTest {
#define ABUT_X(constant, name) constant,
	ABUT_SHAPE_TEST_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_SHAPE_TEST_COUNT
} AbutShapeTest;

/* How a test ended. */
typedef enum AbutShapeVerdict {
	ABUT_SHAPE_SKIPPED, /* does not apply, or rests on one that failed */
	ABUT_SHAPE_PASSED,
	ABUT_SHAPE_FAILED
} AbutShapeVerdict;

/* What the tests of a shape found. */
typedef struct AbutShapeReport {
	bool passed;                                     /* none failed */
	AbutShapeVerdict verdict[ABUT_SHAPE_TEST_COUNT]; /* of each test */
	double worst[ABUT_SHAPE_TEST_COUNT];             /* largest relative deviation met, 0 where there is none */
	int samples[ABUT_SHAPE_TEST_COUNT];              /* asked for */
	int unanswered[ABUT_SHAPE_TEST_COUNT];           /* of them, those that rounding left without an answer: one is
	                                                    enough to fail, of polytopes more than half */
	AbutShapeTest failed;                            /* the first that failed */
	char message[512];                               /* of it: where, the numbers, and the cure; one line */
} AbutShapeReport;

/* Makes the tests and fills `out`. The status says whether the call was legal. */
ABUT_API AbutStatus abut_shape_check(const AbutShape *shape, AbutShapeReport *out);
/* The same, into `out`, for `functions` of which no shape could be made, in their own frame. */
ABUT_API AbutStatus abut_shape_check_functions(const AbutSmooth *functions, AbutShapeReport *out);

/* The name of a test, such as "convex"; "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_shape_test_name(AbutShapeTest test);

#ifdef __cplusplus
}
#endif

#endif

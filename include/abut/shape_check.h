/* Sampled tests of whether a user's functions or conic data meet the assumptions of the solver. `abut validate` runs
 * them for the shapes of a scene. A passed test is no proof; a failed test reports the place and the numbers. */
#ifndef ABUT_SHAPE_CHECK_H
#define ABUT_SHAPE_CHECK_H

#include "abut/smooth.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tests, in order. A test that depends on a failed one is skipped. X(constant, name). */
#define ABUT_SHAPE_TEST_LIST(X)                                                                                        \
	X(ABUT_SHAPE_TEST_FINITE, "finite")     /* functions or matrices give finite values */                         \
	X(ABUT_SHAPE_TEST_GRADIENT, "gradient") /* agrees with differences of the value */                             \
	X(ABUT_SHAPE_TEST_HESSIAN, "hessian")   /* agrees with differences of the gradient */                          \
	X(ABUT_SHAPE_TEST_CONVEX, "convex")     /* no Hessian has a negative curvature, no value is above its chord */ \
	X(ABUT_SHAPE_TEST_BOUNDED, "bounded")   /* every direction has a furthest point, within the outer radius */    \
	X(ABUT_SHAPE_TEST_INTERIOR, "interior") /* the scaling centre and the inner ball are inside */                 \
	X(ABUT_SHAPE_TEST_ROWS, "rows")         /* furthest points are feasible and have duals */                      \
	X(ABUT_SHAPE_TEST_SCALING, "scaling")   /* alpha scales the shape about its centre */                          \
	X(ABUT_SHAPE_TEST_LENGTHS, "lengths")   /* a row is a length: its gradient is near 1 at the boundary */        \
	X(ABUT_SHAPE_TEST_MASS, "mass")         /* the mass is possible for a solid between the two radii */

typedef enum AbutShapeTest {
#define ABUT_X(constant, name) constant,
	ABUT_SHAPE_TEST_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_SHAPE_TEST_COUNT
} AbutShapeTest;

/* How a test ended. */
typedef enum AbutShapeVerdict {
	ABUT_SHAPE_SKIPPED, /* does not apply, or depends on a failed test */
	ABUT_SHAPE_PASSED,
	ABUT_SHAPE_FAILED
} AbutShapeVerdict;

/* The results of the tests of a shape. */
typedef struct AbutShapeReport {
	bool passed;                                     /* no test failed */
	AbutShapeVerdict verdict[ABUT_SHAPE_TEST_COUNT]; /* of each test */
	double worst[ABUT_SHAPE_TEST_COUNT];             /* largest relative deviation found; 0 if there is none */
	int samples[ABUT_SHAPE_TEST_COUNT];              /* number of samples requested */
	int unanswered[ABUT_SHAPE_TEST_COUNT]; /* samples that rounding left undecided; a test fails with one such
	                                          sample, for polytopes with more than half */
	AbutShapeTest failed;                  /* the first failed test */
	char message[512];                     /* its place, numbers and remedy, in one line */
} AbutShapeReport;

/* Runs the tests and writes the results to `out`. The status says whether the call was legal. */
ABUT_API AbutStatus abut_shape_check(const AbutShape *shape, AbutShapeReport *out);
/* Runs the tests for `functions` of which no shape could be made, in their own frame, and writes the results to `out`.
 */
ABUT_API AbutStatus abut_shape_check_functions(const AbutSmooth *functions, AbutShapeReport *out);

/* Returns the name of a `test`, such as "convex", or "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_shape_test_name(AbutShapeTest test);

#ifdef __cplusplus
}
#endif

#endif

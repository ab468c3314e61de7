/* How tests of a shape record what they find. */
#ifndef SHAPES_SHAPE_REPORT_H
#define SHAPES_SHAPE_REPORT_H

#include "abut/shape_check.h"

/* Directions spread evenly over the sphere, along a spiral: number i of n. */
void abut_shape_spiral(int i, int n, double u[3]);

/* Records a failure with its words, unless the test has failed before. */
__attribute__((format(printf, 3, 4))) void abut_report_failure(AbutShapeReport *report, AbutShapeTest test,
                                                               const char *format, ...);
/* The test was made; it has passed unless it has failed. `worst` is the largest deviation met. */
void abut_report_made(AbutShapeReport *report, AbutShapeTest test, double worst);

/* Tests of the functions themselves: finite, gradient, hessian, convex, bounded, interior, scaling, lengths. */
void abut_smooth_tests(const AbutSmooth *f, AbutShapeReport *report);

#endif

/* Tests the functions of a smooth shape. */
#pragma once

#include "abut/shape_check.h"

/* Makes the tests of the functions: finite, gradient, hessian, convex, bounded, interior, scaling, lengths. */
void abut_smooth_tests(const AbutSmooth *f, AbutShapeReport *report);

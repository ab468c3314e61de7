/* Records the results of a shape's tests. */
#pragma once

#include "abut/shape_check.h"

/* Records a failure and its message, unless the test has failed before. */
__attribute__((format(printf, 3, 4))) void abut_report_failure(AbutShapeReport *report, AbutShapeTest test,
                                                               const char *format, ...);
/* Records that a test was made; it has passed unless a failure was recorded. `worst` is the largest deviation. */
void abut_report_made(AbutShapeReport *report, AbutShapeTest test, double worst);

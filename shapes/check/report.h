/* How tests of a shape record what they find. */
#ifndef SHAPES_CHECK_REPORT_H
#define SHAPES_CHECK_REPORT_H

#include "abut/shape_check.h"

/* Records a failure with its words, unless the test has failed before. */
__attribute__((format(printf, 3, 4))) void abut_report_failure(AbutShapeReport *report, AbutShapeTest test,
                                                               const char *format, ...);
/* The test was made; it has passed unless it has failed. `worst` is the largest deviation met. */
void abut_report_made(AbutShapeReport *report, AbutShapeTest test, double worst);

#endif

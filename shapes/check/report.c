/* Records the results of a shape's tests. */
#include "shapes/check/report.h"

#include <stdarg.h>
#include <stdio.h>

const char *abut_shape_test_name(AbutShapeTest test)
{
	static const char *const names[] = {
#define ABUT_X(constant, name) name,
	    ABUT_SHAPE_TEST_LIST(ABUT_X)
#undef ABUT_X
	};
	return (unsigned)test < ABUT_SHAPE_TEST_COUNT ? names[test] : "unknown";
}

void abut_report_failure(AbutShapeReport *report, AbutShapeTest test, const char *format, ...)
{
	if (report->verdict[test] == ABUT_SHAPE_FAILED) {
		return;
	}
	report->verdict[test] = ABUT_SHAPE_FAILED;
	va_list arguments;
	va_start(arguments, format);
	if (report->passed) {
		report->passed = false;
		report->failed = test;
		const int n = snprintf(report->message, sizeof report->message, "%s: ", abut_shape_test_name(test));
		vsnprintf(report->message + n, sizeof report->message - (size_t)n, format, arguments);
	}
	va_end(arguments);
}

void abut_report_made(AbutShapeReport *report, AbutShapeTest test, double worst)
{
	if (report->verdict[test] != ABUT_SHAPE_FAILED) {
		report->verdict[test] = ABUT_SHAPE_PASSED;
	}
	report->worst[test] = worst;
}

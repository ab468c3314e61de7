/* Functions that fill an AbutError. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "abut/status.h"

/* Fills `error` (may be NULL) and returns `status`, so that a function can `return abut_error_set(...)`. `where` is the
 * path of the value in its input, or NULL. The message should state the value and what is allowed. */
__attribute__((format(printf, 4, 5))) AbutStatus abut_error_set(AbutError *error, AbutStatus status, const char *where,
                                                                const char *format, ...);

#ifdef __clang_analyzer__
/* The analyzer of clang-tidy does not follow a call into another source. This macro tells it that the call returns
 * `status`. */
#define abut_error_set(error, status, ...) ((void)(abut_error_set)(error, status, __VA_ARGS__), (status))
#endif

/* Makes the call unless an earlier one failed: `ABUT_THEN(status, first(x)); ABUT_THEN(status, second(x));` */
#define ABUT_THEN(status, ...) ((status) = (status) == ABUT_OK ? (__VA_ARGS__) : (status))

/* Makes the call. If it fails, the calling function returns its status: not for a function that owns something at that
 * moment. */
#define ABUT_TRY(...)                                                                                                  \
	do {                                                                                                           \
		const AbutStatus abut_tried_ = (__VA_ARGS__);                                                          \
		if (abut_tried_ != ABUT_OK) {                                                                          \
			return abut_tried_;                                                                            \
		}                                                                                                      \
	} while (0)

/* Refuses an array that contains a value that is not finite; the error gives its index in `name`. `values` may be NULL
 * if n is 0. */
AbutStatus abut_error_unless_finite(const char *name, size_t n, const double *values, AbutError *error);

/* Converts the errno of an output that cannot be written, as abut/status.h defines the statuses. */
AbutStatus abut_path_status(int reason);
/* Returns whether the status is a failure of the system: memory or ABUT_ERROR_SYSTEM. */
bool abut_is_of_system(AbutStatus status);
/* Converts the errno of an input that cannot be read in the same way. */
AbutStatus abut_read_status(int reason);

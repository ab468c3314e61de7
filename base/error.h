/* Functions that fill an AbutError. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

#include "abut/status.h"

/* Fills `error` (may be NULL) and returns `status`, so that a function can `return abut_error_set(...)`. `where` is the
 * path of the value in its input, or NULL; `format` names the value, what it is and what is allowed. */
__attribute__((format(printf, 4, 5))) AbutStatus abut_error_set(AbutError *error, AbutStatus status, const char *where,
                                                                const char *format, ...);

/* Calls on, unless an earlier call failed: `ABUT_THEN(status, first(x)); ABUT_THEN(status, second(x));` */
#define ABUT_THEN(status, ...) ((status) = (status) == ABUT_OK ? (__VA_ARGS__) : (status))

/* Calls, and returns from the function that uses it with the status of a call that failed: not for a function that owns
 * something at that moment. */
#define ABUT_TRY(...)                                                                                                  \
	do {                                                                                                           \
		const AbutStatus abut_tried_ = (__VA_ARGS__);                                                          \
		if (abut_tried_ != ABUT_OK) {                                                                          \
			return abut_tried_;                                                                            \
		}                                                                                                      \
	} while (0)

/* Refuses an array with a value that is not finite; the error gives its place in `name`. `values` may be NULL if there
 * are none. */
AbutStatus abut_error_unless_finite(const char *name, size_t n, const double *values, AbutError *error);

#endif

/* Filling an AbutError. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "abut/status.h"

/* Fills `error` (NULL is fine) and returns `status`, so that a function can `return abut_error_set(...)`. `where` is
 * the path of the thing inside its input, or NULL; `format` names the thing, its value and what is allowed. */
__attribute__((format(printf, 4, 5))) AbutStatus abut_error_set(AbutError *error, AbutStatus status, const char *where,
                                                                const char *format, ...);

#endif

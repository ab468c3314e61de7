/* Names of statuses and outcomes, and functions that fill an AbutError. */
#include "base/error.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abut/version.h"

#undef abut_error_set /* the macro for the analyzer */

const char *abut_status_name(AbutStatus status)
{
	static const char *const names[] = {
#define ABUT_X(constant, name) name,
	    ABUT_STATUS_LIST(ABUT_X)
#undef ABUT_X
	};
	return (unsigned)status < ABUT_STATUS_COUNT ? names[status] : "unknown";
}

const char *abut_outcome_name(AbutOutcome outcome)
{
	static const char *const names[] = {
#define ABUT_X(constant, name) name,
	    ABUT_OUTCOME_LIST(ABUT_X)
#undef ABUT_X
	};
	return (unsigned)outcome < ABUT_OUTCOME_COUNT ? names[outcome] : "unknown";
}

AbutStatus abut_error_set(AbutError *error, AbutStatus status, const char *where, const char *format, ...)
{
	if (!error) {
		return status;
	}
	memset(error, 0, sizeof *error);
	error->status = status;
	snprintf(error->where, sizeof error->where, "%s", where ? where : "");
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof error->message, format, arguments);
	va_end(arguments);
	return status;
}

AbutStatus abut_path_status(int reason)
{
	switch (reason) {
	case EACCES:
	case EEXIST:
	case EINVAL:
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case ENOENT:
	case ENOTDIR:
	case EPERM:
	case EROFS:
		return ABUT_ERROR_ARGUMENT;
	case ENOMEM:
		return ABUT_ERROR_MEMORY;
	case EMFILE:
	case ENFILE:
		return ABUT_ERROR_SYSTEM;
	default:
		return ABUT_ERROR_IO;
	}
}

AbutStatus abut_read_status(int reason)
{
	const AbutStatus status = abut_path_status(reason);
	return status == ABUT_ERROR_ARGUMENT ? ABUT_ERROR_IO : status == ABUT_ERROR_IO ? ABUT_ERROR_SYSTEM : status;
}

bool abut_is_of_system(AbutStatus status)
{
	return status == ABUT_ERROR_MEMORY || status == ABUT_ERROR_SYSTEM;
}

AbutStatus abut_error_unless_finite(const char *name, size_t n, const double *values, AbutError *error)
{
	for (size_t i = 0; values && i < n; i++) {
		if (!isfinite(values[i])) {
			char where[64];
			snprintf(where, sizeof where, "%s[%zu]", name, i);
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "is %g; every number must be finite",
			                      values[i]);
		}
	}
	return ABUT_OK;
}

#define ABUT_TEXT_OF(value) #value
#define ABUT_TEXT(value) ABUT_TEXT_OF(value)

const char *abut_version(void)
{
	return ABUT_TEXT(ABUT_VERSION_MAJOR) "." ABUT_TEXT(ABUT_VERSION_MINOR) "." ABUT_TEXT(ABUT_VERSION_PATCH);
}

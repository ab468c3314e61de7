#include "io/text/path_status.h"

#include <errno.h>

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
	default:
		return ABUT_ERROR_IO;
	}
}

#ifndef ABUT_VERSION_H
#define ABUT_VERSION_H

#include "abut/export.h"

#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* "MAJOR.MINOR.PATCH" of the library that is linked. Static storage. */
ABUT_API const char *abut_version(void);

#ifdef __cplusplus
}
#endif

#endif

/* The version of the library. */
#ifndef ABUT_VERSION_H
#define ABUT_VERSION_H

#include "abut/export.h"

#define ABUT_VERSION_MAJOR 0 /* of these headers: changes with what breaks programs */
#define ABUT_VERSION_MINOR 1 /* with what is added; below 1.0 also with what breaks */
#define ABUT_VERSION_PATCH 0 /* with corrections */

#ifdef __cplusplus
extern "C" {
#endif

/* "MAJOR.MINOR.PATCH" of the library that is linked. Static storage. */
ABUT_API const char *abut_version(void);

#ifdef __cplusplus
}
#endif

#endif

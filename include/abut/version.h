/* The version of the library. */
#ifndef ABUT_VERSION_H
#define ABUT_VERSION_H

#include <stddef.h>

#include "abut/export.h"

#define ABUT_VERSION_MAJOR 0 /* of these headers; increases with incompatible changes */
#define ABUT_VERSION_MINOR 1 /* increases with additions; below 1.0 also with incompatible changes */
#define ABUT_VERSION_PATCH 0 /* increases with corrections */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns "MAJOR.MINOR.PATCH" of the linked library. Static storage. */
ABUT_API const char *abut_version(void);

/* Returns sizeof of the public struct `name`, such as "AbutStepInfo", in the linked library; 0 for another name. A
 * binding that mirrors structs in another language can detect a different library with it. */
ABUT_API size_t abut_struct_size(const char *name);

#ifdef __cplusplus
}
#endif

#endif

/* The version of the library. */
#ifndef ABUT_VERSION_H
#define ABUT_VERSION_H

#include <stddef.h>

#include "abut/export.h"

#define ABUT_VERSION_MAJOR 0 /* of these headers: changes with what breaks programs */
#define ABUT_VERSION_MINOR 1 /* with what is added; below 1.0 also with what breaks */
#define ABUT_VERSION_PATCH 0 /* with corrections */

#ifdef __cplusplus
extern "C" {
#endif

/* "MAJOR.MINOR.PATCH" of the library that is linked. Static storage. */
ABUT_API const char *abut_version(void);

/* sizeof of a struct of the public headers by its name, such as "AbutStepInfo", in the library that is linked; 0 when
 * there is none. Whoever mirrors structs in another language can tell by it that the library has others. */
ABUT_API size_t abut_struct_size(const char *name);

#ifdef __cplusplus
}
#endif

#endif

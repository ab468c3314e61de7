/* Scene files and run outputs (docs/interface.md). */
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include <stddef.h>

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutScene AbutScene; /* owns everything that its definition points to */

/* Reads a scene file. `overrides` (n_overrides strings "path=value", value as JSON or a bare word, such as
 * "timestep=0.05" or "bodies[1].mass=2") are applied first. On anything but ABUT_OK `*out` is NULL and `error` holds
 * file, line, column, path and message. Files of more than 64 MiB are refused. */
ABUT_API AbutStatus abut_scene_load(const char *path, int n_overrides, const char *const *overrides, AbutScene **out,
                                    AbutError *error);
/* The same from text of `length` bytes; `name` stands for the file in errors. */
ABUT_API AbutStatus abut_scene_parse(const char *text, size_t length, const char *name, int n_overrides,
                                     const char *const *overrides, AbutScene **out, AbutError *error);
ABUT_API const AbutSceneDef *abut_scene_def(const AbutScene *scene);
/* What is worth knowing about a scene that is right, such as that a mesh is open: warning `index` from 0 on, with its
 * place; NULL past the last. */
ABUT_API const AbutError *abut_scene_warning(const AbutScene *scene, int index);
ABUT_API void abut_scene_destroy(AbutScene *scene);
/* Writes a definition as a scene file, which is there when the call is done or not at all. It reads back to the same
 * scene: to the bit, but for shapes that were moved, scaled or given by inequalities, which are rounded. Bodies of
 * several parts are unions there. The values are not checked. */
ABUT_API AbutStatus abut_scene_save(const AbutSceneDef *def, const char *path, AbutError *error);
/* Gives an error of abut_model_create (whose `where` is a path inside the scene) the file, line and column. */
ABUT_API void abut_scene_locate(const AbutScene *scene, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

/* Scene files and run outputs (docs/interface.md). */
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include <stddef.h>

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scene that was read: owns everything that its definition points to. */
typedef struct AbutScene AbutScene;

/* Reads the scene file `path`. `overrides` (n_overrides strings "path=value", value as JSON or a bare word, such as
 * "timestep=0.05" or "bodies[1].mass=2") are applied first. On anything but ABUT_OK `*out` is NULL and `error` holds
 * file, line, column, path and message. Files of more than 64 MiB are refused. */
ABUT_API AbutStatus abut_scene_load(const char *path, int n_overrides, const char *const *overrides, AbutScene **out,
                                    AbutError *error);
/* The same from `text` of `length` bytes; `name` stands for the file in errors. `overrides` (n_overrides) as above. */
ABUT_API AbutStatus abut_scene_parse(const char *text, size_t length, const char *name, int n_overrides,
                                     const char *const *overrides, AbutScene **out, AbutError *error);
/* The scene as plain values, which belong to it and live as long. */
ABUT_API const AbutSceneDef *abut_scene_def(const AbutScene *scene);
/* What is worth knowing about a scene that is right, such as that a mesh is open: warning `index` from 0 on, with its
 * place; NULL past the last. */
ABUT_API const AbutError *abut_scene_warning(const AbutScene *scene, int index);
ABUT_API void abut_scene_destroy(AbutScene *scene); /* NULL is fine */
/* Writes the definition `def` as the scene file `path`, which is there when the call is done or not at all. It reads
 * back to the same scene: to the bit, but for shapes that were moved, scaled or given by inequalities, which are
 * rounded. Bodies of several parts are unions there. The values are not checked. */
ABUT_API AbutStatus abut_scene_save(const AbutSceneDef *def, const char *path, AbutError *error);
/* Gives an error of abut_model_create (whose `where` is a path inside the scene) the file, line and column. */
ABUT_API void abut_scene_locate(const AbutScene *scene, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

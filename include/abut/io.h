/* Scene files and run outputs (docs/interface.md). */
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include <stddef.h>

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scene that was read; it owns everything that its definition points to. */
typedef struct AbutScene AbutScene;

/* Reads the scene file `path`, with `overrides` applied: `n_overrides` strings "path=value", where the value is JSON or
 * a bare word, such as "timestep=0.05" or "bodies[1].mass=2". Unless the status is ABUT_OK, `*out` is NULL and `error`
 * holds file, line, column, path and message. Refuses files of more than 64 MiB. */
ABUT_API AbutStatus abut_scene_load(const char *path, int n_overrides, const char *const *overrides, AbutScene **out,
                                    AbutError *error);
/* Reads a scene from `text` of `length` bytes. Errors give `name` as the file. `overrides` (n_overrides) are as above.
 */
ABUT_API AbutStatus abut_scene_parse(const char *text, size_t length, const char *name, int n_overrides,
                                     const char *const *overrides, AbutScene **out, AbutError *error);
/* Returns the scene as plain values, which belong to it and live as long. */
ABUT_API const AbutSceneDef *abut_scene_def(const AbutScene *scene);
/* Returns warning `index` (from 0) about a valid scene, such as an open mesh, with its place in the file; NULL past the
 * last. */
ABUT_API const AbutError *abut_scene_warning(const AbutScene *scene, int index);
ABUT_API void abut_scene_destroy(AbutScene *scene); /* Frees the scene; accepts NULL. */
/* Writes the definition `def` as the scene file `path`, completely or not at all. The file reads back as the same scene
 * bit for bit, except for shapes that were moved, scaled or given by inequalities, which are rounded. Bodies of several
 * parts are written as unions. The values are not checked. */
ABUT_API AbutStatus abut_scene_save(const AbutSceneDef *def, const char *path, AbutError *error);
/* Adds file, line and column to an error of abut_model_create, whose `where` is a path inside the scene. */
ABUT_API void abut_scene_locate(const AbutScene *scene, AbutError *error);

enum { ABUT_REVIEW_MAX = 10 }; /* the most warnings of abut_scene_review */

/* Looks for what is legal in the definition `def` of `model` but probably not meant:
 *
 *   - bodies that overlap at the start, by more than a thousandth of the smaller one's radius;
 *   - lengths that seem to be in millimetres, since all moving bodies are huge or one is lighter than any solid;
 *   - joints that are open at the initial poses, so that the model moved bodies to close them;
 *   - limits, references and target positions of turns beyond a full turn, which seem to be in degrees;
 *   - references of springs without stiffness;
 *   - couplings that give two freedoms different ratios, so that neither can move;
 *   - a static body in no pair of a list of the only pairs that may touch.
 *
 * Writes warnings to `out` (ABUT_REVIEW_MAX entries), the deepest overlaps first, and their number to `count`. `where`
 * is a path inside the scene; abut_scene_locate adds the place in the file. Large scenes are searched in part, and
 * pairs that abut_collision_solve refuses are left out. Returns ABUT_ERROR_MEMORY if memory runs out,
 * ABUT_ERROR_STOPPED if `def->stop` ends the call (`*count` is 0 then), and ABUT_ERROR_ARGUMENT for NULL or a model of
 * another number of bodies. */
ABUT_API AbutStatus abut_scene_review(const AbutSceneDef *def, const AbutModel *model, int *count, AbutError *out);

#ifdef __cplusplus
}
#endif

#endif

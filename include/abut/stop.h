/* Lets a caller end a long call of the library early, such as on Ctrl-C (docs/api.md, "Ending a long call"). */
#ifndef ABUT_STOP_H
#define ABUT_STOP_H

#include <stdbool.h>

#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a caller ends its call: abut_workspace_set_stop and abut_batch_set_stop take it for steps, AbutSceneDef.stop for
 * abut_model_create, and abut_shape_types_set_stop for the reading of a scene. The call then returns
 * ABUT_ERROR_STOPPED. What remains can be used further: later steps have the bits of steps that were never stopped.
 * There remain
 *
 *   abut_step, abut_step_differentiate, abut_rollout_step
 *                          the state and the record from before the call; no contacts and no derivative;
 *   abut_step_many         the state after the `taken` steps that were completed, and their `states`;
 *   abut_batch_step        each world after the last step that it completed, so that worlds may differ in time;
 *   abut_rollout_backward, abut_rollout_forward
 *                          the record; outputs are not valid;
 *   abut_model_create, abut_scene_load_with, abut_scene_parse_with
 *                          nothing: the new object is NULL;
 *   abut_scene_review      nothing: the count is 0.
 *
 * Functions on meshes end by their own progress function; nothing remains of them. */
typedef struct AbutStop {
	/* Returns true if the call must end. Called from time to time (not more often than every few hundredths of a
	 * second), and only on the thread that made the call. NULL: never. */
	bool (*wanted)(void *context);
	void *context; /* passed to `wanted` */
} AbutStop;

#ifdef __cplusplus
}
#endif

#endif

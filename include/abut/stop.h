/* Lets a caller end a long call of the library early, such as on Ctrl-C (docs/api.md, "Ending a long call"). */
#ifndef ABUT_STOP_H
#define ABUT_STOP_H

#include <stdbool.h>

#include "abut/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a caller ends its call: abut_workspace_set_stop and abut_batch_set_stop take it for steps, AbutSceneDef.stop for
 * abut_model_create, and abut_shape_types_set_stop for the reading of a scene. The call then returns ABUT_ERROR_STOPPED
 * and leaves everything as it was before. Functions on meshes end by their own progress function. */
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

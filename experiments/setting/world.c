#include "experiments/setting/world.h"

AbutStatus abut_world_open(AbutWorld *world, const AbutSceneDef *def, AbutError *error)
{
	*world = (AbutWorld){.model = NULL};
	AbutStatus status = abut_model_create(def, &world->model, error);
	if (status == ABUT_OK) {
		status = abut_state_create(world->model, &world->state, error);
	}
	if (status == ABUT_OK) {
		status = abut_workspace_create(world->model, &world->workspace, error);
	}
	if (status != ABUT_OK) {
		abut_world_close(world);
	}
	return status;
}

void abut_world_close(AbutWorld *world)
{
	abut_workspace_destroy(world->workspace);
	abut_state_destroy(world->state);
	abut_model_destroy(world->model);
	*world = (AbutWorld){.model = NULL};
}

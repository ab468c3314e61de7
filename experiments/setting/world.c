/* Opens and closes worlds, and makes the scene of a body on a floor. */
#include "experiments/setting/world.h"

#include "base/error.h"

AbutStatus abut_world_open(AbutWorld *world, const AbutSceneDef *def, AbutError *error)
{
	*world = (AbutWorld){.model = NULL};
	AbutStatus status = abut_model_create(def, &world->model, error);
	ABUT_THEN(status, abut_state_create(world->model, &world->state, error));
	ABUT_THEN(status, abut_workspace_create(world->model, &world->workspace, error));
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

AbutStatus abut_on_floor_open(AbutOnFloor *out, const char *name, AbutShape *shape, AbutStatus made, AbutError *error)
{
	static const double up[3] = {0.0, 0.0, 1.0};
	const char *const names[ABUT_ON_FLOOR_BODIES] = {"floor", name};
	*out = (AbutOnFloor){.shapes = {NULL, shape}, .def = abut_scene_def_default()};
	const AbutStatus status = made == ABUT_OK ? abut_shape_create_halfspace(up, 0.0, &out->shapes[0], error) : made;
	for (int i = 0; i < ABUT_ON_FLOOR_BODIES; i++) {
		out->parts[i] = out->shapes[i];
		out->bodies[i] = abut_body_def_default();
		out->bodies[i].name = names[i];
		out->bodies[i].is_static = i != ABUT_ON_FLOOR_BODY;
		out->bodies[i].n_parts = 1;
		out->bodies[i].parts = &out->parts[i];
	}
	out->def.n_bodies = ABUT_ON_FLOOR_BODIES;
	out->def.bodies = out->bodies;
	return status;
}

void abut_on_floor_close(AbutOnFloor *scene)
{
	for (int i = 0; i < ABUT_ON_FLOOR_BODIES; i++) {
		abut_shape_destroy(scene->shapes[i]);
	}
	*scene = (AbutOnFloor){.shapes = {NULL}};
}

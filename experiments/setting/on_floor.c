#include "experiments/setting/on_floor.h"

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

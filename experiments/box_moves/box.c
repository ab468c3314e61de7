#include "experiments/box_moves/box.h"

#include <math.h>

static void define(const AbutBoxMove *move, AbutBoxTask *out)
{
	static const char *const names[ABUT_BOX_BODIES] = {"floor", "box"};
	for (int i = 0; i < ABUT_BOX_BODIES; i++) {
		out->parts[i] = out->shapes[i];
		out->bodies[i] = abut_body_def_default();
		out->bodies[i].name = names[i];
		out->bodies[i].is_static = i == 0;
		out->bodies[i].mass = i == 0 ? 0.0 : move->mass;
		out->bodies[i].n_parts = 1;
		out->bodies[i].parts = &out->parts[i];
	}
	out->bodies[1].position[2] = 0.5 * move->side;
	out->def = abut_scene_def_default();
	out->def.bodies = out->bodies;
	out->def.n_bodies = ABUT_BOX_BODIES;
	out->def.friction = move->friction;
	out->def.timestep = move->timestep;
}

/* Half a turn's quaternion is |phi| / 2, which is what the paper's cost has of a turn. */
static double of_turns(int row)
{
	return row >= ABUT_GRADIENT_ROTATION && row < ABUT_GRADIENT_LINEAR ? 0.25 : 1.0;
}

static void ask(const AbutBoxMove *move, AbutBoxTask *out)
{
	out->reach = (AbutReach){.def = &out->def, .horizon = move->horizon, .inputs = ABUT_BOX_INPUTS};
	AbutReach *reach = &out->reach;
	reach->ilqr = abut_ilqr_options_default();
	reach->goal[0].orientation[0] = 1.0;
	for (int i = 0; i < 3; i++) {
		reach->goal[0].position[i] = out->bodies[1].position[i] + move->way[i];
		reach->pushes[i][0][i] = 1.0;
		reach->low[i] = -INFINITY;
		reach->high[i] = INFINITY;
		reach->effort[i] = move->effort;
	}
	for (int row = 0; row < ABUT_GRADIENT_ROWS; row++) {
		reach->running[row] = of_turns(row) * move->running;
		reach->final[row] = of_turns(row) * move->final;
		reach->bound[row] = true;
	}
}

AbutStatus abut_box_task(const AbutBoxMove *move, AbutBoxTask *out, AbutError *error)
{
	static const double up[3] = {0.0, 0.0, 1.0};
	const double half[3] = {0.5 * move->side, 0.5 * move->side, 0.5 * move->side};
	*out = (AbutBoxTask){.shapes = {NULL}};
	AbutStatus status = abut_shape_create_halfspace(up, 0.0, &out->shapes[0], error);
	if (status == ABUT_OK) {
		status = abut_shape_create_box(half, &out->shapes[1], error);
	}
	if (status == ABUT_OK) {
		define(move, out);
		ask(move, out);
	}
	return status;
}

void abut_box_task_free(AbutBoxTask *task)
{
	for (int i = 0; i < ABUT_BOX_BODIES; i++) {
		abut_shape_destroy(task->shapes[i]);
	}
	*task = (AbutBoxTask){.shapes = {NULL}};
}

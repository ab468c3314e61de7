/* Makes the planning task of a box on a floor. */
#include "experiments/box_moves/box.h"

#include <math.h>

static void define(const AbutBoxMove *move, AbutOnFloor *out)
{
	out->bodies[ABUT_ON_FLOOR_BODY].mass = move->mass;
	out->bodies[ABUT_ON_FLOOR_BODY].position[2] = 0.5 * move->side;
	out->def.friction = move->friction;
	out->def.timestep = move->timestep;
}

/* Returns the weight of a row. Rotations get 1/4, because the paper's cost contains quaternions: a rotation phi changes
 * one by |phi| / 2. */
static double of_turns(int row)
{
	return row >= ABUT_GRADIENT_ROTATION && row < ABUT_GRADIENT_LINEAR ? 0.25 : 1.0;
}

static void ask(const AbutBoxMove *move, AbutBoxTask *out)
{
	out->reach = (AbutReach){.def = &out->scene.def, .horizon = move->horizon, .inputs = ABUT_BOX_INPUTS};
	AbutReach *reach = &out->reach;
	reach->search.ilqr = abut_ilqr_options_default();
	reach->goal[0].orientation[0] = 1.0;
	for (int i = 0; i < 3; i++) {
		reach->goal[0].position[i] = out->scene.bodies[ABUT_ON_FLOOR_BODY].position[i] + move->way[i];
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
	const double half[3] = {0.5 * move->side, 0.5 * move->side, 0.5 * move->side};
	AbutShape *shape = NULL;
	const AbutStatus made = abut_shape_create_box(half, &shape, error);
	const AbutStatus status = abut_on_floor_open(&out->scene, "box", shape, made, error);
	if (status == ABUT_OK) {
		define(move, &out->scene);
		ask(move, out);
	}
	return status;
}

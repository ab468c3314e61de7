/* Creates the memory of derivatives in joint coordinates, names their entries, and takes steps. Tested in
 * tests/dynamics/linear/test_linear_products.c. */
#include "dynamics/linear/create.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/gradient/read.h"
#include "dynamics/gradient/refuse.h"
#include "dynamics/model/joint.h"
#include "dynamics/state/state.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS, SUFFIX = 16 };

/* --- memory --- */

static bool allocate_tangent(const AbutRobot *robot, AbutTangent *out)
{
	const size_t n_v = (size_t)robot->n_v + 1;
	*out = (AbutTangent){.robot = robot,
	                     .links = calloc((size_t)robot->n_links + 1, sizeof *out->links),
	                     .columns = calloc(n_v, sizeof *out->columns),
	                     .now = calloc(n_v, sizeof *out->now),
	                     .past = calloc(n_v, sizeof *out->past)};
	return out->links && out->columns && out->now && out->past;
}

static void free_tangent(const AbutTangent *tangent)
{
	free(tangent->links);
	free(tangent->columns);
	free(tangent->now);
	free(tangent->past);
}

static bool allocate(AbutLinear *linear)
{
	const size_t n = (size_t)linear->model->n_moving + 1, n_links = (size_t)linear->robot->n_links + 1;
	bool all = true;
	for (int i = 0; i < 2; i++) {
		linear->motions[i] = calloc(n, sizeof *linear->motions[i]);
		linear->timesteps[i] = calloc(n, sizeof *linear->timesteps[i]);
		all = all && linear->motions[i] && linear->timesteps[i];
	}
	linear->between = calloc(n, sizeof *linear->between);
	linear->efforts = calloc((size_t)linear->n_motors + 1, sizeof *linear->efforts);
	linear->q = calloc((size_t)linear->robot->n_q + 1, sizeof *linear->q);
	all = all && linear->between && linear->efforts && linear->q;
	linear->rows = calloc((size_t)linear->n_x + 1, sizeof *linear->rows);
	linear->change = calloc(COLUMNS * n, sizeof *linear->change);
	linear->next = calloc(ROWS * n, sizeof *linear->next);
	linear->out = calloc((size_t)linear->n_x + 1, sizeof *linear->out);
	linear->single = calloc((ROWS + COLUMNS) * n, sizeof *linear->single);
	linear->scratch = calloc(12 * n_links, sizeof *linear->scratch);
	return all && allocate_tangent(linear->robot, &linear->start) &&
	       allocate_tangent(linear->robot, &linear->end) && linear->rows && linear->change && linear->next &&
	       linear->out && linear->single && linear->scratch;
}

/* --- names --- */

static void name_base(const AbutRobot *robot, const AbutLink *link, int i, bool rate, char *out, size_t size)
{
	static const char *const of_base[2][6] = {{"x", "y", "z", "rx", "ry", "rz"},
	                                          {"vx", "vy", "vz", "wx", "wy", "wz"}};
	static const char *const of_planar[2][3] = {{"x", "z", "turn"}, {"vx", "vz", "wy"}};
	snprintf(out, size, "%s.%s", abut_robot_link_name(robot, link),
	         (link->n_v == ABUT_ROBOT_PLANAR ? of_planar[rate] : of_base[rate])[i]);
}

/* Writes the name of freedom `i` of a joint. */
static void name_freedom(const AbutModel *model, int joint, int i, const char *suffix, char *out, size_t size)
{
	const AbutJoint *of = &model->joints.at[joint];
	if (abut_joint_type_freedoms(of->type) > 1) {
		snprintf(out, size, "%s.%d%s", of->name, i, suffix);
	} else {
		snprintf(out, size, "%s%s", of->name, suffix);
	}
}

static void name_entries(AbutLinear *linear)
{
	const AbutRobot *robot = linear->robot;
	char *at = linear->name_block;
	for (int i = 0; i < linear->n_x + linear->n_motors; i++) {
		const int v = i % (robot->n_v > 0 ? robot->n_v : 1), input = i - linear->n_x;
		const AbutLink *link = input < 0 ? &robot->links[robot->link_of_v[v]] : NULL;
		const int joint = link ? link->joint : linear->parameters[input].part;
		const char *owner = link ? abut_robot_link_name(robot, link) : linear->model->joints.at[joint].name;
		const size_t size = strlen(owner) + SUFFIX;
		linear->names[i] = at;
		if (link && joint < 0) {
			name_base(robot, link, v - link->v, i >= robot->n_v, at, size);
		} else {
			name_freedom(linear->model, joint, link ? v - link->v : linear->parameters[input].index,
			             link && i >= robot->n_v ? ".rate" : "", at, size);
		}
		at += size;
	}
}

static bool allocate_names(AbutLinear *linear)
{
	const AbutRobot *robot = linear->robot;
	size_t size = 1;
	for (int v = 0; v < robot->n_v; v++) {
		size += 2 * (strlen(abut_robot_link_name(robot, &robot->links[robot->link_of_v[v]])) + SUFFIX);
	}
	for (int i = 0; i < linear->n_motors; i++) {
		size += strlen(linear->model->joints.at[linear->parameters[i].part].name) + SUFFIX;
	}
	linear->names = calloc((size_t)(linear->n_x + linear->n_motors) + 1, sizeof *linear->names);
	linear->name_block = calloc(size, 1);
	return linear->names && linear->name_block;
}

/* --- creation --- */

static AbutStatus no_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a step");
}

/* Lists the motors, and makes the rest. */
static AbutStatus make(AbutLinear *linear, double kappa, AbutError *error)
{
	const AbutModel *model = linear->model;
	ABUT_TRY(abut_gradient_create(model, kappa, &linear->gradient, error));
	ABUT_TRY(abut_robot_create(model, &linear->robot, error));
	linear->n_x = 2 * linear->robot->n_v;
	linear->n_motors = abut_parameter_list(model, ABUT_PARAMETER_MOTOR, 0, NULL);
	linear->parameters = calloc((size_t)linear->n_motors + 1, sizeof *linear->parameters);
	if (!linear->parameters) {
		return no_memory(error);
	}
	abut_parameter_list(model, ABUT_PARAMETER_MOTOR, linear->n_motors, linear->parameters);
	if (!allocate(linear) || !allocate_names(linear)) {
		return no_memory(error);
	}
	name_entries(linear);
	return abut_linear_select(linear, 0, NULL, error);
}

AbutStatus abut_linear_create(const AbutModel *model, double kappa, AbutLinear **out, AbutError *error)
{
	if (!model || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "model and out must be given");
	}
	*out = NULL;
	AbutLinear *linear = calloc(1, sizeof *linear);
	if (!linear) {
		return no_memory(error);
	}
	linear->model = model;
	const AbutStatus status = make(linear, kappa, error);
	if (status != ABUT_OK) {
		abut_linear_destroy(linear);
		return status;
	}
	*out = linear;
	return ABUT_OK;
}

void abut_linear_destroy(AbutLinear *linear)
{
	if (!linear) {
		return;
	}
	abut_gradient_destroy(linear->gradient);
	abut_robot_destroy(linear->robot);
	free_tangent(&linear->start);
	free_tangent(&linear->end);
	void *const blocks[] = {linear->parameters,   linear->motions[0], linear->motions[1], linear->timesteps[0],
	                        linear->timesteps[1], linear->rows,       linear->change,     linear->next,
	                        linear->by,           linear->out,        linear->scratch,    linear->names,
	                        linear->name_block,   linear->between,    linear->efforts,    linear->q,
	                        linear->single};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		free(blocks[i]);
	}
	free(linear);
}

AbutStatus abut_linear_select(AbutLinear *linear, int n, const AbutParameter *parameters, AbutError *error)
{
	if (!linear || n < 0 || (n > 0 && !parameters)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "n",
		                      "is %d; linear and 0 or more parameters must be given", n);
	}
	for (int i = 0; i < n; i++) {
		if (parameters[i].kind == ABUT_PARAMETER_CENTRE_OF_MASS) {
			return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "parameters",
			                      "%d is of kind centre_of_mass; derivatives in joint coordinates exist by "
			                      "other kinds",
			                      i);
		}
	}
	const size_t all = (size_t)linear->n_motors + (size_t)n;
	AbutParameter *own = calloc(all + 1, sizeof *own);
	AbutLanes *by = calloc((size_t)linear->n_x + all + 1, sizeof *by);
	AbutStatus status = own && by ? ABUT_OK : no_memory(error);
	if (status == ABUT_OK) {
		memcpy(own, linear->parameters, (size_t)linear->n_motors * sizeof *own);
		memcpy(own + linear->n_motors, parameters ? parameters : own, (size_t)n * sizeof *own);
		status = abut_gradient_select(linear->gradient, (int)all, own, error);
	}
	if (status != ABUT_OK) {
		free(own);
		free(by);
		return status;
	}
	free(linear->parameters);
	free(linear->by);
	linear->parameters = own;
	linear->by = by;
	linear->n_parameters = n;
	return ABUT_OK;
}

double abut_linear_kappa(const AbutLinear *linear)
{
	return linear ? abut_gradient_kappa(linear->gradient) : 0.0;
}

int abut_linear_state_count(const AbutLinear *linear)
{
	return linear ? linear->n_x : 0;
}

int abut_linear_input_count(const AbutLinear *linear)
{
	return linear ? linear->n_motors : 0;
}

const char *abut_linear_state_name(const AbutLinear *linear, int i)
{
	return linear && i >= 0 && i < linear->n_x ? linear->names[i] : "";
}

const char *abut_linear_input_name(const AbutLinear *linear, int i)
{
	return linear && i >= 0 && i < linear->n_motors ? linear->names[linear->n_x + i] : "";
}

AbutParameter abut_linear_input(const AbutLinear *linear, int i)
{
	return linear && i >= 0 && i < linear->n_motors
	           ? linear->parameters[i]
	           : (AbutParameter){.kind = ABUT_PARAMETER_MOTOR, .body = -1, .other = -1, .part = -1};
}

/* --- steps --- */

/* Keeps the motions of a state. */
static void keep(AbutLinear *linear, const AbutState *state, int end)
{
	const AbutModel *model = linear->model;
	for (int i = 0; i < model->n_moving; i++) {
		const AbutMotion *motion = &state->motion[model->moving_body[i]];
		linear->motions[end][i] = motion->at;
		linear->timesteps[end][i] = abut_state_last_timestep(model, motion);
		if (end == 0) {
			linear->between[i] = motion->last_timestep;
		} else if (linear->between[i] > 0.0) {
			linear->between[i] =
			    model->timestep_si + 0.5 * model->units.time * (linear->between[i] - motion->last_timestep);
		} else {
			linear->between[i] = model->timestep_si;
		}
	}
}

/* Keeps the efforts of the motors in the step that led to the state. */
static void keep_efforts(AbutLinear *linear, const AbutState *state)
{
	const AbutModel *model = linear->model;
	for (int i = 0; i < linear->n_motors; i++) {
		const AbutParameter *motor = &linear->parameters[i];
		const bool turns =
		    abut_joint_turns(abut_joint_coordinates(&model->joints.at[motor->part]), motor->index);
		linear->efforts[i] = state->joints[motor->part].done.motor[motor->index] *
		                     (turns ? model->units.torsion : model->units.impulse) / model->timestep_si;
	}
}

AbutStatus abut_linear_step(AbutLinear *linear, AbutState *state, AbutWorkspace *workspace, AbutStepInfo *info)
{
	if (!linear || !state || state->model != linear->model) {
		return ABUT_ERROR_ARGUMENT;
	}
	linear->placed = false;
	keep(linear, state, 0);
	ABUT_TRY(abut_step_differentiate(linear->model, state, workspace, linear->gradient, info));
	keep(linear, state, 1);
	keep_efforts(linear, state);
	linear->in_parts = info->parts > 1;
	return ABUT_OK;
}

AbutStatus abut_linear_place(AbutLinear *linear, AbutError *error)
{
	ABUT_TRY(abut_gradient_ready(linear->gradient, error));
	if (!linear->placed) {
		abut_gradient_ends(linear->gradient, linear->motions[1]);
		abut_tangent_place(linear->robot, linear->motions[0], linear->timesteps[0], &linear->start);
		abut_tangent_place(linear->robot, linear->motions[1], linear->timesteps[1], &linear->end);
		abut_coordinate_rows(&linear->end, linear->rows);
		linear->placed = true;
	}
	return ABUT_OK;
}

void abut_linear_hold_turns(AbutLinear *linear, bool held)
{
	if (linear) {
		abut_gradient_hold_turns(linear->gradient, held);
	}
}

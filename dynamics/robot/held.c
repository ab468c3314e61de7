/* A step with held rates. In a copy of the model, each driven freedom has a velocity motor that is so stiff that it
 * holds its rate. The step then finds the forces of contacts, limits, friction, loops and couplings that go with this
 * motion, as any step does. Tested in tests/dynamics/robot/test_robot_inverse.c. */
#include "dynamics/robot/held.h"

#include <math.h>
#include <string.h>

#include "abut/parameter.h"
#include "base/error.h"
#include "dynamics/robot/coordinates.h"
#include "dynamics/state/state.h"
#include "dynamics/step/advance.h"

/* N m s/rad or N s/m: its compliance is far below rounding. */
static const double stiff = 1e20;

bool abut_joint_has_motor(const AbutJoint *joint, int axis)
{
	return joint->acting[joint->type == ABUT_JOINT_BALL ? 0 : axis].motor.type != ABUT_MOTOR_NONE;
}

static void find_driven(AbutRobot *robot)
{
	const AbutModel *model = robot->model;
	bool any = false;
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * model->joints.n; i++) {
		any = any || abut_joint_has_motor(&model->joints.at[i / ABUT_JOINT_FREEDOMS], i % ABUT_JOINT_FREEDOMS);
	}
	for (int v = 0; v < robot->n_v; v++) {
		const AbutLink *link = &robot->links[robot->link_of_v[v]];
		robot->driven[v] =
		    link->joint >= 0 && (!any || abut_joint_has_motor(&model->joints.at[link->joint], v - link->v));
	}
}

bool abut_held_holds(const AbutRobot *robot, int joint, int axis)
{
	const int link = robot->link_of_joint[joint];
	return link >= 0 ? axis < robot->links[link].n_v && robot->driven[robot->links[link].v + axis]
	                 : abut_joint_has_motor(&robot->model->joints.at[joint], axis);
}

/* Gives all held freedoms of the copy their motors. These keep the limits, as the motion does. */
static void hold(const AbutRobot *robot)
{
	AbutModel *model = robot->held.model;
	for (int i = 0; i < ABUT_JOINT_FREEDOMS * model->joints.n; i++) {
		AbutJoint *joint = &model->joints.at[i / ABUT_JOINT_FREEDOMS];
		const int axis = i % ABUT_JOINT_FREEDOMS;
		if (abut_held_holds(robot, i / ABUT_JOINT_FREEDOMS, axis)) {
			joint->acting[axis].has_limits =
			    joint->type == ABUT_JOINT_BALL && joint->acting[axis].has_limits;
			joint->acting[joint->type == ABUT_JOINT_BALL ? 0 : axis].motor =
			    (AbutMotorDef){.type = ABUT_MOTOR_VELOCITY, .damping = stiff, .limit = (double)INFINITY};
			abut_joint_set_laws(&model->units, joint);
		}
	}
}

AbutStatus abut_held_create(AbutRobot *robot, AbutError *error)
{
	AbutHeld *held = &robot->held;
	find_driven(robot);
	ABUT_TRY(abut_workspace_create(robot->model, &robot->workspace, error));
	if (robot->model->method->advance != abut_step_advance || robot->model->formulation.published) {
		return ABUT_OK;
	}
	ABUT_TRY(abut_model_create_changed(robot->model, 0, NULL, NULL, &held->model, error));
	hold(robot);
	ABUT_TRY(abut_state_create(held->model, &held->state, error));
	return abut_workspace_create(held->model, &held->workspace, error);
}

void abut_held_destroy(AbutRobot *robot)
{
	abut_workspace_destroy(robot->workspace);
	abut_workspace_destroy(robot->held.workspace);
	abut_state_destroy(robot->held.state);
	abut_model_destroy(robot->held.model);
}

/* Refuses a coordinate of the wanted motion beyond its limits, which hold exactly. */
static AbutStatus check_limits(const AbutJoint *joint, int axis, double to, AbutError *error)
{
	static const double rounding = 1e-9; /* rad or m */
	static const char *const ends[ABUT_JOINT_FREEDOMS] = {".0", ".1", ".2"};
	const AbutJointAxis *acting = &joint->acting[axis];
	const bool beyond = joint->type != ABUT_JOINT_BALL && acting->has_limits &&
	                    (to < acting->lower - rounding || to > acting->upper + rounding);
	return beyond ? abut_error_set(error, ABUT_ERROR_ARGUMENT, "after",
	                               "the wanted motion takes %s%s to %.9g, beyond its limits %.9g and %.9g",
	                               joint->name, abut_joint_type_freedoms(joint->type) > 1 ? ends[axis] : "", to,
	                               acting->lower, acting->upper)
	              : ABUT_OK;
}

/* Sets the rates that lead to `after`, at whose poses the robot is, as targets of the motors of joints that close
 * loops. */
static AbutStatus aim_loops(AbutRobot *robot, AbutError *error)
{
	for (int i = 0; i < robot->model->joints.n; i++) {
		const AbutJoint *joint = &robot->model->joints.at[i];
		const int n = robot->link_of_joint[i] < 0 ? abut_joint_type_freedoms(joint->type) : 0;
		double at[ABUT_JOINT_FREEDOMS], rates[ABUT_JOINT_FREEDOMS];
		if (n == 0) {
			continue;
		}
		abut_robot_joint_read(robot, joint, robot->held.state->joints[i].position, at);
		abut_robot_joint_rates(robot, joint, robot->model->timestep_si, rates);
		for (int k = 0; k < n; k++) {
			ABUT_TRY(abut_held_holds(robot, i, k) ? check_limits(joint, k, at[k], error) : ABUT_OK);
		}
		memcpy(&robot->held.state->targets[ABUT_JOINT_FREEDOMS * i], rates, sizeof rates);
	}
	return ABUT_OK;
}

/* Sets the rates that lead to `after` as targets of the motors. */
static AbutStatus aim(AbutRobot *robot, const AbutState *before, const AbutState *after, AbutError *error)
{
	const double dt = robot->model->timestep_si;
	double *q = robot->work[1], *next = robot->work[2];
	ABUT_TRY(abut_robot_get_state(robot, before, q, NULL));
	ABUT_TRY(abut_robot_get_state(robot, after, next, robot->work[3]));
	ABUT_TRY(aim_loops(robot, error));
	for (int v = 0; v < robot->n_v; v++) {
		const AbutLink *link = &robot->links[robot->link_of_v[v]];
		if (!robot->driven[v]) {
			continue;
		}
		const AbutJoint *joint = &robot->model->joints.at[link->joint];
		const int axis = v - link->v, at = link->q + axis;
		const double to = abut_joint_winds(abut_joint_coordinates(joint), axis)
		                      ? abut_joint_unwrap(next[at], q[at])
		                      : next[at];
		ABUT_TRY(check_limits(joint, axis, to, error));
		robot->held.state->targets[ABUT_JOINT_FREEDOMS * link->joint + axis] =
		    joint->type == ABUT_JOINT_BALL ? robot->work[3][v] : (to - q[at]) / dt;
	}
	return ABUT_OK;
}

AbutStatus abut_held_step(AbutRobot *robot, const AbutState *before, const AbutState *after, AbutError *error)
{
	AbutHeld *held = &robot->held;
	AbutStepInfo info = {.row = 0};
	AbutState *state = held->state;
	AbutStatus status = abut_contact_store_copy(&before->store, &state->store);
	state->steps = before->steps;
	state->time = before->time;
	memcpy(state->memory, before->memory, before->memory_size);
	ABUT_TRY(aim(robot, before, after, error));
	ABUT_THEN(status, abut_step(held->model, state, held->workspace, &info));
	if (status != ABUT_OK) {
		return abut_error_set(error, status, NULL, "the step with held rates was not taken");
	}
	if (info.outcome == ABUT_OUTCOME_FAILED || info.parts > 1) {
		return abut_error_set(
		    error, ABUT_ERROR_NUMERICAL, NULL,
		    "the step with held rates, which finds the forces of contacts, %s; the motion may be impossible, "
		    "such as one that presses a body into another, or a shorter timestep is needed",
		    info.parts > 1 ? "was taken in parts" : "failed");
	}
	return ABUT_OK;
}

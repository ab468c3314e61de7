/* Differentiates sensors in joint coordinates: those of the state at the state before the step, and means over the step
 * from the states at both of its ends. Each takes one column of the changes of the bodies' states. Tested in
 * tests/dynamics/linear/test_linear_outputs.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/linear/create.h"
#include "dynamics/linear/products.h"
#include "dynamics/model/joint.h"
#include "dynamics/robot/coordinates.h"
#include "dynamics/robot/pose.h"
#include "dynamics/sensor/place.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS, WHERE_SIZE = 32 };

/* The changes in one lane of a product. */
typedef struct Change {
	const AbutLinear *linear;
	int lane;
} Change;

/* A body, or the world, at an end of the step, and how it changes. */
typedef struct End {
	AbutBodyState at;
	double R[9], by[ROWS];
} End;

static void read_end(const Change *change, int body, int end, End *out)
{
	const AbutLinear *linear = change->linear;
	const AbutModel *model = linear->model;
	const int moving = body < model->n_bodies ? model->bodies[body].moving : -1;
	*out = (End){.at = {.orientation = {1.0, 0.0, 0.0, 0.0}}};
	if (moving >= 0) {
		const AbutLanes *from = end == 0 ? &linear->change[COLUMNS * moving] : &linear->next[ROWS * moving];
		out->at = linear->motions[end][moving];
		for (int i = 0; i < ROWS; i++) {
			out->by[i] = from[i][change->lane];
		}
	} else if (body < model->n_bodies) {
		memcpy(out->at.orientation, model->bodies[body].initial.orientation, sizeof out->at.orientation);
	}
	abut_quat_to_mat3(out->at.orientation, out->R);
}

/* Computes the change of a site's origin and the change of its quaternion. */
static void change_pose(const Change *change, const AbutSite *place, double out[7])
{
	double lever[3], turned[3], half[4] = {0.0}, body[4];
	End end;
	read_end(change, place->body, 0, &end);
	const double *phi = &end.by[ABUT_GRADIENT_ROTATION];
	abut_sensor_lever(change->linear->model, place, lever);
	abut_cross3(phi, lever, turned);
	abut_mat3_vec(end.R, turned, out);
	abut_add3(out, &end.by[ABUT_GRADIENT_POSITION], out);
	abut_scale3(0.5, phi, &half[1]);
	abut_quat_mul(end.at.orientation, half, body);
	abut_quat_mul(body, place->orientation, &out[3]);
}

/* Computes the change of a site's velocity, v + R (w x lever), and of its angular velocity, R w. */
static void change_velocity(const Change *change, const AbutSite *place, double out[6])
{
	double lever[3], spun[3], swing[3], turned[3];
	End end;
	read_end(change, place->body, 0, &end);
	const double *phi = &end.by[ABUT_GRADIENT_ROTATION], *w = end.at.angular_velocity;
	abut_sensor_lever(change->linear->model, place, lever);
	abut_cross3(phi, w, spun);
	abut_add3(spun, &end.by[ABUT_GRADIENT_ANGULAR], spun);
	abut_mat3_vec(end.R, spun, &out[3]);
	abut_cross3(&end.by[ABUT_GRADIENT_ANGULAR], lever, spun);
	abut_cross3(w, lever, swing);
	abut_cross3(phi, swing, turned);
	abut_add3(spun, turned, spun);
	abut_mat3_vec(end.R, spun, out);
	abut_add3(out, &end.by[ABUT_GRADIENT_LINEAR], out);
}

/* Adds the change of w x (w x r) / 2. */
static void add_centripetal(const double w[3], const double change[3], const double r[3], double out[3])
{
	double across[3], inward[3];
	abut_cross3(w, r, across);
	abut_cross3(change, across, inward);
	abut_add_scaled3(out, 0.5, inward, out);
	abut_cross3(change, r, across);
	abut_cross3(w, across, inward);
	abut_add_scaled3(out, 0.5, inward, out);
}

/* Computes the change of an imu (dynamics/sensor/measure.h). */
static void change_imu(const Change *change, const AbutSite *place, double out[6])
{
	const AbutLinear *linear = change->linear;
	const AbutModel *model = linear->model;
	const int moving = place->body < model->n_bodies ? model->bodies[place->body].moving : -1;
	const double time = moving >= 0 ? linear->between[moving] : model->timestep_si;
	double gained[3], own[3], force[3], spun[3], r[3], turned[3];
	End ends[2];
	for (int end = 0; end < 2; end++) {
		read_end(change, place->body, end, &ends[end]);
	}
	abut_sensor_lever(model, place, r);
	abut_sub3(ends[1].at.linear_velocity, ends[0].at.linear_velocity, gained);
	abut_divide3(gained, time, gained);
	abut_sub3(gained, model->gravity_si, gained);
	abut_mat3_tvec(ends[0].R, gained, own);
	abut_cross3(own, &ends[0].by[ABUT_GRADIENT_ROTATION], turned);
	abut_sub3(&ends[1].by[ABUT_GRADIENT_LINEAR], &ends[0].by[ABUT_GRADIENT_LINEAR], gained);
	abut_divide3(gained, time, gained);
	abut_mat3_tvec(ends[0].R, gained, force);
	abut_add3(force, turned, force);
	abut_sub3(&ends[1].by[ABUT_GRADIENT_ANGULAR], &ends[0].by[ABUT_GRADIENT_ANGULAR], spun);
	abut_divide3(spun, time, spun);
	abut_cross3(spun, r, turned);
	abut_add3(force, turned, force);
	for (int end = 0; end < 2; end++) {
		add_centripetal(ends[end].at.angular_velocity, &ends[end].by[ABUT_GRADIENT_ANGULAR], r, force);
	}
	abut_mat3_tvec(place->axes, force, out);
	abut_mat3_tvec(place->axes, &ends[1].by[ABUT_GRADIENT_ANGULAR], out + 3);
}

/* --- joints --- */

/* Computes the change of a ball's rotation vector, which turns by small turns about the child's axes. */
static void change_ball(const Change *change, int v, double out[3])
{
	const AbutLinear *linear = change->linear;
	double inverse[9], turn[3];
	abut_rotation_jacobian_inverse(&linear->q[linear->robot->links[linear->robot->link_of_v[v]].q], inverse);
	for (int i = 0; i < 3; i++) {
		turn[i] = linear->by[v + i][change->lane];
	}
	abut_mat3_vec(inverse, turn, out);
}

/* Returns the input of the motor on a freedom. */
static int input_of(const AbutLinear *linear, int joint, int axis)
{
	int i = 0;
	while (linear->parameters[i].part != joint || linear->parameters[i].index != axis) {
		i++;
	}
	return i;
}

/* Returns the change of the effort of a motor on freedom `axis` of a joint whose first rate is `v`: NaN where it does
 * not follow from the motion at the end of the step alone. */
static double change_effort(const Change *change, int joint, int axis, int v)
{
	const AbutLinear *linear = change->linear;
	const AbutJoint *of = &linear->model->joints.at[joint];
	const AbutMotorDef *motor = &of->acting[of->type == ABUT_JOINT_BALL ? 0 : axis].motor;
	if (motor->type == ABUT_MOTOR_NONE) {
		return 0.0;
	}
	const int input = input_of(linear, joint, axis);
	const double target = linear->by[linear->n_x + input][change->lane];
	if (of->type == ABUT_JOINT_BALL || linear->in_parts ||
	    (isfinite(motor->limit) && abut_gradient_kappa(linear->gradient) > 0.0)) {
		return (double)NAN;
	}
	if (fabs(linear->efforts[input]) >= motor->limit * (1.0 - 1e-9)) {
		return 0.0;
	}
	const double q = linear->out[v + axis][change->lane],
	             rate = linear->out[linear->robot->n_v + v + axis][change->lane];
	return motor->type == ABUT_MOTOR_FORCE      ? target
	       : motor->type == ABUT_MOTOR_POSITION ? motor->stiffness * (target - q) - motor->damping * rate
	                                            : motor->damping * (target - rate);
}

/* Computes the change of a sensor of a joint; NaN if the joint closes a loop. */
static void change_joint(const Change *change, const AbutSensor *sensor, double *out)
{
	const AbutLinear *linear = change->linear;
	const int v = abut_robot_joint_velocity(linear->robot, sensor->joint);
	const bool ball = linear->model->joints.at[sensor->joint].type == ABUT_JOINT_BALL;
	if (v >= 0 && ball && sensor->type == ABUT_SENSOR_JOINT_POSITION) {
		change_ball(change, v, out);
		return;
	}
	for (int k = 0; k < sensor->n; k++) {
		out[k] = v < 0 ? (double)NAN
		         : sensor->type == ABUT_SENSOR_JOINT_EFFORT
		             ? change_effort(change, sensor->joint, k, v)
		             : linear->by[v + k + (sensor->type == ABUT_SENSOR_JOINT_VELOCITY ? linear->robot->n_v : 0)]
		                         [change->lane];
	}
}

/* --- matrices --- */

static void change_sensor(const Change *change, const AbutSensor *sensor, double *out)
{
	switch (sensor->type) {
	case ABUT_SENSOR_POSE:
		change_pose(change, &sensor->place, out);
		break;
	case ABUT_SENSOR_VELOCITY:
		change_velocity(change, &sensor->place, out);
		break;
	case ABUT_SENSOR_IMU:
		change_imu(change, &sensor->place, out);
		break;
	case ABUT_SENSOR_JOINT_POSITION:
	case ABUT_SENSOR_JOINT_VELOCITY:
	case ABUT_SENSOR_JOINT_EFFORT:
		change_joint(change, sensor, out);
		break;
	case ABUT_SENSOR_FORCE_TORQUE:
	case ABUT_SENSOR_CONTACT_FORCE:
	case ABUT_SENSOR_TYPE_COUNT:
		for (int i = 0; i < sensor->n; i++) {
			out[i] = (double)NAN;
		}
		break;
	}
}

/* Writes the columns of a product, counted from `first` over C and D. Returns the first sensor that has an entry which
 * is not known; their number if there is none. */
static int write_columns(const AbutLinear *linear, int first, int count, double *C, double *D)
{
	const AbutSensorList *list = &linear->model->sensors;
	int unknown = list->n;
	for (int lane = 0; lane < count; lane++) {
		const Change change = {linear, lane};
		const int column = first + lane, width = column < linear->n_x ? linear->n_x : linear->n_motors;
		double *to = column < linear->n_x ? C : D;
		for (int i = 0; to && i < list->n; i++) {
			double out[ABUT_SENSOR_CHANNELS] = {0.0};
			change_sensor(&change, &list->at[i], out);
			for (int k = 0; k < list->at[i].n; k++) {
				to[(size_t)(list->at[i].first + k) * (size_t)width +
				   (size_t)(column < linear->n_x ? column : column - linear->n_x)] = out[k];
				unknown = isnan(out[k]) && i < unknown ? i : unknown;
			}
		}
	}
	return unknown;
}

/* Reads the rotation vectors of balls before the step. */
static void read_balls(AbutLinear *linear)
{
	static const double none[ABUT_JOINT_FREEDOMS];
	AbutRobot *robot = linear->robot;
	abut_robot_set_motions(robot, linear->motions[0], linear->timesteps[0]);
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		if (abut_robot_is_ball(robot, link)) {
			abut_robot_joint_read(robot, &linear->model->joints.at[link->joint], none, &linear->q[link->q]);
		}
	}
}

int abut_linear_output_count(const AbutLinear *linear)
{
	return linear ? abut_model_sensor_values(linear->model) : 0;
}

AbutStatus abut_linear_outputs(AbutLinear *linear, double *C, double *D, AbutError *error)
{
	if (!linear) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "linear must be given");
	}
	ABUT_TRY(abut_linear_place(linear, error));
	const AbutSensorList *list = &linear->model->sensors;
	const int n = linear->n_x + linear->n_motors;
	int unknown = list->n;
	AbutStatus status = ABUT_OK;
	read_balls(linear);
	for (int first = 0; first < n; first += ABUT_LANES) {
		const int count = first + ABUT_LANES < n ? ABUT_LANES : n - first;
		status = abut_linear_columns(linear, first, count, status, error);
		const int own = write_columns(linear, first, count, C, D);
		unknown = own < unknown ? own : unknown;
	}
	if (status == ABUT_OK && unknown < list->n) {
		char where[WHERE_SIZE];
		snprintf(where, sizeof where, "sensors[%d]", unknown);
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, where,
		                      "the derivative of sensor '%s' is not known; its rows of C and D are NaN",
		                      list->at[unknown].name);
	}
	return status;
}

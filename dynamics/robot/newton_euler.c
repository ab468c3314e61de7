/* Jacobians, the mass matrix, and efforts by the recursive Newton-Euler algorithm.
 *
 * Accelerations go from the ground outwards. Let s be the velocity of the child's anchor p in the parent's frame A. The
 * material points of both bodies at p then have the accelerations a_B = a_A + 2 w_A x s + sum qddot axis of the slides,
 * and the angular accelerations differ by the sum of qddot axis + qdot (w x axis), with w of the body to which the axis
 * is fixed. If the parent is the far body, the same is solved for its accelerations. Forces and torques go back
 * inwards, and the effort of a freedom is their product with its column.
 *
 * The mass matrix is the sum of J' M J over all bodies. Compared with closed forms, energies and differences in
 * tests/dynamics/robot/test_robot_kinematics.c. */
#include "dynamics/robot/newton_euler.h"

#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/robot/pose.h"
#include "dynamics/robot/values.h"

/* --- Jacobians --- */

/* Returns the link on which a link hangs; NULL: the ground. */
static const AbutLink *inner(const AbutRobot *robot, const AbutLink *link)
{
	const int near = robot->link_of[link->near];
	return near >= 0 ? &robot->links[near] : NULL;
}

static const AbutLink *outermost(const AbutRobot *robot, int body)
{
	return robot->link_of[body] >= 0 ? &robot->links[robot->link_of[body]] : NULL;
}

void abut_robot_point_jacobian(const AbutRobot *robot, int body, const double point[3], double *J)
{
	const int n = robot->n_v;
	memset(J, 0, 6 * (size_t)n * sizeof *J);
	for (const AbutLink *link = outermost(robot, body); link; link = inner(robot, link)) {
		for (int k = link->v; k < link->v + link->n_v; k++) {
			double linear[3], angular[3];
			abut_column_velocity(&robot->columns[k], point, linear, angular);
			for (int row = 0; row < 3; row++) {
				J[row * n + k] = linear[row];
				J[(3 + row) * n + k] = angular[row];
			}
		}
	}
}

AbutStatus abut_robot_jacobian(AbutRobot *robot, const double *q, int body, const double point[3], double *J)
{
	double arm[3];
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_q(robot, q));
	ABUT_TRY(abut_robot_check_given(robot, "J", J));
	if (body < 0 || body >= robot->model->n_bodies) {
		return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "body", "is %d; the model has %d bodies",
		                      body, robot->model->n_bodies);
	}
	if (!point || !abut_all_finite(point, 3)) {
		return abut_error_set(&robot->error, ABUT_ERROR_ARGUMENT, "point", "must be given, and be finite");
	}
	abut_robot_place(robot, q);
	abut_sub3(point, robot->model->bodies[body].centre_of_mass, arm);
	abut_mat3_vec(robot->poses[body].R, arm, arm);
	abut_add3(robot->poses[body].x, arm, arm);
	abut_robot_point_jacobian(robot, body, arm, J);
	return ABUT_OK;
}

AbutStatus abut_robot_forward(AbutRobot *robot, const double *q, const double *qdot, AbutBodyState *bodies)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_q(robot, q));
	ABUT_TRY(qdot ? abut_robot_check_rates(robot, "qdot", qdot) : ABUT_OK);
	ABUT_TRY(abut_robot_check_given(robot, "bodies", bodies));
	abut_robot_place(robot, q);
	if (qdot) {
		abut_robot_move(robot, qdot);
	}
	for (int i = 0; i < robot->model->n_bodies; i++) {
		const AbutRobotPose *pose = &robot->poses[i];
		bodies[i] = (AbutBodyState){.position = {0.0}};
		abut_robot_read_pose(robot, i, &bodies[i]);
		if (qdot && robot->link_of[i] >= 0) {
			abut_copy3(pose->v, bodies[i].linear_velocity);
			abut_mat3_tvec(pose->R, pose->w, bodies[i].angular_velocity);
		}
	}
	return ABUT_OK;
}

/* Computes the inertia of a body in world axes. */
static void world_inertia(const AbutRobot *robot, int body, double J[9])
{
	const double *R = robot->poses[body].R;
	double RJ[9];
	abut_mat3_mul(R, robot->model->bodies[body].inertia_si, RJ);
	abut_mat3_mul_transposed(RJ, R, J);
}

static double armature_of(const AbutRobot *robot, int v)
{
	const AbutLink *link = &robot->links[robot->link_of_v[v]];
	if (link->joint < 0) {
		return 0.0;
	}
	const AbutJoint *joint = &robot->model->joints.at[link->joint];
	return joint->acting[joint->type == ABUT_JOINT_BALL ? 0 : v - link->v].armature;
}

/* Adds J' M J of a body. */
static void add_inertia(const AbutRobot *robot, int body, double *M)
{
	const AbutRobotPose *pose = &robot->poses[body];
	const int n = robot->n_v;
	double J[9];
	world_inertia(robot, body, J);
	for (const AbutLink *a = outermost(robot, body); a; a = inner(robot, a)) {
		for (int i = a->v; i < a->v + a->n_v; i++) {
			double linear[3], angular[3], momentum[3];
			abut_column_velocity(&robot->columns[i], pose->x, linear, angular);
			abut_mat3_vec(J, angular, momentum);
			abut_scale3(robot->model->bodies[body].mass_si, linear, linear);
			for (const AbutLink *b = a; b; b = inner(robot, b)) {
				for (int k = b->v; k < b->v + b->n_v; k++) {
					double v[3], w[3];
					abut_column_velocity(&robot->columns[k], pose->x, v, w);
					M[(size_t)i * (size_t)n + (size_t)k] +=
					    abut_dot3(linear, v) + abut_dot3(momentum, w);
				}
			}
		}
	}
}

AbutStatus abut_robot_mass_matrix(AbutRobot *robot, const double *q, double *M)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_q(robot, q));
	ABUT_TRY(abut_robot_check_given(robot, "M", M));
	const size_t n = (size_t)robot->n_v;
	abut_robot_place(robot, q);
	memset(M, 0, n * n * sizeof *M);
	for (int i = 0; i < robot->n_links; i++) {
		add_inertia(robot, robot->links[i].body, M);
	}
	/* the rows of a link hold the columns of the links on which it hangs */
	for (size_t i = 0; i < n; i++) {
		M[i * n + i] += armature_of(robot, (int)i);
		for (size_t k = 0; k < n; k++) {
			const int outer = robot->link_of_v[i], other = robot->link_of_v[k];
			M[k * n + i] = outer > other ? M[i * n + k] : M[k * n + i];
		}
	}
	return ABUT_OK;
}

/* --- efforts --- */

/* Adds the acceleration of a point at `arm` from the centre of mass, relative to it. */
static void add_swing(const AbutRobotPose *pose, const double arm[3], double sign, double a[3])
{
	double turned[3], spun[3];
	abut_cross3(pose->dw, arm, turned);
	abut_add_scaled3(a, sign, turned, a);
	abut_cross3(pose->w, arm, turned);
	abut_cross3(pose->w, turned, spun);
	abut_add_scaled3(a, sign, spun, a);
}

/* Sets the accelerations of a link; qddot NULL: zero. */
static void accelerate(AbutRobot *robot, const AbutLink *link, const double *qdot, const double *qddot)
{
	const AbutRobotPose *near = &robot->poses[link->near];
	AbutRobotPose *own = &robot->poses[link->body];
	const AbutColumn *first = &robot->columns[link->v];
	const AbutRobotPose *parent = link->side == 1 ? near : own;
	double anchor[3], arm[3], slide[3] = {0.0, 0.0, 0.0}, coriolis[3];
	abut_copy3(near->dw, own->dw);
	abut_copy3(near->dv, own->dv);
	if (link->joint >= 0) {
		abut_robot_joint_pose(robot, &robot->model->joints.at[link->joint], anchor);
	} else {
		abut_copy3(own->x, anchor);
	}
	abut_sub3(anchor, near->x, arm);
	add_swing(near, arm, 1.0, own->dv);
	for (int k = 0; k < link->n_v; k++) {
		double turned[3];
		const double a = qddot ? qddot[link->v + k] : 0.0, rate = qdot[link->v + k];
		if (first[k].slides) {
			abut_add_scaled3(slide, rate, first[k].axis, slide);
			abut_add_scaled3(own->dv, a, first[k].axis, own->dv);
		} else {
			abut_cross3(robot->poses[first[k].on].w, first[k].axis, turned);
			abut_add_scaled3(own->dw, a, first[k].axis, own->dw);
			abut_add_scaled3(own->dw, rate, turned, own->dw);
		}
	}
	abut_cross3(parent->w, slide, coriolis);
	abut_add_scaled3(own->dv, 2.0, coriolis, own->dv);
	abut_sub3(anchor, own->x, arm);
	add_swing(own, arm, -1.0, own->dv);
}

/* Sets the force and torque that a body's own acceleration needs beyond gravity. */
static void need(AbutRobot *robot, int body)
{
	AbutRobotPose *pose = &robot->poses[body];
	const double mass = robot->model->bodies[body].mass_si;
	double J[9], momentum[3], spun[3];
	world_inertia(robot, body, J);
	abut_mat3_vec(J, pose->w, momentum);
	abut_cross3(pose->w, momentum, spun);
	abut_mat3_vec(J, pose->dw, momentum);
	for (int k = 0; k < 3; k++) {
		pose->force[k] = mass * (pose->dv[k] - robot->model->gravity_si[k]);
		pose->force[3 + k] = momentum[k] + spun[k];
	}
}

AbutStatus abut_robot_effort(AbutRobot *robot, const double *q, const double *qdot, const double *qddot, double *effort)
{
	if (!robot) {
		return ABUT_ERROR_ARGUMENT;
	}
	ABUT_TRY(abut_robot_check_q(robot, q));
	ABUT_TRY(abut_robot_check_rates(robot, "qdot", qdot));
	ABUT_TRY(qddot ? abut_robot_check_rates(robot, "qddot", qddot) : ABUT_OK);
	ABUT_TRY(abut_robot_check_given(robot, "effort", effort));
	abut_robot_place(robot, q);
	abut_robot_move(robot, qdot);
	for (int i = 0; i < robot->n_links; i++) {
		accelerate(robot, &robot->links[i], qdot, qddot);
		need(robot, robot->links[i].body);
	}
	for (int i = robot->n_links - 1; i >= 0; i--) {
		const AbutLink *link = &robot->links[i];
		const AbutRobotPose *own = &robot->poses[link->body];
		AbutRobotPose *near = &robot->poses[link->near];
		double arm[3], moment[3], linear[3], angular[3];
		for (int k = link->v; k < link->v + link->n_v; k++) {
			abut_column_velocity(&robot->columns[k], own->x, linear, angular);
			effort[k] = abut_dot3(own->force, linear) + abut_dot3(&own->force[3], angular) +
			            (qddot ? armature_of(robot, k) * qddot[k] : 0.0);
		}
		abut_sub3(own->x, near->x, arm);
		abut_cross3(arm, own->force, moment);
		for (int k = 0; robot->link_of[link->near] >= 0 && k < 3; k++) {
			near->force[k] += own->force[k];
			near->force[3 + k] += own->force[3 + k] + moment[k];
		}
	}
	return ABUT_OK;
}

AbutStatus abut_robot_bias(AbutRobot *robot, const double *q, const double *qdot, double *effort)
{
	return abut_robot_effort(robot, q, qdot, NULL, effort);
}

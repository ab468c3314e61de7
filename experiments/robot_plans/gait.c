/* Finds the states of a trot by inverse kinematics. */
#include "experiments/robot_plans/gait.h"

#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "experiments/robot_plans/trot.h"

/* Finds the feet, and makes targets of the base and the feet where they are at the start. */
static AbutStatus find_targets(const AbutGaitStates *of, AbutRobotTarget targets[1 + ABUT_GAIT_FEET], AbutError *error)
{
	AbutRobot *robot = abut_robot_planner_robot(of->planner);
	AbutBodyState bodies[64];
	int n = 0, base = -1;
	if (of->def->n_bodies > 64) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the scene has %d bodies; a gait allows 64",
		                      of->def->n_bodies);
	}
	abut_robot_forward(robot, of->start, NULL, bodies);
	for (int i = 0; i < of->def->n_sites && n < ABUT_GAIT_FEET; i++) {
		const AbutSiteDef *site = &of->def->sites[i];
		if (strncmp(site->name, "foot", 4) == 0) {
			AbutRobotTarget *target = &targets[1 + n++];
			double R[9];
			*target = abut_robot_target_default();
			target->body = site->body;
			target->frame = site->frame;
			target->name = site->name;
			target->place = true;
			target->turn = false;
			abut_quat_to_mat3(bodies[site->body].orientation, R);
			abut_mat3_vec(R, site->frame.position, target->position);
			abut_add3(target->position, bodies[site->body].position, target->position);
		}
	}
	for (int i = 0; i < of->def->n_bodies && base < 0; i++) {
		base = abut_robot_base_coordinate(robot, i) == of->base ? i : -1;
	}
	if (of->base < 0 || base < 0 || n != ABUT_GAIT_FEET) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, NULL,
		    "the scene has %s and %d sites that begin with \"foot\"; a gait needs a base and 4",
		    of->base < 0 ? "no base" : "a base", n);
	}
	targets[0] = abut_robot_target_default();
	targets[0].body = base;
	targets[0].place = targets[0].turn = true;
	abut_copy3(bodies[base].position, targets[0].position);
	memcpy(targets[0].orientation, bodies[base].orientation, sizeof targets[0].orientation);
	return ABUT_OK;
}

AbutStatus abut_gait_fill(const AbutTaskGait *gait, const AbutGaitStates *of, const double way[3], double *states,
                          AbutError *error)
{
	AbutRobot *robot = abut_robot_planner_robot(of->planner);
	const int n_q = abut_robot_planner_coordinates(of->planner), n_v = abut_robot_planner_rates(of->planner);
	const double duration = of->horizon * of->timestep;
	AbutRobotTarget start[1 + ABUT_GAIT_FEET], targets[1 + ABUT_GAIT_FEET];
	ABUT_TRY(find_targets(of, start, error));
	memcpy(states, of->start, (size_t)(n_q + n_v) * sizeof *states);
	for (int k = 1; k <= of->horizon; k++) {
		double *x = &states[(size_t)k * (size_t)(n_q + n_v)], *last = x - (n_q + n_v);
		double base[3], feet[ABUT_GAIT_FEET][3];
		abut_gait_places(gait, duration, way, k * of->timestep, base, feet);
		memcpy(targets, start, sizeof targets);
		abut_add3(targets[0].position, base, targets[0].position);
		for (int i = 0; i < ABUT_GAIT_FEET; i++) {
			abut_add3(targets[1 + i].position, feet[i], targets[1 + i].position);
		}
		memcpy(x, last, (size_t)n_q * sizeof *x);
		ABUT_TRY(abut_robot_reach(robot, 1 + ABUT_GAIT_FEET, targets, x, NULL, error));
		ABUT_TRY(abut_robot_difference(robot, last, x, &x[n_q]));
		for (int i = 0; i < n_v; i++) {
			x[n_q + i] /= of->timestep;
		}
	}
	return ABUT_OK;
}

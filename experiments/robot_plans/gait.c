/* Finds the states of a trot by inverse kinematics. */
#include "experiments/robot_plans/gait.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "experiments/robot_plans/trot.h"

/* Makes targets of the feet where they are at the start; returns their number. */
static int find_feet(const AbutGaitStates *of, const AbutBodyState *bodies, AbutRobotTarget feet[ABUT_GAIT_FEET])
{
	int n = 0;
	for (int i = 0; i < of->def->n_sites && n < ABUT_GAIT_FEET; i++) {
		const AbutSiteDef *site = &of->def->sites[i];
		if (site->body < 0 || strncmp(site->name, "foot", 4) != 0) {
			continue;
		}
		AbutRobotTarget *target = &feet[n++];
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
	return n;
}

/* Makes targets of the base and the feet where they are at the start. */
static AbutStatus find_targets(const AbutGaitStates *of, AbutBodyState *bodies,
                               AbutRobotTarget targets[1 + ABUT_GAIT_FEET], AbutError *error)
{
	AbutRobot *robot = abut_robot_planner_robot(of->planner);
	ABUT_TRY(abut_robot_forward(robot, of->start, NULL, bodies));
	const int n = find_feet(of, bodies, &targets[1]);
	if (of->base < 0 || n != ABUT_GAIT_FEET) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, NULL,
		    "the scene has %s and %d sites that begin with \"foot\"; a gait needs a base and 4",
		    of->base < 0 ? "no base" : "a base", n);
	}
	int base = 0;
	while (abut_robot_base_coordinate(robot, base) != of->base) {
		base++;
	}
	targets[0] = abut_robot_target_default();
	targets[0].body = base;
	targets[0].place = targets[0].turn = true;
	abut_copy3(bodies[base].position, targets[0].position);
	memcpy(targets[0].orientation, bodies[base].orientation, sizeof targets[0].orientation);
	return ABUT_OK;
}

/* Finds the state of step k, which follows the one before. */
static AbutStatus find_state(const AbutTaskGait *gait, const AbutGaitStates *of, const double way[3], int k,
                             const AbutRobotTarget start[1 + ABUT_GAIT_FEET], double *x, AbutError *error)
{
	AbutRobot *robot = abut_robot_planner_robot(of->planner);
	const int n_q = abut_robot_planner_coordinates(of->planner), n_v = abut_robot_planner_rates(of->planner);
	const double *last = x - (n_q + n_v);
	AbutRobotTarget targets[1 + ABUT_GAIT_FEET];
	double base[3], feet[ABUT_GAIT_FEET][3];
	abut_gait_places(gait, of->horizon * of->timestep, way, k * of->timestep, base, feet);
	memcpy(targets, start, sizeof targets);
	abut_add3(targets[0].position, base, targets[0].position);
	for (int i = 0; i < ABUT_GAIT_FEET; i++) {
		abut_add3(targets[1 + i].position, feet[i], targets[1 + i].position);
	}
	memcpy(x, last, (size_t)n_q * sizeof *x);
	ABUT_TRY(abut_robot_reach(robot, 1 + ABUT_GAIT_FEET, targets, x, NULL, error));
	if (abut_robot_difference(robot, last, x, &x[n_q]) != ABUT_OK) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "step %d of the gait: %s", k,
		                      abut_robot_error(robot)->message);
	}
	for (int i = 0; i < n_v; i++) {
		x[n_q + i] /= of->timestep;
	}
	return ABUT_OK;
}

AbutStatus abut_gait_fill(const AbutTaskGait *gait, const AbutGaitStates *of, const double way[3], double *states,
                          AbutError *error)
{
	const int state = abut_robot_planner_coordinates(of->planner) + abut_robot_planner_rates(of->planner);
	AbutRobotTarget start[1 + ABUT_GAIT_FEET];
	AbutBodyState *bodies = calloc((size_t)of->def->n_bodies, sizeof *bodies);
	if (!bodies) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a gait");
	}
	AbutStatus status = find_targets(of, bodies, start, error);
	free(bodies);
	memcpy(states, of->start, (size_t)state * sizeof *states);
	for (int k = 1; status == ABUT_OK && k <= of->horizon; k++) {
		status = find_state(gait, of, way, k, start, &states[(size_t)k * (size_t)state], error);
	}
	return status;
}

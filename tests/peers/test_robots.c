/* Tests that robots are the same in Abut and in MuJoCo: where nothing touches the floor, both move alike for short
 * timesteps. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/peers/peers.h"
#include "experiments/robots/compare.h"
#include "experiments/robots/robot_abut.h"
#include "experiments/robots/robot_mujoco.h"

static AbutPeerWorld *make_mujoco(const AbutBenchRobot *robot, double timestep)
{
	AbutError error = {.status = ABUT_OK};
	AbutRobotXml xml;
	AbutPeerWorld *world = NULL;
	const int first = abut_robot_first_hinge(robot), n = robot->n_links - first;
	double start[ABUT_ROBOT_LINKS_MAX];
	cr_assert(abut_robot_xml(robot, timestep, &xml));
	cr_assert_eq(abut_peer_robots.create(xml.model, xml.rest, &world, &error), ABUT_OK, "%s", error.message);
	abut_robot_xml_free(&xml);
	for (int i = 0; i < n; i++) {
		start[i] = robot->links[first + i].start;
	}
	abut_peer_robots.place(world, n, start);
	return world;
}

/* Takes n steps with the same torques in both engines; returns the largest difference of the hinges' coordinates in
 * `off`, and the largest change of a coordinate. */
static double run_both(const AbutBenchRobot *robot, double timestep, int steps, double *off)
{
	AbutError error = {.status = ABUT_OK};
	AbutRobotWorld ours;
	const int first = abut_robot_first_hinge(robot), n = robot->n_links - first;
	double controls[ABUT_ROBOT_LINKS_MAX], own[ABUT_ROBOT_LINKS_MAX], other[ABUT_ROBOT_LINKS_MAX], way = 0.0;
	AbutPeerWorld *theirs = make_mujoco(robot, timestep);
	cr_assert_eq(abut_bench_robot_create(robot, ABUT_METHOD_SINGLE_LEVEL, timestep, &ours, &error), ABUT_OK, "%s",
	             error.message);
	for (int i = 0; i < n; i++) {
		controls[i] = 0.3 * sin(1.0 + i);
	}
	if (robot->effort > 0.0) {
		abut_robot_control(&ours, controls);
		abut_peer_robots.control(theirs, controls);
	}
	for (int k = 0; k < steps; k++) {
		abut_robot_step(&ours);
		abut_peer_mujoco.engines->step(theirs);
		cr_assert(ours.info.exact, "step %d", k);
	}
	for (int i = 0; i < n; i++) {
		AbutJointState joint;
		abut_joint_get(ours.world.model, ours.world.state, i, &joint);
		own[i] = joint.position[0];
	}
	abut_peer_robots.read(theirs, n, other);
	*off = 0.0;
	for (int i = 0; i < n; i++) {
		*off = fmax(*off, fabs(own[i] - other[i]));
		way = fmax(way, fabs(own[i] - robot->links[first + i].start));
	}
	abut_bench_robot_destroy(&ours);
	abut_peer_mujoco.engines->destroy(theirs);
	return way;
}

/* Both integrators are of first order at least. */
static void expect_alike(const AbutBenchRobot *robot, double seconds)
{
	double off[2];
	for (int i = 0; i < 2; i++) {
		const double timestep = i == 0 ? 1e-4 : 0.5e-4;
		const double way = run_both(robot, timestep, (int)lround(seconds / timestep), &off[i]);
		cr_expect_gt(way, 0.1);
		cr_expect_lt(off[i], 40.0 * timestep * way, "%g of %g rad", off[i], way);
	}
	cr_expect_lt(off[1], 0.6 * off[0], "%g and %g rad", off[0], off[1]);
}

Test(robots, chains_move_as_in_mujoco)
{
	AbutBenchRobot robot;
	if (abut_peer_mujoco.count > 0) {
		abut_robot_chain(5, &robot);
		expect_alike(&robot, 0.2);
		abut_robot_chain(60, &robot); /* in two files */
		expect_alike(&robot, 0.2);
	}
}

Test(robots, ants_move_as_in_mujoco)
{
	AbutBenchRobot robot;
	if (abut_peer_mujoco.count > 0) {
		abut_robot_ant(100.0, &robot);
		for (int i = 1; i < robot.n_links; i++) { /* limits are soft in MuJoCo */
			robot.links[i].range[0] = robot.links[i].range[1] = 0.0;
		}
		expect_alike(&robot, 0.1);
	}
}

/* Compares with the mass that MuJoCo computes from Gymnasium's own file. */
Test(robots, ant_weighs_as_much)
{
	AbutBenchRobot robot;
	AbutRobotWorld made;
	AbutError error = {.status = ABUT_OK};
	double mass = 0.0;
	abut_robot_ant(1.0, &robot);
	cr_assert_eq(abut_bench_robot_create(&robot, ABUT_METHOD_SINGLE_LEVEL, 0.005, &made, &error), ABUT_OK, "%s",
	             error.message);
	for (int i = 0; i < robot.n_links; i++) {
		mass += abut_model_body_mass(made.world.model, i);
	}
	cr_expect_float_eq(mass, 0.9108800827, 1e-9, "%.10g", mass);
	abut_bench_robot_destroy(&made);
}

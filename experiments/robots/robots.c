/* Fills in the robots. The figures of the ant are those of the environment "Ant" of Gymnasium. */
#include "experiments/robots/robots.h"

#include <math.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180.0;

static AbutRobotGeom capsule(double x, double y, double radius)
{
	return (AbutRobotGeom){.to = {x, y, 0.0}, .radius = radius};
}

void abut_robot_ant(double height, AbutBenchRobot *out)
{
	/* legs front left, front right, back, right back: directions, and the sides to which their ankles bend */
	static const double legs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}, bends[4] = {1, -1, -1, 1};
	static const double axes[4][2] = {{-1, 1}, {1, 1}, {-1, 1}, {1, 1}};
	static const double thick = 0.08, upper = 0.2, lower = 0.4; /* m */
	*out = (AbutBenchRobot){.floats = true,
	                        .floor = true,
	                        .density = 5.0,
	                        .friction = 1.0,
	                        .armature = 1.0,
	                        .damping = 1.0,
	                        .effort = 150.0,
	                        .n_links = 9};
	AbutRobotLink *torso = &out->links[0];
	*torso = (AbutRobotLink){.parent = -1, .anchor = {0.0, 0.0, height}, .n_geoms = 5};
	torso->geoms[0] = capsule(0.0, 0.0, 0.25);
	for (int i = 0; i < 4; i++) {
		const double x = legs[i][0], y = legs[i][1], least = (bends[i] > 0.0 ? 30.0 : -70.0) * degree;
		torso->geoms[1 + i] = capsule(upper * x, upper * y, thick);
		out->links[1 + 2 * i] = (AbutRobotLink){.parent = 0,
		                                        .anchor = {upper * x, upper * y, 0.0},
		                                        .axis = {0.0, 0.0, 1.0},
		                                        .range = {-30.0 * degree, 30.0 * degree},
		                                        .n_geoms = 1,
		                                        .geoms = {capsule(upper * x, upper * y, thick)}};
		out->links[2 + 2 * i] = (AbutRobotLink){.parent = 1 + 2 * i,
		                                        .anchor = {upper * x, upper * y, 0.0},
		                                        .axis = {sqrt(0.5) * axes[i][0], sqrt(0.5) * axes[i][1], 0.0},
		                                        .range = {least, least + 40.0 * degree},
		                                        .start = bends[i],
		                                        .n_geoms = 1,
		                                        .geoms = {capsule(lower * x, lower * y, thick)}};
	}
}

void abut_robot_chain(int n, AbutBenchRobot *out)
{
	static const double length = 0.2, mass = 0.5, radius = 0.02;
	const double volume = 3.14159265358979323846 * radius * radius * (length + 4.0 / 3.0 * radius);
	*out = (AbutBenchRobot){.density = mass / volume, .n_links = n};
	for (int i = 0; i < n; i++) {
		out->links[i] = (AbutRobotLink){.parent = i - 1,
		                                .anchor = {i > 0 ? length : 0.0, 0.0, 0.0},
		                                .axis = {0.0, 1.0, 0.0},
		                                .n_geoms = 1,
		                                .geoms = {capsule(length, 0.0, radius)}};
	}
}

/* Defines robots for Abut and MuJoCo: links of capsules, joined by hinges in a tree. */
#pragma once

#include <stdbool.h>

enum {
	ABUT_ROBOT_GEOMS_MAX = 5,   /* most capsules of a link */
	ABUT_ROBOT_LINKS_MAX = 100, /* most links */
};

/* All points within `radius` of a segment, in the link's frame; a ball if both ends coincide. */
typedef struct AbutRobotGeom {
	double from[3], to[3]; /* m */
	double radius;         /* m */
} AbutRobotGeom;

/* A link and the hinge that carries it. Its frame has its origin on the hinge and, at coordinate 0, the axes of the
 * parent's frame. */
typedef struct AbutRobotLink {
	int parent;       /* link before this one; -1: link 0, which floats or hangs on the world */
	double anchor[3]; /* m, origin in the parent's frame; of link 0: in the world */
	double axis[3];   /* axis of the hinge, a unit vector */
	double range[2];  /* rad, limits of the coordinate; equal: none */
	double start;     /* rad, coordinate at the start */
	int n_geoms;
	AbutRobotGeom geoms[ABUT_ROBOT_GEOMS_MAX];
} AbutRobotLink;

typedef struct AbutBenchRobot {
	bool floats;     /* link 0 has no hinge */
	bool floor;      /* links touch the floor z <= 0, but not each other */
	double density;  /* kg/m^3 */
	double friction; /* coefficient with the floor */
	double armature; /* kg m^2, of each hinge */
	double damping;  /* N m s/rad */
	double effort;   /* N m, largest torque of the motor of each hinge; 0: no motors */
	int n_links;
	AbutRobotLink links[ABUT_ROBOT_LINKS_MAX];
} AbutBenchRobot;

/* Fills in the four-legged robot of Gymnasium's "Ant": a ball with four legs of two links, which touches only the
 * floor. `height` is that of its centre at the start. */
void abut_robot_ant(double height, AbutBenchRobot *out);
/* Fills in `n` links of 0.2 m and 0.5 kg that hang on the world by hinges about y, at first horizontal; no floor. */
void abut_robot_chain(int n, AbutBenchRobot *out);

/* Returns the first hinge: 1 if link 0 floats. The hinge of link i has the number i - first in lists of hinges. */
static inline int abut_robot_first_hinge(const AbutBenchRobot *robot)
{
	return robot->floats ? 1 : 0;
}

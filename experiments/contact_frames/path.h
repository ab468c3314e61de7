/* The path of a box around another, through poses where vertices, edges and faces meet. */
#pragma once

#include "abut/collide.h"

enum { ABUT_WAYPOINTS_MAX = 16 };

typedef struct AbutWaypoint {
	const char *name;
	AbutPose pose; /* of the moving box */
} AbutWaypoint;

typedef struct AbutPath {
	double fixed[3], moving[3]; /* m: half extents; the fixed one stands at the origin */
	AbutWaypoint points[ABUT_WAYPOINTS_MAX];
	int n_points; /* >= 2 */
} AbutPath;

/* Computes the pose at `s` in [0, n_points - 1]: waypoint i at s = i, and a straight line with the shortest turn at
 * constant speed between two. */
AbutPose abut_path_pose(const AbutPath *path, double s);

/* One of the twelve edges of a box at a pose, world: its ends, and whether an adjacent face points to `eye`. */
typedef struct AbutEdge {
	double ends[2][3]; /* m */
	bool front;
} AbutEdge;

void abut_path_edges(const double half[3], const AbutPose *pose, const double eye[3], AbutEdge edges[12]);

/* Computes the path of a box around another one, through poses where vertices, edges and faces meet. */
#pragma once

#include "abut/collide.h"

enum { ABUT_WAYPOINTS_MAX = 16 };

typedef struct AbutWaypoint {
	const char *name;
	AbutPose pose; /* pose of the moving box */
} AbutWaypoint;

typedef struct AbutPath {
	double fixed[3], moving[3]; /* half extents, m; the fixed box is at the origin */
	AbutWaypoint points[ABUT_WAYPOINTS_MAX];
	int n_points; /* >= 2 */
} AbutPath;

/* Returns the pose at `s` in [0, n_points - 1]. Waypoint i is at s = i. Between two waypoints, the box moves straight
 * and takes the shortest turn, at constant speed. */
AbutPose abut_path_pose(const AbutPath *path, double s);

/* One of the twelve edges of a box at a pose. `front` says whether an adjacent face points to the eye. */
typedef struct AbutEdge {
	double ends[2][3]; /* both ends; world axes, m */
	bool front;
} AbutEdge;

void abut_path_edges(const double half[3], const AbutPose *pose, const double eye[3], AbutEdge edges[12]);

/* Tests the path of contact-frames: poses between the waypoints, and the edges drawn. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/contact_frames/path.h"

static const AbutPath path = {
    .fixed = {0.5, 0.5, 0.5},
    .moving = {0.3, 0.2, 0.1},
    .points = {{"first", {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.0}}},
               {"second", {{1.0, 0.0, 1.0}, {0.0, 0.0, 0.0, 1.0}}}, /* a half turn about z */
               {"third", {{1.0, 2.0, 1.0}, {0.0, 0.0, 0.0, -1.0}}}},
    .n_points = 3,
};

Test(path, passes_through_the_waypoints_at_constant_speed)
{
	for (int i = 0; i < 3; i++) {
		const AbutPose pose = abut_path_pose(&path, i);
		double same = 0.0;
		for (int k = 0; k < 4; k++) {
			same += pose.orientation[k] * path.points[i].pose.orientation[k];
		}
		cr_expect_float_eq(fabs(same), 1.0, 1e-12);
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(pose.position[k], path.points[i].pose.position[k], 1e-12);
		}
	}
	for (int i = 0; i <= 10; i++) {
		const AbutPose pose = abut_path_pose(&path, 0.1 * i);
		const double angle = 2.0 * atan2(fabs(pose.orientation[3]), fabs(pose.orientation[0]));
		cr_expect_float_eq(angle, 0.1 * i * 3.141592653589793, 1e-9);
		cr_expect_float_eq(pose.position[0], 0.1 * i, 1e-12);
		/* The second leg does not rotate: q and -q are the same orientation. */
		cr_expect_float_eq(fabs(abut_path_pose(&path, 1.0 + 0.1 * i).orientation[3]), 1.0, 1e-12);
	}
}

Test(path, edges_are_those_of_the_box)
{
	const AbutPose pose = {{0.1, 0.2, 0.3}, {0.5, 0.5, 0.5, 0.5}};
	const double eye[3] = {0.3, -0.5, 0.8};
	AbutEdge edges[12];
	double total = 0.0;
	int behind = 0;
	abut_path_edges(path.moving, &pose, eye, edges);
	for (int i = 0; i < 12; i++) {
		double square = 0.0, corner = 0.0;
		for (int k = 0; k < 3; k++) {
			square += pow(edges[i].ends[1][k] - edges[i].ends[0][k], 2.0);
			corner += pow(edges[i].ends[0][k] - pose.position[k], 2.0);
		}
		total += sqrt(square);
		behind += !edges[i].front;
		cr_expect_float_eq(corner, 0.09 + 0.04 + 0.01, 1e-12, "an end is a corner");
	}
	cr_expect_float_eq(total, 4.0 * (0.6 + 0.4 + 0.2), 1e-12);
	cr_expect_eq(behind, 3, "of a box seen at an angle three edges are hidden");
}

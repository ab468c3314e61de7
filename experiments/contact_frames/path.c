/* Computes poses on the path of a box, and the edges of boxes. */
#include "experiments/contact_frames/path.h"

#include <math.h>

#include "base/vec3.h"

/* Interpolates between the orientations q_0 and q_1 (slerp): q_0 exp(u log(q_0* q_1)), as a weighted sum. Uses the one
 * of q_1 and -q_1 that is nearer to q_0. */
static void turn(const double from[4], const double to[4], double u, double out[4])
{
	double cosine = 0.0, norm = 0.0;
	for (int i = 0; i < 4; i++) {
		cosine += from[i] * to[i];
	}
	const double sign = cosine < 0.0 ? -1.0 : 1.0;
	const double angle = acos(fmin(1.0, fabs(cosine)));
	const double a = angle > 1e-6 ? sin((1.0 - u) * angle) : 1.0 - u;
	const double b = angle > 1e-6 ? sin(u * angle) : u;
	for (int i = 0; i < 4; i++) {
		out[i] = a * from[i] + sign * b * to[i];
		norm += out[i] * out[i];
	}
	for (int i = 0; i < 4; i++) {
		out[i] /= sqrt(norm);
	}
}

AbutPose abut_path_pose(const AbutPath *path, double s)
{
	const int last = path->n_points - 2;
	const int leg = (int)fmin(fmax(floor(s), 0.0), (double)last);
	const double u = s - leg;
	const AbutPose *from = &path->points[leg].pose, *to = &path->points[leg + 1].pose;
	AbutPose pose;
	for (int i = 0; i < 3; i++) {
		pose.position[i] = (1.0 - u) * from->position[i] + u * to->position[i];
	}
	turn(from->orientation, to->orientation, u, pose.orientation);
	return pose;
}

/* Computes the twelve edges, four along each axis k. The bits of an edge's number give the signs of its other two
 * coordinates. */
void abut_path_edges(const double half[3], const AbutPose *pose, const double eye[3], AbutEdge edges[12])
{
	double R[9];
	abut_quat_to_mat3(pose->orientation, R);
	for (int n = 0; n < 12; n++) {
		const int k = n / 4, side[2] = {(k + 1) % 3, (k + 2) % 3};
		AbutEdge *edge = &edges[n];
		double at[3];
		edge->front = false;
		for (int j = 0; j < 2; j++) {
			const double sign = (n >> j & 1) ? 1.0 : -1.0;
			at[side[j]] = sign * half[side[j]];
			const double facing = R[side[j]] * eye[0] + R[3 + side[j]] * eye[1] + R[6 + side[j]] * eye[2];
			edge->front = edge->front || sign * facing > 0.0;
		}
		for (int end = 0; end < 2; end++) {
			at[k] = end ? half[k] : -half[k];
			abut_mat3_vec(R, at, edge->ends[end]);
			abut_add3(edge->ends[end], pose->position, edge->ends[end]);
		}
	}
}

/* A rod: k = |d| - length, n = u = d / |d|. For a fixed impulse, df = lambda (I - u u') / |d| dd. */
#include "dynamics/joint/kinds/rod.h"

#include "base/vec3.h"

void abut_rod_row(const AbutJointPose *pose, AbutJointRow *row)
{
	const double length = abut_norm3(pose->d);
	*row = (AbutJointRow){.value = length - pose->length};
	abut_scale3(1.0 / length, pose->d, row->n);
}

void abut_rod_curvature(const AbutJointPose *pose, double lambda, AbutJointCurvature *curvature)
{
	const double length = abut_norm3(pose->d), scale = lambda / length;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const double uu = pose->d[i] * pose->d[j] / (length * length);
			curvature->f_d[3 * i + j] += scale * ((i == j ? 1.0 : 0.0) - uu);
		}
	}
}

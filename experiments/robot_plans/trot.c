/* Computes the places of a trot over time. */
#include "experiments/robot_plans/trot.h"

#include <math.h>

#include "base/vec3.h"

static const double pi = 3.14159265358979323846;

static double clamp01(double s)
{
	return fmax(0.0, fmin(1.0, s));
}

/* Rises from 0 to 1 with zero slope at both ends. */
static double ease(double s)
{
	return s * s * (3.0 - 2.0 * s);
}

/* Returns the share of the way that the base has covered at the time t. */
static double covered(const AbutTaskGait *gait, double duration, double t)
{
	return ease(clamp01((t - gait->lead) / (duration - 2.0 * gait->lead)));
}

/* Returns the share of the way at which a diagonal (0 or 1) stands or, between two stances, swings; `up` receives the
 * height of the swing as a share of the lift. */
static double stride(const AbutTaskGait *gait, double duration, int diagonal, double t, double *up)
{
	const double half = 0.5 * gait->period, walk = duration - 2.0 * gait->lead;
	const int swings = (int)fmax(1.0, floor(walk / gait->period + 1e-9)); /* of each diagonal */
	double at = 0.0;
	*up = 0.0;
	for (int i = 0; i < swings; i++) {
		const double begins = gait->lead + (2 * i + diagonal) * half, ends = begins + half;
		const double next = i == swings - 1 ? 1.0 : covered(gait, duration, ends + 0.5 * half);
		if (t <= begins) {
			return at;
		}
		if (t < ends) {
			const double s = (t - begins) / half;
			*up = sin(pi * s) * sin(pi * s);
			return at + ease(s) * (next - at);
		}
		at = next;
	}
	return at;
}

void abut_gait_places(const AbutTaskGait *gait, double duration, const double way[3], double t, double base[3],
                      double feet[ABUT_GAIT_FEET][3])
{
	abut_scale3(covered(gait, duration, t), way, base);
	for (int i = 0; i < ABUT_GAIT_FEET; i++) {
		double up;
		const int diagonal = i == 1 || i == 2;
		abut_scale3(stride(gait, duration, diagonal, t, &up), way, feet[i]);
		feet[i][2] += gait->lift * up;
	}
}

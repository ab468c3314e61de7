/* Predicts the velocity of a body after a step. */
#include "dynamics/body/extrapolate.h"

#include "base/vec3.h"
#include "dynamics/body/body.h"

/* Extrapolates the velocity of a body by its last change, and to second order if that change is steady. Two kinds of
 * change are not extrapolated. Changes within the tolerance of an exact solution would grow at rest until the residual
 * exceeds the tolerance (a capsule at rest would then iterate in two steps of three). A change well above that of free
 * flight was an impact. */
void abut_step_extrapolate(const AbutBodyWork *body, double y[6])
{
	static const double noise = 1e-9, hit = 1.5, little = 0.5;
	double change[6], bend[6], flight[3], largest = 0.0, largest_bend = 0.0;
	for (int i = 0; i < 3; i++) {
		y[i] = body->v0[i];
		y[3 + i] = body->w0[i];
		flight[i] = body->momentum[i] / body->mass - body->v0[i];
	}
	for (int i = 0; i < 6; i++) {
		change[i] = y[i] - body->past[0][i];
		bend[i] = change[i] - (body->past[0][i] - body->past[1][i]);
		largest = abut_max(largest, fabs(change[i]));
		largest_bend = abut_max(largest_bend, fabs(bend[i]));
	}
	const double limit = hit * abut_norm3(flight);
	if (largest <= noise || (limit > 0.0 && abut_norm3(change) > limit)) {
		return;
	}
	const double bent = largest_bend < little * largest ? 1.0 : 0.0;
	for (int i = 0; i < 6; i++) {
		y[i] += change[i] + bent * bend[i];
	}
}

/* Computes the free flight of a body without contacts. The velocity follows directly from the momentum p, the spin from
 * three equations with the angular momentum L (dynamics/body/balance.c):
 *
 *     m v+ = p,    c J w+ + (dt/2) w+ x J w+ = L,    c = sqrt(1 - |dt w+ / 2|^2).
 *
 * Newton's method starts from the given spin. If the body spins about a principal axis, the present spin is already the
 * solution. Tested in tests/dynamics/motion/test_flight.c. */
#include "dynamics/body/flight.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/model/model.h"

/* Below `tolerance`, iterations continue to `goal` while each reduces the residual by a factor of ten. The error of the
 * spin is the residual divided by the inertia, so it is large for a small inertia. */
static const double tolerance = 1e-11, goal = 1e-13;

enum { most_iterations = 8 };

/* Solves M x = b, with M row-major, by Cramer's rule; M is far from singular. */
static void solve3(const double M[9], const double b[3], double x[3])
{
	const double columns[3][3] = {{M[0], M[3], M[6]}, {M[1], M[4], M[7]}, {M[2], M[5], M[8]}};
	double cross[3];
	abut_cross3(columns[1], columns[2], cross);
	const double inverse = 1.0 / abut_dot3(columns[0], cross);
	x[0] = abut_dot3(b, cross) * inverse;
	abut_cross3(columns[2], columns[0], cross);
	x[1] = abut_dot3(b, cross) * inverse;
	abut_cross3(columns[0], columns[1], cross);
	x[2] = abut_dot3(b, cross) * inverse;
}

/* Applies one Newton step to the spin in y. Returns false if the new spin rotates the body too far. */
static bool turn_spin(const AbutBodyWork *body, double timestep, const double r[6], double y[6])
{
	double J[36], M[9], change[3];
	abut_body_jacobian(body, timestep, J);
	for (int i = 0; i < 3; i++) {
		memcpy(&M[3 * i], &J[6 * (3 + i) + 3], 3 * sizeof(double));
	}
	solve3(M, &r[3], change);
	abut_sub3(&y[3], change, &y[3]);
	return 0.5 * timestep * abut_norm3(&y[3]) < ABUT_LARGEST_HALF_TURN;
}

bool abut_body_fly(AbutBodyWork *body, double timestep, double y[6], AbutSolveReport *report)
{
	double r[6], before = INFINITY;
	abut_divide3(body->momentum, body->mass, y);
	if (!(0.5 * timestep * abut_norm3(&y[3]) < ABUT_LARGEST_HALF_TURN)) {
		return false;
	}
	for (;;) {
		abut_body_move(body, timestep, y);
		abut_body_residual(body, timestep, r);
		report->residual = abut_max_norm(r, 6);
		if (report->iterations > 0) {
			abut_log_iteration(report, 1, 0.0, 1.0);
		}
		if (report->residual <= goal || (report->residual <= tolerance && report->residual > 0.1 * before)) {
			return true;
		}
		if (report->iterations == most_iterations || !turn_spin(body, timestep, r, y)) {
			return false;
		}
		before = report->residual;
		report->iterations++;
	}
}

/* Extrapolates the velocity of a body by its last change, and to second order if that change is steady. Two kinds of
 * change are not extrapolated. Changes within the tolerance of an exact solution would grow at rest until the residual
 * exceeds the tolerance (a capsule at rest would then iterate in two steps of three). A change well above that of free
 * flight was an impact, except if it is steady: joints accelerate bodies more than that. With this exception, robots in
 * flight take 2.6 instead of 3.1 iterations. */
void abut_step_extrapolate(const AbutBodyWork *body, bool jointed, double y[6])
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
	const bool steady = largest_bend < little * largest;
	const double limit = hit * abut_norm3(flight), bent = steady ? 1.0 : 0.0;
	if (largest <= noise || (!(jointed && steady) && limit > 0.0 && abut_norm3(change) > limit)) {
		return;
	}
	for (int i = 0; i < 6; i++) {
		y[i] += change[i] + bent * bend[i];
	}
}

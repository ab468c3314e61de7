/* Judges a step of jointed bodies by the energy that its joints change (energy.h). */
#include "dynamics/joint/energy.h"

#include <math.h>

#include "base/vec3.h"

/* Share of the kinetic energy that the joints may change in a step. A larger value takes fewer parts and loses more
 * energy: `abut_reliability mechanisms` (docs/performance.md). */
static const double tolerance = 3e-3;
/* The same for the sum over all joints, in which works of either sign cancel. Chosen on the four-bar of test_energy.c.
 */
static const double tolerance_of_sum = 6e-4;

/* Returns the impulse of a row that does no work in a motion that is resolved: of a held row, or of couplings. */
static double ideal_impulse(const AbutJointWork *work, int i)
{
	const int n_held = work->joint->n_held;
	return i < n_held ? work->impulse[i] : work->axis[i - n_held].geared;
}

/* Returns the work of the held rows of a joint and of couplings on its bodies. A first step closes the rates of the
 * joint, which is an impact: its work does not count. */
static double work_of(const AbutJointWork *work)
{
	const int n = work->last->timestep > 0.0 ? abut_joint_rows(work->joint) : 0;
	double sum = 0.0;
	for (int i = 0; i < n; i++) {
		const double impulse = ideal_impulse(work, i);
		for (int s = 0; s < 2; s++) {
			const AbutBodyWork *body = work->body[s];
			const double *g = &work->g[i][abut_joint_column[s]];
			double v[3], w[3];
			if (body->moving >= 0 && impulse != 0.0) {
				abut_add3(body->v0, body->v, v);
				abut_add3(body->w0, body->w, w);
				sum += 0.5 * impulse * (abut_dot3(g, v) + abut_dot3(&g[3], w));
			}
		}
	}
	return sum;
}

static double kinetic_energy(const AbutBodyWork *body)
{
	double Jw[3];
	abut_mat3_vec(body->inertia, body->w, Jw);
	return 0.5 * (body->mass * abut_dot3(body->v, body->v) + abut_dot3(Jw, body->w));
}

static bool is_passive(const AbutJointWork *work, int i, const double *z, const double *H)
{
	const AbutJointAxisWork *axis = &work->axis[i];
	const int at = work->at.z + axis->limits_z;
	const bool both = axis->limits && axis->limits->dim > 1;
	return !abut_joint_spins_clipped(work) &&
	       !(axis->limits && (z[at] > H[at] || (both && z[at + 1] > H[at + 1]))) &&
	       !axis->clip[ABUT_CLIP_FRICTION].there && !axis->clip[ABUT_CLIP_SERVO].there && axis->servo_y < 0 &&
	       axis->given == 0.0;
}

bool abut_joints_passive(const AbutJointWork *joints, int n, const double *z, const double *H)
{
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < joints[i].joint->kind->n_laws; k++) {
			if (!is_passive(&joints[i], k, z, H)) {
				return false;
			}
		}
	}
	return true;
}

bool abut_joints_unresolved(const AbutJointWork *joints, int n, AbutBodyWork *const *moving, int n_moving,
                            double timestep, bool unique)
{
	double changed = 0.0, sum = 0.0, energy = 0.0;
	for (int i = 0; i < n; i++) {
		const double work = work_of(&joints[i]);
		changed += fabs(work);
		sum += work;
	}
	for (int i = 0; i < n_moving; i++) {
		energy += kinetic_energy(moving[i]) + 0.5 * moving[i]->mass * timestep * timestep;
	}
	return unique ? changed > tolerance * energy : fabs(sum) > tolerance_of_sum * energy;
}

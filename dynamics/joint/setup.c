/* Sets up a joint for a step: its rows at the start, the direction of its impulses, and the laws of its freedoms. */
#include "dynamics/joint/setup.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/joint/before.h"
#include "dynamics/joint/direction.h"
#include "dynamics/joint/evaluate.h"
#include "dynamics/joint/spin.h"
#include "dynamics/model/light_links.h"

static double harmonic(double a, double b)
{
	return a > 0.0 && b > 0.0 ? 2.0 * a * b / (a + b) : a + b;
}

void abut_joint_weigh(const AbutJointWork *work, double mass[2], double inertia[2])
{
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = work->body[s];
		const bool moves = body->moving >= 0;
		mass[s] = moves ? body->mass : 0.0;
		inertia[s] = moves ? (body->inertia[0] + body->inertia[4] + body->inertia[8]) / 3.0 : 0.0;
	}
}

void abut_joint_typical(const AbutJointWork *work, double typical[2])
{
	double mass[2], inertia[2];
	abut_joint_weigh(work, mass, inertia);
	typical[0] = harmonic(mass[0], mass[1]);
	typical[1] = harmonic(inertia[0], inertia[1]);
}

/* C is a typical mass or inertia; where a light link carries heavier bodies, more: with R times the typical inertia
 * behind the link, delta leaves errors of delta R, which an iteration reduces by this factor, and with a C of F times
 * the typical one, of delta R / F. Rounding then leaves errors of epsilon F / delta in the motions of the link that no
 * row holds. Both are equal at F = sqrt(R). Links between balls or universal joints turn freely, with so small an
 * inertia that F is 1. */
void abut_joint_set_compliance(AbutJointWork *work)
{
	const AbutJoint *joint = work->joint;
	const bool guided = joint->n_held >= abut_joint_kind_places(joint->kind) + 2;
	double mass[2], inertia[2], typical[2];
	abut_joint_weigh(work, mass, inertia);
	abut_joint_typical(work, typical);
	work->share = inertia[0] == 0.0 ? 1.0 : inertia[1] == 0.0 ? 0.0 : inertia[0] / (inertia[0] + inertia[1]);
	const bool light = guided && joint->carried[0] > ABUT_LIGHT_LINK * typical[0];
	for (int i = 0; i < 2; i++) {
		const double carried = joint->carried[i];
		work->regular[i] =
		    abut_joint_delta / (light && carried > typical[i] ? sqrt(carried * typical[i]) : typical[i]);
	}
}

/* Returns g M^-1 h' of two rows, in the columns of both bodies. For g = h, it is the inverse of the inertia that the
 * row's impulse meets if no joint holds the bodies. */
static double mobility(const AbutJointWork *work, const double *row, const double *other)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = work->body[s];
		const double *g = &row[abut_joint_column[s]], *h = &other[abut_joint_column[s]];
		double turn[3];
		if (body->moving >= 0) {
			abut_sym3_solve(body->inertia, &h[3], turn);
			sum += abut_dot3(g, h) / body->mass + abut_dot3(&g[3], turn);
		}
	}
	return sum;
}

/* Returns the mobility of a freedom's row while the joint's held rows are closed: that of what is left of it when its
 * parts along them are taken off, in the metric M^-1. */
static double guided_mobility(const AbutJointWork *work, int row)
{
	static const double negligible = 1e-12;
	AbutJointColumns left[ABUT_JOINT_ROWS];
	double own[ABUT_JOINT_ROWS] = {0.0};
	const int n = work->joint->n_held;
	for (int i = 0; i <= n; i++) {
		memcpy(left[i], work->start[i < n ? i : row], sizeof left[i]);
		const double whole = mobility(work, left[i], left[i]);
		for (int k = 0; k < i; k++) {
			const double part = own[k] > 0.0 ? mobility(work, left[i], left[k]) / own[k] : 0.0;
			for (int c = 0; c < ABUT_ROW; c++) {
				left[i][c] -= part * left[k][c];
			}
		}
		own[i] = mobility(work, left[i], left[i]);
		own[i] = own[i] > negligible * whole ? own[i] : 0.0;
	}
	return own[n];
}

/* Returns the range of rows whose mobilities add up to that of freedom `i`. Planar bodies turn a ball only about y, so
 * its three spins have one mobility: |B_i . y|^2 of each adds up to 1, however small it is for one of them. */
static void rows_of(const AbutJointWork *work, int i, int range[2])
{
	bool flat = work->joint->kind->freedom[i].spins;
	for (int s = 0; s < 2; s++) {
		flat = flat && (work->body[s]->moving < 0 || work->body[s]->planar);
	}
	range[0] = work->joint->n_held + (flat ? 0 : i);
	range[1] = range[0] + (flat ? ABUT_JOINT_FREEDOMS : 1);
}

/* Sets up the limits of a bound, whose row has the length 1 at its limit: any torque meets a typical inertia. */
static void setup_bound(AbutJointWork *work, int i, double timestep, AbutAxisPlace *next)
{
	const double inertia = abut_joint_delta / work->regular[1] + work->joint->law[0].armature;
	const AbutAxisStart start = {.timestep = timestep,
	                             .last_timestep = timestep,
	                             .c = work->rows[work->joint->n_held + i].value,
	                             .inertia = inertia,
	                             .guided_inertia = inertia,
	                             .at_rest = work->body[1]->quasi_static};
	abut_axis_setup(&work->joint->law[i], &start, next, &work->axis[i]);
}

/* Sets the rates in the step before, and returns whether they are those of a step; otherwise they follow from the
 * bodies' velocities. */
static bool find_rates(const AbutJointWork *work, double timestep, double rate[ABUT_JOINT_FREEDOMS])
{
	const bool known = work->last->timestep > 0.0 && !work->body[1]->quasi_static;
	if (known) {
		memcpy(rate, work->last->rate, sizeof work->last->rate);
	} else {
		abut_joint_rates_before(work, timestep, rate);
	}
	return known;
}

/* Sets the targets of the motors in model units. */
static void aim(AbutJointWork *work, const double *targets, double out[ABUT_JOINT_FREEDOMS])
{
	const AbutJoint *joint = work->joint;
	for (int i = 0; i < joint->kind->n_freedoms; i++) {
		out[i] = joint->law[i].target_unit > 0.0 ? targets[i] / joint->law[i].target_unit : 0.0;
	}
	if (joint->kind->freedom[0].spins) {
		abut_spins_aim(work, targets, out);
	}
}

static void setup_axis(AbutJointWork *work, int i, const AbutAxisStart *step, AbutAxisPlace *next)
{
	const AbutJoint *joint = work->joint;
	const AbutJointMemory *last = work->last;
	double mobile = 0.0, guided = 0.0; /* 0: planar bodies cannot move this freedom */
	int range[2];
	rows_of(work, i, range);
	for (int k = range[0]; k < range[1]; k++) {
		mobile += mobility(work, work->start[k], work->start[k]);
	}
	AbutAxisStart start = *step;
	start.c = work->rows[joint->n_held + i].value;
	start.inertia = joint->law[i].armature + 1.0 / (mobile > 0.0 ? mobile : 1.0);
	if (abut_joint_winds(joint->kind, i)) {
		start.c = abut_joint_unwrap(start.c, last->position[i]);
	}
	start.guided_inertia = start.inertia;
	if (abut_axis_is_stiff(&joint->law[i], &start)) {
		for (int k = range[0]; k < range[1]; k++) {
			guided += guided_mobility(work, k);
		}
		start.guided_inertia = guided > 0.0 ? joint->law[i].armature + 1.0 / guided : (double)INFINITY;
	}
	const AbutJointLaw law = joint->kind->freedom[i].spins ? abut_spin_law(&joint->law[i]) : joint->law[i];
	abut_axis_setup(&law, &start, next, &work->axis[i]);
}

void abut_joint_setup(const AbutJoint *joint, AbutJointMemory *last, AbutBodyWork *bodies, const double *targets,
                      double timestep, AbutJointPlace *place, AbutJointWork *work)
{
	memset(work, 0, offsetof(AbutJointWork, start)); /* what follows is written before it is read */
	work->joint = joint;
	work->last = last;
	work->body[0] = &bodies[joint->body[0]];
	work->body[1] = &bodies[joint->body[1]];
	work->cones = &place->cones[place->n_cones];
	work->at = (AbutJointPlaces){place->y, place->z};
	work->turned_g = true; /* unknown */
	abut_sub3(work->body[1]->x0, work->body[0]->x0, work->d0);
	abut_joint_place(work, 0.0, work->start);
	memcpy(work->start_arm, work->lever, sizeof work->start_arm);
	if (joint->kind->freedom[0].spins) {
		memset(&work->ball, 0, sizeof work->ball);
		abut_mat3_transposed_mul(work->pose.A, work->pose.B, work->ball.from);
		work->pose.from = work->ball.from;
	}
	abut_joint_turns_at(joint->kind, &work->pose, work->near);
	work->pose.near = work->near;
	abut_joint_set_compliance(work);
	for (int i = 0; last->timestep > 0.0 && i < joint->n_held; i++) {
		work->impulse[i] = timestep / last->timestep * last->impulse[i];
	}
	double target[ABUT_JOINT_FREEDOMS];
	aim(work, targets, target);
	AbutAxisPlace next = {
	    .y = joint->n_held, .z_of_joint = place->z, .law = place->law, .cones = &place->cones[place->n_cones]};
	double rate[ABUT_JOINT_FREEDOMS];
	const bool known = find_rates(work, timestep, rate);
	for (int i = 0; i < joint->kind->n_freedoms; i++) {
		const AbutAxisStart step = {.timestep = timestep,
		                            .last_timestep = known ? last->timestep : timestep,
		                            .last_rate = rate[i],
		                            .target = target[i],
		                            .known = known,
		                            .at_rest = work->body[1]->quasi_static};
		setup_axis(work, i, &step, &next);
		work->near[i].angle = 0.0; /* values of turns are those in the step, however many came before */
	}
	if (joint->kind->freedom[0].spins) {
		abut_spins_setup(work, timestep, &next);
	}
	if (abut_joint_bounded(joint)) {
		abut_joint_direct_bounds(work, timestep);
	}
	for (int i = joint->kind->n_freedoms; i < joint->kind->n_laws; i++) {
		setup_bound(work, i, timestep, &next);
	}
	place->y += joint->n_y;
	place->z += joint->n_z;
	place->law += joint->n_law;
	place->n_cones += joint->n_cones;
}

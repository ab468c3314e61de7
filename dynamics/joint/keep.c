/* Carries a joint's unknowns from step to step. */
#include "dynamics/joint/keep.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "base/vec3.h"

/* Places of a freedom's numbers in AbutJointMemory.kept. */
enum { LOWER, UPPER, CLIP, SERVO = CLIP + ABUT_CLIPS };

/* Returns the place of the numbers that law `i` of a joint keeps. Coordinates of a ball have no limits of their own, so
 * its bounds use the places of their limits. */
static double *kept_of(const AbutJointWork *work, int i)
{
	const int n = work->joint->kind->n_freedoms;
	return work->last->kept[i < n ? i : i - n];
}

/* Returns the first clipped impulse of a ball from `k` on; ABUT_CLIPS: there is none. */
static int next_clip(const AbutJointWork *work, int k)
{
	if (!abut_joint_spins_clipped(work)) {
		return ABUT_CLIPS;
	}
	while (k < ABUT_CLIPS && !work->ball.clip[k].clip.there) {
		k++;
	}
	return k;
}

void abut_joint_start_cold(const AbutJointWork *work, double *y, double *z)
{
	memset(y, 0, (size_t)work->joint->n_y * sizeof *y);
	for (int i = 0; i < work->joint->kind->n_laws; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		for (int k = 0; axis->limits && k < axis->limits->dim; k++) {
			z[axis->limits_z + k] = 1.0;
		}
		for (int k = 0; k < ABUT_CLIPS; k++) {
			if (axis->clip[k].there) {
				z[axis->clip[k].z] = y[axis->clip[k].psi_y] = 1.0;
				z[axis->clip[k].z + 1] = 0.0;
			}
		}
	}
	for (int k = next_clip(work, 0); k < ABUT_CLIPS; k = next_clip(work, k + 1)) {
		const AbutClipped *clip = &work->ball.clip[k].clip;
		z[clip->z] = y[clip->psi_y] = 1.0;
		memset(&z[clip->z + 1], 0, 3 * sizeof *z);
	}
}

/* Starts what the spins of a ball share from the last solution. */
static void warm_spins(const AbutJointWork *work, double *y, double *z)
{
	for (int k = next_clip(work, 0); k < ABUT_CLIPS; k = next_clip(work, k + 1)) {
		const AbutSpinClip *own = &work->ball.clip[k];
		const AbutClipped *clip = &own->clip;
		double slip[3];
		for (int i = 0; i < 3; i++) {
			const double b = work->last->kept[i][CLIP + k];
			z[clip->z + 1 + i] = b;
			slip[i] = work->last->rate[i] - own->u[i] + clip->compliance * clip->scale * b;
		}
		y[clip->psi_y] = clip->weight * abut_norm3(slip);
	}
}

void abut_joint_start_warm(const AbutJointWork *work, double timestep, double *y, double *z)
{
	const AbutJointMemory *last = work->last;
	abut_joint_start_cold(work, y, z);
	if (!(last->timestep > 0.0)) {
		return;
	}
	const double share = timestep / last->timestep;
	for (int i = 0; i < work->joint->n_held; i++) {
		y[i] = share * last->impulse[i];
	}
	for (int i = 0; i < work->joint->kind->n_laws; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		const double *kept = kept_of(work, i);
		for (int k = 0; axis->limits && k < axis->limits->dim; k++) {
			z[axis->limits_z + k] = share * kept[LOWER + k];
		}
		for (int k = 0; k < ABUT_CLIPS; k++) {
			const AbutClipped *clip = &axis->clip[k];
			if (clip->there) {
				z[clip->z + 1] = kept[CLIP + k];
				y[clip->psi_y] = fabs(clip->weight * (last->rate[i] - clip->u +
				                                      clip->compliance * clip->scale * kept[CLIP + k]));
			}
		}
		if (axis->servo_y >= 0) {
			y[axis->servo_y] = share * kept[SERVO];
		}
	}
	warm_spins(work, y, z);
}

void abut_joint_heads(const AbutJointWork *work, const double *s, double *y)
{
	for (int i = 0; i < work->joint->kind->n_freedoms; i++) {
		for (int k = 0; k < ABUT_CLIPS; k++) {
			const AbutClipped *clip = &work->axis[i].clip[k];
			if (clip->there) {
				y[work->at.y + clip->psi_y] = s[work->at.z + clip->z];
			}
		}
	}
	for (int k = next_clip(work, 0); k < ABUT_CLIPS; k = next_clip(work, k + 1)) {
		const AbutClipped *clip = &work->ball.clip[k].clip;
		y[work->at.y + clip->psi_y] = s[work->at.z + clip->z];
	}
}

double abut_joint_work(const AbutJointWork *work)
{
	double sum = 0.0;
	for (int i = 0; i < work->joint->kind->n_freedoms; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		double effort = fabs(axis->I0 - axis->slope * axis->rate);
		if (axis->clip[ABUT_CLIP_SERVO].there) {
			effort += axis->clip[ABUT_CLIP_SERVO].scale;
		}
		if (abut_joint_spins_clipped(work)) {
			effort += work->ball.clip[ABUT_CLIP_SERVO].clip.scale; /* 0 if there is none */
		}
		if (axis->servo_y >= 0) {
			effort += fabs(axis->servo_u - axis->rate) / axis->servo_compliance;
		}
		sum += 2.0 * effort * fabs(axis->rate);
	}
	return sum;
}

/* Adds the impulses of the held rows on the child, about its anchor. */
static void add_reaction(const AbutJointWork *work, AbutJointDone *done)
{
	double force[3] = {0.0, 0.0, 0.0}, moment[3] = {0.0, 0.0, 0.0}, arm[3], about[3];
	const double sign = work->body[1]->moving >= 0 ? 1.0 : -1.0;
	const int side = work->body[1]->moving >= 0 ? 1 : 0, column = side == 1 ? ABUT_SIDE_1 : 0;
	for (int i = 0; i < work->joint->n_held; i++) {
		abut_add_scaled3(force, sign * work->impulse[i], &work->g[i][column], force);
		abut_add_scaled3(moment, sign * work->impulse[i], &work->g[i][column + 3], moment);
	}
	for (int i = 0; i < 3; i++) {
		arm[i] = (1.0 - work->theta) * work->start_arm[side][i] +
		         work->theta * (work->lever[side][i] + work->shift[side][i]);
	}
	abut_cross3(arm, force, about);
	abut_add3(done->force, force, done->force);
	abut_add3(done->torque, moment, done->torque);
	abut_sub3(done->torque, about, done->torque);
}

/* Keeps what the spins of a ball share. */
static void keep_spins(const AbutJointWork *work, const double *z)
{
	AbutJointDone *done = &work->last->done;
	for (int k = next_clip(work, 0); k < ABUT_CLIPS; k = next_clip(work, k + 1)) {
		const AbutClipped *clip = &work->ball.clip[k].clip;
		for (int i = 0; i < 3; i++) {
			const double b = z[clip->z + 1 + i];
			work->last->kept[i][CLIP + k] = b;
			*(k == ABUT_CLIP_FRICTION ? &done->friction[i] : &done->motor[i]) += clip->scale * b;
		}
	}
}

/* Adds the torque of a ball's bound, about the axes of its spins. */
static void add_bound(const AbutJointWork *work, int i, AbutJointDone *done)
{
	const int side = work->body[1]->moving >= 0 ? 1 : 0, n_held = work->joint->n_held;
	const int column = abut_joint_column[side] + 3;
	for (int k = 0; k < work->joint->kind->n_freedoms; k++) {
		done->limit[k] += work->impulse[n_held + i] *
		                  abut_dot3(&work->g[n_held + i][column], &work->start[n_held + k][column]);
	}
}

/* Measures a joint that springs hold, whose kind has no rows. */
static void measure_open(const AbutJointWork *work, AbutJointDone *done)
{
	double turn[9], phi[3];
	abut_mat3_transposed_mul(work->pose.A, work->pose.B, turn);
	abut_mat3_to_rotation(turn, phi);
	done->violation[0] = abut_norm3(work->pose.d);
	done->violation[1] = work->joint->type == ABUT_JOINT_FIXED ? abut_norm3(phi) : 0.0;
}

static void measure(const AbutJointWork *work, AbutJointDone *done)
{
	const AbutJoint *joint = work->joint;
	memset(done->violation, 0, sizeof done->violation);
	memset(done->overshoot, 0, sizeof done->overshoot);
	if (joint->soft.yields) {
		measure_open(work, done);
	}
	for (int i = 0; i < joint->n_held; i++) {
		double *worst = &done->violation[i < abut_joint_kind_places(joint->kind) ? 0 : 1];
		*worst = abut_max(*worst, fabs(work->rows[i].value));
	}
	for (int i = 0; i < joint->kind->n_laws; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		double *over = &done->overshoot[abut_joint_turns(joint->kind, i) ? 1 : 0];
		if (abut_joint_law_has_limits(&joint->law[i])) {
			*over = abut_max(*over, axis->lower - axis->c);
			*over = joint->law[i].one_sided ? *over : abut_max(*over, axis->c - axis->upper);
		}
	}
}

void abut_joint_keep(AbutJointWork *work, double timestep, const double *y, const double *z)
{
	AbutJointMemory *last = work->last;
	AbutJointDone *done = &last->done;
	memcpy(last->impulse, work->impulse, (size_t)work->joint->n_held * sizeof *last->impulse);
	for (int i = 0; i < work->joint->kind->n_freedoms; i++) {
		const AbutJointAxisWork *axis = &work->axis[i];
		double *kept = last->kept[i];
		last->position[i] = axis->c;
		last->rate[i] = axis->rate;
		if (axis->limits) {
			kept[LOWER] = z[axis->limits_z];
			kept[UPPER] = z[axis->limits_z + 1];
			done->limit[i] += kept[LOWER] - kept[UPPER];
		}
		for (int k = 0; k < ABUT_CLIPS; k++) {
			if (axis->clip[k].there) {
				kept[CLIP + k] = z[axis->clip[k].z + 1];
				*(k == ABUT_CLIP_FRICTION ? &done->friction[i] : &done->motor[i]) +=
				    axis->clip[k].scale * kept[CLIP + k];
			}
		}
		if (axis->servo_y >= 0) {
			kept[SERVO] = y[axis->servo_y];
			done->motor[i] += kept[SERVO];
		}
		done->motor[i] += axis->given;
	}
	for (int i = work->joint->kind->n_freedoms; i < work->joint->kind->n_laws; i++) {
		for (int k = 0; k < work->axis[i].limits->dim; k++) {
			kept_of(work, i)[LOWER + k] = z[work->axis[i].limits_z + k];
		}
		add_bound(work, i, done);
	}
	keep_spins(work, z);
	add_reaction(work, done);
	measure(work, done);
	last->timestep = timestep;
	last->theta = work->theta;
}

void abut_joint_add_row_load(const AbutJointWork *work, const double *row, double impulse, double load[6])
{
	const AbutBodyWork *parent = work->body[0], *child = work->body[1];
	const int side = child->moving >= 0 ? 1 : 0;
	const double by = side == 1 ? impulse : -impulse, *g = &row[abut_joint_column[side]];
	double force[3], moment[3], turned[3];
	abut_scale3(by, g, force);
	abut_scale3(by, &g[3], moment);
	if (side == 0) { /* the moment is about the parent's centre of mass */
		double arm[3], about[3];
		abut_sub3(parent->x0, child->x0, arm);
		abut_cross3(arm, force, about);
		abut_add3(moment, about, moment);
	}
	abut_mat3_tvec(child->R0, force, turned);
	abut_add3(load, turned, load);
	abut_mat3_tvec(child->R0, moment, turned);
	abut_add3(&load[3], turned, &load[3]);
}

void abut_joint_add_load(const AbutJointWork *work, double load[6])
{
	for (int i = 0; i < abut_joint_rows(work->joint); i++) {
		abut_joint_add_row_load(work, work->g[i], work->impulse[i], load);
	}
}

/* Linearises the laws of a joint at a solution (joint_linear.h). */
#include "dynamics/gradient/joint_linear.h"

/* Adds a branch of a law with the compliance `own`; `regular` is that of the row in a step. */
static void add(AbutJointLinear *out, AbutJointBranch branch, double regular)
{
	const double delta = abut_joint_softer * regular;
	const bool held = branch.own < delta;
	branch.K = 1.0 / (branch.own + (held ? delta : 0.0));
	branch.pull = held ? delta * branch.K : 0.0;
	out->n_held += held;
	out->branch[out->n++] = branch;
}

static void add_limits(const AbutJointAxisWork *axis, int row, const AbutConeLaw *law, bool smoothed,
                       AbutJointLinear *out)
{
	const double *K = &law->K[axis->limits->law], both = K[0] + K[1];
	if (both > 0.0) {
		const double own = smoothed ? 1.0 / (both * abut_limit_weight * out->timestep) : 0.0;
		add(out, (AbutJointBranch){.kind = ABUT_JOINT_LAW_LIMITS, .row = row, .own = own}, axis->regular);
	}
}

/* A clipped impulse: q = c' - u + compliance I, where -scale B weight dq = dI, or dq = 0 if it holds. */
static void add_clip(const AbutJointAxisWork *axis, int row, int which, const AbutConeLaw *law, bool smoothed,
                     double start, AbutJointLinear *out)
{
	const AbutClipped *clip = &axis->clip[which];
	const double B = abut_free_head_law(law, clip->cone)->B[0];
	const bool slips = !smoothed && B < clip->cone->weight; /* 0 up to rounding, or the weight over a tiny number */
	if (!slips) {
		const double own = smoothed ? 1.0 / (clip->scale * clip->weight * B) : 0.0;
		add(out,
		    (AbutJointBranch){.kind = which == ABUT_CLIP_FRICTION ? ABUT_JOINT_LAW_FRICTION
		                                                          : ABUT_JOINT_LAW_SERVO_LIMITED,
		                      .row = row,
		                      .own = own + clip->compliance,
		                      .start = start},
		    axis->regular);
	}
}

static void add_passive(const AbutJointLaw *law, const AbutJointAxisWork *axis, int row, AbutJointLinear *out)
{
	const AbutAxisStart *from = &axis->from;
	const double dt = out->timestep, before = from->last_timestep, k = law->stiffness;
	const double mean = from->at_rest ? dt : 0.5 * (dt + before);
	if (axis->slope > 0.0) {
		out->branch[out->n++] =
		    (AbutJointBranch){.kind = ABUT_JOINT_LAW_PASSIVE,
		                      .row = row,
		                      .K = axis->slope,
		                      .start = k * mean / axis->slope - 1.0 / dt,
		                      .last = from->at_rest ? 0.0 : law->armature + 0.25 * k * before * before};
	}
}

static void add_axis(int i, const AbutConeLaw *law, bool smoothed, AbutJointLinear *out)
{
	const AbutJoint *joint = out->work->joint;
	const AbutJointAxisWork *axis = &out->work->axis[i];
	const AbutJointLaw *own = &joint->law[i];
	const int row = joint->n_held + i, before = out->n_held;
	const double dt = out->timestep, gain = dt * own->motor_stiffness + own->motor_damping;
	const double servo = own->to_position && gain > 0.0 ? own->motor_stiffness / gain : 0.0; /* -du / dc */
	add_passive(own, axis, row, out);
	if (axis->limits) {
		add_limits(axis, row, law, smoothed, out);
	}
	if (axis->clip[ABUT_CLIP_FRICTION].there) {
		add_clip(axis, row, ABUT_CLIP_FRICTION, law, smoothed, -1.0 / dt, out);
	}
	if (axis->clip[ABUT_CLIP_SERVO].there) {
		add_clip(axis, row, ABUT_CLIP_SERVO, law, smoothed, servo - 1.0 / dt, out);
	}
	if (axis->servo_y >= 0) {
		add(out,
		    (AbutJointBranch){.kind = ABUT_JOINT_LAW_SERVO_FREE,
		                      .row = row,
		                      .own = axis->servo_compliance,
		                      .start = servo - 1.0 / dt},
		    axis->regular);
	}
	out->parallel = out->parallel || out->n_held > before + 1;
}

void abut_joint_linear_begin(AbutJointWork *work, double timestep, const AbutConeLaw *law, bool smoothed,
                             AbutJointLinear *out)
{
	*out = (AbutJointLinear){.work = work, .timestep = timestep};
	const int places = abut_joint_kind_places(work->joint->kind);
	for (int i = 0; i < work->joint->n_held; i++) {
		add(out, (AbutJointBranch){.kind = ABUT_JOINT_LAW_HELD, .row = i}, work->regular[i < places ? 0 : 1]);
	}
	for (int i = 0; i < work->joint->kind->n_freedoms; i++) {
		add_axis(i, law, smoothed, out);
	}
}

/* Linearises the laws of a joint at a solution (dynamics/gradient/joint/linear.h). */
#include "dynamics/gradient/joint/linear.h"

#include "dynamics/gradient/joint/spins.h"

/* Adds a branch with the compliance e; `regular` is that of the row in a step. */
static void add_branch(AbutJointLinear *out, int row, double e, double start, double regular)
{
	const double delta = abut_joint_softer * regular;
	const bool held = e < delta;
	const double K = 1.0 / (e + (held ? delta : 0.0));
	out->branch[out->n++] = (AbutJointBranch){.row = row, .K = K, .pull = held ? delta * K : 0.0, .start = start};
	out->n_held += held;
}

/* --- the laws of a freedom --- */

static void add_limits(const AbutJointAxisWork *axis, int row, const AbutConeLaw *law, bool smoothed,
                       AbutJointLinear *out)
{
	const double *K = &law->K[axis->limits->law], both = axis->limits->dim > 1 ? K[0] + K[1] : K[0];
	if (both > 0.0) {
		out->term[out->n_terms++] =
		    (AbutJointTerm){.kind = ABUT_JOINT_LAW_LIMITS,
		                    .row = row,
		                    .compliance = smoothed ? 1.0 / (both * abut_limit_weight * out->timestep) : 0.0,
		                    .lower = K[0] / both};
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
		const double e = smoothed ? 1.0 / (clip->scale * clip->weight * B) : 0.0;
		out->term[out->n_terms++] = (AbutJointTerm){
		    .kind = which == ABUT_CLIP_FRICTION ? ABUT_JOINT_LAW_FRICTION : ABUT_JOINT_LAW_SERVO_LIMITED,
		    .row = row,
		    .compliance = e + clip->compliance,
		    .start = start};
	}
}

static void add_passive(const AbutJointLaw *law, const AbutJointAxisWork *axis, int row, AbutJointLinear *out)
{
	const AbutAxisStart *from = &axis->from;
	const double dt = out->timestep, before = from->last_timestep, k = law->stiffness;
	const double mean = from->at_rest ? dt : 0.5 * (dt + before);
	if (axis->slope > 0.0) {
		out->branch[out->n++] =
		    (AbutJointBranch){.row = row,
		                      .K = axis->slope,
		                      .start = k * mean / axis->slope - 1.0 / dt,
		                      .last = from->at_rest ? 0.0 : law->armature + 0.25 * k * before * before};
	}
}

/* Gives the first of the terms from `first` on that has no compliance a branch. Returns whether there is one. */
static bool add_rigid(AbutJointLinear *out, int first, double regular)
{
	bool rigid = false;
	for (AbutJointTerm *term = &out->term[first]; term < &out->term[out->n_terms]; term++) {
		term->branch = -1;
		if (!rigid && term->compliance == 0.0) {
			rigid = true;
			term->branch = out->n;
			term->share = 1.0;
			add_branch(out, term->row, 0.0, term->start, regular);
		}
	}
	return rigid;
}

/* Adds one branch of the terms from `first` on, which all have a compliance. */
static void add_compliant(AbutJointLinear *out, int first, double regular)
{
	double stiffness = 0.0, start = 0.0;
	for (int i = first; i < out->n_terms; i++) {
		stiffness += 1.0 / out->term[i].compliance;
	}
	for (int i = first; i < out->n_terms; i++) {
		AbutJointTerm *term = &out->term[i];
		term->branch = out->n;
		term->share = 1.0 / (term->compliance * stiffness);
		start += term->share * term->start;
	}
	if (out->n_terms > first) {
		add_branch(out, out->term[first].row, 1.0 / stiffness, start, regular);
	}
}

static void add_axis(int i, const AbutConeLaw *law, bool smoothed, AbutJointLinear *out)
{
	const AbutJoint *joint = out->work->joint;
	const AbutJointAxisWork *axis = &out->work->axis[i];
	const AbutJointLaw *own = &joint->law[i];
	const int row = joint->n_held + i, first = out->n_terms;
	const double dt = out->timestep, gain = dt * own->motor_stiffness + own->motor_damping;
	const double servo = own->to_position && gain > 0.0 ? own->motor_stiffness / gain : 0.0; /* -du / dc */
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
		out->term[out->n_terms++] = (AbutJointTerm){.kind = ABUT_JOINT_LAW_SERVO_FREE,
		                                            .row = row,
		                                            .compliance = axis->servo_compliance,
		                                            .start = servo - 1.0 / dt};
	}
	if (!add_rigid(out, first, axis->regular)) {
		add_passive(own, axis, row, out);
		add_compliant(out, first, axis->regular);
	}
}

void abut_joint_linear_begin(AbutJointWork *work, double timestep, const double *z, const double *H,
                             const AbutConeLaw *law, bool smoothed, AbutJointLinear *out)
{
	*out = (AbutJointLinear){.work = work, .timestep = timestep};
	const int places = abut_joint_kind_places(work->joint->kind);
	for (int i = 0; i < work->joint->n_held; i++) {
		add_branch(out, i, 0.0, 0.0, work->regular[i < places ? 0 : 1]);
	}
	const bool spins = work->joint->kind->freedom[0].spins;
	if (spins) {
		abut_joint_spins_add(z, H, law, smoothed, out);
	}
	const bool stuck = spins && !smoothed && abut_joint_spins_stick(work, z, H); /* also at the limits */
	for (int i = spins ? 3 : 0; !stuck && i < work->joint->kind->n_laws; i++) {
		add_axis(i, law, smoothed, out);
	}
}

/* Checks the joints of a step against the poses of their bodies: the frames of the definition are placed in the world
 * here, by quaternions, and what each type of joint holds is measured between them. */
#include "joint_check.h"

#include <math.h>

#include "base/vec3.h"
#include "dynamics/model/joint.h"

/* A frame in the world. */
typedef struct Frame {
	double p[3], R[9]; /* columns of R: its axes */
	double size;       /* m: of the lengths that were added, for rounding */
} Frame;

static Frame frame_of(const FuzzWorld *world, int body, const AbutJointFrame *on)
{
	AbutBodyState motion = {.orientation = {1.0, 0.0, 0.0, 0.0}};
	Frame out;
	double R[9], own[9], arm[3];
	if (body >= 0) {
		abut_state_get_body(world->model, world->state, body, &motion);
	}
	abut_quat_to_mat3(motion.orientation, R);
	abut_quat_to_mat3(on->orientation, own);
	abut_mat3_mul(R, own, out.R);
	abut_mat3_vec(R, on->position, arm);
	abut_add3(motion.position, arm, out.p);
	out.size = abut_norm3(motion.position) + abut_norm3(arm);
	return out;
}

static void axis_of(const Frame *frame, int i, double out[3])
{
	for (int k = 0; k < 3; k++) {
		out[k] = frame->R[3 * k + i];
	}
}

/* Returns the sine of the angle between the z axes. */
static double tilt(const Frame *a, const Frame *b)
{
	double x[3], y[3], cross[3];
	axis_of(a, 2, x);
	axis_of(b, 2, y);
	abut_cross3(x, y, cross);
	return abut_norm3(cross);
}

/* Returns the largest sine of an angle between axes of the two frames. */
static double turn(const Frame *a, const Frame *b)
{
	double most = 0.0, x[3], y[3], cross[3];
	for (int i = 0; i < 3; i++) {
		axis_of(a, i, x);
		axis_of(b, i, y);
		abut_cross3(x, y, cross);
		most = fmax(most, abut_norm3(cross));
	}
	return most;
}

/* Measures how far a joint is open, in m and rad. */
static void measure(const AbutJointDef *joint, const Frame *a, const Frame *b, double *metres, double *radians)
{
	double d[3], along[3], x[3], y[3];
	abut_sub3(b->p, a->p, d);
	for (int i = 0; i < 3; i++) {
		axis_of(a, i, x);
		along[i] = abut_dot3(x, d);
	}
	axis_of(a, 0, x);
	axis_of(b, 1, y);
	*metres = abut_norm3(d);
	*radians = 0.0;
	switch (joint->type) {
	case ABUT_JOINT_FIXED:
		*radians = turn(a, b);
		break;
	case ABUT_JOINT_HINGE:
		*radians = tilt(a, b);
		break;
	case ABUT_JOINT_SLIDE:
		*metres = hypot(along[0], along[1]);
		*radians = turn(a, b);
		break;
	case ABUT_JOINT_UNIVERSAL:
		*radians = fabs(abut_dot3(x, y));
		break;
	case ABUT_JOINT_CYLINDRICAL:
		*metres = hypot(along[0], along[1]);
		*radians = tilt(a, b);
		break;
	case ABUT_JOINT_PLANAR:
		*metres = fabs(along[2]);
		*radians = tilt(a, b);
		break;
	case ABUT_JOINT_DISTANCE:
		*metres = fabs(*metres - joint->length);
		break;
	case ABUT_JOINT_BALL:
	case ABUT_JOINT_TYPE_COUNT:
		break;
	}
}

/* Returns how far the coordinates are outside of their limits, in rad or m. */
static double overshoot(const AbutJointDef *joint, const AbutJointState *state)
{
	double most = 0.0;
	for (int i = 0; i < state->n_axes; i++) {
		const AbutJointAxis *const axis = &joint->axes[i];
		if (axis->has_limits) {
			most = fmax(most, fmax(axis->lower - state->position[i], state->position[i] - axis->upper));
		}
	}
	return most;
}

bool joint_check(const FuzzWorld *world, const AbutSceneDef *def, const AbutStepInfo *info, int step)
{
	for (int i = 0; i < def->n_joints; i++) {
		const AbutJointDef *const joint = &def->joints[i];
		const Frame a = frame_of(world, joint->parent, &joint->parent_frame),
		            b = frame_of(world, joint->child, &joint->child_frame);
		AbutJointState state;
		double metres, radians;
		abut_joint_get(world->model, world->state, i, &state);
		measure(joint, &a, &b, &metres, &radians);
		/* An exact step leaves 1e-10 in model units, and what rounding adds. Reported is the largest component
		 * of an error. */
		const double length = world->model->units.length, rounding = 1e-12 * (a.size + b.size) + 1e-300,
		             allowed = info->exact ? 1e-9 : 1e-3, outside = overshoot(joint, &state);
		const bool open = metres > allowed * length + rounding || radians > allowed;
		const bool understated = metres > 1.8 * info->joint_violation_m + rounding + 1e-12 * length ||
		                         radians > 1.8 * info->joint_violation_rad + 1e-12;
		/* Limits of method convex are springs: what they give way by must be reported. */
		const bool soft = world->model->joints.at[i].soft.on && joint->type != ABUT_JOINT_BALL;
		const double slack = soft ? info->limit_violation : 0.0;
		const bool beyond = info->exact && outside > slack + 1e-8 * fmax(1.0, length) + rounding;
		if (open || understated || beyond) {
			fprintf(
			    stderr,
			    "step %d: %s '%s' is open by %g m and %g rad, and %g outside of its limits; reported are "
			    "%g, %g and %g (%s)\n",
			    step, abut_joint_type_name(joint->type), joint->name, metres, radians, outside,
			    info->joint_violation_m, info->joint_violation_rad, info->limit_violation,
			    abut_outcome_name(info->outcome));
			return false;
		}
	}
	return true;
}

double joint_work(const FuzzWorld *world, const AbutSceneDef *def)
{
	double work = 0.0;
	for (int i = 0; i < def->n_joints; i++) {
		AbutJointState state;
		abut_joint_get(world->model, world->state, i, &state);
		for (int k = 0; k < state.n_axes; k++) {
			work += fabs(state.motor_effort[k] * state.velocity[k]) * def->timestep;
		}
	}
	return work;
}

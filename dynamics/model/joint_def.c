/* Names types of joints and motors, sets the defaults of joint definitions, and computes the frames of a joint from an
 * anchor and an axis. Tested in tests/dynamics/model/joints_check.c. */
#include <math.h>

#include "abut/joint.h"
#include "base/vec3.h"

#define NAME(constant, name) name,

const char *abut_joint_type_name(AbutJointType type)
{
	static const char *const names[] = {ABUT_JOINT_TYPE_LIST(NAME)};
	return (unsigned)type < ABUT_JOINT_TYPE_COUNT ? names[type] : "unknown";
}

const char *abut_motor_type_name(AbutMotorType type)
{
	static const char *const names[] = {ABUT_MOTOR_TYPE_LIST(NAME)};
	return (unsigned)type < ABUT_MOTOR_TYPE_COUNT ? names[type] : "unknown";
}

int abut_joint_type_freedoms(AbutJointType type)
{
	static const int freedoms[ABUT_JOINT_TYPE_COUNT] = {
	    [ABUT_JOINT_HINGE] = 1,     [ABUT_JOINT_SLIDE] = 1,       [ABUT_JOINT_BALL] = 3,
	    [ABUT_JOINT_UNIVERSAL] = 2, [ABUT_JOINT_CYLINDRICAL] = 2, [ABUT_JOINT_PLANAR] = 3};
	return (unsigned)type < ABUT_JOINT_TYPE_COUNT ? freedoms[type] : 0;
}

AbutJointDef abut_joint_def_default(void)
{
	AbutJointDef def = {.type = ABUT_JOINT_HINGE,
	                    .parent = ABUT_JOINT_WORLD,
	                    .child = ABUT_JOINT_WORLD,
	                    .parent_frame.orientation = {1.0, 0.0, 0.0, 0.0},
	                    .child_frame.orientation = {1.0, 0.0, 0.0, 0.0}};
	for (int i = 0; i < ABUT_JOINT_FREEDOMS; i++) {
		def.axes[i].motor.limit = INFINITY;
	}
	return def;
}

/* Computes the rotation R whose columns are the axes of a frame in the world. */
static void frame_axes(const double axis[3], double R[9])
{
	const double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
	double z[3], x[3] = {0.0}, y[3];
	abut_divide3(axis, largest, z); /* so that squares of long axes do not overflow */
	abut_divide3(z, abut_norm3(z), z);
	int least = 0;
	for (int i = 1; i < 3; i++) {
		least = fabs(z[i]) < fabs(z[least]) ? i : least;
	}
	x[least] = 1.0;
	abut_add_scaled3(x, -z[least], z, x);
	abut_divide3(x, abut_norm3(x), x);
	abut_cross3(z, x, y);
	for (int i = 0; i < 3; i++) {
		R[3 * i] = x[i];
		R[3 * i + 1] = y[i];
		R[3 * i + 2] = z[i];
	}
}

/* Expresses a frame of the world in the frame of a body. */
static void to_body(const double anchor[3], const double frame[4], const double position[3],
                    const double orientation[4], AbutJointFrame *out)
{
	const double inverse[4] = {orientation[0], -orientation[1], -orientation[2], -orientation[3]};
	double R[9], arm[3];
	abut_quat_to_mat3(orientation, R);
	abut_sub3(anchor, position, arm);
	abut_mat3_tvec(R, arm, out->position);
	abut_quat_mul(inverse, frame, out->orientation);
	abut_quat_normalise(out->orientation);
}

void abut_joint_frames(const double anchor[3], const double axis[3], const double parent_position[3],
                       const double parent_orientation[4], const double child_position[3],
                       const double child_orientation[4], AbutJointDef *def)
{
	double R[9], frame[4];
	frame_axes(axis, R);
	abut_mat3_to_quat(R, frame);
	to_body(anchor, frame, parent_position, parent_orientation, &def->parent_frame);
	to_body(anchor, frame, child_position, child_orientation, &def->child_frame);
}

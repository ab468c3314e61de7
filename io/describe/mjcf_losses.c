/* Notes what MJCF cannot hold, by element. Tested in tests/io/describe.c. */
#include "io/describe/mjcf_losses.h"

#include "abut/abut.h"
#include "base/vec3.h"
#include "io/describe/losses.h"

/* Turns of a ball up to this are those of rounding (rad). */
static const double rounding = 1e-9;

/* Notes the laws of a joint that closes a loop, which <connect> and <weld> do not have. */
static void lose_of_loop(const AbutJointDef *joint, AbutLosses *losses)
{
	const AbutFreedomKinds has = abut_freedom_kinds(joint);
	abut_lose(losses, has.limits, "limits");
	abut_lose(losses, has.spring, "spring");
	abut_lose(losses, has.damping, "damping");
	abut_lose(losses, has.friction, "friction");
	abut_lose(losses, has.armature, "armature");
	abut_lose(losses, has.motor, "motor");
}

/* Notes that MuJoCo counts the turn of a ball from the model's pose. */
static void note_ball(const AbutDescribing *d, int i)
{
	const AbutJointDef *joint = &d->def->joints[i];
	const AbutJointAxis *axis = &joint->axes[0];
	AbutJointState state;
	abut_joint_get(d->model, d->state, i, &state);
	if (abut_norm3(state.position) > rounding &&
	    (axis->stiffness > 0.0 || axis->has_limits || axis->motor.type == ABUT_MOTOR_POSITION)) {
		abut_describe_note(d, ABUT_APPROXIMATED, "joint", joint->name,
		                   "spring, limits and servo of ball \"%.60s\" count its turn from the "
		                   "initial pose",
		                   joint->name);
	}
}

void abut_describe_mjcf_losses(const AbutDescribing *d)
{
	for (int i = 0; i < d->def->n_bodies; i++) {
		AbutLosses losses = {.n = 0};
		if (!d->def->bodies[i].is_static) {
			abut_lose_of_body(d, i, &losses);
		}
		abut_describe_losses(d, "body", d->def->bodies[i].name, &losses);
	}
	for (int i = 0; i < d->def->n_joints; i++) {
		const AbutJointDef *joint = &d->def->joints[i];
		const bool closes = joint->type == ABUT_JOINT_HINGE || joint->type == ABUT_JOINT_BALL;
		AbutLosses losses = {.n = 0};
		if (!d->tree.used[i] && closes) {
			lose_of_loop(joint, &losses);
		}
		abut_describe_losses(d, "joint", joint->name, &losses);
		if (d->tree.used[i] && joint->type == ABUT_JOINT_BALL) {
			note_ball(d, i);
		}
	}
	abut_describe_lost_sensors(d);
}

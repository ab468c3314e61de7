/* Notes what is lost of an element of a scene. Tested in tests/io/describe.c and describe_urdf.c. */
#include "io/describe/losses.h"

#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

void abut_lose(AbutLosses *losses, bool lost, const char *what)
{
	const size_t length = strlen(losses->list);
	if (lost) {
		snprintf(losses->list + length, sizeof losses->list - length, "%s%s", losses->n++ > 0 ? ", " : "",
		         what);
	}
}

AbutFreedomKinds abut_freedom_kinds(const AbutJointDef *joint)
{
	AbutFreedomKinds any = {.limits = false};
	for (int k = 0; k < abut_joint_type_freedoms(joint->type); k++) {
		const AbutJointAxis *axis = &joint->axes[k];
		any.limits = any.limits || axis->has_limits;
		any.spring = any.spring || axis->stiffness > 0.0;
		any.damping = any.damping || axis->damping > 0.0;
		any.friction = any.friction || axis->friction > 0.0;
		any.armature = any.armature || axis->armature > 0.0;
		any.motor = any.motor || axis->motor.type != ABUT_MOTOR_NONE;
	}
	return any;
}

void abut_describe_losses(const AbutDescribing *d, const char *element, const char *name, const AbutLosses *losses)
{
	if (losses->n > 0) {
		abut_describe_note(d, ABUT_LEFT_OUT, element, name, "of %s \"%.60s\": %s", element, name, losses->list);
	}
}

void abut_lose_of_body(const AbutDescribing *d, int body, AbutLosses *losses)
{
	const AbutBodyDef *def = &d->def->bodies[body];
	abut_lose(losses, abut_norm3(def->force) > 0.0 || abut_norm3(def->torque) > 0.0, "constant force or torque");
	abut_lose(losses, def->planar_xz && d->tree.joint[body] >= 0, "\"planar\"");
}

void abut_describe_lost_sensors(const AbutDescribing *d)
{
	for (int i = 0; i < d->def->n_sensors; i++) {
		const char *name = d->def->sensors[i].name;
		abut_describe_note(d, ABUT_LEFT_OUT, "sensor", name, "sensor \"%.60s\"", name);
	}
}

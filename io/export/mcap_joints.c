/* Writes the messages about joints: their axes, the states of their freedoms, and their forces. Tested in
 * tests/io/export/foxglove.py. */
#include "io/export/mcap_joints.h"

#include <stdio.h>
#include <string.h>

#include "io/export/foxglove.h"
#include "io/export/proto.h"
#include "io/export/run_joints.h"

void abut_mcap_joint_axes(AbutBytes *out, const AbutRunRecord *record, const char *world)
{
	static const double black[4] = {0.1, 0.1, 0.1, 1.0};
	for (int i = 0; i < record->n_joints; i++) {
		const AbutJointDef *joint = &abut_scene_def(record->scene)->joints[i];
		const AbutJointFrame *frame = &joint->parent_frame;
		const char *parent =
		    joint->parent == ABUT_JOINT_WORLD ? world : abut_model_body_name(record->model, joint->parent);
		const AbutJointMark mark = abut_run_joint_mark(record, i);
		const size_t begun = abut_foxglove_entity(out, record->times[0], parent, joint->name);
		abut_foxglove_arrow(out, frame->position, mark.axis, mark.size, 0.05 * mark.size, black);
		if (!mark.has_axis) {
			abut_foxglove_sphere(out, frame->position, 0.1 * mark.size, black);
		}
		abut_proto_end(out, begun);
	}
}

/* Appends the name of a freedom: that of its joint, followed by ".0", ".1" or ".2" if the joint has several. */
static void put_name(AbutBytes *out, const char *joint, int axis, int n_axes)
{
	char suffix[16] = "";
	if (n_axes > 1) {
		snprintf(suffix, sizeof suffix, ".%d", axis);
	}
	const size_t begun = abut_proto_begin(out, 1);
	abut_bytes_put(out, joint, strlen(joint));
	abut_bytes_put(out, suffix, strlen(suffix));
	abut_proto_end(out, begun);
}

void abut_mcap_joint_states(AbutBytes *out, const AbutRunRecord *record, long frame)
{
	abut_foxglove_time(out, 1, record->times[frame]);
	for (int i = 0; i < record->n_joints; i++) {
		const AbutJointState *joint = &record->joints[frame * record->n_joints + i];
		for (int axis = 0; axis < joint->n_axes; axis++) {
			const size_t begun = abut_proto_begin(out, 2);
			put_name(out, abut_model_joint_name(record->model, i), axis, joint->n_axes);
			abut_proto_double(out, 2, joint->position[axis]);
			abut_proto_double(out, 3, joint->velocity[axis]);
			abut_proto_double(out, 5, joint->motor_effort[axis]);
			abut_proto_end(out, begun);
		}
	}
}

/* Appends a list of doubles, packed, as proto3 stores repeated numbers. */
static void put_list(AbutBytes *out, int number, const double *values, int n)
{
	const size_t begun = abut_proto_begin(out, number);
	abut_bytes_doubles(out, values, (size_t)n);
	abut_proto_end(out, begun);
}

void abut_mcap_joint_forces(AbutBytes *out, const AbutRunRecord *record, long frame)
{
	abut_foxglove_time(out, 1, record->times[frame]);
	for (int i = 0; i < record->n_joints; i++) {
		const AbutJointState *joint = &record->joints[frame * record->n_joints + i];
		const size_t begun = abut_proto_begin(out, 2);
		abut_proto_text(out, 1, abut_model_joint_name(record->model, i));
		abut_foxglove_numbers(out, 2, joint->force, 3);
		abut_foxglove_numbers(out, 3, joint->torque, 3);
		put_list(out, 4, joint->limit_effort, joint->n_axes);
		put_list(out, 5, joint->friction_effort, joint->n_axes);
		put_list(out, 6, joint->motor_effort, joint->n_axes);
		abut_proto_end(out, begun);
	}
}

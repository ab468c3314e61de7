/* Packs the joints: their frames and limits into the head, and columns of each joint over the frames. */
#include "io/view/joints.h"

#include <stdlib.h>

#include "io/text/file_text.h"
#include "io/text/number.h"
#include "io/view/rounding.h"

/* Columns of a joint: coordinate, and efforts of limit, friction and motor, for each freedom; force and torque. */
enum { OF_FREEDOM = 4, REACTION = 6 };

static void write_frame(FILE *head, const char *key, const AbutJointFrame *frame)
{
	fprintf(head, ",\"%s\":{\"at\":", key);
	abut_json_write_numbers(head, ",", frame->position, 3);
	fputs(",\"turn\":", head);
	abut_json_write_numbers(head, ",", frame->orientation, 4);
	fputc('}', head);
}

static void write_joint(FILE *head, const AbutJointDef *joint)
{
	const int n = abut_joint_type_freedoms(joint->type);
	fputs("{\"name\":", head);
	abut_json_write_string(head, joint->name);
	fprintf(head, ",\"type\":\"%s\",\"parent\":%d,\"child\":%d,\"freedoms\":%d", abut_joint_type_name(joint->type),
	        joint->parent, joint->child, n);
	write_frame(head, "parent_frame", &joint->parent_frame);
	write_frame(head, "child_frame", &joint->child_frame);
	fputs(",\"limits\":[", head);
	for (int i = 0; i < n; i++) {
		const AbutJointAxis *const axis = &joint->axes[i];
		fputs(i > 0 ? "," : "", head);
		if (axis->has_limits) {
			fputc('[', head);
			abut_json_write_number(head, axis->lower);
			fputc(',', head);
			abut_json_write_number(head, axis->upper);
			fputc(']', head);
		} else {
			fputs("null", head);
		}
	}
	fputs("]}", head);
}

/* Returns the value of a column of a joint with `n` freedoms. */
static double value_of(const AbutJointState *joint, int n, int column)
{
	const int axis = column / OF_FREEDOM, which = column % OF_FREEDOM, reaction = column - OF_FREEDOM * n;
	if (reaction >= 0) {
		return reaction >= 3 ? joint->torque[reaction - 3] : joint->force[reaction];
	}
	const double *const of_freedoms[OF_FREEDOM] = {joint->position, joint->limit_effort, joint->friction_effort,
	                                               joint->motor_effort};
	return of_freedoms[which][axis];
}

/* Copies a column of a joint with `n` freedoms to `values`. */
static void take_column(const AbutViewData *data, int joint, int n, int column, double *values)
{
	const AbutRunRecord *const record = data->record;
	for (long f = 0; f < data->n_frames; f++) {
		const long state = abut_view_state_of_frame(record, data->every, f);
		values[f] = value_of(&record->joints[state * record->n_joints + joint], n, column);
	}
}

static AbutStatus add_columns(AbutViewData *data, const AbutSceneDef *def, AbutError *error)
{
	double *const values = malloc((size_t)data->n_frames * sizeof *values);
	int32_t *const rounded = malloc((size_t)data->n_frames * sizeof *rounded);
	if (!values || !rounded) {
		free(values);
		free(rounded);
		return abut_fail_memory(error, "the replay page");
	}
	AbutBits bits = {0};
	size_t n_columns = 0;
	for (int i = 0; i < def->n_joints; i++) {
		n_columns += (size_t)(OF_FREEDOM * abut_joint_type_freedoms(def->joints[i].type) + REACTION);
	}
	abut_view_section(data, "joint_scales", 2 * n_columns);
	for (int i = 0; i < def->n_joints; i++) {
		const int n = abut_joint_type_freedoms(def->joints[i].type);
		for (int column = 0; column < OF_FREEDOM * n + REACTION; column++) {
			take_column(data, i, n, column, values);
			abut_view_round_column(data, values, rounded, &bits);
		}
	}
	abut_view_add_bits(data, "joint_columns", &bits);
	free(values);
	free(rounded);
	return ABUT_OK;
}

AbutStatus abut_view_add_joints(AbutViewData *data, AbutError *error)
{
	const AbutSceneDef *const def = abut_scene_def(data->record->scene);
	if (def->n_joints == 0) {
		return ABUT_OK;
	}
	fputs(",\"joints\":[", data->head);
	for (int i = 0; i < def->n_joints; i++) {
		fputs(i > 0 ? "," : "", data->head);
		write_joint(data->head, &def->joints[i]);
	}
	fputc(']', data->head);
	return data->record->joints ? add_columns(data, def, error) : ABUT_OK;
}

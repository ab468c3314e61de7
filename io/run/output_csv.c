/* Writes the rows of the tables of a run. */
#include "io/run/output_csv.h"

#include "io/run/totals.h"
#include "io/text/csv.h"
#include "io/text/number.h"

static void write_time(FILE *file, const AbutState *state)
{
	char text[ABUT_NUMBER_SIZE];
	fputs(abut_number_text(abut_state_time(state), text), file);
	fputc(',', file);
}

void abut_output_write_trajectory_header(FILE *file)
{
	fputs("time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", file);
}

void abut_output_write_trajectory(FILE *file, const AbutModel *model, const AbutState *state)
{
	const int n = abut_model_body_count(model);
	for (int i = 0; i < n; i++) {
		AbutBodyState body;
		if (abut_state_get_body(model, state, i, &body) != ABUT_OK) {
			continue;
		}
		write_time(file, state);
		abut_csv_write_text(file, abut_model_body_name(model, i));
		abut_csv_write_numbers(file, body.position, 3);
		abut_csv_write_numbers(file, body.orientation, 4);
		abut_csv_write_numbers(file, body.linear_velocity, 3);
		abut_csv_write_numbers(file, body.angular_velocity, 3);
		fputc('\n', file);
	}
}

void abut_output_write_contacts_header(FILE *file)
{
	fputs("time,body_a,body_b,part_a,part_b,scaling,gap,px,py,pz,nx,ny,nz,normal_impulse,friction_impulse_x,"
	      "friction_impulse_y,friction_impulse_z\n",
	      file);
}

void abut_output_write_contacts(FILE *file, const AbutModel *model, const AbutState *state,
                                const AbutWorkspace *workspace)
{
	AbutContact contact;
	for (int i = 0; abut_contact_get(model, workspace, i, &contact) == ABUT_OK; i++) {
		write_time(file, state);
		abut_csv_write_text(file, abut_model_body_name(model, contact.body_a));
		fputc(',', file);
		abut_csv_write_text(file, abut_model_body_name(model, contact.body_b));
		fprintf(file, ",%d,%d", contact.part_a, contact.part_b);
		abut_csv_write_numbers(file, &contact.scaling, 1);
		abut_csv_write_numbers(file, &contact.gap, 1);
		abut_csv_write_numbers(file, contact.point, 3);
		abut_csv_write_numbers(file, contact.normal, 3);
		abut_csv_write_numbers(file, &contact.normal_impulse, 1);
		abut_csv_write_numbers(file, contact.friction_impulse, 3);
		fputc('\n', file);
	}
}

void abut_output_write_joints_header(FILE *file)
{
	fputs("time,joint,axis,position,velocity,constraint_force_x,constraint_force_y,constraint_force_z,"
	      "constraint_torque_x,constraint_torque_y,constraint_torque_z,limit_effort,friction_effort,motor_effort\n",
	      file);
}

void abut_output_write_freedom(FILE *file, const AbutJointState *joint, int axis)
{
	const bool free = joint->n_axes > 0;
	fprintf(file, ",%d", axis);
	if (free) {
		abut_csv_write_numbers(file, &joint->position[axis], 1);
		abut_csv_write_numbers(file, &joint->velocity[axis], 1);
	}
	fputs(free ? "" : ",,", file);
	abut_csv_write_numbers(file, joint->force, 3);
	abut_csv_write_numbers(file, joint->torque, 3);
	if (free) {
		abut_csv_write_numbers(file, &joint->limit_effort[axis], 1);
		abut_csv_write_numbers(file, &joint->friction_effort[axis], 1);
		abut_csv_write_numbers(file, &joint->motor_effort[axis], 1);
	}
	fputs(free ? "\n" : ",,,\n", file);
}

void abut_output_write_joints(FILE *file, const AbutModel *model, const AbutState *state)
{
	AbutJointState joint;
	for (int i = 0; abut_joint_get(model, state, i, &joint) == ABUT_OK; i++) {
		for (int axis = 0; axis == 0 || axis < joint.n_axes; axis++) {
			write_time(file, state);
			abut_csv_write_text(file, abut_model_joint_name(model, i));
			abut_output_write_freedom(file, &joint, axis);
		}
	}
}

void abut_output_write_sensors_header(FILE *file)
{
	fputs("time,sensor,channel,value\n", file);
}

void abut_output_write_sensors(FILE *file, const AbutModel *model, const AbutState *state)
{
	double values[ABUT_SENSOR_CHANNELS];
	for (int i = 0; abut_sensor_get(model, state, i, values) == ABUT_OK; i++) {
		for (int k = 0; k < abut_model_sensor_channels(model, i); k++) {
			write_time(file, state);
			abut_csv_write_text(file, abut_model_sensor_name(model, i));
			fprintf(file, ",%s", abut_model_sensor_channel(model, i, k));
			abut_csv_write_numbers(file, &values[k], 1);
			fputc('\n', file);
		}
	}
}

void abut_output_write_steps_header(FILE *file)
{
	fputs("step,time,outcome,exact,retried,halvings,tries,iterations,finish_iterations,kappa,residual,"
	      "complementarity,max_penetration,active_contacts,energy,momentum_x,momentum_y,momentum_z\n",
	      file);
}

void abut_output_write_step(FILE *file, const AbutRunView *view)
{
	const AbutStepInfo *info = view->info;
	fprintf(file, "%ld,", view->step);
	write_time(file, view->state);
	fprintf(file, "%s,%d,%d,%d,%d,%d,%d", abut_outcome_name(info->outcome), info->exact, info->retried,
	        info->halvings, info->tries, info->iterations, info->finish_iterations);
	const double numbers[] = {info->kappa, info->residual, info->complementarity, info->max_penetration};
	abut_csv_write_numbers(file, numbers, 4);
	fprintf(file, ",%d", info->active_contacts);
	const AbutRunTotals totals = abut_run_totals(view->model, view->state);
	abut_csv_write_numbers(file, &totals.energy, 1);
	abut_csv_write_numbers(file, totals.momentum, 3);
	fputc('\n', file);
}

void abut_output_write_log_header(FILE *file)
{
	fputs("step,iteration,phase,kappa,residual,complementarity,step_length\n", file);
}

void abut_output_write_log(FILE *file, const AbutRunView *view)
{
	const AbutIterationLog *log = &view->info->log;
	for (int i = 0; i < log->count; i++) {
		const AbutIteration *entry = &log->entries[i];
		const double numbers[] = {entry->kappa, entry->residual, entry->complementarity, entry->step_length};
		fprintf(file, "%ld,%d,%d", view->step, i + 1, entry->phase);
		abut_csv_write_numbers(file, numbers, 4);
		fputc('\n', file);
	}
}

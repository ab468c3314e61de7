/* Measures specific forces, the loads of joints and contact forces of a step. */
#include "dynamics/sensor/measure.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/joint.h"
#include "dynamics/sensor/place.h"

static const AbutMotion still = {.at.orientation = {1.0, 0.0, 0.0, 0.0}};

/* Returns the motion of a body at the start of the step; that of the world is `still`. */
static const AbutMotion *start_of(const AbutModel *model, const AbutSensorStep *step, int body)
{
	return body < model->n_bodies ? &step->before[body] : &still;
}

static const AbutMotion *end_of(const AbutModel *model, const AbutSensorStep *step, int body)
{
	return body < model->n_bodies && model->bodies[body].moving >= 0 ? &step->after[body]
	                                                                 : start_of(model, step, body);
}

/* Returns the time between the instants of two velocities: each is that of the middle of its step or part. */
static double time_between(const AbutModel *model, const AbutMotion *before, const AbutMotion *after)
{
	const double unit = model->units.time, first = before->last_timestep, last = after->last_timestep;
	return first > 0.0 && !model->quasi_static && first != last ? model->timestep_si + 0.5 * unit * (first - last)
	                                                            : model->timestep_si;
}

/* Adds w x (w x r) / 2. */
static void add_centripetal(const double w[3], const double r[3], double out[3])
{
	double across[3], inward[3];
	abut_cross3(w, r, across);
	abut_cross3(w, across, inward);
	abut_add_scaled3(out, 0.5, inward, out);
}

static void measure_imu(const AbutModel *model, const AbutSensorStep *step, const AbutSite *place, double *out)
{
	const AbutMotion *before = start_of(model, step, place->body), *after = end_of(model, step, place->body);
	const double time = time_between(model, before, after), *w1 = after->at.angular_velocity;
	double R[9], v0[3] = {0.0, 0.0, 0.0}, w0[3] = {0.0, 0.0, 0.0}, gained[3], spun[3], force[3], r[3], turned[3];
	abut_quat_to_mat3(before->at.orientation, R);
	if (!model->quasi_static) {
		abut_copy3(before->at.linear_velocity, v0);
		abut_copy3(before->at.angular_velocity, w0);
	}
	abut_sub3(after->at.linear_velocity, v0, gained);
	abut_divide3(gained, time, gained);
	abut_sub3(gained, model->gravity_si, gained);
	abut_mat3_tvec(R, gained, force);
	abut_sensor_lever(model, place, r);
	abut_sub3(w1, w0, spun);
	abut_divide3(spun, time, spun);
	abut_cross3(spun, r, turned);
	abut_add3(force, turned, force);
	add_centripetal(w0, r, force);
	add_centripetal(w1, r, force);
	abut_mat3_tvec(place->axes, force, out);
	abut_mat3_tvec(place->axes, w1, out + 3);
}

/* Measures the wrench on the child of a joint, about the origin and in the axes of the sensor's frame, which is on the
 * child, or on the parent at the start of the step. */
static void measure_load(const AbutModel *model, const AbutSensorStep *step, const AbutSensor *sensor, double *out)
{
	const AbutJoint *joint = &model->joints.at[sensor->joint];
	const double *load = &step->loads[6 * sensor->joint], per = 1.0 / model->timestep_si;
	const int child = joint->body[1];
	double force[3], moment[3], arm[3], about[3], r[3];
	AbutSite frame;
	abut_sensor_frame(model, sensor, &frame);
	abut_scale3(per * model->units.impulse, load, force);
	abut_scale3(per * model->units.torsion, load + 3, moment);
	abut_sensor_lever(model, &frame, r);
	abut_scale3(-1.0, r, arm);
	if (frame.body != child) { /* from the child's axes to those of the parent */
		const AbutBodyState *from = &start_of(model, step, child)->at,
		                    *to = &start_of(model, step, frame.body)->at;
		double R[9], S[9], turn[9], apart[3], turned[3];
		abut_quat_to_mat3(from->orientation, R);
		abut_quat_to_mat3(to->orientation, S);
		abut_mat3_transposed_mul(S, R, turn);
		abut_mat3_vec(turn, force, turned);
		abut_copy3(turned, force);
		abut_mat3_vec(turn, moment, turned);
		abut_copy3(turned, moment);
		abut_sub3(from->position, to->position, apart);
		abut_mat3_tvec(S, apart, turned);
		abut_add3(arm, turned, arm);
	}
	abut_cross3(arm, force, about);
	abut_add3(moment, about, moment);
	abut_mat3_tvec(frame.axes, force, out);
	abut_mat3_tvec(frame.axes, moment, out + 3);
}

/* Adds a contact's force to the sensors of a body, on which it acts with `sign`. */
static void add_contact(const AbutModel *model, const AbutContact *contact, int body, double sign, double *out)
{
	const AbutSensorList *list = &model->sensors;
	const double per = sign / model->timestep_si;
	for (int i = list->of_body[body]; i >= 0; i = list->at[i].next) {
		double *own = &out[list->at[i].kept];
		abut_add_scaled3(own, per * contact->normal_impulse, contact->normal, own);
		abut_add_scaled3(own, per, contact->friction_impulse, own);
		abut_add_scaled3(own + 3, per * contact->normal_impulse, contact->normal, own + 3);
		abut_add_scaled3(own + 6, per, contact->friction_impulse, own + 6);
		own[9] += contact->normal_impulse / model->timestep_si;
	}
}

void abut_sensors_measure(const AbutModel *model, const AbutSensorStep *step, double *out)
{
	const AbutSensorList *list = &model->sensors;
	memset(out, 0, (size_t)list->n_kept * sizeof *out);
	for (int i = 0; i < list->n; i++) {
		const AbutSensor *sensor = &list->at[i];
		if (sensor->type == ABUT_SENSOR_IMU) {
			measure_imu(model, step, &sensor->place, &out[sensor->kept]);
		} else if (sensor->type == ABUT_SENSOR_FORCE_TORQUE) {
			measure_load(model, step, sensor, &out[sensor->kept]);
		}
	}
	for (int i = 0; i < step->n_contacts; i++) {
		const AbutContact *contact = &step->contacts[step->active[i]];
		add_contact(model, contact, contact->body_a, -1.0, out);
		add_contact(model, contact, contact->body_b, 1.0, out);
	}
}

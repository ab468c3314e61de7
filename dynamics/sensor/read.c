/* Reads sites and sensors from a state. */
#include <string.h>

#include "abut/arrays.h"
#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/sensor/place.h"
#include "dynamics/state/state.h"

/* Computes the pose and velocity of a frame. Its quaternion is a product, so that it keeps the sign of the body's. */
static void read_site(const AbutModel *model, const AbutState *state, const AbutSite *site, AbutSiteState *out)
{
	double R[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, lever[3], swing[3];
	*out = (AbutSiteState){.position = {0.0}};
	if (site->body < model->n_bodies) {
		const AbutBodyState *at = &state->motion[site->body].at;
		abut_quat_to_mat3(at->orientation, R);
		abut_copy3(at->position, out->position);
		abut_copy3(at->linear_velocity, out->linear_velocity);
		abut_mat3_vec(R, at->angular_velocity, out->angular_velocity);
		abut_quat_mul(at->orientation, site->orientation, out->orientation);
	} else {
		memcpy(out->orientation, site->orientation, sizeof out->orientation);
	}
	abut_sensor_lever(model, site, swing);
	abut_mat3_vec(R, swing, lever);
	abut_add3(out->position, lever, out->position);
	abut_cross3(out->angular_velocity, lever, swing);
	abut_add3(out->linear_velocity, swing, out->linear_velocity);
}

AbutStatus abut_site_get(const AbutModel *model, const AbutState *state, int site, AbutSiteState *out)
{
	if (!model || !state || !out || state->model != model || site < 0 || site >= model->sensors.n_sites) {
		return ABUT_ERROR_ARGUMENT;
	}
	read_site(model, state, &model->sensors.sites[site], out);
	return ABUT_OK;
}

static void read_joint(const AbutModel *model, const AbutState *state, const AbutSensor *sensor, double *out)
{
	AbutJointState joint;
	abut_joint_get(model, state, sensor->joint, &joint);
	memcpy(out,
	       sensor->type == ABUT_SENSOR_JOINT_POSITION   ? joint.position
	       : sensor->type == ABUT_SENSOR_JOINT_VELOCITY ? joint.velocity
	                                                    : joint.motor_effort,
	       (size_t)sensor->n * sizeof *out);
}

AbutStatus abut_sensor_get(const AbutModel *model, const AbutState *state, int sensor, double *out)
{
	if (!model || !state || !out || state->model != model || sensor < 0 || sensor >= model->sensors.n) {
		return ABUT_ERROR_ARGUMENT;
	}
	const AbutSensor *of = &model->sensors.at[sensor];
	AbutSiteState site;
	switch (of->type) {
	case ABUT_SENSOR_POSE:
		read_site(model, state, &of->place, &site);
		abut_copy3(site.position, out);
		memcpy(out + 3, site.orientation, sizeof site.orientation);
		break;
	case ABUT_SENSOR_VELOCITY:
		read_site(model, state, &of->place, &site);
		abut_copy3(site.linear_velocity, out);
		abut_copy3(site.angular_velocity, out + 3);
		break;
	case ABUT_SENSOR_IMU:
	case ABUT_SENSOR_FORCE_TORQUE:
	case ABUT_SENSOR_CONTACT_FORCE:
		memcpy(out, &state->measured[of->kept], (size_t)of->n * sizeof *out);
		break;
	case ABUT_SENSOR_JOINT_POSITION:
	case ABUT_SENSOR_JOINT_VELOCITY:
	case ABUT_SENSOR_JOINT_EFFORT:
		read_joint(model, state, of, out);
		break;
	case ABUT_SENSOR_TYPE_COUNT:
		break;
	}
	return ABUT_OK;
}

AbutStatus abut_sensor_get_all(const AbutModel *model, const AbutState *state, double *out)
{
	if (!model || !state || state->model != model || (model->sensors.n > 0 && !out)) {
		return ABUT_ERROR_ARGUMENT;
	}
	for (int i = 0; i < model->sensors.n; i++) {
		abut_sensor_get(model, state, i, &out[model->sensors.at[i].first]);
	}
	return ABUT_OK;
}

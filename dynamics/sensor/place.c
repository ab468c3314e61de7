/* Computes the frames of sensors relative to their bodies. */
#include "dynamics/sensor/place.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/joint.h"

void abut_sensor_lever(const AbutModel *model, const AbutSite *frame, double out[3])
{
	abut_copy3(frame->position, out);
	if (frame->body < model->n_bodies) {
		abut_sub3(out, model->bodies[frame->body].centre_of_mass, out);
	}
}

void abut_sensor_frame(const AbutModel *model, const AbutSensor *sensor, AbutSite *out)
{
	*out = sensor->place;
	if (out->body < 0) {
		const AbutJoint *joint = &model->joints.at[sensor->joint];
		out->body = joint->body[1];
		memcpy(out->axes, joint->axes[1], sizeof out->axes);
		abut_scale3(model->units.length, joint->place[1], out->position);
		abut_add3(out->position, model->bodies[out->body].centre_of_mass, out->position);
	}
}

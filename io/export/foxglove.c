/* Writes parts of Foxglove's messages. Tested in tests/io/export/foxglove.py. */
#include "io/export/foxglove.h"

#include <math.h>

#include "base/vec3.h"
#include "io/export/proto.h"

void abut_foxglove_time(AbutBytes *out, int number, double time)
{
	const size_t begun = abut_proto_begin(out, number);
	const uint64_t nanoseconds = (uint64_t)llround(time * 1e9);
	abut_proto_integer(out, 1, nanoseconds / 1000000000);
	abut_proto_integer(out, 2, nanoseconds % 1000000000);
	abut_proto_end(out, begun);
}

void abut_foxglove_numbers(AbutBytes *out, int number, const double *values, int n)
{
	const size_t begun = abut_proto_begin(out, number);
	for (int i = 0; i < n; i++) {
		abut_proto_double(out, i + 1, values[i]);
	}
	abut_proto_end(out, begun);
}

void abut_foxglove_quaternion(AbutBytes *out, int number, const double q[4])
{
	const double xyzw[4] = {q[1], q[2], q[3], q[0]};
	abut_foxglove_numbers(out, number, xyzw, 4);
}

void abut_foxglove_pose(AbutBytes *out, int number, const double position[3], const double orientation[4])
{
	const size_t begun = abut_proto_begin(out, number);
	abut_foxglove_numbers(out, 1, position, 3);
	abut_foxglove_quaternion(out, 2, orientation);
	abut_proto_end(out, begun);
}

size_t abut_foxglove_entity(AbutBytes *out, double time, const char *frame, const char *id)
{
	const size_t begun = abut_proto_begin(out, 2);
	abut_foxglove_time(out, 1, time);
	abut_proto_text(out, 2, frame);
	abut_proto_text(out, 3, id);
	abut_proto_integer(out, 5, 1);
	return begun;
}

/* Computes the smallest rotation that takes the x axis to the unit vector u: q = (1 + u_x, x cross u), normalised. For
 * u = -x it is half a turn about z. */
static void turn_x_onto(const double u[3], double q[4])
{
	q[0] = 1.0 + u[0];
	q[1] = 0.0;
	q[2] = -u[2];
	q[3] = u[1];
	if (q[0] < 1e-9) {
		q[0] = q[2] = 0.0;
		q[3] = 1.0;
	}
	abut_quat_normalise(q);
}

void abut_foxglove_arrow(AbutBytes *out, const double at[3], const double vector[3], double scale, double thickness,
                         const double color[4])
{
	double along[3], q[4];
	const double length = abut_norm3(vector);
	if (!(length > 0.0)) {
		return;
	}
	abut_divide3(vector, length, along);
	turn_x_onto(along, q);
	const size_t begun = abut_proto_begin(out, 7);
	abut_foxglove_pose(out, 1, at, q);
	abut_proto_double(out, 2, 0.8 * scale * length);
	abut_proto_double(out, 3, thickness);
	abut_proto_double(out, 4, 0.2 * scale * length);
	abut_proto_double(out, 5, 2.0 * thickness);
	abut_foxglove_numbers(out, 6, color, 4);
	abut_proto_end(out, begun);
}

void abut_foxglove_sphere(AbutBytes *out, const double at[3], double radius, const double color[4])
{
	static const double straight[4] = {1.0, 0.0, 0.0, 0.0};
	const double size[3] = {2.0 * radius, 2.0 * radius, 2.0 * radius};
	const size_t begun = abut_proto_begin(out, 9);
	abut_foxglove_pose(out, 1, at, straight);
	abut_foxglove_numbers(out, 2, size, 3);
	abut_foxglove_numbers(out, 3, color, 4);
	abut_proto_end(out, begun);
}

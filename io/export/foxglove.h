/* Writes parts of Foxglove's messages. Each function appends field `number` of the message that was begun. */
#pragma once

#include "io/text/bytes.h"

/* Appends a google.protobuf.Timestamp of a time of the run (s). */
void abut_foxglove_time(AbutBytes *out, int number, double time);
/* Appends a message of `n` doubles with field numbers from 1, such as a vector or colour. */
void abut_foxglove_numbers(AbutBytes *out, int number, const double *values, int n);
/* Appends a quaternion: our scalar comes first, Foxglove's last. */
void abut_foxglove_quaternion(AbutBytes *out, int number, const double q[4]);
void abut_foxglove_pose(AbutBytes *out, int number, const double position[3], const double orientation[4]);

/* Begins an entity of a foxglove.SceneUpdate at a time (s) that is fixed to the coordinate frame `frame`. Returns the
 * argument of abut_proto_end. */
size_t abut_foxglove_entity(AbutBytes *out, double time, const char *frame, const char *id);
/* Appends an arrow to an entity that starts at `at` (m) along `vector` and has `scale` times its length; nothing if the
 * vector is 0. `thickness` (m) is the diameter of the shaft. */
void abut_foxglove_arrow(AbutBytes *out, const double at[3], const double vector[3], double scale, double thickness,
                         const double color[4]);
void abut_foxglove_sphere(AbutBytes *out, const double at[3], double radius, const double color[4]);

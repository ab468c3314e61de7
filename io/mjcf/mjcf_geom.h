/* Reads <geom> and <inertial> of MJCF. */
#pragma once

#include "io/mjcf/mjcf_values.h"

/* Adds a <geom> to a body; `pose` is the pose of the enclosing frame in the body. */
void abut_mjcf_geom(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const AbutPose *pose,
                    int body);
/* Adds an <inertial> to a body; `pose` is the pose of the enclosing frame in the body. */
void abut_mjcf_inertial(const AbutMjcf *mjcf, const AbutXml *element, const AbutPose *pose, int body);

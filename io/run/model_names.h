/* Tables of a model's bodies, joints and sensors by name. */
#pragma once

#include "abut/model.h"
#include "io/text/names.h"

/* Make the table; false: out of memory. */
bool abut_body_names(const AbutModel *model, AbutNames *names);
bool abut_joint_names(const AbutModel *model, AbutNames *names);
bool abut_sensor_names(const AbutModel *model, AbutNames *names);

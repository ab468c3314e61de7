/* Parameters of the freedoms of joints and of their motors: which exist, their values and units, and changes of them in
 * a copy of a model. */
#pragma once

#include "dynamics/model/model.h"
#include "dynamics/model/parameter.h"

/* Returns whether a kind of parameter belongs to the freedoms of joints. */
static inline bool abut_parameter_of_joint(AbutParameterKind kind)
{
	return kind >= ABUT_PARAMETER_MOTOR && kind < ABUT_PARAMETER_COUNT;
}

/* Returns whether steps have no derivative by parameters of the kind because the model has joints. */
static inline bool abut_joint_parameter_bars(const AbutModel *model, AbutParameterKind kind)
{
	return model->joints.n > 0 && (kind == ABUT_PARAMETER_TIMESTEP || kind == ABUT_PARAMETER_CENTRE_OF_MASS);
}

/* Returns why freedom `axis` of the joint has no parameter of the kind, such as "it has no motor"; NULL if it has. */
const char *abut_joint_parameter_missing(const AbutModel *model, int joint, int axis, AbutParameterKind kind);
/* Returns the SI value of a parameter that exists. */
double abut_joint_parameter_value(const AbutModel *model, const AbutParameter *parameter);
/* Returns one model unit of a parameter that exists, in SI. */
double abut_joint_parameter_unit(const AbutModel *model, const AbutParameter *parameter);

/* Sets a parameter. Returns NULL, or why no model can have the value. */
const char *abut_joint_parameter_set(AbutModel *model, const AbutParameter *parameter, double value);
/* Returns NULL, or why the freedom of the parameter is impossible after all changes. */
const char *abut_joint_parameter_check(const AbutModel *model, const AbutParameter *parameter);

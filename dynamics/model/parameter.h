/* Checks, parts and units of a model's parameters. */
#pragma once

#include "abut/parameter.h"
#include "dynamics/model/model.h"

/* Returns ABUT_OK if the model has the parameter; otherwise `error` gives the reason. */
AbutStatus abut_parameter_check(const AbutModel *model, const AbutParameter *parameter, AbutError *error);

/* Returns whether the model's method has derivatives with respect to parameters of the kind. */
bool abut_parameter_supported(const AbutModel *model, AbutParameterKind kind);

/* Returns whether the parameter belongs to a part of a body. */
static inline bool abut_parameter_of_part(const AbutParameter *parameter)
{
	return parameter->body >= 0 && parameter->part >= 0;
}

/* Returns the index into AbutModel.parts of the part of a parameter (a size, face or pose of a part). */
int abut_parameter_part(const AbutModel *model, const AbutParameter *parameter);

/* Computes the row-major index of an entry of a symmetric matrix, and of its mirror entry, from `index` 0 to 5 (xx, yy,
 * zz, xy, xz, yz). */
void abut_parameter_inertia_entry(int index, int entry[2]);

/* Returns one model unit of the parameter, in SI. A derivative with respect to the model value, divided by this unit,
 * is the derivative with respect to the SI value. */
double abut_parameter_unit(const AbutModel *model, const AbutParameter *parameter);

/* Parameters from inside: which there are, their parts and units. */
#ifndef DYNAMICS_MODEL_PARAMETER_H
#define DYNAMICS_MODEL_PARAMETER_H

#include "abut/parameter.h"
#include "dynamics/model/model.h"

/* ABUT_OK when the model has the parameter; otherwise `error` tells why not. */
AbutStatus abut_parameter_check(const AbutModel *model, const AbutParameter *parameter, AbutError *error);

/* Returns whether steps of the model's method are differentiated by parameters of the kind. */
bool abut_parameter_supported(const AbutModel *model, AbutParameterKind kind);

/* Of size, face and a part's pose: the part, in AbutModel.parts. */
int abut_parameter_part(const AbutModel *model, const AbutParameter *parameter);

/* Entry of a symmetric matrix (row-major) for index 0 to 5: xx, yy, zz, xy, xz, yz; and its mirror image. */
void abut_parameter_inertia_entry(int index, int entry[2]);

/* What one model unit of the parameter is in SI: a derivative by the parameter in model units, divided by this, is that
 * by its SI value. */
double abut_parameter_unit(const AbutModel *model, const AbutParameter *parameter);

#endif

/* The parameters of a model: checks, parts and units. */
#ifndef DYNAMICS_MODEL_PARAMETER_H
#define DYNAMICS_MODEL_PARAMETER_H

#include "abut/parameter.h"
#include "dynamics/model/model.h"

/* Returns ABUT_OK if the model has the parameter; otherwise `error` says why not. */
AbutStatus abut_parameter_check(const AbutModel *model, const AbutParameter *parameter, AbutError *error);

/* Returns whether the model's method has derivatives by parameters of the kind. */
bool abut_parameter_supported(const AbutModel *model, AbutParameterKind kind);

/* Returns the index into AbutModel.parts of the parameter's part, for sizes, faces and poses of parts. */
int abut_parameter_part(const AbutModel *model, const AbutParameter *parameter);

/* Returns the entry of a symmetric matrix (row-major) for index 0 to 5 (xx, yy, zz, xy, xz, yz), and its mirror
 * entry. */
void abut_parameter_inertia_entry(int index, int entry[2]);

/* Returns one model unit of the parameter in SI. Divide a derivative in model units by it to get the one by the SI
 * value. */
double abut_parameter_unit(const AbutModel *model, const AbutParameter *parameter);

#endif

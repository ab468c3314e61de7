/* The derivative of a step. */
#ifndef ABUT_GRADIENT_H
#define ABUT_GRADIENT_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body's state as the derivative sees it, before and after the step: the tangent space of abut/collide.h, at the
 * centre of mass. SI. */
enum {
	ABUT_GRADIENT_POSITION = 0, /* m, of the centre of mass, world */
	ABUT_GRADIENT_ROTATION = 3, /* rad, small angles about the body's own axes, q <- q * exp(phi / 2) */
	ABUT_GRADIENT_LINEAR = 6,   /* m/s, of the centre of mass, world */
	ABUT_GRADIENT_ANGULAR = 9,  /* rad/s, body axes */
	ABUT_GRADIENT_ROWS = 12,
	ABUT_GRADIENT_FORCE = 12,  /* columns alone: N, world */
	ABUT_GRADIENT_TORQUE = 15, /* N m, body axes */
	ABUT_GRADIENT_COLUMNS = 18
};

typedef struct AbutGradient AbutGradient;

/* `kappa`: 0 for the derivative at the exact solution, with open contacts dropped; else that of the step on the central
 * path at kappa, up to 1. */
ABUT_API AbutStatus abut_gradient_create(const AbutModel *model, double kappa, AbutGradient **out, AbutError *error);
ABUT_API void abut_gradient_destroy(AbutGradient *gradient);

/* abut_step, and the derivative of what it does, at the solution it ends at. */
ABUT_API AbutStatus abut_step_differentiate(const AbutModel *model, AbutState *state, AbutWorkspace *workspace,
                                            AbutGradient *gradient, AbutStepInfo *info);

/* The matrix of the last step: ABUT_GRADIENT_ROWS n rows, ABUT_GRADIENT_COLUMNS n columns, row-major, for n moving
 * bodies in the order of the model. */
ABUT_API AbutStatus abut_gradient_matrix(const AbutGradient *gradient, double *out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

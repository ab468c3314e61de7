/* Measures the time of the derivative of a step (jacobian_time.h). */
#include "experiments/robots/jacobian_time.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "dynamics/model/model.h"

AbutStatus abut_jacobian_clock_create(const AbutWorld *world, AbutJacobianClock *out, AbutError *error)
{
	const size_t n = (size_t)world->model->n_moving;
	*out = (AbutJacobianClock){NULL, NULL,
	                           malloc(ABUT_GRADIENT_ROWS * n * ABUT_GRADIENT_COLUMNS * n * sizeof(double))};
	if (!out->matrix) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a step");
	}
	AbutStatus status = abut_state_create(world->model, &out->state, error);
	ABUT_THEN(status, abut_gradient_create(world->model, 0.0, &out->gradient, error));
	return status;
}

void abut_jacobian_clock_destroy(AbutJacobianClock *clock)
{
	abut_gradient_destroy(clock->gradient);
	abut_state_destroy(clock->state);
	free(clock->matrix);
}

void abut_jacobian_clock_measure(const AbutWorld *world, const AbutJacobianClock *clock, AbutJacobianTime *out)
{
	AbutStepInfo info = {.row = 0};
	abut_state_copy(world->model, world->state, clock->state);
	double start = abut_thread_us();
	abut_step(world->model, clock->state, world->workspace, &info);
	out->step_us = fmin(out->step_us, abut_thread_us() - start);
	abut_state_copy(world->model, world->state, clock->state);
	start = abut_thread_us();
	abut_step_differentiate(world->model, clock->state, world->workspace, clock->gradient, &info);
	out->exists = abut_gradient_matrix(clock->gradient, clock->matrix, NULL) == ABUT_OK;
	out->both_us = fmin(out->both_us, abut_thread_us() - start);
}

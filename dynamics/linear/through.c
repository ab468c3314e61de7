/* Chains the derivatives of the steps of a rollout in joint coordinates. Tested in
 * tests/dynamics/linear/test_linear_products.c. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/linear/linear.h"

/* Checks that the steps are given, and that they are derivatives of the same model by equally many parameters. */
static AbutStatus check(int n, AbutLinear *const *steps, const void *in, const void *out, AbutError *error)
{
	if (n < 1 || !steps || !steps[0] || !in || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "1 or more steps and the vectors must be given");
	}
	for (int k = 1; k < n; k++) {
		if (!steps[k] || steps[k]->model != steps[0]->model ||
		    steps[k]->n_parameters != steps[0]->n_parameters) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, "steps",
			                      "%d is not given, or of another model or of other parameters than step 0",
			                      k);
		}
	}
	return ABUT_OK;
}

/* Sets `error` to that of step k, from that of its derivative. */
static AbutStatus report_step(AbutStatus status, int k, const AbutError *why, AbutError *error)
{
	return abut_error_set(error, status, NULL, "step %d: %s", k, why->message);
}

static AbutStatus no_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a rollout");
}

AbutStatus abut_linear_backward_through(int n, AbutLinear *const *steps, const double *by_states, double *by_start,
                                        double *by_inputs, double *by_parameters, AbutError *error)
{
	ABUT_TRY(check(n, steps, by_states, by_states, error));
	const size_t n_x = (size_t)steps[0]->n_x, n_u = (size_t)steps[0]->n_motors;
	const size_t n_p = (size_t)steps[0]->n_parameters;
	double *memory = calloc(2 * n_x + n_u + 2 * n_p + 1, sizeof *memory);
	if (!memory) {
		return no_memory(error);
	}
	double *by = memory, *before = by + n_x, *inputs = before + n_x, *own = inputs + n_u, *sum = own + n_p;
	AbutStatus status = ABUT_OK;
	memcpy(by, &by_states[(size_t)n * n_x], n_x * sizeof *by);
	for (int k = n - 1; status == ABUT_OK && k >= 0; k--) {
		AbutError why = {.message = ""};
		status = abut_linear_backward(steps[k], by, before, inputs, own, &why);
		if (status != ABUT_OK) {
			report_step(status, k, &why, error);
			break;
		}
		for (size_t i = 0; i < n_x; i++) {
			by[i] = before[i] + by_states[(size_t)k * n_x + i];
		}
		for (size_t i = 0; i < n_p; i++) {
			sum[i] += own[i];
		}
		if (by_inputs) {
			memcpy(&by_inputs[(size_t)k * n_u], inputs, n_u * sizeof *by_inputs);
		}
	}
	if (status == ABUT_OK && by_start) {
		memcpy(by_start, by, n_x * sizeof *by_start);
	}
	if (status == ABUT_OK && by_parameters) {
		memcpy(by_parameters, sum, n_p * sizeof *by_parameters);
	}
	free(memory);
	return status;
}

AbutStatus abut_linear_forward_through(int n, AbutLinear *const *steps, const double *start, const double *inputs,
                                       const double *parameters, double *out, AbutError *error)
{
	ABUT_TRY(check(n, steps, start, out, error));
	const size_t n_x = (size_t)steps[0]->n_x, n_u = (size_t)steps[0]->n_motors;
	memmove(out, start, n_x * sizeof *out);
	for (int k = 0; k < n; k++) {
		AbutError why = {.message = ""};
		const AbutStatus status =
		    abut_linear_forward(steps[k], out, inputs ? &inputs[(size_t)k * n_u] : NULL, parameters, out, &why);
		if (status != ABUT_OK) {
			return report_step(status, k, &why, error);
		}
	}
	return ABUT_OK;
}

/* Computes the gradient of a loss through a step of method lcp. On request also computes it with the sets of clamped
 * and separated points that would reduce the loss (dynamics/methods/lcp/gradient_sets.c), and returns the longer of the
 * two gradients. Tested in tests/dynamics/methods/lcp/test_lcp_loss.c. */
#include <stdlib.h>

#include "abut/lcp.h"
#include "base/error.h"
#include "dynamics/methods/lcp/gradient_step.h"

/* Computes out = D' loss. */
static void multiply(int n, const double *derivative, const double *loss, double *out)
{
	const int width = ABUT_LCP_COLUMNS * n;
	for (int c = 0; c < width; c++) {
		out[c] = 0.0;
	}
	for (int r = 0; r < ABUT_LCP_ROWS * n; r++) {
		for (int c = 0; c < width; c++) {
			out[c] += loss[r] * derivative[(size_t)r * (size_t)width + (size_t)c];
		}
	}
}

/* Returns the squared length of a gradient: |d/d velocities|^2 + |d/d forces and torques|^2 / timestep, in SI. */
static double strength(const AbutModel *model, const double *gradient)
{
	double sum = 0.0;
	for (int i = 0; i < model->n_moving; i++) {
		const double *own = &gradient[ABUT_LCP_COLUMNS * i];
		for (int k = ABUT_LCP_LINEAR; k < ABUT_LCP_MASS; k++) {
			sum += own[k] * own[k] / (k < ABUT_LCP_FORCE ? 1.0 : model->timestep_si);
		}
	}
	return sum;
}

/* Replaces the gradient `out` by the gradient with the sets that the loss asks for, if the latter exists and is longer.
 * Sets `switched` to true in this case. */
static void try_other_sets(const AbutModel *model, const AbutWorkspace *w, const double *loss, double *matrix,
                           double *out, bool *switched)
{
	double *other =
	    matrix + (size_t)(ABUT_LCP_ROWS * ABUT_LCP_COLUMNS) * (size_t)model->n_moving * (size_t)model->n_moving;
	if (abut_lcp_gradient_towards(model, w, loss, matrix, NULL) != ABUT_OK) {
		return;
	}
	multiply(model->n_moving, matrix, loss, other);
	if (strength(model, other) > strength(model, out)) {
		for (int i = 0; i < ABUT_LCP_COLUMNS * model->n_moving; i++) {
			out[i] = other[i];
		}
		*switched = true;
	}
}

AbutStatus abut_lcp_loss_gradient(const AbutModel *model, const AbutWorkspace *w, const double *loss, bool aware,
                                  double *out, bool *switched, AbutError *error)
{
	bool taken = false;
	if (!model || !loss || !out) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "model, its workspace, loss and out must be given");
	}
	const size_t n = (size_t)model->n_moving;
	ABUT_TRY(abut_error_unless_finite("loss", ABUT_LCP_ROWS * n, loss, error));
	double *matrix = malloc((ABUT_LCP_ROWS * ABUT_LCP_COLUMNS * n * n + ABUT_LCP_COLUMNS * n + 1) * sizeof *matrix);
	if (!matrix) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the derivative of a step");
	}
	AbutStatus status = abut_lcp_gradient(model, w, matrix, error);
	if (status == ABUT_OK) {
		multiply(model->n_moving, matrix, loss, out);
		if (aware) {
			try_other_sets(model, w, loss, matrix, out, &taken);
		}
	}
	if (switched) {
		*switched = taken;
	}
	free(matrix);
	return status;
}

/* The gradient of a loss through a step of method lcp, and that which is aware of complementarity (Nimble, IV-D). A
 * point that is pressed together keeps its velocity whatever a small force does, so that nothing tells a force to lift
 * a body; one that is apart has no force. With h = (dv+ of the state after)' dl, an impulse at point i changes the loss
 * by J_i M^-1 h: where that is negative the loss wants the point to part, and it separates; where positive it clamps.
 * All else is as dynamics/methods/lcp/gradient_step.c does it. Tested in tests/dynamics/methods/lcp/test_lcp_loss.c. */
#include "dynamics/methods/lcp/gradient_loss.h"

#include <stdlib.h>

#include "base/error.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/lcp/gradient.h"
#include "dynamics/methods/lcp/gradient_step.h"
#include "dynamics/step/workspace.h"

/* h of a body, in model units: positions and rotations after the step follow its velocities. */
static void loss_by_velocity(const AbutLcpDerivative *g, int index, double h[6])
{
	const AbutBodyWork *body = abut_derivative_body_of(g, index);
	const double *given = &g->loss[ABUT_LCP_ROWS * g->model->bodies[body->body].moving];
	double loss[ABUT_LCP_ROWS], turned[3], by_turn[3], by_spin[3];
	for (int r = 0; r < ABUT_LCP_ROWS; r++) {
		loss[r] = given[r] * abut_tangent_unit(&g->model->units, r);
	}
	abut_mat3_vec(body->R, &loss[ABUT_LCP_ROTATION], turned);
	abut_mat3_tvec(body->G, turned, by_turn);
	abut_mat3_vec(body->R0, &loss[ABUT_LCP_ANGULAR], by_spin);
	for (int i = 0; i < 3; i++) {
		h[i] = g->model->timestep * loss[ABUT_LCP_POSITION + i] + loss[ABUT_LCP_LINEAR + i];
		h[3 + i] = by_turn[i] + by_spin[i];
	}
}

/* J_row M^-1 h, or 0 where it is that but for rounding. */
static double loss_by_impulse(const AbutLcpDerivative *g, int row)
{
	static const double rounding = 0x1p-40;
	double sum = 0.0, size = 0.0;
	for (int s = 0; s < 2; s++) {
		const int body = g->room.rows[row].body[s];
		double h[6];
		if (body < 0) {
			continue;
		}
		loss_by_velocity(g, body, h);
		for (int k = 0; k < 6; k++) {
			const double term = g->room.rows[row].W[6 * s + k] * h[k];
			sum += term;
			size += fabs(term);
		}
	}
	return fabs(sum) > rounding * size ? sum : 0.0;
}

/* Friction keeps its sets where the normal stays as it is; a point that separates has none, and one that clamps anew
 * begins without. */
void abut_lcp_change_sets(const AbutLcpDerivative *g)
{
	AbutBoxedSet *set = g->room.boxed.set;
	for (int row = 0; row < g->n_rows; row++) {
		const int normal = g->room.friction[row];
		if (normal >= 0) {
			continue;
		}
		const double change = loss_by_impulse(g, row);
		const AbutBoxedSet before = set[row];
		if (before != ABUT_BOXED_IDLE && change != 0.0) {
			set[row] = change < 0.0 ? ABUT_BOXED_LOWER : ABUT_BOXED_CLAMPED;
		}
		for (int i = row + 1; set[row] != before && i < g->n_rows && g->room.friction[i] == row; i++) {
			set[i] = ABUT_BOXED_IDLE;
		}
	}
}

/* out = D' loss. */
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

/* |by velocities|^2 + |by forces and torques|^2 / timestep */
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

/* Where the sets that the loss asks for have no derivative, the other gradient stands. */
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
	AbutStatus status = abut_error_unless_finite("loss", ABUT_LCP_ROWS * n, loss, error);
	if (status != ABUT_OK) {
		return status;
	}
	double *matrix = malloc((ABUT_LCP_ROWS * ABUT_LCP_COLUMNS * n * n + ABUT_LCP_COLUMNS * n + 1) * sizeof *matrix);
	if (!matrix) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the derivative of a step");
	}
	status = abut_lcp_gradient(model, w, matrix, error);
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

/* Solves the inverse problem of method convex: finds the forces and torques that lead from one state to another in a
 * step. The velocities v+ at the end give the accelerations, and these give the contact forces f in closed form. With
 * convex_model "barrier" the forces follow directly from the velocities. Free flight must then have ended with v* = v+
 * - dt M^-1 J' f. The residual of its momentum balance at v* is added to the inputs of the state.
 *
 * Tested in tests/dynamics/methods/convex/test_convex_inverse.c. */
#include "dynamics/methods/convex/inverse.h"

#include <string.h>

#include "abut/convex.h"

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/convex/barrier.h"
#include "dynamics/methods/convex/coupling.h"
#include "dynamics/methods/convex/equality.h"
#include "dynamics/methods/convex/rows.h"
#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/methods/manifold/step.h"
#include "dynamics/state/state.h"
#include "dynamics/step/workspace.h"

/* Copies the velocities of `after` to `next` of the island's bodies, in world axes and model units. */
static void read_velocities(const AbutLcpIsland *island, const AbutState *after)
{
	const AbutUnits *u = &island->model->units;
	for (int i = 0; i < island->n_moving; i++) {
		const AbutBodyWork *body = island->moving[i];
		const AbutBodyState *s = &after->motion[body->body].at;
		double *next = abut_lcp_work(island->w)->bodies[body->body].next;
		abut_mat3_vec(body->R0, s->angular_velocity, &next[3]);
		abut_divide3(s->linear_velocity, u->velocity, next);
		abut_scale3(u->time, &next[3], &next[3]);
	}
}

/* Computes the accelerations that lead to the velocities `next`, into the room's soft.a. */
static void find_accelerations(const AbutLcpIsland *island)
{
	for (int i = 0; i < island->n_moving; i++) {
		const AbutBodyWork *body = island->moving[i];
		const double *next = abut_lcp_work(island->w)->bodies[body->body].next;
		double *a = &abut_convex_room(island->room)->soft.a[6 * i];
		for (int k = 0; k < 3; k++) {
			a[k] = (next[k] - body->v0[k]) / island->model->timestep;
			a[3 + k] = (next[3 + k] - body->w0[k]) / island->model->timestep;
		}
	}
}

/* Replaces v+ in `next` by v* = v+ - M^-1 J' x. */
static void take_impulses(const AbutLcpIsland *island)
{
	for (int row = 0; row < island->n_rows; row++) {
		const AbutLcpRow *of = &island->room->rows[row];
		for (int s = 0; s < 2; s++) {
			for (int k = 0; of->body[s] >= 0 && k < 6; k++) {
				abut_lcp_work(island->w)->bodies[island->moving[of->body[s]]->body].next[k] -=
				    island->room->boxed.x[row] * of->W[6 * s + k];
			}
		}
	}
}

/* Computes the force and torque with which free flight leads a body to v*, in SI. Returns false if v* turns the body
 * too far. */
static bool read_input(const AbutLcpIsland *island, AbutBodyWork *body, double *force, double *torque)
{
	const AbutModel *model = island->model;
	const AbutUnits *u = &model->units;
	const int first = 3 * body->body;
	const double *flown = abut_lcp_work(island->w)->bodies[body->body].next;
	double r[6], own[3];
	if (!(0.5 * model->timestep * abut_norm3(&flown[3]) < ABUT_LARGEST_HALF_TURN)) {
		return false;
	}
	abut_body_move(body, model->timestep, flown);
	abut_body_residual(body, model->timestep, r);
	if (body->planar) {
		r[1] = r[3] = r[5] = 0.0;
	}
	abut_mat3_tvec(body->R0, &r[3], own);
	for (int k = 0; k < 3; k++) {
		force[first + k] = island->state->force[first + k] + r[k] / model->timestep * u->impulse / u->time;
		torque[first + k] = island->state->torque[first + k] + own[k] / model->timestep * u->torsion / u->time;
	}
	return true;
}

static void find_soft_impulses(AbutLcpIsland *island)
{
	const AbutConvexRoom *room = abut_convex_room(island->room);
	const AbutSoftProblem problem = abut_convex_problem(island);
	find_accelerations(island);
	abut_soft_forces(&problem, room->soft.a, room->soft.force);
	abut_convex_impulses(island, &problem);
}

/* --- of robots --- */

AbutStatus abut_convex_prepare_motion(const AbutModel *model, const AbutState *before, AbutWorkspace *w,
                                      AbutError *error)
{
	if (model->options.convex_model != ABUT_CONVEX_MODEL_SOFT) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.convex_model",
		                      "is \"barrier\"; inverse dynamics of robots needs \"soft\"");
	}
	return abut_lcp_prepare(model, before, w);
}

void abut_convex_apply_motion(const AbutModel *model, const AbutState *before, AbutWorkspace *w, int index)
{
	AbutLcpIsland island = abut_lcp_island(model, before, w, index, 0);
	for (int i = 0; i < island.n_moving; i++) {
		const AbutBodyWork *body = island.moving[i];
		double *next = abut_lcp_work(w)->bodies[body->body].next;
		abut_copy3(body->v, next);
		abut_copy3(body->w, &next[3]);
	}
	if (island.jointed) {
		abut_convex_find_equalities(&island);
	}
	find_soft_impulses(&island);
	if (island.jointed) {
		abut_convex_soften_couplings(&island);
		abut_convex_coupling_impulses(&island);
		memset(island.room->columns.x, 0, (size_t)island.n_rows * sizeof *island.room->columns.x);
		abut_jointed_load(&island);
		return;
	}
	take_impulses(&island);
	for (int i = 0; i < island.n_moving; i++) {
		abut_body_move(island.moving[i], model->timestep,
		               abut_lcp_work(w)->bodies[island.moving[i]->body].next);
	}
}

/* --- of bodies --- */

static AbutStatus invert(AbutLcpIsland *island, const AbutState *after, double *force, double *torque, AbutError *error)
{
	read_velocities(island, after);
	if (!abut_convex_room(island->room)->barrier.used) {
		find_soft_impulses(island);
	} else if (!abut_barrier_impulses(island)) {
		return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL,
		                      "the forces of a contact cannot be had to working precision at kappa %g",
		                      island->model->options.kappa);
	}
	take_impulses(island);
	for (int i = 0; i < island->n_moving; i++) {
		if (!read_input(island, island->moving[i], force, torque)) {
			return abut_error_set(
			    error, ABUT_ERROR_NUMERICAL, NULL,
			    "body '%s' turns too far in the step; its half turn |timestep w / 2| must "
			    "be at most %.2g",
			    island->model->bodies[island->moving[i]->body].name, ABUT_LARGEST_HALF_TURN);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_convex_inverse(const AbutModel *model, AbutWorkspace *workspace, const AbutState *before,
                               const AbutState *after, double *force, double *torque, AbutError *error)
{
	if (!model || !workspace || !before || !after || !force || !torque || workspace->model != model ||
	    before->model != model || after->model != model) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "model, its workspace, two of its states, force and torque must be given");
	}
	if (model->options.method != ABUT_METHOD_CONVEX) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.method",
		                      "is \"%s\", which has no inverse dynamics; use \"convex\"",
		                      abut_method_name(model->options.method));
	}
	if (model->joints.n > 0) {
		return abut_error_set(
		    error, ABUT_ERROR_UNSUPPORTED, "joints",
		    "joint '%s': this function is for bodies without joints; use inverse dynamics of robots",
		    model->joints.at[0].name);
	}
	workspace->n_reported = 0;
	memset(force, 0, 3 * (size_t)model->n_bodies * sizeof *force);
	memset(torque, 0, 3 * (size_t)model->n_bodies * sizeof *torque);
	AbutStatus status = abut_lcp_prepare(model, before, workspace);
	if (status != ABUT_OK) {
		return status == ABUT_ERROR_MEMORY
		           ? abut_error_set(error, status, NULL, "out of memory in inverse dynamics")
		           : abut_error_set(error, status, NULL,
		                            "an island has more than %d rows, the most of a dense matrix",
		                            (int)ABUT_DENSE_MAX);
	}
	for (int i = 0; status == ABUT_OK && i < workspace->partition.n_islands; i++) {
		AbutLcpIsland island = abut_lcp_island(model, before, workspace, i, 0);
		status = invert(&island, after, force, torque, error);
	}
	return status;
}

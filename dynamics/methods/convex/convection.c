/* Finds T q' of an island's bodies, along trees of its joints. */
#include "dynamics/methods/convex/convection.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/island/island.h"
#include "dynamics/model/joint.h"
#include "dynamics/step/workspace.h"
#include "solver/lcp/small_lu.h"

enum { BEFORE, AFTER, TIMES }; /* mean velocities of the step before, and of the step */

static double *of_body(const AbutLcpIsland *island, int body, int time)
{
	return &abut_convex_room(island->room)->along[6 * (TIMES * body + time)];
}

static double velocity_of(const AbutBodyWork *body, int time, int k)
{
	const double *v = time == BEFORE ? body->v0 : body->v, *w = time == BEFORE ? body->w0 : body->w;
	return k < 3 ? v[k] : w[k - 3];
}

/* Sets T q' of a body whose coordinates are the place of its frame, at -a from the centre of mass, and its turn. The
 * arm a turns by da in the step, so the frame moves by dt v - da. */
static void set_root(const AbutLcpIsland *island, const AbutBodyWork *body, int time)
{
	const AbutModel *model = island->model;
	const double dt = model->timestep, sign = time == BEFORE ? -1.0 : 1.0;
	double *out = of_body(island, body->moving, time);
	double own[3], arm[3], w[3], turned[3], cross[3], again[3];
	abut_divide3(model->bodies[body->body].centre_of_mass, model->units.length, own);
	abut_mat3_vec(body->R0, own, arm);
	for (int k = 0; k < 3; k++) {
		out[k] = velocity_of(body, time, k);
		w[k] = out[3 + k] = velocity_of(body, time, 3 + k);
	}
	/* E(w) a = a + dt (c w x a + dt w x (w x a) / 2), with c from 1 = c^2 + dt^2 w.w / 4 */
	const double c = sqrt(abut_max(1.0 - 0.25 * dt * dt * abut_dot3(w, w), 0.0));
	abut_cross3(w, arm, cross);
	abut_cross3(w, cross, again);
	for (int k = 0; k < 3; k++) {
		turned[k] = c * cross[k] + sign * 0.5 * dt * again[k];
		out[k] += cross[k] - turned[k];
	}
}

/* Returns the rate of a joint's freedom. */
static double rate_of(const AbutJointWork *joint, int freedom, int time)
{
	return time == BEFORE ? joint->axis[freedom].from.last_rate : joint->axis[freedom].rate;
}

/* Returns whether the joint is a ball on which nothing acts, whose freedoms have no rows. */
static bool is_free_ball(const AbutJointWork *joint)
{
	return joint->joint->type == ABUT_JOINT_BALL && joint->joint->kind->n_freedoms == 0 &&
	       !joint->joint->soft.yields;
}

static int rows_of(const AbutJointWork *joint)
{
	return joint->joint->n_held + (is_free_ball(joint) ? 3 : joint->joint->kind->n_freedoms);
}

/* Sets the rate of turn of a ball's child in its parent, in axes that turn with the child: those of the world at the
 * start of the step. conj(q_a) q_b of the turns of both in a step has the vector part c_a w_b - c_b w_a -+ dt/2 w_a x
 * w_b (times dt/2). */
static void spin_of(const AbutLcpIsland *island, const AbutJointWork *joint, int time, double out[3])
{
	const double dt = island->model->timestep;
	double w[2][3] = {{0.0}}, c[2], cross[3];
	for (int s = 0; s < 2; s++) {
		for (int k = 0; joint->body[s]->moving >= 0 && k < 3; k++) {
			w[s][k] = velocity_of(joint->body[s], time, 3 + k);
		}
		c[s] = sqrt(abut_max(1.0 - 0.25 * dt * dt * abut_dot3(w[s], w[s]), 0.0));
	}
	abut_cross3(w[0], w[1], cross);
	for (int k = 0; k < 3; k++) {
		out[k] = c[0] * w[1][k] - c[1] * w[0][k] + (time == BEFORE ? 0.5 : -0.5) * dt * cross[k];
	}
}

/* Sets T q' of the body on one side of a joint from that on the other: the rows of the joint give its rates, and 0 in
 * the directions that it holds. Solved by least squares, since planar bodies fulfil some rows by themselves. */
static void pass_on(const AbutLcpIsland *island, const AbutJointWork *joint, int to)
{
	static const double unit[3][6] = {{[3] = 1.0}, {[4] = 1.0}, {[5] = 1.0}};
	static const double against[3][6] = {{[3] = -1.0}, {[4] = -1.0}, {[5] = -1.0}};
	const AbutBodyWork *from = joint->body[1 - to], *body = joint->body[to];
	const int held = joint->joint->n_held, n = rows_of(joint);
	double K[36] = {0.0}, x[TIMES][6] = {{0.0}}, spin[TIMES][3];
	int pivots[6];
	spin_of(island, joint, BEFORE, spin[BEFORE]);
	spin_of(island, joint, AFTER, spin[AFTER]);
	for (int i = 0; i < n; i++) {
		const bool spins = i >= held && is_free_ball(joint);
		const double *g = &joint->start[i][abut_joint_column[to]];
		const double *h = &joint->start[i][abut_joint_column[1 - to]];
		if (spins) {
			g = to == 1 ? unit[i - held] : against[i - held];
			h = to == 1 ? against[i - held] : unit[i - held];
		}
		for (int time = 0; time < TIMES; time++) {
			double asked = i < held ? 0.0 : spins ? spin[time][i - held] : rate_of(joint, i - held, time);
			for (int k = 0; from->moving >= 0 && k < 6; k++) {
				asked -= h[k] * of_body(island, from->moving, time)[k];
			}
			abut_add_scaled3(x[time], asked, g, x[time]);
			abut_add_scaled3(&x[time][3], asked, &g[3], &x[time][3]);
		}
		for (int k = 0; k < 36; k++) {
			K[k] += g[k / 6] * g[k % 6];
		}
	}
	for (int k = 1; body->planar && k < 6; k += 2) {
		K[7 * k] = 1.0;
	}
	if (!abut_small_lu_factorise(6, K, pivots, NULL)) {
		set_root(island, body, BEFORE);
		set_root(island, body, AFTER);
		return;
	}
	for (int time = 0; time < TIMES; time++) {
		abut_small_lu_solve(6, K, pivots, x[time]);
		memcpy(of_body(island, body->moving, time), x[time], sizeof x[time]);
	}
}

static bool is_done(const AbutConvexRoom *room, const AbutBodyWork *body)
{
	return body->moving < 0 || room->done[body->moving];
}

/* Goes from the bodies that are done along the joints, forwards and backwards, as long as it finds new ones. */
static void spread(const AbutLcpIsland *island)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	AbutContactProblem *problem = &island->jointed->problem;
	bool found = true;
	for (int pass = 0; found; pass++) {
		found = false;
		for (int i = 0; i < problem->n_joints; i++) {
			AbutJointWork *joint = &problem->joints[pass % 2 == 0 ? i : problem->n_joints - 1 - i];
			const bool done[2] = {is_done(room, joint->body[0]), is_done(room, joint->body[1])};
			if (rows_of(joint) == 6 && done[0] != done[1]) {
				const int to = done[0] ? 1 : 0;
				pass_on(island, joint, to);
				room->done[joint->body[to]->moving] = found = true;
			}
		}
	}
}

/* Finds the bodies that are tied to joints, and those that are the child of one. The others are done. */
static void mark(const AbutLcpIsland *island)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	const AbutContactProblem *problem = &island->jointed->problem;
	const size_t size = (size_t)island->n_moving * sizeof(bool);
	memset(room->child, 0, size);
	memset(room->tied, 0, size);
	for (int i = 0; i < 2 * problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i / 2];
		const int body = joint->body[i % 2]->moving;
		if (body >= 0) {
			room->tied[body] = true;
			room->child[body] = room->child[body] || (i % 2 == 1 && !joint->joint->soft.yields);
		}
	}
	for (int i = 0; i < island->n_moving; i++) {
		room->done[i] = !room->tied[i];
		for (int k = 0; !room->tied[i] && k < 6 * TIMES; k++) {
			of_body(island, i, k / 6)[k % 6] = velocity_of(island->moving[i], k / 6, k % 6);
		}
	}
}

static void start_trees(const AbutLcpIsland *island, bool at_children)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	for (int i = 0; i < island->n_moving; i++) {
		if (!room->done[i] && room->child[i] == at_children) {
			set_root(island, island->moving[i], BEFORE);
			set_root(island, island->moving[i], AFTER);
			room->done[i] = true;
			spread(island);
		}
	}
}

void abut_convex_find_convection(const AbutLcpIsland *island)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	mark(island);
	spread(island);
	start_trees(island, false);
	start_trees(island, true); /* loops in which each body is a child */
	for (int i = 0; i < island->n_moving; i++) {
		for (int k = 0; k < 6; k++) {
			const double own =
			    velocity_of(island->moving[i], AFTER, k) - velocity_of(island->moving[i], BEFORE, k);
			const double along = of_body(island, i, AFTER)[k] - of_body(island, i, BEFORE)[k];
			room->convection[6 * i + k] = (own - along) / island->model->timestep;
		}
	}
}

double abut_convex_rate_along(const AbutLcpIsland *island, const AbutLcpRow *row)
{
	double sum = 0.0;
	for (int k = 0; k < 12; k++) {
		sum += row->body[k / 6] >= 0 ? row->J[k] * of_body(island, row->body[k / 6], AFTER)[k % 6] : 0.0;
	}
	return sum;
}

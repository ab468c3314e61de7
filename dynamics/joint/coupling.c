/* Implements couplings (coupling.h). Compared with closed forms of gears in tests/dynamics/joint/test_couplings.c. */
#include "dynamics/joint/coupling.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

void abut_coupling_row(const AbutCouplingWork *work, const AbutJointColumns *a, const AbutJointColumns *b,
                       AbutCouplingRow out)
{
	const AbutJointColumns *rows[2] = {a, b};
	memset(out, 0, sizeof(AbutCouplingRow));
	for (int i = 0; i < 4; i++) {
		const int end = i / 2, slot = work->slot[end][i % 2];
		const double *row = &rows[end][work->row[end]][abut_joint_column[i % 2]];
		for (int k = 0; slot >= 0 && k < 6; k++) {
			out[slot][k] += work->coupling->factor[end] * row[k];
		}
	}
}

/* --- setup --- */

/* Returns the place of a body in the list of the coupling's bodies, which it joins if it moves. */
static int slot_of(AbutCouplingWork *work, AbutBodyWork *body)
{
	int i = 0;
	while (i < work->n_bodies && work->body[i] != body) {
		i++;
	}
	if (body->moving < 0) {
		return -1;
	}
	if (i == work->n_bodies) {
		work->body[work->n_bodies++] = body;
	}
	return i;
}

/* Returns g M^-1 g': the inverse of the inertia that the impulse meets. */
static double mobility(const AbutCouplingWork *work, const AbutCouplingRow g)
{
	double sum = 0.0;
	for (int i = 0; i < work->n_bodies; i++) {
		double turn[3];
		abut_sym3_solve(work->body[i]->inertia, &g[i][3], turn);
		sum += abut_dot3(g[i], g[i]) / work->body[i]->mass + abut_dot3(&g[i][3], turn);
	}
	return sum;
}

/* Adds the impulse I to those that act on the joints. */
static void push(const AbutCouplingWork *work, double I)
{
	for (int end = 0; end < 2; end++) {
		work->joint[end]->axis[work->coupling->axis[end]].geared += work->coupling->factor[end] * I;
	}
}

double abut_coupling_start(const AbutCouplingWork *work, double timestep)
{
	const double last = work->joint[0]->last->timestep;
	return last > 0.0 ? timestep / last * work->last->impulse : 0.0;
}

void abut_coupling_begin(const AbutCoupling *coupling, AbutJointWork *a, AbutJointWork *b, AbutCouplingWork *work)
{
	*work = (AbutCouplingWork){.coupling = coupling, .joint = {a, b}};
	for (int end = 0; end < 2; end++) {
		work->row[end] = work->joint[end]->joint->n_held + coupling->axis[end];
		for (int s = 0; s < 2; s++) {
			work->slot[end][s] = slot_of(work, work->joint[end]->body[s]);
		}
	}
}

void abut_coupling_set_compliance(const AbutCouplingRow row, AbutCouplingWork *work)
{
	const double mobile = mobility(work, row);
	work->regular = abut_joint_delta * (mobile > 0.0 ? mobile : 1.0);
}

void abut_coupling_setup(const AbutCoupling *coupling, AbutCouplingMemory *last, AbutJointWork *a, AbutJointWork *b,
                         int y, double timestep, AbutCouplingWork *work)
{
	AbutCouplingRow g;
	abut_coupling_begin(coupling, a, b, work);
	work->last = last;
	work->at = y;
	abut_coupling_row(work, a->start, b->start, g);
	abut_coupling_set_compliance((const double(*)[6])g, work);
	push(work, abut_coupling_start(work, timestep));
}

/* --- equations --- */

void abut_couplings_push(AbutCouplingWork *couplings, int n, const double *y)
{
	for (int i = 0; i < 2 * n; i++) {
		const AbutCouplingWork *work = &couplings[i / 2];
		work->joint[i % 2]->axis[work->coupling->axis[i % 2]].geared = 0.0;
	}
	for (int i = 0; i < n; i++) {
		push(&couplings[i], y[couplings[i].at]);
	}
}

void abut_coupling_soften(AbutCouplingWork *work, double compliance, double goal)
{
	work->compliance = work->regular = compliance;
	work->goal = goal;
}

void abut_coupling_evaluate(AbutCouplingWork *work, double timestep, double impulse, double *r)
{
	const AbutCoupling *coupling = work->coupling;
	AbutCouplingRow j;
	bool moves = false; /* not where planar bodies hold both freedoms */
	abut_coupling_row(work, work->joint[0]->j, work->joint[1]->j, j);
	for (int i = 0; i < 6 * work->n_bodies; i++) {
		moves = moves || j[i / 6][i % 6] != 0.0;
	}
	work->value = abut_coupling_value(coupling, work->joint[0]->axis[coupling->axis[0]].c,
	                                  work->joint[1]->axis[coupling->axis[1]].c);
	*r = moves ? work->value / timestep : 0.0;
	if (work->compliance > 0.0) {
		*r = moves ? *r + work->compliance * impulse - work->goal : impulse;
	}
}

void abut_coupling_add(const AbutCouplingWork *work, const AbutCouplingRow g, const AbutCouplingRow j, double S,
                       double lane, const AbutBlockSystem *system)
{
	for (int i = 0; i < work->n_bodies * work->n_bodies; i++) {
		const int of = i / work->n_bodies, by = i % work->n_bodies;
		double *block = abut_block(system, work->body[of]->moving, work->body[by]->moving);
		for (int row = 0; row < 6; row++) {
			for (int k = 0; k < 6; k++) {
				block[row * ABUT_BLOCK_ROW + k] += S * g[of][row] * j[by][k];
			}
			block[row * ABUT_BLOCK_ROW + 6] += of == by ? lane * g[of][row] : 0.0;
		}
	}
}

void abut_coupling_condense(AbutCouplingWork *work, double residual, const AbutBlockSystem *system)
{
	AbutCouplingRow g, j;
	const double S = 1.0 / work->regular;
	abut_coupling_row(work, work->joint[0]->g, work->joint[1]->g, g);
	abut_coupling_row(work, work->joint[0]->j, work->joint[1]->j, j);
	work->residual = residual;
	abut_coupling_add(work, (const double(*)[6])g, (const double(*)[6])j, S, -S * residual, system);
}

double abut_coupling_recover(const AbutCouplingWork *work, const double *dv)
{
	AbutCouplingRow j;
	double sum = work->residual;
	abut_coupling_row(work, work->joint[0]->j, work->joint[1]->j, j);
	for (int i = 0; i < 6 * work->n_bodies; i++) {
		sum += j[i / 6][i % 6] * dv[6 * work->body[i / 6]->moving + i % 6];
	}
	return -sum / work->regular;
}

void abut_coupling_jacobian(const AbutCouplingWork *work, int n, double *J)
{
	AbutCouplingRow g, j;
	abut_coupling_row(work, work->joint[0]->g, work->joint[1]->g, g);
	abut_coupling_row(work, work->joint[0]->j, work->joint[1]->j, j);
	J[work->at + (long)work->at * n] += work->regular;
	for (int i = 0; i < 6 * work->n_bodies; i++) {
		const int own = 6 * work->body[i / 6]->moving + i % 6;
		J[work->at + (long)own * n] += j[i / 6][i % 6];
		J[own + (long)work->at * n] -= g[i / 6][i % 6];
	}
}

/* --- the solution --- */

void abut_coupling_keep(const AbutCouplingWork *work, double impulse)
{
	work->last->impulse = impulse;
	work->last->done += impulse;
	work->last->violation = fabs(work->value);
}

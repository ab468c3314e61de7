/* Writes the Jacobian of a joint's equations directly, without elimination: the reference for condense.c. */
#include "dynamics/joint/jacobian.h"

#include "dynamics/joint/turn.h"

typedef struct Writer {
	const AbutJointWork *work;
	double timestep;
	int n_y, n;
	double *J;
} Writer;

static double *entry(const Writer *w, int row, int column)
{
	return &w->J[row + (long)column * w->n];
}

/* Adds factor times the derivative of a row's rate to an equation. */
static void add_rate(const Writer *w, int i, double factor, int equation)
{
	for (int s = 0; s < 2; s++) {
		const int moving = w->work->body[s]->moving;
		for (int k = 0; moving >= 0 && k < 6; k++) {
			*entry(w, equation, 6 * moving + k) += factor * w->work->j[i][abut_joint_column[s] + k];
		}
	}
}

/* Adds the impulse `factor` of a row, per unit of an unknown, to the balances. */
static void add_impulse(const Writer *w, int i, double factor, int unknown)
{
	for (int s = 0; s < 2; s++) {
		const int moving = w->work->body[s]->moving;
		for (int k = 0; moving >= 0 && k < 6; k++) {
			*entry(w, 6 * moving + k, unknown) -= factor * w->work->g[i][abut_joint_column[s] + k];
		}
	}
}

/* Adds the passive impulse - slope c' of a row. */
static void add_slope(const Writer *w, int i, double slope)
{
	for (int s = 0; s < 2; s++) {
		const int moving = w->work->body[s]->moving;
		for (int k = 0; moving >= 0 && k < 6; k++) {
			add_rate(w, i, slope * w->work->g[i][abut_joint_column[s] + k], 6 * moving + k);
		}
	}
}

static void write_clip(const Writer *w, int row, const AbutClipped *clip)
{
	const int y = w->work->at.y + clip->psi_y, z = w->n_y + w->work->at.z + clip->z;
	*entry(w, y, z) -= 1.0;
	*entry(w, z, y) += 1.0;
	*entry(w, z + 1, z + 1) += clip->weight * clip->compliance * clip->scale;
	add_rate(w, row, clip->weight, z + 1);
	add_impulse(w, row, clip->scale, z + 1);
}

/* Writes what the spins of a ball share. */
static void write_spins(const Writer *w, const AbutClipped *clip)
{
	const int y = w->work->at.y + clip->psi_y, z = w->n_y + w->work->at.z + clip->z;
	*entry(w, y, z) -= 1.0;
	*entry(w, z, y) += 1.0;
	for (int i = 0; i < 3; i++) {
		const int row = w->work->joint->n_held + i, own = z + 1 + i;
		*entry(w, own, own) += clip->weight * clip->compliance * clip->scale;
		add_rate(w, row, clip->weight, own);
		add_impulse(w, row, clip->scale, own);
	}
}

static void write_axis(const Writer *w, int i)
{
	const AbutJointAxisWork *axis = &w->work->axis[i];
	const int row = w->work->joint->n_held + i;
	add_slope(w, row, axis->slope);
	if (axis->limits) {
		const int z = w->n_y + w->work->at.z + axis->limits_z;
		const double weight = abut_limit_weight * w->timestep;
		add_rate(w, row, weight, z);
		add_impulse(w, row, 1.0, z);
		if (axis->limits->dim > 1) {
			add_rate(w, row, -weight, z + 1);
			add_impulse(w, row, -1.0, z + 1);
		}
	}
	for (int k = 0; k < ABUT_CLIPS; k++) {
		if (axis->clip[k].there) {
			write_clip(w, row, &axis->clip[k]);
		}
	}
	if (axis->servo_y >= 0) {
		const int y = w->work->at.y + axis->servo_y;
		*entry(w, y, y) += axis->servo_compliance + axis->regular;
		add_rate(w, row, 1.0, y);
		add_impulse(w, row, 1.0, y);
	}
}

static void write_turn(const Writer *w)
{
	double turn[4][36];
	abut_joint_turn_of_rows(w->work, w->timestep, turn);
	for (int block = 0; block < 4; block++) {
		const int row = w->work->body[block / 2]->moving, column = w->work->body[block % 2]->moving;
		for (int i = 0; row >= 0 && column >= 0 && i < 36; i++) {
			*entry(w, 6 * row + i / 6, 6 * column + i % 6) -= turn[block][i];
		}
	}
}

void abut_joint_jacobian(const AbutJointWork *work, const AbutEdgeRoom *room, int n_y, int n, double *J)
{
	Writer w = {.work = work, .timestep = room->timestep, .n_y = n_y, .n = n};
	w.J = J;
	const int n_held = work->joint->n_held, places = abut_joint_kind_places(work->joint->kind);
	for (int i = 0; i < n_held; i++) {
		const int y = work->at.y + i;
		*entry(&w, y, y) += work->regular[i < places ? 0 : 1];
		add_rate(&w, i, 1.0, y);
		add_impulse(&w, i, 1.0, y);
	}
	for (int i = 0; i < work->joint->kind->n_laws; i++) {
		write_axis(&w, i);
	}
	for (int k = 0; abut_joint_spins_clipped(work) && k < ABUT_CLIPS; k++) {
		if (work->ball.clip[k].clip.there) {
			write_spins(&w, &work->ball.clip[k].clip);
		}
	}
	if (work->theta > 0.0 || abut_joint_bounded(work->joint)) {
		write_turn(&w);
	}
}

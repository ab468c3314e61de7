/* Eliminates the unknowns of a joint. Every row, held or free, has the form
 *
 *     dI = lane 0 + weight lane 1 - S j dv
 *
 * with the impulse I, the derivative j of its rate (k / dt or c') by the velocities of both bodies, and a stiffness S.
 * A held row has the compliance delta / C in place of 0, as an active row of a contact has: with its residual r,
 *
 *     j dv + (delta / C) dI = -r.
 *
 * The last impulse is where delta pulls to, so the solution is exact, and of the impulses of an overconstrained loop
 * those nearest to the last ones. The balances of the bodies are - g' I, so the system of the bodies receives g' S j,
 * and g' lane on the right. If the rows g take part in the end of the step (theta > 0), they change with the pose:
 * - theta dg'(I). The rows of a ball's limits always do. Compared with the dense Jacobian in
 * tests/dynamics/joint/test_joint_directions.c. */
#include "dynamics/joint/condense.h"

#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"
#include "dynamics/joint/spin.h"
#include "dynamics/joint/turn.h"

/* Sets the lanes of a row, in its unused columns, and returns its stiffness. */
static double close_row(AbutJointWork *work, int i, double timestep, const double *r, const AbutConeLaw *law)
{
	const int n_held = work->joint->n_held;
	double *lane = &work->j[i][ABUT_LANE];
	if (i < n_held) {
		const double S = 1.0 / work->regular[i < abut_joint_kind_places(work->joint->kind) ? 0 : 1];
		lane[0] = -S * r[i];
		lane[1] = 0.0;
		return S;
	}
	double stiffness;
	abut_axis_condense(&work->axis[i - n_held], timestep, r, law, lane, &stiffness);
	return stiffness;
}

void abut_joint_stiffness(AbutJointWork *work, double timestep, const AbutConeLaw *law, double *S)
{
	const double none[ABUT_JOINT_UNKNOWNS] = {0.0};
	for (int i = 0; i < abut_joint_rows(work->joint); i++) {
		S[i] = close_row(work, i, timestep, none, law);
	}
	if (abut_joint_spins_clipped(work)) {
		abut_spins_condense(work, none, law);
		for (int i = 0; i < 3; i++) {
			S[work->joint->n_held + i] += work->ball.stiffness[4 * i];
		}
	}
}

/* Rows of a block system: S j of one body, followed by the lanes or zeros. */
typedef double Scaled[ABUT_JOINT_ROWS][ABUT_BLOCK_ROW];

/* Adds g' scaled of n rows to a block; g begins at the columns of the block's rows. */
ALWAYS_INLINE void add_block(const double *restrict g, const Scaled scaled, int n, double *restrict block)
{
	for (int row = 0; row < 6; row++) {
		double sum[ABUT_BLOCK_ROW];
		memcpy(sum, &block[row * ABUT_BLOCK_ROW], sizeof sum);
		for (int i = 0; i < n; i++) {
			const double factor = g[i * ABUT_ROW + row];
			for (int column = 0; column < ABUT_BLOCK_ROW; column++) {
				sum[column] += factor * scaled[i][column];
			}
		}
		memcpy(&block[row * ABUT_BLOCK_ROW], sum, sizeof sum);
	}
}

/* Adds the common stiffness of the spins of a ball to their scaled rows. */
ALWAYS_INLINE void add_spins(const AbutJointWork *work, int side, double (*scaled)[ABUT_BLOCK_ROW])
{
	for (int i = 0; i < 9; i++) {
		const double *j = &work->j[work->joint->n_held + i % 3][abut_joint_column[side]];
		for (int k = 0; k < ABUT_LANE; k++) {
			scaled[i / 3][k] += work->ball.stiffness[i] * j[k];
		}
	}
}

ABUT_CLONES void abut_joint_add_rows(const AbutJointWork *work, int n, const double *S, const AbutBlockSystem *system)
{
	for (int side = 0; side < 2; side++) {
		const int column = work->body[side]->moving, other = work->body[1 - side]->moving;
		Scaled scaled;
		if (column < 0) {
			continue;
		}
		for (int i = 0; i < n; i++) {
			const double *j = &work->j[i][abut_joint_column[side]];
			for (int k = 0; k < ABUT_LANE; k++) {
				scaled[i][k] = S[i] * j[k];
			}
			memcpy(&scaled[i][ABUT_LANE], &work->j[i][ABUT_LANE], 2 * sizeof(double));
		}
		if (n > work->joint->n_held && abut_joint_spins_clipped(work)) {
			add_spins(work, side, &scaled[work->joint->n_held]);
		}
		add_block(&work->g[0][abut_joint_column[side]], scaled, n, abut_block(system, column, column));
		for (int i = 0; i < n; i++) {
			scaled[i][ABUT_LANE] = scaled[i][ABUT_LANE + 1] = 0.0;
		}
		if (other >= 0) {
			add_block(&work->g[0][abut_joint_column[1 - side]], scaled, n,
			          abut_block(system, other, column));
		}
	}
}

/* Subtracts the change of the rows with the pose, theta dg'(I). */
static void subtract_turn(const AbutJointWork *work, double timestep, const AbutBlockSystem *system)
{
	double turn[4][36];
	abut_joint_turn_of_rows(work, timestep, turn);
	for (int i = 0; i < 4; i++) {
		const int row = work->body[i / 2]->moving, column = work->body[i % 2]->moving;
		double *block = row >= 0 && column >= 0 ? abut_block(system, row, column) : NULL;
		for (int k = 0; block && k < 36; k++) {
			block[k / 6 * ABUT_BLOCK_ROW + k % 6] -= turn[i][k];
		}
	}
}

void abut_joint_condense(AbutJointWork *work, const AbutEdgeRoom *room, const double *r, const AbutConeLaw *law)
{
	const int n = abut_joint_rows(work->joint);
	double S[ABUT_JOINT_ROWS];
	memcpy(work->residual, r, (size_t)work->joint->n_y * sizeof *r);
	for (int i = 0; i < n; i++) {
		S[i] = close_row(work, i, room->timestep, r, law);
	}
	if (abut_joint_spins_clipped(work)) {
		abut_spins_condense(work, r, law);
	}
	abut_joint_add_rows(work, n, S, &room->system);
	if (work->theta > 0.0 || abut_joint_bounded(work->joint)) {
		subtract_turn(work, room->timestep, &room->system);
	}
}

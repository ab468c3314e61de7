/* Computes the matrix of a joint. With row+ and row0 the rows at the end and at the start of the step, g = (1 - theta)
 * row0 + theta row+ the direction of impulses I, and dI of each law from dynamics/gradient/joint/linear.h, the bodies
 * receive
 *
 *     dW = sum g' dI + theta d(row+' I) + (1 - theta) d(row0' I).
 *
 * The start of a pose follows from its next pose at fixed velocities, s = (dx0, R+ R0' theta0), so the parts of the
 * start are columns of s, but not of (v+, w+). The velocities before act through the rate r alone; they are entries of
 * AbutGradientPart.rates. Tested in tests/dynamics/joint/test_joint_gradient.c. */
#include "dynamics/gradient/joint_map.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/gradient/joint/parameter.h"
#include "dynamics/gradient/joint/start.h"
#include "dynamics/joint/turn.h"

enum { SIDE = ABUT_MAP_SIDE };

typedef struct Filling {
	const AbutJointLinear *linear;
	AbutJointStart start;
	AbutEdgeMap *map;
	int side[2]; /* of the joint, for each side of the map */
} Filling;

static int sides_of(const AbutJointWork *work, int side[2])
{
	int n = 0;
	for (int s = 0; s < 2; s++) {
		if (work->body[s]->moving >= 0) {
			side[n++] = s;
		}
	}
	return n;
}

void abut_joint_map_carve(const AbutJointLinear *linear, const AbutGradientAsk *ask, AbutArena *arena, AbutEdgeMap *out)
{
	int side[2];
	out->n_sides = sides_of(linear->work, side);
	out->n_held = linear->n_held;
	for (int i = 0; i < out->n_sides; i++) {
		out->body[i] = linear->work->body[side[i]]->moving;
	}
	out->n_parameters = 0;
	out->parameters = abut_arena_take(arena, (size_t)ask->n_parameters, sizeof *out->parameters);
	for (int i = 0; i < ask->n_parameters; i++) {
		if (abut_joint_parameter_touches(ask->model, linear->work, &ask->parameters[i])) {
			abut_edge_map_add_parameter(arena, i, out);
		}
	}
	abut_edge_map_carve(arena, out);
}

int abut_joint_map_rates(const AbutJointLinear *linear)
{
	int n = 0;
	for (int i = 0; i < linear->n; i++) {
		n += linear->branch[i].last > 0.0;
	}
	return n;
}

static double *entry(const AbutEdgeMap *map, int row, int column)
{
	return &map->at[row * map->stride + column];
}

/* Takes a change of the pose at the start to the next pose at fixed velocities: row0 diag(1, R0 R+'). */
static void carry(const Filling *f, int s, const double row[6], double out[6])
{
	abut_copy3(row, out);
	abut_mat3_vec(f->start.to_end[s], &row[3], &out[3]);
}

/* Adds `factor` times the derivative of a row's impulse, by all columns but those of parameters, to the wrenches that
 * it causes. */
static void add_push(const Filling *f, const double *g, const double *by, int n_columns)
{
	for (int of = 0; of < f->map->n_sides; of++) {
		const double *own = &g[abut_joint_column[f->side[of]]];
		for (int r = 0; r < SIDE; r++) {
			double *row = entry(f->map, SIDE * of + r, 0);
			for (int c = 0; own[r] != 0.0 && c < n_columns; c++) {
				row[c] += own[r] * by[c];
			}
		}
	}
}

/* Returns the row of a branch: one of the joint's, or a sum of those of its spins, for which `sum` is the memory. */
static const double *row_of(const Filling *f, const AbutJointBranch *branch, const AbutJointColumns *rows,
                            AbutJointColumns sum)
{
	if (!branch->spins) {
		return rows[branch->row];
	}
	const int first = f->linear->work->joint->n_held;
	for (int k = 0; k < ABUT_ROW; k++) {
		sum[k] = branch->mix[0] * rows[first][k] + branch->mix[1] * rows[first + 1][k] +
		         branch->mix[2] * rows[first + 2][k];
	}
	return sum;
}

/* Returns the row of dz0 in a branch (linear.h), of which *factor is to be taken. */
static const double *start_of(const Filling *f, const AbutJointBranch *branch, AbutJointColumns sum, double *factor)
{
	const AbutJointStart *start = &f->start;
	*factor = branch->start;
	if (!branch->spins) {
		return start->work.start[branch->row];
	}
	*factor = 1.0;
	for (int k = 0; k < ABUT_ROW; k++) {
		sum[k] = 0.0;
		for (int i = 0; i < 3; i++) {
			sum[k] += branch->by_c[i] * start->phi[i][k] -
			          branch->mix[i] * start->spun[i][k] / f->linear->timestep;
		}
	}
	return sum;
}

/* Returns whether a row acts on a body: beside planar bodies, rows across the plane are zero or rounding errors. */
static bool acts(const double *g)
{
	static const double rounding = 1e-12;
	bool any = false;
	for (int k = 0; k < ABUT_ROW; k++) {
		any = any || fabs(g[k]) > rounding;
	}
	return any;
}

/* Adds a law: its impulse by the next poses and by the velocities. A held number is its impulse. */
static void add_branch(const Filling *f, const AbutJointBranch *branch, int held)
{
	const AbutJointWork *work = f->linear->work;
	const AbutEdgeMap *map = f->map;
	const int by_velocity = abut_map_by_velocity(map), n = 2 * by_velocity;
	const double end = branch->K / f->linear->timestep;
	double by[4 * SIDE], factor;
	AbutJointColumns sum[4];
	const double *g = row_of(f, branch, work->g, sum[0]), *row_end = row_of(f, branch, work->end, sum[1]);
	const double *rate = row_of(f, branch, work->j, sum[2]), *start = start_of(f, branch, sum[3], &factor);
	factor *= branch->K;
	for (int k = 0; k < map->n_sides; k++) {
		const int column = abut_joint_column[f->side[k]];
		double carried[6];
		carry(f, f->side[k], &start[column], carried);
		for (int c = 0; c < SIDE; c++) {
			by[SIDE * k + c] = -end * row_end[column + c] - factor * carried[c];
			by[by_velocity + SIDE * k + c] = -branch->K * rate[column + c];
		}
	}
	if (branch->pull > 0.0 && acts(g)) {
		const int row = abut_map_rows(map) - map->n_held + held, column = abut_map_by_held(map) + held;
		memcpy(entry(map, row, 0), by, (size_t)n * sizeof *by);
		*entry(map, row, column) = branch->pull;
		for (int i = 0; i < SIDE * map->n_sides; i++) {
			*entry(map, i, column) = g[abut_joint_column[f->side[i / SIDE]] + i % SIDE];
		}
	} else if (!(branch->pull > 0.0)) {
		add_push(f, g, by, n);
	}
}

/* Adds the rate of the step before: through poses here, through velocities in `out`. */
static void add_rate(const Filling *f, const AbutJointBranch *branch, const AbutGradientPart *part,
                     AbutGradientRate *out)
{
	const AbutJointWork *work = f->linear->work;
	AbutJointRate rate;
	double by[2 * SIDE] = {0.0};
	abut_joint_start_rate(&f->start, branch->row - work->joint->n_held, &rate);
	memset(out, 0, sizeof *out);
	for (int s = 0; s < 2; s++) {
		out->body[s] = work->body[s]->quasi_static ? -1 : work->body[s]->moving;
		if (work->body[s]->moving >= 0) {
			const AbutGradientBody *body = &part->bodies[work->body[s]->moving];
			abut_copy3(rate.by_velocity[s], out->by_velocity[s]);
			for (int k = 0; k < 3; k++) {
				out->by_velocity[s][3 + k] = abut_dot3(&body->axes[3 * k], &rate.by_velocity[s][3]);
			}
			memcpy(out->push[s], &work->g[branch->row][abut_joint_column[s]], sizeof out->push[s]);
			for (int k = 0; k < SIDE; k++) {
				out->push[s][k] *= branch->last;
			}
		}
	}
	for (int k = 0; k < f->map->n_sides; k++) {
		carry(f, f->side[k], rate.by_pose[f->side[k]], &by[SIDE * k]);
	}
	for (int k = 0; k < SIDE * f->map->n_sides; k++) {
		by[k] *= branch->last;
	}
	add_push(f, work->g[branch->row], by, SIDE * f->map->n_sides);
}

/* Adds the change of the rows of `impulse`, in which the end of the step has the share theta, by poses. */
static void add_turn_by_poses(const Filling *f, const double *impulse, double theta)
{
	const AbutEdgeMap *map = f->map;
	double end[4][36] = {{0.0}}, start[4][36];
	if (theta > 0.0) {
		abut_joint_turn_by_poses(f->linear->work, impulse, end);
	}
	abut_joint_turn_by_poses(&f->start.work, impulse, start);
	for (int i = 0; i < SIDE * map->n_sides; i++) {
		for (int k = 0; k < map->n_sides; k++) {
			const int block = 2 * f->side[i / SIDE] + f->side[k];
			double carried[6], *to = entry(map, i, SIDE * k);
			carry(f, f->side[k], &start[block][6 * (i % SIDE)], carried);
			for (int c = 0; c < SIDE; c++) {
				to[c] += theta * end[block][6 * (i % SIDE) + c] + (1.0 - theta) * carried[c];
			}
		}
	}
}

/* Adds the change of the rows of spins at the end of the step by the poses at its start, from which they measure the
 * turn: as by a turn of the parent, E_a (dTheta_b0 - dTheta_a0) (dynamics/gradient/joint/start.c). */
static void add_turn_of_spins(const Filling *f)
{
	const AbutJointWork *work = f->linear->work;
	const double held[ABUT_JOINT_HELD] = {0.0};
	double spins[ABUT_JOINT_LAWS] = {0.0}, turn[9];
	AbutJointCurvature curvature;
	memcpy(spins, &work->impulse[work->joint->n_held], 3 * sizeof *spins);
	abut_joint_curvature(work->joint->kind, &work->pose, held, spins, &curvature);
	abut_mat3_mul(curvature.tau_a, f->start.to_end[0], turn);
	for (int i = 0; i < 3 * f->map->n_sides; i++) {
		const int of = f->side[i / 3], r = i % 3;
		for (int k = 0; !(work->body[of]->planar && r != 1) && k < f->map->n_sides; k++) {
			const double row[6] = {0.0, 0.0, 0.0, turn[3 * r], turn[3 * r + 1], turn[3 * r + 2]};
			double carried[6], *to = entry(f->map, SIDE * (i / 3) + 3 + r, SIDE * k);
			carry(f, f->side[k], row, carried);
			for (int c = 3; c < SIDE; c++) {
				to[c] += (of == f->side[k] ? work->theta : -work->theta) * carried[c];
			}
		}
	}
}

/* Adds the change of the rows themselves. */
static void add_turn(const Filling *f)
{
	const AbutJointWork *work = f->linear->work;
	const AbutEdgeMap *map = f->map;
	double moved[4][36], of_theta[ABUT_JOINT_ROWS], of_bounds[ABUT_JOINT_ROWS];
	const bool bounded = abut_joint_bounded(work->joint);
	abut_joint_split_impulses(work, of_theta, of_bounds);
	add_turn_by_poses(f, of_theta, work->theta);
	if (work->theta > 0.0 && work->joint->kind->freedom[0].spins) {
		add_turn_of_spins(f);
	}
	if (bounded) {
		add_turn_by_poses(f, of_bounds, work->ball.theta);
	}
	if (work->theta == 0.0 && !bounded) {
		return; /* g does not move with the end of the step */
	}
	abut_joint_turn_of_rows(work, f->linear->timestep, moved);
	for (int i = 0; i < SIDE * map->n_sides; i++) {
		for (int k = 0; k < map->n_sides; k++) {
			const int block = 2 * f->side[i / SIDE] + f->side[k];
			double *by_velocity = entry(map, i, SIDE * k) + abut_map_by_velocity(map);
			for (int c = 0; c < SIDE; c++) {
				by_velocity[c] += moved[block][6 * (i % SIDE) + c];
			}
		}
	}
}

/* Returns the row of a branch's held number; -1 if the branch holds none. */
static int held_row(const Filling *f, const AbutJointBranch *branch)
{
	int row = abut_map_rows(f->map) - f->map->n_held;
	for (const AbutJointBranch *at = f->linear->branch; at < branch; at++) {
		row += at->pull > 0.0;
	}
	return branch->pull > 0.0 ? row : -1;
}

/* Adds `factor` times a row's push to a column. */
static void add_column(const Filling *f, const double *g, double factor, int column)
{
	for (int i = 0; i < SIDE * f->map->n_sides; i++) {
		*entry(f->map, i, column) += factor * g[abut_joint_column[f->side[i / SIDE]] + i % SIDE];
	}
}

/* Adds a column of a parameter. */
static void add_parameter(const Filling *f, int column, const AbutJointChangeBy *by)
{
	const AbutJointWork *work = f->linear->work;
	AbutJointColumns sum;
	for (int i = 0; i < by->n_rows; i++) {
		add_column(f, work->g[by->row + i], by->direct[i], column);
	}
	for (int i = 0; i < by->n_shifts; i++) {
		const AbutJointBranch *branch = by->shift[i].branch;
		const double of_branch = -branch->K * by->shift[i].by;
		const int held = held_row(f, branch);
		if (held >= 0) {
			*entry(f->map, held, column) = of_branch;
		} else {
			add_column(f, row_of(f, branch, work->g, sum), of_branch, column);
		}
	}
}

static void add_parameters(const Filling *f, const AbutGradientAsk *ask, const AbutIterate *it)
{
	const AbutJointPlaces at = f->linear->work->at;
	for (int i = 0; i < f->map->n_parameters; i++) {
		AbutJointChangeBy by;
		abut_joint_by_parameter(f->linear, &ask->parameters[f->map->parameters[i]], ask->kappa, &it->y[at.y],
		                        &it->z[at.z], &by);
		add_parameter(f, abut_map_by_parameter(f->map) + i, &by);
	}
}

void abut_joint_map_fill(const AbutJointLinear *linear, const AbutGradientAsk *ask, const AbutIterate *it,
                         const AbutGradientPart *part, AbutEdgeMap *out, AbutGradientRate *rates)
{
	Filling f = {.linear = linear, .map = out};
	sides_of(linear->work, f.side);
	abut_joint_start_place(linear->work, &f.start);
	memset(out->at, 0, (size_t)abut_map_rows(out) * (size_t)out->stride * sizeof *out->at);
	for (int i = 0, held = 0; i < linear->n; i++) {
		add_branch(&f, &linear->branch[i], held);
		held += linear->branch[i].pull > 0.0;
		if (linear->branch[i].last > 0.0) {
			add_rate(&f, &linear->branch[i], part, rates++);
		}
	}
	add_turn(&f);
	add_parameters(&f, ask, it);
}

/* --- soft laws --- */

/* Copies a row without what is across the plane of planar bodies. */
static void copy_in_plane(const AbutJointWork *work, const double *row, AbutJointColumns out)
{
	memcpy(out, row, sizeof(AbutJointColumns));
	for (int k = 1; k < 2 * SIDE; k += 2) {
		double *own = &out[abut_joint_column[k / SIDE] + k % SIDE];
		*own = work->body[k / SIDE]->planar ? 0.0 : *own;
	}
}

/* Computes the derivative of row0 v0 by the poses at the start, where turns also turn the spins. */
static void by_pose_of_velocity(const AbutJointStart *start, int row, double out[2][6])
{
	double impulse[ABUT_JOINT_ROWS] = {0.0}, turn[4][36];
	impulse[row] = 1.0;
	abut_joint_turn_by_poses(&start->work, impulse, turn);
	memset(out, 0, 2 * sizeof *out);
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = start->work.body[s];
		const double *own = &start->work.start[row][abut_joint_column[s]];
		double spun[3];
		for (int k = 0; body->moving >= 0 && k < SIDE; k++) {
			const double v = k < 3 ? body->v0[k] : body->w0[k - 3];
			for (int by = 0; by < 2 * SIDE; by++) {
				out[by / SIDE][by % SIDE] += v * turn[2 * s + by / SIDE][SIDE * k + by % SIDE];
			}
		}
		if (body->moving >= 0) {
			abut_cross3(body->w0, &own[3], spun);
			abut_add_scaled3(&out[s][3], 1.0, spun, &out[s][3]);
		}
	}
}

void abut_joint_map_carve_soft(const AbutJointSoftLaw *law, AbutArena *arena, AbutEdgeMap *out)
{
	int side[2];
	out->n_sides = sides_of(law->work, side);
	out->n_held = out->n_parameters = 0;
	for (int i = 0; i < out->n_sides; i++) {
		out->body[i] = law->work->body[side[i]]->moving;
	}
	abut_edge_map_carve(arena, out);
}

void abut_joint_map_fill_soft(const AbutJointSoftLaw *law, double timestep, AbutEdgeMap *out)
{
	const AbutJointWork *work = law->work;
	const int row = work->joint->n_held + law->axis, by_velocity = abut_map_by_velocity(out);
	const AbutJointLinear linear = {.work = law->work, .timestep = timestep};
	Filling f = {.linear = &linear, .map = out};
	AbutJointRate rate;
	AbutJointColumns g;
	double by[4 * SIDE] = {0.0}, impulse[ABUT_JOINT_ROWS] = {0.0}, velocity[2][6];
	sides_of(work, f.side);
	abut_joint_start_place(work, &f.start);
	abut_joint_start_rate(&f.start, law->axis, &rate);
	by_pose_of_velocity(&f.start, row, velocity);
	memset(out->at, 0, (size_t)abut_map_rows(out) * (size_t)out->stride * sizeof *out->at);
	for (int k = 0; k < out->n_sides; k++) {
		const int s = f.side[k], column = abut_joint_column[s];
		double start[6], carried[6];
		for (int c = 0; c < SIDE; c++) {
			start[c] = (law->stiffness / timestep + law->by_start) * work->start[row][column + c] +
			           law->stiffness * rate.by_pose[s][c] - law->before * velocity[s][c];
			by[by_velocity + SIDE * k + c] = -law->stiffness * work->j[row][column + c];
		}
		carry(&f, s, start, carried);
		for (int c = 0; c < SIDE; c++) {
			by[SIDE * k + c] = carried[c] - law->stiffness / timestep * work->end[row][column + c];
		}
	}
	copy_in_plane(work, work->start[row], g);
	add_push(&f, g, by, 2 * by_velocity);
	impulse[row] = law->impulse;
	add_turn_by_poses(&f, impulse, 0.0);
}

void abut_joint_map_fill_rates(const AbutJointSoftLaw *law, const AbutGradientPart *part, AbutGradientRate *rates)
{
	const AbutJointWork *work = law->work;
	const int row = work->joint->n_held + law->axis;
	AbutJointStart start;
	AbutJointRate rate;
	AbutJointColumns g;
	abut_joint_start_place(work, &start);
	abut_joint_start_rate(&start, law->axis, &rate);
	copy_in_plane(work, work->start[row], g);
	memset(rates, 0, ABUT_JOINT_SOFT_RATES * sizeof *rates);
	for (int i = 0; i < 2 * ABUT_JOINT_SOFT_RATES; i++) {
		AbutGradientRate *out = &rates[i / 2];
		const int s = i % 2, column = abut_joint_column[s];
		const double factor = i / 2 == 0 ? law->stiffness : -law->before;
		const double *by = i / 2 == 0 ? rate.by_velocity[s] : &work->start[row][column];
		out->body[s] = work->body[s]->quasi_static ? -1 : work->body[s]->moving;
		if (work->body[s]->moving >= 0) {
			const AbutGradientBody *body = &part->bodies[work->body[s]->moving];
			abut_copy3(by, out->by_velocity[s]);
			for (int k = 0; k < 3; k++) {
				out->by_velocity[s][3 + k] = abut_dot3(&body->axes[3 * k], &by[3]);
			}
			for (int k = 0; k < SIDE; k++) {
				out->push[s][k] = factor * g[column + k];
			}
		}
	}
}

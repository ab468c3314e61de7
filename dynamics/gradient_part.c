/* The derivative of a step of an island, or of a part of one, by the implicit function theorem. With the contacts
 * eliminated at the solution, their wrenches follow the bodies' next poses and velocities (contact_linear.c),
 *
 *     dW_i = sum_j  M_ij d(next pose)_j + V_ij d(v+, w+)_j,
 *     d(next pose) = (dx0 + dt dv+,  T theta + G dw+),        T = R+ R0', the turn of the step,
 *
 * and the momentum balances (body_block.c), L_i(v+, w+) - p_i - sum W = 0, give
 *
 *     S d(v+, w+) = d p - dL + sum of the wrenches by (dx0, T theta)            S: Newton's matrix
 *
 * with p the momentum that the step begins with, dL the balance's other side as the inertia turns with the body:
 *
 *     dp = (m dv0 + dt df,  theta x p_w + P R0 domega + dt R0 dtau),   P = d(c J w - (h/2) w x J w) / dw at w0,
 *     dL = (0,  c+ dJ w+ + (dt/2) w+ x dJ w+),                        dJ = [theta]x J - J [theta]x.
 *
 * theta = R0 phi is the turn at the start about the world's axes. A planar body takes of it what is about y, and of the
 * rest what is along x and z.
 *
 * Only twelve columns of each body are solved for, an impulse of each of the six kinds and a change of its pose: what
 * velocities, forces and torques do is a combination of the former. S comes of regularised laws; each correction of a
 * column evaluates the equations themselves, with what the laws hold taken over from the last evaluation, so that the
 * regularisation is gone from the limit. Tested by differences of steps in tests/dynamics/test_gradient.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/contact_linear.h"
#include "dynamics/gradient.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS, OWN = 12 };

/* The regularisation of the laws (docs/formulation.md 4). */
static const double delta = 1e-7, rho = 1e-9;

/* None follows a correction as small as this part of the solution, and none the last. */
static const double small_correction = 1e-8;
enum { MOST_CORRECTIONS = 5 };

/* One contact that presses. */
typedef struct Touch {
	AbutContactLinear linear;
	double by_motion[2][2][36], by_velocity[2][2][36]; /* wrench on side i by side j, row-major, with the signs */
} Touch;

typedef struct Part {
	AbutIsland *island;
	bool smoothed; /* at a point of the path */
	Touch *touches;
	int n_touches, n;     /* n: bodies */
	double *columns;      /* (6 n x OWN n) d(v+, w+) by impulses and poses */
	AbutLanes *right, *x; /* (6 n) */
} Part;

static const AbutBodyWork *body_at(const Part *part, int index)
{
	return part->island->problem.moving[index];
}

/* What a body takes of a small turn about its own axis: of a planar one what is about y. */
static void own_axis(const AbutBodyWork *body, int axis, double out[3])
{
	for (int i = 0; i < 3; i++) {
		out[i] = body->planar && i != 1 ? 0.0 : body->R0[3 * i + axis];
	}
}

/* Whether a row of the body's balance, or a direction of its, is in its plane. */
static bool in_plane(const AbutBodyWork *body, int row)
{
	return !body->planar || row == 0 || row == 2 || row == 4;
}

/* P: the angular block of the balance of the time turned round, w0 -> -w0, over the step before. */
static void old_momentum(const AbutBodyWork *body, double timestep, double P[9])
{
	AbutBodyWork there = *body;
	double J[36], y[6] = {0.0};
	for (int i = 0; i < 3; i++) {
		y[3 + i] = -body->w0[i];
	}
	const double last = body->last_timestep > 0.0 ? body->last_timestep : timestep;
	there.moved_by = 0.0;
	abut_body_move(&there, last, y);
	abut_body_jacobian(&there, last, J);
	for (int i = 0; i < 3; i++) {
		memcpy(&P[3 * i], &J[6 * (3 + i) + 3], 3 * sizeof(double));
	}
}

/* theta x p - dL for a turn of the start. */
static void turn_of_balance(const AbutBodyWork *body, double timestep, const double theta[3], double out[3])
{
	double Jw[3], dJw[3], turned[3], gyroscopic[3];
	abut_mat3_vec(body->inertia, body->w, Jw);
	abut_cross3(theta, Jw, dJw);
	abut_cross3(theta, body->w, turned);
	abut_mat3_vec(body->inertia, turned, turned);
	for (int i = 0; i < 3; i++) {
		dJw[i] -= turned[i];
	}
	abut_cross3(body->w, dJw, gyroscopic);
	abut_cross3(theta, &body->full_momentum[3], out);
	for (int i = 0; i < 3; i++) {
		out[i] -= body->cosine * dJw[i] + 0.5 * timestep * gyroscopic[i];
	}
}

/* The next pose's change with that of the start: (dx0, T theta), for column 0 to 5 of the pose. */
static void start_of_pose(const AbutBodyWork *body, int column, double out[6])
{
	const int axis = column % 3;
	double own[3], T[9];
	memset(out, 0, 6 * sizeof *out);
	if (column < 3) {
		out[axis] = in_plane(body, axis) ? 1.0 : 0.0;
		return;
	}
	own_axis(body, axis, own);
	abut_mat3_mul_transposed(body->R, body->R0, T);
	abut_mat3_vec(T, own, &out[3]);
}

/* --- contacts --- */

/* Poses and velocities of one body that go into lane l of a side. */
static void set_motion(AbutLinearMotion *motion, int side, int lane, const double pose[6], const double velocity[6])
{
	for (int i = 0; i < 3; i++) {
		motion->displacement[side][i][lane] = pose[i];
		motion->turn[side][i][lane] = pose[3 + i];
		motion->velocity[side][i][lane] = velocity[i];
		motion->spin[side][i][lane] = velocity[3 + i];
	}
}

/* The motion that a step's six numbers are of a body: (dt dv, G dw). */
static void motion_of(const AbutBodyWork *body, double timestep, const double velocity[6], double pose[6])
{
	for (int i = 0; i < 3; i++) {
		pose[i] = timestep * velocity[i];
	}
	abut_mat3_vec(body->G, &velocity[3], &pose[3]);
}

/* Wrenches by unit motions and unit velocities of side `by`. */
static void respond(Touch *touch, int by)
{
	for (int kind = 0; kind < 2; kind++) {
		AbutLinearMotion motion;
		AbutLinearWrench wrench;
		memset(&motion, 0, sizeof motion);
		for (int c = 0; c < 6; c++) {
			const double none[6] = {0.0};
			double unit[6] = {0.0};
			unit[c] = 1.0;
			set_motion(&motion, by, c, kind == 0 ? unit : none, kind == 0 ? none : unit);
		}
		abut_contact_linear_push(&touch->linear, &motion, &wrench);
		for (int of = 0; of < touch->linear.n_sides; of++) {
			double *out = kind == 0 ? touch->by_motion[of][by] : touch->by_velocity[of][by];
			for (int row = 0; row < 6; row++) {
				for (int c = 0; c < 6; c++) {
					out[6 * row + c] = touch->linear.contact->side[of].sign * wrench.on[of][row][c];
				}
			}
		}
	}
}

/* The contact's share of S: by velocities, and by the motions (dt dv, G dw) that they are. */
static void add_touch(const Part *part, Touch *touch)
{
	AbutContactProblem *problem = &part->island->problem;
	const AbutContactSide *side = touch->linear.contact->side;
	abut_contact_linear_clear(&touch->linear);
	for (int by = 0; by < touch->linear.n_sides; by++) {
		const double *G = side[by].body->G;
		respond(touch, by);
		for (int of = 0; of < touch->linear.n_sides; of++) {
			double *block = abut_block(&problem->system, side[of].body->moving, side[by].body->moving);
			for (int row = 0; row < 6; row++) {
				const double *M = &touch->by_motion[of][by][6 * row];
				const double *V = &touch->by_velocity[of][by][6 * row];
				for (int c = 0; c < 3; c++) {
					block[row * ABUT_BLOCK_ROW + c] -= problem->timestep * M[c] + V[c];
					block[row * ABUT_BLOCK_ROW + 3 + c] -=
					    M[3] * G[c] + M[4] * G[3 + c] + M[5] * G[6 + c] + V[3 + c];
				}
			}
		}
	}
}

static bool is_open(const AbutContactWork *contact, const AbutConeLaw *law)
{
	return law->K[contact->cones[0].law] == 0.0; /* on the path nothing is */
}

/* The part's arrays in the arena: sizes alone, as long as that has no memory. */
static void carve(Part *part, AbutArena *arena)
{
	AbutContactProblem *problem = &part->island->problem;
	const size_t n = (size_t)part->n;
	part->touches = abut_arena_take(arena, (size_t)problem->n_contacts, sizeof(Touch));
	part->columns = abut_arena_take(arena, 6 * n * OWN * n, sizeof(double));
	part->right = abut_arena_take(arena, 6 * n, sizeof(AbutLanes));
	part->x = abut_arena_take(arena, 6 * n, sizeof(AbutLanes));
	part->n_touches = 0;
	for (int i = 0; i < problem->n_contacts; i++) {
		AbutContactWork *contact = &problem->contacts[i];
		if (!is_open(contact, &part->island->iterate.law)) {
			AbutContactLinear linear = {.contact = contact};
			abut_contact_linear_carve(contact, arena, &linear);
			if (arena->base) {
				part->touches[part->n_touches].linear = linear;
			}
			part->n_touches++;
		}
	}
}

static bool begin_touches(Part *part)
{
	AbutContactProblem *problem = &part->island->problem;
	AbutIterate *it = &part->island->iterate;
	for (int i = 0; i < part->n_touches; i++) {
		Touch *touch = &part->touches[i];
		AbutContactWork *contact = touch->linear.contact;
		const double *z = part->smoothed ? NULL : &it->z[contact->z];
		if (!abut_contact_linear_begin(contact, problem, &it->law, z, &it->H[contact->z], &touch->linear)) {
			return false;
		}
		add_touch(part, touch);
	}
	return true;
}

/* --- columns --- */

/* Lane l of the block that begins with `first`: the body, and its column of OWN; -1 past the end. */
static int lane_of(const Part *part, int first, int lane, int *column)
{
	const int at = first + lane;
	*column = at % OWN;
	return at < OWN * part->n ? at / OWN : -1;
}

/* Right-hand sides of the bodies alone. */
static void own_right(const Part *part, int first, AbutLanes *right)
{
	memset(right, 0, (size_t)(6 * part->n) * sizeof *right);
	for (int lane = 0; lane < ABUT_LANES; lane++) {
		int column;
		const int index = lane_of(part, first, lane, &column);
		if (index < 0) {
			continue;
		}
		const AbutBodyWork *body = body_at(part, index);
		double own[3], turned[3];
		if (column < 6) {
			right[6 * index + column][lane] = in_plane(body, column) ? 1.0 : 0.0;
		} else if (column >= 9) {
			own_axis(body, column - 9, own);
			turn_of_balance(body, part->island->problem.timestep, own, turned);
			for (int i = 0; i < 3; i++) {
				right[6 * index + 3 + i][lane] = in_plane(body, 3 + i) ? turned[i] : 0.0;
			}
		}
	}
}

/* Motions of a contact's bodies for the block's columns: that of x, and of the start's pose. */
static void lanes_motion(const Part *part, const Touch *touch, int first, AbutLinearMotion *motion)
{
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = touch->linear.contact->side[s].body;
		for (int lane = 0; lane < ABUT_LANES; lane++) {
			double pose[6] = {0.0}, velocity[6] = {0.0}, start[6];
			int column;
			if (body->moving >= 0) {
				for (int i = 0; i < 6; i++) {
					velocity[i] = part->x[6 * body->moving + i][lane];
				}
				motion_of(body, part->island->problem.timestep, velocity, pose);
			}
			if (body->moving >= 0 && lane_of(part, first, lane, &column) == body->moving && column >= 6) {
				start_of_pose(body, column - 6, start);
				for (int i = 0; i < 6; i++) {
					pose[i] += start[i];
				}
			}
			set_motion(motion, s, lane, pose, velocity);
		}
	}
}

/* right += the wrenches by the starts' poses, as S has them. */
static void add_starts(const Part *part, const Touch *touch, int first)
{
	const AbutContactSide *side = touch->linear.contact->side;
	for (int lane = 0; lane < ABUT_LANES; lane++) {
		int column;
		const int index = lane_of(part, first, lane, &column);
		for (int by = 0; by < touch->linear.n_sides; by++) {
			double start[6];
			if (index < 0 || column < 6 || side[by].body->moving != index) {
				continue;
			}
			start_of_pose(side[by].body, column - 6, start);
			for (int of = 0; of < touch->linear.n_sides; of++) {
				for (int row = 0; row < 6; row++) {
					const double *M = &touch->by_motion[of][by][6 * row];
					for (int k = 0; k < 6; k++) {
						part->right[6 * side[of].body->moving + row][lane] += M[k] * start[k];
					}
				}
			}
		}
	}
}

/* right += the wrenches at x, once what the laws hold is that of x. */
static void add_wrenches(const Part *part, Touch *touch, int first)
{
	AbutLinearMotion motion;
	AbutLinearWrench wrench;
	lanes_motion(part, touch, first, &motion);
	abut_contact_linear_push(&touch->linear, &motion, &wrench);
	abut_contact_linear_hold(&touch->linear);
	abut_contact_linear_push(&touch->linear, &motion, &wrench);
	for (int s = 0; s < touch->linear.n_sides; s++) {
		const AbutContactSide *side = &touch->linear.contact->side[s];
		for (int row = 0; row < 6; row++) {
			for (int lane = 0; lane < ABUT_LANES; lane++) {
				part->right[6 * side->body->moving + row][lane] += side->sign * wrench.on[s][row][lane];
			}
		}
	}
}

/* right -= what the bodies' balances make of x. */
static void subtract_balances(const Part *part)
{
	for (int i = 0; i < part->n; i++) {
		double J[36];
		abut_body_jacobian(body_at(part, i), part->island->problem.timestep, J);
		for (int row = 0; row < 6; row++) {
			for (int k = 0; k < 6; k++) {
				for (int lane = 0; lane < ABUT_LANES; lane++) {
					part->right[6 * i + row][lane] -= J[6 * row + k] * part->x[6 * i + k][lane];
				}
			}
		}
	}
}

/* right = what is left of the equations at x. */
static void residual(const Part *part, int first)
{
	own_right(part, first, part->right);
	subtract_balances(part);
	for (int i = 0; i < part->n_touches; i++) {
		add_wrenches(part, &part->touches[i], first);
	}
}

static void begin_block(const Part *part, int first)
{
	own_right(part, first, part->right);
	for (int i = 0; i < part->n_touches; i++) {
		abut_contact_linear_clear(&part->touches[i].linear);
		add_starts(part, &part->touches[i], first);
	}
	abut_block_system_solve_again(&part->island->problem.system, ABUT_LANES, part->right[0]);
	memcpy(part->x, part->right, 6 * (size_t)part->n * sizeof *part->x);
}

/* x += right; the largest change as a part of the largest entry. */
static double correct(const Part *part)
{
	double change = 0.0, size = 0.0;
	abut_block_system_solve_again(&part->island->problem.system, ABUT_LANES, part->right[0]);
	for (int i = 0; i < 6 * part->n; i++) {
		for (int lane = 0; lane < ABUT_LANES; lane++) {
			part->x[i][lane] += part->right[i][lane];
			change = abut_max(change, fabs(part->right[i][lane]));
			size = abut_max(size, fabs(part->x[i][lane]));
		}
	}
	return size > 0.0 ? change / size : 0.0;
}

static void solve_block(const Part *part, int first)
{
	begin_block(part, first);
	for (int k = 0; part->n_touches > 0 && k < MOST_CORRECTIONS; k++) {
		residual(part, first);
		if (correct(part) <= small_correction) {
			break;
		}
	}
	const int width = OWN * part->n;
	for (int i = 0; i < 6 * part->n; i++) {
		for (int lane = 0; lane < ABUT_LANES && first + lane < width; lane++) {
			part->columns[(size_t)i * (size_t)width + (size_t)(first + lane)] = part->x[i][lane];
		}
	}
}

/* --- the matrix --- */

/* A body's columns of J as combinations of its own columns of d(v+, w+). */
static void combine(const Part *part, int index, double C[OWN][COLUMNS])
{
	const AbutBodyWork *body = body_at(part, index);
	const double dt = part->island->problem.timestep;
	double P[9];
	old_momentum(body, dt, P);
	memset(C, 0, sizeof(double) * OWN * COLUMNS);
	for (int axis = 0; axis < 3; axis++) {
		double own[3], spun[3];
		own_axis(body, axis, own);
		abut_mat3_vec(P, own, spun);
		C[6 + axis][ABUT_GRADIENT_POSITION + axis] = 1.0;
		C[9 + axis][ABUT_GRADIENT_ROTATION + axis] = 1.0;
		C[axis][ABUT_GRADIENT_LINEAR + axis] = body->mass;
		C[axis][ABUT_GRADIENT_FORCE + axis] = dt;
		for (int i = 0; i < 3; i++) {
			C[3 + i][ABUT_GRADIENT_ANGULAR + axis] = spun[i];
			C[3 + i][ABUT_GRADIENT_TORQUE + axis] = dt * own[i];
		}
	}
}

/* dx+ = dx0 + dt dv+,  R+ phi+ = T theta + G dw+,  domega+ = R0' (dw+ - theta x w+). */
static void next_state(const Part *part, int of, int by, int column, const double dv[6], double *out, size_t stride)
{
	const AbutBodyWork *body = body_at(part, of);
	double pose[6], start[6] = {0.0}, own[3] = {0.0}, turned[3], phi[3], omega[3];
	motion_of(body, part->island->problem.timestep, dv, pose);
	if (of == by && column < ABUT_GRADIENT_LINEAR) {
		start_of_pose(body, column, start);
		if (column >= ABUT_GRADIENT_ROTATION) {
			own_axis(body, column - ABUT_GRADIENT_ROTATION, own);
		}
	}
	abut_cross3(own, body->w, turned);
	for (int i = 0; i < 3; i++) {
		phi[i] = start[3 + i] + pose[3 + i];
		turned[i] = dv[3 + i] - turned[i];
	}
	abut_mat3_tvec(body->R, phi, phi);
	abut_mat3_tvec(body->R0, turned, omega);
	for (int i = 0; i < 3; i++) {
		out[(size_t)(ABUT_GRADIENT_POSITION + i) * stride] = start[i] + pose[i];
		out[(size_t)(ABUT_GRADIENT_ROTATION + i) * stride] = phi[i];
		out[(size_t)(ABUT_GRADIENT_LINEAR + i) * stride] = dv[i];
		out[(size_t)(ABUT_GRADIENT_ANGULAR + i) * stride] = omega[i];
	}
}

static void write_matrix(const Part *part, double *J)
{
	const size_t width = COLUMNS * (size_t)part->n, own_width = OWN * (size_t)part->n;
	for (int by = 0; by < part->n; by++) {
		double C[OWN][COLUMNS];
		combine(part, by, C);
		for (int of = 0; of < part->n; of++) {
			const double *X = &part->columns[6 * (size_t)of * own_width + OWN * (size_t)by];
			for (int column = 0; column < COLUMNS; column++) {
				double dv[6];
				for (int i = 0; i < 6; i++) {
					dv[i] = 0.0;
					for (int k = 0; k < OWN; k++) {
						dv[i] += X[(size_t)i * own_width + (size_t)k] * C[k][column];
					}
				}
				next_state(part, of, by, column, dv,
				           &J[ROWS * (size_t)of * width + (size_t)(COLUMNS * by + column)], width);
			}
		}
	}
}

static void set_law(const Part *part)
{
	const AbutNcp *ncp = &part->island->ncp;
	AbutIterate *it = &part->island->iterate;
	if (part->smoothed) {
		abut_cones_law_path(ncp->cones, ncp->n_cones, it->z, it->s, it->H, 0.0, &it->law);
		return;
	}
	abut_cones_law_exact(ncp->cones, ncp->n_cones, it->z, it->H, delta, delta, (double)INFINITY, &it->law);
	it->law.rho = rho;
}

static AbutStatus differentiate(Part *part, double *J)
{
	AbutContactProblem *problem = &part->island->problem;
	abut_block_system_clear(&problem->system);
	for (int i = 0; i < part->n; i++) {
		double D[36], *block = abut_block(&problem->system, i, i);
		abut_body_jacobian(problem->moving[i], problem->timestep, D);
		for (int row = 0; row < 6; row++) {
			memcpy(&block[row * ABUT_BLOCK_ROW], &D[6 * row], 6 * sizeof(double));
		}
	}
	if (!begin_touches(part) || !abut_block_system_solve(&problem->system)) {
		return ABUT_ERROR_NUMERICAL;
	}
	for (int first = 0; first < OWN * part->n; first += ABUT_LANES) {
		solve_block(part, first);
	}
	write_matrix(part, J);
	return ABUT_OK;
}

AbutStatus abut_gradient_part(AbutIsland *island, bool smoothed, AbutGradientRoom *room, double *J)
{
	Part part = {.island = island, .smoothed = smoothed, .n = island->problem.n_moving};
	AbutArena arena = {.base = NULL};
	set_law(&part);
	carve(&part, &arena);
	if (arena.used + ABUT_ARENA_ALIGNMENT > room->size) {
		free(room->memory);
		room->size = arena.used + arena.used / 2 + ABUT_ARENA_ALIGNMENT;
		room->memory = calloc(1, room->size);
		if (!room->memory) {
			room->size = 0;
			return ABUT_ERROR_MEMORY;
		}
	}
	abut_arena_begin(&arena, room->memory);
	carve(&part, &arena);
	return differentiate(&part, J);
}

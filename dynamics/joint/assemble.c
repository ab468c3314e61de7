/* Closes the joints of a model at its initial poses. Given coordinates are held too, like closed rows, unless the
 * joints cannot be closed then. With the rows R at a pose, and the held values k, the smallest change d of all poses
 * that closes them to first order solves
 *
 *     M d = R' l,    R d = -k.
 *
 * As in a step, the rows are eliminated with the stiffness S = C / delta: (M + R' S R) d = -R' S k. This leaves k of a
 * size delta times as large, and is repeated until rounding is left. If the conditions contradict each other, k stays.
 * A small rest is taken up by the frames of the joints (fit.h).
 * Tested in tests/dynamics/joint/test_assemble.c. */
#include "dynamics/joint/assemble.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/stop.h"
#include "base/vec3.h"
#include "dynamics/joint/assembly_check.h"
#include "dynamics/joint/assembly_limits.h"
#include "dynamics/joint/condense.h"
#include "dynamics/joint/couple.h"
#include "dynamics/joint/evaluate.h"
#include "dynamics/joint/fit.h"
#include "dynamics/joint/setup.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/scale.h"
#include "solver/blocks/system.h"

/* Largest error of a closed joint, m or rad, and the share of it that needs no iteration. */
static const double closed = 1e-12, closed_already = 0.1;
/* Largest error that the frames of a joint take up, m or rad. */
static const double fitted = 1e-6;
/* Largest turn of a body in an iteration, rad. */
static const double most_turn = 0.5;
/* Largest change of a given coordinate in an iteration, rad or model units. Loops then stay in their mode. */
static const double most_approach = 0.3;
enum { MOST_ITERATIONS = 100 };

/* Sets the allowed errors. Far from the origin, places have fewer digits. */
static void allow(AbutAssembly *a)
{
	static const double digits = 2e-15;
	double furthest = 0.0;
	for (int i = 0; i < a->model->n_bodies; i++) {
		furthest = abut_max(furthest, abut_norm3(a->bodies[i].x));
	}
	a->allowed[0] = closed / a->model->units.length + digits * furthest;
	a->allowed[1] = closed;
}

/* Keeps the larger of an error and the largest so far; `index` is that of its joint or coupling. */
static void compare(AbutAssembly *a, double error, int index, double *largest)
{
	if (!(error <= *largest)) {
		*largest = isnan(error) ? (double)INFINITY : error;
		a->worst = index;
	}
}

/* Computes the held value of a coupling, with turns nearest to those before. Returns it as a multiple of what is
 * allowed. */
static double measure_coupling(const AbutAssembly *a, AbutCouplingWork *work)
{
	static const double digits = 1e-15;
	const AbutCoupling *coupling = work->coupling;
	double c[2];
	for (int end = 0; end < 2; end++) {
		const int axis = coupling->axis[end];
		AbutJoint *joint = &a->model->joints.at[coupling->joint[end]];
		c[end] = work->joint[end]->rows[work->row[end]].value;
		if (abut_joint_turns(joint->kind, axis)) {
			c[end] = abut_joint_unwrap(c[end], joint->start[axis]);
		}
		joint->start[axis] = c[end];
	}
	work->value = abut_coupling_value(coupling, c[0], c[1]);
	return fabs(work->value) /
	       (a->allowed[coupling->turns ? 1 : 0] + digits * (fabs(c[0]) + fabs(coupling->offset)));
}

/* Returns an entry of the rotation vector of a ball from its given turn to the present one, in axes of the child. */
static double spin_off_given(const AbutJointWork *work, int k)
{
	AbutJointPose since = work->pose;
	AbutJointRow rows[ABUT_JOINT_FREEDOMS];
	double given[9], none[3];
	abut_joint_motion(work->joint->kind, work->joint->position, given, none);
	abut_mat3_mul(work->pose.A, given, since.A);
	abut_joint_free_rows(work->joint->kind, &since, rows);
	return rows[k].value;
}

/* Returns by how much a coordinate is off the given one; model units. */
static double off_given(const AbutAssembly *a, const AbutJointWork *work, int k)
{
	if (work->joint->kind->freedom[k].spins) {
		return spin_off_given(work, k);
	}
	const double c = work->rows[work->joint->n_held + k].value, given = work->joint->position[k];
	return abut_joint_turns(work->joint->kind, k) ? abut_joint_unwrap(c, given) - given
	                                              : c - given / a->model->units.length;
}

static bool holds_given(const AbutAssembly *a, const AbutJoint *joint)
{
	return a->holds && joint->placed;
}

/* Returns whether a coordinate is held, at a given value or at a limit, and by how much it is off. */
static bool is_held(const AbutAssembly *a, int index, int k, double *off)
{
	const AbutJointWork *work = &a->joints[index];
	if (holds_given(a, work->joint)) {
		*off = off_given(a, work, k);
		return true;
	}
	return abut_assembly_at_limit(a, index, k, off);
}

/* Computes the rows of all joints at the present poses. Returns the largest error, as a multiple of what is allowed. */
static double measure(AbutAssembly *a)
{
	double largest = 0.0;
	abut_assembly_place_joints(a);
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJointWork *work = &a->joints[i];
		const int places = abut_joint_kind_places(work->joint->kind);
		for (int k = 0; k < work->joint->n_held; k++) {
			compare(a, fabs(work->rows[k].value) / a->allowed[k < places ? 0 : 1], i, &largest);
		}
		for (int k = 0; k < work->joint->kind->n_freedoms; k++) {
			double off;
			if (is_held(a, i, k, &off)) {
				compare(a, fabs(off) / a->allowed[abut_joint_turns(work->joint->kind, k) ? 1 : 0], i,
				        &largest);
			}
		}
	}
	for (int i = 0; i < a->model->joints.n_couplings; i++) {
		const double open = measure_coupling(a, &a->couplings[i]);
		compare(a, a->model->joints.couplings[i].yields ? 0.0 : open, a->model->joints.n + i, &largest);
	}
	return largest;
}

/* Returns a joint whose axes are orthogonal where they should be, but on the wrong side, such as two hinge axes that
 * point against each other; -1 if there is none. */
static int find_reversed(const AbutAssembly *a)
{
	static const double least = 1e-6; /* turned by 120 degrees about a diagonal, 0 up to rounding */
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJointPose *pose = &a->joints[i].pose;
		const int held = a->joints[i].joint->kind->n_rotations;
		double along[3] = {0.0, 0.0, 0.0}; /* A_i . B_i */
		for (int k = 0; k < 9; k++) {
			along[k % 3] += pose->A[k] * pose->B[k];
		}
		if ((held >= 2 && along[2] <= least) || (held == 3 && (along[0] <= least || along[1] <= least))) {
			return i;
		}
	}
	return -1;
}

/* Sets the lanes of a row that is off by `value`. Returns its stiffness. */
static double close_row(AbutJointWork *work, int k, bool slides, double value)
{
	const double S = 1.0 / work->regular[slides ? 0 : 1];
	memcpy(work->j[k], work->g[k], sizeof work->j[k]);
	work->j[k][ABUT_LANE] = -S * value;
	work->j[k][ABUT_LANE + 1] = 0.0;
	return S;
}

/* Solves for the changes of all poses, which are then in the diagonal blocks. Returns false if it fails. */
static bool solve(AbutAssembly *a)
{
	a->far = false;
	abut_block_system_clear(&a->system);
	abut_assembly_add_inertias(a);
	for (int i = 0; i < a->model->joints.n; i++) {
		AbutJointWork *work = &a->joints[i];
		const int places = abut_joint_kind_places(work->joint->kind);
		int n = work->joint->n_held;
		double S[ABUT_JOINT_ROWS];
		for (int k = 0; k < work->joint->n_held; k++) {
			S[k] = close_row(work, k, k < places, work->rows[k].value);
		}
		for (int k = 0; k < work->joint->kind->n_freedoms; k++) {
			const int row = work->joint->n_held + k;
			const bool slides = !abut_joint_turns(work->joint->kind, k);
			double off = 0.0;
			const bool held = is_held(a, i, k, &off);
			a->far = a->far || fabs(off) > most_approach;
			S[row] = close_row(work, row, slides, fmin(fmax(off, -most_approach), most_approach));
			S[row] = held ? S[row] : 0.0;
			n = held ? row + 1 : n;
		}
		abut_joint_add_rows(work, n, S, &a->system);
	}
	for (int i = 0; i < a->model->joints.n_couplings; i++) {
		AbutCouplingWork *work = &a->couplings[i];
		AbutCouplingRow row;
		if (work->coupling->yields) {
			continue;
		}
		abut_coupling_row(work, work->joint[0]->g, work->joint[1]->g, row);
		abut_coupling_set_compliance((const double(*)[6])row, work);
		abut_coupling_add(work, (const double(*)[6])row, (const double(*)[6])row, 1.0 / work->regular,
		                  -work->value / work->regular, &a->system);
	}
	return abut_block_system_solve(&a->system);
}

/* Moves a body by a share of its change d of place and orientation. */
static void move_body(AbutBodyWork *body, const double *block, double share, double turn[4])
{
	double d[6], q[4], R[9], turned[9], total[4];
	for (int k = 0; k < 6; k++) {
		d[k] = share * block[k * ABUT_BLOCK_ROW + 6];
	}
	const double angle = abut_norm3(&d[3]);
	q[0] = cos(0.5 * angle);
	abut_scale3(angle > 0.0 ? sin(0.5 * angle) / angle : 0.5, &d[3], &q[1]);
	abut_add3(body->x, d, body->x);
	abut_quat_to_mat3(q, R);
	abut_mat3_mul(R, body->R, turned);
	abut_mat3_orthonormalise(turned, body->R);
	abut_quat_mul(q, turn, total);
	memcpy(turn, total, sizeof total);
}

/* Moves the bodies by the changes, of which all are shortened if one body would turn too far. */
static void move(const AbutAssembly *a)
{
	double largest = 0.0;
	for (int i = 0; i < a->model->n_moving; i++) {
		const double *block = abut_block(&a->system, i, i);
		const double d[3] = {block[3 * ABUT_BLOCK_ROW + 6], block[4 * ABUT_BLOCK_ROW + 6],
		                     block[5 * ABUT_BLOCK_ROW + 6]};
		largest = abut_max(largest, abut_norm3(d));
	}
	const double share = largest > most_turn ? most_turn / largest : 1.0;
	for (int i = 0; i < a->model->n_moving; i++) {
		const int body = a->model->moving_body[i];
		move_body(&a->bodies[body], abut_block(&a->system, i, i), share, a->turn[body]);
	}
}

/* Writes the poses back to the model, and measures by how much they changed. */
static void keep(const AbutAssembly *a)
{
	AbutModel *model = a->model;
	double most = 0.0;
	for (int i = 0; i < model->n_moving; i++) {
		const int index = model->moving_body[i];
		AbutBody *body = &model->bodies[index];
		const AbutBodyWork *work = &a->bodies[index];
		double q[4], offset[3], position[3], change[3];
		const double *turn = a->turn[index];
		AbutBodyWork before;
		abut_assembly_place_body(model, index, body->initial.position, body->initial.orientation, &before);
		if (turn[0] == 1.0 && before.x[0] == work->x[0] && before.x[1] == work->x[1] &&
		    before.x[2] == work->x[2]) {
			continue; /* not moved */
		}
		abut_quat_mul(turn, body->initial.orientation, q);
		abut_quat_normalise(q);
		memcpy(body->initial.orientation, q, sizeof q);
		abut_mat3_vec(work->R, body->centre_of_mass, offset);
		for (int k = 0; k < 3; k++) {
			position[k] = work->x[k] * model->units.length - offset[k];
		}
		abut_sub3(position, body->initial.position, change);
		abut_copy3(position, body->initial.position);
		const double angle = 2.0 * atan2(abut_norm3(&turn[1]), fabs(turn[0]));
		if (abut_norm3(change) / model->units.length + angle > most) {
			most = abut_norm3(change) / model->units.length + angle;
			model->joints.moved_body = index;
		}
		model->joints.moved = abut_max(model->joints.moved, abut_norm3(change));
		model->joints.turned = abut_max(model->joints.turned, angle);
	}
}

/* Fits the frames of joints that miss by little. Returns the largest error that is left, as measure does. */
static double fit(AbutAssembly *a, double now)
{
	const double most[2] = {fitted / a->model->units.length, fitted};
	double largest[2] = {0.0, 0.0};
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJointWork *work = &a->joints[i];
		const int places = abut_joint_kind_places(work->joint->kind);
		for (int k = 0; k < work->joint->n_held; k++) {
			double *own = &largest[k < places ? 0 : 1];
			*own = abut_max(*own, fabs(work->rows[k].value));
		}
	}
	if (!(largest[0] <= most[0] && largest[1] <= most[1])) {
		return now;
	}
	abut_joints_fit(a->model, a->joints, a->allowed);
	a->model->joints.moved = largest[0] * a->model->units.length;
	a->model->joints.turned = largest[1];
	const int n = a->model->joints.n;
	const int joint = a->worst < n ? a->worst : a->model->joints.couplings[a->worst - n].joint[0];
	a->model->joints.moved_body = a->model->joints.at[joint].body[1];
	return measure(a);
}

/* Moves the bodies until all errors are small, or no longer fall on arrival. Returns the largest, as measure does. */
static double iterate(AbutAssembly *a, double now)
{
	double before = (double)INFINITY;
	a->far = false;
	for (int i = 0; i < MOST_ITERATIONS && now > closed_already && (i < 10 || a->far || now < 0.5 * before); i++) {
		if (abut_stopped(&a->stop) || !solve(a)) {
			break;
		}
		move(a);
		before = now;
		now = measure(a);
	}
	return now;
}

/* Names the given coordinate that was changed most, beyond rounding. */
static void find_yielded(const AbutAssembly *a)
{
	static const double least = 1e-9;
	AbutJointList *joints = &a->model->joints;
	double most = least;
	joints->yielded.n = 0;
	for (int i = 0; i < joints->n; i++) {
		const AbutJointWork *work = &a->joints[i];
		for (int k = 0; work->joint->placed && k < work->joint->kind->n_freedoms; k++) {
			const double off = off_given(a, work, k);
			joints->yielded.n += fabs(off) > least;
			if (fabs(off) > most) {
				const bool turns = abut_joint_turns(work->joint->kind, k);
				const double given = work->joint->position[k];
				const double now = work->joint->kind->freedom[k].spins
				                       ? work->rows[work->joint->n_held + k].value
				                       : given + off * (turns ? 1.0 : a->model->units.length);
				most = fabs(off);
				joints->yielded = (AbutYielded){joints->yielded.n, i, k, turns, given, now};
			}
		}
	}
}

/* Places the joints at the initial poses. Returns the largest error. */
static AbutStatus begin(AbutAssembly *a, double *now, AbutError *error)
{
	abut_assembly_place_bodies(a);
	abut_assembly_place_joints(a);
	if (a->model->joints.n_couplings > 0) {
		ABUT_TRY(abut_couplings_unwrap(a->model, a->joints, error));
	}
	*now = measure(a);
	return ABUT_OK;
}

static bool any_given(const AbutModel *model)
{
	for (int i = 0; i < model->joints.n; i++) {
		if (model->joints.at[i].placed) {
			return true;
		}
	}
	return false;
}

/* Sets the initial poses of the moving bodies: those of the definition, or (NULL) at the given coordinates. */
static void set_poses(const AbutAssembly *a, const AbutSceneDef *def)
{
	for (int i = 0; i < a->model->n_moving; i++) {
		const int index = a->model->moving_body[i];
		const AbutBodyDef *body = def ? &def->bodies[index] : NULL;
		AbutBodyState *initial = &a->model->bodies[index].initial;
		memcpy(initial->position, body ? body->position : a->placed[index].position, sizeof initial->position);
		memcpy(initial->orientation, body ? body->orientation : a->placed[index].orientation,
		       sizeof initial->orientation);
		abut_quat_normalise(initial->orientation);
	}
}

/* Tries to close the joints from the poses that are set. Returns whether they are. */
static bool try_closing(AbutAssembly *a, double *now, AbutError *error)
{
	if (begin(a, now, error) != ABUT_OK || find_reversed(a) >= 0) {
		return false;
	}
	*now = iterate(a, *now);
	return *now <= 1.0 && find_reversed(a) < 0;
}

static void remember_poses(const AbutAssembly *a)
{
	for (int i = 0; i < a->model->n_bodies; i++) {
		const AbutBodyState *initial = &a->model->bodies[i].initial;
		memcpy(a->placed[i].position, initial->position, sizeof initial->position);
		memcpy(a->placed[i].orientation, initial->orientation, sizeof initial->orientation);
	}
}

/* Closes the joints at the given coordinates: on the way from the poses of the definition, or from where the
 * coordinates place the bodies. Returns false, with these poses, if it cannot. */
static bool close_at_given(AbutAssembly *a, const AbutSceneDef *def, double *now, AbutError *error)
{
	remember_poses(a);
	a->holds = true;
	set_poses(a, def);
	if (try_closing(a, now, error)) {
		return true;
	}
	set_poses(a, NULL);
	if (try_closing(a, now, error)) {
		return true;
	}
	a->holds = false;
	return false;
}

/* Closes the joints again, with coordinates that are beyond a limit held there, until none is. Leaves them as they are
 * if that is impossible. */
static double enter_limits(AbutAssembly *a, double now, AbutError *error)
{
	enum { MOST_ROUNDS = 20 };
	bool closes = true;
	for (int i = 0; closes && i < MOST_ROUNDS && abut_assembly_hold_limits(a); i++) {
		now = iterate(a, measure(a));
		closes = now <= 1.0 && find_reversed(a) < 0;
	}
	if (!closes) {
		abut_assembly_release_limits(a);
		if (begin(a, &now, error) == ABUT_OK) {
			now = iterate(a, now);
		}
	}
	return now;
}

static AbutStatus close_joints(AbutAssembly *a, const AbutSceneDef *def, AbutError *error)
{
	double now = 0.0;
	allow(a);
	a->holds = any_given(a->model);
	ABUT_TRY(begin(a, &now, error));
	int reversed = find_reversed(a);
	if (reversed >= 0) {
		return abut_assembly_refuse_reversed(a, reversed, "initial", error);
	}
	if (now <= closed_already) {
		return ABUT_OK;
	}
	if (!a->holds || !close_at_given(a, def, &now, error)) {
		ABUT_TRY(begin(a, &now, error));
		abut_assembly_begin_limits(a);
		now = iterate(a, now);
		now = now <= 1.0 && find_reversed(a) < 0 ? enter_limits(a, now, error) : now;
	}
	if (abut_stopped(&a->stop)) {
		return abut_error_set(error, ABUT_ERROR_STOPPED, NULL, "stopped while closing %d joints",
		                      a->model->joints.n);
	}
	if (!(now <= 1.0)) {
		now = fit(a, now);
	}
	if (!(now <= 1.0)) {
		return abut_assembly_refuse(a, error);
	}
	reversed = find_reversed(a); /* closed with other axes */
	if (reversed >= 0) {
		return abut_assembly_refuse_reversed(a, reversed, "nearest closed", error);
	}
	keep(a);
	find_yielded(a);
	return ABUT_OK;
}

/* Lets joints with given coordinates have the rows of all of them; hide_coordinates undoes it. */
static void show_coordinates(AbutModel *model)
{
	for (int i = 0; i < model->joints.n; i++) {
		AbutJoint *joint = &model->joints.at[i];
		joint->kind = joint->placed && !joint->soft.yields ? abut_joint_coordinates(joint) : joint->kind;
	}
}

static void hide_coordinates(AbutModel *model)
{
	for (int i = 0; i < model->joints.n; i++) {
		AbutJoint *joint = &model->joints.at[i];
		if (joint->placed) {
			abut_joint_set_laws(&model->units, joint);
		}
	}
}

AbutStatus abut_joints_assemble(AbutModel *model, const AbutSceneDef *def, AbutError *error)
{
	AbutAssembly a = {.model = model};
	model->joints.yielded.joint = -1;
	if (model->joints.n == 0 || model->n_moving == 0) {
		return ABUT_OK;
	}
	show_coordinates(model);
	abut_stopper_set(&a.stop, def->stop);
	abut_stopper_begin(&a.stop);
	AbutStatus status = abut_assembly_begin(&a, error);
	ABUT_THEN(status, close_joints(&a, def, error));
	ABUT_THEN(status, abut_assembly_check_limits(&a, error));
	ABUT_THEN(status, abut_assembly_check_bounds(&a, error));
	abut_assembly_end(&a);
	hide_coordinates(model);
	return status;
}

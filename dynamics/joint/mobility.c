/* Measures the mobility of a mechanism: factorises M + G' S G, with held rows of the stiffness S = C / delta as in a
 * step, and solves for eight columns X at once. The rows are then open by about delta. The impulses S G X close them in
 * a second solve, up to delta^2. */
#include "dynamics/joint/mobility.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/joint/assembly.h"
#include "dynamics/joint/condense.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/setup.h"
#include "dynamics/model/light_links.h"
#include "dynamics/model/scale.h"
#include "solver/blocks/columns.h"

enum { SIDES = 4 };

/* Least mobility, relative to that of a body alone; and of a place relative to a turn, or the reverse, as multiples of
 * those. */
static const double least = 1e-6;

/* A row g over up to four bodies. `out` receives `share` of g H^-1 g' added. */
typedef struct Column {
	const AbutBodyWork *body[SIDES]; /* NULL: none */
	const double *g[SIDES];          /* (6) of each */
	double share, *out;
} Column;

typedef struct Waiting {
	const AbutAssembly *assembly;
	AbutLanes *X, *again; /* (6 n_moving) */
	int n;
	Column column[ABUT_LANES];
} Waiting;

/* Returns the stiffness of a row that is held. */
static double stiffness_of(const AbutJointWork *work, int row)
{
	const int unit = row < abut_joint_kind_places(work->joint->kind) ? 0 : 1;
	double typical[2];
	abut_joint_typical(work, typical);
	const double usual = 1.0 / (abut_joint_delta / typical[unit]);
	const double carrying = work->joint->carried[unit] / abut_joint_delta;
	return carrying > ABUT_LIGHT_LINK * usual ? carrying : usual; /* as stiffly as what the link carries */
}

static bool factorise(const AbutAssembly *a)
{
	abut_block_system_clear(&a->system);
	abut_assembly_add_inertias(a);
	for (int i = 0; i < a->model->joints.n; i++) {
		AbutJointWork *work = &a->joints[i];
		const AbutJoint *joint = work->joint;
		const int n = joint->n_held + joint->kind->n_freedoms;
		double S[ABUT_JOINT_ROWS];
		for (int k = 0; k < n; k++) {
			S[k] = k < joint->n_held ? stiffness_of(work, k) : joint->law[k - joint->n_held].armature;
			memcpy(work->j[k], work->g[k], sizeof work->j[k]);
			work->j[k][ABUT_LANE] = work->j[k][ABUT_LANE + 1] = 0.0;
		}
		abut_joint_add_rows(work, n, S, &a->system);
	}
	return abut_block_system_solve(&a->system);
}

/* Adds `by` (per lane) times a row of its bodies to out. */
static void add_row(const AbutBodyWork *const body[SIDES], const double *const g[SIDES], const AbutLanes by,
                    AbutLanes *out)
{
	for (int s = 0; s < SIDES; s++) {
		for (int k = 0; body[s] && body[s]->moving >= 0 && k < 6; k++) {
			const bool across = body[s]->planar && (k == 1 || k == 3 || k == 5);
			for (int l = 0; !across && l < ABUT_LANES; l++) {
				out[6 * body[s]->moving + k][l] += by[l] * g[s][k];
			}
		}
	}
}

/* Computes a row's product with the columns X. */
static void multiply(const AbutBodyWork *const body[SIDES], const double *const g[SIDES], const AbutLanes *X,
                     AbutLanes out)
{
	memset(out, 0, sizeof(AbutLanes));
	for (int s = 0; s < SIDES; s++) {
		for (int k = 0; body[s] && body[s]->moving >= 0 && k < 6; k++) {
			for (int l = 0; l < ABUT_LANES; l++) {
				out[l] += g[s][k] * X[6 * body[s]->moving + k][l];
			}
		}
	}
}

static void add_columns(const Waiting *waiting, AbutLanes *out)
{
	memset(out, 0, 6 * (size_t)waiting->assembly->model->n_moving * sizeof *out);
	for (int l = 0; l < waiting->n; l++) {
		AbutLanes by = {0.0};
		by[l] = 1.0;
		add_row(waiting->column[l].body, waiting->column[l].g, by, out);
	}
}

static void solve(Waiting *waiting)
{
	const AbutAssembly *a = waiting->assembly;
	AbutLanes *const X = waiting->X, *const again = waiting->again;
	add_columns(waiting, X);
	abut_block_system_solve_again(&a->system, X);
	add_columns(waiting, again);
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJointWork *work = &a->joints[i];
		const AbutBodyWork *const body[SIDES] = {work->body[0], work->body[1]};
		for (int k = 0; k < work->joint->n_held; k++) {
			const double *const g[SIDES] = {&work->g[k][abut_joint_column[0]],
			                                &work->g[k][abut_joint_column[1]]};
			AbutLanes rate;
			multiply(body, g, X, rate);
			for (int l = 0; l < ABUT_LANES; l++) {
				rate[l] *= -stiffness_of(work, k);
			}
			add_row(body, g, rate, again);
		}
	}
	abut_block_system_solve_again(&a->system, again);
	for (int l = 0; l < waiting->n; l++) {
		const Column *column = &waiting->column[l];
		AbutLanes product;
		multiply(column->body, column->g, again, product);
		*column->out += column->share * product[l];
	}
	waiting->n = 0;
}

static void add(Waiting *waiting, const Column *column)
{
	waiting->column[waiting->n++] = *column;
	if (waiting->n == ABUT_LANES) {
		solve(waiting);
	}
}

/* Measures each body of a joint once. */
static void measure_bodies(Waiting *waiting, bool *seen)
{
	static const double unit[6][6] = {{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}, {[3] = 1.0}, {[4] = 1.0}, {[5] = 1.0}};
	const AbutAssembly *a = waiting->assembly;
	for (int i = 0; i < 2 * a->model->joints.n; i++) {
		const AbutBodyWork *work = a->joints[i / 2].body[i % 2];
		if (work->moving < 0 || seen[work->moving]) {
			continue;
		}
		AbutBody *body = &a->model->bodies[work->body];
		seen[work->moving] = true;
		body->mobility[0] = body->mobility[1] = 0.0;
		for (int k = 0; k < 6; k++) {
			const bool across = body->planar && (k == 1 || k == 3 || k == 5);
			if (!across) {
				add(waiting,
				    &(Column){{work, NULL}, {unit[k], NULL}, 1.0 / 3.0, &body->mobility[k / 3]});
			}
		}
	}
}

static void measure_freedoms(Waiting *waiting)
{
	const AbutAssembly *a = waiting->assembly;
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJointWork *work = &a->joints[i];
		AbutJoint *joint = &a->model->joints.at[i];
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			const double *g = work->g[joint->n_held + k];
			joint->soft.mobility[k] = 0.0;
			add(waiting, &(Column){{work->body[0], work->body[1]},
			                       {&g[abut_joint_column[0]], &g[abut_joint_column[1]]},
			                       1.0,
			                       &joint->soft.mobility[k]});
		}
	}
}

/* Returns the mobility in model units that is 1 in SI. */
static double unit_of(const AbutModel *model, bool turns)
{
	const AbutUnits *u = &model->units;
	return turns ? u->time * u->torsion : u->impulse / u->velocity;
}

/* Bounds a body's mobilities from below. One that is too small beside the other takes that one's number in SI. */
static void bound_body(const AbutModel *model, AbutBody *body)
{
	const double *J = body->inertia, inertia = (J[0] + J[4] + J[8]) / 3.0;
	const double bottom[2] = {least / body->mass, least / inertia};
	const double share = body->mobility[0] * body->mass / (body->mobility[1] * inertia);
	for (int k = 0; k < 2; k++) {
		if ((k == 0 ? share : 1.0 / share) < least && body->mobility[1 - k] > bottom[1 - k]) {
			body->mobility[k] = body->mobility[1 - k] * (unit_of(model, k == 1) / unit_of(model, k == 0));
		}
		body->mobility[k] = abut_max(body->mobility[k], bottom[k]);
	}
}

/* Bounds all mobilities from below. */
static void bound(const AbutAssembly *a)
{
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJointWork *work = &a->joints[i];
		AbutJoint *joint = &a->model->joints.at[i];
		for (int s = 0; s < 2; s++) {
			if (work->body[s]->moving >= 0) {
				bound_body(a->model, &a->model->bodies[work->body[s]->body]);
			}
		}
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			double *own = &joint->soft.mobility[k];
			const double carried = joint->carried[abut_joint_turns(joint->kind, k) ? 1 : 0];
			*own = abut_max(*own, carried > 0.0 ? least / carried : 0.0);
		}
	}
}

/* Returns the mobility of a coupled freedom in model units that is 1 in SI. */
static double unit_of_end(const AbutModel *model, const AbutCoupling *coupling, int end)
{
	return unit_of(model, abut_joint_turns(model->joints.at[coupling->joint[end]].kind, coupling->axis[end]));
}

/* Measures couplings: by their own rows, or as the sums of their freedoms. */
static void measure_couplings(Waiting *waiting)
{
	const AbutAssembly *a = waiting->assembly;
	for (int i = 0; i < a->model->joints.n_couplings; i++) {
		const AbutCouplingWork *work = &a->couplings[i];
		AbutCoupling *coupling = &a->model->joints.couplings[i];
		AbutCouplingRow row;
		coupling->mobility = 0.0;
		if (!coupling->tendon) {
			for (int end = 0; end < 2; end++) {
				coupling->mobility +=
				    unit_of_end(a->model, coupling, 0) / unit_of_end(a->model, coupling, end) *
				    a->model->joints.at[coupling->joint[end]].soft.mobility[coupling->axis[end]];
			}
			continue;
		}
		abut_coupling_row(work, work->joint[0]->g, work->joint[1]->g, row);
		Column column = {.share = 1.0, .out = &coupling->mobility};
		for (int b = 0; b < work->n_bodies; b++) {
			column.body[b] = work->body[b];
			column.g[b] = row[b];
		}
		add(waiting, &column);
		solve(waiting); /* while the row is there */
	}
}

/* Measures all mobilities of an assembly whose bodies and joints are placed. */
static AbutStatus measure(const AbutAssembly *a, AbutError *error)
{
	const size_t n = (size_t)a->model->n_moving;
	Waiting waiting = {
	    .assembly = a, .X = calloc(6 * n, sizeof *waiting.X), .again = calloc(6 * n, sizeof *waiting.again)};
	bool *seen = calloc(n, sizeof *seen);
	AbutStatus status = ABUT_OK;
	if (!waiting.X || !waiting.again || !seen) {
		status = abut_model_no_memory(error);
	} else if (!factorise(a)) {
		status = abut_error_set(error, ABUT_ERROR_NUMERICAL, "joints",
		                        "the inertia of the mechanism at its initial poses is singular");
	} else {
		measure_bodies(&waiting, seen);
		measure_freedoms(&waiting);
		solve(&waiting);
		bound(a);
		measure_couplings(&waiting);
	}
	free(waiting.X);
	free(waiting.again);
	free(seen);
	return status;
}

AbutStatus abut_joints_find_mobility(AbutModel *model, AbutError *error)
{
	AbutAssembly a = {.model = model};
	if (model->joints.n == 0 || !model->joints.at[0].soft.on || model->n_moving == 0) {
		return ABUT_OK;
	}
	AbutStatus status = abut_assembly_begin(&a, error);
	if (status == ABUT_OK) {
		for (int i = 0; i < model->n_bodies; i++) {
			const AbutBody *body = &model->bodies[i];
			abut_assembly_place_body(model, i, body->home_position, body->home_orientation, &a.bodies[i]);
		}
		abut_assembly_place_joints(&a);
		status = measure(&a, error);
	}
	abut_assembly_end(&a);
	return status;
}

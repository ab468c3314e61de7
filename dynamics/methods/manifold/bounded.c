/* Makes rows of a boxed LCP from bounded impulses of joints. */
#include "dynamics/methods/manifold/bounded.h"

#include <math.h>

#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/methods/manifold/rows.h"

/* Clips come first, with their indices. */
enum { LOWER = ABUT_CLIPS, UPPER, KINDS };

/* A bounded impulse: at the joints' solution it is x, and its slack is w. */
typedef struct Bounded {
	const AbutJointWork *joint;
	int axis, kind; /* kind: an index of a clip, LOWER or UPPER */
	double x, w, lo, hi, compliance;
	AbutBoxedSet set;
} Bounded;

int abut_bounded_most(const AbutModel *model, int n_joints)
{
	const int most = KINDS * ABUT_JOINT_FREEDOMS * n_joints;
	int rows = 0;
	for (int i = 0; i < model->joints.n; i++) {
		const AbutJoint *joint = &model->joints.at[i];
		for (int k = 0; k < joint->kind->n_freedoms && !joint->kind->freedom[0].spins; k++) {
			const AbutJointLaw *law = &joint->law[k];
			rows += law->rubs + (law->servo == ABUT_SERVO_LIMITED);
			rows += law->limited ? 2 - law->one_sided : 0;
		}
	}
	return rows < most ? rows : most;
}

/* A limit has a row if it presses, or if its slack is below `near`, a rate in model units; a servo, if its impulse is
 * above a share of its bound. Those that are farther away from their bounds and reach them in the step do so in the
 * joints' solution, and have rows in the next turn. Turns and slides share the rate: the unit of length is the mean
 * outer radius of the bodies, so that a turn by 1 rad moves their points by about 1. On standing robots a rate of 0.1
 * or 10 and a share of 0.25 or 0.9 change little (docs/formulation.md 16). */
static const double near = 1.0, busy = 0.5;

/* Returns whether the freedom has a bounded impulse of this kind. */
static bool is_there(const AbutJointAxisWork *axis, int kind)
{
	return kind < ABUT_CLIPS ? axis->clip[kind].there : axis->limits && axis->limits->dim > kind - LOWER;
}

/* Either w is 0, or x is at a bound: C decides, and what the joints' tolerance has left of the other one is taken off.
 * The rows would otherwise ask for what the joints do not give. */
static void decide(double C, Bounded *bounded)
{
	const double x = bounded->x - C * bounded->w;
	bounded->set = x <= bounded->lo ? ABUT_BOXED_LOWER : x >= bounded->hi ? ABUT_BOXED_UPPER : ABUT_BOXED_CLAMPED;
	if (bounded->set == ABUT_BOXED_CLAMPED) {
		bounded->w = 0.0;
	} else {
		bounded->x = bounded->set == ABUT_BOXED_LOWER ? bounded->lo : bounded->hi;
	}
}

static Bounded make(const AbutLcpIsland *island, const AbutJointWork *joint, int index, int kind)
{
	const AbutJointAxisWork *axis = &joint->axis[index];
	const double *z = &island->jointed->iterate.z[joint->at.z], dt = island->model->timestep;
	Bounded out = {.joint = joint, .axis = index, .kind = kind};
	if (kind < ABUT_CLIPS) {
		const AbutClipped *clip = &axis->clip[kind];
		out.x = clip->scale * z[clip->z + 1];
		out.compliance = clip->compliance;
		out.w = axis->rate - clip->u + clip->compliance * out.x;
		out.lo = -clip->scale;
		out.hi = clip->scale;
		decide(clip->scale * clip->cone->weight * clip->weight, &out);
	} else {
		out.x = z[axis->limits_z + kind - LOWER];
		out.w = (kind == LOWER ? axis->c - axis->lower : axis->upper - axis->c) / dt;
		out.hi = (double)INFINITY;
		decide(axis->limits->weight * abut_limit_weight * dt, &out);
	}
	return out;
}

static bool has_row(const Bounded *bounded)
{
	return bounded->kind == ABUT_CLIP_FRICTION ||
	       (bounded->kind == ABUT_CLIP_SERVO ? fabs(bounded->x) > busy * bounded->hi : bounded->w < near);
}

double abut_bounded_stiffness(const AbutLcpIsland *island, const AbutJointWork *joint, int axis)
{
	double sum = abut_axis_stiffness(&joint->axis[axis]);
	if (is_there(&joint->axis[axis], ABUT_CLIP_SERVO)) {
		const Bounded servo = make(island, joint, axis, ABUT_CLIP_SERVO);
		sum += has_row(&servo) ? 0.0 : 1.0 / servo.compliance;
	}
	return sum;
}

/* Calls `visit` with each bounded impulse of the island and its row. Returns the number of rows of the island. */
static int for_each(const AbutLcpIsland *island, void (*visit)(const AbutLcpIsland *, const Bounded *, int row))
{
	int row = abut_lcp_loads(island);
	for (int i = 0; i < island->jointed->problem.n_joints; i++) {
		const AbutJointWork *joint = &island->jointed->problem.joints[i];
		for (int k = 0; k < joint->joint->kind->n_freedoms * KINDS; k++) {
			const int axis = k / KINDS, kind = k % KINDS;
			if (!joint->joint->kind->freedom[0].spins && is_there(&joint->axis[axis], kind)) {
				const Bounded bounded = make(island, joint, axis, kind);
				if (has_row(&bounded)) {
					visit(island, &bounded, row++);
				}
			}
		}
	}
	return row;
}

static void set_row(const AbutLcpIsland *island, const Bounded *bounded, int index)
{
	const AbutJointWork *joint = bounded->joint;
	const double *g = joint->start[joint->joint->n_held + bounded->axis];
	AbutLcpRow *row = &island->room->rows[index];
	island->room->columns.x[index] = bounded->x;
	*row = (AbutLcpRow){.body = {joint->body[0]->moving, joint->body[1]->moving}};
	for (int k = 0; k < 12; k++) {
		const double along = g[abut_joint_column[k / 6] + k % 6];
		row->J[k] = bounded->kind == UPPER ? -along : along;
	}
}

static void fill(const AbutLcpIsland *island, const Bounded *bounded, int row)
{
	AbutLcpRoom *room = island->room;
	room->lo[row] = bounded->lo;
	room->hi[row] = bounded->hi;
	room->friction[row] = -1;
	room->guess[row] = bounded->set;
	room->b[row] = bounded->w;
	room->A[(size_t)row * (size_t)(island->n_rows + 1)] += bounded->compliance;
}

void abut_bounded_add(AbutLcpIsland *island)
{
	const int first = abut_lcp_loads(island);
	island->n_rows = for_each(island, set_row);
	island->n_inner = island->n_rows - first;
}

void abut_bounded_fill(const AbutLcpIsland *island)
{
	for_each(island, fill);
}

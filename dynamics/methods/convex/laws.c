/* Makes soft rows of limits and dry friction of joints. */
#include "dynamics/methods/convex/laws.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/joint/keep.h"
#include "dynamics/methods/convex/convection.h"
#include "dynamics/step/workspace.h"

typedef enum LawKind { LOWER, UPPER, FRICTION, LAW_KINDS } LawKind;

/* A law that acts in the step. */
typedef struct Law {
	AbutJointWork *joint;
	int axis;
	LawKind kind;
	double distance; /* of limits, minus the margin; negative where they push */
} Law;

int abut_convex_law_rows(const AbutModel *model, int n_joints)
{
	const bool soft = model->joints.n > 0 && model->joints.at[0].soft.on;
	return soft ? LAW_KINDS * ABUT_JOINT_FREEDOMS * n_joints : 0;
}

/* Sets the law of a kind. Returns false if it does not act. */
static bool find_law(const AbutModel *model, AbutJointWork *joint, int axis, LawKind kind, Law *law)
{
	const AbutJointLaw *of = &joint->joint->law[axis];
	const double c = joint->axis[axis].from.c;
	*law = (Law){joint, axis, kind, 0.0};
	if (kind == FRICTION) {
		return of->soft_friction;
	}
	const double unit = abut_joint_turns(joint->joint->kind, axis) ? 1.0 : model->units.length;
	law->distance = (kind == LOWER ? c - of->lower : of->upper - c) - joint->joint->soft.limit.margin / unit;
	return of->soft_limits && law->distance < 0.0;
}

static void set_row(const Law *law, AbutLcpRow *row)
{
	const double *g = law->joint->start[law->joint->joint->n_held + law->axis];
	*row = (AbutLcpRow){.body = {law->joint->body[0]->moving, law->joint->body[1]->moving}};
	for (int k = 0; k < 12; k++) {
		const bool across = law->joint->body[k / 6]->planar && (k % 6 == 1 || k % 6 == 3 || k % 6 == 5);
		const double along = across ? 0.0 : g[abut_joint_column[k / 6] + k % 6];
		row->J[k] = law->kind == UPPER ? -along : along;
	}
}

/* Calls `visit` for each law that acts on the island, in the order of its rows. */
static void for_each(const AbutLcpIsland *island, void (*visit)(const Law *law, void *context), void *context)
{
	for (int i = 0; i < island->jointed->problem.n_joints; i++) {
		AbutJointWork *joint = &island->jointed->problem.joints[i];
		for (int k = 0; joint->joint->soft.on && k < joint->joint->kind->n_freedoms * LAW_KINDS; k++) {
			Law law;
			if (find_law(island->model, joint, k / LAW_KINDS, (LawKind)(k % LAW_KINDS), &law)) {
				visit(&law, context);
			}
		}
	}
}

static void append_row(const Law *law, void *context)
{
	AbutLcpIsland *island = context;
	set_row(law, &island->room->rows[island->n_rows++]);
}

void abut_convex_add_law_rows(AbutLcpIsland *island)
{
	for_each(island, append_row, island);
}

typedef struct Adding {
	AbutLcpIsland *island;
	AbutSoftProblem *problem;
} Adding;

/* Returns solref and solimp of a law in model units. The width of a turn's solimp is an angle. */
static AbutSoftParameters parameters_of(const AbutModel *model, const Law *law)
{
	const AbutJoint *joint = law->joint->joint;
	const AbutSoftness *soft = law->kind == FRICTION ? &joint->soft.friction : &joint->soft.limit;
	AbutSoftParameters out = abut_convex_parameters(model, soft);
	if (abut_joint_turns(joint->kind, law->axis)) {
		out.solimp[2] = soft->solimp[2];
	}
	return out;
}

static void append_point(const Law *law, void *context)
{
	const Adding *adding = context;
	const AbutLcpIsland *island = adding->island;
	AbutConvexRoom *room = abut_convex_room(island->room);
	AbutSoftProblem *problem = adding->problem;
	AbutSoftPoint *point = &room->points[problem->n_points++];
	append_row(law, adding->island);
	const AbutLcpRow *row = &island->room->rows[island->n_rows - 1];
	const AbutSoftParameters parameters = parameters_of(island->model, law);
	const AbutSoftContact soft = {.body = {row->body[0], row->body[1]},
	                              .n_rows = 1,
	                              .J = &row->J,
	                              .distance = law->distance,
	                              .velocity = {abut_convex_velocity_before(island, row->body, row->J)},
	                              .inverse_mass = law->joint->joint->soft.mobility[law->axis],
	                              .friction = {1.0}};
	problem->n_rows += abut_soft_make(&parameters, island->model->timestep, false, &soft, problem->n_rows, point,
	                                  &room->rows[problem->n_rows]);
	if (law->kind == FRICTION) {
		point->held = true;
		point->most = law->joint->joint->law[law->axis].friction;
	}
}

void abut_convex_add_laws(AbutLcpIsland *island, AbutSoftProblem *problem)
{
	for_each(island, append_point, &(Adding){island, problem});
}

typedef struct Keeping {
	const AbutLcpIsland *island;
	int row;
} Keeping;

static void keep_impulse(const Law *law, void *context)
{
	Keeping *keeping = context;
	const AbutWorkspace *w = keeping->island->w;
	AbutJointDone *done = &law->joint->last->done;
	const double impulse = keeping->island->room->boxed.x[keeping->row++];
	const double x = law->kind == UPPER ? -impulse : impulse; /* on the coordinate */
	*(law->kind == FRICTION ? &done->friction[law->axis] : &done->limit[law->axis]) += x;
	if (w->loads) {
		abut_joint_add_row_load(law->joint, law->joint->start[law->joint->joint->n_held + law->axis], x,
		                        &w->loads[6 * (law->joint->last - w->joints)]);
	}
}

int abut_convex_contact_rows(const AbutLcpIsland *island)
{
	int rows = 0;
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(island->w, island->members, i);
		rows += abut_lcp_contact_rows(&abut_lcp_work(island->w)->contacts[index]);
	}
	return rows;
}

int abut_convex_keep_laws(const AbutLcpIsland *island)
{
	Keeping keeping = {island, abut_convex_contact_rows(island)};
	for_each(island, keep_impulse, &keeping);
	return keeping.row;
}

/* --- derivatives --- */

static int contact_points(const AbutLcpIsland *island)
{
	int n = 0;
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		n +=
		    abut_lcp_work(island->w)->contacts[abut_island_candidate(island->w, island->members, i)].manifold.n;
	}
	return n;
}

typedef struct Finding {
	const AbutLcpIsland *island;
	int point; /* of the next law */
} Finding;

static void find_slope(const Law *law, void *context)
{
	static const double close = 1e-9, same = 1e-7;
	Finding *finding = context;
	const AbutModel *model = finding->island->model;
	AbutConvexRoom *room = abut_convex_room(finding->island->room);
	const AbutSoftPoint *point = &room->points[finding->point++];
	const AbutSoftRow *row = &room->rows[point->first_row];
	const AbutSoftParameters parameters = parameters_of(model, law);
	const double y = room->soft.distance[point->first_row], force = room->soft.force[point->first_row];
	const double rate = (law->kind == UPPER ? -1.0 : 1.0) * law->joint->axis[law->axis].rate;
	AbutLcpRow of;
	double slope, k, b, H;
	set_row(law, &of);
	const double d = abut_soft_impedance(parameters.solimp, law->distance, &slope);
	abut_soft_spring(&parameters, model->timestep, &b, &k);
	abut_soft_point(point, row, &y, NULL, &H);
	const double pull = k * (slope * law->distance + d), stiffer = slope / (d * (1.0 - d));
	room->laws[room->n_laws++] = (AbutConvexLawSlope){
	    .joint = law->joint,
	    .axis = law->axis,
	    .impulse = (law->kind == UPPER ? -1.0 : 1.0) * model->timestep * force,
	    .H = H,
	    .b = b,
	    .by_start = law->kind == FRICTION ? 0.0 : model->timestep * (stiffer * force - H * pull),
	    .in_tree = fabs(abut_convex_rate_along(finding->island, &of) - rate) <= same * (1.0 + fabs(rate)),
	    .kinks = law->kind == FRICTION ? fabs(row->weight * fabs(y) - point->most) <= close * point->most
	                                   : fabs(y) <= close * fabs(row->reference)};
}

void abut_convex_find_slopes(const AbutLcpIsland *island)
{
	abut_convex_room(island->room)->n_laws = 0;
	for_each(island, find_slope, &(Finding){island, contact_points(island)});
}

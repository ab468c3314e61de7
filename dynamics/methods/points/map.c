/* Computes the derivatives of a point's wrenches with respect to poses, velocities and the friction coefficient. A
 * change of poses or velocities changes the wrench directly, at fixed impulses, and through the impulses, by -D K
 * d(gap, slip). D holds the wrenches of unit impulses, and K is the law of the impulses
 * (dynamics/methods/points/problem.h). Tested in tests/dynamics/methods/points/test_point_ncp_gradient.c. */
#include "dynamics/methods/points/map.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/gradient/refuse.h"
#include "dynamics/island/island.h"
#include "dynamics/model/joint_parameter.h"

static bool has_friction_of(const AbutPoint *point, const AbutParameter *p)
{
	const int *body = point->pair->body;
	return p->kind == ABUT_PARAMETER_FRICTION && point->pair->tail > 0 && !point->pair->own_friction &&
	       ((body[0] == p->body && body[1] == p->other) || (body[0] == p->other && body[1] == p->body));
}

static void carve_map(const AbutPoint *point, int n_parameters, const AbutParameter *parameters, AbutArena *arena,
                      AbutEdgeMap *out)
{
	out->n_sides = point->body[1]->moving >= 0 ? 2 : 1;
	out->n_held = out->n_parameters = 0;
	for (int s = 0; s < 2; s++) {
		out->body[s] = point->body[s]->moving;
	}
	out->parameters = abut_arena_take(arena, (size_t)n_parameters, sizeof *out->parameters);
	for (int i = 0; i < n_parameters; i++) {
		if (has_friction_of(point, &parameters[i])) {
			abut_edge_map_add_parameter(arena, i, out);
		}
	}
	abut_edge_map_carve(arena, out);
}

typedef double Directions[2][ABUT_POINT_ROWS][6];

static void put_column(const AbutPoint *point, const AbutPointChange *change, const AbutPointLaw *law,
                       Directions directions, int column, AbutEdgeMap *out)
{
	AbutPointFollow follow;
	abut_point_push(point, change, &follow);
	for (int r = 0; r < ABUT_MAP_SIDE * out->n_sides; r++) {
		const int side = r / ABUT_MAP_SIDE, row = r % ABUT_MAP_SIDE;
		double sum = follow.wrench[side][row];
		for (int j = 0; j < ABUT_POINT_ROWS; j++) {
			sum -= directions[side][j][row] * abut_dot3(law->K[j], follow.rows);
		}
		out->at[r * out->stride + column] = sum;
	}
}

/* Adds the derivative with respect to the friction coefficient mu. The law depends on mu only through mu gamma, so that
 * dmu acts like dgamma = (gamma / mu) dmu. */
static void add_friction(const AbutPoint *point, Directions directions, AbutEdgeMap *out)
{
	const double factor = point->impulse.gamma / point->mu;
	for (int r = 0; r < ABUT_MAP_SIDE * out->n_sides; r++) {
		double *row = &out->at[r * out->stride + abut_map_by_parameter(out)];
		const int side = r / ABUT_MAP_SIDE, entry = r % ABUT_MAP_SIDE;
		for (int i = 0; i < out->n_parameters; i++) {
			for (int t = 0; t < 2; t++) {
				row[i] += directions[side][1 + t][entry] * factor * point->friction.a[t];
			}
		}
	}
}

static AbutPointChange unit_pose(int side, int k)
{
	AbutPointChange change;
	memset(&change, 0, sizeof change);
	(k < 3 ? change.place : change.turn)[side][k % 3] = 1.0;
	return change;
}

static void fill_map(AbutPoint *point, const AbutPointProblem *problem, const AbutConeLaw *law, AbutEdgeMap *out)
{
	AbutPointLaw own;
	Directions directions;
	memset(out->at, 0, (size_t)abut_map_rows(out) * (size_t)out->stride * sizeof *out->at);
	abut_point_law(point, problem->bodies->friction_cone, law, &own);
	for (int s = 0; s < 2; s++) {
		abut_point_directions(point, s, directions[s]);
	}
	for (int c = 0; c < ABUT_MAP_SIDE * out->n_sides; c++) {
		const int side = c / ABUT_MAP_SIDE, k = c % ABUT_MAP_SIDE;
		const AbutPointChange pose = unit_pose(side, k),
		                      velocity = abut_point_unit_velocity(point, problem->bodies->timestep, side, k);
		put_column(point, &pose, &own, directions, c, out);
		put_column(point, &velocity, &own, directions, abut_map_by_velocity(out) + c, out);
	}
	if (out->n_parameters > 0) {
		add_friction(point, directions, out);
	}
}

static void carve_edge(const AbutIsland *island, int edge, const AbutGradientAsk *ask, AbutArena *arena,
                       AbutEdgeMap *map)
{
	carve_map(&abut_point_problem(island)->points[edge], ask->n_parameters, ask->parameters, arena, map);
}

static void fill_edge(AbutIsland *island, int edge, AbutEdgeMap *map)
{
	AbutPointProblem *problem = abut_point_problem(island);
	fill_map(&problem->points[edge], problem, &island->iterate.law, map);
}

static void refuse_edges(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	for (int i = 0; i < abut_point_problem_count(island); i++) {
		const AbutPoint *point = &abut_point_problem(island)->points[i];
		if (point->shift > 0.0) {
			abut_gradient_refuse_overlap(ask, point->pair, part);
		}
	}
}

/* Returns the kappa at which to differentiate. For kappa 0, which this method does not have, it is 1e-9, or the step's
 * kappa if that is larger. Steps go down to 1e-12, where not all points of the path are accurate enough for finite
 * differences. At 1e-6 the derivative with respect to friction is off by a tenth. */
static double kappa_of(const AbutModel *model, double kappa)
{
	static const double usual = 1e-9;
	return kappa == 0.0 ? fmax(usual, model->options.kappa) : kappa;
}

const AbutMethodGradient abut_points_gradient = {.has_path = true,
                                                 .kappa = kappa_of,
                                                 .n_edges = abut_point_problem_count,
                                                 .carve_edge = carve_edge,
                                                 .fill_edge = fill_edge,
                                                 .refuse_edges = refuse_edges};

bool abut_points_have_parameter(AbutParameterKind kind)
{
	return kind == ABUT_PARAMETER_MASS || kind == ABUT_PARAMETER_INERTIA || kind == ABUT_PARAMETER_GRAVITY ||
	       kind == ABUT_PARAMETER_TIMESTEP || kind == ABUT_PARAMETER_FRICTION || abut_parameter_of_joint(kind);
}

/* The three ways of a query: a halfspace in closed form, polytopes by the growth distance, everything else by the conic
 * problem, whose exact finish gives the normal to rounding where a boundary is curved. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "collision/pair_query.h"
#include "shapes/support.h"

static bool is_polytope(const AbutShape *shape)
{
	return shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE;
}

/* --- a halfspace --- */

/* alpha h(-n) = height of the centre above the plane; h about the centre. Below the plane the centre alone is enough.
 */
static void above_plane(const AbutCollision *collision, const AbutGrowthSide *shape, const AbutGrowthSide *plane,
                        AbutCollisionResult *out)
{
	const double *M = plane->M, *size = collision->shape[1]->size;
	const double n[3] = {M[2], M[5], M[8]}, down[3] = {-n[0], -n[1], -n[2]};
	double own[3], local[3], lowest[3], height = -size[0], reach = 0.0;
	abut_mat3_tvec(shape->M, down, own);
	abut_shape_support_own(shape->shape, own, local);
	abut_mat3_vec(shape->M, local, lowest);
	for (int i = 0; i < 3; i++) {
		lowest[i] += shape->offset[i];
		height += n[i] * (shape->centre[i] - plane->centre[i] - plane->offset[i]);
		reach -= n[i] * lowest[i];
	}
	out->scaling = abut_max(height / reach, 0.0);
	out->gap = (out->scaling - 1.0) * reach;
	out->error = 0.0;
	out->iterations = 1;
	for (int i = 0; i < 3; i++) {
		out->point[i] = shape->centre[i] + out->scaling * lowest[i];
		out->normal[i] = down[i];
	}
}

/* --- the conic problem --- */

static void place(AbutCollision *collision, const double position[2][3], const double R[2][9])
{
	for (int i = 0; i < 2; i++) {
		AbutScalingSide *side = &collision->problem.side[i];
		for (int j = 0; j < 3; j++) {
			side->x[j] = position[i][j] / collision->unit;
		}
		memcpy(side->R, R[i], sizeof side->R);
	}
}

static void read_solution(const AbutCollision *collision, AbutCollisionResult *out)
{
	const AbutScalingProblem *problem = &collision->problem;
	double n[3];
	abut_mat3_vec(problem->side[0].R, problem->side[0].g, n);
	const double length = abut_norm3(n);
	out->scaling = collision->iterate.y[3];
	for (int i = 0; i < 3; i++) {
		out->point[i] = (problem->origin[i] + collision->iterate.y[i]) * collision->unit;
		out->normal[i] = length > 0.0 ? n[i] / length : 0.0;
	}
	out->gap = length > 0.0 ? (out->scaling - 1.0) * collision->unit / length : 0.0;
}

bool abut_collision_relaxed(AbutCollision *collision, const double position[2][3], const double R[2][9], double kappa,
                            AbutCollisionResult *out)
{
	double alpha;
	place(collision, position, R);
	collision->kappa = 0.0;
	if (!abut_scaling_solve(&collision->problem, kappa, &collision->iterate, &alpha, NULL)) {
		return false;
	}
	collision->kappa = kappa;
	abut_scaling_tighten(&collision->problem, kappa, &collision->iterate);
	out->iterations = collision->problem.iterations;
	read_solution(collision, out);
	out->error = kappa * abut_cones_degree(collision->ncp.cones, collision->ncp.n_cones);
	return true;
}

/* How far the scaling is above the bound that its own normal gives (growth.h), which is below the true one. */
static double certified_error(const AbutGrowthSide side[2], const AbutCollisionResult *result)
{
	double reach = 0.0, apart = 0.0;
	for (int i = 0; i < 2; i++) {
		const double sign = i == 0 ? 1.0 : -1.0;
		double n[3], own[3], local[3], point[3];
		for (int j = 0; j < 3; j++) {
			n[j] = sign * result->normal[j];
		}
		abut_mat3_tvec(side[i].M, n, own);
		abut_shape_support_own(side[i].shape, own, local);
		abut_mat3_vec(side[i].M, local, point);
		reach += abut_dot3(n, point) + abut_dot3(n, side[i].offset);
		apart -= abut_dot3(n, side[i].centre);
	}
	return fabs(result->scaling - apart / reach);
}

/* From 1e-6 on the path most active sets are known; where they are not, from further along it. */
static bool conic(AbutCollision *collision, const AbutGrowthSide side[2], const double position[2][3],
                  const double R[2][9], AbutCollisionResult *out)
{
	static const double kappas[] = {1e-6, 1e-8, 1e-10, 1e-12};
	static const AbutExactOptions finish = {.tolerance = 1e-11,
	                                        .goal = 1e-13,
	                                        .max_iterations = 12,
	                                        .delta = 1e-7,
	                                        .rho = 1e-9,
	                                        .halvings = 3,
	                                        .patience = 4};
	int iterations = 0;
	for (size_t i = 0; i < sizeof kappas / sizeof *kappas; i++) {
		AbutSolveReport report = {.solved = false};
		if (!abut_collision_relaxed(collision, position, R, kappas[i], out)) {
			break;
		}
		collision->kappa = 0.0;
		iterations += out->iterations;
		abut_solve_exact(&collision->ncp, &finish, &collision->iterate, &report);
		iterations += report.iterations;
		if (report.solved) {
			read_solution(collision, out);
			out->error = certified_error(side, out);
			if (out->error <= 1e-10 * abut_max(1.0, out->scaling)) {
				out->iterations = iterations;
				return true;
			}
		}
	}
	return false;
}

/* --- */

static bool grow(AbutCollision *collision, const AbutGrowthSide side[2], AbutCollisionResult *out)
{
	AbutGrowth growth;
	const bool solved = abut_growth_solve(&side[0], &side[1], &collision->start, &growth);
	out->scaling = growth.alpha;
	out->gap = (growth.alpha - 1.0) * growth.height;
	out->error = growth.error;
	out->iterations = growth.supports;
	abut_copy3(growth.point, out->point);
	abut_copy3(growth.normal, out->normal);
	return solved;
}

bool abut_collision_exact(AbutCollision *collision, const double position[2][3], const double R[2][9],
                          AbutCollisionResult *out)
{
	AbutGrowthSide side[2];
	for (int i = 0; i < 2; i++) {
		abut_growth_place(collision->shape[i], position[i], R[i], &side[i]);
	}
	collision->kappa = 0.0;
	if (!collision->rows[1].bounded) {
		above_plane(collision, &side[0], &side[1], out);
		return true;
	}
	const bool polytopes = is_polytope(collision->shape[0]) && is_polytope(collision->shape[1]);
	return polytopes ? grow(collision, side, out) || conic(collision, side, position, R, out)
	                 : conic(collision, side, position, R, out) || grow(collision, side, out);
}

/* Minimises alpha subject to the rows H = h + W u in K of both shapes and alpha >= 0 (collision/rows/rows_parts.h).
 * Shape i has the rotation R_i, and the blocks -A_i, d_i and -B_i of W. The duals are z = (lambda_alpha, lambda_0,
 * lambda_1), and stationarity is
 *
 *     R_0 A_0' lambda_0 + R_1 A_1' lambda_1 = 0,     1 - d_0' lambda_0 - d_1' lambda_1 - lambda_alpha = 0,
 *     B_i' lambda_i = 0 */
#include "collision/scaling/scaling.h"

#include <math.h>
#include <string.h>

#include "base/solve4.h"
#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "collision/rows/shape_kernel.h"
#include "collision/scaling/grown.h"
#include "solver/ncp/interior_point.h"
#include "solver/ncp/newton_parts.h"

static void evaluate(void *data, const double *y, const double *z, double *r, double *H)
{
	AbutScalingProblem *problem = data;
	memset(r, 0, 4 * sizeof(double));
	r[3] = 1.0 - z[0];
	H[0] = y[3];
	for (int i = 0; i < 2; i++) {
		AbutScalingSide *side = &problem->side[i];
		AbutRowsPoint at = {.alpha = y[3], .eps = &y[side->y], .lambda = &z[side->z], .shift = side->shift};
		double n[3], d_lambda;
		abut_add3(problem->origin, y, at.p);
		abut_sub3(at.p, side->x, at.p);
		abut_mat3_tvec(side->R, at.p, at.p);
		abut_conic_rows_evaluate(side->rows, &at, &H[side->z], side->g, &d_lambda, side->B_lambda);
		abut_mat3_vec(side->R, side->g, n);
		abut_add3(r, n, r);
		r[3] -= d_lambda;
		for (int j = 0; j < side->rows->n_eps; j++) {
			r[side->y + j] = side->B_lambda[j];
		}
	}
}

void abut_scaling_add_stiffness(const double R[9], const double Q[16], double M[4][4])
{
	const double corner[3] = {Q[3], Q[7], Q[11]};
	double column[3], row[3];
	abut_mat3_vec(R, corner, column);
	abut_mat3_vec(R, &Q[12], row);
	for (int j = 0; j < 3; j++) {
		const double *r = &R[3 * j];
		const double RQ[3] = {r[0] * Q[0] + r[1] * Q[4] + r[2] * Q[8], r[0] * Q[1] + r[1] * Q[5] + r[2] * Q[9],
		                      r[0] * Q[2] + r[1] * Q[6] + r[2] * Q[10]};
		for (int c = 0; c < 3; c++) {
			M[j][c] += abut_dot3(RQ, &R[3 * c]);
		}
		M[j][3] += column[j];
		M[3][j] += row[j];
	}
	M[3][3] += Q[15];
}

/* Adds the stiffness of both sides in the axes of side 0, or in those of a halfspace. Between opposing faces, the
 * stiffness across the faces and the one along them differ by a factor 1 / kappa^2. The smaller one survives rounding
 * only if the two are not mixed, as for boxes aligned with these axes. Tested by collide/relaxed_of_boxes_face_to_face.
 */
static bool condense(void *data, const double *r, const AbutConeLaw *law)
{
	AbutScalingProblem *problem = data;
	const AbutCone *alpha_cone = &problem->cones[0];
	const double *axes = problem->side[problem->side[1].rows->bounded ? 0 : 1].R;
	double M[4][4] = {{0.0}}, T[4][2] = {{0.0}}, residual[3];
	double turn[9];
	abut_mat3_tvec(axes, r, residual);
	for (int i = 0; i < 2; i++) {
		AbutScalingSide *side = &problem->side[i];
		if (!abut_conic_rows_condense(side->rows, side->cones, law, side->B_lambda, problem->scratch,
		                              &side->stiffness, side->eps_map)) {
			return false;
		}
		abut_mat3_transposed_mul(axes, side->R, turn);
		abut_scaling_add_stiffness(turn, side->stiffness.Q, M);
		for (int lane = 0; lane < 2; lane++) {
			double k[3];
			abut_mat3_vec(turn, side->stiffness.k[lane], k);
			for (int j = 0; j < 3; j++) {
				T[j][lane] += k[j];
			}
			T[3][lane] += side->stiffness.k[lane][3];
		}
	}
	M[3][3] += law->K[alpha_cone->law];
	T[3][0] += law->c[0][alpha_cone->offset] - r[3];
	T[3][1] += law->c[1][alpha_cone->offset];
	for (int j = 0; j < 3; j++) {
		T[j][0] -= residual[j];
	}
	for (int j = 0; j < 4; j++) {
		M[j][j] += law->rho;
	}
	if (!abut_solve4(2, 2, false, M, T[0])) {
		return false;
	}
	for (int lane = 0; lane < 2; lane++) {
		const double own[3] = {T[0][lane], T[1][lane], T[2][lane]};
		double world[3];
		abut_mat3_vec(axes, own, world);
		for (int j = 0; j < 3; j++) {
			problem->U[j][lane] = world[j];
		}
		problem->U[3][lane] = T[3][lane];
	}
	return true;
}

static void recover(void *data, const AbutConeLaw *law, double weight, double *dy, double *dz, double *dH)
{
	AbutScalingProblem *problem = data;
	for (int j = 0; j < 4; j++) {
		dy[j] = problem->U[j][0] + weight * problem->U[j][1];
	}
	dH[0] = dy[3];
	abut_cone_apply_law(&problem->cones[0], law, weight, dH, dz);
	for (int i = 0; i < 2; i++) {
		const AbutScalingSide *side = &problem->side[i];
		double point[4];
		abut_mat3_tvec(side->R, dy, point);
		point[3] = dy[3];
		const AbutRowsStep step = {point, &dy[side->y], &dz[side->z], &dH[side->z]};
		abut_conic_rows_recover(side->rows, side->cones, law, weight, side->eps_map, &step);
	}
}

static double step_limit(void *data, const double *y, const double *dy, double limit)
{
	(void)data;
	(void)y;
	(void)dy;
	return limit;
}

static const AbutNcpOps scaling_ops = {
    .evaluate = evaluate, .condense = condense, .recover = recover, .jacobian = NULL, .step_limit = step_limit};

AbutNcp abut_scaling_problem(AbutScalingProblem *problem)
{
	const double weight = ABUT_EXACT_WEIGHT_COLLISION;
	int law = 0, n_cones = 1;
	AbutScalingSide *a = &problem->side[0], *b = &problem->side[1];
	problem->cones[0] = (AbutCone){.kind = ABUT_CONE_ORTHANT, .offset = 0, .dim = 1, .weight = weight, .law = law};
	law += abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	a->y = 4;
	b->y = 4 + a->rows->n_eps;
	a->z = 1;
	b->z = 1 + a->rows->n_rows;
	for (int i = 0; i < 2; i++) {
		AbutScalingSide *side = &problem->side[i];
		side->cones = &problem->cones[n_cones];
		n_cones += abut_conic_rows_cones(side->rows, side->z, weight, &law, &problem->cones[n_cones]);
	}
	return (AbutNcp){.problem = problem,
	                 .ops = &scaling_ops,
	                 .n_y = b->y + b->rows->n_eps,
	                 .n_z = b->z + b->rows->n_rows,
	                 .cones = problem->cones,
	                 .n_cones = n_cones,
	                 .caution = abut_conic_rows_caution(a->rows, b->rows)};
}

/* Computes the second start, for problems that the first start does not solve: mostly two thin shapes that cross. p is
 * the problem's origin, and eps is zero. alpha is so large that the scaled inner spheres of both shapes contain p. z
 * and s are the smoothed pair of -H: s is close to H where H lies inside the cones. */
static void start_inside(AbutScalingProblem *problem, const AbutNcp *ncp, const double centre[2][3], double mu,
                         AbutIterate *own)
{
	memset(own->y, 0, (size_t)ncp->n_y * sizeof(double));
	memset(own->z, 0, (size_t)ncp->n_z * sizeof(double));
	own->y[3] = 1.0;
	for (int i = 0; i < 2; i++) {
		double offset[3];
		abut_sub3(problem->origin, centre[i], offset);
		own->y[3] = fmax(own->y[3], 1.1 * abut_norm3(offset) / problem->side[i].rows->inner_radius);
	}
	evaluate(problem, own->y, own->z, own->r, own->H);
	abut_cones_smoothed_pair(ncp->cones, ncp->n_cones, own->H, mu * own->y[3], own->z, own->s);
}

/* Returns the path's tolerance. Slacks are as large as alpha, and their rounding errors grow with it. */
static double tolerance_at(double kappa, double alpha)
{
	return fmax(fmax(0.1 * kappa, 1e-10), 1e-15 * alpha);
}

/* Returns whether the iterate is at kappa on the path, to a hundredth of kappa: the residual is small, no product of
 * slack and dual is above kappa, and their mean is kappa. */
static bool is_at(const AbutNcp *ncp, const AbutIterate *it, double kappa, double residual)
{
	double sum = 0.0;
	for (int i = 0; i < ncp->n_z; i++) {
		sum += it->z[i] * it->s[i];
	}
	const double mean = sum / abut_cones_degree(ncp->cones, ncp->n_cones);
	return residual <= 0.01 * kappa && fabs(mean - kappa) <= 0.01 * kappa &&
	       abut_cones_complementarity(ncp->cones, ncp->n_cones, it->z, it->s, kappa) <= 0.01 * kappa;
}

/* Starts from the growth distance, smoothed by the start's residual or by `mu`, whichever is larger. Returns the
 * residual, or NaN if there is no start. */
static double start_grown(AbutScalingProblem *problem, const AbutNcp *ncp, double mu, AbutIterate *own)
{
	if (!abut_scaling_start_grown(problem, own)) {
		return (double)NAN;
	}
	evaluate(problem, own->y, own->z, own->r, own->H);
	const double residual = fmax(abut_max_norm(own->r, ncp->n_y),
	                             abut_cones_natural_residual(ncp->cones, ncp->n_cones, own->z, own->H));
	abut_cones_smoothed_pair(ncp->cones, ncp->n_cones, own->H, fmax(residual, mu), own->z, own->s);
	return residual;
}

/* Solves for a smooth shape from the growth distance. From a distant start, the path sees only one row of a smooth
 * shape and fails for most thin pairs. The point and normal of the growth distance are nearly the solution. If rounding
 * stops the path even from there, the exact start is returned: good enough to start a step, but not for a derivative.
 */
static bool solve_grown(AbutScalingProblem *problem, const AbutNcp *ncp, double kappa, AbutIterate *own,
                        AbutSolveReport *report)
{
	static const double largest = 0.03, exact = 1e-6;
	const double residual = start_grown(problem, ncp, fmin(kappa, largest), own);
	if (!(residual <= largest)) {
		return false;
	}
	const AbutPathOptions options = {
	    .kappa = kappa, .tolerance = tolerance_at(kappa, own->y[3]), .max_iterations = 30, .boundary = 0.9};
	abut_solve_path(ncp, &options, own, report);
	problem->iterations += report->iterations;
	return report->solved || (residual <= exact && start_grown(problem, ncp, kappa, own) <= exact);
}

static void copy_solution(const AbutNcp *ncp, const AbutIterate *it, double *y, double *z, double *s)
{
	memcpy(y, it->y, (size_t)ncp->n_y * sizeof *y);
	memcpy(z, it->z, (size_t)ncp->n_z * sizeof *z);
	memcpy(s, it->s, (size_t)ncp->n_z * sizeof *s);
}

bool abut_scaling_tighten(AbutScalingProblem *problem, double kappa, AbutIterate *iterate)
{
	const AbutNcp ncp = abut_scaling_problem(problem);
	const AbutPathOptions options = {.kappa = kappa,
	                                 .tolerance = fmax(1e-10 * kappa, 1e-15),
	                                 .max_iterations = ncp.caution > 0.0 ? 40 : 6,
	                                 .boundary = 0.9,
	                                 .centred = true};
	AbutIterate own = *iterate, before = *iterate;
	own.dense = NULL;
	before.y = own.y_best;
	before.z = own.z_best;
	before.s = own.z_base;
	AbutSolveReport report = {.solved = false};
	copy_solution(&ncp, &own, before.y, before.z, before.s);
	abut_solve_path(&ncp, &options, &own, &report);
	problem->iterations += report.iterations;
	if (is_at(&ncp, &own, kappa, report.residual)) {
		return true;
	}
	copy_solution(&ncp, &before, own.y, own.z, own.s);
	evaluate(problem, own.y, own.z, own.r, own.H);
	return false;
}

bool abut_scaling_resume(AbutScalingProblem *problem, double kappa, AbutIterate *iterate)
{
	static const double largest = 0.03;
	const AbutNcp ncp = abut_scaling_problem(problem);
	const AbutPathOptions options = {.kappa = kappa,
	                                 .tolerance = tolerance_at(kappa, iterate->y[3]),
	                                 .max_iterations = 25,
	                                 .boundary = 0.95,
	                                 .patience = 4,
	                                 .least_step = 0.05};
	AbutIterate own = *iterate; /* the dense scratch belongs to the step's problem */
	own.dense = NULL;
	AbutSolveReport report = {.solved = false};
	evaluate(problem, own.y, own.z, own.r, own.H);
	const double residual =
	    fmax(abut_max_norm(own.r, ncp.n_y), abut_cones_natural_residual(ncp.cones, ncp.n_cones, own.z, own.H));
	problem->iterations = 0;
	if (!isfinite(residual)) {
		return false;
	}
	abut_cones_smoothed_pair(ncp.cones, ncp.n_cones, own.H, fmin(fmax(residual, kappa), largest), own.z, own.s);
	abut_solve_path(&ncp, &options, &own, &report);
	problem->iterations = report.iterations;
	return report.solved;
}

bool abut_scaling_solve(AbutScalingProblem *problem, double kappa, AbutIterate *iterate, double *alpha, double *p_world)
{
	double centre[2][3], line[3];
	const AbutConicRows *a = problem->side[0].rows, *b = problem->side[1].rows;
	for (int i = 0; i < 2; i++) {
		abut_mat3_vec(problem->side[i].R, problem->side[i].rows->centre, centre[i]);
		abut_add3(centre[i], problem->side[i].x, centre[i]);
	}
	abut_sub3(centre[1], centre[0], line);
	/* p divides the line of centres in the ratio of the outer radii. alpha starts at the distance in units of their
	 * sum, but at no less than 1; for a halfspace, at 1. */
	const double apart = abut_norm3(line) / (a->outer_radius + b->outer_radius);
	const double share = b->bounded ? a->outer_radius / (a->outer_radius + b->outer_radius) : 0.0;
	abut_add_scaled3(centre[0], share, line, problem->origin);
	const AbutNcp ncp = abut_scaling_problem(problem);
	const AbutPathOptions options = {
	    .kappa = kappa, .tolerance = tolerance_at(kappa, apart), .max_iterations = 60, .boundary = 0.9};
	AbutIterate own = *iterate; /* the dense scratch belongs to the step's problem */
	own.dense = NULL;
	AbutSolveReport report = {.solved = false};
	memset(own.y, 0, (size_t)ncp.n_y * sizeof(double));
	own.y[3] = b->bounded && apart > 1.0 ? apart : 1.0;
	abut_cones_identity(ncp.cones, ncp.n_cones, own.z);
	abut_cones_identity(ncp.cones, ncp.n_cones, own.s);
	for (int i = 0; b->bounded && apart > 1.0 && i < ncp.n_z; i++) {
		own.s[i] *= apart;
	}
	abut_solve_path(&ncp, &options, &own, &report);
	problem->iterations = report.iterations;
	if ((a->smooth || b->smooth) && !report.solved) {
		report.solved = solve_grown(problem, &ncp, kappa, &own, &report);
	}
	static const double mus[] = {0.1, 10.0}; /* each solves two thirds of the remaining problems */
	for (size_t i = 0; b->bounded && !report.solved && i < sizeof mus / sizeof *mus; i++) {
		start_inside(problem, &ncp, centre, mus[i], &own);
		abut_solve_path(&ncp, &options, &own, &report);
		problem->iterations += report.iterations;
	}
	*alpha = own.y[3];
	for (int j = 0; p_world && j < 3; j++) {
		p_world[j] = problem->origin[j] + own.y[j];
	}
	return report.solved;
}

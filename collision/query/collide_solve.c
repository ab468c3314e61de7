/* Solves queries. An exact query with a halfspace or two round shapes is solved in closed form, and any other pair by
 * the growth distance. If this does not reach the accuracy, the conic problem's exact solver is used. Pairs without
 * pieces use the conic problem first. A relaxed query follows the conic problem's path from the duals of the exact
 * answer (shapes/support/contact_rows.h), which takes about two steps. If rounding stops the path, the exact answer is
 * returned.
 *
 * The gap is always that between two parallel planes orthogonal to the normal n: n.D - h(n). D points from centre to
 * centre, and h(n) is the reach of both shapes along n. For the normal of a growth distance, alpha = n.D / h(n), so
 * that the gap is (alpha - 1) h(n). */
#include "collision/query/collide_solve.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "collision/growth/rounds.h"
#include "collision/scaling/grown.h"
#include "shapes/support/support.h"
#include "solver/ncp/semismooth.h"

/* If the resultant of the multipliers is smaller than this, its direction is not used. */
static const double no_direction = 1e-8;

/* The path does not start from an exact answer with a smaller alpha. */
static const double concentric = 1e-4;

/* Marks the result as exact if its error is small enough. Returns whether it is exact. */
static bool claim(AbutCollisionResult *out)
{
	const bool exact = out->error <= 1e-10 * abut_max(out->scaling, 1.0);
	out->outcome = exact ? ABUT_OUTCOME_EXACT : out->outcome;
	return exact;
}

/* --- the growth distance --- */

static double above_plane(const AbutCollision *collision, AbutGrowth *out)
{
	return abut_growth_above_plane(&collision->placed[0], &collision->placed[1], out);
}

static bool grow(AbutCollision *collision, AbutGrowth *growth, AbutCollisionResult *out)
{
	const AbutGrowthSide *side = collision->placed;
	bool solved = true;
	if (!collision->rows[1].bounded) {
		out->gap = above_plane(collision, growth);
	} else {
		solved = (abut_is_round(side[0].shape) && abut_is_round(side[1].shape) &&
		          abut_rounds_solve(&side[0], &side[1], growth)) ||
		         abut_growth_solve(&side[0], &side[1], &collision->contact, growth);
		out->gap = (growth->alpha - 1.0) * growth->height;
	}
	out->scaling = growth->alpha;
	out->error = growth->error;
	out->iterations += growth->supports;
	abut_copy3(growth->point, out->point);
	abut_copy3(growth->normal, out->normal);
	return solved;
}

/* --- along a normal --- */

/* Computes the gap along the result's normal. Returns the lower bound of alpha that this normal gives. */
static double along_normal(const AbutCollision *collision, AbutCollisionResult *out)
{
	const AbutGrowthSide *side = collision->placed;
	const double *n = out->normal, back[3] = {-n[0], -n[1], -n[2]};
	double point[3], apart = 0.0;
	const double reach = abut_growth_reach(&side[0], n, point) + abut_growth_reach(&side[1], back, point);
	for (int i = 0; i < 3; i++) {
		apart += n[i] * (side[1].centre[i] - side[0].centre[i]);
	}
	out->gap = apart - reach;
	return abut_max(apart / reach, 0.0);
}

/* Chooses a normal where alpha is 0 and every direction is a normal: along the line of centres, or side 0's own z. */
static void any_normal(const AbutCollision *collision, double normal[3])
{
	const AbutGrowthSide *side = collision->placed;
	abut_sub3(side[1].centre, side[0].centre, normal);
	const double length = abut_norm3(normal);
	for (int i = 0; i < 3; i++) {
		normal[i] = length > 0.0 ? normal[i] / length : side[0].M[3 * i + 2];
	}
}

/* --- the conic problem --- */

/* Places the sides relative to side 0's position, in units of `unit`. */
static void place(AbutCollision *collision)
{
	abut_copy3(collision->position[0], collision->base);
	for (int i = 0; i < 2; i++) {
		AbutScalingSide *side = &collision->problem.side[i];
		abut_sub3(collision->position[i], collision->base, side->x);
		abut_divide3(side->x, collision->unit, side->x);
		memcpy(side->R, collision->R[i], sizeof side->R);
	}
}

/* Sets the iterate to an exact answer. Returns false if this is not possible. */
static bool start_from(AbutCollision *collision, const AbutGrowth *growth)
{
	AbutScalingProblem *problem = &collision->problem;
	memset(collision->iterate.y, 0, (size_t)collision->ncp.n_y * sizeof(double));
	abut_sub3(growth->point, collision->base, problem->origin);
	abut_divide3(problem->origin, collision->unit, problem->origin);
	return growth->alpha > concentric &&
	       abut_scaling_bear(problem, collision->position, growth, &collision->iterate);
}

/* Reads the solution. Returns the lower bound of alpha that its normal gives. */
static double read_solution(AbutCollision *collision, AbutCollisionResult *out)
{
	const AbutScalingProblem *problem = &collision->problem;
	double n[3], bound;
	if (!collision->rows[1].bounded) {
		AbutGrowth growth;
		out->gap = above_plane(collision, &growth);
		bound = growth.alpha;
		abut_copy3(growth.normal, out->normal);
		collision->directed = true;
	} else {
		abut_mat3_vec(problem->side[0].R, problem->side[0].g, n);
		const double length = abut_norm3(n);
		collision->directed = length > no_direction;
		abut_divide3(n, length, out->normal);
		if (!collision->directed) {
			any_normal(collision, out->normal);
		}
		bound = along_normal(collision, out);
	}
	out->scaling = collision->iterate.y[3];
	for (int i = 0; i < 3; i++) {
		out->point[i] = collision->base[i] + (problem->origin[i] + collision->iterate.y[i]) * collision->unit;
	}
	return bound;
}

/* Returns the sum of all products of slack and dual: alpha exceeds the exact alpha by at most this sum. */
static double duality_gap(const AbutCollision *collision)
{
	double sum = 0.0;
	for (int i = 0; i < collision->ncp.n_z; i++) {
		sum += collision->iterate.z[i] * collision->iterate.s[i];
	}
	return sum;
}

static bool follow_path(AbutCollision *collision, double kappa, int *iterations)
{
	double alpha;
	AbutScalingProblem *problem = &collision->problem;
	const bool solved = abut_scaling_solve(problem, kappa, &collision->iterate, &alpha, NULL);
	*iterations += problem->iterations;
	return solved;
}

static bool follow_path_from(AbutCollision *collision, const AbutGrowth *growth, double kappa, int *iterations)
{
	if (!start_from(collision, growth)) {
		return false;
	}
	const bool solved = abut_scaling_resume(&collision->problem, kappa, &collision->iterate);
	*iterations += collision->problem.iterations;
	return solved;
}

bool abut_collision_relaxed(AbutCollision *collision, double kappa, AbutCollisionResult *out)
{
	AbutGrowth growth;
	const bool grown = grow(collision, &growth, out);
	place(collision);
	if (!(grown && follow_path_from(collision, &growth, kappa, &out->iterations)) &&
	    !follow_path(collision, kappa, &out->iterations)) {
		return grown && claim(out); /* rounding ends the path, as between two opposing faces */
	}
	collision->problem.iterations = 0;
	const bool at_kappa = abut_scaling_tighten(&collision->problem, kappa, &collision->iterate);
	out->iterations += collision->problem.iterations;
	read_solution(collision, out);
	collision->kappa = at_kappa && collision->directed ? kappa : 0.0;
	out->error = duality_gap(collision);
	out->outcome = ABUT_OUTCOME_RELAXED;
	return true;
}

/* Runs the semismooth Newton method from the iterate. Returns whether the bound from its normal proves the accuracy of
 * alpha. */
static bool finish(AbutCollision *collision, AbutCollisionResult *out)
{
	const AbutExactOptions options = {.tolerance = 1e-11,
	                                  .goal = 1e-13,
	                                  .max_iterations = 12,
	                                  .delta = 1e-7,
	                                  .rho = 1e-9,
	                                  .halvings = 3,
	                                  .patience = 4};
	AbutSolveReport report = {.solved = false};
	abut_solve_exact(&collision->ncp, &options, &collision->iterate, &report);
	out->iterations += report.iterations;
	if (!report.solved) {
		return false;
	}
	const double bound = read_solution(collision, out);
	out->error = fabs(out->scaling - bound);
	out->scaling = bound; /* the error of the bound is quadratic in that of the normal */
	return collision->directed && claim(out);
}

/* Solves from a point of the path at 1e-6, where most active sets are already right. If this fails, starts from points
 * further along the path. */
static bool conic(AbutCollision *collision, AbutCollisionResult *out)
{
	static const double kappas[] = {1e-6, 1e-8, 1e-10, 1e-12};
	place(collision);
	for (size_t i = 0; i < sizeof kappas / sizeof *kappas; i++) {
		if (!follow_path(collision, kappas[i], &out->iterations)) {
			return false;
		}
		if (finish(collision, out)) {
			return true;
		}
	}
	return false;
}

/* Returns whether the conic problem is tried first, because a shape has no pieces for Newton's method on the growth
 * distance. Without it, each support of the portal only halves the error, and the normal has half of the digits. In
 * addition, each support of an intersection or of conic data is a small optimisation problem. */
static bool is_by_rows(const AbutCollision *collision)
{
	return collision->rows[1].bounded &&
	       !(abut_shape_has_pieces(collision->shape[0]) && abut_shape_has_pieces(collision->shape[1]));
}

/* Solves the conic problem with the centres moved as far apart as the sum of the outer radii, where the path always
 * converges. The vector D between the centres keeps its direction. alpha, and the point relative to a's centre, are
 * proportional to the length of D; the normal does not change. */
static bool conic_at_size(AbutCollision *collision, AbutCollisionResult *out)
{
	const double *a = collision->placed[0].centre, *b = collision->placed[1].centre;
	const AbutGrowthSide placed = collision->placed[1];
	double kept[3], D[3];
	abut_sub3(b, a, D);
	const double length = abut_norm3(D);
	if (!(length > 1e-12 * collision->unit)) {
		return false;
	}
	const double factor = collision->unit / length;
	abut_copy3(collision->position[1], kept);
	abut_add_scaled3(kept, factor - 1.0, D, collision->position[1]);
	abut_growth_place(collision->shape[1], collision->position[1], collision->R[1], &collision->placed[1]);
	const bool solved = conic(collision, out);
	collision->placed[1] = placed;
	abut_copy3(kept, collision->position[1]);
	if (solved) {
		for (int i = 0; i < 3; i++) {
			out->point[i] = a[i] + (out->point[i] - a[i]) / factor;
		}
		out->error /= factor;
		out->scaling = along_normal(collision, out);
	}
	return solved;
}

bool abut_collision_exact(AbutCollision *collision, AbutCollisionResult *out)
{
	AbutGrowth growth;
	const bool by_rows = is_by_rows(collision);
	if (by_rows && conic_at_size(collision, out)) {
		return true;
	}
	const bool grown = grow(collision, &growth, out);
	if (grown && claim(out)) {
		return true;
	}
	const AbutCollisionResult loose = *out;
	if (!by_rows && conic(collision, out)) {
		return true;
	}
	*out = loose;
	out->outcome = ABUT_OUTCOME_RELAXED;
	return grown;
}

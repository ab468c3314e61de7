/* Implements the solver's functions for an island of method point-ncp: values, elimination and recovery. */
#include "dynamics/methods/points/problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* --- values --- */

static AbutFriction friction_of(const AbutPoint *point, AbutFrictionCone kind)
{
	return (AbutFriction){kind, point->pair->tail, point->mu, point->impulse.head_residual, &point->cones[1]};
}

static void evaluate_point(AbutPoint *point, AbutFrictionCone cone, const double *y, const double *z, double *r,
                           double *H, double *r_bodies)
{
	double slip[3];
	abut_point_place(point);
	abut_point_slip(point, slip);
	point->impulse.gamma = z[0];
	H[0] = ABUT_POINT_WEIGHT_GAP * (point->now.gap + point->shift);
	const AbutFriction friction = friction_of(point, cone);
	abut_friction_evaluate(&friction, point->impulse.gamma, slip, y, &z[1], r, &H[1], point->impulse.beta);
	point->impulse.head_residual = abut_friction_n_y(cone, point->pair->tail) > 0 ? r[0] : 0.0;
	for (int i = 0; i < 3; i++) {
		point->impulse.force[i] = point->impulse.gamma * point->frame.N[0][i] +
		                          point->impulse.beta[0] * point->frame.N[1][i] +
		                          point->impulse.beta[1] * point->frame.N[2][i];
	}
	for (int s = 0; s < 2; s++) {
		double wrench[6];
		if (point->body[s]->moving < 0) {
			continue;
		}
		abut_point_wrench(point, s, point->impulse.force, wrench);
		for (int i = 0; i < 6; i++) {
			r_bodies[6 * point->body[s]->moving + i] -= wrench[i];
		}
	}
}

static void evaluate(void *data, const double *y, const double *z, double *r, double *H)
{
	AbutPointProblem *problem = data;
	abut_contact_problem_ops.evaluate(problem->bodies, y, z, r, H);
	for (int i = 0; i < problem->n; i++) {
		AbutPoint *point = &problem->points[i];
		evaluate_point(point, problem->bodies->friction_cone, &y[point->y], &z[point->z], &r[point->y],
		               &H[point->z], r);
	}
}

/* --- elimination --- */

void abut_point_law(AbutPoint *point, AbutFrictionCone cone, const AbutConeLaw *law, AbutPointLaw *out)
{
	const int gamma = point->cones[0].offset, tail = point->pair->tail;
	AbutFrictionLaw *friction = &point->friction;
	memset(out, 0, sizeof *out);
	out->K[0][0] = law->K[point->cones[0].law];
	for (int lane = 0; lane < 2; lane++) {
		out->constant[lane][0] = law->c[lane][gamma];
	}
	const AbutFriction own = friction_of(point, cone);
	abut_friction_condense(&own, law, friction);
	for (int t = 0; t < tail; t++) { /* dbeta = a dgamma + k - B dslip */
		out->K[1 + t][0] = friction->a[t] * out->K[0][0];
		for (int u = 0; u < tail; u++) {
			out->K[1 + t][1 + u] = friction->B[3 * t + u];
		}
		for (int lane = 0; lane < 2; lane++) {
			out->constant[lane][1 + t] = friction->k[lane][t] + friction->a[t] * out->constant[lane][0];
		}
	}
}

/* Computes the derivatives of rows and wrenches with respect to the velocities of the moving sides. */
static void differentiate(AbutPoint *point, double timestep, double wrench[2][6][12])
{
	memset(point->by, 0, sizeof point->by);
	for (int column = 0; column < 12; column++) {
		AbutPointFollow follow;
		if (point->body[column / 6]->moving < 0) {
			continue;
		}
		const AbutPointChange change = abut_point_unit_velocity(point, timestep, column / 6, column % 6);
		abut_point_push(point, &change, &follow);
		for (int j = 0; j < ABUT_POINT_ROWS; j++) {
			point->by[j][column] = follow.rows[j];
		}
		for (int i = 0; i < 12; i++) {
			wrench[i / 6][i % 6][column] = follow.wrench[i / 6][i % 6];
		}
	}
}

/* Subtracts dwrench from the rows of a side's body, and adds its known part to the right-hand sides. */
static void add_side(const AbutPoint *point, int side, const AbutPointLaw *law, const double wrench[6][12],
                     const AbutBlockSystem *system)
{
	double directions[ABUT_POINT_ROWS][6];
	const int own = point->body[side]->moving;
	abut_point_directions(point, side, directions);
	for (int other = 0; other < 2; other++) {
		if (point->body[other]->moving < 0) {
			continue;
		}
		double *block = abut_block(system, own, point->body[other]->moving);
		for (int c = 0; c < 6; c++) {
			double impulse[ABUT_POINT_ROWS] = {0.0};
			for (int j = 0; j < ABUT_POINT_ROWS; j++) {
				for (int k = 0; k < ABUT_POINT_ROWS; k++) {
					impulse[j] -= law->K[j][k] * point->by[k][6 * other + c];
				}
			}
			for (int r = 0; r < 6; r++) {
				block[r * ABUT_BLOCK_ROW + c] -=
				    wrench[r][6 * other + c] + directions[0][r] * impulse[0] +
				    directions[1][r] * impulse[1] + directions[2][r] * impulse[2];
			}
		}
	}
	double *block = abut_block(system, own, own);
	for (int r = 0; r < 6; r++) {
		for (int lane = 0; lane < 2; lane++) {
			for (int j = 0; j < ABUT_POINT_ROWS; j++) {
				block[r * ABUT_BLOCK_ROW + ABUT_LANE + lane] +=
				    directions[j][r] * law->constant[lane][j];
			}
		}
	}
}

static bool condense(void *data, const double *r, const AbutConeLaw *law)
{
	AbutPointProblem *problem = data;
	abut_contact_problem_load_bodies(problem->bodies, r);
	for (int i = 0; i < problem->n; i++) {
		AbutPoint *point = &problem->points[i];
		double wrench[2][6][12];
		AbutPointLaw own;
		abut_point_law(point, problem->bodies->friction_cone, law, &own);
		differentiate(point, problem->bodies->timestep, wrench);
		for (int s = 0; s < 2; s++) {
			if (point->body[s]->moving >= 0) {
				add_side(point, s, &own, wrench[s], &problem->bodies->system);
			}
		}
	}
	abut_contact_problem_load_joints(problem->bodies, r, law);
	return abut_block_system_solve(&problem->bodies->system);
}

static void recover_point(const AbutPoint *point, AbutFrictionCone cone, const AbutConeLaw *law, double weight,
                          const double *dy_bodies, double *dy, double *dz, double *dH)
{
	double rows[ABUT_POINT_ROWS] = {0.0};
	for (int column = 0; column < 12; column++) {
		const int moving = point->body[column / 6]->moving;
		for (int j = 0; moving >= 0 && j < ABUT_POINT_ROWS; j++) {
			rows[j] += point->by[j][column] * dy_bodies[6 * moving + column % 6];
		}
	}
	const double slip[3] = {rows[1], rows[2], 0.0};
	dH[0] = rows[0];
	abut_cone_apply_law(&point->cones[0], law, weight, dH, dz);
	const AbutFriction friction = friction_of(point, cone);
	abut_friction_recover(&friction, law, weight, dz[0], slip, dy, &dz[1], &dH[1]);
}

static void recover(void *data, const AbutConeLaw *law, double weight, double *dy, double *dz, double *dH)
{
	AbutPointProblem *problem = data;
	abut_contact_problem_ops.recover(problem->bodies, law, weight, dy, dz, dH);
	for (int i = 0; i < problem->n; i++) {
		const AbutPoint *point = &problem->points[i];
		recover_point(point, problem->bodies->friction_cone, law, weight, dy, &dy[point->y], &dz[point->z],
		              &dH[point->z]);
	}
}

static double step_limit(void *data, const double *y, const double *dy, double limit)
{
	const AbutPointProblem *problem = data;
	return abut_contact_problem_ops.step_limit(problem->bodies, y, dy, limit);
}

/* Sets psi of each friction cone to the head of its slack. No jacobian is needed, because the options check refuses the
 * dense linear solver. */
static void heads(void *data, const double *s, double *y)
{
	const AbutPointProblem *problem = data;
	for (int i = 0; i < problem->n; i++) {
		const AbutPoint *point = &problem->points[i];
		if (abut_friction_n_y(problem->bodies->friction_cone, point->pair->tail) > 0) {
			y[point->y] = s[point->z + 1];
		}
	}
	abut_contact_problem_ops.heads(problem->bodies, s, y);
}

const AbutNcpOps abut_point_problem_ops = {
    .evaluate = evaluate,
    .condense = condense,
    .recover = recover,
    .step_limit = step_limit,
    .heads = heads,
};

AbutStatus abut_point_problem_create(const AbutModel *model, const AbutIslandSize *size, AbutIsland *island)
{
	AbutPointProblem *problem = calloc(1, sizeof *problem);
	(void)model;
	island->method = problem;
	if (!problem) {
		return ABUT_ERROR_MEMORY;
	}
	problem->points =
	    calloc((size_t)size->n_cones + 1, sizeof *problem->points); /* a point has at least one cone */
	return problem->points ? ABUT_OK : ABUT_ERROR_MEMORY;
}

void abut_point_problem_destroy(AbutIsland *island)
{
	AbutPointProblem *problem = island->method;
	if (problem) {
		free(problem->points);
		free(problem);
	}
	island->method = NULL;
}

AbutStatus abut_points_options_check(const AbutSolverOptions *options, AbutError *error)
{
	return options->linear_solver != ABUT_LINEAR_SOLVER_DENSE
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.linear_solver",
	                            "linear_solver dense is for the methods single-level and bilevel; point-ncp takes "
	                            "condensed alone");
}

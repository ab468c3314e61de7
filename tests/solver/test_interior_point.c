/* Tests the interior point on small problems with closed-form solutions, with the dense algebra and with the problem's
 * own. Also tests the reports of unsolved problems. */
#include "small_problem.h"

static const AbutPathOptions defaults = {.kappa = 1e-8, .tolerance = 1e-9, .max_iterations = 40, .boundary = 0.95};

static AbutSolveReport solve_path(SmallSolve *solve, const AbutPathOptions *options)
{
	AbutSolveReport report = {.solved = false};
	abut_solve_path(&solve->ncp, options, &solve->it, &report);
	return report;
}

/* Projects onto a second-order cone; the point of the path has a closed form. Residuals of 1e-9 and an error of 1e-9 in
 * z o s move an eigenvalue by 1e-9 / (y + z). The worst case is 1e-9 / 2 sqrt(kappa), if both vanish: 1e-5. */
Test(interior_point, projects_onto_a_cone)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		static const int dims[] = {2, 3, 4, 6};
		AbutRng rng = {seed};
		const int dim = dims[seed % 4];
		double d[6], expected[6];
		for (int i = 0; i < dim; i++) {
			d[i] = abut_rng_normal(&rng);
		}
		small_projection_solution(dim, d, defaults.kappa, expected);
		int iterations[2];
		for (int dense = 0; dense < 2; dense++) {
			SmallSolve solve;
			small_projection(&solve.problem, dim, d);
			small_begin(&solve, dense == 1);
			const AbutSolveReport report = solve_path(&solve, &defaults);
			cr_assert(report.solved, "dim %d, seed %u", dim, seed);
			cr_assert(report.residual <= 1e-9 && report.complementarity <= 1e-9);
			for (int i = 0; i < dim; i++) {
				cr_assert_float_eq(solve.it.y[i], expected[i], 2e-5, "dim %d, seed %u", dim, seed);
				cr_assert_float_eq(solve.it.z[i], solve.it.y[i] - d[i], 1e-8, "dim %d, seed %u", dim,
				                   seed);
				cr_assert_float_eq(solve.it.s[i], solve.it.y[i], 1e-8, "dim %d, seed %u", dim, seed);
			}
			iterations[dense] = report.iterations;
			small_end(&solve);
		}
		cr_assert_eq(iterations[0], iterations[1], "dim %d, seed %u", dim, seed);
	}
}

/* Solves quadratic programs with a known solution. y is right to a few times sqrt(kappa / least eigenvalue (1/2)). */
Test(interior_point, solves_quadratic_programs)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const int n = 1 + (int)(seed % 8);
		double y[8], z[8];
		for (int i = 0; i < n; i++) {
			const bool active = abut_rng_uniform(&rng, 0.0, 1.0) < 0.5;
			const double value = sample_log_uniform(&rng, 0.1, 10.0);
			y[i] = active ? 0.0 : value;
			z[i] = active ? value : 0.0;
		}
		for (int way = 0; way < 4; way++) { /* dense or not; duals with the common step or their own */
			SmallSolve solve;
			AbutRng same = {seed + 999};
			AbutPathOptions options = defaults;
			options.own_duals = way >= 2;
			small_program(&solve.problem, n, &same, y, z);
			small_begin(&solve, way % 2 == 1);
			const AbutSolveReport report = solve_path(&solve, &options);
			cr_assert(report.solved, "n %d, seed %u", n, seed);
			for (int i = 0; i < n; i++) {
				cr_assert_float_eq(solve.it.y[i], y[i], 1e-5, "n %d, seed %u", n, seed);
				cr_assert_float_eq(solve.it.z[i], z[i], 1e-4, "n %d, seed %u", n, seed);
			}
			small_end(&solve);
		}
	}
}

/* Solves a monotone linear complementarity problem without free unknowns, s = M z + q, with M positive definite plus
 * skew. */
Test(interior_point, solves_linear_complementarity_problems)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		SmallSolve solve;
		SmallProblem *p = &solve.problem;
		const int n = 1 + (int)(seed % 6);
		double z[6], s[6];
		memset(p, 0, sizeof *p);
		small_add_cone(p, ABUT_CONE_ORTHANT, n, 1.0);
		for (int i = 0; i < n; i++) {
			const bool active = abut_rng_uniform(&rng, 0.0, 1.0) < 0.5;
			const double value = sample_log_uniform(&rng, 0.1, 10.0);
			z[i] = active ? value : 0.0;
			s[i] = active ? 0.0 : value;
			for (int j = 0; j < i; j++) {
				p->D[i][j] = abut_rng_normal(&rng);
				p->D[j][i] = -p->D[i][j];
			}
			p->D[i][i] = sample_log_uniform(&rng, 0.3, 3.0);
		}
		for (int i = 0; i < n; i++) {
			p->h[i] = s[i];
			for (int j = 0; j < n; j++) {
				p->h[i] -= p->D[i][j] * z[j];
			}
		}
		small_begin(&solve, true);
		const AbutSolveReport report = solve_path(&solve, &defaults);
		cr_assert(report.solved, "n %d, seed %u", n, seed);
		for (int i = 0; i < n; i++) {
			cr_assert_float_eq(solve.it.z[i], z[i], 1e-5, "n %d, seed %u", n, seed);
			cr_assert_float_eq(solve.it.s[i], s[i], 1e-5, "n %d, seed %u", n, seed);
		}
		small_end(&solve);
	}
}

/* Solves Coulomb friction of a sliding block, a cone with a free head: stick and slip. Near the limit |F| = mu N the
 * error of the solution is sqrt(kappa). */
Test(interior_point, solves_friction)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const double m = sample_log_uniform(&rng, 0.3, 3.0), mu_N = sample_log_uniform(&rng, 0.1, 2.0);
		const double F[2] = {abut_rng_normal(&rng), abut_rng_normal(&rng)};
		double v[2], beta[2];
		small_friction_solution(m, F, mu_N, v, beta);
		for (int dense = 0; dense < 2; dense++) {
			SmallSolve solve;
			small_friction(&solve.problem, m, F, mu_N);
			small_begin(&solve, dense == 1);
			solve.it.y[2] = 1.0; /* psi is the slack's head */
			const AbutSolveReport report = solve_path(&solve, &defaults);
			cr_assert(report.solved, "seed %u", seed);
			for (int i = 0; i < 2; i++) {
				cr_assert_float_eq(solve.it.y[i], v[i], 1e-3, "seed %u: v %g of %g", seed,
				                   solve.it.y[i], v[i]);
				cr_assert_float_eq(solve.it.z[1 + i], beta[i], 1e-3, "seed %u", seed);
			}
			cr_assert_float_eq(solve.it.z[0], mu_N, 1e-8, "seed %u", seed);
			small_end(&solve);
		}
	}
}

/* Solves a nonlinear equation, y + y^3 = c + z with y >= 0. */
Test(interior_point, solves_nonlinear_equations)
{
	for (unsigned seed = 0; seed < 100; seed++) {
		AbutRng rng = {seed};
		SmallSolve solve;
		const double y = seed % 2 ? sample_log_uniform(&rng, 0.1, 5.0) : 0.0;
		const double c = seed % 2 ? y + y * y * y : -sample_log_uniform(&rng, 0.1, 5.0);
		memset(&solve.problem, 0, sizeof solve.problem);
		solve.problem.n_y = 1;
		small_add_cone(&solve.problem, ABUT_CONE_ORTHANT, 1, 1.0);
		solve.problem.A[0][0] = solve.problem.cubic = solve.problem.C[0][0] = 1.0;
		solve.problem.B[0][0] = -1.0;
		solve.problem.a[0] = -c;
		small_begin(&solve, false);
		cr_assert(solve_path(&solve, &defaults).solved, "seed %u", seed);
		/* both have an error of kappa / 0.1; y' is at least 1 */
		cr_assert_float_eq(solve.it.y[0], y, 2e-7, "seed %u", seed);
		cr_assert_float_eq(solve.it.z[0], fmax(-c, 0.0), 2e-7, "seed %u", seed);
		small_end(&solve);
	}
}

static void begin_example(SmallSolve *solve)
{
	small_projection(&solve->problem, 3, (const double[]){-0.2, 1.0, 0.5});
	small_begin(solve, false);
}

Test(interior_point, reports_the_iteration_limit)
{
	for (int limit = 0; limit < 4; limit++) {
		SmallSolve solve;
		AbutPathOptions options = defaults;
		options.max_iterations = limit;
		begin_example(&solve);
		const AbutSolveReport report = solve_path(&solve, &options);
		cr_assert_not(report.solved);
		cr_assert_eq(report.iterations, limit);
		cr_assert(isfinite(report.residual) && report.complementarity > options.tolerance);
		/* still inside the cone */
		cr_assert_gt(solve.it.z[0], hypot(solve.it.z[1], solve.it.z[2]));
		cr_assert_gt(solve.it.s[0], hypot(solve.it.s[1], solve.it.s[2]));
		small_end(&solve);
	}
}

Test(interior_point, needs_no_iteration_at_a_solution)
{
	SmallSolve solve;
	begin_example(&solve);
	cr_assert(solve_path(&solve, &defaults).solved);
	const AbutSolveReport again = solve_path(&solve, &defaults);
	cr_assert(again.solved && again.iterations == 0);
	small_end(&solve);
}

/* A NaN ends the solve at once, unsolved, at whatever evaluation it appears. */
Test(interior_point, reports_nan_as_unsolved)
{
	for (int after = 1; after < 6; after++) {
		SmallSolve solve;
		begin_example(&solve);
		solve.problem.nan_after = after;
		const AbutSolveReport report = solve_path(&solve, &defaults);
		cr_assert_not(report.solved);
		cr_assert_eq(report.iterations, after, "%d", report.iterations);
		cr_assert(isinf(report.residual));
		small_end(&solve);
	}
}

Test(interior_point, reports_a_singular_system_as_unsolved)
{
	SmallSolve solve;
	begin_example(&solve);
	solve.problem.singular = true;
	const AbutSolveReport report = solve_path(&solve, &defaults);
	cr_assert(!report.solved && report.iterations == 1);
	small_end(&solve);
}

/* The minimum over an empty set, y >= 1 and y <= 0, does not exist. The solve must end and report this. */
Test(interior_point, reports_an_infeasible_problem_as_unsolved)
{
	SmallSolve solve;
	memset(&solve.problem, 0, sizeof solve.problem);
	solve.problem.n_y = 1;
	small_add_cone(&solve.problem, ABUT_CONE_ORTHANT, 2, 1.0);
	solve.problem.A[0][0] = 1.0;
	solve.problem.B[0][0] = -1.0;
	solve.problem.B[0][1] = 1.0;
	solve.problem.C[0][0] = 1.0;
	solve.problem.C[1][0] = -1.0;
	solve.problem.h[0] = -1.0;
	small_begin(&solve, true);
	const AbutSolveReport report = solve_path(&solve, &defaults);
	cr_assert_not(report.solved);
	small_end(&solve);
}

/* Every iteration is logged while there is room, targets fall to kappa, and the problem's own step limit is obeyed. */
Test(interior_point, logs_its_iterations)
{
	for (int capacity = 0; capacity <= 40; capacity += 4) {
		AbutIteration log[40] = {{0}};
		AbutIterationLog kept = {.entries = log, .capacity = capacity};
		AbutSolveReport report = {.log = &kept};
		SmallSolve solve;
		begin_example(&solve);
		solve.problem.step_cap = capacity == 40 ? 0.5 : 0.0;
		abut_solve_path(&solve.ncp, &defaults, &solve.it, &report);
		cr_assert(report.solved);
		cr_assert_eq(kept.count, report.iterations < capacity ? report.iterations : capacity);
		for (int i = 0; i < kept.count; i++) {
			cr_assert_eq(log[i].phase, 0);
			cr_assert(log[i].kappa >= defaults.kappa && (i == 0 || log[i].kappa <= log[i - 1].kappa));
			cr_assert(log[i].step_length > 0.0 && log[i].step_length <= (capacity == 40 ? 0.5 : 1.0));
			cr_assert(log[i].residual >= 0.0 && log[i].complementarity >= 0.0);
		}
		small_end(&solve);
	}
}

Test(interior_point, finds_the_path_at_any_kappa)
{
	for (double kappa = 1.0; kappa > 1e-11; kappa *= 0.1) {
		const AbutPathOptions options = {
		    .kappa = kappa, .tolerance = fmax(1e-3 * kappa, 1e-13), .max_iterations = 60, .boundary = 0.95};
		const double d[4] = {0.3, -1.0, 0.4, 0.2};
		double expected[4];
		SmallSolve solve;
		small_projection(&solve.problem, 4, d);
		small_begin(&solve, true);
		const AbutSolveReport report = solve_path(&solve, &options);
		cr_assert(report.solved, "kappa %g", kappa);
		small_projection_solution(4, d, kappa, expected);
		/* complementarity is bounded only from above: eigenvalues may lie below the path by kappa / (y + z), y
		 * + z ~ 1 */
		for (int i = 0; i < 4; i++) {
			cr_assert_float_eq(solve.it.y[i], expected[i], 2.0 * kappa + 1e-12, "kappa %g", kappa);
		}
		small_end(&solve);
	}
}

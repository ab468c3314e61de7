/* Tests the semismooth Newton method: exact solutions of small problems from nearby points, degenerate problems, and
 * the result if it does not converge. */
#include "small_problem.h"

static const AbutExactOptions defaults = {
    .tolerance = 1e-10, .goal = 1e-11, .max_iterations = 8, .delta = 1e-7, .rho = 1e-9, .halvings = 3};

static AbutSolveReport solve_exact(SmallSolve *solve, const AbutExactOptions *options)
{
	AbutSolveReport report = {.solved = false};
	abut_solve_exact(&solve->ncp, options, &solve->it, &report);
	return report;
}

/* Returns the maximum norm of [r; natural residual] at the iterate's y and z, evaluated anew. */
static double residual_of(SmallSolve *solve)
{
	double r[SMALL], H[SMALL], worst = 0.0;
	small_evaluate(&solve->problem, solve->it.y, solve->it.z, r, H);
	for (int i = 0; i < solve->problem.n_y; i++) {
		worst = fmax(worst, fabs(r[i]));
	}
	return fmax(worst, abut_cones_natural_residual(solve->ncp.cones, solve->ncp.n_cones, solve->it.z, H));
}

/* Starts at the path's point at kappa, as a step does. */
static void follow_path(SmallSolve *solve, double kappa)
{
	const AbutPathOptions options = {
	    .kappa = kappa, .tolerance = 0.1 * kappa, .max_iterations = 40, .boundary = 0.95};
	AbutSolveReport report = {.solved = false};
	abut_solve_path(&solve->ncp, &options, &solve->it, &report);
	cr_assert(report.solved);
}

/* Projects d. Solutions have the accuracy of the residual, because the problem is well conditioned. */
Test(semismooth, projects_exactly)
{
	for (unsigned seed = 0; seed < 400; seed++) {
		static const int dims[] = {2, 3, 4, 6};
		AbutRng rng = {seed};
		const int dim = dims[seed % 4];
		double d[6], expected[6];
		for (int i = 0; i < dim; i++) {
			d[i] = abut_rng_normal(&rng);
		}
		d[0] += seed % 3 == 0 ? 3.0 : seed % 3 == 1 ? -3.0 : 0.0; /* interior, apex, between */
		small_projection_solution(dim, d, 0.0, expected);
		for (int dense = 0; dense < 2; dense++) {
			SmallSolve solve;
			small_projection(&solve.problem, dim, d);
			small_begin(&solve, dense == 1);
			follow_path(&solve, 1e-6);
			const AbutSolveReport report = solve_exact(&solve, &defaults);
			cr_assert(report.solved && residual_of(&solve) < 1e-10, "dim %d, seed %u", dim, seed);
			cr_assert_leq(report.iterations, 4, "dim %d, seed %u", dim, seed);
			for (int i = 0; i < dim; i++) {
				cr_assert_float_eq(solve.it.y[i], expected[i], 1e-9, "dim %d, seed %u", dim, seed);
			}
			small_end(&solve);
		}
	}
}

/* Starts from a random point 1e-3 away, without a path. */
Test(semismooth, finishes_from_nearby)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const int n = 1 + (int)(seed % 8);
		double y[8], z[8];
		SmallSolve solve;
		for (int i = 0; i < n; i++) {
			const bool active = abut_rng_uniform(&rng, 0.0, 1.0) < 0.5;
			const double value = sample_log_uniform(&rng, 0.1, 10.0);
			y[i] = active ? 0.0 : value;
			z[i] = active ? value : 0.0;
		}
		small_program(&solve.problem, n, &rng, y, z);
		small_begin(&solve, false);
		for (int i = 0; i < n; i++) {
			solve.it.y[i] = y[i] + 1e-3 * abut_rng_normal(&rng);
			solve.it.z[i] = z[i] + 1e-3 * abut_rng_normal(&rng);
		}
		const AbutSolveReport report = solve_exact(&solve, &defaults);
		cr_assert(report.solved && report.iterations <= 4, "seed %u: %d", seed, report.iterations);
		cr_assert_leq(residual_of(&solve), 1e-10, "seed %u", seed);
		for (int i = 0; i < n; i++) {
			/* eigenvalues of Q are at least 1/2 */
			cr_assert_float_eq(solve.it.y[i], y[i], 1e-8, "seed %u", seed);
			cr_assert_float_eq(solve.it.z[i], z[i], 1e-8, "seed %u", seed);
		}
		small_end(&solve);
	}
}

/* In some rows both y and z are zero. There the derivative has a kink at the solution itself, and the law uses either
 * side. */
Test(semismooth, solves_degenerate_programs)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const int n = 2 + (int)(seed % 6);
		double y[8] = {0.0}, z[8] = {0.0};
		SmallSolve solve;
		for (int i = 0; i < n / 2; i++) {
			*(abut_rng_uniform(&rng, 0.0, 1.0) < 0.5 ? &y[i] : &z[i]) = sample_log_uniform(&rng, 0.1, 10.0);
		}
		small_program(&solve.problem, n, &rng, y, z);
		small_begin(&solve, seed % 2 == 0);
		follow_path(&solve, 1e-6);
		const AbutSolveReport report = solve_exact(&solve, &defaults);
		cr_assert(report.solved, "seed %u: residual %g", seed, residual_of(&solve));
		for (int i = 0; i < n; i++) {
			cr_assert_float_eq(solve.it.y[i], y[i], 1e-8, "seed %u", seed);
		}
		small_end(&solve);
	}
	/* the apex of a cone too: the projection of 0 */
	SmallSolve solve;
	small_projection(&solve.problem, 3, (const double[]){0.0, 0.0, 0.0});
	small_begin(&solve, false);
	follow_path(&solve, 1e-6);
	cr_assert(solve_exact(&solve, &defaults).solved);
	for (int i = 0; i < 3; i++) {
		cr_assert_float_eq(solve.it.y[i], 0.0, 1e-9);
	}
	small_end(&solve);
}

/* Solves Coulomb friction to the last digits: no creep in stick, the full limit in slip. Forces within 1e-3 of the
 * limit are left out, because the path's point does not tell the two apart there; the cascade of a whole step does. */
Test(semismooth, finishes_friction)
{
	for (unsigned seed = 0; seed < 400; seed++) {
		AbutRng rng = {seed};
		const double m = sample_log_uniform(&rng, 0.3, 3.0), mu_N = sample_log_uniform(&rng, 0.1, 2.0);
		const double F[2] = {abut_rng_normal(&rng), abut_rng_normal(&rng)};
		double v[2], beta[2];
		SmallSolve solve;
		if (fabs(hypot(F[0], F[1]) - mu_N) < 1e-3 * mu_N) {
			continue;
		}
		small_friction_solution(m, F, mu_N, v, beta);
		small_friction(&solve.problem, m, F, mu_N);
		small_begin(&solve, seed % 2 == 0);
		solve.it.y[2] = 1.0;
		follow_path(&solve, 1e-8);
		const AbutSolveReport report = solve_exact(&solve, &defaults);
		cr_assert(report.solved, "seed %u: |F| / mu N %g, residual %g", seed, hypot(F[0], F[1]) / mu_N,
		          residual_of(&solve));
		for (int i = 0; i < 2; i++) {
			/* the natural residual has weight 10 on v */
			cr_assert_float_eq(solve.it.y[i], v[i], 1e-9, "seed %u: v %.12g of %.12g", seed, solve.it.y[i],
			                   v[i]);
			cr_assert_float_eq(solve.it.z[1 + i], beta[i], 1e-9, "seed %u", seed);
		}
		small_end(&solve);
	}
}

/* At a solution nothing can improve, so that no factorisation is spent. */
Test(semismooth, needs_no_iteration_at_a_solution)
{
	SmallSolve solve;
	small_projection(&solve.problem, 3, (const double[]){-0.2, 1.0, 0.5});
	small_begin(&solve, false);
	follow_path(&solve, 1e-6);
	cr_assert(solve_exact(&solve, &defaults).solved);
	const AbutSolveReport again = solve_exact(&solve, &defaults);
	cr_assert(again.solved && again.iterations == 0);
	small_end(&solve);
}

/* y >= 1 and y <= 0 has no solution. With all options, the final point has the least residual of those visited, at most
 * that of the start, and the report is about that point. */
Test(semismooth, leaves_the_best_point)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		SmallSolve solve;
		AbutIteration log[16];
		AbutIterationLog kept = {.entries = log, .capacity = 16};
		AbutSolveReport report = {.log = &kept};
		memset(&solve.problem, 0, sizeof solve.problem);
		solve.problem.n_y = 1;
		small_add_cone(&solve.problem, ABUT_CONE_ORTHANT, 2, 1.0);
		solve.problem.A[0][0] = 1.0;
		solve.problem.cubic = seed % 2 ? 1.0 : 0.0;
		solve.problem.B[0][0] = -1.0;
		solve.problem.B[0][1] = 1.0;
		solve.problem.C[0][0] = 1.0;
		solve.problem.C[1][0] = -1.0;
		solve.problem.h[0] = -1.0;
		small_begin(&solve, false);
		for (int i = 0; i < 2; i++) {
			solve.it.y[0] = 3.0 * abut_rng_normal(&rng);
			solve.it.z[i] = 3.0 * abut_rng_normal(&rng);
		}
		AbutExactOptions options = defaults;
		options.halvings = (int)(seed % 4);
		options.patience = seed % 5 == 0 ? 2 : 0;
		options.growth = seed % 7 == 0 ? 10.0 : 0.0;
		const double start = residual_of(&solve);
		abut_solve_exact(&solve.ncp, &options, &solve.it, &report);
		const double left = residual_of(&solve);
		cr_assert_not(report.solved, "seed %u", seed);
		cr_assert(left <= start, "seed %u: %g, started at %g", seed, left, start);
		cr_assert_float_eq(fmax(report.residual, report.complementarity), left, 1e-15 * left, "seed %u", seed);
		for (int i = 0; i < kept.count; i++) {
			cr_assert_eq(log[i].phase, 1);
			cr_assert(left <= fmax(log[i].residual, log[i].complementarity),
			          "seed %u: iteration %d was better", seed, i);
		}
		small_end(&solve);
	}
}

Test(semismooth, reports_nan_as_unsolved)
{
	for (int after = 1; after < 4; after++) {
		SmallSolve solve;
		double y[3], z[3];
		small_projection(&solve.problem, 3, (const double[]){-0.2, 1.0, 0.5});
		small_begin(&solve, false);
		memcpy(y, solve.it.y, sizeof y);
		memcpy(z, solve.it.z, sizeof z);
		solve.problem.nan_after = after;
		const AbutSolveReport report = solve_exact(&solve, &defaults);
		cr_assert_not(report.solved);
		for (int i = 0; i < 3; i++) {
			cr_assert(isfinite(solve.it.y[i]) && isfinite(solve.it.z[i]));
		}
		if (after == 1) { /* nothing was gained: the start */
			cr_assert_arr_eq(solve.it.y, y, sizeof y);
			cr_assert_arr_eq(solve.it.z, z, sizeof z);
		}
		small_end(&solve);
	}
}

/* Tests the iteration limit, a singular matrix and the problem's own step limit. */
Test(semismooth, keeps_its_limits)
{
	SmallSolve solve;
	AbutExactOptions options = defaults;
	small_projection(&solve.problem, 3, (const double[]){-0.2, 1.0, 0.5});
	small_begin(&solve, false);
	options.max_iterations = 0;
	AbutSolveReport report = solve_exact(&solve, &options);
	cr_assert(!report.solved && report.iterations == 0);
	solve.problem.singular = true;
	report = solve_exact(&solve, &defaults);
	cr_assert(!report.solved && report.iterations == 1);
	solve.problem.singular = false;
	solve.problem.step_cap = 0.25;
	AbutIteration log[8];
	AbutIterationLog kept = {.entries = log, .capacity = 8};
	report = (AbutSolveReport){.log = &kept};
	abut_solve_exact(&solve.ncp, &defaults, &solve.it, &report);
	for (int i = 0; i < kept.count; i++) {
		cr_assert_leq(log[i].step_length, 0.25);
	}
	small_end(&solve);
}

/* Solves y + y^3 = 10 from 0, with the cone far away. The full step ends at 10, with residual 1000. Halved twice, the
 * residual falls below the first one. With fewer halvings the best length tried is used; without any, the full one. */
Test(semismooth, halves_steps_that_go_too_far)
{
	static const double expected[] = {1.0, 0.5, 0.25, 0.25};
	for (int halvings = 0; halvings < 4; halvings++) {
		SmallSolve solve;
		AbutIteration entry[1];
		AbutIterationLog log = {.entries = entry, .capacity = 1};
		AbutSolveReport report = {.log = &log};
		AbutExactOptions options = defaults;
		memset(&solve.problem, 0, sizeof solve.problem);
		solve.problem.n_y = 1;
		small_add_cone(&solve.problem, ABUT_CONE_ORTHANT, 1, 1.0);
		solve.problem.A[0][0] = solve.problem.cubic = solve.problem.C[0][0] = 1.0;
		solve.problem.a[0] = -10.0;
		solve.problem.h[0] = 100.0;
		small_begin(&solve, false);
		solve.it.y[0] = solve.it.z[0] = 0.0;
		options.halvings = halvings;
		options.max_iterations = 1;
		abut_solve_exact(&solve.ncp, &options, &solve.it, &report);
		cr_assert_eq(log.count, 1);
		cr_assert_eq(entry[0].step_length, expected[halvings], "%d halvings: %g", halvings,
		             entry[0].step_length);
		/* only the last two are better than the start, which is otherwise left */
		cr_assert_float_eq(solve.it.y[0], halvings < 2 ? 0.0 : 2.5, 1e-6);
		small_end(&solve);
	}
}

/* Solves y^3 - 2 y + 2 from 1, with the cone far away. Full steps visit 1, 0, 1, 0, with residuals 1, 2, 1, 2. The
 * limit of patience ends this after as many iterations, the limit of growth at once. */
Test(semismooth, gives_up)
{
	for (int patience = 1; patience < 5; patience++) {
		SmallSolve solve;
		AbutExactOptions options = defaults;
		memset(&solve.problem, 0, sizeof solve.problem);
		solve.problem.n_y = 1;
		small_add_cone(&solve.problem, ABUT_CONE_ORTHANT, 1, 1.0);
		solve.problem.cubic = solve.problem.C[0][0] = 1.0;
		solve.problem.A[0][0] = -2.0;
		solve.problem.a[0] = 2.0;
		solve.problem.h[0] = 100.0;
		small_begin(&solve, false);
		solve.it.y[0] = 1.0;
		solve.it.z[0] = 0.0;
		options.halvings = 0;
		options.max_iterations = 50;
		options.patience = patience;
		AbutSolveReport report = solve_exact(&solve, &options);
		cr_assert(!report.solved);
		cr_assert_eq(report.iterations, patience, "patience %d: %d", patience, report.iterations);
		solve.it.y[0] = 1.0;
		options.patience = 0;
		options.growth = 1.5;
		report = solve_exact(&solve, &options);
		cr_assert(!report.solved && report.iterations == 1, "%d", report.iterations);
		small_end(&solve);
	}
}

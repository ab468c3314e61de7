/* The figures that the single-level paper published, in short: fewer runs. `abut_reliability published` is the whole.
 */
#include <criterion/criterion.h>

#include "published.h"

/* Fig. 9: no run fails, and the mean of the iterations is that of the table to 15 %. */
Test(published, drop)
{
	for (int rate = 0; rate < PUBLISHED_RATES; rate++) {
		for (int kappa = 0; kappa < PUBLISHED_KAPPAS; kappa++) {
			const PublishedFigures figures = published_figures(ABUT_METHOD_SINGLE_LEVEL, rate, kappa);
			PublishedCell cell;
			cr_assert(published_drop(ABUT_METHOD_SINGLE_LEVEL, rate, kappa, 12, &cell));
			cr_expect_eq(cell.failed_runs, 0, "%g Hz, kappa %g: %ld runs failed", published_rates[rate],
			             published_kappas[kappa], cell.failed_runs);
			cr_expect_float_eq(cell.iterations + 1.0, figures.iterations, 0.15 * figures.iterations,
			                   "%g Hz, kappa %g: %g iterations, %g were published", published_rates[rate],
			                   published_kappas[kappa], cell.iterations + 1.0, figures.iterations);
		}
	}
}

/* Fig. 10: what momentum a stack at rest is left with, at most three times the published; about y the same to 30 %, and
 * to 3 % from kappa 1e-6 on, but for one cell at 1e-10. */
Test(published, stack)
{
	for (int rate = 0; rate < PUBLISHED_RATES; rate++) {
		for (int kappa = 0; kappa < PUBLISHED_KAPPAS; kappa++) {
			const PublishedFigures figures = published_figures(ABUT_METHOD_SINGLE_LEVEL, rate, kappa);
			PublishedCell cell;
			cr_assert(published_stack(ABUT_METHOD_SINGLE_LEVEL, rate, kappa, &cell));
			cr_expect_eq(cell.failed_runs, 0);
			cr_expect_leq(cell.linear, 3.0 * figures.linear, "%g Hz, kappa %g: %g, %g was published",
			              published_rates[rate], published_kappas[kappa], cell.linear, figures.linear);
			const double share =
			    published_kappas[kappa] <= 1e-6 && kappa < PUBLISHED_KAPPAS - 1 ? 0.03 : 0.3;
			cr_expect_float_eq(cell.angular, figures.angular, share * figures.angular,
			                   "%g Hz, kappa %g: %g, %g was published", published_rates[rate],
			                   published_kappas[kappa], cell.angular, figures.angular);
		}
	}
}

/* The baseline fails as published, in most runs at the lowest rates. */
Test(published, bilevel_fails_in_most_runs)
{
	PublishedCell cell;
	cr_assert(published_drop(ABUT_METHOD_BILEVEL, 0, 3, 12, &cell));
	cr_expect_geq(2 * cell.failed_runs, cell.runs, "%ld of %ld", cell.failed_runs, cell.runs);
}

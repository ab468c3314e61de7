/* Tests the figures published with the single-level paper, by the sweeps of the experiments with fewer runs. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/spec_of.h"
#include "experiments/suite/panels.h"
#include "experiments/temp_folder.h"

TestSuite(published, .init = set_up, .fini = tear_down);

/* Runs the planar sweep of an experiment with `methods`, and with `count` seeds if it has seeds. */
static void run(const char *experiment, const char *scene, const char *methods, const char *count, const char *summed,
                AbutGridRuns *grid, AbutPanels *panels)
{
	static char text[1 << 14];
	char path[256], absolute[512];
	AbutError error = {0};
	snprintf(path, sizeof path, ABUT_SOURCE_DIR "/experiments/%s/planar.json", experiment);
	read_spec(path, text, sizeof text);
	snprintf(absolute, sizeof absolute, ABUT_SOURCE_DIR "/experiments/%s/%s", experiment, scene);
	replace(text, sizeof text, scene, absolute);
	replace(text, sizeof text, "\"single-level\", \"bilevel\"", methods);
	if (count) {
		replace(text, sizeof text, "\"count\": 300", count);
	}
	snprintf(path, sizeof path, "%s/planar.json", folder);
	write_spec(path, text);
	snprintf(absolute, sizeof absolute, "%s/spec.json", folder);
	const AbutExperimentRun call = {.spec = absolute, .out = folder, .threads = 2};
	cr_assert_eq(abut_grid_run(&call, "planar.json", "runs", (AbutGridShare){0.0, 1.0}, grid, &error), ABUT_OK,
	             "%s: %s", error.where, error.message);
	cr_assert_eq(abut_panels_open(grid, summed, panels, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(panels->count, 1);
	cr_assert_eq(panels->rates, ABUT_PUBLISHED_RATES);
	cr_assert_eq(panels->kappas, ABUT_PUBLISHED_KAPPAS);
}

/* Figure 9: no run fails, and the mean number of iterations is that of the table to 15 %. */
Test(published, drop)
{
	AbutGridRuns grid;
	AbutPanels panels;
	run("face_to_face", "polygon.json", "\"single-level\"", "\"count\": 12", NULL, &grid, &panels);
	for (int rate = 0; rate < panels.rates; rate++) {
		for (int kappa = 0; kappa < panels.kappas; kappa++) {
			AbutPublished figures;
			cr_assert(abut_panels_published(&panels, 0, rate, kappa, &figures));
			const AbutGridCell *cell = abut_panels_cell(&panels, 0, rate, kappa);
			cr_expect_eq(cell->runs, 12);
			cr_expect_eq(cell->failed, 0, "%g Hz, kappa %g: %ld runs failed", abut_published_rates[rate],
			             abut_published_kappas[kappa], cell->failed);
			cr_expect_float_eq(cell->iterations + 1.0, figures.of[ABUT_PUBLISHED_ITERATIONS],
			                   0.15 * figures.of[ABUT_PUBLISHED_ITERATIONS],
			                   "%g Hz, kappa %g: %g iterations, %g were published",
			                   abut_published_rates[rate], abut_published_kappas[kappa],
			                   cell->iterations + 1.0, figures.of[ABUT_PUBLISHED_ITERATIONS]);
		}
	}
	abut_grid_cells_free(&panels.cells);
	abut_grid_close(&grid);
}

/* Figure 10: the remaining momentum of a stack at rest is at most three times the published one. That about y is the
 * same to 30 %, and to 3 % from kappa 1e-6 on, except for one cell at 1e-10. */
Test(published, stack)
{
	AbutGridRuns grid;
	AbutPanels panels;
	run("stacking", "squares.json", "\"single-level\"", NULL, "bodies.lower.position", &grid, &panels);
	for (int rate = 0; rate < panels.rates; rate++) {
		for (int kappa = 0; kappa < panels.kappas; kappa++) {
			AbutPublished figures;
			cr_assert(abut_panels_published(&panels, 0, rate, kappa, &figures));
			const AbutGridCell *cell = abut_panels_cell(&panels, 0, rate, kappa);
			const double linear = 0.5 * (cell->momentum[0] + cell->momentum[2]);
			cr_expect_eq(cell->runs, 10);
			cr_expect_eq(cell->failed, 0);
			cr_expect_leq(linear, 3.0 * figures.of[ABUT_PUBLISHED_LINEAR],
			              "%g Hz, kappa %g: %g, %g was published", abut_published_rates[rate],
			              abut_published_kappas[kappa], linear, figures.of[ABUT_PUBLISHED_LINEAR]);
			const double share =
			    abut_published_kappas[kappa] <= 1e-6 && kappa < ABUT_PUBLISHED_KAPPAS - 1 ? 0.03 : 0.3;
			cr_expect_float_eq(cell->spin[1], figures.of[ABUT_PUBLISHED_ANGULAR],
			                   share * figures.of[ABUT_PUBLISHED_ANGULAR],
			                   "%g Hz, kappa %g: %g, %g was published", abut_published_rates[rate],
			                   abut_published_kappas[kappa], cell->spin[1],
			                   figures.of[ABUT_PUBLISHED_ANGULAR]);
		}
	}
	abut_grid_cells_free(&panels.cells);
	abut_grid_close(&grid);
}

/* The baseline fails as published, in most runs at the lowest rates. */
Test(published, bilevel_fails_in_most_runs)
{
	AbutGridRuns grid;
	AbutPanels panels;
	run("face_to_face", "polygon.json", "\"bilevel\"", "\"count\": 4", NULL, &grid, &panels);
	const AbutGridCell *cell = abut_panels_cell(&panels, 0, 0, 3);
	cr_expect_geq(2 * cell->failed, cell->runs, "%ld of %ld", cell->failed, cell->runs);
	abut_grid_cells_free(&panels.cells);
	abut_grid_close(&grid);
}

Test(published, figures_are_found_by_rate_and_kappa)
{
	AbutPublished found;
	cr_assert(abut_published_find(ABUT_METHOD_BILEVEL, 30.0, 1e-8, &found));
	cr_expect_eq(found.of[ABUT_PUBLISHED_FAILED], 0.68);
	cr_expect_eq(found.of[ABUT_PUBLISHED_ITERATIONS], 14.0);
	cr_expect_eq(found.of[ABUT_PUBLISHED_VIOLATION], 0.0173);
	cr_expect_eq(found.of[ABUT_PUBLISHED_LINEAR], 0.00254);
	cr_expect_eq(found.of[ABUT_PUBLISHED_ANGULAR], 0.000578);
	cr_expect_not(abut_published_find(ABUT_METHOD_BILEVEL, 31.0, 1e-8, &found));
	cr_expect_not(abut_published_find(ABUT_METHOD_BILEVEL, 30.0, 2e-8, &found));
	cr_expect_not(abut_published_find(ABUT_METHOD_LCP, 30.0, 1e-8, &found));
}

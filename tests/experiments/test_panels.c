/* Tests the effect of cells without a value on the sum and the worst value of a panel. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiments/spec_of.h"
#include "experiments/suite/panels.h"

static double momentum(const AbutGridCell *cell)
{
	return cell->momentum[0];
}

static const AbutMeasure measure = {"linear", "linear", momentum, ABUT_PUBLISHED_LINEAR, abut_shade_decades, 10.0, 3};

/* Makes two rates and three kappas of the planar stack, single-level and bilevel, with three runs per cell. */
static void open_stack(const char *folder, AbutGridRuns *grid, AbutPanels *panels)
{
	AbutError error = {0};
	const AbutExperimentRun run = {
	    .spec = ABUT_SOURCE_DIR "/experiments/stacking/quick.json", .out = folder, .threads = 1};
	cr_assert_eq(abut_grid_run(&run, "planar_quick.json", "runs", (AbutGridShare){0.0, 1.0}, grid, &error), ABUT_OK,
	             "%s: %s", error.where, error.message);
	cr_assert_eq(abut_panels_open(grid, "bodies.lower.position", panels, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(panels->count, 2);
}

/* Changes a cell as if all its runs failed, or were refused. */
static void spoil(AbutPanels *panels, int place, bool refused)
{
	AbutGridCell *cell = &panels->cells.cells[place];
	const long runs = cell->runs;
	*cell = (AbutGridCell){.runs = runs};
	*(refused ? &cell->refused : &cell->failed) = runs;
	cell->steps = refused ? 0.0 : 3.0;
	cell->message = refused ? "why" : NULL;
	abut_grid_divide(cell);
}

Test(panels, a_cell_without_a_value_is_the_worst)
{
	char folder[] = "/tmp/abut-test-XXXXXX", command[64];
	AbutGridRuns grid;
	AbutPanels panels;
	int unsolved = -1;
	cr_assert_not_null(mkdtemp(folder));
	open_stack(folder, &grid, &panels);

	double worst = abut_panels_worst(&panels, 0, &measure, false, &unsolved);
	cr_expect(worst > 0.0 && worst < 10.0, "%g", worst);
	cr_expect_eq(unsolved, 0);
	const AbutGridCell before = abut_panels_sum(&panels, 0);
	cr_expect_eq(before.runs, 18);
	cr_expect_eq(before.refused + before.failed, 0);

	spoil(&panels, 1, false);
	cr_expect_str_eq(abut_grid_nothing(&panels.cells.cells[1]), "failed");
	worst = abut_panels_worst(&panels, 0, &measure, false, &unsolved);
	cr_expect(isinf(worst) && worst > 0.0, "%g", worst);
	cr_expect_eq(unsolved, 1);
	cr_expect_eq(abut_panels_sum(&panels, 0).failed, 3);

	spoil(&panels, 4, true);
	cr_expect_str_eq(abut_grid_nothing(&panels.cells.cells[4]), "refused");
	cr_expect(isinf(abut_panels_worst(&panels, 0, &measure, true, &unsolved)));
	cr_expect_eq(unsolved, 2);

	/* The remaining means are finite, and are those of the cells with a value. */
	const AbutGridCell sum = abut_panels_sum(&panels, 0);
	double steps = 0.0, iterations = 0.0, x = 0.0;
	for (int i = 0; i < 6; i++) {
		const AbutGridCell *cell = &panels.cells.cells[i];
		steps += cell->steps;
		iterations += i == 4 ? 0.0 : cell->steps * cell->iterations;
		x += i == 1 || i == 4 ? 0.0 : cell->momentum[0] / 4.0;
	}
	cr_expect_eq(sum.refused, 3);
	cr_expect_str_eq(sum.message, "why");
	cr_expect_float_eq(sum.iterations, iterations / steps, 1e-12 * sum.iterations);
	cr_expect_float_eq(sum.momentum[0], x, 1e-12 * x);

	for (int i = 0; i < 6; i++) {
		spoil(&panels, i, true);
	}
	cr_expect(isnan(abut_grid_failed(&(AbutGridCell){.runs = 3, .refused = 3})));
	cr_expect(isinf(abut_panels_worst(&panels, 0, &measure, false, &unsolved)));
	cr_expect_eq(unsolved, 6);
	abut_grid_cells_free(&panels.cells);
	abut_grid_close(&grid);
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	cr_expect_eq(system(command), 0);
}

Test(panels, shades)
{
	cr_expect_eq(abut_shade_share(0.5, 2.0), 0.25);
	cr_expect_eq(abut_shade_shortfall(2.0, 2.0), 0.0, "what stood all the time is good");
	cr_expect_eq(abut_shade_shortfall(0.0, 2.0), 1.0);
	cr_expect_eq(abut_shade_decades(1.0, 6.0), 1.0);
	cr_expect_float_eq(abut_shade_decades(1e-6, 6.0), 0.0, 1e-15);
	cr_expect_eq(abut_shade_decades(0.0, 6.0), 0.0);
}

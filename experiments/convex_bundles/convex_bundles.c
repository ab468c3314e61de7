/* Drops unions and Minkowski sums onto a floor and onto each other (the single-level paper, figure 2): no step may
 * fail, no body may gain energy or sink in. */
#include "experiments/suite/experiment.h"
#include "experiments/suite/scenes.h"

static const double flat = 1e-6; /* m of penetration with the exact finish, for bodies of 1 m */

static void judge(void *context, const AbutSceneCase *done, const AbutTried *tried, AbutReport *report)
{
	const AbutRunSummary *summary = &tried->summary;
	(void)context;
	abut_report_target(
	    report, summary->failed_steps == 0 && (done->finish == ABUT_FINISH_NONE || summary->max_penetration < flat),
	    "%s, kappa %.0e, finish %s, %g Hz: %ld of %ld steps failed, none allowed; penetration %.1e m, with the "
	    "exact finish less than %.0e",
	    done->scene, done->kappa, abut_finish_name(done->finish), done->rate, summary->failed_steps, summary->steps,
	    summary->max_penetration, flat);
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	const AbutSceneStudy study = {.name = "convex-bundles", .title = "Bundles that fall", .judge = judge};
	return abut_scenes_run(run, &study, report, error);
}

const AbutExperiment abut_experiment_convex_bundles = {"convex-bundles", "convex_bundles",
                                                       "Unions and Minkowski sums fall on each other", execute};

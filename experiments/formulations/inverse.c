/* Reports how many inverses of soft contacts are computed per second (Todorov, ICRA 2011, table 1). */
#include "experiments/formulations/inverse.h"

#include "experiments/bench/inverse.h"

#include "experiments/formulations/studies.h"

AbutStatus abut_study_inverse(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                              AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"contacts", "contacts", 3},
	    {"per_second", "evaluations a second", 4},
	    {"published", "published", 6},
	    {"iterations", "iterations of the slowest contact", 3},
	    {"error", "velocity error relative to the forward solution, m/s", 2},
	    {"unsolved", "states not solved", 3},
	};
	AbutTable *table = ABUT_TABLE(report, "inverse", "Contact impulses from velocities, by barriers", columns);
	AbutStatus status = ABUT_OK;
	(void)rows;
	for (int i = 0; i < abut_bench_inverse_count() && status == ABUT_OK; i++) {
		AbutInverseResult result;
		status = abut_bench_inverse_run(i, settings->seed, &result, error);
		ABUT_NUMBERS(table, result.contacts, result.per_second, result.published, result.iterations_mean,
		             result.largest_error, result.unsolved);
	}
	abut_table_note(table, "Published: on a processor of 2008.");
	return status;
}

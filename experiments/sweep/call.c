/* A run as a call of `abut run`. */
#include "experiments/sweep/call.h"

#include "base/error.h"
#include "experiments/sweep/grid.h"
#include "io/text/words.h"

AbutStatus abut_sweep_write_call(const AbutSweep *sweep, long run, FILE *file, AbutError *error)
{
	AbutSweepPoint point;
	if (run < 0 || run >= sweep->run_count) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "there is no run %ld; they are 0 to %ld", run,
		                      sweep->run_count - 1);
	}
	const AbutStatus status = abut_sweep_point_of_run(sweep, run, &point, error);
	if (status != ABUT_OK) {
		return status;
	}
	fputs("abut run ", file);
	abut_text_write_quoted(file, point.scene->path);
	for (int i = 0; i < point.count; i++) {
		fputs(" --set ", file);
		abut_text_write_quoted(file, point.texts[i]);
	}
	abut_sweep_point_free(&point);
	fprintf(file, " --seed %llu\n", abut_sweep_seed(sweep, run));
	return ABUT_OK;
}

/* Measures single worlds in the benchmark: steps alone, and steps with their derivative. */
#pragma once

#include "experiments/bench/bench_parts.h"

/* Times the steps of a world. If there are no steps to settle, a first run is not counted. Fills in `result` except its
 * name. */
AbutStatus abut_bench_world(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                            AbutError *error);

/* Times steps with their derivative; a first run is not counted. The derivative is the matrix by state and input at the
 * exact solution. Fills in `result` except its name. Returns ABUT_ERROR_MEMORY, or the status of abut_gradient_matrix
 * for a step without a derivative. */
AbutStatus abut_bench_gradient(const AbutModel *model, const AbutBenchRuns *runs, AbutBenchResult *result,
                               AbutError *error);

/* Measures derivatives of steps of method lcp, analytic and by finite differences. */
#pragma once

#include "experiments/bench/bench_parts.h"

/* Times a step with its derivative by state and input or, with `by_differences`, the central differences of steps that
 * give the same derivative; a first run is not counted. Bodies have no inputs of their own. Fills in `result` except
 * its name. Returns ABUT_ERROR_MEMORY, or a status of abut_lcp_gradient. */
AbutStatus abut_bench_jacobian(const AbutModel *model, const AbutBenchRuns *runs, bool by_differences,
                               AbutBenchResult *result, AbutError *error);

/* Coordinates the processes that share a sweep under mpirun. */
#pragma once

#include <stdbool.h>

#include "abut/status.h"

typedef struct AbutRanks {
	int rank, size;
} AbutRanks;

/* Returns whether mpirun started this process as one of several. */
bool abut_ranks_started(void);
/* Starts MPI; call it once, before the other functions. Returns ABUT_ERROR_UNSUPPORTED if built without MPI; `ranks` is
 * set even then. */
AbutStatus abut_ranks_begin(AbutRanks *ranks, AbutError *error);
void abut_ranks_end(void);
/* Waits for all processes. Returns ABUT_OK if all of them passed ABUT_OK, otherwise the status and error of the lowest
 * rank that did not. */
AbutStatus abut_ranks_agree(const AbutRanks *ranks, AbutStatus status, AbutError *error);

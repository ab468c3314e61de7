/* The processes that share a sweep under mpirun. */
#ifndef EXPERIMENTS_SWEEP_RANKS_H
#define EXPERIMENTS_SWEEP_RANKS_H

#include <stdbool.h>

#include "abut/status.h"

typedef struct AbutRanks {
	int rank, size;
} AbutRanks;

/* Returns whether mpirun started this process as one of several. */
bool abut_ranks_started(void);
/* Starts MPI; to be called once, first. ABUT_ERROR_UNSUPPORTED: built without MPI; `ranks` is set. */
AbutStatus abut_ranks_begin(AbutRanks *ranks, AbutError *error);
void abut_ranks_end(void);
/* Waits for all processes. Returns ABUT_OK when all pass it; otherwise the status and error of the first that does
 * not. */
AbutStatus abut_ranks_agree(const AbutRanks *ranks, AbutStatus status, AbutError *error);

#endif

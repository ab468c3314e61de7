/* Stands in for ranks_mpi.c where this is built without MPI. */
#include "base/error.h"
#include "experiments/sweep/ranks.h"
#include "experiments/sweep/started.h"

bool abut_ranks_started(void)
{
	int rank = 0, size = 1;
	abut_started_by_mpirun(&rank, &size);
	return size > 1;
}

AbutStatus abut_ranks_begin(AbutRanks *ranks, AbutError *error)
{
	abut_started_by_mpirun(&ranks->rank, &ranks->size);
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
	                      "built without MPI, so that several processes would do the same work: install Debian's "
	                      "libopenmpi-dev and build again, or use --shard");
}

void abut_ranks_end(void) {}

AbutStatus abut_ranks_agree(const AbutRanks *ranks, AbutStatus status, AbutError *error)
{
	(void)ranks;
	(void)error;
	return status;
}

/* The only file that includes mpi.h. */
#include <mpi.h>

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
	int provided = MPI_THREAD_SINGLE;
	*ranks = (AbutRanks){0, 1};
	/* Runs are on threads, but only the first one calls MPI. */
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
	    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank) != MPI_SUCCESS ||
	    MPI_Comm_size(MPI_COMM_WORLD, &ranks->size) != MPI_SUCCESS) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL, "MPI does not start");
	}
	return ABUT_OK;
}

void abut_ranks_end(void)
{
	MPI_Finalize();
}

AbutStatus abut_ranks_agree(const AbutRanks *ranks, AbutStatus status, AbutError *error)
{
	/* The least rank that failed, or the number of ranks. */
	int failed = status == ABUT_OK ? ranks->size : ranks->rank, first = ranks->size;
	MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (first == ranks->size) {
		return ABUT_OK;
	}
	MPI_Bcast(error, (int)sizeof *error, MPI_BYTE, first, MPI_COMM_WORLD);
	return error->status;
}

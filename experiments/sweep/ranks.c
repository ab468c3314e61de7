/* Coordinates the processes under mpirun with MPI. Without MPI it only detects them, from environment variables, so MPI
 * need not be started for that. No other file includes mpi.h. */
#include "experiments/sweep/ranks.h"

#ifdef ABUT_WITH_MPI
#include <mpi.h>
#endif
#include <limits.h>
#include <stdlib.h>

#include "base/error.h"

/* Reads the rank of this process and the number of processes; 0 and 1 for a single process. */
static void read_environment(int *rank, int *size)
{
	static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
	                                       {"PMI_RANK", "PMI_SIZE"}};
	*rank = 0;
	*size = 1;
	for (size_t i = 0; i < sizeof names / sizeof *names && *size == 1; i++) {
		const char *own = getenv(names[i][0]), *all = getenv(names[i][1]);
		const long count = own && all ? strtol(all, NULL, 10) : 1;
		if (count > 1 && count <= INT_MAX) {
			*rank = (int)strtol(own, NULL, 10);
			*size = (int)count;
		}
	}
}

bool abut_ranks_started(void)
{
	int rank = 0, size = 1;
	read_environment(&rank, &size);
	return size > 1;
}

#ifdef ABUT_WITH_MPI

AbutStatus abut_ranks_begin(AbutRanks *ranks, AbutError *error)
{
	int provided = MPI_THREAD_SINGLE;
	*ranks = (AbutRanks){0, 1};
	/* Several threads make runs, but only the first thread calls MPI. */
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
	/* The lowest rank that failed; the number of ranks if none did. */
	int failed = status == ABUT_OK ? ranks->size : ranks->rank, first = ranks->size;
	MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (first == ranks->size) {
		return ABUT_OK;
	}
	MPI_Bcast(error, (int)sizeof *error, MPI_BYTE, first, MPI_COMM_WORLD);
	return error->status;
}

#else

AbutStatus abut_ranks_begin(AbutRanks *ranks, AbutError *error)
{
	read_environment(&ranks->rank, &ranks->size);
	return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, NULL,
	                      "built without MPI, so that all processes would do the same work: install Debian's "
	                      "libopenmpi-dev and build again, or use --shard");
}

void abut_ranks_end(void) {}

AbutStatus abut_ranks_agree(const AbutRanks *ranks, AbutStatus status, AbutError *error)
{
	(void)ranks;
	(void)error;
	return status;
}

#endif

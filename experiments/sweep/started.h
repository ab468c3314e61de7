/* Whether mpirun started this process, by what it sets in the environment, so that MPI need not be started to know. */
#ifndef EXPERIMENTS_SWEEP_STARTED_H
#define EXPERIMENTS_SWEEP_STARTED_H

#include <limits.h>
#include <stdlib.h>

/* The rank of this process, and how many there are; 0 and 1 when it is alone. */
static inline void abut_started_by_mpirun(int *rank, int *size)
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

#endif

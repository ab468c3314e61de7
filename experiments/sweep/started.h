/* Whether mpirun started this process: what it sets in the environment, so that MPI need not be started to know. */
#ifndef EXPERIMENTS_SWEEP_STARTED_H
#define EXPERIMENTS_SWEEP_STARTED_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool abut_started_by_mpirun(void)
{
	static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const char *size = getenv(sizes[i]);
		if (size && atoi(size) > 1) {
			return true;
		}
	}
	return false;
}

#endif

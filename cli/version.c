/* abut --version: the version, and how this command was built. */
#include <stdio.h>

#include "cli/cli.h"

#ifdef __OPTIMIZE__
static const char optimised[] = "optimised";
#else
static const char optimised[] = "not optimised";
#endif

int abut_print_version(void)
{
	printf("abut %s\n", abut_version());
	printf("built by %s, %s, for %s\n", ABUT_BUILD_COMPILER, optimised, ABUT_BUILD_MACHINE);
	printf("mesh files (Assimp): %s\n", ABUT_BUILD_ASSIMP);
	printf("sweeps under mpirun: %s\n", ABUT_BUILD_MPI);
	printf("sanitizers: %s\n", ABUT_BUILD_SANITIZERS);
	return abut_finish_stdout(ABUT_EXIT_DONE);
}

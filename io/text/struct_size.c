/* Returns sizes of public structs by name. tests/io/struct_size.c compares the list with the headers. */
#include <string.h>

#include "abut/abut.h"

/* X(struct), in the order of the headers. */
#define ABUT_STRUCT_LIST(X)                                                                                            \
	X(AbutMotionView)                                                                                              \
	X(AbutBundle)                                                                                                  \
	X(AbutPose)                                                                                                    \
	X(AbutCollisionResult)                                                                                         \
	X(AbutCollisionGradient)                                                                                       \
	X(AbutCollisionRowGradient)                                                                                    \
	X(AbutDecomposeOptions)                                                                                        \
	X(AbutDecomposePart)                                                                                           \
	X(AbutDecomposition)                                                                                           \
	X(AbutIteration)                                                                                               \
	X(AbutIterationLog)                                                                                            \
	X(AbutJointFrame)                                                                                              \
	X(AbutJointSpring)                                                                                             \
	X(AbutMotorDef)                                                                                                \
	X(AbutJointAxis)                                                                                               \
	X(AbutCouplingDef)                                                                                             \
	X(AbutCouplingState)                                                                                           \
	X(AbutJointDef)                                                                                                \
	X(AbutJointState)                                                                                              \
	X(AbutMesh)                                                                                                    \
	X(AbutMeshOptions)                                                                                             \
	X(AbutMeshReport)                                                                                              \
	X(AbutMeshHullReport)                                                                                          \
	X(AbutBodyState)                                                                                               \
	X(AbutContact)                                                                                                 \
	X(AbutStepInfo)                                                                                                \
	X(AbutParameter)                                                                                               \
	X(AbutRobotInverse)                                                                                            \
	X(AbutRobotTarget)                                                                                             \
	X(AbutRobotReach)                                                                                              \
	X(AbutRolloutOptions)                                                                                          \
	X(AbutSolverOptions)                                                                                           \
	X(AbutBodyDef)                                                                                                 \
	X(AbutPairDef)                                                                                                 \
	X(AbutSceneDef)                                                                                                \
	X(AbutSiteDef)                                                                                                 \
	X(AbutSensorDef)                                                                                               \
	X(AbutSiteState)                                                                                               \
	X(AbutMassProperties)                                                                                          \
	X(AbutShape)                                                                                                   \
	X(AbutConicData)                                                                                               \
	X(AbutShapeReport)                                                                                             \
	X(AbutShapeKey)                                                                                                \
	X(AbutShapeValue)                                                                                              \
	X(AbutShapeType)                                                                                               \
	X(AbutSmooth)                                                                                                  \
	X(AbutSnapshotInfo)                                                                                            \
	X(AbutError)                                                                                                   \
	X(AbutStop)

size_t abut_struct_size(const char *name)
{
	static const struct {
		const char *name;
		size_t size;
	} structs[] = {
#define ABUT_X(type) {#type, sizeof(type)},
	    ABUT_STRUCT_LIST(ABUT_X)
#undef ABUT_X
	};
	for (size_t i = 0; name && i < sizeof structs / sizeof *structs; i++) {
		if (strcmp(structs[i].name, name) == 0) {
			return structs[i].size;
		}
	}
	return 0;
}

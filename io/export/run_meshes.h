/* The triangles of all bodies of a run, for files that show it. */
#ifndef IO_EXPORT_RUN_MESHES_H
#define IO_EXPORT_RUN_MESHES_H

#include "io/mesh/mesh.h"
#include "io/run/read.h"

/* All parts of a body, each in the body frame. */
typedef struct AbutBodyMesh {
	int n_parts;
	AbutShapeMesh *parts; /* (n_parts) */
	float color[3];       /* red, green, blue, 0 to 1; grey where the body is static */
} AbutBodyMesh;

/* Makes the meshes of all bodies; `bodies` (n_bodies) is the caller's. A halfspace becomes a plate under the middle of
 * all motion, larger than the motion. */
AbutStatus abut_run_meshes_create(const AbutRunRecord *record, AbutBodyMesh **bodies, AbutError *error);
void abut_run_meshes_free(AbutBodyMesh *bodies, int n_bodies);

/* Returns half the diagonal of the box around everything that moves in the run, m, and finds the middle of the box. */
double abut_run_extent(const AbutRunRecord *record, double middle[3]);

#endif

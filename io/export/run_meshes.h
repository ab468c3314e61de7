/* Makes the triangles of all bodies of a run, for export formats that display it. */
#pragma once

#include "io/mesh/triangles.h"
#include "io/run/read.h"

/* The meshes of all parts of a body, in the body frame. */
typedef struct AbutBodyMesh {
	int n_parts;
	AbutShapeMesh *parts; /* (n_parts) */
	float color[3];       /* red, green, blue, 0 to 1; grey for a static body */
} AbutBodyMesh;

/* Makes the meshes of all bodies; the caller frees `bodies` (n_bodies) with abut_run_meshes_free. A halfspace becomes a
 * plate under the middle of the motion, larger than its extent. */
AbutStatus abut_run_meshes_create(const AbutRunRecord *record, AbutBodyMesh **bodies, AbutError *error);
void abut_run_meshes_free(AbutBodyMesh *bodies, int n_bodies);

/* Returns half the diagonal (m) of a box around all motion in the run, and sets `middle` to its centre. */
double abut_run_extent(const AbutRunRecord *record, double middle[3]);

/* Non-convex meshes into lists of convex polytopes: approximate convex decomposition by recursive cuts with planes. */
#ifndef ABUT_DECOMPOSE_H
#define ABUT_DECOMPOSE_H

#include <stdbool.h>

#include "abut/bundle.h"
#include "abut/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever the same mesh and options may give other parts: part of the key of what is kept of results. */
#define ABUT_DECOMPOSE_VERSION 2

#define ABUT_DECOMPOSE_CONCAVITY 0.02 /* by default */
#define ABUT_DECOMPOSE_PARTS 32       /* by default */
#define ABUT_DECOMPOSE_PARTS_MAX 1024 /* at most */

/* What a decomposition is asked for. All zero: the defaults. */
typedef struct AbutDecomposeOptions {
	/* Bound on `depth` and `distance` of each part, as a part of the mesh's size, which is the longest side of its
	 * bounding box; 1e-4 to 1, 0: the default. */
	double concavity;
	int max_parts;              /* 0: the default */
	int max_faces;              /* of a hull; 0: as many as it takes, else at least 4 */
	AbutMeshProgress *progress; /* NULL: none; after each cut, with its part of the pieces that may be looked at */
	void *context;              /* handed to progress */
} AbutDecomposeOptions;

/* One part, a piece of the mesh's solid, and its hull. Depth and distance are exact to a twentieth of the bound or 5e-4
 * of the size; where `max_faces` took faces from the hull they are upper bounds. */
typedef struct AbutDecomposePart {
	AbutShape *shape; /* polytope: the hull of the piece, or what max_faces leaves of it; the piece lies inside */
	double volume;    /* of the piece, m^3; that of the hull is shape->mass.volume */
	double depth;     /* greatest depth of the mesh's surface in the hull, m */
	double distance;  /* Hausdorff distance from hull to piece: no point of the hull is further from it; m */
} AbutDecomposePart;

/* A mesh in parts. Read-only to its users; freed by abut_decomposition_destroy. */
typedef struct AbutDecomposition {
	int n_parts;              /* convex hulls */
	AbutDecomposePart *parts; /* (n_parts) by falling volume of the hull */
	double size;              /* of the mesh: what `concavity` counts in, m */
	double volume;            /* of the mesh, m^3 */
	double hull_volume;       /* sum over the hulls, m^3 */
	double overlap_volume;    /* sum over pairs of hulls of the volume in both, m^3; the volume of the union lies
	                             between hull_volume less this and hull_volume */
	double depth;             /* worst of the parts, m */
	double distance;          /* worst of the parts, m: no point of a hull is further from the mesh's solid */
	bool within_bound;        /* the bound holds; otherwise the limit of parts was met first */
	int n_components;         /* separate solids of the mesh */
	int n_nested;             /* solids inside others: their volume counts twice */
	int n_flat;               /* components without volume, left out */
} AbutDecomposition;

/* The mesh must be closed, each edge shared by triangles of opposite sense, and face outwards: anything else is
 * refused. The same mesh and options give the same bits. ABUT_ERROR_STOPPED when `progress` says so. On anything but
 * ABUT_OK `*out` is NULL and `error` (may be NULL) says why. */
ABUT_API AbutStatus abut_mesh_decompose(const AbutMesh *mesh, const AbutDecomposeOptions *options,
                                        AbutDecomposition **out, AbutError *error);
/* The hulls as one bundle, with the `mass` of the mesh where that is given (NULL: that of their union). */
ABUT_API AbutStatus abut_decomposition_bundle(const AbutDecomposition *decomposition, const AbutMassProperties *mass,
                                              AbutBundle **out, AbutError *error);

enum { ABUT_DECOMPOSITION_WARNINGS_MAX = 3 }; /* most sentences of a decomposition */
/* What there is to say of a decomposition, besides abut_mesh_warnings, into `out`. Returns how many sentences. */
ABUT_API int abut_decomposition_warnings(const AbutDecomposition *decomposition,
                                         char (*out)[ABUT_MESH_WARNING_SIZE]); /* (ABUT_DECOMPOSITION_WARNINGS_MAX) */
ABUT_API void abut_decomposition_destroy(AbutDecomposition *decomposition);    /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif

/* Approximate convex decomposition: non-convex meshes as lists of convex polytopes, by recursive cuts with planes. */
#ifndef ABUT_DECOMPOSE_H
#define ABUT_DECOMPOSE_H

#include <stdbool.h>

#include "abut/bundle.h"
#include "abut/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the results: changes whenever the same mesh and options may give other parts. Caches use it in keys. */
#define ABUT_DECOMPOSE_VERSION 2

#define ABUT_DECOMPOSE_CONCAVITY 0.02 /* default of `concavity` */
#define ABUT_DECOMPOSE_PARTS 32       /* default of `max_parts` */
#define ABUT_DECOMPOSE_PARTS_MAX 1024 /* largest `max_parts` */

/* Options of a decomposition. All zero selects the defaults. */
typedef struct AbutDecomposeOptions {
	/* Bound on `depth` and `distance` of each part, as a fraction of the mesh's size (the longest side of its
	 * bounding box), 1e-4 to 1; 0: the default. */
	double concavity;
	int max_parts;              /* 0: the default */
	int max_faces;              /* most faces of a hull, at least 4; 0: unlimited */
	AbutMeshProgress *progress; /* called after each cut with the fraction of pieces done; may be NULL */
	void *context;              /* passed to `progress` */
} AbutDecomposeOptions;

/* One part: a piece of the mesh's solid, and its hull. Depth and distance are accurate to a twentieth of the bound or
 * to 5e-4 of the size. If `max_faces` removed faces of the hull, they are upper bounds. */
typedef struct AbutDecomposePart {
	AbutShape *shape; /* polytope: the hull of the piece; with `max_faces`, a polytope around it */
	double volume;    /* of the piece, m^3; the hull's is shape->mass.volume */
	double depth;     /* m, greatest depth of the mesh's surface below the surface of the hull */
	double distance;  /* Hausdorff distance from hull to piece, m: no point of the hull is further away */
} AbutDecomposePart;

/* A decomposed mesh; read-only to its users. abut_decomposition_destroy frees it. */
typedef struct AbutDecomposition {
	int n_parts;              /* number of convex hulls */
	AbutDecomposePart *parts; /* (n_parts) in order of decreasing hull volume */
	double size;              /* of the mesh, m: the unit of `concavity` */
	double volume;            /* of the mesh, m^3 */
	double hull_volume;       /* sum over the hulls, m^3 */
	double overlap_volume;    /* sum over pairs of hulls of their common volume, m^3; the volume of the union lies
	                             between hull_volume - overlap_volume and hull_volume */
	double depth;             /* largest of the parts, m */
	double distance;          /* largest of the parts, m: no point of a hull is further from the mesh's solid */
	bool within_bound;        /* the bound holds; false if `max_parts` was reached first */
	int n_components;         /* separate solids of the mesh */
	int n_nested;             /* solids inside others, whose volume counts twice */
	int n_flat;               /* components without volume, which are left out */
} AbutDecomposition;

/* Decomposes a mesh with `options`. The mesh must be closed and face outwards, and the triangles at each edge must have
 * opposite directions; other meshes are refused. The same mesh and options give the same bits. Returns
 * ABUT_ERROR_STOPPED if `progress` returns false. Unless the status is ABUT_OK, `*out` is NULL and `error` (may be
 * NULL) gives the reason. */
ABUT_API AbutStatus abut_mesh_decompose(const AbutMesh *mesh, const AbutDecomposeOptions *options,
                                        AbutDecomposition **out, AbutError *error);
/* Creates a bundle of the hulls. Its mass is the given `mass` (for example that of the mesh); for NULL, that of the
 * union of the hulls. */
ABUT_API AbutStatus abut_decomposition_bundle(const AbutDecomposition *decomposition, const AbutMassProperties *mass,
                                              AbutBundle **out, AbutError *error);

enum { ABUT_DECOMPOSITION_WARNINGS_MAX = 3 }; /* most warnings of a decomposition */
/* Writes the warnings about a decomposition to `out`, in addition to abut_mesh_warnings, and returns their number. */
ABUT_API int abut_decomposition_warnings(const AbutDecomposition *decomposition,
                                         char (*out)[ABUT_MESH_WARNING_SIZE]); /* (ABUT_DECOMPOSITION_WARNINGS_MAX) */
ABUT_API void abut_decomposition_destroy(AbutDecomposition *decomposition);    /* Frees it; accepts NULL. */

#ifdef __cplusplus
}
#endif

#endif

/* Triangle meshes: reading from files, repair, measurement, and convex hulls. Lengths are in metres. */
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include <stdbool.h>

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A triangle mesh; read-only to its users. It owns its arrays; abut_mesh_destroy frees it. */
typedef struct AbutMesh {
	int n_vertices;         /* number of points */
	int n_triangles;        /* number of faces */
	const double *vertices; /* (n_vertices x 3) m, finite */
	const int *triangles;   /* (n_triangles x 3) vertex indices, counterclockwise seen from outside */
} AbutMesh;

/* Creates a mesh from arrays, which are copied: `vertices` (n_vertices x 3), finite and within 1e9 m; `triangles`
 * (n_triangles x 3), indices in range. The mesh may be open and have triangles without area. Unless the status is
 * ABUT_OK, `*out` is NULL and `error` (may be NULL) gives the reason. */
ABUT_API AbutStatus abut_mesh_create(int n_vertices, const double *vertices, int n_triangles, const int *triangles,
                                     AbutMesh **out, AbutError *error);
ABUT_API void abut_mesh_destroy(AbutMesh *mesh); /* Frees the mesh; accepts NULL. */

/* --- reading, checking, repairing --- */

/* Reports progress: called from time to time with the name of the stage and the fraction of it that is done, 0 to 1, or
 * a negative number if unknown. Returns false to end the work with ABUT_ERROR_STOPPED. */
typedef bool AbutMeshProgress(void *context, const char *stage, double part);

/* The axis of the file that points up. It is rotated to +z: for y, (x, y, z) becomes (x, -z, y); for x, (-z, y, x). */
typedef enum AbutMeshUp {
	ABUT_MESH_UP_DECLARED, /* as the format declares (glTF: y; COLLADA, FBX: in the file); otherwise z */
	ABUT_MESH_UP_X,
	ABUT_MESH_UP_Y,
	ABUT_MESH_UP_Z
} AbutMeshUp;

/* Options for reading and repairing a mesh. */
typedef struct AbutMeshOptions {
	double unit;   /* metres per unit of the file; 0: the unit that the format declares, or 1 if it declares none */
	double scale;  /* additional factor, > 0 */
	AbutMeshUp up; /* the axis of the file that is rotated to +z */
	double weld;   /* vertices closer than this fraction of the bounding box's diagonal are merged; 0 to 1e-2 */
	AbutMeshProgress *progress; /* may be NULL */
	void *context;              /* passed to `progress` */
} AbutMeshOptions;

/* Returns the defaults: unit and up axis as declared, scale 1, weld 1e-6, no progress. */
ABUT_API AbutMeshOptions abut_mesh_options_default(void);

/* Looks up a unit by its `name` and writes its length to `metres`. Returns false if there is no such unit, with a list
 * of the names in `known` (static storage). `metres` and `known` may be NULL. */
ABUT_API bool abut_mesh_unit(const char *name, double *metres, const char **known);

/* What reading and repair found and did. */
typedef struct AbutMeshReport {
	/* of the file; zero for a mesh from arrays */
	int n_parts;         /* meshes in the file, each as often as nodes place it; joined into one */
	int n_not_triangles; /* points and lines, which are left out */
	bool has_unit;       /* the file declares a unit */
	bool hides_unit;     /* the format declares a unit, but it could not be read; metres are assumed */
	double metres;       /* length of one unit of the file, including `scale` */
	char up;             /* axis of the file that points up: 'x', 'y' or 'z' */
	bool has_up;         /* the file declares the axis */
	/* of the triangles */
	int vertices_in, triangles_in; /* distinct points, before repair */
	int vertices_welded;           /* points merged with another */
	int degenerate;                /* triangles left out because two corners coincide */
	int duplicate;                 /* triangles left out because they repeat another */
	int doubled;                   /* triangles left out because every triangle occurs in both directions */
	int back_to_back;              /* pairs of triangles at the same place that face in opposite directions */
	int flat;               /* triangles without area that are kept, since the surface would be open without them */
	int turned;             /* triangles reversed to agree with their neighbours */
	bool inside_out;        /* the whole surface was reversed */
	int components;         /* pieces connected by edges of two triangles */
	int cavities;           /* closed pieces that bound a cavity inside another */
	int nested;             /* closed pieces inside another that count twice in the volume */
	int open_edges;         /* edges of one triangle */
	int nonmanifold_edges;  /* edges of three or more triangles */
	int one_sided_edges;    /* edges whose two triangles cannot agree, as on a Moebius strip */
	bool closed;            /* at every edge, equally many triangles pass in both directions */
	double several;         /* m^3 that overlapping pieces add twice to the volume, to about 1e-4 of it */
	double against;         /* m^3 that pieces facing inwards subtract from the volume, to about 1e-4 of it */
	double enclosed;        /* m^3 inside a closed surface, counted once, to about 1e-4; includes `several` */
	double weld_tolerance;  /* m */
	double low[3], high[3]; /* bounding box, m */
} AbutMeshReport;

/* Reads the mesh file `path`, in any format that Assimp reads, with `options`. Joins its meshes, applies node
 * transforms, and repairs the result like abut_mesh_repair. Writes what it found to `report`. Returns
 * ABUT_ERROR_UNSUPPORTED if the library was built without Assimp. */
ABUT_API AbutStatus abut_mesh_load(const char *path, const AbutMeshOptions *options, AbutMesh **out,
                                   AbutMeshReport *report, AbutError *error);
/* Repairs a mesh with `options`: merges close vertices, drops degenerate and duplicate triangles, and reverses
 * triangles so that they agree and face outwards. `report` lists what was done and what cannot be repaired (holes,
 * edges of three triangles); its fields about the file are kept. */
ABUT_API AbutStatus abut_mesh_repair(const AbutMesh *mesh, const AbutMeshOptions *options, AbutMesh **out,
                                     AbutMeshReport *report, AbutError *error);

enum {
	ABUT_MESH_WARNING_SIZE = 320, /* bytes of a warning, including the terminating zero */
	ABUT_MESH_WARNINGS_MAX = 16   /* most warnings of a report */
};
/* Writes the warnings of a report to `out`, one sentence each with the remedy, and returns their number. */
ABUT_API int abut_mesh_warnings(const AbutMeshReport *report,
                                char (*out)[ABUT_MESH_WARNING_SIZE]); /* (ABUT_MESH_WARNINGS_MAX) */

/* Computes volume, centre of mass and inertia of the solid inside a closed mesh to `out`, exactly, by the divergence
 * theorem. Returns ABUT_ERROR_ARGUMENT if the mesh is not closed or encloses nothing. */
ABUT_API AbutStatus abut_mesh_mass(const AbutMesh *mesh, AbutMassProperties *out, AbutError *error);

/* Computes volume, centre of mass and inertia like abut_mesh_mass, but refuses a volume larger than that of the mesh's
 * `hull`, which overlapping pieces cause. Unless the status is ABUT_OK, `out` is a copy of `hull`, and `error` gives
 * the reason. */
ABUT_API AbutStatus abut_mesh_mass_in_hull(const AbutMesh *mesh, const AbutMassProperties *hull,
                                           AbutMassProperties *out, AbutError *error);

/* --- hulls --- */

/* Whether a polytope with fewer faces contains the hull or lies inside it. */
typedef enum AbutMeshFit {
	ABUT_MESH_FIT_OUTER, /* contains the hull */
	ABUT_MESH_FIT_INNER  /* lies inside the hull, with vertices of the hull */
} AbutMeshFit;

/* Facets of a mesh's hull are merged if they are within this fraction of its size from one plane, because files hold
 * single precision. */
#define ABUT_MESH_COPLANAR 1e-6

/* The size and accuracy of a hull. */
typedef struct AbutMeshHullReport {
	int faces, vertices;                 /* of the hull */
	int reduced_faces, reduced_vertices; /* of the resulting polytope; equal to the hull's if it was not reduced */
	AbutMassProperties hull, reduced;    /* mass of both, at density 1 */
	double hausdorff;                    /* m, distance between hull and polytope; 0 if not reduced */
} AbutMeshHullReport;

/* Creates the convex hull as a polytope with at most `max_faces` faces (0: all; otherwise at least 4). A reduced
 * polytope contains the hull or lies inside it, depending on `fit`. Its mass is that of the polytope. `report` may be
 * NULL. */
ABUT_API AbutStatus abut_mesh_hull(const AbutMesh *mesh, int max_faces, AbutMeshFit fit, AbutShape **out,
                                   AbutMeshHullReport *report, AbutError *error);

/* Creates the hull like abut_mesh_hull (`max_faces`, `fit` and `report` are the same), and calls `progress` (may be
 * NULL) with `context` from time to time. Returns ABUT_ERROR_STOPPED if `progress` returns false. */
ABUT_API AbutStatus abut_mesh_hull_with_progress(const AbutMesh *mesh, int max_faces, AbutMeshFit fit,
                                                 AbutMeshProgress *progress, void *context, AbutShape **out,
                                                 AbutMeshHullReport *report, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

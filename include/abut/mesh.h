/* Triangle meshes: read from files, checked, measured, and made into convex polytopes or lists of them. Metres. */
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include <stdbool.h>

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Owns its arrays; freed by abut_mesh_destroy. Made by a function below, read-only to its users. */
typedef struct AbutMesh {
	int n_vertices;         /* points */
	int n_triangles;        /* faces */
	const double *vertices; /* (n_vertices x 3) m, finite */
	const int *triangles;   /* (n_triangles x 3) vertices, counterclockwise seen from outside */
} AbutMesh;

/* From arrays, which are copied: `vertices` (n_vertices x 3) finite, within 1e9 m; `triangles` (n_triangles x 3),
 * indices in range. Neither needs to be closed or free of triangles without area. On anything but ABUT_OK `*out` is
 * NULL and `error` (may be NULL) says why. */
ABUT_API AbutStatus abut_mesh_create(int n_vertices, const double *vertices, int n_triangles, const int *triangles,
                                     AbutMesh **out, AbutError *error);
ABUT_API void abut_mesh_destroy(AbutMesh *mesh); /* NULL is fine */

/* --- reading, checking, repairing --- */

/* Called now and then with what is being done and the part of it that is, 0 to 1; negative: not known. False ends the
 * work with ABUT_ERROR_STOPPED. */
typedef bool AbutMeshProgress(void *context, const char *stage, double part);

/* Which axis of the file points up; it is turned to +z (y: (x, y, z) becomes (x, -z, y); x: (-z, y, x)). */
typedef enum AbutMeshUp {
	ABUT_MESH_UP_DECLARED, /* what the format says (glTF: y; COLLADA, FBX: in the file); else z */
	ABUT_MESH_UP_X,
	ABUT_MESH_UP_Y,
	ABUT_MESH_UP_Z
} AbutMeshUp;

/* How a file is read and a mesh repaired. */
typedef struct AbutMeshOptions {
	double unit;   /* metres of the file's unit; 0: what the format declares, else 1 */
	double scale;  /* a further factor, > 0 */
	AbutMeshUp up; /* which axis of the file is turned to +z */
	double weld;   /* vertices closer than this part of the bounding box's diagonal are one; 0 to 1e-2 */
	AbutMeshProgress *progress; /* NULL: none */
	void *context;              /* handed to progress */
} AbutMeshOptions;

/* No unit, scale 1, up as declared, weld 1e-6, no progress. */
ABUT_API AbutMeshOptions abut_mesh_options_default(void);

/* `metres` of a unit by its `name`; false and a list of the names in `known` (static) when there is none. Either may
 * be NULL. */
ABUT_API bool abut_mesh_unit(const char *name, double *metres, const char **known);

/* What was found, and what was done about it. */
typedef struct AbutMeshReport {
	/* the file; zero for a mesh from arrays */
	int n_parts;         /* meshes in the file, as often as its nodes place them; joined into one */
	int n_not_triangles; /* points and lines, left out */
	bool has_unit;       /* the file declares one */
	bool hides_unit;     /* it is of a format that does, but what it says could not be read: metres are assumed */
	double metres;       /* of one unit of the file, with the scale */
	char up;             /* axis of the file that points up: 'x', 'y' or 'z' */
	bool has_up;         /* the file declares it */
	/* the triangles */
	int vertices_in, triangles_in; /* distinct points, before repair */
	int vertices_welded;           /* points that became one with another */
	int degenerate;                /* triangles left out: two corners are one */
	int duplicate;                 /* triangles left out: the same as another */
	int doubled;                   /* triangles left out: all are there both ways round, and one way is enough */
	int back_to_back;              /* pairs of triangles in one place that face opposite ways: around nothing */
	int flat;                      /* triangles without area that stay: without them the surface would be open */
	int turned;                    /* triangles turned over, to agree with their neighbours */
	bool inside_out;               /* the whole surface was turned over */
	int components;                /* pieces, connected over edges of two triangles */
	int cavities;                  /* closed pieces that bound a hole inside another */
	int nested;                    /* closed pieces inside another that count twice in the volume */
	int open_edges;                /* of one triangle */
	int nonmanifold_edges;         /* of three or more */
	int one_sided_edges;           /* whose two triangles cannot agree: a Moebius strip */
	bool closed;                   /* every edge is passed as often in one direction as in the other */
	double several;                /* m^3 that the volume counts too often: pieces overlap; to some 1e-4 of it */
	double against;                /* m^3 that count against the volume: pieces face inwards; the same */
	double enclosed;        /* m^3 in a closed surface, none twice, to some 1e-4; `several` is a part of it */
	double weld_tolerance;  /* m */
	double low[3], high[3]; /* bounding box, m */
} AbutMeshReport;

/* The mesh file `path`, of any format that Assimp reads, joined and repaired as by abut_mesh_repair. Node transforms
 * are applied. ABUT_ERROR_UNSUPPORTED when the library was built without Assimp. */
ABUT_API AbutStatus abut_mesh_load(const char *path, const AbutMeshOptions *options, AbutMesh **out,
                                   AbutMeshReport *report, AbutError *error);
/* Welds vertices, drops triangles that are none or there twice, and turns triangles so that they agree and face
 * outwards. What cannot be repaired (holes, edges of three triangles) is reported and left. `report` keeps what it
 * holds about a file. */
ABUT_API AbutStatus abut_mesh_repair(const AbutMesh *mesh, const AbutMeshOptions *options, AbutMesh **out,
                                     AbutMeshReport *report, AbutError *error);

enum {
	ABUT_MESH_WARNING_SIZE = 320, /* bytes of a sentence, its end included */
	ABUT_MESH_WARNINGS_MAX = 16   /* most sentences of a report */
};
/* What the report has to say to a person, into `out`, a sentence each that names the cure. Returns how many. */
ABUT_API int abut_mesh_warnings(const AbutMeshReport *report,
                                char (*out)[ABUT_MESH_WARNING_SIZE]); /* (ABUT_MESH_WARNINGS_MAX) */

/* `out`: volume, centre of mass and inertia of what a closed mesh encloses; exact, by the divergence theorem. A mesh
 * that is not closed has none, and neither has one that encloses nothing: ABUT_ERROR_ARGUMENT. */
ABUT_API AbutStatus abut_mesh_mass(const AbutMesh *mesh, AbutMassProperties *out, AbutError *error);

/* The same, and refused where it is more than the mesh's hull holds, as of pieces that overlap. Without OK `out` is the
 * hull's, and `error` says why. */
ABUT_API AbutStatus abut_mesh_mass_in_hull(const AbutMesh *mesh, const AbutMassProperties *hull,
                                           AbutMassProperties *out, AbutError *error);

/* --- hulls --- */

/* On which side of a hull a polytope with fewer faces lies. */
typedef enum AbutMeshFit {
	ABUT_MESH_FIT_OUTER, /* contains the hull */
	ABUT_MESH_FIT_INNER  /* lies within it, with vertices of it */
} AbutMeshFit;

/* Facets of a mesh's hull within this part of its size of one plane are one: files hold single precision. */
#define ABUT_MESH_COPLANAR 1e-6

/* How a hull came out. */
typedef struct AbutMeshHullReport {
	int faces, vertices;                 /* of the hull */
	int reduced_faces, reduced_vertices; /* of the polytope that came of it; the same where nothing was reduced */
	AbutMassProperties hull, reduced;    /* of either, at density 1 */
	double hausdorff;                    /* m, between the hull and the polytope; 0 when nothing was reduced */
} AbutMeshHullReport;

/* The convex hull as a polytope, of at most `max_faces` faces (0: all; else at least 4), which then contains it or lies
 * within it, as `fit` says. Its mass is its own. `report` may be NULL. */
ABUT_API AbutStatus abut_mesh_hull(const AbutMesh *mesh, int max_faces, AbutMeshFit fit, AbutShape **out,
                                   AbutMeshHullReport *report, AbutError *error);

/* The same, of at most `max_faces` faces on the side `fit`, with a word of `progress` now and then (NULL: none), to
 * which `context` is handed: ABUT_ERROR_STOPPED when it says so. */
ABUT_API AbutStatus abut_mesh_hull_with_progress(const AbutMesh *mesh, int max_faces, AbutMeshFit fit,
                                                 AbutMeshProgress *progress, void *context, AbutShape **out,
                                                 AbutMeshHullReport *report, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

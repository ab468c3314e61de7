/* What the importers of URDF and MJCF fill, and what they share. */
#ifndef IO_IMPORT_MODEL_H
#define IO_IMPORT_MODEL_H

#include <stdbool.h>

#include "io/import/import.h"
#include "io/xml/xml_tree.h"

/* Where something is in the frame that it stands in. */
typedef struct AbutPose {
	double position[3];
	double orientation[4]; /* [w, x, y, z] */
} AbutPose;

typedef enum AbutGeomKind {
	ABUT_GEOM_PLANE, /* the solid below z = 0 */
	ABUT_GEOM_SPHERE,
	ABUT_GEOM_CAPSULE,
	ABUT_GEOM_CYLINDER,
	ABUT_GEOM_ELLIPSOID,
	ABUT_GEOM_BOX,
	ABUT_GEOM_MESH,
	ABUT_GEOM_COUNT
} AbutGeomKind;

/* A mesh of a file, or of vertices that the model has. */
typedef struct AbutImportMesh {
	char *file;       /* owned; NULL: `vertices` */
	double scale[3];  /* of the file's coordinates */
	AbutPose origin;  /* of the geometry's frame, in the scaled mesh */
	int n_vertices;   /* without a file */
	double *vertices; /* (n_vertices x 3), owned */
} AbutImportMesh;

typedef struct AbutGeom {
	const AbutXml *element;
	AbutGeomKind kind;
	double size[3]; /* half extents or radii; radius and length of capsule and cylinder; m */
	AbutPose pose;  /* in the frame of its body */
	AbutImportMesh mesh;
	AbutShape *shape; /* in the frame of its body; owned */
	bool collides, weighs;
	double mass, density;    /* kg, kg/m^3; 0: not given; mass goes first */
	double friction;         /* negative: not given */
	double torsion;          /* m; negative: not given */
	unsigned type, affinity; /* bits of MJCF that let two geometries touch; all set of URDF */
} AbutGeom;

/* A mass at a place of a body. */
typedef struct AbutImportMass {
	double mass, centre[3], inertia[9]; /* kg, m, kg m^2 about the centre; body frame */
} AbutImportMass;

typedef struct AbutImportBody {
	const AbutXml *element;
	char *name; /* owned, unique */
	bool is_static;
	AbutPose pose;
	int n_geoms, geoms_capacity, n_masses, masses_capacity;
	AbutGeom *geoms;        /* (n_geoms) */
	AbutImportMass *masses; /* (n_masses): of <inertial> elements */
	AbutImportMass total;   /* of a moving body */
	double friction, torsion;
} AbutImportBody;

struct AbutImport {
	char *name;
	double gravity[3], timestep;
	int n_bodies, bodies_capacity, n_notes, notes_capacity, n_trees, trees_capacity, n_excluded, excluded_capacity;
	AbutImportBody *bodies;
	void *names; /* of the bodies, which own them: a tree of tsearch */
	AbutImportNote *notes;
	AbutXml **trees;            /* all that elements point into */
	const char *(*excluded)[2]; /* names of the model's bodies that do not touch */
	bool takes_larger;          /* MJCF: the larger friction of two counts */
};

/* An import that goes on: after an error everything that follows does nothing. */
typedef struct AbutImporter {
	AbutImport *import;
	const char *path; /* of the model */
	AbutStatus status;
	AbutError *error;
} AbutImporter;

/* --- io/import/model.c --- */

/* The first error, at an element. */
__attribute__((format(printf, 3, 4))) void abut_importer_fail(AbutImporter *importer, const AbutXml *at,
                                                              const char *format, ...);
void abut_importer_no_memory(AbutImporter *importer);
/* "left out: ..." */
__attribute__((format(printf, 3, 4))) void abut_importer_note(AbutImporter *importer, const AbutXml *at,
                                                              const char *format, ...);
/* Keeps the tree; frees it on an error. */
void abut_importer_keep(AbutImporter *importer, AbutXml *tree);
/* A body; where `name` is NULL or taken, one of that begin is made. NULL: an error. Valid until the next one. */
AbutImportBody *abut_importer_body(AbutImporter *importer, const AbutXml *at, const char *name);
AbutGeom *abut_importer_geom(AbutImporter *importer, AbutImportBody *body, const AbutXml *at);
AbutImportMass *abut_importer_mass(AbutImporter *importer, AbutImportBody *body);
/* Drops the last body. */
void abut_importer_drop_body(AbutImporter *importer);

/* --- io/import/values.c --- */

enum { ABUT_IMPORT_ALL = -1 };

/* The `least` to `most` numbers that `text` (NULL: none), the attribute `name` of an element, lists; finite, at most
 * 1e9 in size. Returns how many. */
int abut_importer_numbers(AbutImporter *importer, const AbutXml *at, const char *name, const char *text, int least,
                          int most, double *out);
/* The same of the element's own attribute. */
int abut_importer_attribute(AbutImporter *importer, const AbutXml *at, const char *name, int least, int most,
                            double *out);
/* Refuses numbers that are not at least 1e-9. */
void abut_importer_positive(AbutImporter *importer, const AbutXml *at, const char *name, const double *values, int n);
/* All six entries: xx, yy, zz, xy, xz, yz, into a matrix, turned by the orientation. Refuses what no part of a body
 * can have. */
void abut_importer_inertia(AbutImporter *importer, const AbutXml *at, const double six[6], const double orientation[4],
                           double out[9]);
/* `folder of file` / `name`, or an absolute name itself; the caller's. */
char *abut_importer_path(AbutImporter *importer, const char *file, const char *folder, const char *name);

/* --- io/import/pose.c --- */

AbutPose abut_pose_identity(void);
/* Where something at `inner`, in a frame at `outer`, is. */
AbutPose abut_pose_compose(const AbutPose *outer, const AbutPose *inner);
/* A turn by `angle` about an axis, of any length. */
void abut_turn(const double axis[3], double angle, double q[4]);
/* The shortest turn of z onto a direction, of any length > 0. */
void abut_turn_z_onto(const double direction[3], double q[4]);
/* Of a rotation whose columns are the axes. */
void abut_turn_of_axes(const double x[3], const double y[3], double q[4]);

/* --- io/import/shape.c --- */

/* Makes all shapes, weighs the bodies and leaves out those that cannot be in a scene, with a note. */
void abut_importer_finish(AbutImporter *importer);
/* Whether a shape of the type "mesh" says the same: one scale, and the geometry's frame is the mesh's. */
bool abut_import_mesh_is_plain(const AbutImportMesh *mesh);
/* Whether the scene says of each pair of bodies whether it may touch, and how: of MJCF, as long as they are few. */
bool abut_import_lists_pairs(const AbutImport *import);

/* --- the two formats --- */

void abut_import_urdf(AbutImporter *importer, const AbutXml *robot);
void abut_import_mjcf(AbutImporter *importer, AbutXml *mujoco);

#endif

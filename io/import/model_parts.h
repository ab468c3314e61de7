/* The model that the importers of URDF and MJCF fill. */
#ifndef IO_IMPORT_MODEL_PARTS_H
#define IO_IMPORT_MODEL_PARTS_H

#include <stdbool.h>

#include "abut/shape.h"
#include "io/import/import_parts.h"
#include "io/xml/xml_tree.h"

/* A place and orientation in an enclosing frame. */
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

/* An import in progress: after an error, further calls do nothing. */
typedef struct AbutImporter {
	AbutImport *import;
	const char *path; /* of the model */
	AbutStatus status;
	AbutError *error;
} AbutImporter;

#endif

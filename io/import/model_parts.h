/* Declares the model that the URDF and MJCF importers fill. */
#pragma once

#include <stdbool.h>

#include "abut/joint.h"
#include "abut/shape.h"
#include "io/import/import_parts.h"
#include "io/xml/xml_tree.h"

/* Position (m) and orientation in an enclosing frame. */
typedef struct AbutPose {
	double position[3];
	double orientation[4]; /* unit quaternion [w, x, y, z] */
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

/* A mesh from a file, or from vertices in the model. */
typedef struct AbutImportMesh {
	char *file;       /* path, owned; NULL: `vertices` are used */
	double scale[3];  /* factors applied to the coordinates */
	AbutPose origin;  /* pose of the geometry's frame in the scaled mesh */
	int n_vertices;   /* used only without a file */
	double *vertices; /* (n_vertices x 3), owned */
} AbutImportMesh;

typedef struct AbutGeom {
	const AbutXml *element;
	AbutGeomKind kind;
	double size[3]; /* m: half extents or radii; radius and length of capsule and cylinder */
	AbutPose pose;  /* in the frame of its body */
	AbutImportMesh mesh;
	AbutShape *shape; /* in the frame of its body; owned */
	bool collides, weighs;
	double mass, density;    /* kg, kg/m^3; 0: not given; mass has priority */
	double friction;         /* coefficient; negative: not given */
	double torsion;          /* coefficient of torsional friction, m; negative: not given */
	unsigned type, affinity; /* contype and conaffinity of MJCF; all bits set for URDF */
} AbutGeom;

/* A mass that is part of a body. */
typedef struct AbutImportMass {
	double mass, centre[3], inertia[9]; /* kg; m; kg m^2 about `centre`; body frame */
} AbutImportMass;

typedef struct AbutImportBody {
	const AbutXml *element;
	char *name; /* owned, unique */
	bool is_static;
	AbutPose pose;
	int n_geoms, geoms_capacity, n_masses, masses_capacity;
	AbutGeom *geoms;        /* (n_geoms) */
	AbutImportMass *masses; /* (n_masses) from <inertial> elements or geometries */
	AbutImportMass total;   /* sum of `masses`, if the body moves */
	double friction, torsion;
	bool jointed; /* an end of a joint: kept even if nothing of it collides */
	int carried;  /* of a link between two joints of one element: index of the body at the far end; -1: none */
} AbutImportBody;

/* What acts on a freedom of a joint (abut/joint.h). */
typedef struct AbutImportLaw {
	const char *source; /* name of the element; "": none */
	double at;          /* coordinate at the model's pose, rad or m */
	AbutJointAxis axis;
} AbutImportLaw;

typedef struct AbutImportJoint {
	char *name; /* owned */
	AbutJointType type;
	int body[2];       /* parent and child, indices of bodies; ABUT_JOINT_WORLD */
	AbutPose frame[2]; /* in the frames of both bodies, or the world's */
	int n_laws;        /* 1 for a ball */
	AbutImportLaw law[ABUT_JOINT_FREEDOMS];
	bool moved;                        /* the model's pose is outside of the limits: the scene starts at `start` */
	double start[ABUT_JOINT_FREEDOMS]; /* coordinates, rad or m */
} AbutImportJoint;

/* q_a = ratio q_b + offset, for freedoms of two joints. */
typedef struct AbutImportCoupling {
	int joint[2], axis[2];
	double ratio, offset;
} AbutImportCoupling;

struct AbutImport {
	char *name;
	double gravity[3], timestep;
	int n_bodies, bodies_capacity, n_notes, notes_capacity, n_trees, trees_capacity, n_excluded, excluded_capacity;
	AbutImportBody *bodies;
	int n_joints, joints_capacity;
	AbutImportJoint *joints;
	int n_couplings, couplings_capacity;
	AbutImportCoupling *couplings;
	bool no_contacts; /* no bodies touch */
	void *names;      /* search tree (tsearch) of the names that the bodies own */
	AbutImportNote *notes;
	AbutXml **trees;            /* owned; XML trees to which the elements belong */
	const char *(*excluded)[2]; /* pairs of MJCF body names that do not touch */
	bool takes_larger;          /* true for MJCF: a pair uses the larger friction of the two bodies */
};

/* An import in progress. After an error, further calls do nothing. */
typedef struct AbutImporter {
	AbutImport *import;
	const char *path; /* of the model file */
	AbutStatus status;
	AbutError *error;
} AbutImporter;

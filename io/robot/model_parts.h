/* Declares the model that the URDF and MJCF importers fill. */
#pragma once

#include <stdbool.h>

#include "abut/collide.h"
#include "abut/joint.h"
#include "abut/sensor.h"
#include "abut/shape.h"
#include "io/robot/import_parts.h"
#include "io/xml/xml_tree.h"

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

/* MuJoCo's default of springs. */
#define ABUT_MJCF_SPRING                                                                                               \
	{                                                                                                              \
		.solref = {0.02, 1.0}, .solimp = { 0.9, 0.95, 0.001, 0.5, 2.0 }                                        \
	}

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
	int dimensions;          /* condim of MJCF; 0: not given */
	int priority;
	double mix, gap; /* solmix and gap of MJCF */
	AbutJointSpring spring;
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
	bool jointed;                /* an end of a joint: kept even if nothing of it collides */
	double velocity[3], spin[3]; /* m/s of the origin, world; rad/s, body axes: at the start */
	double raised;               /* m, out of static bodies; of the first body of a robot */
	int carried; /* of a link between two joints of one element: index of the body at the far end; -1: none */
} AbutImportBody;

/* A body or site of the model, in the imported body that it is part of. */
typedef struct AbutImportPlace {
	const AbutXml *element;
	int body;               /* index of the imported body, or ABUT_JOINT_WORLD */
	AbutPose pose;          /* in the frame of the body, or of the world */
	const char *childclass; /* MJCF: default class of its children; NULL: none */
} AbutImportPlace;

/* What acts on a freedom of a joint (abut/joint.h). */
typedef struct AbutImportLaw {
	const char *source; /* name of the element; "": none */
	const AbutXml *element;
	double at;   /* coordinate at the model's pose, rad or m */
	double most; /* largest effort of the motor, N m or N; 0: not bounded by the joint */
	AbutJointAxis axis;
	AbutJointSpring limit_spring, friction_spring; /* of method convex */
} AbutImportLaw;

typedef struct AbutImportJoint {
	char *name; /* owned */
	AbutJointType type;
	int body[2];       /* parent and child, indices of bodies; ABUT_JOINT_WORLD */
	AbutPose frame[2]; /* in the frames of both bodies, or the world's */
	int n_laws;        /* 1 for a ball */
	AbutImportLaw law[ABUT_JOINT_FREEDOMS];
	bool closes;     /* an equality between bodies that move by other joints */
	bool has_spring; /* `spring` is that of a closing joint in method convex */
	AbutJointSpring spring;
	bool collides;                     /* its two bodies may touch each other */
	bool moved;                        /* the scene starts at `start` */
	double start[ABUT_JOINT_FREEDOMS]; /* coordinates, rad or m */
	bool turning;                      /* the scene starts with `rate` */
	double rate[ABUT_JOINT_FREEDOMS];  /* rad/s or m/s; of a ball, about the axes of the child's frame */
} AbutImportJoint;

/* q_a = ratio q_b + offset, for freedoms of two joints. */
typedef struct AbutImportCoupling {
	int joint[2], axis[2];
	double ratio, offset;
	bool has_spring, tendon;
	AbutJointSpring spring;
} AbutImportCoupling;

/* A pair of MJCF bodies that do not touch. */
typedef struct AbutImportExclude {
	const AbutXml *element;
	const char *body[2];
} AbutImportExclude;

/* A pair of geometries with its own contact parameters. */
typedef struct AbutImportPair {
	const AbutXml *element;
	const char *geom[2];
	double friction, torsion; /* torsion: coefficient, m */
	AbutJointSpring spring;
} AbutImportPair;

/* Which bodies touch. */
typedef struct AbutImportContacts {
	bool none;         /* no bodies touch */
	bool takes_larger; /* true for MJCF: a pair uses the larger friction of the two bodies */
	int n_excluded, excluded_capacity, n_pairs, pairs_capacity, n_apart, apart_capacity;
	AbutImportExclude *excluded; /* (n_excluded) */
	AbutImportPair *pairs;       /* (n_pairs) */
	int (*apart)[2];             /* (n_apart) indices of bodies that do not touch */
} AbutImportContacts;

/* A named frame. */
typedef struct AbutImportSite {
	char *name;    /* owned, unique among sites */
	int body;      /* index, or ABUT_JOINT_WORLD */
	AbutPose pose; /* in the frame of the body, or of the world */
} AbutImportSite;

typedef struct AbutImportSensor {
	char *name; /* owned, unique among sensors */
	AbutSensorType type;
	int site, joint, body; /* indices; -1: none */
	const AbutXml *element;
} AbutImportSensor;

/* What is measured. */
typedef struct AbutImportSensing {
	int n_sites, sites_capacity, n_sensors, sensors_capacity;
	AbutImportSite *sites;
	AbutImportSensor *sensors;
} AbutImportSensing;

struct AbutImport {
	char *name;
	double gravity[3], timestep;
	double total_mass; /* kg, of all bodies that move; 0: as written */
	int n_bodies, bodies_capacity, n_notes, notes_capacity, n_trees, trees_capacity;
	AbutImportBody *bodies;
	int n_joints, joints_capacity;
	AbutImportJoint *joints;
	int n_couplings, couplings_capacity;
	AbutImportCoupling *couplings;
	int n_places, places_capacity;
	AbutImportPlace *places; /* (n_places) bodies and sites of MJCF, in the order of the file */
	AbutImportContacts contacts;
	AbutImportSensing sensing;
	void *names; /* search tree (tsearch) of the names that the bodies own */
	AbutImportNote *notes;
	AbutXml **trees; /* owned; XML trees to which the elements belong */
};

/* An import in progress. After an error, further calls do nothing. */
typedef struct AbutImporter {
	AbutImport *import;
	const AbutImportOptions *options;
	const char *path; /* of the model file */
	AbutStatus status;
	AbutError *error;
} AbutImporter;

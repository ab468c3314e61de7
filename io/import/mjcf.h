/* The parts of the importer of MJCF. */
#ifndef IO_IMPORT_MJCF_H
#define IO_IMPORT_MJCF_H

#include "io/import/model.h"

/* <compiler>, of all files together. */
typedef struct AbutMjcfCompiler {
	bool radians, strips_path;
	char sequence[4]; /* of Euler angles: xyz turn with the body, XYZ are fixed */
	const char *mesh_folder, *asset_folder;
	int inertia_from_geoms;      /* 0: where there is no <inertial>; 1: always; -1: never */
	int first_group, last_group; /* of geometries that weigh */
} AbutMjcfCompiler;

typedef struct AbutMjcf {
	AbutImporter *importer;
	AbutXml *root;
	AbutMjcfCompiler compiler;
} AbutMjcf;

/* --- io/import/mjcf_include.c --- */

/* Puts the elements of included files in the place of every <include>. */
void abut_mjcf_include(AbutImporter *importer, AbutXml *root);

/* --- io/import/mjcf_values.c --- */

void abut_mjcf_read_compiler(AbutMjcf *mjcf);
/* An attribute of the element, or of its defaults; `*at` (may be NULL) is the element that has it. NULL: none has. */
const char *abut_mjcf_get(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *name,
                          const AbutXml **at);
/* The numbers of such an attribute; returns how many. */
int abut_mjcf_numbers(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const char *name, int least,
                      int most, double *out);
/* The attribute that the element itself gives an orientation by, NULL: none. Refuses more than one. */
const char *abut_mjcf_turned_by(const AbutMjcf *mjcf, const AbutXml *element);
/* pos, and of quat, axisangle, xyaxes, zaxis, euler, with those of defaults, the last that there is. */
AbutPose abut_mjcf_pose(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass);

/* --- io/import/mjcf_geom.c --- */

/* <geom> as a geometry of the body, at `pose` of the frame that it stands in. */
void abut_mjcf_geom(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const AbutPose *pose,
                    int body);
/* <inertial> of a body at `pose` in the one that it is a part of. */
void abut_mjcf_inertial(const AbutMjcf *mjcf, const AbutXml *element, const AbutPose *pose, int body);

/* --- io/import/mjcf_rest.c --- */

/* Notes what has no place in a scene: of the whole file, or of a body. */
void abut_mjcf_note_rest(AbutMjcf *mjcf);

#endif

/* An MJCF model while it is read. */
#ifndef IO_IMPORT_MJCF_PARTS_H
#define IO_IMPORT_MJCF_PARTS_H

#include "io/import/model_parts.h"

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

#endif

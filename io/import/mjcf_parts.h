/* Holds an MJCF model while it is being read. */
#pragma once

#include "io/import/model_parts.h"

/* Settings of all <compiler> elements together. */
typedef struct AbutMjcfCompiler {
	bool radians, strips_path;
	char sequence[4]; /* axes of Euler angles: xyz rotate with the body, XYZ are fixed */
	const char *mesh_folder, *asset_folder;
	int inertia_from_geoms;      /* 0: for bodies without <inertial>; 1: always; -1: never */
	int first_group, last_group; /* range of geometry groups that have mass */
} AbutMjcfCompiler;

typedef struct AbutMjcf {
	AbutImporter *importer;
	AbutXml *root;
	AbutMjcfCompiler compiler;
} AbutMjcf;

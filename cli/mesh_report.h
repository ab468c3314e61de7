/* What `abut mesh` prints and writes. */
#ifndef CLI_MESH_REPORT_H
#define CLI_MESH_REPORT_H

#include <stdio.h>

#include "abut/abut.h"

/* One mesh and what was made of it. */
typedef struct AbutMeshResult {
	const char *path;
	unsigned long long seed;
	unsigned long long hash; /* FNV-1a, 64 bits, of the file's bytes */
	int max_faces;
	AbutMeshFit fit;
	double unit, scale; /* as asked for; unit 0: none */
	AbutMeshReport mesh;
	bool has_mass; /* of the mesh; else `mass` is that of its hull */
	AbutMassProperties mass;
	AbutMeshHullReport hull;
	AbutShape *shape; /* the polytope */
	bool decompose, cache;
	AbutError cache_warning; /* empty: none */
	double concavity;        /* bound asked for; 0: the default */
	int max_parts;           /* 0: the default */
	AbutDecomposition *parts;
	AbutBundle *bundle; /* of the parts, with the mass of the mesh */
	int n_warnings;
	/* of the mesh, of the parts, of the cache */
	char warnings[ABUT_MESH_WARNINGS_MAX + ABUT_DECOMPOSITION_WARNINGS_MAX + 2][ABUT_MESH_WARNING_SIZE];
} AbutMeshResult;

void abut_mesh_print(const AbutMeshResult *result);
void abut_mesh_print_json(const AbutMeshResult *result);
/* The polytope as a shape of a scene, with its mass and where it comes from. */
void abut_mesh_write(FILE *file, const AbutMeshResult *result);

/* --- of a decomposition (mesh_parts.c) --- */

void abut_mesh_print_parts(const AbutMeshResult *result);
/* Members of the JSON object, each after a comma. */
void abut_mesh_print_json_parts(const AbutMeshResult *result);
/* The parts as a union of polytopes. */
void abut_mesh_write_union(FILE *file, const AbutMeshResult *result);

#endif

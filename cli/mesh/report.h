/* The output of `abut mesh`. */
#pragma once

#include <stdio.h>

#include "abut/abut.h"

/* A mesh and the shapes made of it. */
typedef struct AbutMeshResult {
	const char *path;
	unsigned long long seed;
	unsigned long long hash; /* FNV-1a, 64 bits, of the file's bytes */
	int max_faces;
	AbutMeshFit fit;
	AbutMeshReport mesh;
	bool has_mass; /* `mass` is that of the mesh; else of its hull */
	AbutMassProperties mass;
	AbutMeshHullReport hull;
	AbutShape *shape; /* the polytope */
	bool decompose, cache;
	AbutError cache_warning; /* empty: none */
	double concavity;        /* bound; 0: the default */
	int max_parts;           /* 0: the default */
	AbutDecomposition *parts;
	AbutBundle *bundle; /* the parts, with the mass of the mesh */
	int n_warnings;
	/* about the mesh, the parts and the cache */
	char warnings[ABUT_MESH_WARNINGS_MAX + ABUT_DECOMPOSITION_WARNINGS_MAX + 2][ABUT_MESH_WARNING_SIZE];
} AbutMeshResult;

void abut_mesh_print(const AbutMeshResult *result);
void abut_mesh_print_json(const AbutMeshResult *result);
/* Writes the polytope as a shape for a scene, with its mass and source. */
void abut_mesh_write(FILE *file, const AbutMeshResult *result);

/* Writes the parts as a union of polytopes. */
void abut_mesh_write_union(FILE *file, const AbutMeshResult *result);

/* Reads and writes the cache file of a decomposition, one JSON object. Its key contains everything that determines the
 * parts. The file stores the numbers of the decomposition and of each part, the vertices of the parts, and a checksum
 * of all numbers. The checksum detects truncated or edited files; a file with another key is out of date. Parts are
 * made from their vertices with the tolerance of a mesh's hull, so that coplanar triangles stay one face
 * (tests/io/mesh.c). */
#include "io/mesh/decomposition_cache.h"

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "io/json/source.h"
#include "io/json/tree.h"
#include "io/text/file_text.h"
#include "io/text/number.h"
#include "io/text/output_target.h"

enum {
	KEY_SIZE = 192,
	PATH_SIZE = 4096,
	CACHE_BYTES_MAX = 1 << 28,
	TOTALS = 10, /* numbers stored per decomposition */
	PER_PART = 3 /* numbers stored per part */
};

static void make_key(const AbutMesh *mesh, const AbutDecomposeOptions *options, char key[KEY_SIZE])
{
	char concavity[ABUT_NUMBER_SIZE];
	uint64_t hash =
	    abut_hash_bytes(ABUT_HASH_START, mesh->vertices, 3 * (size_t)mesh->n_vertices * sizeof *mesh->vertices);
	hash = abut_hash_bytes(hash, mesh->triangles, 3 * (size_t)mesh->n_triangles * sizeof *mesh->triangles);
	snprintf(key, KEY_SIZE, "algorithm %d, mesh %d %d %016" PRIx64 ", concavity %s, parts %d, faces %d",
	         ABUT_DECOMPOSE_VERSION, mesh->n_vertices, mesh->n_triangles, hash,
	         abut_number_text(options->concavity, concavity), options->max_parts, options->max_faces);
}

static void collect_totals(const AbutDecomposition *parts, double totals[TOTALS])
{
	const double all[TOTALS] = {parts->size,     parts->volume,   parts->hull_volume,  parts->overlap_volume,
	                            parts->depth,    parts->distance, parts->within_bound, parts->n_components,
	                            parts->n_nested, parts->n_flat};
	memcpy(totals, all, sizeof all);
}

/* Returns false if a count does not fit: the file was edited. */
static bool spread_totals(const double totals[TOTALS], AbutDecomposition *parts)
{
	for (int i = 7; i < TOTALS; i++) {
		if (!(totals[i] >= 0.0 && totals[i] <= INT_MAX)) {
			return false;
		}
	}
	parts->size = totals[0];
	parts->volume = totals[1];
	parts->hull_volume = totals[2];
	parts->overlap_volume = totals[3];
	parts->depth = totals[4];
	parts->distance = totals[5];
	parts->within_bound = totals[6] != 0.0;
	parts->n_components = (int)totals[7];
	parts->n_nested = (int)totals[8];
	parts->n_flat = (int)totals[9];
	return true;
}

static void write_numbers(FILE *file, const char *key, const double *values, int n, uint64_t *hash)
{
	char text[ABUT_NUMBER_SIZE];
	fprintf(file, "\"%s\": [", key);
	for (int i = 0; i < n; i++) {
		fprintf(file, "%s%s", i > 0 ? ", " : "", abut_number_text(values[i], text));
	}
	fputc(']', file);
	*hash = abut_hash_bytes(*hash, values, (size_t)n * sizeof *values);
}

static void write_parts(FILE *file, const AbutDecomposition *parts, const char *key)
{
	uint64_t hash = ABUT_HASH_START;
	double totals[TOTALS];
	collect_totals(parts, totals);
	fprintf(file, "{\"abut_decomposition\": \"%s\",\n ", key);
	write_numbers(file, "totals", totals, TOTALS, &hash);
	fputs(",\n \"parts\": [", file);
	for (int i = 0; i < parts->n_parts; i++) {
		const AbutDecomposePart *part = &parts->parts[i];
		const double numbers[PER_PART] = {part->volume, part->depth, part->distance};
		fputs(i > 0 ? ",\n  {" : "\n  {", file);
		write_numbers(file, "numbers", numbers, PER_PART, &hash);
		fputs(", ", file);
		write_numbers(file, "vertices", part->shape->vertices, 3 * part->shape->n_vertices, &hash);
		fputc('}', file);
	}
	fprintf(file, "],\n \"sum\": \"%016" PRIx64 "\"}\n", hash);
}

static AbutStatus write_file(const AbutDecomposition *parts, const char *key, const char *path, AbutError *error)
{
	AbutTarget target = {0};
	AbutStatus status = abut_target_replace(&target, path, error);
	if (status == ABUT_OK) {
		write_parts(target.file, parts, key);
	}
	return abut_target_end(&target, status, error);
}

/* Reads the numbers of an array and updates the hash. Returns their count, or -1 if it is no array of at most `most`
 * numbers. */
static int read_numbers(const AbutJson *object, const char *key, int most, double *out, uint64_t *hash)
{
	const AbutJson *array = abut_json_get(object, key);
	if (!array || abut_json_type(array) != ABUT_JSON_ARRAY || abut_json_count(array) > most) {
		return -1;
	}
	int n = 0;
	for (const AbutJson *item = abut_json_first(array); item; item = abut_json_next(item)) {
		if (abut_json_type(item) != ABUT_JSON_NUMBER) {
			return -1;
		}
		out[n++] = abut_json_number(item);
	}
	*hash = abut_hash_bytes(*hash, out, (size_t)n * sizeof *out);
	return n;
}

static bool has_text(const AbutJson *object, const char *key, const char *text)
{
	const AbutJson *value = abut_json_get(object, key);
	return value && abut_json_type(value) == ABUT_JSON_STRING && strcmp(abut_json_string(value), text) == 0;
}

static bool has_text_other_than(const AbutJson *object, const char *key, const char *text)
{
	const AbutJson *value = abut_json_get(object, key);
	return value && abut_json_type(value) == ABUT_JSON_STRING && !has_text(object, key, text);
}

static AbutStatus make_shape(int n, const double *vertices, AbutShape **out, AbutError *error)
{
	return abut_shape_create_polytope_coplanar(n, vertices, ABUT_MESH_COPLANAR, out, error);
}

static bool read_part(const AbutJson *object, AbutDecomposePart *part, uint64_t *hash)
{
	double numbers[PER_PART];
	const AbutJson *list = abut_json_type(object) == ABUT_JSON_OBJECT ? abut_json_get(object, "vertices") : NULL;
	const int most = list && abut_json_type(list) == ABUT_JSON_ARRAY ? abut_json_count(list) : 0;
	if (most < 12 || most % 3 != 0 || read_numbers(object, "numbers", PER_PART, numbers, hash) != PER_PART) {
		return false;
	}
	double *vertices = malloc((size_t)most * sizeof *vertices);
	const bool read = vertices && read_numbers(object, "vertices", most, vertices, hash) == most &&
	                  make_shape(most / 3, vertices, &part->shape, NULL) == ABUT_OK;
	part->volume = numbers[0];
	part->depth = numbers[1];
	part->distance = numbers[2];
	free(vertices);
	return read;
}

/* Returns whether the file is complete but belongs to another mesh, other options or another version. */
static bool is_out_of_date(const AbutJson *root, const char *key)
{
	return has_text_other_than(root, "abut_decomposition", key) && abut_json_get(root, "sum");
}

/* Reads the parts; returns NULL if the object is not a valid decomposition with this key. */
static AbutDecomposition *read_parts(const AbutJson *root, const char *key)
{
	uint64_t hash = ABUT_HASH_START;
	double totals[TOTALS];
	char sum[20];
	const AbutJson *list = abut_json_get(root, "parts");
	if (!has_text(root, "abut_decomposition", key) || !list || abut_json_type(list) != ABUT_JSON_ARRAY ||
	    read_numbers(root, "totals", TOTALS, totals, &hash) != TOTALS) {
		return NULL;
	}
	AbutDecomposition *parts = calloc(1, sizeof *parts);
	bool good = parts && spread_totals(totals, parts);
	if (good) {
		parts->parts = calloc((size_t)abut_json_count(list) + 1, sizeof *parts->parts);
		good = parts->parts;
	}
	for (const AbutJson *item = abut_json_first(list); item && good; item = abut_json_next(item)) {
		good = read_part(item, &parts->parts[parts->n_parts++], &hash);
	}
	snprintf(sum, sizeof sum, "%016" PRIx64, hash);
	if (!good || !has_text(root, "sum", sum)) {
		abut_decomposition_destroy(parts);
		return NULL;
	}
	return parts;
}

/* Reads the cache. Returns NULL if the file is missing, out of date or invalid; in the last case sets `warning`. */
static AbutDecomposition *read_file(const char *path, const char *key, AbutError *warning)
{
	AbutSource source = {0};
	AbutJson *root = NULL;
	FILE *file = fopen(path, "rb");
	if (!file) {
		return NULL;
	}
	fclose(file);
	AbutStatus status = abut_file_read(path, "cache", CACHE_BYTES_MAX, &source.text, &source.length, warning);
	ABUT_THEN(status, abut_source_parse(&source, "cache", &root, warning));
	AbutDecomposition *parts = NULL;
	bool out_of_date = false;
	if (status == ABUT_OK && abut_json_type(root) == ABUT_JSON_OBJECT) {
		parts = read_parts(root, key);
		out_of_date = is_out_of_date(root, key);
	}
	if (!parts && !out_of_date) {
		abut_error_set(warning, ABUT_ERROR_PARSE, NULL, "%s is torn or edited; it is written anew", path);
	}
	abut_json_destroy(root);
	abut_source_free(&source);
	return parts;
}

/* Makes each part again from its vertices, as reading the cache does. */
static AbutStatus rebuild(AbutDecomposition *parts, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < parts->n_parts && status == ABUT_OK; i++) {
		AbutShape *shape = NULL, **const old = &parts->parts[i].shape;
		status = make_shape((*old)->n_vertices, (*old)->vertices, &shape, error);
		if (status == ABUT_OK) {
			abut_shape_destroy(*old);
			*old = shape;
		}
	}
	return status;
}

AbutStatus abut_decompose_cached(const AbutMesh *mesh, const AbutDecomposeOptions *options, const char *mesh_file,
                                 AbutDecomposition **out, AbutError *warning, AbutError *error)
{
	char key[KEY_SIZE], path_here[PATH_SIZE];
	*warning = (AbutError){0};
	const bool fits = mesh_file && (size_t)snprintf(path_here, sizeof path_here, "%s.abut-decomposition.json",
	                                                mesh_file) < sizeof path_here;
	const char *path = fits ? path_here : NULL;
	make_key(mesh, options, key);
	*out = path ? read_file(path, key, warning) : NULL;
	if (*out) {
		return ABUT_OK;
	}
	AbutStatus status = abut_mesh_decompose(mesh, options, out, error);
	if (status == ABUT_OK && path && write_file(*out, key, path, warning) != ABUT_OK) {
		char why[sizeof warning->message];
		memcpy(why, warning->message, sizeof why);
		abut_error_set(warning, ABUT_ERROR_IO, NULL, "the parts are not kept in %s: %s", path, why);
	}
	ABUT_THEN(status, rebuild(*out, error));
	if (status != ABUT_OK) {
		abut_decomposition_destroy(*out);
		*out = NULL;
	}
	return status;
}

/* Fuzzes the cache of a decomposition. */
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "fuzz.h"
#include "io/json/tree.h"
#include "io/mesh/decomposition_cache.h"

#define CACHE "mesh.stl.abut-decomposition.json"

/* Makes a mesh of two separate tetrahedra: two parts, found at once. */
static AbutMesh *make_mesh(void)
{
	static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0, 4, 0, 0, 3, 1, 0, 3, 0, 1};
	static const int triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7};
	AbutMesh *mesh = NULL;
	FUZZ_CHECK(abut_mesh_create(8, vertices, 8, triangles, &mesh, NULL) == ABUT_OK);
	return mesh;
}

static void add_numbers(const AbutJson *array, uint64_t *hash)
{
	const bool is_array = array && abut_json_type(array) == ABUT_JSON_ARRAY;
	for (const AbutJson *item = is_array ? abut_json_first(array) : NULL; item; item = abut_json_next(item)) {
		if (abut_json_type(item) == ABUT_JSON_NUMBER) {
			const double value = abut_json_number(item);
			*hash = abut_hash_bytes(*hash, &value, sizeof value);
		}
	}
}

/* Computes the sum that the file should have, and writes it over the sixteen digits of its last "sum". */
static void mend_sum(char *text, size_t size)
{
	static const char key[] = "\"sum\": \"";
	char *place = NULL;
	for (char *at = text; (at = strstr(at, key)); at += sizeof key - 1) {
		place = at + sizeof key - 1;
	}
	AbutJson *const root = place && text + size - place >= 16 ? abut_json_parse(text, size) : NULL;
	if (root && abut_json_type(root) == ABUT_JSON_OBJECT) {
		uint64_t hash = ABUT_HASH_START;
		char digits[20];
		add_numbers(abut_json_get(root, "totals"), &hash);
		const AbutJson *const parts = abut_json_get(root, "parts");
		const bool is_array = parts && abut_json_type(parts) == ABUT_JSON_ARRAY;
		for (const AbutJson *part = is_array ? abut_json_first(parts) : NULL; part;
		     part = abut_json_next(part)) {
			if (abut_json_type(part) == ABUT_JSON_OBJECT) {
				add_numbers(abut_json_get(part, "numbers"), &hash);
				add_numbers(abut_json_get(part, "vertices"), &hash);
			}
		}
		snprintf(digits, sizeof digits, "%016" PRIx64, hash);
		memcpy(place, digits, 16);
	}
	abut_json_destroy(root);
}

static void decompose(void)
{
	static const AbutDecomposeOptions options = {.concavity = 0.5, .max_parts = 2};
	static AbutMesh *mesh;
	AbutDecomposition *parts = NULL;
	AbutError warning = {0}, error = {0};
	mesh = mesh ? mesh : make_mesh();
	const AbutStatus status =
	    abut_decompose_cached(mesh, &options, fuzz_path("mesh.stl"), &parts, &warning, &error);
	FUZZ_CHECK(fuzz_result(status, &error));
	fuzz_result(warning.status, &warning);
	for (int i = 0; i < parts->n_parts; i++) {
		FUZZ_CHECK(parts->parts[i].shape);
	}
	abut_decomposition_destroy(parts);
}

/* Returns the start of a cache of this mesh, up to its key and the quotation mark after it. */
static const char *start_of_cache(void)
{
	static char start[256];
	if (!start[0]) {
		decompose();
		FILE *const file = fopen(fuzz_path(CACHE), "rb");
		FUZZ_CHECK(file && fgets(start, sizeof start, file) && strrchr(start, '"'));
		strrchr(start, '"')[1] = '\0';
		fclose(file);
	}
	return start;
}

/* An input without an opening brace starts after the key. */
void fuzz_cache(const uint8_t *data, size_t size)
{
	const char *const start = size > 0 && data[0] == '{' ? "" : start_of_cache();
	const size_t length = strlen(start);
	char *const text = malloc(length + size + 1);
	FUZZ_CHECK(text);
	memcpy(text, start, length);
	memcpy(text + length, data, size);
	text[length + size] = '\0';
	mend_sum(text, strlen(text));
	fuzz_write(CACHE, text, length + size);
	decompose();
	free(text);
}

/* Reads which pairs of bodies may touch: `contacts` and `exclude`.
 *
 * `contacts` is "all", or a list of contacts; the list may end in "all", which adds every other pair. */
#include "io/scene/contacts.h"

#include <stdlib.h>
#include <string.h>

#include "io/json/read.h"
#include "io/scene/values.h"
#include "io/text/words.h"

/* Reads the names of two different bodies; returns false after an error. */
static bool read_pair(const AbutScene *scene, const AbutNode *pair, int out[2])
{
	AbutNode name;
	if (!abut_node_check_count(pair, 2, "an array of two names of bodies")) {
		return false;
	}
	for (bool more = abut_node_first(pair, &name); more; more = abut_node_next(&name)) {
		if (!abut_node_check_type(&name, ABUT_JSON_STRING, "the name of a body")) {
			return false;
		}
		out[name.index] = abut_scene_read_reference(&name, "body", &scene->body_names);
	}
	if (abut_node_ok(pair) && out[0] == out[1]) {
		char quoted[ABUT_QUOTE_SIZE];
		abut_node_fail(pair, ABUT_ERROR_PARSE, "the body %s cannot be in contact with itself",
		               abut_text_quote(scene->bodies[out[0]].name, quoted));
	}
	return abut_node_ok(pair);
}

/* Reads the parts of both bodies that a contact is about. */
static void read_parts(const AbutNode *node, AbutPairDef *def)
{
	AbutNode parts, part;
	int *const out[2] = {&def->part_a, &def->part_b};
	def->has_parts = abut_node_get(node, "parts", &parts) &&
	                 abut_node_check_count(&parts, 2, "an array of two parts, such as [0, 2]");
	if (def->has_parts) {
		for (bool more = abut_node_first(&parts, &part); more; more = abut_node_next(&part)) {
			abut_node_integer(&part, 0, ABUT_PARTS_MAX, out[part.index]);
		}
	}
}

static void read_contact(const AbutScene *scene, const AbutNode *node, AbutPairDef *def)
{
	AbutNode pair;
	int bodies[2] = {0, 0};
	if (!abut_node_check_keys(node, &abut_keys_contact) || !abut_node_require(node, "pair", &pair) ||
	    !read_pair(scene, &pair, bodies)) {
		return;
	}
	*def = (AbutPairDef){
	    .body_a = bodies[0], .body_b = bodies[1], .friction = -1.0, .torsional_radius = -1.0, .restitution = -1.0};
	read_parts(node, def);
	abut_read_number(node, "friction", ABUT_NONNEGATIVE, &def->friction);
	abut_read_number(node, "torsional_radius", ABUT_NONNEGATIVE, &def->torsional_radius);
	abut_read_number(node, "restitution", ABUT_NONNEGATIVE, &def->restitution);
	def->has_solref = abut_read_vector(node, "solref", 2, ABUT_ANY, def->solref);
	def->has_solimp = abut_read_vector(node, "solimp", 5, ABUT_ANY, def->solimp);
	def->has_margin = abut_read_number(node, "margin", ABUT_NONNEGATIVE, &def->margin);
}

static bool is_all(const AbutNode *node)
{
	return abut_json_type(node->value) == ABUT_JSON_STRING && strcmp(abut_json_string(node->value), "all") == 0;
}

static void read_contacts(AbutScene *scene, const AbutNode *contacts)
{
	AbutSceneDef *def = &scene->def;
	def->all_pairs = is_all(contacts);
	if (def->all_pairs || !abut_node_check_array(contacts, "\"all\" or an array of contacts")) {
		return;
	}
	const int n = abut_json_count(contacts->value);
	scene->pairs = calloc((size_t)n + 1, sizeof *scene->pairs);
	if (!scene->pairs) {
		abut_node_fail_memory(contacts);
		return;
	}
	AbutNode node;
	for (bool more = abut_node_first(contacts, &node); more; more = abut_node_next(&node)) {
		if (node.index == n - 1 && is_all(&node)) {
			def->all_pairs = true;
		} else {
			read_contact(scene, &node, &scene->pairs[def->n_pairs++]);
		}
	}
	def->pairs = scene->pairs;
}

static void read_exclude(AbutScene *scene, const AbutNode *exclude)
{
	AbutSceneDef *def = &scene->def;
	if (!abut_node_check_array(exclude, "an array of pairs of bodies")) {
		return;
	}
	if (!def->all_pairs) {
		abut_node_fail(exclude, ABUT_ERROR_PARSE,
		               "works only with \"contacts\": \"all\"; remove the pair from the list instead");
		return;
	}
	scene->exclude = calloc((size_t)abut_json_count(exclude->value) + 1, sizeof *scene->exclude);
	if (!scene->exclude) {
		abut_node_fail_memory(exclude);
		return;
	}
	AbutNode node;
	for (bool more = abut_node_first(exclude, &node); more; more = abut_node_next(&node)) {
		read_pair(scene, &node, scene->exclude[def->n_exclude++]);
	}
	def->exclude = (const int(*)[2])scene->exclude;
}

/* A pair of either list, with the lower body index first. */
typedef struct Entry {
	int low, high;
	int index; /* index in `contacts`, or n_pairs + index in `exclude` */
} Entry;

static int compare(const void *a, const void *b)
{
	const Entry *x = a, *y = b;
	const int low = (x->low > y->low) - (x->low < y->low), high = (x->high > y->high) - (x->high < y->high);
	return low ? low : high ? high : (x->index > y->index) - (x->index < y->index);
}

static Entry entry(int a, int b, int index)
{
	return (Entry){a < b ? a : b, a < b ? b : a, index};
}

/* Fails if a pair occurs twice in `contacts` and `exclude` together. The model checks pairs of parts. */
static void check_unique(const AbutScene *scene, const AbutNode *contacts, const AbutNode *exclude)
{
	const AbutSceneDef *def = &scene->def;
	int n = 0;
	Entry *const entries = malloc(((size_t)def->n_pairs + (size_t)def->n_exclude + 1) * sizeof *entries);
	if (!entries) {
		abut_node_fail_memory(contacts);
		return;
	}
	for (int i = 0; i < def->n_pairs; i++) {
		if (!def->pairs[i].has_parts) {
			entries[n++] = entry(def->pairs[i].body_a, def->pairs[i].body_b, i);
		}
	}
	for (int i = 0; i < def->n_exclude; i++) {
		entries[n++] = entry(def->exclude[i][0], def->exclude[i][1], def->n_pairs + i);
	}
	qsort(entries, (size_t)n, sizeof *entries, compare);
	for (int i = 1; i < n; i++) {
		if (entries[i - 1].low != entries[i].low || entries[i - 1].high != entries[i].high) {
			continue;
		}
		const bool excluded = entries[i].index >= def->n_pairs;
		const int wanted = excluded ? entries[i].index - def->n_pairs : entries[i].index;
		AbutNode node;
		char a[ABUT_QUOTE_SIZE], b[ABUT_QUOTE_SIZE];
		abut_node_first(excluded ? exclude : contacts, &node);
		while (node.index < wanted) {
			abut_node_next(&node);
		}
		abut_node_fail(&node, ABUT_ERROR_PARSE, "the pair %s and %s is listed twice in contacts and exclude",
		               abut_text_quote(scene->bodies[entries[i].low].name, a),
		               abut_text_quote(scene->bodies[entries[i].high].name, b));
		break;
	}
	free(entries);
}

void abut_scene_read_contacts(AbutScene *scene, const AbutNode *root)
{
	AbutNode contacts, exclude;
	if (abut_node_get(root, "contacts", &contacts)) {
		read_contacts(scene, &contacts);
	}
	if (abut_node_get(root, "exclude", &exclude)) {
		read_exclude(scene, &exclude);
	}
	if (abut_node_ok(root) && scene->def.n_pairs + scene->def.n_exclude > 1) {
		check_unique(scene, contacts.value ? &contacts : root, &exclude);
	}
}

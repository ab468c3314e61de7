/* Reads the sites and sensors of a scene. A site is a frame on a body; a sensor names a type and where it measures. */
#include "io/scene/sensors.h"

#include <stdlib.h>
#include <string.h>

#include "io/json/read.h"
#include "io/scene/values.h"

#define ABUT_X(constant, name) name,
static const char *const types[] = {ABUT_SENSOR_TYPE_LIST(ABUT_X)};
#undef ABUT_X

/* Reads the required body of a site and returns its index. */
static int require_body(const AbutScene *scene, const AbutNode *site)
{
	AbutNode node;
	if (!abut_node_require(site, "body", &node) ||
	    !abut_node_check_type(&node, ABUT_JSON_STRING, "the name of a body or \"world\"")) {
		return ABUT_JOINT_WORLD;
	}
	const int own = abut_names_find(&scene->body_names, "world");
	return strcmp(abut_json_string(node.value), "world") == 0 && own < 0
	           ? ABUT_JOINT_WORLD
	           : abut_scene_read_reference(&node, "body", &scene->body_names);
}

static void read_site(const AbutScene *scene, const AbutNode *node, AbutSiteDef *def)
{
	*def = abut_site_def_default();
	if (abut_node_check_keys(node, &abut_keys_site)) {
		abut_require_name(node, "name", &def->name);
		def->body = require_body(scene, node);
		abut_read_vector(node, "position", 3, ABUT_ANY, def->frame.position);
		abut_read_quaternion(node, "orientation", def->frame.orientation);
	}
}

/* Reads an optional name of a `what` and returns its index; -1 if it is absent. */
static int read_name(const AbutNode *object, const char *what, const AbutNames *names)
{
	AbutNode node;
	return abut_node_get(object, what, &node) && abut_node_check_type(&node, ABUT_JSON_STRING, "a name")
	           ? abut_scene_read_reference(&node, what, names)
	           : -1;
}

static void read_sensor(const AbutScene *scene, const AbutNode *node, const AbutNames *sites, AbutSensorDef *def)
{
	AbutNode type;
	int choice = 0;
	*def = abut_sensor_def_default();
	if (!abut_node_check_keys(node, &abut_keys_sensor)) {
		return;
	}
	abut_require_name(node, "name", &def->name);
	if (abut_node_require(node, "type", &type) && abut_node_choice(&type, types, ABUT_SENSOR_TYPE_COUNT, &choice)) {
		def->type = (AbutSensorType)choice;
	}
	def->site = read_name(node, "site", sites);
	def->joint = read_name(node, "joint", &scene->joint_names);
	def->body = read_name(node, "body", &scene->body_names);
}

/* Finds the list `key` and allocates its items of `size` bytes. Returns NULL if there is none, or after an error. */
static void *begin_list(const AbutNode *root, const char *key, size_t size, AbutNode *list, AbutNames *names)
{
	if (!abut_node_get(root, key, list) || !abut_node_check_array(list, "an array")) {
		return NULL;
	}
	const int n = abut_json_count(list->value);
	if (n > ABUT_SENSORS_MAX) {
		abut_node_fail(list, ABUT_ERROR_PARSE, "must have at most %d %s, has %d", (int)ABUT_SENSORS_MAX, key,
		               n);
		return NULL;
	}
	void *items = calloc((size_t)n + 1, size);
	if (!items || !abut_names_init(names, n)) {
		abut_node_fail_memory(list);
		free(items);
		return NULL;
	}
	return items;
}

/* Reads the sites and maps their names to indices. */
static void read_sites(AbutScene *scene, const AbutNode *root, AbutNames *names)
{
	AbutNode list, node;
	scene->sites = begin_list(root, "sites", sizeof *scene->sites, &list, names);
	if (!scene->sites) {
		return;
	}
	for (bool more = abut_node_first(&list, &node); more; more = abut_node_next(&node)) {
		read_site(scene, &node, &scene->sites[node.index]);
	}
	const int n = abut_json_count(list.value);
	for (int i = 0; abut_node_ok(&list) && i < n; i++) {
		abut_names_add(names, scene->sites[i].name, i);
	}
	abut_scene_check_names(&list, "sites", names);
	scene->def.sites = scene->sites;
	scene->def.n_sites = n;
}

/* Reads the sensors, whose sites are found in `sites`, and sees that their names differ. */
static void read_sensors(AbutScene *scene, const AbutNode *root, AbutNames *sites, AbutNames *names)
{
	AbutNode list, node;
	scene->sensors = begin_list(root, "sensors", sizeof *scene->sensors, &list, names);
	if (!scene->sensors) {
		return;
	}
	for (bool more = abut_node_first(&list, &node); more; more = abut_node_next(&node)) {
		read_sensor(scene, &node, sites, &scene->sensors[node.index]);
	}
	const int n = abut_json_count(list.value);
	for (int i = 0; abut_node_ok(&list) && i < n; i++) {
		abut_names_add(names, scene->sensors[i].name, i);
	}
	abut_scene_check_names(&list, "sensors", names);
	scene->def.sensors = scene->sensors;
	scene->def.n_sensors = n;
}

void abut_scene_read_sensors(AbutScene *scene, const AbutNode *root)
{
	AbutNames sites = {0}, names = {0};
	read_sites(scene, root, &sites);
	if (abut_node_ok(root)) {
		read_sensors(scene, root, &sites, &names);
	}
	abut_names_free(&sites);
	abut_names_free(&names);
}

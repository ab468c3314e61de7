/* Reads a scene from a file or from memory: parses the text, applies overrides, then reads each part. */
#include "io/scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json/read.h"
#include "io/scene/bodies.h"
#include "io/scene/contacts.h"
#include "io/scene/joints.h"
#include "io/scene/override.h"
#include "io/scene/sensors.h"
#include "io/scene/shape_types.h"
#include "io/scene/shapes.h"
#include "io/scene/solver.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

void abut_scene_destroy(AbutScene *scene)
{
	if (!scene) {
		return;
	}
	for (int i = 0; i < scene->n_shapes; i++) {
		abut_bundle_destroy(scene->shapes[i]);
	}
	free(scene->shapes);
	free(scene->bodies);
	free(scene->joints);
	free(scene->couplings);
	free(scene->sites);
	free(scene->sensors);
	free(scene->pairs);
	free(scene->exclude);
	abut_names_free(&scene->shape_names);
	abut_names_free(&scene->body_names);
	abut_names_free(&scene->joint_names);
	abut_json_destroy(scene->root);
	abut_source_free(&scene->source);
	abut_notes_free(&scene->notes);
	free(scene);
}

const AbutSceneDef *abut_scene_def(const AbutScene *scene)
{
	return &scene->def;
}

const AbutError *abut_scene_warning(const AbutScene *scene, int index)
{
	return index >= 0 && index < scene->notes.n ? &scene->notes.items[index] : NULL;
}

void abut_scene_locate(const AbutScene *scene, AbutError *error)
{
	if (error && error->status != ABUT_ERROR_MEMORY) { /* running out of memory has no place in the file */
		abut_source_locate(&scene->source, false, 1, error);
	}
}

/* Creates an empty scene that owns its source. Takes ownership of `text`, also on failure. */
static AbutScene *create(char *text, size_t length, const char *name, int n_overrides, const char *const *overrides)
{
	AbutScene *scene = calloc(1, sizeof *scene);
	if (!scene) {
		free(text);
		return NULL;
	}
	scene->def = abut_scene_def_default();
	scene->source.text = text;
	scene->source.length = length;
	scene->source.name = abut_text_format("%s", name);
	scene->source.overrides = calloc((size_t)(n_overrides > 0 ? n_overrides : 1), sizeof *scene->source.overrides);
	bool complete = scene->source.name && scene->source.overrides;
	for (int i = 0; complete && i < n_overrides; i++) {
		scene->source.overrides[i].text = abut_text_format("%s", overrides[i]);
		complete = scene->source.overrides[i].text != NULL;
		scene->source.n_overrides += complete;
	}
	if (!complete) {
		abut_scene_destroy(scene);
		return NULL;
	}
	return scene;
}

/* Checks that "$schema" is a string. Editors use this path of the JSON Schema; we do not read it. */
static void check_schema(const AbutNode *root)
{
	AbutNode schema;
	if (abut_node_get(root, "$schema", &schema)) {
		abut_node_check_type(&schema, ABUT_JSON_STRING, "a string");
	}
}

/* Reads the scene's name; the default is the file name without folder and extension. */
static void read_name(AbutScene *scene, const AbutNode *root)
{
	AbutNode name;
	if (abut_node_get(root, "name", &name)) {
		abut_node_name(&name, &scene->def.name);
		return;
	}
	const char *slash = strrchr(scene->source.name, '/');
	const char *stem = slash ? slash + 1 : scene->source.name;
	snprintf(scene->stem, sizeof scene->stem, "%s", stem);
	char *const dot = strrchr(scene->stem, '.');
	if (dot && dot != scene->stem) {
		*dot = '\0';
	}
	scene->def.name = scene->stem;
}

static void read_times(AbutSceneDef *def, const AbutNode *root)
{
	abut_read_number(root, "timestep", ABUT_POSITIVE, &def->timestep);
	AbutNode duration;
	if (abut_node_get(root, "duration", &duration)) {
		abut_node_number(&duration, ABUT_POSITIVE, &def->duration);
	}
	if (abut_node_ok(root) && !(def->duration / def->timestep <= ABUT_SCENE_MAX_STEPS)) {
		const AbutNode *at = duration.value ? &duration : root;
		abut_node_fail(at, ABUT_ERROR_PARSE,
		               "a duration of %g s at a timestep of %g s is more than %d steps, the most allowed",
		               def->duration, def->timestep, ABUT_SCENE_MAX_STEPS);
	}
}

static void read_scene(AbutScene *scene, const AbutNode *root)
{
	AbutSceneDef *def = &scene->def;
	abut_node_check_keys(root, &abut_keys_scene);
	check_schema(root);
	abut_node_require_version(root, "abut", "; add \"abut\": 1", "scene format");
	read_name(scene, root);
	abut_read_vector(root, "gravity", 3, ABUT_ANY, def->gravity);
	read_times(def, root);
	abut_read_number(root, "friction", ABUT_NONNEGATIVE, &def->friction);
	abut_read_number(root, "restitution", ABUT_NONNEGATIVE, &def->restitution);
	abut_read_bool(root, "quasi_static", &def->quasi_static);
	abut_scene_read_solver(root, &def->solver);
	abut_scene_read_shapes(scene, root);
	abut_scene_read_bodies(scene, root);
	abut_scene_read_joints(scene, root);
	abut_scene_read_sensors(scene, root);
	abut_scene_read_contacts(scene, root);
}

/* Fails if the text is a robot model, which must be imported first. */
static AbutStatus refuse_xml(const char *text, const char *name, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	if (text[strspn(text, " \t\r\n")] == '<') {
		char *const stem = abut_text_stem(name);
		status = abut_file_fail(error, name, ABUT_ERROR_PARSE,
		                        "is XML, not a scene; a robot model must be imported first: `abut import %s -o "
		                        "%s.json`",
		                        name, stem ? stem : "scene");
		free(stem);
	}
	return status;
}

AbutStatus abut_scene_from_text(char *text, size_t length, const char *name, const AbutShapeTypes *types,
                                int n_overrides, const char *const *overrides, AbutScene **out, AbutError *error)
{
	AbutError local = {0};
	error = error ? error : &local;
	*out = NULL;
	AbutScene *scene = create(text, length, name, n_overrides, overrides);
	if (!scene) {
		return abut_fail_memory(error, "the scene");
	}
	AbutStatus status = refuse_xml(text, name, error);
	ABUT_THEN(status, abut_source_parse(&scene->source, "scene", &scene->root, error));
	for (int i = 0; status == ABUT_OK && i < n_overrides; i++) {
		status = abut_scene_override(scene, i, error);
	}
	if (status == ABUT_OK) {
		AbutStopper stop;
		AbutReader reader = {
		    .source = &scene->source, .error = error, .notes = &scene->notes, .types = types, .stop = &stop};
		abut_stopper_set(&stop, types ? &types->stop : NULL);
		abut_stopper_begin(&stop);
		const AbutNode root = {&reader, NULL, scene->root, NULL, 0};
		read_scene(scene, &root);
		status = reader.status;
	}
	if (status != ABUT_OK) {
		abut_scene_destroy(scene);
		return status;
	}
	memset(error, 0, sizeof *error);
	*out = scene;
	return ABUT_OK;
}

AbutStatus abut_scene_load(const char *path, int n_overrides, const char *const *overrides, AbutScene **out,
                           AbutError *error)
{
	return abut_scene_load_with(path, NULL, n_overrides, overrides, out, error);
}

AbutStatus abut_scene_load_with(const char *path, const AbutShapeTypes *types, int n_overrides,
                                const char *const *overrides, AbutScene **out, AbutError *error)
{
	char *text = NULL;
	size_t length = 0;
	*out = NULL;
	const AbutStatus status = abut_file_read(path, "scene", ABUT_SCENE_MAX_BYTES, &text, &length, error);
	return status == ABUT_OK ? abut_scene_from_text(text, length, path, types, n_overrides, overrides, out, error)
	                         : status;
}

AbutStatus abut_scene_parse(const char *text, size_t length, const char *name, int n_overrides,
                            const char *const *overrides, AbutScene **out, AbutError *error)
{
	return abut_scene_parse_with(text, length, name, NULL, n_overrides, overrides, out, error);
}

AbutStatus abut_scene_parse_with(const char *text, size_t length, const char *name, const AbutShapeTypes *types,
                                 int n_overrides, const char *const *overrides, AbutScene **out, AbutError *error)
{
	*out = NULL;
	if (length > ABUT_SCENE_MAX_BYTES) {
		return abut_file_fail_size(error, name, "scene", ABUT_SCENE_MAX_BYTES);
	}
	char *const copy = malloc(length + 1);
	if (!copy) {
		return abut_file_fail(error, name, ABUT_ERROR_MEMORY, "out of memory reading the scene");
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	return abut_scene_from_text(copy, length, name, types, n_overrides, overrides, out, error);
}

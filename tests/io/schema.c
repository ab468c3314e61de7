/* Tests that docs/scene.schema.json lists the keys that the parser knows, object by object, and describes each with its
 * unit. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/scene_keys.h"

static cJSON *load_schema(void)
{
	FILE *file = fopen(ABUT_SOURCE_DIR "/docs/scene.schema.json", "rb");
	cr_assert_not_null(file);
	static char text[1 << 18];
	const size_t n = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[n] = '\0';
	cJSON *schema = cJSON_Parse(text);
	cr_assert_not_null(schema, "the schema is not JSON");
	return schema;
}

static void compare(const cJSON *object, const AbutKeySet *keys)
{
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(object, "properties");
	cr_assert(cJSON_IsObject(properties), "%s", keys->what);
	cr_expect(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(object, "additionalProperties")), "%s", keys->what);
	int n = 0;
	for (; keys->names[n]; n++) {
		const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, keys->names[n]);
		cr_expect(property, "the schema lacks \"%s\" of %s", keys->names[n], keys->what);
		cr_expect(strcmp(keys->names[n], "type") == 0 || cJSON_HasObjectItem(property, "$ref") ||
		              cJSON_HasObjectItem(property, "description"),
		          "no description of \"%s\" of %s", keys->names[n], keys->what);
	}
	cr_expect_eq(cJSON_GetArraySize(properties), n, "the schema has keys of %s that the parser lacks", keys->what);
}

Test(schema, has_the_keys_of_the_parser)
{
	cJSON *schema = load_schema();
	const cJSON *definitions = cJSON_GetObjectItemCaseSensitive(schema, "definitions");
	compare(schema, &abut_keys_scene);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "solver"), &abut_keys_solver);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "body"), &abut_keys_body);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "input"), &abut_keys_input);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "contact"), &abut_keys_contact);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "joint"), &abut_keys_joint);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "joint_frame"), &abut_keys_joint_frame);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "motor"), &abut_keys_motor);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "site"), &abut_keys_site);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "sensor"), &abut_keys_sensor);
	const cJSON *shapes =
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(definitions, "shape"), "oneOf");
	cr_expect_eq(cJSON_GetArraySize(shapes), ABUT_TYPE_COUNT);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "mass_properties"), &abut_keys_mass_properties);
	for (int i = 0; i < ABUT_TYPE_COUNT; i++) {
		compare(cJSON_GetObjectItemCaseSensitive(definitions, abut_scene_type(i)), &abut_keys_shape[i]);
	}
	const cJSON *conic = cJSON_GetObjectItemCaseSensitive(definitions, "conic");
	compare(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(conic, "properties"), "cones"),
	        &abut_keys_cones);
	cJSON_Delete(schema);
}

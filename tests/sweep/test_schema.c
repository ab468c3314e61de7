/* Tests that docs/sweep.schema.json lists the keys that the reader of specs knows, object by object, each with a
 * description. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>

#include "experiments/sweep/load.h"
#include "experiments/sweep/spec_axes.h"

static void compare(const cJSON *object, const AbutKeySet *keys)
{
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(object, "properties");
	cr_assert(cJSON_IsObject(properties), "%s", keys->what);
	cr_expect(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(object, "additionalProperties")), "%s", keys->what);
	int n = 0;
	for (; keys->names[n]; n++) {
		const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, keys->names[n]);
		cr_expect(cJSON_HasObjectItem(property, "description"), "no \"%s\" of %s", keys->names[n], keys->what);
	}
	cr_expect_eq(cJSON_GetArraySize(properties), n, "the schema has keys of %s that the reader lacks", keys->what);
}

Test(sweep_schema, has_the_keys_of_the_reader)
{
	static char text[1 << 16];
	FILE *file = fopen(ABUT_SOURCE_DIR "/docs/sweep.schema.json", "rb");
	cr_assert_not_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	cJSON *schema = cJSON_Parse(text);
	cr_assert_not_null(schema, "the schema is not JSON");
	const cJSON *definitions = cJSON_GetObjectItemCaseSensitive(schema, "definitions");
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties");
	compare(schema, &abut_sweep_keys);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "scene"), &abut_sweep_keys_scene);
	compare(cJSON_GetObjectItemCaseSensitive(properties, "seeds"), &abut_sweep_keys_seeds);
	compare(cJSON_GetObjectItemCaseSensitive(definitions, "distribution"), &abut_sweep_keys_random);
	cJSON_Delete(schema);
}

/* Provides scenes and options for the tests of `abut grad` and of its check. */
#pragma once

#include <criterion/criterion.h>

#include "cli/call.h"

/* A ball of 2 kg in flight, pushed along x, and another one at rest on the floor far away. */
static const char two_balls[] =
    "{\"abut\": 1, \"name\": \"balls\", \"shapes\": {\"floor\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], "
    "\"offset\": 0},"
    " \"ball\": {\"type\": \"sphere\", \"radius\": 0.5}},"
    " \"bodies\": [{\"name\": \"floor\", \"shape\": \"floor\", \"static\": true},"
    " {\"name\": \"flying\", \"shape\": \"ball\", \"mass\": 2, \"inertia\": [0.4, 0.4, 0.4], \"position\": [0, 0, 5],"
    "  \"centre_of_mass\": [0, 0, 0.1], \"input\": {\"force\": [3, 0, 0], \"torque\": [0, 0, 0]}},"
    " {\"name\": \"resting\", \"shape\": \"ball\", \"mass\": 1, \"position\": [9, 0, 0.5]}]}";

/* Options with which the flying ball ends its step at the floor, and just above it. */
#define AT_THE_FLOOR "--set bodies[1].position=[0,0,0.510981] --set bodies[1].linear_velocity=[0,0,-1]"
#define ABOVE_THE_FLOOR "--set bodies[1].position=[0,0,0.51098101] --set bodies[1].linear_velocity=[0,0,-1]"

static inline const cJSON *block_of(const cJSON *object, const char *name)
{
	const cJSON *block = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, "blocks"), name);
	cr_assert(cJSON_IsObject(block), "no block \"%s\"", name);
	return block;
}

static inline double entry_of(const cJSON *block, int row, int column)
{
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(block, "data");
	const cJSON *item = cJSON_GetArrayItem(cJSON_GetArrayItem(rows, row), column);
	cr_assert(cJSON_IsNumber(item), "entry %d, %d", row, column);
	return item->valuedouble;
}

static inline cJSON *object_of(Call *result, const char *arguments)
{
	call(result, arguments);
	cr_assert_eq(result->status, 0, "%s: exit status %d: %s", arguments, result->status, result->err);
	return parse_json(result->out);
}

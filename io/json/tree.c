/* Wraps cJSON. No other file includes cJSON.h. */
#include "io/json/tree.h"

#include <cjson/cJSON.h>

AbutJson *abut_json_parse(const char *text, size_t length)
{
	return cJSON_ParseWithLength(text, length);
}

AbutJson *abut_json_create_string(const char *string)
{
	return cJSON_CreateString(string);
}

AbutJson *abut_json_create_object(void)
{
	return cJSON_CreateObject();
}

void abut_json_destroy(AbutJson *tree)
{
	cJSON_Delete(tree);
}

AbutJsonType abut_json_type(const AbutJson *value)
{
	if (cJSON_IsNumber(value)) {
		return ABUT_JSON_NUMBER;
	}
	if (cJSON_IsString(value)) {
		return ABUT_JSON_STRING;
	}
	if (cJSON_IsArray(value)) {
		return ABUT_JSON_ARRAY;
	}
	if (cJSON_IsObject(value)) {
		return ABUT_JSON_OBJECT;
	}
	return cJSON_IsBool(value) ? ABUT_JSON_BOOL : ABUT_JSON_NULL;
}

double abut_json_number(const AbutJson *value)
{
	return value->valuedouble;
}

bool abut_json_bool(const AbutJson *value)
{
	return cJSON_IsTrue(value);
}

const char *abut_json_string(const AbutJson *value)
{
	return value->valuestring;
}

const char *abut_json_key(const AbutJson *member)
{
	return member->string;
}

AbutJson *abut_json_first(const AbutJson *container)
{
	return container->child;
}

AbutJson *abut_json_next(const AbutJson *member)
{
	return member->next;
}

AbutJson *abut_json_get(const AbutJson *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

int abut_json_count(const AbutJson *container)
{
	return cJSON_GetArraySize(container);
}

bool abut_json_put(AbutJson *object, const char *key, AbutJson *value)
{
	cJSON_DeleteItemFromObjectCaseSensitive(object, key);
	if (!value || !cJSON_AddItemToObject(object, key, value)) {
		cJSON_Delete(value);
		return false;
	}
	return true;
}

bool abut_json_replace(AbutJson *array, AbutJson *element, AbutJson *value)
{
	if (!value || !cJSON_ReplaceItemViaPointer(array, element, value)) {
		cJSON_Delete(value);
		return false;
	}
	return true;
}

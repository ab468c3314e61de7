/* Reads typed values from nodes. */
#include "io/json/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text/words.h"

static bool in_range(double value, AbutRange range)
{
	return isfinite(value) && (range == ABUT_ANY || (range == ABUT_POSITIVE && value > 0.0) ||
	                           (range == ABUT_NONNEGATIVE && value >= 0.0));
}

bool abut_node_number(const AbutNode *node, AbutRange range, double *out)
{
	static const char *const expected[] = {"a finite number", "a positive, finite number",
	                                       "a finite number of at least 0"};
	if (!abut_node_ok(node)) {
		return false;
	}
	if (abut_json_type(node->value) != ABUT_JSON_NUMBER || !in_range(abut_json_number(node->value), range)) {
		abut_node_fail_expected(node, expected[range]);
		return false;
	}
	*out = abut_json_number(node->value);
	return true;
}

bool abut_node_integer(const AbutNode *node, int low, int high, int *out)
{
	char expected[64];
	snprintf(expected, sizeof expected, "an integer from %d to %d", low, high);
	if (!abut_node_check_type(node, ABUT_JSON_NUMBER, expected)) {
		return false;
	}
	const double value = abut_json_number(node->value);
	if (!(value >= low && value <= high && value == floor(value))) {
		abut_node_fail_expected(node, expected);
		return false;
	}
	*out = (int)value;
	return true;
}

static bool read_bool(const AbutNode *node, bool *out)
{
	if (!abut_node_check_type(node, ABUT_JSON_BOOL, "true or false")) {
		return false;
	}
	*out = abut_json_bool(node->value);
	return true;
}

bool abut_node_vector(const AbutNode *node, int n, AbutRange range, double *out)
{
	char expected[48];
	snprintf(expected, sizeof expected, "an array of %d numbers", n);
	if (!abut_node_check_count(node, n, expected)) {
		return false;
	}
	AbutNode element;
	for (bool more = abut_node_first(node, &element); more; more = abut_node_next(&element)) {
		abut_node_number(&element, range, &out[element.index]);
	}
	return abut_node_ok(node);
}

/* Reads a string of 1 to `most` bytes without control characters. */
static void read_text(const AbutNode *node, size_t most, const char **out)
{
	if (!abut_node_check_type(node, ABUT_JSON_STRING, "a string")) {
		return;
	}
	const char *name = abut_json_string(node->value);
	const size_t length = strlen(name);
	if (length < 1 || length > most) {
		abut_node_fail(node, ABUT_ERROR_PARSE, "must be a string of 1 to %zu bytes, has %zu", most, length);
		return;
	}
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) {
			abut_node_fail(node, ABUT_ERROR_PARSE,
			               "must be a string without control characters, has byte 0x%02x",
			               (unsigned)name[i]);
			return;
		}
	}
	*out = name;
}

void abut_node_name(const AbutNode *node, const char **out)
{
	read_text(node, ABUT_NAME_MAX, out);
}

void abut_node_file(const AbutNode *node, const char **out)
{
	read_text(node, ABUT_FILE_MAX, out);
}

/* Reads a unit quaternion; its length must be 1 within 1e-6 and is then normalised. */
static bool read_quaternion(const AbutNode *node, double out[4])
{
	double q[4] = {1.0, 0.0, 0.0, 0.0};
	if (!abut_node_vector(node, 4, ABUT_ANY, q)) {
		return false;
	}
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	if (!(fabs(norm - 1.0) <= 1e-6)) {
		abut_node_fail(node, ABUT_ERROR_PARSE,
		               "must be a unit quaternion [w, x, y, z] (length within 1e-6 of 1), has length %.9g",
		               norm);
		return false;
	}
	for (int i = 0; i < 4; i++) {
		out[i] = q[i] / norm;
	}
	return true;
}

double abut_node_require_whole(const AbutNode *object, const char *key, double most)
{
	AbutNode node;
	double value = 0.0;
	if (!abut_node_require(object, key, &node)) {
		return 0.0;
	}
	abut_node_number(&node, ABUT_NONNEGATIVE, &value);
	if (abut_node_ok(&node) && !(value <= most && value == floor(value))) {
		char expected[64];
		snprintf(expected, sizeof expected, "an integer from 0 to %.0f", most);
		abut_node_fail_expected(&node, expected);
	}
	return abut_node_ok(&node) ? value : 0.0;
}

const char *abut_node_require_string(const AbutNode *object, const char *key)
{
	AbutNode node;
	const bool is_string =
	    abut_node_require(object, key, &node) && abut_node_check_type(&node, ABUT_JSON_STRING, "a string");
	return is_string ? abut_json_string(node.value) : "";
}

const char **abut_node_require_strings(const AbutNode *object, const char *key, const char *expected, int extra, int *n)
{
	AbutNode node, item;
	if (!abut_node_require(object, key, &node) || !abut_node_check_array(&node, "an array of strings")) {
		return NULL;
	}
	*n = abut_json_count(node.value);
	const char **const strings = malloc(((size_t)*n + (size_t)extra + 1) * sizeof *strings);
	if (!strings) {
		abut_node_fail_memory(&node);
		return NULL;
	}
	for (bool more = abut_node_first(&node, &item); more; more = abut_node_next(&item)) {
		if (abut_node_check_type(&item, ABUT_JSON_STRING, expected)) {
			strings[item.index] = abut_json_string(item.value);
		}
	}
	return strings;
}

void abut_node_require_version(const AbutNode *root, const char *key, const char *hint, const char *format)
{
	AbutNode version;
	double value = 0.0;
	if (abut_node_get(root, key, &version)) {
		abut_node_number(&version, ABUT_ANY, &value);
	} else if (abut_node_ok(root)) {
		abut_node_fail(&version, ABUT_ERROR_PARSE, "required key \"%s\" is missing%s", key, hint);
	}
	if (abut_node_ok(root) && value != 1.0) {
		abut_node_fail(&version, ABUT_ERROR_UNSUPPORTED, "must be 1, the version of the %s, is %.9g", format,
		               value);
	}
}

bool abut_node_choice(const AbutNode *node, const char *const *names, int n, int *out)
{
	char expected[320], list[256];
	abut_text_join(names, n, list, sizeof list);
	snprintf(expected, sizeof expected, "one of %s", list);
	if (!abut_node_check_type(node, ABUT_JSON_STRING, expected)) {
		return false;
	}
	const char *word = abut_json_string(node->value);
	const int index = abut_text_index(word, names, n);
	if (index >= 0) {
		*out = index;
		return true;
	}
	const char *nearest = abut_text_nearest(word, names, n);
	if (nearest) {
		char quoted[ABUT_QUOTE_SIZE];
		abut_node_fail(node, ABUT_ERROR_PARSE, "must be %s, is %s; did you mean \"%s\"?", expected,
		               abut_text_quote(word, quoted), nearest);
	} else {
		abut_node_fail_expected(node, expected);
	}
	return false;
}

bool abut_read_number(const AbutNode *object, const char *key, AbutRange range, double *out)
{
	AbutNode node;
	return abut_node_get(object, key, &node) && abut_node_number(&node, range, out);
}

bool abut_read_integer(const AbutNode *object, const char *key, int low, int high, int *out)
{
	AbutNode node;
	return abut_node_get(object, key, &node) && abut_node_integer(&node, low, high, out);
}

bool abut_read_bool(const AbutNode *object, const char *key, bool *out)
{
	AbutNode node;
	return abut_node_get(object, key, &node) && read_bool(&node, out);
}

bool abut_read_vector(const AbutNode *object, const char *key, int n, AbutRange range, double *out)
{
	AbutNode node;
	return abut_node_get(object, key, &node) && abut_node_vector(&node, n, range, out);
}

bool abut_read_quaternion(const AbutNode *object, const char *key, double out[4])
{
	AbutNode node;
	return abut_node_get(object, key, &node) && read_quaternion(&node, out);
}

bool abut_read_choice(const AbutNode *object, const char *key, const char *const *names, int n, int *out)
{
	AbutNode node;
	return abut_node_get(object, key, &node) && abut_node_choice(&node, names, n, out);
}

void abut_require_number(const AbutNode *object, const char *key, AbutRange range, double *out)
{
	AbutNode node;
	if (abut_node_require(object, key, &node)) {
		abut_node_number(&node, range, out);
	}
}

void abut_require_integer(const AbutNode *object, const char *key, int low, int high, int *out)
{
	AbutNode node;
	if (abut_node_require(object, key, &node)) {
		abut_node_integer(&node, low, high, out);
	}
}

void abut_require_bool(const AbutNode *object, const char *key, bool *out)
{
	AbutNode node;
	if (abut_node_require(object, key, &node)) {
		read_bool(&node, out);
	}
}

void abut_require_vector(const AbutNode *object, const char *key, int n, AbutRange range, double *out)
{
	AbutNode node;
	if (abut_node_require(object, key, &node)) {
		abut_node_vector(&node, n, range, out);
	}
}

void abut_require_name(const AbutNode *object, const char *key, const char **out)
{
	AbutNode node;
	if (abut_node_require(object, key, &node)) {
		abut_node_name(&node, out);
	}
}

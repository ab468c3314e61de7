/* Overrides single values of a scene: "path=value", where the value is JSON or a bare word. A path may name a body,
 * joint, site or sensor by its name (bodies.cube.mass) and may contain keys that are missing from the file. */
#include "io/scene/override.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/json/path.h"
#include "io/json/scan.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

__attribute__((format(printf, 4, 5))) static AbutStatus fail(AbutError *error, const char *text, const char *where,
                                                             const char *format, ...)
{
	char message[320], quoted[ABUT_QUOTE_SIZE];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	abut_error_set(error, ABUT_ERROR_PARSE, where, "%s (in %s)", message, abut_text_quote(text, quoted));
	snprintf(error->file, sizeof error->file, "--set");
	return ABUT_ERROR_PARSE;
}

enum { NUMBER_SIZE = 32 };

/* Copies digits from `*in`; returns how many. */
static int copy_digits(const char **in, char *out, size_t *n)
{
	int count = 0;
	for (; **in >= '0' && **in <= '9' && *n + 1 < NUMBER_SIZE; ++*in, count++) {
		out[(*n)++] = **in;
	}
	return count;
}

/* Rewrites a number such as .05, +5, 5., 007 or 0,05 as JSON. Returns false if the text is no number or is too long. */
static bool repair_number(const char *text, char out[NUMBER_SIZE])
{
	size_t n = 0;
	const char *in = text;
	if (*in == '-') {
		out[n++] = '-';
	}
	in += *in == '-' || *in == '+';
	int digits = 0;
	while (*in == '0' && in[1] >= '0' && in[1] <= '9') {
		in++;
	}
	if (*in == '.' || *in == ',') {
		out[n++] = '0';
	}
	digits += copy_digits(&in, out, &n);
	if (*in == '.' || *in == ',') {
		const size_t point = n;
		out[n++] = '.';
		in++;
		const int fraction = copy_digits(&in, out, &n);
		n = fraction > 0 ? n : point;
		digits += fraction;
	}
	if (digits > 0 && (*in == 'e' || *in == 'E') && n + 2 < NUMBER_SIZE) {
		out[n++] = *in++;
		if (*in == '-' || *in == '+') {
			out[n++] = *in++;
		}
		digits = copy_digits(&in, out, &n);
	}
	out[n] = '\0';
	return digits > 0 && *in == '\0';
}

/* Parses a value. If it starts like JSON, it must be JSON; anything else is a word. On failure, sets the error and
 * returns NULL. */
static AbutJson *parse_value(const char *text, const char *value, AbutError *error)
{
	AbutJsonScanner scanner;
	const size_t length = strlen(value);
	char number[NUMBER_SIZE];
	abut_json_scan_init(&scanner, value, length);
	AbutJson *tree = NULL;
	if (abut_json_scan_all(&scanner)) {
		tree = abut_json_parse(value, length);
	} else if (repair_number(value, number)) {
		fail(error, text, NULL, "the value is not JSON: write %s", number);
		return NULL;
	} else if (length == 0 || strchr("[{\"-0123456789", value[0])) {
		fail(error, text, NULL, "the value is not JSON: %s", scanner.message);
		return NULL;
	} else {
		for (size_t i = 0, n; i < length; i += n) {
			n = abut_utf8_length(value + i, length - i);
			if (n == 0) {
				fail(error, text, NULL, "the value is not valid UTF-8");
				return NULL;
			}
		}
		tree = abut_json_create_string(value);
	}
	if (!tree) {
		abut_fail_memory(error, "the scene");
	}
	return tree;
}

/* Finds the array element at an index, or, in an array of `named` things, the one with a name. Returns NULL if there is
 * none. */
static AbutJson *find_element(AbutJson *array, const AbutPathStep *step, const char *named, int *index)
{
	*index = 0;
	for (AbutJson *element = abut_json_first(array); element; element = abut_json_next(element), ++*index) {
		if (step->index >= 0 && *index == step->index) {
			return element;
		}
		if (step->index < 0 && named && abut_json_type(element) == ABUT_JSON_OBJECT) {
			const AbutJson *name = abut_json_get(element, "name");
			if (name && abut_json_type(name) == ABUT_JSON_STRING &&
			    strcmp(abut_json_string(name), step->key) == 0) {
				return element;
			}
		}
	}
	return NULL;
}

/* Returns the name of an element that is nearest to the one of a step, or NULL. */
static const char *find_meant(const AbutJson *array, const char *word)
{
	enum { MOST = 256 };
	const char *names[MOST];
	int n = 0;
	for (const AbutJson *at = abut_json_first(array); at && n < MOST; at = abut_json_next(at)) {
		const AbutJson *name = abut_json_type(at) == ABUT_JSON_OBJECT ? abut_json_get(at, "name") : NULL;
		if (name && abut_json_type(name) == ABUT_JSON_STRING) {
			names[n++] = abut_json_string(name);
		}
	}
	return abut_text_nearest(word, names, n);
}

static AbutStatus fail_element(const char *text, const char *path, const AbutJson *array, const AbutPathStep *step,
                               const char *named, AbutError *error)
{
	const int count = abut_json_count(array);
	if (step->index < 0 && named) {
		char quoted[ABUT_QUOTE_SIZE];
		const char *meant = find_meant(array, step->key);
		return fail(error, text, path,
		            meant ? "no %s has the name %s; did you mean \"%s\"?" : "no %s has the name %s", named,
		            abut_text_quote(step->key, quoted), meant);
	}
	if (count == 0) {
		return fail(error, text, path, "the array is empty; set the whole array");
	}
	return fail(error, text, path, "the array has the elements [0] to [%d]", count - 1);
}

/* State while following the path of one override down the tree. */
typedef struct Walk {
	const char *text; /* text of the override, for messages */
	char *path;       /* path so far, ABUT_NODE_PATH_SIZE bytes; ends at the outermost value created or set */
	bool created;     /* the walk is inside an object that it created */
	AbutError *error;
} Walk;

/* Returns the element that `step` selects and appends it to the path. If there is none, sets the error and returns
 * NULL. */
static AbutJson *step_into_array(Walk *walk, AbutJson *array, const AbutPathStep *step, const char *named)
{
	int index = 0;
	AbutJson *const element = find_element(array, step, named, &index);
	if (!element) {
		fail_element(walk->text, walk->path, array, step, named, walk->error);
		return NULL;
	}
	if (!walk->created) {
		abut_path_append_index(walk->path, ABUT_NODE_PATH_SIZE, index);
	}
	return element;
}

/* Returns the member that `step` selects and appends it to the path. A missing member is created as an empty object. If
 * memory runs out, sets the error and returns NULL. */
static AbutJson *step_into_object(Walk *walk, AbutJson *object, const AbutPathStep *step)
{
	if (!walk->created) {
		abut_path_append_key(walk->path, ABUT_NODE_PATH_SIZE, step->key, strlen(step->key));
	}
	AbutJson *member = abut_json_get(object, step->key);
	if (!member) {
		walk->created = true;
		member = abut_json_put(object, step->key, abut_json_create_object()) ? abut_json_get(object, step->key)
		                                                                     : NULL;
	}
	if (!member) {
		abut_fail_memory(walk->error, "the scene");
	}
	return member;
}

/* Returns what the elements of a scene's list are called if they have names; otherwise NULL. */
static const char *named_elements(const char *list)
{
	static const char *const names[][2] = {
	    {"bodies", "body"}, {"joints", "joint"}, {"sites", "site"}, {"sensors", "sensor"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(list, names[i][0]) == 0) {
			return names[i][1];
		}
	}
	return NULL;
}

/* Puts `value` at the path `steps` below `root`. Takes ownership of `value`, also on failure. */
static AbutStatus put_value(Walk *walk, AbutJson *root, const AbutPathStep *steps, int n_steps, AbutJson *value)
{
	AbutJson *node = root;
	for (int i = 0; i < n_steps; i++) {
		const AbutPathStep *step = &steps[i];
		const AbutJsonType type = abut_json_type(node);
		AbutJson *child = NULL;
		bool put = true;
		if (type == ABUT_JSON_ARRAY) {
			child = step_into_array(walk, node, step, i == 1 ? named_elements(steps[0].key) : NULL);
			put = !child || i < n_steps - 1 || abut_json_replace(node, child, value);
		} else if (type != ABUT_JSON_OBJECT || step->index >= 0) {
			fail(walk->error, walk->text, walk->path,
			     type == ABUT_JSON_OBJECT
			         ? "this is an object: name a key, not an index"
			         : "this is not an object or array, so nothing can be set inside it");
		} else {
			child = step_into_object(walk, node, step);
			put = !child || i < n_steps - 1 || abut_json_put(node, step->key, value);
		}
		if (!child) {
			abut_json_destroy(value);
			return walk->error->status;
		}
		if (!put) {
			return abut_fail_memory(walk->error, "the scene");
		}
		node = child;
	}
	return ABUT_OK;
}

AbutStatus abut_scene_override(AbutScene *scene, int index, AbutError *error)
{
	AbutOverride *override = &scene->source.overrides[index];
	const char *text = override->text, *equals = strchr(text, '=');
	if (!equals) {
		return fail(error, text, NULL,
		            "an override must be PATH=VALUE, such as timestep=0.05 or bodies[1].mass=2");
	}
	AbutPathStep steps[ABUT_PATH_MAX_STEPS];
	const int n_steps = abut_path_parse(text, (size_t)(equals - text), steps);
	if (n_steps <= 0) {
		return fail(error, text, NULL, "the path is malformed; it must be such as timestep or bodies[1].mass");
	}
	AbutJson *const value = parse_value(text, equals + 1, error);
	if (!value) {
		return error->status;
	}
	Walk walk = {text, override->path, false, error};
	return put_value(&walk, scene->root, steps, n_steps, value);
}

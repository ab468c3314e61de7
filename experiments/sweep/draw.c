/* Reads distributions from a spec and draws them for a seed. */
#include "experiments/sweep/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/sweep/text.h"
#include "io/json/read.h"
#include "io/text/number.h"
#include "io/text/words.h"

const AbutKeySet abut_sweep_keys_random = {
    "a distribution",
    (const char *const[]){"uniform", "log_uniform", "normal", "choice", "rotation", "about", NULL},
};

void abut_sweep_free_draws(AbutSweepDraws *draws)
{
	for (int i = 0; i < draws->count; i++) {
		AbutSweepDraw *draw = &draws->items[i];
		for (int j = 0; j < draw->n_choices; j++) {
			free(draw->choices[j]);
		}
		free(draw->choices);
		free(draw->path);
		free(draw->place);
	}
	free(draws->items);
	*draws = (AbutSweepDraws){0, 0, NULL};
}

/* Reads two numbers, or two arrays of the same size. */
static void read_two(const AbutNode *pair, AbutSweepDraw *draw)
{
	AbutNode node;
	double *const out[2] = {draw->a, draw->b};
	const char *expected = "an array of two numbers, or of two arrays of at most 16 numbers";
	if (!abut_node_check_array(pair, expected)) {
		return;
	}
	if (abut_json_count(pair->value) != 2) {
		abut_node_fail_expected(pair, expected);
	}
	for (bool more = abut_node_first(pair, &node); more; more = abut_node_next(&node)) {
		const bool is_array = abut_json_type(node.value) == ABUT_JSON_ARRAY;
		const int size = is_array ? abut_json_count(node.value) : 0;
		if ((is_array && (size < 1 || size > ABUT_DRAW_MOST)) || (node.index == 1 && size != draw->size)) {
			abut_node_fail_expected(pair, expected);
		} else if (is_array) {
			abut_node_vector(&node, size, ABUT_ANY, out[node.index]);
		} else {
			abut_node_number(&node, ABUT_ANY, out[node.index]);
		}
		draw->size = size;
	}
}

static void check_ascending(const AbutNode *pair, const AbutSweepDraw *draw)
{
	for (int i = 0; abut_node_ok(pair) && i < (draw->size ? draw->size : 1); i++) {
		if (!(draw->a[i] <= draw->b[i])) {
			abut_node_fail(pair, ABUT_ERROR_PARSE,
			               "the lower bound %.9g must not exceed the upper bound %.9g", draw->a[i],
			               draw->b[i]);
		} else if (draw->kind == ABUT_DRAW_LOG_UNIFORM && !(draw->a[i] > 0.0)) {
			abut_node_fail(pair, ABUT_ERROR_PARSE, "is %.9g; bounds must be positive", draw->a[i]);
		}
	}
}

static void read_normal(const AbutNode *pair, AbutSweepDraw *draw)
{
	read_two(pair, draw);
	for (int i = 0; abut_node_ok(pair) && i < (draw->size ? draw->size : 1); i++) {
		if (!(draw->b[i] >= 0.0)) {
			abut_node_fail(pair, ABUT_ERROR_PARSE, "the standard deviation is %.9g, must be at least 0",
			               draw->b[i]);
		}
	}
}

static void read_choice(const AbutNode *list, AbutSweepDraw *draw)
{
	AbutNode node;
	const char *expected = "an array of at least one value";
	if (!abut_node_check_array(list, expected)) {
		return;
	}
	const int count = abut_json_count(list->value);
	if (count < 1) {
		abut_node_fail_expected(list, expected);
		return;
	}
	draw->choices = calloc((size_t)count, sizeof *draw->choices);
	if (!draw->choices) {
		abut_node_fail_memory(list);
		return;
	}
	draw->n_choices = count;
	for (bool more = abut_node_first(list, &node); more; more = abut_node_next(&node)) {
		draw->choices[node.index] = abut_text_of_json(node.value);
		if (!draw->choices[node.index]) {
			abut_node_fail_memory(list);
		}
	}
}

static void read_rotation(const AbutNode *node)
{
	static const char *const words[] = {"uniform"};
	int choice = 0;
	abut_node_choice(node, words, 1, &choice);
}

/* Reads {"about": axis, "uniform": [low, high]}. */
static void read_about(const AbutNode *axis, const AbutNode *bounds, AbutSweepDraw *draw)
{
	abut_node_vector(axis, 3, ABUT_ANY, draw->axis);
	const double length = abut_norm3(draw->axis);
	if (abut_node_ok(axis) && !(length > 0.0 && isfinite(length))) {
		abut_node_fail_expected(axis, "an axis of any length above 0");
	}
	abut_divide3(draw->axis, length, draw->axis);
	read_two(bounds, draw);
	if (abut_node_ok(bounds) && draw->size > 0) {
		abut_node_fail_expected(bounds, "two angles, in radians");
	}
}

static void read_draw(const AbutNode *node, AbutSweepDraw *draw)
{
	AbutNode member, about;
	if (!abut_node_check_keys(node, &abut_sweep_keys_random)) {
		return;
	}
	const int count = abut_json_count(node->value);
	if (abut_node_get(node, "about", &about)) {
		draw->kind = ABUT_DRAW_ABOUT;
		if (abut_node_require(node, "uniform", &member)) {
			read_about(&about, &member, draw);
			check_ascending(&member, draw);
		}
	} else if (abut_node_get(node, "uniform", &member)) {
		draw->kind = ABUT_DRAW_UNIFORM;
		read_two(&member, draw);
		check_ascending(&member, draw);
	} else if (abut_node_get(node, "log_uniform", &member)) {
		draw->kind = ABUT_DRAW_LOG_UNIFORM;
		read_two(&member, draw);
		check_ascending(&member, draw);
	} else if (abut_node_get(node, "normal", &member)) {
		draw->kind = ABUT_DRAW_NORMAL;
		read_normal(&member, draw);
	} else if (abut_node_get(node, "choice", &member)) {
		draw->kind = ABUT_DRAW_CHOICE;
		read_choice(&member, draw);
	} else if (abut_node_get(node, "rotation", &member)) {
		draw->kind = ABUT_DRAW_ROTATION;
		read_rotation(&member);
	}
	if (abut_node_ok(node) && count != (draw->kind == ABUT_DRAW_ABOUT ? 2 : 1)) {
		abut_node_fail(node, ABUT_ERROR_PARSE,
		               "must be one of {\"uniform\": [low, high]}, {\"log_uniform\": [low, high]}, "
		               "{\"normal\": [mean, deviation]}, {\"choice\": [values]}, {\"rotation\": \"uniform\"} "
		               "and {\"about\": axis, \"uniform\": [low, high]}");
	}
}

void abut_sweep_read_draws(const AbutNode *object, AbutSweepDraws *draws)
{
	AbutNode node;
	for (bool more = abut_node_first(object, &node); more; more = abut_node_next(&node)) {
		char place[ABUT_NODE_PATH_SIZE];
		if (!abut_grow(&draws->items, &draws->capacity, draws->count + 1, sizeof *draws->items)) {
			abut_node_fail_memory(&node);
			return;
		}
		AbutSweepDraw *draw = &draws->items[draws->count++];
		*draw = (AbutSweepDraw){.path = abut_text_format("%s", node.key)};
		abut_node_path(&node, place);
		draw->place = abut_text_format("%s", place);
		if (!draw->path || !draw->place) {
			abut_node_fail_memory(&node);
		}
		read_draw(&node, draw);
	}
}

/* Draws the numbers of one value; returns how many there are. */
static int draw_numbers(const AbutSweepDraw *draw, AbutRng *rng, double out[ABUT_DRAW_MOST])
{
	if (draw->kind == ABUT_DRAW_ROTATION) {
		abut_rng_rotation(rng, out);
		return 4;
	}
	if (draw->kind == ABUT_DRAW_ABOUT) {
		const double half = 0.5 * abut_rng_uniform(rng, draw->a[0], draw->b[0]);
		out[0] = cos(half);
		abut_scale3(sin(half), draw->axis, &out[1]);
		return 4;
	}
	const int size = draw->size ? draw->size : 1;
	for (int i = 0; i < size; i++) {
		if (draw->kind == ABUT_DRAW_NORMAL) {
			out[i] = draw->a[i] + draw->b[i] * abut_rng_normal(rng);
		} else if (draw->kind == ABUT_DRAW_LOG_UNIFORM) {
			out[i] = exp(abut_rng_uniform(rng, log(draw->a[i]), log(draw->b[i])));
		} else {
			out[i] = abut_rng_uniform(rng, draw->a[i], draw->b[i]);
		}
	}
	return size;
}

char *abut_sweep_draw(const AbutSweepDraw *draw, unsigned long long seed)
{
	AbutRng rng = abut_rng_stream(seed, abut_digest_text(ABUT_HASH_START, draw->path));
	if (draw->kind == ABUT_DRAW_CHOICE) {
		const int i = (int)abut_rng_uniform(&rng, 0.0, draw->n_choices);
		return abut_text_format("%s=%s", draw->path, draw->choices[i]);
	}
	double numbers[ABUT_DRAW_MOST];
	char text[ABUT_DRAW_MOST * (ABUT_NUMBER_SIZE + 2)], one[ABUT_NUMBER_SIZE];
	const int n = draw_numbers(draw, &rng, numbers);
	const bool is_array = draw->size > 0 || draw->kind == ABUT_DRAW_ROTATION || draw->kind == ABUT_DRAW_ABOUT;
	size_t length = 0;
	for (int i = 0; i < n; i++) {
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? ", " : "",
		                           abut_number_short(numbers[i], one));
	}
	return abut_text_format(is_array ? "%s=[%s]" : "%s=%s", draw->path, text);
}

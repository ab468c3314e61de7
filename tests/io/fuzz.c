/* Tests that mutated scenes never crash the parser: each is valid or gives an error with a message. Seeds make failures
 * repeatable. */
#include <criterion/criterion.h>
#include <string.h>

#include "abut/io.h"
#include "base/rng.h"
#include "io/scene_text.h"

static size_t below(AbutRng *rng, size_t n)
{
	return (size_t)(abut_rng_next(rng) % n);
}

/* Makes one change at a random place and returns the new length. */
static size_t mutate(AbutRng *rng, char *text, size_t length)
{
	static const char *const words[] = {"{",  "}",       "[",       "]",          ",",        ":",
	                                    "\"", "null",    "true",    "-1",         "1e400",    "1e-320",
	                                    "0",  "\\u00e9", "\xff",    "\xc3",       "\"mass\"", "\"shape\"",
	                                    "{}", "[]",      "\"all\"", "99999999999"};
	const size_t at = below(rng, length);
	const char *word = words[below(rng, sizeof words / sizeof *words)];
	const size_t n = strlen(word), cut = below(rng, length - at < 12 ? length - at : 12);
	switch (below(rng, 4)) {
	case 0: /* one byte */
		text[at] = (char)below(rng, 256);
		return length;
	case 1: /* cut out */
		memmove(text + at, text + at + cut, length - at - cut);
		return length - cut;
	case 2: /* put in */
		if (length + n >= SCENE_TEXT_SIZE) {
			return length;
		}
		memmove(text + at + n, text + at, length - at);
		memcpy(text + at, word, n);
		return length + n;
	default: /* overwrite */
		memcpy(text + at, word, n < length - at ? n : length - at);
		return length;
	}
}

static void check(const char *text, size_t length, int n_overrides, const char *const *overrides, int *accepted)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	const AbutStatus status = abut_scene_parse(text, length, "fuzz.json", n_overrides, overrides, &scene, &error);
	if (status == ABUT_OK) {
		++*accepted;
		cr_assert_not_null(scene);
		abut_scene_destroy(scene);
	} else {
		cr_assert_null(scene);
		cr_assert(error.status == status && error.message[0] != '\0' && error.file[0] != '\0', "%.*s",
		          (int)length, text);
		cr_assert(!strchr(error.message, '\n') && !strchr(error.where, '\n'));
	}
}

Test(fuzz, mutated_text)
{
	AbutRng rng = {20240607};
	int accepted = 0;
	for (int i = 0; i < 6000; i++) {
		char text[SCENE_TEXT_SIZE];
		size_t length = sizeof scene_text - 1;
		memcpy(text, scene_text, length);
		for (size_t k = 1 + below(&rng, 4); k > 0 && length > 20; k--) {
			length = mutate(&rng, text, length);
		}
		check(text, length, 0, NULL, &accepted);
	}
	cr_expect_gt(accepted, 20);
	cr_expect_lt(accepted, 3000);
}

Test(fuzz, mutated_overrides)
{
	static const char *const seeds[] = {"bodies[1].mass=2", "solver.kappa=1e-8", "shapes.brick.half_extents[1]=3",
	                                    "bodies.cube.position=[1,2,3]", "contacts=all"};
	AbutRng rng = {77};
	int accepted = 0;
	for (int i = 0; i < 3000; i++) {
		char text[SCENE_TEXT_SIZE];
		size_t length = strlen(seeds[i % 5]);
		memcpy(text, seeds[i % 5], length);
		for (size_t k = below(&rng, 3); k > 0; k--) {
			length = mutate(&rng, text, length > 0 ? length : 1);
		}
		text[length] = '\0';
		const char *const overrides[] = {text};
		check(scene_text, sizeof scene_text - 1, 1, overrides, &accepted);
	}
	cr_expect_gt(accepted, 100);
}

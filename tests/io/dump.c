/* Tests dumps. What is written is read back as the same scene, state and result. If a file is not a dump, the error
 * names the place. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "io/dump/read.h"
#include "io/dump/result.h"
#include "io/dump/write.h"
#include "io/fixture.h"
#include "io/scene_text.h"

/* A run whose steps are solved only at a larger kappa, because no arithmetic reaches the tolerance. */
static const char *const sets[] = {"solver.finish=none", "solver.tolerance=1e-300", "bodies.cube.position=[0,0,0.5]",
                                   "name=a \"b\"/\xc3\xa9"};
enum { SETS = sizeof sets / sizeof *sets };

static void set_up(Fixture *fixture)
{
	set_up_scene(fixture, scene_text, SETS, sets);
}

/* Runs `steps` steps with dumps. Stores the numbers of the state before the last step in `before`, unless NULL. */
static void run(Fixture *fixture, int steps, bool relaxed, AbutRunSummary *summary)
{
	AbutError error = {0};
	AbutDumps *dumps = NULL;
	const AbutDumpsOptions options = {fixture->folder, relaxed, 9007199254740991ull};
	cr_assert_eq(abut_dumps_open(&options, fixture->scene, fixture->model, &dumps, &error), ABUT_OK, "%s",
	             error.message);
	const AbutRunObserver observer = {abut_dumps_observe, dumps, false};
	cr_assert_eq(abut_run(fixture->model, fixture->state, fixture->workspace, steps, &observer, 1, summary, &error),
	             ABUT_OK, "%s", error.message);
	cr_expect_eq(abut_dumps_written(dumps) + abut_dumps_left_out(dumps), summary->failed_steps);
	abut_dumps_destroy(dumps);
}

static bool same_states(const AbutModel *a_model, const AbutState *a, const AbutModel *b_model, const AbutState *b)
{
	const size_t n = abut_state_snapshot_size(a_model, a);
	if (abut_state_snapshot_size(b_model, b) != n) {
		return false;
	}
	double *x = malloc(2 * n * sizeof *x);
	cr_assert_not_null(x);
	cr_assert_eq(abut_state_snapshot(a_model, a, x), ABUT_OK);
	cr_assert_eq(abut_state_snapshot(b_model, b, x + n), ABUT_OK);
	const bool same = memcmp(x, x + n, n * sizeof *x) == 0;
	free(x);
	return same;
}

/* For each step kept, the file has the state before it. From there, the step leads to the state of the next file. */
Test(dump, reads_back_to_the_bit)
{
	Fixture fixture;
	AbutRunSummary summary;
	int read = 0;
	set_up(&fixture);
	run(&fixture, 12, false, &summary);
	cr_assert_gt(summary.raised_kappa_steps, 6);
	cr_expect_eq(count_entries(fixture.folder), (int)summary.raised_kappa_steps);
	AbutState *replay = NULL;
	cr_assert_eq(abut_state_create(fixture.model, &replay, NULL), ABUT_OK);
	for (int step = 1; step <= 12; step++) {
		char path[192];
		AbutError error = {0};
		AbutDump *dump = NULL;
		AbutModel *model = NULL;
		AbutState *state = NULL;
		AbutStepInfo info = {0};
		snprintf(path, sizeof path, "%sa__b_____%d.json", fixture.folder, step);
		if (access(path, R_OK) == 0) {
			read++;
			cr_assert_eq(abut_dump_load(path, 0, NULL, &dump, &error), ABUT_OK, "%s:%d:%d: %s: %s",
			             error.file, error.line, error.column, error.where, error.message);
			cr_expect_eq(dump->step, step);
			cr_expect_eq(dump->time, abut_state_time(replay));
			cr_expect_eq(dump->seed, 9007199254740991ull);
			cr_expect_str_eq(dump->version, abut_version());
			cr_expect_str_eq(dump->name, "a \"b\"/\xc3\xa9");
			const AbutSceneDef *def = abut_scene_def(dump->scene);
			cr_expect(def->solver.tolerance == 1e-300 && def->bodies[1].position[2] == 0.5);
			cr_assert_eq(abut_model_create(def, &model, &error), ABUT_OK);
			cr_assert_eq(abut_state_create(model, &state, &error), ABUT_OK);
			cr_assert_eq(abut_dump_restore(dump, model, state, false, &error), ABUT_OK, "%s: %s",
			             error.where, error.message);
			cr_assert(same_states(fixture.model, replay, model, state), "step %d", step);
		}
		cr_assert_eq(abut_step(fixture.model, replay, fixture.workspace, &info), ABUT_OK);
		if (dump) {
			const AbutDumpResult *was = &dump->result;
			const AbutDumpResult now = abut_dump_result_make(model, state, &info);
			cr_expect(abut_dump_result_same(was, &now), "step %d", step);
			cr_expect_str_eq(was->explanation, now.explanation);
			cr_expect_eq(was->info.outcome, ABUT_OUTCOME_RAISED_KAPPA);
		}
		abut_state_destroy(state);
		abut_model_destroy(model);
		abut_dump_destroy(dump);
	}
	cr_expect_eq(read, (int)summary.raised_kappa_steps);
	cr_assert(same_states(fixture.model, fixture.state, fixture.model, replay));
	abut_state_destroy(replay);
	tear_down(&fixture);
}

Test(dump, a_result_differs_in_any_number)
{
	const AbutDumpResult result = {.info = {.outcome = ABUT_OUTCOME_FAILED, .residual = NAN, .kappa = 1e-6}};
	AbutDumpResult other = result;
	other.info.residual = INFINITY; /* null in the file, either of them */
	cr_expect(abut_dump_result_same(&result, &other));
	other.info.kappa = nextafter(1e-6, 1.0);
	cr_expect(!abut_dump_result_same(&result, &other));
	other = result;
	other.info.iterations = 1;
	cr_expect(!abut_dump_result_same(&result, &other));
	other = result;
	other.info.residual = 0.0;
	cr_expect(!abut_dump_result_same(&result, &other));
}

/* Returns a dump of the first step as text. */
static char *first_dump(Fixture *fixture, size_t *length)
{
	AbutRunSummary summary;
	char path[192];
	set_up(fixture);
	run(fixture, 1, true, &summary);
	snprintf(path, sizeof path, "%sa__b_____1.json", fixture->folder);
	FILE *file = fopen(path, "rb");
	cr_assert_not_null(file, "%s", path);
	char *text = calloc(1, 1 << 16);
	cr_assert_not_null(text);
	*length = fread(text, 1, (1 << 16) - 1, file);
	fclose(file);
	return text;
}

static AbutStatus load_text(const Fixture *fixture, const char *text, size_t length, AbutDump **dump, AbutError *error)
{
	char path[128];
	snprintf(path, sizeof path, "%s/changed.json", fixture->root);
	FILE *file = fopen(path, "wb");
	cr_assert_not_null(file);
	cr_assert_eq(fwrite(text, 1, length, file), length);
	fclose(file);
	return abut_dump_load(path, 0, NULL, dump, error);
}

/* Finds the line and column of the first `find`, both from 1. */
static void place_of(const char *text, const char *find, int *line, int *column)
{
	const char *at = strstr(text, find), *start = text;
	cr_assert_not_null(at, "%s", find);
	*line = 1;
	for (const char *c = text; c < at; c++) {
		if (*c == '\n') {
			++*line;
			start = c + 1;
		}
	}
	*column = (int)(at - start) + 1;
}

Test(dump, errors_have_their_place)
{
	static const struct {
		const char *find, *replacement; /* the place is that of the replacement's '@', which is taken out */
		const char *where, *message;
	} table[] = {
	    {"\"abut_dump\": 1", "\"abut_dump\": @2", "abut_dump", "must be 1"},
	    {"\"abut_dump\": 1", "\"abut\": 1", "abut_dump", "is not a dump"},
	    {"\"seed\":", "@\"sed\":", "sed", "did you mean \"seed\""},
	    {"\"step\": 1,", "\"step\": @0.5,", "step", "must be an integer"},
	    {"\"outcome\": \"raised-kappa\"", "\"outcome\": @\"raised\"", "result.outcome", "one of exact, relaxed"},
	    {"\"tries\": ", "\"tries\": @-", "result.tries", "must be an integer"},
	    {"\"exact\": false", "\"exact\": @0", "result.exact", "true or false"},
	    {"\"state\": [", "\"state\": [@\"x\", ", "state[0]", "a finite number"},
	    {"\"state\": [\n    2,", "\"state\": [\n    @1e999,", "state[0]", "past the range"},
	    {"\"overrides\": [", "\"overrides\": [@1, ", "overrides[0]", "a string"},
	    {"[0.5, 0.5, 0.5]", "[0.5, @-0.5, 0.5]", "shapes.brick.half_extents[1]", "positive"},
	    {"\"bodies\": [", "\"bodies\": [@7, ", "bodies[0]", "an object"},
	    {"\"scene\": \n{", "\"scene\": \n@5, \"more\": {", "more", "unknown key"},
	};
	Fixture fixture;
	size_t length = 0;
	char *const text = first_dump(&fixture, &length);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char changed[1 << 16];
		const char *at = strstr(text, table[i].find);
		cr_assert_not_null(at, "%s", table[i].find);
		snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, table[i].replacement,
		         at + strlen(table[i].find));
		int line = 1, column = 1;
		char *const mark = strchr(changed, '@');
		if (mark && strcmp(table[i].where, "more") != 0) {
			place_of(changed, "@", &line, &column);
		}
		if (mark) {
			memmove(mark, mark + 1, strlen(mark));
		}
		AbutDump *dump = NULL;
		AbutError error = {0};
		cr_expect_neq(load_text(&fixture, changed, strlen(changed), &dump, &error), ABUT_OK, "%s",
		              table[i].replacement);
		cr_expect_null(dump);
		cr_expect_str_eq(error.where, table[i].where, "%s: %s: %s", table[i].replacement, error.where,
		                 error.message);
		cr_expect(strstr(error.message, table[i].message), "%s: %s", table[i].replacement, error.message);
		if (strcmp(table[i].where, "more") != 0) {
			cr_expect(error.line == line && error.column == column, "%s: %d:%d, not %d:%d",
			          table[i].replacement, error.line, error.column, line, column);
		}
	}
	free(text);
	tear_down(&fixture);
}

/* A randomly damaged dump is refused with a message, or is still a valid dump. */
Test(dump, spoilt_text_does_no_harm)
{
	static const char *const words[] = {"null",  "-1", "1e400", "0", "{}",   "[]",
	                                    "\"x\"", ",",  "}",     "]", "\xff", "9e99"};
	Fixture fixture;
	size_t length = 0;
	int accepted = 0, restored = 0;
	char *const text = first_dump(&fixture, &length);
	char *const changed = malloc(length + 64);
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		const size_t at = (size_t)(abut_rng_next(&rng) % length);
		const size_t left = length - at, cut = (size_t)(abut_rng_next(&rng) % (left < 8 ? left : 8));
		const char *word = words[abut_rng_next(&rng) % (sizeof words / sizeof *words)];
		const size_t n = seed % 2 ? strlen(word) : 0;
		memcpy(changed, text, at);
		memcpy(changed + at, word, n);
		memcpy(changed + at + n, text + at + cut, left - cut);
		AbutDump *dump = NULL;
		AbutError error = {0};
		if (load_text(&fixture, changed, length + n - cut, &dump, &error) != ABUT_OK) {
			cr_assert(!dump && error.message[0] && error.file[0] && !strchr(error.message, '\n'), "seed %u",
			          seed);
			continue;
		}
		accepted++;
		AbutModel *model = NULL;
		AbutState *state = NULL;
		if (abut_model_create(abut_scene_def(dump->scene), &model, NULL) == ABUT_OK &&
		    abut_state_create(model, &state, NULL) == ABUT_OK) {
			restored += abut_dump_restore(dump, model, state, false, &error) == ABUT_OK;
		}
		abut_state_destroy(state);
		abut_model_destroy(model);
		abut_dump_destroy(dump);
	}
	cr_expect(accepted > 100 && accepted < 1600 && restored > 50 && restored < accepted, "%d accepted, %d restored",
	          accepted, restored);
	free(changed);
	free(text);
	tear_down(&fixture);
}

Test(dump, a_folder_that_stays_empty_goes)
{
	Fixture fixture;
	AbutDumps *dumps = NULL;
	AbutError error = {0};
	set_up(&fixture);
	const AbutDumpsOptions options = {fixture.folder, false, 0};
	cr_assert_eq(abut_dumps_open(&options, fixture.scene, fixture.model, &dumps, &error), ABUT_OK);
	cr_expect_eq(count_entries(fixture.folder), 0);
	abut_dumps_destroy(dumps);
	cr_expect_eq(count_entries(fixture.root), 0);
	const AbutDumpsOptions nowhere = {"/proc/no/where", false, 0};
	cr_expect_eq(abut_dumps_open(&nowhere, fixture.scene, fixture.model, &dumps, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_null(dumps);
	cr_expect(error.file[0] && error.message[0]);
	abut_dumps_destroy(NULL);
	tear_down(&fixture);
}

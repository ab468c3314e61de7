/* Tests abut view, and the page of abut run: a page around the runs, which other programs read back, and calls that are
 * refused. The bundle of these tests is a line of text; tests/view/ tests the real one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/call.h"

#define RUN "run " SCENES "cube_drop.json --set duration=0.2 --quiet "
#define WITH_BUNDLE "ABUT_VIEW_BUNDLE=bundle.html "

TestSuite(view, .init = set_up, .fini = tear_down);

static void make_bundle(void)
{
	write_file("bundle.html", "<head><!-- abut: runs --></body>\n");
}

/* A call with the bundle of these tests, which ends with `status`. */
static Call *expect_call(const char *arguments, int status)
{
	static Call result;
	call_after(&result, WITH_BUNDLE, arguments);
	cr_assert_eq(result.status, status, "%s: %d: %s", arguments, result.status, result.err);
	return &result;
}

/* One line on stderr, which holds `words`. */
static void expect_refusal(const char *arguments, const char *words)
{
	const Call *result = expect_call(arguments, 2);
	cr_expect_not_null(strstr(result->err, words), "%s: '%s' lacks '%s'", arguments, result->err, words);
	cr_expect_eq(count_lines(result->err), 1, "%s: %s", arguments, result->err);
	cr_expect_str_eq(result->out, "");
}

static char *read_page(const char *name)
{
	enum { SIZE = 1 << 20 };
	char path[128];
	char *text = malloc(SIZE);
	cr_assert_not_null(text);
	snprintf(path, sizeof path, "%s/%s", folder, name);
	read_file(path, text, SIZE);
	return text;
}

/* Returns how often `words` occur in a text. */
static int count(const char *text, const char *words)
{
	int n = 0;
	for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
		n++;
	}
	return n;
}

/* Decodes the bytes of the first run of a page with the program base64. Returns its head, which the caller destroys. */
static cJSON *head_of(const char *page)
{
	static char head[1 << 16];
	char command[512], path[128];
	snprintf(
	    command, sizeof command,
	    "cd '%s' && sed -n 's,.*x-abut-run\">\\([^<]*\\)</script>.*,\\1,p' %s | head -n 1 | base64 -d >run.bin && "
	    "head -c 8 run.bin | grep -q abut-run && tail -c +13 run.bin | "
	    "head -c \"$(od -A n -j 8 -N 4 -t u4 run.bin | tr -d ' ')\" >head.json",
	    folder, page);
	cr_assert_eq(system(command), 0, "%s", command);
	snprintf(path, sizeof path, "%s/head.json", folder);
	read_file(path, head, sizeof head);
	return parse_json(head);
}

/* Checks the times of a page, steps of 0.01 s, in the bytes that head_of left. */
static void expect_times(const cJSON *head, int n)
{
	char path[128];
	unsigned char start[12];
	double times[64];
	cr_assert_leq(n, 64);
	snprintf(path, sizeof path, "%s/run.bin", folder);
	FILE *file = fopen(path, "rb");
	cr_assert_not_null(file);
	cr_assert_eq(fread(start, 1, sizeof start, file), sizeof start);
	const long length = 12 + start[8] + 256l * start[9] + 65536l * start[10];
	const cJSON *place = cJSON_GetObjectItem(cJSON_GetObjectItem(head, "sections"), "times");
	cr_assert_eq(fseek(file, (length + 7) / 8 * 8 + cJSON_GetArrayItem(place, 0)->valueint, SEEK_SET), 0);
	cr_assert_eq(fread(times, sizeof *times, (size_t)n, file), (size_t)n);
	fclose(file);
	for (int i = 0; i < n; i++) {
		cr_expect_float_eq(times[i], 0.01 * i, 1e-12, "time %d: %g", i, times[i]);
	}
}

Test(view, a_page_is_the_bundle_with_the_runs_in_it)
{
	make_bundle();
	expect_call(RUN "--out a", 0);
	expect_call(RUN "--out b --method bilevel", 0);
	cr_assert(exists("a/replay.html"));
	expect_call("view a b -o two.html --quiet", 0);
	char *page = read_page("two.html");
	cr_expect_eq(strncmp(page, "<head><script type=\"application/x-abut-run\">", 44), 0);
	cr_expect_eq(count(page, "application/x-abut-run"), 2);
	cr_expect_eq(count(page, "</script>"), 2);
	cr_expect_str_eq(page + strlen(page) - 8, "</body>\n");
	free(page);
	cJSON *head = head_of("two.html");
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(head, "method")), "single-level");
	cr_expect_eq(number(head, "frames"), 21);
	expect_times(head, 21);
	cJSON_Delete(head);
}

Test(view, names_keep_their_characters_and_end_no_script)
{
	make_bundle();
	write_file("scene.json", "{\"abut\": 1, \"name\": \"</script><b>\\\"drop\\\" & 'more'\", \"duration\": 0.05, "
	                         "\"bodies\": [{\"name\": \"<!-- </script> -->\", \"mass\": 1, \"shape\": {\"type\": "
	                         "\"sphere\", \"radius\": 1}}]}");
	expect_call("run scene.json --out a --quiet", 0);
	char *page = read_page("a/replay.html");
	cr_expect_eq(count(page, "</script"), 1);
	cr_expect_eq(count(page, "<b>"), 0);
	free(page);
	cJSON *head = head_of("a/replay.html");
	const cJSON *body = cJSON_GetArrayItem(cJSON_GetObjectItem(head, "bodies"), 0);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(head, "name")), "</script><b>\"drop\" & 'more'");
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(body, "name")), "<!-- </script> -->");
	cJSON_Delete(head);
}

Test(view, what_was_written_is_told)
{
	make_bundle();
	expect_call(RUN "--out a", 0);
	const Call *result = expect_call("view a --every 7 --json", 0);
	cJSON *object = parse_json(result->out);
	cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(object, "page")), "a/replay.html");
	cr_expect_eq(number(object, "every"), 7);
	cr_expect_eq(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "frames"), 0)->valueint, 4); /* 0, 7, 14, 20 */
	char *page = read_page("a/replay.html");
	cr_expect_eq(number(object, "bytes"), (double)strlen(page));
	free(page);
	cJSON_Delete(object);
	cr_expect_not_null(strstr(expect_call("view a a", 0)->out, "a/side_by_side.html"));
}

Test(view, a_run_makes_its_page_where_it_can)
{
	make_bundle();
	expect_call(RUN "--out a --no-view", 0);
	cr_expect(!exists("a/replay.html"));
	expect_call(RUN "--out a", 0);
	cr_expect(exists("a/replay.html"));
	expect_call(RUN "--out a --no-view", 0);
	cr_expect(!exists("a/replay.html"), "a page of another run");
	/* killed after its tables, a run gets its page when it goes on */
	expect_call("run --resume a", 0);
	cr_expect(exists("a/replay.html"));
	expect_call(RUN "--view", 0);
	cr_expect(exists("out/cube_drop/replay.html"));
	expect_refusal(RUN "--out a --view --no-view", "--view and --no-view cannot be combined");
	/* without a bundle the run succeeds and reports what is missing; --view is refused before it begins */
	static Call result;
	call_after(&result, "ABUT_VIEW_BUNDLE=none ", "run " SCENES "cube_drop.json --set duration=0.2 --out c");
	cr_expect_eq(result.status, 0);
	cr_expect_str_eq(result.err, "");
	cr_expect_not_null(strstr(result.out, "no replay.html: "));
	cr_expect(exists("c/summary.json") && !exists("c/replay.html"));
	call_after(&result, "ABUT_VIEW_BUNDLE=none ", RUN "--out d --view");
	cr_expect_eq(result.status, 2);
	cr_expect_not_null(strstr(result.err, "scripts/view.sh"), "%s", result.err);
	cr_expect(!exists("d/summary.json"));
	/* a page that cannot be written takes nothing from the run */
	call_after(&result, "mkdir -p e/replay.html/full && " WITH_BUNDLE,
	           "run " SCENES "cube_drop.json --set duration=0.2 --out e");
	cr_expect_eq(result.status, 3);
	cr_expect_not_null(strstr(result.err, "e/replay.html: cannot write: Is a directory"), "%s", result.err);
	cr_expect_not_null(strstr(result.out, "failed          0"), "%s", result.out);
	cr_expect_not_null(strstr(result.out, "no replay.html: it cannot be written"), "%s", result.out);
	cr_expect(exists("e/summary.json"));
}

Test(view, calls_that_are_refused)
{
	make_bundle();
	expect_call(RUN "--out a --no-view", 0);
	expect_refusal("view", "view: the run folder is missing");
	expect_refusal("view a a a", "'a' is one argument too many");
	expect_refusal("view none", "none/");
	expect_refusal("view a --every x", "--every is 'x'; it must be an integer from 0 to 9007199254740991");
	expect_refusal("view a --out", "--out needs a value");
	expect_refusal("view a -o none/page.html", "none/page.html");
	expect_refusal("view a -o a", "a: ");
	expect_refusal("validate -o x", "unknown option");
	cr_assert(!exists("a/replay.html"));
	write_file("bundle.html", "no mark");
	expect_refusal("view a", "bundle.html: ");
	static Call result;
	call_after(&result, "ABUT_VIEW_BUNDLE=none ", "view a");
	cr_expect_eq(result.status, 2);
	cr_expect_not_null(strstr(result.err, "scripts/view.sh"), "%s", result.err);
	cr_assert(!exists("a/replay.html"));
}

Test(view, a_folder_that_is_no_whole_run_is_refused_by_file)
{
	make_bundle();
	static const char *const files[] = {"scene.json", "summary.json", "trajectory.csv", "contacts.csv",
	                                    "steps.csv"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char path[64], command[256];
		expect_call(RUN "--out a --no-view", 0);
		snprintf(path, sizeof path, "a/%s", files[i]);
		snprintf(command, sizeof command, "cd '%s' && rm %s", folder, path);
		cr_assert_eq(system(command), 0);
		expect_refusal("view a", path);
		write_file(path, "nonsense\n");
		expect_refusal("view a", path);
	}
}

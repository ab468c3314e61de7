/* Tests paths in a JSON text and their places. */
#include <criterion/criterion.h>
#include <string.h>

#include "io/json/locate.h"
#include "io/json/path.h"
#include "io/json/scan.h"
#include "io/text/words.h"

Test(locate, positions_of_bytes)
{
	/* Tabs and UTF-8 characters are one column each; both kinds of line ending count once. */
	const char text[] = "ab\n\tc\r\n\xc3\xa9\xe2\x82\xac"
	                    "d\n";
	static const struct {
		size_t offset;
		int line, column;
	} table[] = {{0, 1, 1}, {1, 1, 2}, {2, 1, 3},  {3, 2, 1},  {4, 2, 2},  {5, 2, 3}, {7, 3, 1},
	             {8, 3, 1}, {9, 3, 2}, {11, 3, 2}, {12, 3, 3}, {14, 4, 1}, {99, 4, 1}};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		int line = 0, column = 0;
		abut_text_position(text, sizeof text - 1, table[i].offset, &line, &column);
		cr_expect(line == table[i].line && column == table[i].column, "offset %zu: %d:%d", table[i].offset,
		          line, column);
	}
}

Test(locate, paths)
{
	const char text[] = "{\n"
	                    "\t\"\xc3\xa9\": 1, \"a\": {\"b\": [10,\n"
	                    "   [20, 21], {\"c\": null}]},\r\n"
	                    "\t\"x.y\": {\"z\": 1, \"z\": 2}, \"last\": \"{[\\\"]}\", \"end\": true}";
	static const struct {
		const char *path;
		bool at_key;
		int occurrence, line, column;
	} table[] = {
	    {"", false, 1, 1, 1},
	    {"[\"\xc3\xa9\"]", false, 1, 2, 7},
	    {"[\"\xc3\xa9\"]", true, 1, 2, 2},
	    {"a", false, 1, 2, 15},
	    {"a.b", true, 1, 2, 16},
	    {"a.b[0]", false, 1, 2, 22},
	    {"a.b[1]", false, 1, 3, 4},
	    {"a.b[1][1]", false, 1, 3, 9},
	    {"a.b[2].c", false, 1, 3, 20},
	    {"a.b[2].c", true, 1, 3, 15},
	    {"[\"x.y\"].z", false, 1, 4, 15},
	    {"[\"x.y\"].z", true, 1, 4, 10},
	    {"[\"x.y\"].z", true, 2, 4, 18},
	    {"end", false, 1, 4, 52},
	    /* the value is missing: the nearest enclosing value */
	    {"a.b[2].missing", false, 1, 3, 14},
	    {"a.b[7]", false, 1, 2, 21},
	    {"a.missing.deeper", false, 1, 2, 15},
	    {"missing", false, 1, 1, 1},
	    {"malformed..path", false, 1, 1, 1},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		int line = 0, column = 0;
		abut_json_locate(text, sizeof text - 1, table[i].path, table[i].at_key, table[i].occurrence, &line,
		                 &column);
		cr_expect(line == table[i].line && column == table[i].column, "%s: %d:%d", table[i].path, line, column);
	}
}

Test(locate, paths_round_trip)
{
	static const char *const keys[] = {"plain", "with-dash_1", "a.b",     "quo\"te", "back\\slash",
	                                   "",      "sp ace",      "\xc3\xa9"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		char path[256] = "";
		AbutPathStep steps[ABUT_PATH_MAX_STEPS];
		abut_path_append_key(path, sizeof path, "bodies", 6);
		abut_path_append_index(path, sizeof path, 12);
		abut_path_append_key(path, sizeof path, keys[i], strlen(keys[i]));
		abut_path_append_key(path, sizeof path, "end", 3);
		cr_assert_eq(abut_path_parse(path, strlen(path), steps), 4, "%s", path);
		cr_expect(steps[0].index < 0 && strcmp(steps[0].key, "bodies") == 0);
		cr_expect_eq(steps[1].index, 12);
		cr_expect_str_eq(steps[2].key, keys[i]);
		cr_expect_str_eq(steps[3].key, "end");
	}
}

/* Imports name joints of several elements with +. */
Test(locate, a_plus_needs_no_quotes)
{
	static const char path[] = "joints.a+b.damping";
	AbutPathStep steps[ABUT_PATH_MAX_STEPS];
	cr_assert_eq(abut_path_parse(path, strlen(path), steps), 3);
	cr_expect_str_eq(steps[1].key, "a+b");
}

Test(locate, paths_are_cut_short)
{
	char path[16] = "";
	abut_path_append_key(path, sizeof path, "abcdefgh", 8);
	abut_path_append_key(path, sizeof path, "abcdefghijkl", 12);
	abut_path_append_index(path, sizeof path, 1234567);
	cr_expect_lt(strlen(path), sizeof path);
}

Test(text, quotes)
{
	char out[ABUT_QUOTE_SIZE];
	cr_expect_str_eq(abut_text_quote("a\nb", out), "\"a?b\"");
	char text[400] = "";
	for (int i = 0; i < 100; i++) {
		strcat(text, "\xe2\x82\xac");
	}
	abut_text_quote(text, out);
	cr_expect(strlen(out) < sizeof out && strcmp(out + strlen(out) - 4, "...\"") == 0);
	for (size_t i = 0, n; out[i]; i += n) {
		n = abut_utf8_length(out + i, strlen(out + i));
		cr_assert(n > 0, "cut inside a character");
	}
}

Test(text, nearest)
{
	static const char *const names[] = {"mass", "density", "position"};
	cr_expect_eq(abut_text_nearest("mas", names, 3), names[0]);
	cr_expect_eq(abut_text_nearest("msas", names, 3), names[0]);
	cr_expect_eq(abut_text_nearest("desnity", names, 3), names[1]);
	cr_expect_eq(abut_text_nearest("posit", names, 3), NULL);
	cr_expect_eq(abut_text_nearest("banana", names, 3), NULL);
	cr_expect_eq(abut_text_nearest("", names, 3), NULL);
}

Test(text, joins)
{
	static const char *const names[] = {"one", "two", "three"};
	char out[64];
	cr_expect_str_eq(abut_text_join(names, 3, out, sizeof out), "one, two, three");
	cr_expect_str_eq(abut_text_join(names, 3, out, 14), "one, ...");
	cr_expect_str_eq(abut_text_join(names, 0, out, sizeof out), "");
}

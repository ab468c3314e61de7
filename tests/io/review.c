/* Tests that scenes which are legal but probably not meant give warnings, and sound ones none. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/io.h"
#include "abut/stop.h"
#include "allocation_watch.h"
#include "base/rng.h"
#include "dynamics/model/model.h"

#define FLOOR                                                                                                          \
	"{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], "         \
	"\"offset\": 0}}"
#define BALL(name, place)                                                                                              \
	"{\"name\": \"" name                                                                                           \
	"\", \"density\": 500, \"shape\": {\"type\": \"sphere\", \"radius\": 0.5}, \"position\": " place "}"

typedef struct Found {
	int n;
	AbutError warnings[ABUT_REVIEW_MAX];
} Found;

static AbutStatus review(const char *text, long fail_at, Found *out)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_scene_parse(text, strlen(text), "scene", 0, NULL, &scene, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s: %s", error.where,
	             error.message);
	watch_begin(fail_at);
	const AbutStatus status = abut_scene_review(abut_scene_def(scene), model, &out->n, out->warnings);
	watch_end();
	cr_expect_eq(watch.live, 0);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	return status;
}

static Found reviewed(const char *bodies, const char *rest)
{
	Found found;
	char text[1 << 14];
	snprintf(text, sizeof text, "{\"abut\": 1, \"bodies\": [%s]%s}", bodies, rest);
	cr_assert_eq(review(text, 0, &found), ABUT_OK);
	return found;
}

static void expect(const Found *found, int i, const char *where, const char *start)
{
	cr_assert_lt(i, found->n);
	cr_expect_str_eq(found->warnings[i].where, where);
	cr_expect(strncmp(found->warnings[i].message, start, strlen(start)) == 0, "%s", found->warnings[i].message);
}

Test(review, overlaps_at_the_start_have_the_depth_of_the_geometry)
{
	const Found found = reviewed(
	    FLOOR ", " BALL("deep", "[0, 0, -99]") ", " BALL("a", "[5, 0, 2]") ", " BALL("b", "[5, 0.75, 2]"), "");
	cr_assert_eq(found.n, 2);
	expect(&found, 0, "bodies[1].position", "floor and deep overlap by 99.5 m at the start; ");
	expect(&found, 1, "bodies[3].position", "a and b overlap by 0.25 m at the start; ");
}

Test(review, bodies_that_touch_or_may_not_touch_give_no_warning)
{
	cr_expect_eq(reviewed(FLOOR ", " BALL("rests", "[0, 0, 0.5]") ", " BALL("on top", "[0, 0, 1.5]"), "").n, 0);
	cr_expect_eq(reviewed(FLOOR ", " BALL("sunk by rounding", "[0, 0, 0.49999]"), "").n, 0);
	cr_expect_eq(
	    reviewed(BALL("a", "[0, 0, 0]") ", " BALL("b", "[0.1, 0, 0]"), ", \"exclude\": [[\"a\", \"b\"]]").n, 0);
	/* Parts of one body, and two static bodies. */
	cr_expect_eq(
	    reviewed(
	        "{\"name\": \"u\", \"mass\": 500, \"shape\": {\"type\": \"union\", \"parts\": [{\"type\": \"sphere\", "
	        "\"radius\": 0.5}, {\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]}]}}",
	        "")
	        .n,
	    0);
	cr_expect_eq(
	    reviewed(BALL("free", "[9, 9, 9]") ", " FLOOR
	                                       ", {\"name\": \"wall\", \"static\": true, \"shape\": {\"type\": "
	                                       "\"halfspace\", \"normal\": [1, 0, 0], \"offset\": 0}}",
	             "")
	        .n,
	    0);
}

/* The two parts of u overlap the ball by 0.3 and 0.6 m. */
Test(review, two_bodies_have_one_warning_with_their_deepest_overlap)
{
	const Found found =
	    reviewed(BALL("ball", "[0, 0, 0]") ", {\"name\": \"u\", \"mass\": 500, \"shape\": {\"type\": \"union\", "
	                                       "\"parts\": [{\"type\": "
	                                       "\"sphere\", \"radius\": 0.5, \"position\": [0.7, 0, 0]}, {\"type\": "
	                                       "\"sphere\", \"radius\": 0.5, \"position\": [0, 0.4, "
	                                       "0]}]}}",
	             "");
	cr_assert_eq(found.n, 1);
	expect(&found, 0, "bodies[1].position", "ball and u overlap by 0.6 m");
}

Test(review, the_four_deepest_of_many_overlaps_are_reported)
{
	char bodies[1 << 13] = FLOOR;
	for (int i = 0; i < 9; i++) { /* depths in mixed order: 0.1 to 0.9 m */
		snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies), ", " BALL("b%d", "[%d, 0, %g]"), i,
		         3 * i, 0.5 - 0.1 * (1 + i * 5 % 9));
	}
	const Found found = reviewed(bodies, "");
	cr_assert_eq(found.n, 4);
	for (int i = 0; i < 4; i++) {
		char start[64];
		snprintf(start, sizeof start, "overlap by %g m", 0.9 - 0.1 * i);
		cr_expect(strstr(found.warnings[i].message, start), "%s", found.warnings[i].message);
		cr_expect_eq(strstr(found.warnings[i].message, "more pairs overlap") != NULL, i == 3);
	}
}

/* 400 balls at random places in a small box: the deepest overlap equals that of all pairs of centres. */
Test(review, the_deepest_overlap_of_a_random_heap)
{
	static char text[1 << 16];
	static double place[400][3];
	AbutRng rng = abut_rng_stream(7, 0);
	int a = 0, b = 0;
	double nearest = INFINITY;
	snprintf(text, sizeof text, "{\"abut\": 1, \"bodies\": [");
	for (int i = 0; i < 400; i++) {
		for (int k = 0; k < 3; k++) {
			place[i][k] = abut_rng_uniform(&rng, 0.0, 12.0);
		}
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s" BALL("b%d", "[%.17g, %.17g, %.17g]"),
		         i > 0 ? ", " : "", i, place[i][0], place[i][1], place[i][2]);
		for (int j = 0; j < i; j++) {
			const double d = hypot(hypot(place[i][0] - place[j][0], place[i][1] - place[j][1]),
			                       place[i][2] - place[j][2]);
			if (d < nearest) {
				nearest = d;
				a = j;
				b = i;
			}
		}
	}
	snprintf(text + strlen(text), sizeof text - strlen(text), "]}");
	Found found;
	cr_assert_eq(review(text, 0, &found), ABUT_OK);
	char start[64];
	snprintf(start, sizeof start, "b%d and b%d overlap by %.3g m", a, b, 1.0 - nearest);
	cr_assert_geq(found.n, 1);
	cr_expect(strncmp(found.warnings[0].message, start, strlen(start)) == 0, "%s, not %s",
	          found.warnings[0].message, start);
}

Test(review, lengths_in_millimetres)
{
	static const char body[] =
	    FLOOR ", {\"name\": \"crate\", \"%s\": %s, \"position\": [0, 0, 200], \"shape\": {\"type\": "
	          "\"box\", \"half_extents\": [%s]}}";
	static const struct {
		const char *mass, *value, *half, *warning;
	} cases[] = {
	    {"density", "1000", "50, 50, 50",
	     "crate, the smallest moving body, is 173 m across; lengths are in metres"},
	    {"mass", "0.004", "5, 5, 1", "crate has 2e-05 kg in each cubic metre"},
	    {"density", "1000", "0.05, 0.05, 0.05", NULL},
	    {"density", "1", "5, 5, 1", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char bodies[1024];
		snprintf(bodies, sizeof bodies, body, cases[i].mass, cases[i].value, cases[i].half);
		const Found found = reviewed(bodies, "");
		cr_assert_eq(found.n, cases[i].warning != NULL);
		if (cases[i].warning) {
			expect(&found, 0, "bodies[1].shape", cases[i].warning);
		}
	}
	/* One body of a usual size is enough: the other may be a ship. */
	const Found ship =
	    reviewed(BALL("buoy", "[0, 0, 200]") ", {\"name\": \"ship\", \"density\": 300, \"shape\": {\"type\": "
	                                         "\"box\", \"half_extents\": [100, 10, 10]}}",
	             "");
	cr_expect_eq(ship.n, 0);
}

Test(review, every_allocation_that_fails_is_out_of_memory)
{
	static const char text[] =
	    "{\"abut\": 1, \"bodies\": [" FLOOR ", " BALL("a", "[0, 0, 0]") ", " BALL("b", "[0.5, 0, 0]") "]}";
	Found found;
	cr_assert_eq(review(text, 0, &found), ABUT_OK);
	const long calls = watch.calls;
	cr_assert_gt(calls, 2);
	for (long i = 1; i <= calls; i++) {
		cr_expect_eq(review(text, i, &found), ABUT_ERROR_MEMORY, "allocation %ld of %ld", i, calls);
		cr_expect_eq(found.n, 0);
	}
}

static bool always(void *context)
{
	++*(int *)context;
	return true;
}

/* A caller that wants to stop is asked by the search for overlaps, too. */
Test(review, ends_when_its_caller_wants)
{
	static const char text[] =
	    "{\"abut\": 1, \"bodies\": [" BALL("a", "[0, 0, 0]") ", " BALL("b", "[0.5, 0, 0]") "]}";
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	Found found = {.n = -1};
	int asked = 0;
	cr_assert_eq(abut_scene_parse(text, strlen(text), "scene", 0, NULL, &scene, NULL), ABUT_OK);
	AbutSceneDef def = *abut_scene_def(scene);
	cr_assert_eq(abut_model_create(&def, &model, NULL), ABUT_OK);
	def.stop = &(AbutStop){always, &asked};
	cr_expect_eq(abut_scene_review(&def, model, &found.n, found.warnings), ABUT_ERROR_STOPPED);
	cr_expect(asked == 1 && found.n == 0, "%d, %d", asked, found.n);
	def.stop = NULL;
	cr_expect_eq(abut_scene_review(&def, model, &found.n, found.warnings), ABUT_OK);
	cr_expect_eq(found.n, 1);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}

/* A pair that a query refuses hides no pair after it: the first two bodies were moved out of reach after the model was
 * made. */
Test(review, goes_on_after_a_pair_that_is_refused)
{
	static const char text[] = "{\"abut\": 1, \"bodies\": [" BALL("x", "[9, 0, 0]") ", " BALL(
	    "y", "[9, 0, 0]") ", " BALL("a", "[0, 0, 0]") ", " BALL("b", "[0.25, 0, 0]") "]}";
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	Found found = {.n = -1};
	cr_assert_eq(abut_scene_parse(text, strlen(text), "scene", 0, NULL, &scene, NULL), ABUT_OK);
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_assert_eq(abut_model_create(def, &model, NULL), ABUT_OK);
	model->bodies[0].initial.position[0] = model->bodies[1].initial.position[0] = 2e9;
	cr_expect_eq(abut_scene_review(def, model, &found.n, found.warnings), ABUT_OK);
	cr_expect_eq(found.n, 1);
	expect(&found, 0, "bodies[3].position", "a and b overlap by 0.75 m at the start");
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}

Test(review, open_joints_at_the_start_are_closed_and_reported)
{
	const Found found = reviewed(BALL("b", "[1.2, 0, 0]"), ", \"joints\": [{\"name\": \"j\", \"type\": \"ball\", "
	                                                       "\"parent\": \"world\", \"child\": \"b\", "
	                                                       "\"child_frame\": {\"position\": [-1, 0, 0]}}]");
	cr_assert_eq(found.n, 1);
	expect(&found, 0, "bodies[0].position",
	       "the joints are open at the initial poses; bodies were moved by up to 0.2 m and 0 rad");
	const Found closed = reviewed(BALL("b", "[1, 0, 0]"), ", \"joints\": [{\"name\": \"j\", \"type\": \"ball\", "
	                                                      "\"parent\": \"world\", \"child\": \"b\", "
	                                                      "\"child_frame\": {\"position\": [-1, 0, 0]}}]");
	cr_expect_eq(closed.n, 0);
}

/* --- joints --- */

#define LINK(name, place) BALL(name, place)
#define HINGE(name, child, rest)                                                                                       \
	"{\"name\": \"" name "\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"" child                     \
	"\", \"parent_frame\": {}, \"child_frame\": {}" rest "}"

static Found reviewed_joints(const char *joint, const char *couplings)
{
	char rest[2048];
	snprintf(rest, sizeof rest, ", \"contacts\": [], \"joints\": [%s, %s, %s]%s", joint, HINGE("h1", "b", ""),
	         HINGE("h2", "c", ""), couplings);
	return reviewed(LINK("a", "[0, 0, 0]") ", " LINK("b", "[0, 0, 0]") ", " LINK("c", "[0, 0, 0]"), rest);
}

Test(review, angles_in_degrees)
{
	Found found = reviewed_joints(HINGE("h0", "a", ", \"limits\": [-45, 90]"), "");
	cr_assert_eq(found.n, 1);
	expect(&found, 0, "joints[0].limits", "joint h0 has an angle of 90 rad here, which is more than a turn; ");
	found = reviewed_joints(
	    HINGE("h0", "a", ", \"motor\": {\"type\": \"position\", \"stiffness\": 1, \"target\": -45}"), "");
	cr_assert_eq(found.n, 1);
	expect(&found, 0, "joints[0].motor.target", "joint h0 has an angle of -45 rad here");
	cr_expect_eq(reviewed_joints(HINGE("h0", "a", ", \"limits\": [-6.2, 6.2]"), "").n, 0);
	cr_expect_eq(reviewed_joints(
	                 HINGE("h0", "a", ", \"motor\": {\"type\": \"velocity\", \"damping\": 1, \"target\": 45}"), "")
	                 .n,
	             0);
	/* A slide of 90 m, and a turn of it; the entry of a list is named. */
	found = reviewed_joints("{\"name\": \"c\", \"type\": \"cylindrical\", \"parent\": \"world\", \"child\": \"a\", "
	                        "\"parent_frame\": {}, \"limits\": [[-90, 90], [-30, 30]]}",
	                        "");
	cr_assert_eq(found.n, 1);
	expect(&found, 0, "joints[0].limits[1]", "joint c has an angle of -30 rad here");
}

Test(review, a_reference_without_stiffness)
{
	Found found = reviewed_joints(HINGE("h0", "a", ", \"reference\": 0.3"), "");
	cr_assert_eq(found.n, 1);
	expect(&found, 0, "joints[0].reference", "the reference 0.3 of joint h0 has no effect");
	cr_expect_eq(reviewed_joints(HINGE("h0", "a", ", \"reference\": 0.3, \"stiffness\": 2"), "").n, 0);
}

/* Rings of three couplings: ratios whose product is 1 turn together, others lock. */
Test(review, couplings_that_lock)
{
	char couplings[256];
	for (int i = 0; i < 2; i++) {
		snprintf(couplings, sizeof couplings,
		         ", \"couplings\": [{\"joints\": [\"h0\", \"h1\"], \"ratio\": 2}, "
		         "{\"joints\": [\"h2\", \"h1\"], \"ratio\": -4}, "
		         "{\"joints\": [\"h0\", \"h2\"], \"ratio\": %g}]",
		         i == 0 ? -0.5 : 0.5);
		const Found found = reviewed_joints(HINGE("h0", "a", ""), couplings);
		cr_assert_eq(found.n, i);
		if (i == 1) {
			expect(&found, 0, "couplings[2].ratio",
			       "this coupling and those before it give h0 and h2 two different ratios");
		}
	}
}

/* Two hinges of one body to the world cannot both be at their given coordinates. */
Test(review, given_coordinates_that_were_changed_are_reported)
{
	static const char hinge[] = "{\"name\": \"%s\", \"type\": \"hinge\", \"parent\": \"world\", "
	                            "\"child\": \"b\", \"anchor\": [0, 0, 0]}";
	char joints[2][200], text[600];
	for (int i = 0; i < 2; i++) {
		snprintf(joints[i], sizeof joints[i], hinge, i == 0 ? "i" : "j");
	}
	snprintf(text, sizeof text, ", \"joints\": [%s, %s], \"initial\": {\"joints\": {\"i\": 0.2, \"j\": 0.4}}",
	         joints[0], joints[1]);
	const Found found = reviewed(BALL("b", "[1, 0, 0]"), text);
	cr_assert_eq(found.n, 1);
	cr_expect(strncmp(found.warnings[0].where, "initial.joints.", 15) == 0, "%s", found.warnings[0].where);
	cr_expect(strstr(found.warnings[0].message, "the joints were not closed at the given coordinates: "), "%s",
	          found.warnings[0].message);
}

/* A list of pairs leaves out the floor; one that ends with "all" does not. */
Test(review, static_bodies_in_no_pair)
{
	static const char two[] = BALL("a", "[0, 0, 9]") ", " BALL("b", "[5, 0, 9]") ", " FLOOR;
	const Found found = reviewed(two, ", \"contacts\": [{\"pair\": [\"a\", \"b\"]}]");
	cr_expect_eq(found.n, 1);
	expect(&found, 0, "contacts", "floor is in no pair of the list");
	cr_expect_eq(reviewed(two, ", \"contacts\": [{\"pair\": [\"a\", \"b\"]}, \"all\"]").n, 0);
	cr_expect_eq(reviewed(two, ", \"contacts\": [{\"pair\": [\"a\", \"floor\"]}]").n, 0);
	cr_expect_eq(reviewed(two, ", \"contacts\": []").n, 0);
}

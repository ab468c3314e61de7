/* Tests export to MJCF: what is imported again equals the scene in masses, poses, frames, laws and couplings. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/vec3.h"
#include "io/describe/mjcf_out.h"
#include "io/imported.h"

/* A trunk with a leg on two turns about one point, a slide and a hinge, a plane robot, a ball, a loop and a pair of
 * coupled joints. */
#define ROBOT                                                                                                          \
	"<mujoco><compiler angle=\"radian\"/><option timestep=\"0.004\" gravity=\"0 0 -3\"/><worldbody>"               \
	"<geom name=\"floor\" type=\"plane\" size=\"1 1 1\" pos=\"0 0 -2\"/>"                                          \
	"<body name=\"trunk\" pos=\"0 0 1\" euler=\"0.2 0.3 0.4\"><freejoint/><geom type=\"box\" size=\"0.1 0.2 "      \
	"0.3\"/>"                                                                                                      \
	"<site name=\"eye\" pos=\"0.1 0 0.2\" euler=\"0 1 0\"/>"                                                       \
	"<body name=\"thigh\" pos=\"0 0.3 0\" euler=\"0 0.5 0\"><joint name=\"x\" axis=\"1 0 0\" ref=\"0.1\" "         \
	"range=\"-1 1\"/><joint name=\"y\" axis=\"0 1 0\" stiffness=\"2\" springref=\"0.3\"/><geom type=\"capsule\" "  \
	"size=\"0.05 0.2\" pos=\"0 0 -0.2\"/>"                                                                         \
	"<body name=\"shank\" pos=\"0 0 -0.4\"><joint name=\"knee\" axis=\"0 1 0.5\" pos=\"0 0 0.1\" damping=\"0.3\" " \
	"frictionloss=\"0.2\" armature=\"0.01\"/><geom type=\"cylinder\" size=\"0.04 0.2\"/>"                          \
	"<body name=\"foot\" pos=\"0 0 -0.2\"><joint name=\"rail\" type=\"slide\" axis=\"1 0 0\" range=\"0 0.2\" "     \
	"ref=\"0.05\"/><geom type=\"ellipsoid\" size=\"0.1 0.05 0.03\"/></body></body></body>"                         \
	"<body name=\"head\" pos=\"0 0 0.4\"><joint name=\"neck\" type=\"ball\" damping=\"0.1\"/><geom size=\"0.1\"/>" \
	"</body></body>"                                                                                               \
	"<body name=\"cart\" pos=\"3 0 0\" euler=\"0 0.3 0\"><joint name=\"sx\" type=\"slide\" axis=\"1 0 "            \
	"0\"/><joint "                                                                                                 \
	"name=\"sz\" type=\"slide\" axis=\"0 0 1\"/><joint name=\"ry\" axis=\"0 1 0\"/><geom size=\"0.1\"/>"           \
	"<body name=\"pole\" pos=\"0 0 0.5\"><joint name=\"p\" axis=\"0 1 0\" ref=\"0.2\"/><geom "                     \
	"size=\"0.1\"/></body>"                                                                                        \
	"<body name=\"rod\" pos=\"0.5 0 0\"><joint name=\"q\" axis=\"0 1 0\"/><geom size=\"0.1\"/></body></body>"      \
	"</worldbody><equality><connect name=\"loop\" body1=\"pole\" body2=\"rod\" anchor=\"0.5 0 0.1\"/><joint "      \
	"joint1=\"knee\" joint2=\"rail\" polycoef=\"0 2 0 0 0\"/></equality><actuator><motor joint=\"x\" "             \
	"ctrlrange=\"-3 3\"/><general joint=\"knee\" gainprm=\"40\" biastype=\"affine\" biasprm=\"0 -40 -2\" "         \
	"forcerange=\"-9 9\"/><velocity joint=\"p\" kv=\"5\"/></actuator><contact><exclude body1=\"foot\" "            \
	"body2=\"head\"/></contact></mujoco>"

static void keep_note(void *context, const AbutDescribeNote *note)
{
	char line[400];
	snprintf(line, sizeof line, "%s|%s|%s\n", note->element, note->name, note->text);
	strncat(context, line, 400);
}

/* Exports the scene and imports it again. */
static void round_trip_with(const Imported *imported, Imported *again, char notes[4000],
                            const AbutImportOptions *options)
{
	char *text = NULL;
	size_t length = 0;
	AbutError error = {0};
	const AbutDescribeNotes out = {notes, keep_note};
	notes[0] = '\0';
	FILE *stream = open_memstream(&text, &length);
	cr_assert_eq(abut_describe_mjcf(stream, imported->model, abut_scene_def(imported->scene), &out, &error),
	             ABUT_OK);
	fclose(stream);
	open_text_with(again, text, options);
	free(text);
}

static void round_trip(const Imported *imported, Imported *again, char notes[4000])
{
	round_trip_with(imported, again, notes, NULL);
}

static void world_of(const AbutJointDef *joint, const AbutSceneDef *def, double axes[9], double place[3])
{
	const AbutBodyDef *child = &def->bodies[joint->child];
	double R[9], F[9], moved[3];
	abut_quat_to_mat3(child->orientation, R);
	abut_quat_to_mat3(joint->child_frame.orientation, F);
	abut_mat3_mul(R, F, axes);
	abut_mat3_vec(R, joint->child_frame.position, moved);
	abut_add3(child->position, moved, place);
}

/* Compares the axis z of the joints (of universal and planar ones, all three), their anchors and laws. */
static void compare_joint(const AbutJointDef *a, const AbutSceneDef *da, const AbutJointDef *b, const AbutSceneDef *db)
{
	double axes[2][9], place[2][3];
	cr_expect_eq(a->type, b->type, "%s", a->name);
	cr_expect_eq(a->collide, b->collide, "%s", a->name);
	world_of(a, da, axes[0], place[0]);
	world_of(b, db, axes[1], place[1]);
	const int step = a->type == ABUT_JOINT_UNIVERSAL || a->type == ABUT_JOINT_PLANAR ? 1 : 3;
	for (int i = step == 1 ? 0 : 2; i < 9 && a->type != ABUT_JOINT_BALL; i += step) {
		cr_expect_float_eq(axes[0][i], axes[1][i], 1e-12, "%s: axes %d", a->name, i);
	}
	for (int i = 0; i < 3 && a->type != ABUT_JOINT_SLIDE; i++) {
		cr_expect_float_eq(place[0][i], place[1][i], 1e-12, "%s: anchor %d", a->name, i);
	}
	for (int k = 0; k < abut_joint_type_freedoms(a->type); k++) {
		const AbutJointAxis *p = &a->axes[k], *q = &b->axes[k];
		const double ours[] = {p->has_limits, p->lower,         p->upper,           p->reference,
		                       p->stiffness,  p->damping,       p->friction,        p->armature,
		                       p->motor.type, p->motor.damping, p->motor.stiffness, fmin(p->motor.limit, 1e9)};
		const double theirs[] = {q->has_limits,    q->lower,           q->upper,
		                         q->reference,     q->stiffness,       q->damping,
		                         q->friction,      q->armature,        q->motor.type,
		                         q->motor.damping, q->motor.stiffness, fmin(q->motor.limit, 1e9)};
		for (int i = 0; i < 12; i++) {
			cr_expect_float_eq(ours[i], theirs[i], 1e-12, "%s: law %d of %d: %g, %g", a->name, i, k,
			                   ours[i], theirs[i]);
		}
	}
}

Test(describe, mjcf_is_imported_as_the_same_scene)
{
	static Imported first, again;
	char notes[4000];
	open_text(&first, ROBOT);
	round_trip(&first, &again, notes);
	const AbutSceneDef *a = abut_scene_def(first.scene), *b = abut_scene_def(again.scene);
	cr_expect_str_eq(notes, "");
	cr_assert_eq(a->n_bodies, b->n_bodies);
	cr_assert_eq(a->n_joints, b->n_joints);
	cr_assert_eq(a->n_pairs, b->n_pairs);
	expect_near(b->timestep, 0.004);
	expect_near(b->gravity[2], -3.0);
	for (int i = 0; i < a->n_bodies; i++) {
		const AbutBodyDef *p = &a->bodies[i], *q = find(&again, p->name);
		expect_near(abut_model_body_mass(again.model, (int)(q - b->bodies)),
		            abut_model_body_mass(first.model, i));
		expect_vector(q->position, p->position, 3, 1e-12);
		cr_expect_float_eq(
		    fabs(abut_dot3(q->orientation, p->orientation) + q->orientation[3] * p->orientation[3]), 1.0, 1e-12,
		    "%s", p->name);
	}
	for (int i = 0; i < a->n_joints; i++) {
		/* loops are named after their element */
		const AbutJointDef *joint = &a->joints[i];
		char name[100];
		snprintf(name, sizeof name, "%s", joint->name);
		if (strcmp(name, "loop") == 0) {
			snprintf(name, sizeof name, "connect");
		}
		const AbutJointDef *theirs = joint_of(&again, name);
		if (strcmp(name, "connect") != 0) { /* whose ends are exchanged */
			compare_joint(joint, a, theirs, b);
		}
	}
	cr_assert_eq(b->n_couplings, 1);
	expect_near(b->couplings[0].ratio, a->couplings[0].ratio);
	expect_near(b->couplings[0].offset, a->couplings[0].offset);
	cr_assert_eq(b->n_sites, 1);
	expect_vector(b->sites[0].frame.orientation, a->sites[0].frame.orientation, 4, 1e-12);
	cr_expect_float_eq(joint_after(&first, "p", 20).position[0], joint_after(&again, "p", 20).position[0], 1e-9);
	close_import(&first);
	close_import(&again);
}

static void open_json(Imported *scene, const char *text)
{
	AbutError error = {0};
	memset(scene, 0, sizeof *scene);
	cr_assert_eq(abut_scene_parse(text, strlen(text), "s.json", 0, NULL, &scene->scene, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(scene->scene), &scene->model, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
}

static const AbutPairDef *pair_of(const Imported *imported, const char *a, const char *b)
{
	const AbutSceneDef *def = abut_scene_def(imported->scene);
	for (int i = 0; i < def->n_pairs; i++) {
		const char *names[2] = {def->bodies[def->pairs[i].body_a].name, def->bodies[def->pairs[i].body_b].name};
		if ((strcmp(names[0], a) == 0 && strcmp(names[1], b) == 0) ||
		    (strcmp(names[0], b) == 0 && strcmp(names[1], a) == 0)) {
			return &def->pairs[i];
		}
	}
	return NULL;
}

#define BODY(name, more)                                                                                               \
	"{\"name\": \"" name "\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"mass\": 1, "                   \
	"\"friction\": 0.5" more "}"

/* Springs, values of pairs, pairs of joined bodies and planar bodies come back from MJCF; the rest is noted. */
Test(describe, mjcf_holds_springs_pairs_and_planar_bodies)
{
	static Imported first, again;
	char notes[4000];
	open_json(&first,
	          "{\"abut\": 1, \"solver\": {\"method\": \"lcp\"}, \"bodies\": [{\"name\": \"floor\", \"static\": "
	          "true, \"shape\": {\"type\": "
	          "\"halfspace\", "
	          "\"normal\": [0, 0, 1], \"offset\": -9}, \"friction\": 0.5}," BODY(
	              "a", ", \"linear_velocity\": [1, "
	                   "0, 0]") "," BODY("b", ", \"position\": [0, 0, 1]") "," BODY("c", ", \"position\": [0, 0, "
	                                                                                     "2]") "," BODY("flat",
	                                                                                                    ", "
	                                                                                                    "\"position"
	                                                                                                    "\": [5, "
	                                                                                                    "1, 0], "
	                                                                                                    "\"orientat"
	                                                                                                    "ion\": "
	                                                                                                    "[0.8, "
	                                                                                                    "0.6, 0, "
	                                                                                                    "0], "
	                                                                                                    "\"planar\""
	                                                                                                    ": \"xz\", "
	                                                                                                    "\"input\":"
	                                                                                                    " "
	                                                                                                    "{\"force\""
	                                                                                                    ": "
	                                                                                                    "[1, 0, "
	                                                                                                    "0]}") "], "
	                                                                                                           "\"j"
	                                                                                                           "oin"
	                                                                                                           "ts"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[{"
	                                                                                                           "\"n"
	                                                                                                           "ame"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"h"
	                                                                                                           "\","
	                                                                                                           " \""
	                                                                                                           "typ"
	                                                                                                           "e\""
	                                                                                                           ": "
	                                                                                                           "\"h"
	                                                                                                           "ing"
	                                                                                                           "e\""
	                                                                                                           ", "
	                                                                                                           "\"p"
	                                                                                                           "are"
	                                                                                                           "nt"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"a"
	                                                                                                           "\","
	                                                                                                           " \""
	                                                                                                           "chi"
	                                                                                                           "ld"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"b"
	                                                                                                           "\","
	                                                                                                           " "
	                                                                                                           "\"a"
	                                                                                                           "nch"
	                                                                                                           "or"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[0,"
	                                                                                                           " "
	                                                                                                           "0, "
	                                                                                                           "0."
	                                                                                                           "5],"
	                                                                                                           " "
	                                                                                                           "\"a"
	                                                                                                           "xis"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[0,"
	                                                                                                           " "
	                                                                                                           "1, "
	                                                                                                           "0],"
	                                                                                                           " "
	                                                                                                           "\"l"
	                                                                                                           "imi"
	                                                                                                           "ts"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[-"
	                                                                                                           "1, "
	                                                                                                           "1],"
	                                                                                                           " "
	                                                                                                           "\"f"
	                                                                                                           "ric"
	                                                                                                           "tio"
	                                                                                                           "n\""
	                                                                                                           ": "
	                                                                                                           "0."
	                                                                                                           "1, "
	                                                                                                           "\"l"
	                                                                                                           "imi"
	                                                                                                           "t_"
	                                                                                                           "spr"
	                                                                                                           "ing"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "{\""
	                                                                                                           "sol"
	                                                                                                           "ref"
	                                                                                                           "\":"
	                                                                                                           " ["
	                                                                                                           "0."
	                                                                                                           "05,"
	                                                                                                           " "
	                                                                                                           "0."
	                                                                                                           "7],"
	                                                                                                           " "
	                                                                                                           "\"s"
	                                                                                                           "oli"
	                                                                                                           "mp"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[0."
	                                                                                                           "8, "
	                                                                                                           "0."
	                                                                                                           "99,"
	                                                                                                           " "
	                                                                                                           "0."
	                                                                                                           "01,"
	                                                                                                           " "
	                                                                                                           "0."
	                                                                                                           "4, "
	                                                                                                           "3],"
	                                                                                                           " "
	                                                                                                           "\"m"
	                                                                                                           "arg"
	                                                                                                           "in"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "0."
	                                                                                                           "1},"
	                                                                                                           " "
	                                                                                                           "\"f"
	                                                                                                           "ric"
	                                                                                                           "tio"
	                                                                                                           "n_"
	                                                                                                           "spr"
	                                                                                                           "ing"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "{\""
	                                                                                                           "sol"
	                                                                                                           "ref"
	                                                                                                           "\":"
	                                                                                                           " [-"
	                                                                                                           "100"
	                                                                                                           ", "
	                                                                                                           "-2]"
	                                                                                                           "}},"
	                                                                                                           " {"
	                                                                                                           "\"n"
	                                                                                                           "ame"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"n"
	                                                                                                           "\","
	                                                                                                           " "
	                                                                                                           "\"t"
	                                                                                                           "ype"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"b"
	                                                                                                           "all"
	                                                                                                           "\","
	                                                                                                           " "
	                                                                                                           "\"p"
	                                                                                                           "are"
	                                                                                                           "nt"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"b"
	                                                                                                           "\","
	                                                                                                           " \""
	                                                                                                           "chi"
	                                                                                                           "ld"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"c"
	                                                                                                           "\","
	                                                                                                           " \""
	                                                                                                           "anc"
	                                                                                                           "hor"
	                                                                                                           "\":"
	                                                                                                           " ["
	                                                                                                           "0, "
	                                                                                                           "0, "
	                                                                                                           "1."
	                                                                                                           "5],"
	                                                                                                           " "
	                                                                                                           "\"m"
	                                                                                                           "oto"
	                                                                                                           "r\""
	                                                                                                           ": "
	                                                                                                           "{\""
	                                                                                                           "typ"
	                                                                                                           "e\""
	                                                                                                           ": "
	                                                                                                           "\"p"
	                                                                                                           "osi"
	                                                                                                           "tio"
	                                                                                                           "n\""
	                                                                                                           ", "
	                                                                                                           "\"s"
	                                                                                                           "tif"
	                                                                                                           "fne"
	                                                                                                           "ss"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "4, "
	                                                                                                           "\"d"
	                                                                                                           "amp"
	                                                                                                           "ing"
	                                                                                                           "\":"
	                                                                                                           " 1,"
	                                                                                                           " "
	                                                                                                           "\"l"
	                                                                                                           "imi"
	                                                                                                           "t\""
	                                                                                                           ": "
	                                                                                                           "3, "
	                                                                                                           "\"t"
	                                                                                                           "arg"
	                                                                                                           "et"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[0,"
	                                                                                                           " "
	                                                                                                           "0."
	                                                                                                           "5, "
	                                                                                                           "0]}"
	                                                                                                           "}],"
	                                                                                                           " \""
	                                                                                                           "con"
	                                                                                                           "tac"
	                                                                                                           "ts"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[{"
	                                                                                                           "\"p"
	                                                                                                           "air"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[\""
	                                                                                                           "flo"
	                                                                                                           "or"
	                                                                                                           "\","
	                                                                                                           " "
	                                                                                                           "\"a"
	                                                                                                           "\"]"
	                                                                                                           ", "
	                                                                                                           "\"f"
	                                                                                                           "ric"
	                                                                                                           "tio"
	                                                                                                           "n\""
	                                                                                                           ": "
	                                                                                                           "0."
	                                                                                                           "3, "
	                                                                                                           "\"t"
	                                                                                                           "ors"
	                                                                                                           "ion"
	                                                                                                           "al_"
	                                                                                                           "rad"
	                                                                                                           "ius"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "0."
	                                                                                                           "02,"
	                                                                                                           " "
	                                                                                                           "\"s"
	                                                                                                           "olr"
	                                                                                                           "ef"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[0."
	                                                                                                           "01,"
	                                                                                                           " 1]"
	                                                                                                           ", "
	                                                                                                           "\"m"
	                                                                                                           "arg"
	                                                                                                           "in"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "0."
	                                                                                                           "05}"
	                                                                                                           ","
	                                                                                                           " {"
	                                                                                                           "\"p"
	                                                                                                           "air"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "[\""
	                                                                                                           "a\""
	                                                                                                           ", "
	                                                                                                           "\"b"
	                                                                                                           "\"]"
	                                                                                                           ", "
	                                                                                                           "\"f"
	                                                                                                           "ric"
	                                                                                                           "tio"
	                                                                                                           "n\""
	                                                                                                           ": "
	                                                                                                           "0."
	                                                                                                           "5, "
	                                                                                                           "\"t"
	                                                                                                           "ors"
	                                                                                                           "ion"
	                                                                                                           "al_"
	                                                                                                           "rad"
	                                                                                                           "ius"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "0},"
	                                                                                                           " "
	                                                                                                           "{\""
	                                                                                                           "pai"
	                                                                                                           "r\""
	                                                                                                           ": "
	                                                                                                           "[\""
	                                                                                                           "flo"
	                                                                                                           "or"
	                                                                                                           "\","
	                                                                                                           " "
	                                                                                                           "\"c"
	                                                                                                           "\"]"
	                                                                                                           ", "
	                                                                                                           "\"f"
	                                                                                                           "ric"
	                                                                                                           "tio"
	                                                                                                           "n\""
	                                                                                                           ": "
	                                                                                                           "0."
	                                                                                                           "5, "
	                                                                                                           "\"t"
	                                                                                                           "ors"
	                                                                                                           "ion"
	                                                                                                           "al_"
	                                                                                                           "rad"
	                                                                                                           "ius"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "0, "
	                                                                                                           "\"r"
	                                                                                                           "est"
	                                                                                                           "itu"
	                                                                                                           "tio"
	                                                                                                           "n\""
	                                                                                                           ": "
	                                                                                                           "0."
	                                                                                                           "5}]"
	                                                                                                           ","
	                                                                                                           " \""
	                                                                                                           "sen"
	                                                                                                           "sor"
	                                                                                                           "s\""
	                                                                                                           ": "
	                                                                                                           "[{"
	                                                                                                           "\"n"
	                                                                                                           "ame"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"a"
	                                                                                                           "ngl"
	                                                                                                           "e\""
	                                                                                                           ", "
	                                                                                                           "\"t"
	                                                                                                           "ype"
	                                                                                                           "\":"
	                                                                                                           " "
	                                                                                                           "\"j"
	                                                                                                           "oin"
	                                                                                                           "t_"
	                                                                                                           "pos"
	                                                                                                           "iti"
	                                                                                                           "on"
	                                                                                                           "\","
	                                                                                                           " "
	                                                                                                           "\"j"
	                                                                                                           "oin"
	                                                                                                           "t\""
	                                                                                                           ": "
	                                                                                                           "\"h"
	                                                                                                           "\"}"
	                                                                                                           "]"
	                                                                                                           "}");
	round_trip(&first, &again, notes);
	cr_expect_str_eq(
	    notes, "body|flat|approximated: planar body \"flat\" moves on two slides and a hinge\n"
	           "motor|n|approximated: the motor of ball \"n\" is three actuators, each with its limit\n"
	           "contacts||left out: the restitution of \"floor\" and \"c\"\n"
	           "scene||approximated: initial velocities and targets of motors are those of keyframe \"start\"\n"
	           "body|flat|left out: of body \"flat\": constant force or torque\nsensor|angle|left out: sensor "
	           "\"angle\"\n");
	const AbutJointDef *a = joint_of(&first, "h"), *b = joint_of(&again, "h");
	cr_expect(b->limit_spring.has_solref && b->limit_spring.has_solimp && b->limit_spring.has_margin);
	expect_vector(b->limit_spring.solref, a->limit_spring.solref, 2, 0.0);
	expect_vector(b->limit_spring.solimp, a->limit_spring.solimp, 5, 0.0);
	expect_near(b->limit_spring.margin, 0.1);
	expect_vector(b->friction_spring.solref, a->friction_spring.solref, 2, 0.0);
	cr_assert_eq(abut_scene_def(again.scene)->n_pairs, 3);
	const AbutPairDef *pair = pair_of(&again, "floor", "a"), *joined = pair_of(&again, "a", "b");
	cr_assert(pair && joined && pair_of(&again, "floor", "c"));
	expect_near(pair->friction, 0.3);
	expect_near(pair->torsional_radius, 0.02);
	expect_near(pair->solref[0], 0.01);
	expect_near(pair->margin, 0.05);
	expect_near(joined->friction, 0.5);
	expect_near(joined->torsional_radius, 0.0);
	/* the body keeps to its plane: along x and z, and about y */
	const AbutSceneDef *def = abut_scene_def(again.scene);
	const AbutJointDef *planar = joint_of(&again, "flat_z+flat_x+flat_turn");
	double axes[9], place[3];
	cr_expect_eq(planar->type, ABUT_JOINT_PLANAR);
	world_of(planar, def, axes, place);
	cr_expect_float_eq(fabs(axes[5]), 1.0, 1e-12);
	expect_near(place[1], 1.0);
	close_import(&first);
	close_import(&again);
}

/* Pairs that are not listed have the larger friction in MJCF, and no torsion. */
Test(describe, unlisted_pairs_are_noted)
{
	static Imported first, again;
	char notes[4000];
	open_json(&first, "{\"abut\": 1, \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": "
	                  "\"halfspace\", \"normal\": [0, 0, 1], \"offset\": -9}, \"friction\": 0.2}," BODY(
	                      "a", "") "," BODY("b", ", \"position\": [0, 0, 1]") "]}");
	round_trip(&first, &again, notes);
	cr_expect_str_eq(notes,
	                 "contacts||approximated: friction of 2 pairs of bodies, not listed in \"contacts\", is the "
	                 "larger coefficient instead of the mean\ncontacts||left out: torsional friction of 3 pairs of "
	                 "bodies, not listed in \"contacts\"\n");
	close_import(&first);
	close_import(&again);
}

/* Velocities and targets of the start are those of a keyframe: bodies move as before, whatever moves them. */
Test(describe, a_keyframe_of_mjcf_holds_velocities_and_targets)
{
	static const AbutImportOptions options = {.keyframe = "start"};
	static Imported first, again;
	char notes[4000];
	open_json(
	    &first,
	    "{\"abut\": 1, \"timestep\": 0.001, \"bodies\": [" BODY(
	        "a",
	        ", \"centre_of_mass\": [0.02, 0.01, -0.03], \"inertia\": [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]], "
	        "\"orientation\": [0.8, 0, 0.6, 0], \"linear_velocity\": [1, 2, 3], \"angular_velocity\": [0.3, 0.2, "
	        "0.1]") "," BODY("b",
	                         "") "," BODY("c",
	                                      "") "," BODY("flat",
	                                                   ", \"position\": [5, 1, 0], \"orientation\": [0.8, 0.6, 0, "
	                                                   "0], \"planar\": \"xz\", "
	                                                   "\"linear_velocity\": [0.1, 0, 0.2], \"angular_velocity\": "
	                                                   "[0, 0.084, -0.288]") "], \"joints\": "
	                                                                         "[{\"name\": \"h\", \"type\": "
	                                                                         "\"hinge\", \"parent\": \"a\", "
	                                                                         "\"child\": \"b\", \"parent_frame\": "
	                                                                         "{\"position\": "
	                                                                         "[0, 0, 0.5]}, \"child_frame\": "
	                                                                         "{\"position\": [0, 0, -0.5]}, "
	                                                                         "\"motor\": {\"type\": \"position\", "
	                                                                         "\"stiffness\": 4, \"damping\": 1, "
	                                                                         "\"target\": 0.7}}, {\"name\": \"n\", "
	                                                                         "\"type\": \"ball\", \"parent\": "
	                                                                         "\"b\", "
	                                                                         "\"child\": \"c\", \"parent_frame\": "
	                                                                         "{\"position\": [0, 0, 0.5], "
	                                                                         "\"orientation\": [0.5, 0.5, 0.5, "
	                                                                         "0.5]}, "
	                                                                         "\"child_frame\": {\"position\": [0, "
	                                                                         "0, -0.5], \"orientation\": [0.5, "
	                                                                         "0.5, 0.5, 0.5]}}], \"initial\": "
	                                                                         "{\"joints\": {\"h\": 0.4, \"n\": "
	                                                                         "[0.2, 0.1, 0.3]}, "
	                                                                         "\"joint_velocities\": {\"h\": 2, "
	                                                                         "\"n\": [0.1, 0.2, 0.3]}}}");
	round_trip_with(&first, &again, notes, &options);
	cr_expect(strstr(notes, "are those of keyframe \"start\""), "%s", notes);
	cr_expect_eq(joint_of(&again, "h")->axes[0].motor.target, 0.7);
	expect_near(joint_after(&again, "h", 0).position[0], 0.4);
	AbutState *states[2] = {NULL, NULL};
	cr_assert_eq(abut_state_create(first.model, &states[0], NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(again.model, &states[1], NULL), ABUT_OK);
	for (int i = 0; i < 4; i++) {
		const char *name = abut_scene_def(first.scene)->bodies[i].name;
		AbutBodyState a, b;
		abut_state_get_body(first.model, states[0], i, &a);
		abut_state_get_body(again.model, states[1],
		                    (int)(find(&again, name) - abut_scene_def(again.scene)->bodies), &b);
		cr_expect_gt(abut_norm3(a.linear_velocity), 0.1);
		/* bodies on joints to the order of the timestep, by which the velocities of the start differ from rates
		 */
		const double tolerance = i == 0 ? 1e-12 : 2e-3;
		expect_vector(b.linear_velocity, a.linear_velocity, 3, tolerance);
		expect_vector(b.angular_velocity, a.angular_velocity, 3, tolerance);
	}
	abut_state_destroy(states[0]);
	abut_state_destroy(states[1]);
	close_import(&first);
	close_import(&again);
}

/* Tests equalities of imported models that close loops: their frames by hand, and that the steps hold them. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/abut.h"
#include "io/imported.h"

/* Two arms that hang from the world 0.6 m apart, and a bar from the end of the first to that of the second. */
#define ARMS(REST)                                                                                                     \
	"<mujoco><compiler angle=\"radian\"/><worldbody>"                                                              \
	"<body name=\"left\" pos=\"0 0 2\"><joint name=\"l\" axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 "   \
	"0 0 -0.5\" size=\"0.02\" contype=\"0\" conaffinity=\"0\"/>"                                                   \
	"<body name=\"bar\" pos=\"0 0 -0.5\"><joint name=\"b\" axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 " \
	"0.6 0 0\" size=\"0.02\" contype=\"0\" conaffinity=\"0\"/><site name=\"tip\" pos=\"0.6 0 0\"/></body></body>"  \
	"<body name=\"right\" pos=\"0.6 0 2\" euler=\"0 0 0.4\"><joint name=\"r\" axis=\"0.3894183423086505 "          \
	"0.9210609940028851 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 -0.5\" size=\"0.02\" contype=\"0\" "        \
	"conaffinity=\"0\"/><site name=\"end\" pos=\"0 0 -0.5\"/></body></worldbody>\n"                                \
	"<equality>" REST "</equality></mujoco>"

static void expect_loop(Imported *imported, AbutJointType type)
{
	const AbutJointDef *joint = joint_of(imported, "loop");
	const double tip[3] = {0.6, 0.0, 0.0}, end[3] = {0.0, 0.0, -0.5};
	cr_expect_eq(joint->type, type);
	expect_vector(joint->parent_frame.position, tip, 3, 1e-12);
	expect_vector(joint->child_frame.position, end, 3, 1e-12);
	const AbutJointState after = joint_after(imported, "loop", 50);
	cr_expect_lt(after.violation_m, 1e-10);
	close_import(imported);
}

Test(import_loops, connect_is_a_ball)
{
	Imported imported;
	open_text(&imported, ARMS("<connect name=\"loop\" body1=\"bar\" body2=\"right\" anchor=\"0.6 0 0\"/>"));
	expect_loop(&imported, ABUT_JOINT_BALL);
	open_text(&imported, ARMS("<connect name=\"loop\" site1=\"tip\" site2=\"end\"/>"));
	expect_loop(&imported, ABUT_JOINT_BALL);
}

/* Method convex holds them by MuJoCo's springs. */
Test(import_loops, equalities_have_springs)
{
	Imported imported;
	open_text(&imported, ARMS("<connect name=\"loop\" body1=\"bar\" body2=\"right\" anchor=\"0.6 0 0\" "
	                          "solref=\"0.5 1.25\"/><weld name=\"usual\" body1=\"bar\"/>"));
	const AbutJointDef *loop = joint_of(&imported, "loop"), *usual = joint_of(&imported, "usual");
	cr_expect(loop->has_equality_spring && loop->equality_spring.has_solref);
	cr_expect_eq(loop->equality_spring.solref[0], 0.5);
	cr_expect_eq(loop->equality_spring.solref[1], 1.25);
	cr_expect(usual->has_equality_spring && !usual->equality_spring.has_solref);
	cr_expect_not(joint_of(&imported, "l")->has_equality_spring);
	close_import(&imported);
}

static bool has_note_of(const Imported *imported, const char *part)
{
	bool has = false;
	for (int i = 0; abut_import_note(imported->import, i); i++) {
		has = has || strstr(abut_import_note(imported->import, i)->text, part);
	}
	return has;
}

/* Turns of a weld are as soft as its places. */
Test(import_loops, torquescale_is_noted)
{
	Imported imported;
	open_text(&imported, ARMS("<weld name=\"w\" body1=\"bar\" torquescale=\"0.25\"/>"));
	cr_expect(has_note_of(&imported, "\"w\": its torquescale is 1, not 0.25"));
	close_import(&imported);
	open_text(&imported, ARMS("<weld name=\"w\" body1=\"bar\" torquescale=\"1\"/>"));
	cr_expect_not(has_note_of(&imported, "torquescale"));
	close_import(&imported);
}

/* A weld to the world at the model's pose, and one by a relative pose, which the bodies are moved to. */
Test(import_loops, weld_is_fixed)
{
	Imported imported;
	open_text(&imported, ARMS("<weld name=\"loop\" body1=\"bar\"/>"));
	const AbutJointDef *joint = joint_of(&imported, "loop");
	const double below[3] = {0.0, 0.0, -1.5}, none[3] = {0.0, 0.0, 0.0}; /* the anchor is the origin of the world */
	cr_expect_eq(joint->type, ABUT_JOINT_FIXED);
	cr_expect_eq(joint->parent, ABUT_JOINT_WORLD);
	expect_vector(joint->parent_frame.position, none, 3, 1e-12);
	expect_vector(joint->child_frame.position, below, 3, 1e-12);
	cr_expect_float_eq(joint_after(&imported, "l", 20).position[0], 0.0, 1e-10);
	close_import(&imported);
	open_text(&imported,
	          ARMS("<weld name=\"loop\" body1=\"left\" body2=\"bar\" relpose=\"0 0 -0.5 0.98877107793604 0 "
	               "0.14943813247359922 0\"/>"));
	joint = joint_of(&imported, "loop");
	const double at[3] = {0.0, 0.0, -0.5}, turn[4] = {cos(0.15), 0.0, sin(0.15), 0.0};
	expect_vector(joint->parent_frame.position, at, 3, 1e-12);
	expect_vector(joint->parent_frame.orientation, turn, 4, 1e-12);
	expect_vector(joint->child_frame.position, none, 3, 1e-12);
	cr_expect_float_eq(joint_after(&imported, "b", 0).position[0], 0.3, 1e-10);
	close_import(&imported);
}

Test(import_loops, what_closes_nothing_is_named)
{
	Imported imported;
	open_text(&imported, ARMS("\n<connect body1=\"bar\" body2=\"bar\" anchor=\"0 0 0\"/>\n"
	                          "<weld body1=\"bar\" active=\"false\"/>\n<flex name=\"f\"/>"));
	cr_expect(has_note(&imported, "both ends are of one body", 3));
	cr_expect(has_note(&imported, "it is not active", 4));
	cr_expect(has_note(&imported, "it has no counterpart", 5));
	close_import(&imported);
	char path[64];
	AbutImport *import = NULL;
	AbutError error = {0};
	write_model(ARMS("<connect body1=\"bar\" body2=\"nobody\" anchor=\"0 0 0\"/>"), path);
	cr_expect_eq(abut_import_read(path, NULL, &import, &error), ABUT_ERROR_PARSE);
	cr_expect(strstr(error.message, "body2: must name a body of the model, is \"nobody\""), "%s", error.message);
	remove_model(path);
}

#define LINK(NAME)                                                                                                     \
	"<link name=\"" NAME "\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" "        \
	"ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
#define JOINT(NAME, PARENT, CHILD, PLACE)                                                                              \
	"<joint name=\"" NAME "\" type=\"continuous\"><parent link=\"" PARENT "\"/><child link=\"" CHILD               \
	"\"/><origin xyz=\"" PLACE "\"/><axis xyz=\"0 1 0\"/></joint>"

/* Dojo's extensions of URDF: a loop whose frames are given in both links, and a joint that turns about two axes. */
Test(import_loops, loops_and_orbits_of_urdf)
{
	Imported imported;
	open_text(
	    &imported,
	    "<robot name=\"r\"><link name=\"base\"/>" LINK("left") LINK("bar") LINK("right") LINK("foot")
	        JOINT("l", "base", "left", "0 0 2") JOINT("b", "left", "bar", "0 0 -0.5") JOINT(
	            "r", "base", "right",
	            "0.6 0 2") "<loop_joint name=\"loop\" type=\"continuous\"><axis xyz=\"0 1 0\"/><link1 link=\"bar\" "
	                       "xyz=\"0.6 0 0\"/><link2 link=\"right\" xyz=\"0 0 -0.5\"/><dynamics damping=\"0.3\"/>"
	                       "</loop_joint><joint name=\"o\" type=\"orbital\"><parent link=\"right\"/><child "
	                       "link=\"foot\"/><axis xyz=\"0 0 1\"/></joint></robot>");
	const AbutJointDef *orbit = joint_of(&imported, "o");
	cr_expect_eq(orbit->type, ABUT_JOINT_UNIVERSAL);
	cr_expect_float_eq(fabs(orbit->parent_frame.orientation[0]), 1.0, 1e-12, "its axes are orthogonal to z");
	expect_near(joint_of(&imported, "loop")->axes[0].damping, 0.3);
	expect_loop(&imported, ABUT_JOINT_HINGE);
}

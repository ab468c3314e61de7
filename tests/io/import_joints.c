/* Tests joints of imported models: frames, limits, springs and motors by closed forms, and coordinates at the model's
 * pose. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "io/imported.h"

#define ARM                                                                                                            \
	"<mujoco><compiler angle=\"degree\"/><default><joint damping=\"0.5\" armature=\"0.02\"/>"                      \
	"<default class=\"soft\"><joint stiffness=\"7\"/></default></default><worldbody>"                              \
	"<body name=\"upper\" pos=\"0 0 2\"><joint name=\"shoulder\" pos=\"0.1 0 0\" axis=\"0 2 0\" range=\"-90 30\" " \
	"frictionloss=\"0.3\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 -0.5\" size=\"0.05\" mass=\"2\"/>"            \
	"<body name=\"lower\" pos=\"0 0 -0.6\" childclass=\"soft\"><joint name=\"rail\" type=\"slide\" axis=\"0 0 "    \
	"-1\" "                                                                                                        \
	"ref=\"0.2\" springref=\"0.1\" range=\"0 0.4\"/>"                                                              \
	"<geom type=\"capsule\" fromto=\"0 0 0 0 0 -0.5\" size=\"0.05\" mass=\"1\"/></body></body></worldbody>"

Test(import_joints, hinges_and_slides_of_mjcf)
{
	Imported imported;
	open_text(&imported, ARM "</mujoco>");
	const AbutJointDef *hinge = joint_of(&imported, "shoulder"), *slide = joint_of(&imported, "rail");
	const double pi = acos(-1.0), anchor[3] = {0.1, 0.0, 2.0};
	cr_expect_eq(hinge->type, ABUT_JOINT_HINGE);
	cr_expect_eq(hinge->parent, ABUT_JOINT_WORLD);
	expect_vector(hinge->parent_frame.position, anchor, 3, 1e-15);
	double R[9];
	abut_quat_to_mat3(hinge->parent_frame.orientation, R);
	cr_expect_float_eq(R[5], 1.0, 1e-15, "z is not along y");
	expect_near(hinge->axes[0].lower, -0.5 * pi);
	expect_near(hinge->axes[0].upper, pi / 6.0);
	expect_near(hinge->axes[0].friction, 0.3);
	expect_near(hinge->axes[0].damping, 0.5);
	expect_near(hinge->axes[0].armature, 0.02);
	expect_near(hinge->axes[0].stiffness, 0.0);
	cr_expect_eq(slide->type, ABUT_JOINT_SLIDE);
	expect_near(slide->axes[0].stiffness, 7.0);
	expect_near(slide->axes[0].reference, 0.1);
	expect_near(slide->axes[0].upper, 0.4); /* metres */
	expect_near(joint_after(&imported, "rail", 0).position[0], 0.2);
	expect_near(joint_after(&imported, "shoulder", 0).position[0], 0.0);
	/* parent and child never touch */
	cr_expect_eq(abut_scene_def(imported.scene)->n_pairs, 0);
	close_import(&imported);
}

/* Efforts of motors by hand: force = gear (a u + b1 gear q + b2 gear q'). */
Test(import_joints, actuators_are_motors)
{
	static const struct {
		const char *element;
		AbutMotorType type;
		double stiffness, damping, limit;
	} rows[] = {
	    {"<motor joint=\"shoulder\" gear=\"20\" ctrlrange=\"-2 2\"/>", ABUT_MOTOR_FORCE, 0.0, 0.0, 40.0},
	    {"<motor joint=\"shoulder\" gear=\"20\" ctrlrange=\"-2 2\" forcerange=\"-1 1\"/>", ABUT_MOTOR_FORCE, 0.0,
	     0.0, 20.0},
	    {"<motor joint=\"shoulder\" gear=\"-3\" ctrlrange=\"-2 2\" ctrllimited=\"false\"/>", ABUT_MOTOR_FORCE, 0.0,
	     0.0, (double)INFINITY},
	    {"<position joint=\"shoulder\" kp=\"50\" gear=\"2\" ctrlrange=\"-1 1\"/>", ABUT_MOTOR_POSITION, 200.0, 0.0,
	     (double)INFINITY},
	    {"<position joint=\"shoulder\" kp=\"50\" kv=\"3\" forcerange=\"-5 5\"/>", ABUT_MOTOR_POSITION, 50.0, 3.0,
	     5.0},
	    {"<velocity joint=\"shoulder\" kv=\"4\"/>", ABUT_MOTOR_VELOCITY, 0.0, 4.0, (double)INFINITY},
	    {"<general joint=\"shoulder\" gainprm=\"30\" biastype=\"affine\" biasprm=\"0 -30 -2\"/>",
	     ABUT_MOTOR_POSITION, 30.0, 2.0, (double)INFINITY},
	    {"<general joint=\"shoulder\" gainprm=\"30\" ctrlrange=\"-1 1\"/>", ABUT_MOTOR_FORCE, 0.0, 0.0, 30.0},
	    {"<general joint=\"shoulder\" gainprm=\"30\" biastype=\"affine\" biasprm=\"0 -20 0\"/>",
	     ABUT_MOTOR_POSITION, 20.0, 0.0, (double)INFINITY},
	    {"<general joint=\"shoulder\" gear=\"2\" biastype=\"affine\" biasprm=\"6 -20 -1\"/>", ABUT_MOTOR_POSITION,
	     80.0, 4.0, (double)INFINITY},
	    {"<general joint=\"shoulder\" biastype=\"affine\" biasprm=\"0 20 0\"/>", ABUT_MOTOR_NONE, 0.0, 0.0, 0.0},
	    {"<general joint=\"shoulder\" dyntype=\"filter\"/>", ABUT_MOTOR_FORCE, 0.0, 0.0, (double)INFINITY},
	    {"<general joint=\"shoulder\" dyntype=\"integrator\"/>", ABUT_MOTOR_NONE, 0.0, 0.0, 0.0},
	    {"<cylinder joint=\"shoulder\"/>", ABUT_MOTOR_NONE, 0.0, 0.0, 0.0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		Imported imported;
		char text[2000];
		snprintf(text, sizeof text, ARM "\n<actuator>%s</actuator></mujoco>", rows[i].element);
		open_text(&imported, text);
		const AbutMotorDef *motor = &joint_of(&imported, "shoulder")->axes[0].motor;
		cr_expect_eq(motor->type, rows[i].type, "%s", rows[i].element);
		cr_expect_eq(has_note(&imported, "left out: <", 2), rows[i].type == ABUT_MOTOR_NONE, "%s",
		             rows[i].element);
		if (rows[i].type != ABUT_MOTOR_NONE) {
			cr_expect_float_eq(motor->stiffness, rows[i].stiffness, 1e-12, "%s", rows[i].element);
			cr_expect_float_eq(motor->damping, rows[i].damping, 1e-12, "%s", rows[i].element);
			cr_expect(motor->limit == rows[i].limit, "%s: %g", rows[i].element, motor->limit);
		}
		close_import(&imported);
	}
}

Test(import_joints, equalities_and_mimics_are_couplings)
{
	Imported imported;
	open_text(&imported,
	          ARM "\n<equality><joint joint1=\"rail\" joint2=\"shoulder\" polycoef=\"0.05 0.5 0 0 0\"/>\n"
	              "<joint joint1=\"rail\" joint2=\"shoulder\" polycoef=\"0 1 2 0 0\"/>\n"
	              "<weld body1=\"upper\"/></equality></mujoco>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_assert_eq(def->n_couplings, 1);
	expect_near(def->couplings[0].ratio, 0.5);
	expect_near(def->couplings[0].offset, 0.05 + 0.2); /* the rail is at 0.2 in the model */
	cr_expect(has_note(&imported, "its polynomial is not linear", 3));
	cr_expect_eq(joint_of(&imported, "weld")->type, ABUT_JOINT_FIXED);
	close_import(&imported);
}

#define LEG(JOINTS)                                                                                                    \
	"<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"a\" pos=\"0 0 1\"><freejoint/><geom "             \
	"size=\"0.1\"/>"                                                                                               \
	"<body name=\"b\" pos=\"0.3 0 0\" euler=\"0.2 0.1 -0.4\">" JOINTS                                              \
	"<geom size=\"0.1\" mass=\"1\"/></body></body></worldbody></mujoco>"

/* Several joints of a body are one joint where its type has their freedoms, and otherwise a chain. */
Test(import_joints, joints_of_one_body)
{
	static const struct {
		const char *joints, *name;
		AbutJointType type;
		int n_bodies, n_joints;
	} rows[] = {
	    {"<joint name=\"x\" axis=\"1 0 0\" ref=\"0.3\"/><joint name=\"y\" axis=\"0 1 0\" ref=\"-0.2\"/>", "x+y",
	     ABUT_JOINT_UNIVERSAL, 2, 1},
	    {"<joint name=\"x\" axis=\"1 0 0\"/><joint name=\"y\" axis=\"0 1 1\" range=\"-1 1\"/>", "x+y",
	     ABUT_JOINT_UNIVERSAL, 2, 1},
	    {"<joint name=\"x\" type=\"slide\" axis=\"1 0 0\" ref=\"0.5\"/><joint name=\"z\" type=\"slide\" "
	     "axis=\"0 0 1\"/><joint name=\"y\" axis=\"0 1 0\" ref=\"0.7\" pos=\"0 0 0.1\"/>",
	     "z+x+y", ABUT_JOINT_PLANAR, 2, 1},
	    {"<joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><joint name=\"y\" type=\"slide\" axis=\"0 1 0\"/><joint "
	     "name=\"z\" axis=\"0 0 1\"/>",
	     "x+y+z", ABUT_JOINT_PLANAR, 2, 1},
	    {"<joint name=\"x\" axis=\"1 0 0\"/><joint name=\"y\" axis=\"1 1 0\"/>", "y", ABUT_JOINT_HINGE, 3, 2},
	    {"<joint name=\"x\" axis=\"1 0 0\"/><joint name=\"y\" axis=\"0 1 0\" pos=\"0 0 0.1\"/>", "y",
	     ABUT_JOINT_HINGE, 3, 2},
	    {"<joint name=\"x\" axis=\"1 0 0\" ref=\"0.3\"/><joint name=\"y\" axis=\"0 1 0\" ref=\"0.1\"/><joint "
	     "name=\"z\" axis=\"0 0 1\" ref=\"-0.6\"/>",
	     "z", ABUT_JOINT_HINGE, 4, 3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		Imported imported;
		char text[1500];
		snprintf(text, sizeof text, LEG("%s"), rows[i].joints);
		open_text(&imported, text);
		const AbutSceneDef *def = abut_scene_def(imported.scene);
		cr_expect_eq(def->n_bodies, rows[i].n_bodies, "%s: %d bodies", rows[i].joints, def->n_bodies);
		cr_expect_eq(def->n_joints, rows[i].n_joints, "%s: %d joints", rows[i].joints, def->n_joints);
		cr_expect_eq(joint_of(&imported, rows[i].name)->type, rows[i].type, "%s", rows[i].joints);
		double mass = 0.0;
		for (int k = 0; k < def->n_bodies; k++) {
			mass += strcmp(def->bodies[k].name, "a") == 0 ? 0.0 : def->bodies[k].mass;
		}
		cr_expect_float_eq(mass, 1.0, 2.1e-6, "%s: %.9g kg", rows[i].joints, mass);
		close_import(&imported);
	}
}

/* Coordinates at the model's pose are the `ref` of its joints, whatever the frames: random axes, places and turns. */
Test(import_joints, coordinates_are_those_of_the_model)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		AbutRng rng = {seed};
		Imported imported;
		char text[3000];
		double ref[3];
		int at = snprintf(text, sizeof text,
		                  "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"a\"><freejoint/>"
		                  "<geom size=\"0.1\"/>");
		for (int i = 0; i < 3; i++) {
			double v[9];
			for (int k = 0; k < 9; k++) {
				v[k] = abut_rng_uniform(&rng, -1.0, 1.0);
			}
			ref[i] = abut_rng_uniform(&rng, -1.5, 1.5);
			at += snprintf(
			    text + at, sizeof text - (size_t)at,
			    "<body name=\"b%d\" pos=\"%g %g %g\" euler=\"%g %g %g\"><joint name=\"j%d\" "
			    "type=\"%s\" axis=\"%g %g %g\" pos=\"%g %g %g\" ref=\"%.17g\"/><geom size=\"0.05\"/>",
			    i, v[0], v[1], v[2], v[3], v[4], v[5], i, (seed + (unsigned)i) % 3 ? "hinge" : "slide",
			    v[6], v[7], v[8], v[2], v[5], v[8], ref[i]);
		}
		snprintf(text + at, sizeof text - (size_t)at, "</body></body></body></body></worldbody></mujoco>");
		open_text(&imported, text);
		for (int i = 0; i < 3; i++) {
			char name[8];
			snprintf(name, sizeof name, "j%d", i);
			cr_expect_float_eq(joint_after(&imported, name, 0).position[0], ref[i], 1e-12,
			                   "seed %u, %s: %g, not %g", seed, name,
			                   joint_after(&imported, name, 0).position[0], ref[i]);
		}
		close_import(&imported);
	}
}

Test(import_joints, poses_outside_of_limits_start_at_the_limit)
{
	Imported imported;
	open_text(&imported, LEG("<joint name=\"knee\" axis=\"0 1 0\" range=\"0.2 1\"/>"));
	expect_near(joint_after(&imported, "knee", 0).position[0], 0.2);
	cr_expect(has_note(&imported,
	                   "joint \"knee\" is at 0 in the model, outside of its limits; the scene starts at 0.2", 1));
	close_import(&imported);
}

Test(import_joints, balls_and_flags_of_mjcf)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><compiler angle=\"radian\"/><option><flag contact=\"disable\"/></option><worldbody>"
	          "<body name=\"b\"><joint name=\"j\" type=\"ball\" pos=\"0 0 0.5\" range=\"0 0.8\" "
	          "damping=\"0.1\"/><geom size=\"0.1\"/></body></worldbody></mujoco>");
	const AbutJointDef *ball = joint_of(&imported, "j");
	cr_expect_eq(ball->type, ABUT_JOINT_BALL);
	expect_near(ball->axes[0].lower, 0.8);
	expect_near(ball->axes[0].upper, 0.8);
	expect_near(ball->axes[0].damping, 0.1);
	cr_expect_not(abut_scene_def(imported.scene)->all_pairs);
	close_import(&imported);
}

/* Motors of MJCF on a ball act along their gears in the axes of the child: together they are one motor, with a vector.
 */
Test(import_joints, motors_of_balls)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><worldbody><body name=\"b\"><joint name=\"j\" type=\"ball\"/><geom size=\"0.1\"/></body>"
	          "</worldbody><actuator>\n"
	          "<motor joint=\"j\" gear=\"2 0 0\" ctrllimited=\"true\" ctrlrange=\"-3 3\"/>\n"
	          "<general joint=\"j\" gear=\"0 1 1\" gainprm=\"5\" biastype=\"affine\" biasprm=\"4 0 0\" "
	          "forcelimited=\"true\" forcerange=\"-1 1\"/>\n"
	          "<position joint=\"j\" kp=\"2\"/>\n<motor jointinparent=\"j\"/></actuator></mujoco>");
	const AbutJointDef *ball = joint_of(&imported, "j");
	const double target[3] = {0.0, 4.0, 4.0};
	cr_expect_eq(ball->axes[0].motor.type, ABUT_MOTOR_FORCE);
	expect_near(ball->axes[0].motor.limit, 6.0);
	for (int k = 0; k < 3; k++) {
		expect_near(ball->axes[k].motor.target, target[k]);
	}
	cr_expect(has_note(&imported, "of the limits of ball \"j\", the largest bounds the length of its torque", 2));
	cr_expect(has_note(&imported, "left out: <position> \"\": on a ball, only forces have a counterpart", 4));
	cr_expect(
	    has_note(&imported, "it acts about axes of the parent; motors of balls act about those of the child", 5));
	close_import(&imported);
}

#define LINK(NAME)                                                                                                     \
	"<link name=\"" NAME "\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" "        \
	"ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
#define JOINT(NAME, TYPE, PARENT, CHILD, REST)                                                                         \
	"<joint name=\"" NAME "\" type=\"" TYPE "\"><parent link=\"" PARENT "\"/><child link=\"" CHILD                 \
	"\"/><origin xyz=\"0 0 0.3\" rpy=\"0 0 0.5\"/>" REST "</joint>"

Test(import_joints, joints_of_urdf)
{
	Imported imported;
	open_text(
	    &imported,
	    "<robot name=\"r\"><link name=\"foot\"/>" LINK("a") LINK("b") LINK("c") LINK("d") "<link name=\"e\"/>" LINK(
	        "f") JOINT("j1", "revolute", "foot", "a",
	                   "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"0.5\" effort=\"30\" velocity=\"2\"/>"
	                   "<dynamics damping=\"0.4\" friction=\"0.2\"/>")
	        JOINT("j2", "prismatic", "a", "b", "<limit lower=\"0\" upper=\"0.2\" effort=\"0\" velocity=\"0\"/>")
	            JOINT("j3", "continuous", "b", "c", "<axis xyz=\"0 0 1\"/><mimic joint=\"j1\" multiplier=\"-2\"/>")
	                JOINT("j4", "planar", "c", "d", "<axis xyz=\"0 0 1\"/>") JOINT("j5", "revolute", "d", "e", "")
	                    JOINT("j6", "ball", "e", "f", "") "</robot>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	const AbutJointDef *j1 = joint_of(&imported, "j1"), *j2 = joint_of(&imported, "j2");
	const double anchor[3] = {0.0, 0.0, 0.3};
	cr_expect_eq(j1->parent, ABUT_JOINT_WORLD, "a root without mass, from which a joint starts, is fixed");
	expect_vector(j1->parent_frame.position, anchor, 3, 1e-15);
	expect_near(j1->axes[0].lower, -1.0);
	expect_near(j1->axes[0].damping, 0.4);
	expect_near(j1->axes[0].friction, 0.2);
	cr_expect_eq(j1->axes[0].motor.type, ABUT_MOTOR_FORCE);
	expect_near(j1->axes[0].motor.limit, 30.0);
	cr_expect_eq(j2->type, ABUT_JOINT_SLIDE);
	expect_near(j2->axes[0].upper, 0.2);
	cr_expect_eq(joint_of(&imported, "j4")->type, ABUT_JOINT_PLANAR);
	cr_expect_eq(joint_of(&imported, "j6")->type, ABUT_JOINT_BALL);
	cr_expect_float_eq(find(&imported, "e")->mass, 1e-6, 1e-18, "a link without mass");
	cr_assert_eq(def->n_couplings, 1);
	expect_near(def->couplings[0].ratio, -2.0);
	/* the pose of c by hand: three offsets of 0.3 m up and three turns of 0.5 rad about z */
	expect_near(find(&imported, "c")->position[2], 0.9);
	expect_near(2.0 * atan2(find(&imported, "c")->orientation[3], find(&imported, "c")->orientation[0]), 1.5);
	close_import(&imported);
}

Test(import_joints, wrong_joints_are_refused)
{
	static const struct {
		const char *joints, *says;
	} rows[] = {
	    {"<joint axis=\"0 0 0\"/>", "axis: must have a direction"},
	    {"<joint range=\"1 0.5\"/>", "the lower limit must be below the upper one, is 1 0.5"},
	    {"<joint type=\"screw\"/>", "type: must be free, ball, slide or hinge"},
	    {"<joint damping=\"-1\"/>", "damping: must be at least 0, is -1"},
	    {"<joint/><joint type=\"ball\"/>", "may have no other joint"},
	    {"<joint type=\"free\"/>", "only bodies of the world may have a free joint"},
	    {"<joint/><joint/><joint/><joint/><joint/><joint/><joint/>", "a body may have 6"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[64], text[1000];
		AbutImport *import = NULL;
		AbutError error = {0};
		snprintf(text, sizeof text, LEG("%s"), rows[i].joints);
		write_model(text, path);
		cr_expect_eq(abut_import_read(path, NULL, &import, &error), ABUT_ERROR_PARSE, "%s", rows[i].joints);
		cr_expect(strstr(error.message, rows[i].says), "%s: %s", rows[i].joints, error.message);
		cr_expect_eq(error.line, 1);
		remove_model(path);
		abut_import_free(import);
	}
}

/* In scenes, "world" is the frame of the world, so that a link of this name with geometry gets another one. */
Test(import_joints, a_link_world_with_geometry_is_a_body)
{
	static Imported imported;
	open_text(&imported,
	          "<robot name=\"r\"><link name=\"world\"><collision><geometry><box size=\"1 1 1\"/></geometry>"
	          "</collision></link><link name=\"arm\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
	          "izz=\"1\"/></inertial></link><joint name=\"j\" type=\"continuous\"><parent link=\"world\"/><child "
	          "link=\"arm\"/></joint></robot>");
	cr_expect(find(&imported, "world_body")->is_static);
	cr_expect_eq(joint_of(&imported, "j")->parent, 0);
	close_import(&imported);
}

/* An unknown or missing type of joint is an error that lists the types. */
Test(import_joints, unknown_types_of_urdf_are_refused)
{
	static const char *const types[][2] = {{"type=\"hinge\"", ", is \"hinge\""}, {"", ", is missing"}};
	for (int i = 0; i < 2; i++) {
		char text[600], path[64];
		AbutImport *import = NULL;
		AbutError error = {0};
		snprintf(text, sizeof text,
		         "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" %s><parent "
		         "link=\"a\"/><child link=\"b\"/></joint></robot>",
		         types[i][0]);
		write_model(text, path);
		cr_expect_eq(abut_import_read(path, NULL, &import, &error), ABUT_ERROR_PARSE);
		cr_expect(
		    strstr(error.message, "type: must be one of revolute, continuous, prismatic, fixed, floating"),
		    "%s", error.message);
		cr_expect(strstr(error.message, types[i][1]), "%s", error.message);
		cr_expect_eq(error.line, 2);
		remove_model(path);
	}
}

#define URDF_LINK(name)                                                                                                \
	"<link name=\"" name                                                                                           \
	"\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
#define URDF_JOINT(name, parent, child)                                                                                \
	"\n<joint name=\"" name "\" type=\"continuous\"><parent link=\"" parent "\"/><child link=\"" child             \
	"\"/></joint>"

/* Joints that form a loop are refused, also where other links are a tree. */
Test(import_joints, loops_of_urdf_are_refused)
{
	static const struct {
		const char *joints, *link;
		int line;
	} rows[] = {
	    {URDF_JOINT("i", "a", "b") URDF_JOINT("j", "d", "c") URDF_JOINT("k", "c", "d"), "\"d\"", 4},
	    {URDF_JOINT("i", "d", "a") URDF_JOINT("j", "a", "b") URDF_JOINT("k", "b", "c") URDF_JOINT("l", "c", "d"),
	     "\"a\"", 2},
	    {URDF_JOINT("i", "a", "b") URDF_JOINT("j", "c", "c"), "\"c\"", 3},
	    {URDF_JOINT("i", "c", "b") URDF_JOINT("j", "c", "c"), "\"c\"", 3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[1500], path[64], says[100];
		AbutImport *import = NULL;
		AbutError error = {0};
		snprintf(text, sizeof text,
		         "<robot name=\"r\">" URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") URDF_LINK("d") "%s</robot>",
		         rows[i].joints);
		snprintf(says, sizeof says, "its joints form a loop: link %s is below itself", rows[i].link);
		write_model(text, path);
		cr_expect_eq(abut_import_read(path, NULL, &import, &error), ABUT_ERROR_PARSE, "%zu", i);
		cr_expect(strstr(error.message, says), "%zu: %s", i, error.message);
		cr_expect_eq(error.line, rows[i].line, "%zu: %d", i, error.line);
		remove_model(path);
		abut_import_free(import);
	}
}

Test(import_joints, equal_names_of_urdf_are_noted)
{
	static Imported imported;
	open_text(&imported,
	          "<robot name=\"r\">" URDF_LINK("a") URDF_LINK("b") URDF_LINK("c") URDF_LINK("d")
	              URDF_JOINT("j", "a", "b") URDF_JOINT("k", "a", "c") URDF_JOINT("j", "a", "d") "</robot>");
	cr_expect(has_note(&imported, "another joint is also called \"j\"; one of them gets a number", 4));
	cr_expect_not(has_note(&imported, "is also called", 2));
	cr_expect_not(has_note(&imported, "is also called", 3));
	cr_expect_eq(joint_index(&imported, "j_2"), 2);
	close_import(&imported);
}

/* A coordinate that rounding puts outside of a limit starts at the limit, without a note. */
Test(import_joints, limits_are_tolerant_of_rounding)
{
	static Imported imported;
	for (int i = 0; i < 2; i++) {
		char text[600];
		snprintf(text, sizeof text,
		         "<mujoco><compiler angle=\"radian\"/><worldbody><body>\n<joint name=\"j\" ref=\"%s\" "
		         "range=\"0 1\"/><geom size=\"1\"/></body></worldbody></mujoco>",
		         i == 0 ? "-1e-10" : "-1e-8");
		open_text(&imported, text);
		cr_expect_eq(has_note(&imported, "outside of its limits", 2), i == 1);
		cr_expect_eq(joint_after(&imported, "j", 0).position[0], 0.0);
		close_import(&imported);
	}
}

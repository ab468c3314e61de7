/* Tests fixed tendons of imported models, with lengths, gears and efforts by hand. */
#include <criterion/criterion.h>
#include <math.h>

#include "abut/abut.h"
#include "io/imported.h"

/* Three fingers on hinges, which start at 0.1, 0.2 and 0 rad. */
#define FINGER(NAME, REF, REST)                                                                                        \
	"<body name=\"" NAME "\" pos=\"0 0 1\"><joint name=\"" NAME "\" ref=\"" REF "\" " REST                         \
	"/><geom size=\"0.1\" contype=\"0\" conaffinity=\"0\"/></body>"
#define HAND(TENDONS, REST)                                                                                            \
	"<mujoco><compiler angle=\"radian\"/><worldbody>" FINGER("a", "0.1", "") FINGER("b", "0.2", "")                \
	    FINGER("c", "0", "stiffness=\"3\" springref=\"0.5\"") "</worldbody>\n<tendon>" TENDONS "</tendon>\n" REST  \
	                                                          "</mujoco>"
#define PAIR "<fixed name=\"t\"><joint joint=\"a\" coef=\"2\"/><joint joint=\"b\" coef=\"-4\"/></fixed>"

/* 2 q_a - 4 q_b keeps its value 0.2 - 0.8, plus 0.3: q_a = 2 q_b - 0.15. */
Test(import_tendons, equality_of_two_joints_is_a_coupling)
{
	Imported imported;
	open_text(&imported, HAND(PAIR, "<equality><tendon tendon1=\"t\" polycoef=\"0.3 0 0 0 0\"/></equality>"));
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_assert_eq(def->n_couplings, 1);
	cr_expect_eq(def->couplings[0].joint[0], joint_index(&imported, "a"));
	expect_near(def->couplings[0].ratio, 2.0);
	expect_near(def->couplings[0].offset, -0.15);
	close_import(&imported);
}

/* With q_a = q_b + 0.5 (from p0 = 0.6 and the poses), L = 2 q_a - 4 q_b = -2 q_b + 1: a servo of kp 5, gear 3 has the
 * stiffness 36 * 5 and, at u = 0, rests where L = 0. */
Test(import_tendons, coupled_joints_have_one_motor)
{
	Imported imported;
	open_text(&imported,
	          HAND(PAIR, "<equality><joint joint1=\"a\" joint2=\"b\" polycoef=\"0.6 1 0 0 0\"/></equality>"
	                     "<actuator><position tendon=\"t\" kp=\"5\" gear=\"3\" forcerange=\"-2 2\"/>"
	                     "</actuator>"));
	const AbutMotorDef *motor = &joint_of(&imported, "b")->axes[0].motor;
	expect_near(abut_scene_def(imported.scene)->couplings[0].offset, 0.5);
	cr_expect_eq(joint_of(&imported, "a")->axes[0].motor.type, ABUT_MOTOR_NONE);
	cr_expect_eq(motor->type, ABUT_MOTOR_POSITION);
	expect_near(motor->stiffness, 180.0);
	expect_near(motor->target, 0.5);
	expect_near(motor->limit, 12.0);
	close_import(&imported);
}

/* Two tendons of the same two wheels, as of a car: each wheel has one motor with the sum of both. */
Test(import_tendons, forces_of_two_tendons_add_up)
{
	Imported imported;
	open_text(
	    &imported,
	    HAND("<fixed name=\"go\"><joint joint=\"a\" coef=\"0.5\"/><joint joint=\"b\" coef=\"0.5\"/></fixed>"
	         "<fixed name=\"turn\"><joint joint=\"a\" coef=\"-0.25\"/><joint joint=\"b\" coef=\"0.25\"/></fixed>",
	         "<actuator><motor tendon=\"go\" ctrlrange=\"-3 3\"/>\n<motor tendon=\"turn\" ctrlrange=\"-4 "
	         "4\"/></actuator>"));
	for (int i = 0; i < 2; i++) {
		const AbutMotorDef *motor = &joint_of(&imported, i == 0 ? "a" : "b")->axes[0].motor;
		cr_expect_eq(motor->type, ABUT_MOTOR_FORCE);
		expect_near(motor->limit, 2.5);
	}
	cr_expect(has_note(&imported, "of 2 joints is a motor on each of them", 4));
	close_import(&imported);
}

/* A tendon of one joint, L = 2 q_c: limits 0.2 and 1.0; the spring 2^2 * 3 about 0.6 / 2 with the joint's own 3 about
 * 0.5 is 15 about 0.34. */
Test(import_tendons, limits_and_springs_of_one_joint)
{
	Imported imported;
	open_text(&imported,
	          HAND("<fixed name=\"t\" range=\"0.4 2\" stiffness=\"3\" springlength=\"0.6\" damping=\"0.5\" "
	               "frictionloss=\"0.1\"><joint joint=\"c\" coef=\"2\"/></fixed>",
	               "<actuator><motor tendon=\"t\" gear=\"10\" ctrlrange=\"-1 1\"/></actuator>"));
	const AbutJointAxis *axis = &joint_of(&imported, "c")->axes[0];
	cr_expect(axis->has_limits);
	expect_near(axis->lower, 0.2);
	expect_near(axis->upper, 1.0);
	expect_near(axis->stiffness, 15.0);
	expect_near(axis->reference, 0.34);
	expect_near(axis->damping, 2.0);
	expect_near(axis->friction, 0.2);
	expect_near(axis->motor.limit, 20.0);
	expect_near(joint_after(&imported, "c", 0).position[0], 0.2); /* the nearer limit */
	close_import(&imported);
}

Test(import_tendons, what_has_no_counterpart_is_named)
{
	Imported imported;
	open_text(&imported,
	          HAND("\n<fixed name=\"t\" stiffness=\"1\"><joint joint=\"a\" coef=\"1\"/><joint joint=\"b\" "
	               "coef=\"1\"/></fixed>\n<spatial name=\"s\"><site site=\"x\"/></spatial>",
	               "<equality>\n<tendon tendon1=\"s\"/></equality>\n<actuator><position tendon=\"t\"/>\n<motor "
	               "tendon=\"s\"/></actuator>"));
	cr_expect(has_note(&imported, "act on several joints", 3));
	cr_expect(has_note(&imported, "only fixed tendons", 4));
	cr_expect(has_note(&imported, "it is not of two coordinates", 6));
	cr_expect(has_note(&imported, "is a servo on each of them", 7));
	cr_expect(has_note(&imported, "it does not act on hinges or slides", 8));
	close_import(&imported);
}

/* Efforts on a tendon of two joints are those of MuJoCo at the keyframe's control: each joint has the coefficient times
 * the force 3 u + 5. Two servos hold the length: 2 q_a - 4 q_b is (3 u + 5) / 7 at both targets. */
Test(import_tendons, biases_count_once)
{
	static const AbutImportOptions options = {.keyframe = "0"};
	static const struct {
		const char *bias;
		AbutMotorType type;
		double a, b;
	} rows[] = {{"5 0 0", ABUT_MOTOR_FORCE, 22.0, -44.0},
	            {"5 -7 0", ABUT_MOTOR_POSITION, (double)NAN, (double)NAN}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[2000];
		Imported imported;
		snprintf(text, sizeof text,
		         HAND(PAIR, "<actuator><general tendon=\"t\" gainprm=\"3\" biastype=\"affine\" biasprm=\"%s\"/>"
		                    "</actuator><keyframe><key ctrl=\"2\"/></keyframe>"),
		         rows[i].bias);
		open_text_with(&imported, text, &options);
		const AbutMotorDef *a = &joint_of(&imported, "a")->axes[0].motor;
		const AbutMotorDef *b = &joint_of(&imported, "b")->axes[0].motor;
		cr_expect_eq(a->type, rows[i].type);
		cr_expect_eq(b->type, rows[i].type);
		if (rows[i].type == ABUT_MOTOR_FORCE) {
			expect_near(a->target, rows[i].a);
			expect_near(b->target, rows[i].b);
		} else {
			expect_near(2.0 * a->target - 4.0 * b->target, 11.0 / 7.0);
		}
		close_import(&imported);
	}
}

/* The second joint of the tendon has a servo already: the first gets no motor, either. */
Test(import_tendons, actuators_are_left_out_as_a_whole)
{
	Imported imported;
	open_text(&imported, HAND(PAIR, "<actuator><position joint=\"b\"/>\n<motor tendon=\"t\"/></actuator>"));
	cr_expect_eq(joint_of(&imported, "a")->axes[0].motor.type, ABUT_MOTOR_NONE);
	cr_expect_eq(joint_of(&imported, "b")->axes[0].motor.type, ABUT_MOTOR_POSITION);
	cr_expect(has_note(&imported, "its joint has a motor already", 4));
	close_import(&imported);
}

/* Tests keyframes of imported models: poses and coordinates by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/abut.h"
#include "io/imported.h"

/* A free box at a turn of 90 degrees about z, on which an arm turns by 4 rad, on which a ball is turned by 1 rad about
 * y. */
#define ROBOT                                                                                                          \
	"<mujoco><compiler angle=\"radian\"/><worldbody>"                                                              \
	"<body name=\"box\" pos=\"9 9 9\"><freejoint/><geom type=\"box\" size=\"0.1 0.1 0.1\"/>"                       \
	"<body name=\"arm\" pos=\"1 0 0\"><joint name=\"turn\" axis=\"0 0 1\" range=\"-5 5\"/>"                        \
	"<joint name=\"push\" type=\"slide\" axis=\"1 0 0\" ref=\"0.25\"/><geom size=\"0.1\"/>"                        \
	"<body name=\"end\" pos=\"1 0 0\"><joint name=\"ball\" type=\"ball\"/><geom size=\"0.1\"/></body></body>"      \
	"</body></worldbody><actuator><motor joint=\"turn\" gear=\"2\" ctrlrange=\"-1 1\"/>"                           \
	"<position joint=\"push\" kp=\"50\"/></actuator>"                                                              \
	"<keyframe><key name=\"rest\"/><key name=\"go\" qpos=\"1 2 3 0.7071067811865476 0 0 0.7071067811865476 4 "     \
	"0.75 0.8775825618903728 0 0.479425538604203 0\" ctrl=\"7 0.125\"/></keyframe></mujoco>"

static void check(const char *key)
{
	Imported imported;
	const AbutImportOptions options = {.keyframe = key};
	const double s = sin(4.0), c = cos(4.0), pi = acos(-1.0);
	open_text_with(&imported, ROBOT, &options);
	/* the box turns x to y: 1 m ahead is (1, 3, 3); the arm then slides by 0.75 - 0.25 along its own turned x */
	const double box[3] = {1.0, 2.0, 3.0}, arm[3] = {1.0 - 0.5 * s, 3.0 + 0.5 * c, 3.0};
	const double end[3] = {arm[0] - s, arm[1] + c, 3.0};
	expect_vector(find(&imported, "box")->position, box, 3, 1e-12);
	expect_vector(find(&imported, "arm")->position, arm, 3, 1e-12);
	expect_vector(find(&imported, "end")->position, end, 3, 1e-12);
	const double *q = find(&imported, "end")->orientation;
	const double half = 0.5 * (0.5 * pi + 4.0);
	const double turned[4] = {cos(half) * cos(0.5), -sin(half) * sin(0.5), cos(half) * sin(0.5),
	                          sin(half) * cos(0.5)};
	const double sign = q[0] * turned[0] < 0.0 ? -1.0 : 1.0;
	for (int i = 0; i < 4; i++) {
		cr_expect_float_eq(sign * q[i], turned[i], 1e-12, "%d: %g, not %g", i, sign * q[i], turned[i]);
	}
	expect_near(joint_after(&imported, "turn", 0).position[0], 4.0); /* more than half a turn */
	expect_near(joint_after(&imported, "push", 0).position[0], 0.75);
	expect_near(joint_of(&imported, "turn")->axes[0].motor.target, 2.0); /* a control of 1, within its range */
	expect_near(joint_of(&imported, "push")->axes[0].motor.target, 0.125);
	close_import(&imported);
}

Test(import_key, all_bodies_start_at_the_keyframe)
{
	check("go");
	check("1");
}

Test(import_key, the_first_names_no_coordinates)
{
	Imported imported;
	const AbutImportOptions options = {.keyframe = "rest"};
	open_text_with(&imported, ROBOT, &options);
	expect_near(find(&imported, "box")->position[0], 9.0);
	close_import(&imported);
}

Test(import_key, wrong_keyframes_are_refused)
{
	static const struct {
		const char *key, *text, *says;
	} rows[] = {
	    {"stand", ROBOT, "the model has no keyframe \"stand\"; it has, by number and name: 0 \""},
	    {"2", ROBOT, "the model has no keyframe \"2\""},
	    {"k",
	     "<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody><keyframe><key name=\"k\" "
	     "qpos=\"1 2\"/></keyframe></mujoco>",
	     "qpos: must be 7 numbers, is 2"},
	    {"k",
	     "<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody><keyframe><key name=\"k\" "
	     "qvel=\"1 2\"/></keyframe></mujoco>",
	     "qvel: must be 6 numbers, is 2"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[64];
		AbutImport *import = NULL;
		AbutError error = {0};
		const AbutImportOptions options = {.keyframe = rows[i].key};
		write_model(rows[i].text, path);
		cr_expect_eq(abut_import_read(path, &options, &import, &error), ABUT_ERROR_PARSE);
		cr_expect(strstr(error.message, rows[i].says), "%s", error.message);
		remove_model(path);
	}
}

/* Joints of a loop that cannot start at their own pose start at the first keyframe. */
Test(import_key, loops_outside_of_their_limits_start_at_a_keyframe)
{
	Imported imported;
	open_text(
	    &imported,
	    "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"a\"><joint name=\"j\" axis=\"0 1 0\" "
	    "range=\"0.5 1\"/><geom size=\"0.1\"/></body></worldbody><equality><connect body1=\"a\" anchor=\"0 0 0\"/>"
	    "</equality>\n<keyframe>\n<key name=\"k\" qpos=\"0.6\"/></keyframe></mujoco>");
	expect_near(joint_after(&imported, "j", 0).position[0], 0.6);
	cr_expect(has_note(&imported, "the scene starts at keyframe \"k\"", 3));
	close_import(&imported);
}

/* Options of MuJoCo that a scene does not have are noted. */
Test(import_key, options_are_left_out_with_a_note)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco>\n<option cone=\"pyramidal\" impratio=\"10\" integrator=\"RK4\"/><worldbody><body><joint "
	          "name=\"j\"/><geom size=\"0.1\"/></body></worldbody></mujoco>");
	cr_expect(has_note(&imported, "cone=\"pyramidal\"", 2));
	cr_expect(has_note(&imported, "impratio=\"10\"", 2));
	cr_expect(has_note(&imported, "integrator=\"RK4\"", 2));
	close_import(&imported);
}

/* The velocities of a keyframe are those of the start. A base at (1, 2, 3), turned by a right angle about z, moves by
 * (0.1, 0.2, 0.3) m/s at its origin and turns at (0.4, 0.5, 0.6) rad/s in its own axes; its centre of mass is 0.1 m
 * along its x. A hinge about its z, 0.5 m along its x, turns at 2 rad/s, and a ball at (0.1, 0, 0.2) rad/s in its
 * child's axes. */
Test(import_key, velocities_are_those_of_the_start)
{
	static const AbutImportOptions options = {.keyframe = "go"};
	Imported imported;
	AbutState *state = NULL;
	AbutBodyState base, arm, ball;
	open_text_with(
	    &imported,
	    "<mujoco><compiler angle=\"radian\"/><option gravity=\"0 0 0\"/><worldbody><body "
	    "name=\"base\"><freejoint/><geom "
	    "size=\"0.1\" pos=\"0.1 0 0\"/><body name=\"arm\" pos=\"0.5 0 0\"><joint name=\"j\" axis=\"0 0 1\"/><geom "
	    "size=\"0.1\"/></body><body name=\"ball\" pos=\"0 0 1\"><joint name=\"b\" type=\"ball\"/><geom "
	    "size=\"0.1\"/>"
	    "</body></body></worldbody><keyframe><key name=\"go\" qpos=\"1 2 3 0.7071067811865476 0 0 "
	    "0.7071067811865476 0 1 0 "
	    "0 0\" qvel=\"0.1 0.2 0.3 0.4 0.5 0.6 2 0.1 0 0.2\"/></keyframe></mujoco>",
	    &options);
	cr_assert_eq(abut_state_create(imported.model, &state, NULL), ABUT_OK);
	abut_state_get_body(imported.model, state, 0, &base);
	abut_state_get_body(imported.model, state, 1, &arm);
	abut_state_get_body(imported.model, state, 2, &ball);
	/* in body axes, w x (0.1, 0, 0) = (0, 0.06, -0.05), in the world (-0.06, 0, -0.05) */
	expect_vector(base.linear_velocity, (const double[3]){0.1 - 0.06, 0.2, 0.3 - 0.05}, 3, 1e-12);
	expect_vector(base.angular_velocity, (const double[3]){0.4, 0.5, 0.6}, 3, 1e-12);
	/* to the first order in the timestep, by which the discrete law differs from the rates */
	expect_vector(arm.linear_velocity, (const double[3]){0.1 - 0.3, 0.2, 0.3 - 0.25}, 3, 3e-3);
	expect_vector(arm.angular_velocity, (const double[3]){0.4, 0.5, 2.6}, 3, 1e-2);
	expect_vector(ball.angular_velocity, (const double[3]){0.5, 0.5, 0.8}, 3, 1e-2);
	cr_expect_float_eq(joint_after(&imported, "j", 0).velocity[0], 2.0, 1e-4);
	abut_state_destroy(state);
	close_import(&imported);
}

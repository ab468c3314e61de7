/* Tests elements of MJCF that structure a model: copies, attached models, frames, pairs, and the total mass. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "abut/abut.h"
#include "io/import/report.h"
#include "io/imported.h"

/* Four copies, each a quarter turn further and 0.1 m up: the second is turned with the first's frame. */
Test(import_structure, replicate_makes_copies)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><worldbody><replicate count=\"4\" offset=\"1 0 0.1\" euler=\"0 0 90\"><body "
	          "name=\"b\" pos=\"0 2 0\"><freejoint/><geom size=\"0.1\"/></body></replicate></worldbody></mujoco>");
	const double second[3] = {1.0 - 2.0, 0.0, 0.1}, third[3] = {1.0, 1.0 - 2.0, 0.2};
	cr_assert_eq(abut_import_counts(imported.import).bodies, 4);
	expect_vector(find(&imported, "b_2")->position, second, 3, 1e-12);
	expect_vector(find(&imported, "b_3")->position, third, 3, 1e-12);
	close_import(&imported);
}

/* The attached model has its own unit of angles, its own defaults and its own motor. */
Test(import_structure, attached_models_keep_their_settings)
{
	char path[64], other[80];
	Imported imported;
	write_model("<mujoco><compiler angle=\"degree\"/><asset><model name=\"m\" file=\"other.xml\"/></asset><default>"
	            "<geom density=\"7\"/></default><worldbody><frame pos=\"0 0 3\"><attach model=\"m\" body=\"arm\" "
	            "prefix=\"p\"/></frame></worldbody></mujoco>",
	            path);
	snprintf(other, sizeof other, "%.*sother.xml", (int)(strrchr(path, '/') - path) + 1, path);
	FILE *file = fopen(other, "w");
	fputs("<mujoco><compiler angle=\"radian\"/><default><geom density=\"500\"/></default><worldbody><body "
	      "name=\"base\"><body name=\"arm\" pos=\"0 1 0\"><joint name=\"j\" range=\"-2 2\"/><geom type=\"box\" "
	      "size=\"0.1 0.1 0.1\"/></body></body></worldbody><actuator><motor joint=\"j\" gear=\"4\" ctrlrange=\"-1 "
	      "1\"/></actuator></mujoco>",
	      file);
	fclose(file);
	open_import(&imported, path);
	unlink(other);
	remove_model(path);
	const double place[3] = {0.0, 1.0, 3.0};
	expect_vector(find(&imported, "arm")->position, place, 3, 1e-12);
	expect_near(joint_of(&imported, "j")->axes[0].upper, 2.0);
	expect_near(joint_of(&imported, "j")->axes[0].motor.limit, 4.0);
	expect_near(abut_model_body_mass(imported.model, 0), 4.0);
	close_import(&imported);
}

/* Both models have a joint, bodies and geometries of the same names, and each its own actuator, tendon, equality and
 * excluded pair. The host's second joint is above the attached one, its first below. */
Test(import_structure, attached_models_act_on_their_own_joints)
{
	char path[64], other[80];
	Imported imported;
	write_model(
	    "<mujoco><compiler angle=\"radian\"/><asset><model name=\"m\" file=\"other.xml\"/></asset><worldbody>"
	    "<body name=\"a\"><joint name=\"j\"/><geom size=\"0.1\"/><body name=\"b\"><joint name=\"k\"/><geom "
	    "size=\"0.1\"/><body name=\"c\"><joint name=\"only\"/><geom size=\"0.1\"/></body></body></body><frame "
	    "pos=\"0 0 3\"><attach model=\"m\" body=\"a\" prefix=\"p\"/></frame></worldbody><actuator><motor "
	    "joint=\"j\" gear=\"3\" ctrlrange=\"-1 1\"/></actuator></mujoco>",
	    path);
	snprintf(other, sizeof other, "%.*sother.xml", (int)(strrchr(path, '/') - path) + 1, path);
	FILE *file = fopen(other, "w");
	fputs(
	    "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"a\"><joint name=\"j\"/><geom size=\"0.1\"/>"
	    "<body name=\"b\"><joint name=\"k\"/><geom size=\"0.1\"/><body name=\"c\"><joint name=\"l\"/><geom "
	    "size=\"0.1\"/></body></body></body></worldbody><contact><exclude body1=\"a\" body2=\"c\"/></contact>"
	    "<tendon><fixed name=\"t\" damping=\"2\"><joint joint=\"l\" coef=\"1\"/></fixed></tendon><equality><joint "
	    "joint1=\"k\" joint2=\"l\"/></equality><actuator><motor joint=\"j\" gear=\"4\" ctrlrange=\"-1 1\"/>"
	    "<motor joint=\"only\"/></actuator></mujoco>",
	    file);
	fclose(file);
	open_import(&imported, path);
	unlink(other);
	remove_model(path);
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_assert_eq(def->n_couplings, 1);
	cr_expect_eq(def->couplings[0].joint[0], joint_index(&imported, "k_2"));
	cr_expect_eq(def->couplings[0].joint[1], joint_index(&imported, "l"));
	expect_near(joint_of(&imported, "j")->axes[0].motor.limit, 3.0);
	expect_near(joint_of(&imported, "j_2")->axes[0].motor.limit, 4.0);
	expect_near(joint_of(&imported, "l")->axes[0].damping, 2.0);
	cr_expect_eq(joint_of(&imported, "only")->axes[0].motor.type, ABUT_MOTOR_NONE);
	cr_expect_not_null(strstr(imported.text, "[\"a\", \"c\"]"), "the host excludes nothing");
	cr_expect_null(strstr(imported.text, "[\"a_2\", \"c_2\"]"), "the attached model excludes its own pair");
	close_import(&imported);
}

/* Geometries of a frame add no mass to a body whose mass is given. */
Test(import_structure, frames_of_bodies_with_a_mass)
{
	Imported imported;
	open_text(
	    &imported,
	    "<mujoco><worldbody><body name=\"b\"><freejoint/><inertial pos=\"0 0 0\" mass=\"3\" "
	    "diaginertia=\"1 1 1\"/><frame pos=\"1 0 0\"><geom size=\"0.5\"/></frame></body></worldbody></mujoco>");
	expect_near(find(&imported, "b")->mass, 3.0);
	close_import(&imported);
}

/* The mass of a geometry that touches nothing is its own, rather than that of the sphere that stands for it. */
Test(import_structure, geometries_that_touch_nothing_have_mass)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><worldbody><body name=\"b\"><joint/><geom type=\"box\" size=\"0.1 0.2 0.5\" "
	          "pos=\"1 0 0\" density=\"500\" contype=\"0\" conaffinity=\"0\"/></body></worldbody></mujoco>");
	expect_near(abut_model_body_mass(imported.model, 0), 40.0);
	expect_near(find(&imported, "b")->inertia[0], 40.0 / 3.0 * (0.04 + 0.25));
	close_import(&imported);
}

Test(import_structure, total_mass_is_distributed)
{
	Imported imported;
	open_text(&imported,
	          "<mujoco><compiler settotalmass=\"12\"/><worldbody><body name=\"a\"><freejoint/><geom "
	          "size=\"0.1\" mass=\"1\"/></body><body name=\"b\"><freejoint/><geom size=\"0.2\" mass=\"3\"/></body>"
	          "</worldbody></mujoco>");
	expect_near(find(&imported, "a")->mass, 3.0);
	expect_near(find(&imported, "b")->mass, 9.0);
	cr_expect_float_eq(find(&imported, "b")->inertia[0], 0.4 * 9.0 * 0.04, 1e-12);
	close_import(&imported);
}

/* A pair has its own friction, whatever contype says; autolimits="false" needs `limited`. */
Test(import_structure, pairs_and_explicit_limits)
{
	Imported imported;
	open_text(
	    &imported,
	    "<mujoco><compiler autolimits=\"false\"/><worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>"
	    "<body name=\"a\" pos=\"0 0 2\"><joint name=\"j\" range=\"-1 1\"/><joint name=\"k\" axis=\"0 1 1\" "
	    "limited=\"true\" range=\"-1 1\"/><geom name=\"g\" size=\"0.1\" conaffinity=\"0\" contype=\"0\"/></body>"
	    "</worldbody><contact><pair geom1=\"g\" geom2=\"floor\" friction=\"0.2 0.2 0.01\" condim=\"4\"/></contact>"
	    "</mujoco>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	cr_assert_eq(def->n_pairs, 1);
	expect_near(def->pairs[0].friction, 0.2);
	expect_near(def->pairs[0].torsional_radius, 0.05);
	cr_expect_not(joint_of(&imported, "j")->axes[0].has_limits);
	cr_expect(joint_of(&imported, "k")->axes[0].has_limits);
	close_import(&imported);
}

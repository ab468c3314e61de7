/* Compares the contact parameters that `abut import` writes of MJCF with MuJoCo's rules, worked out by hand. */
#include <criterion/criterion.h>

#include "abut/abut.h"
#include "io/imported.h"
#include "io/robot/contact_mix.h"

static AbutGeom geom(double friction, int dimensions)
{
	AbutGeom out = {.friction = friction, .torsion = 0.1 * friction, .dimensions = dimensions, .mix = 1.0};
	out.spring = (AbutJointSpring)ABUT_MJCF_SPRING;
	out.spring.has_solref = out.spring.has_solimp = true;
	return out;
}

/* The larger condim decides for both frictions: a foot of condim 1 has its friction on a floor of condim 3. */
Test(import_springs, the_larger_condim_counts_for_both)
{
	AbutGeom a = geom(2.0, 1), b = geom(1.0, 3);
	AbutContactMix mix = abut_contact_mix(&a, &b);
	cr_expect_eq(mix.friction, 2.0);
	cr_expect_eq(mix.torsion, 0.0);
	b.dimensions = 4;
	cr_expect_eq(abut_contact_mix(&a, &b).torsion, 0.2);
	b.dimensions = 1;
	cr_expect_eq(abut_contact_mix(&a, &b).friction, 0.0);
}

Test(import_springs, springs_are_mixed_by_their_weights)
{
	AbutGeom a = geom(1.0, 3), b = geom(1.0, 3);
	a.spring.solref[0] = 0.04;
	b.spring.solref[0] = 0.01;
	a.spring.solimp[0] = 0.6;
	b.spring.solimp[0] = 0.9;
	a.mix = 2.0;
	AbutContactMix mix = abut_contact_mix(&a, &b);
	cr_expect_float_eq(mix.spring.solref[0], 0.03, 1e-15);
	cr_expect_float_eq(mix.spring.solimp[0], 0.7, 1e-15);
	a.spring.solref[0] = -500.0;
	a.spring.solref[1] = -20.0;
	mix = abut_contact_mix(&a, &b);
	cr_expect_eq(mix.spring.solref[0], -500.0, "of a stiffness and a time constant, the smaller numbers");
	cr_expect_eq(mix.spring.solref[1], -20.0);
}

Test(import_springs, a_priority_decides_alone)
{
	AbutGeom a = geom(0.3, 1), b = geom(1.0, 3);
	a.priority = 1;
	a.spring.solimp[1] = 0.99;
	const AbutContactMix mix = abut_contact_mix(&a, &b);
	cr_expect_eq(mix.friction, 0.0);
	cr_expect_eq(mix.spring.solimp[1], 0.99);
}

Test(import_springs, margins_are_those_of_forces)
{
	AbutGeom a = geom(1.0, 3), b = geom(1.0, 3);
	a.spring.margin = 0.03;
	b.spring.margin = 0.01;
	b.gap = 0.012;
	const AbutContactMix mix = abut_contact_mix(&a, &b);
	cr_expect_float_eq(mix.spring.margin, 0.018, 1e-15);
	cr_expect(mix.spring.has_margin);
	cr_expect(abut_spring_is_special(&mix.spring));
	const AbutJointSpring usual = ABUT_MJCF_SPRING, none = {.margin = 0.0};
	cr_expect_not(abut_spring_is_special(&usual));
	cr_expect_not(abut_spring_is_special(&none), "a URDF has no springs");
}

/* A <pair> has its own spring and margin; without one, MuJoCo's defaults rather than the spring of its geometries. The
 * margin of a hinge is not an angle in degrees. */
Test(import_springs, pairs_have_their_own)
{
	Imported imported;
	open_text(
	    &imported,
	    "<mujoco><default><geom solref=\"0.5 1\" margin=\"0.25\"/></default><worldbody><geom name=\"f\" "
	    "type=\"plane\" size=\"1 1 1\"/><body name=\"a\"><joint name=\"j\" range=\"-9 9\" limited=\"true\" "
	    "margin=\"5\"/><geom name=\"a\" size=\"0.1\"/></body><body name=\"b\"><freejoint/><geom name=\"b\" "
	    "size=\"0.1\"/></body></worldbody><contact><pair geom1=\"f\" geom2=\"a\" solref=\"0.125 2\" margin=\"0.5\" "
	    "gap=\"0.375\"/><pair geom1=\"f\" geom2=\"b\"/></contact></mujoco>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	int given = 0;
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		const char *other = def->bodies[pair->body_b].name;
		if (strcmp(def->bodies[pair->body_a].name, "f") == 0 && strcmp(other, "a") == 0) {
			expect_near(pair->solref[0], 0.125);
			expect_near(pair->margin, 0.125);
			given++;
		} else if (strcmp(def->bodies[pair->body_a].name, "f") == 0) {
			cr_expect_not(pair->has_solref && pair->solref[0] != 0.02);
			cr_expect_not(pair->has_margin);
			given++;
		}
	}
	cr_expect_eq(given, 2);
	expect_near(joint_of(&imported, "j")->limit_spring.margin, 5.0);
	close_import(&imported);
}

/* Springs that a joint or a body can have only one of are noted where they differ. */
Test(import_springs, springs_that_differ_are_noted)
{
	Imported imported;
	open_text(
	    &imported,
	    "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/>\n<body name=\"b\"><joint name=\"x\" axis=\"1 0 "
	    "0\" range=\"-9 9\"/>\n<joint name=\"y\" axis=\"0 1 0\" range=\"-9 9\" solreflimit=\"0.1 1\"/><geom "
	    "size=\"0.1\" pos=\"0 0 1\"/><geom size=\"0.1\" pos=\"0 0 2\" margin=\"0.1\"/></body>\n<body "
	    "name=\"c\"><freejoint/><geom size=\"0.1\" pos=\"0 0 3\" solref=\"0.1 1\"/><geom size=\"0.1\" pos=\"0 0 "
	    "4\" solref=\"0.1 1\"/></body></worldbody></mujoco>");
	cr_expect(has_note(&imported, "springs of limits of \"x\" and \"y\" differ; both get those of the first", 3));
	cr_expect_not(has_note(&imported, "\"b\": solref", 2), "parts have their own");
	close_import(&imported);
}

/* Of the geometries of a body, those of the highest priority decide for its contacts, as a foot does that is part of a
 * shank; the pair of the other geometry has its own, and a pair without the foot has the parameters of the others. */
Test(import_springs, the_highest_priority_decides_for_a_body)
{
	static Imported imported;
	open_text(&imported,
	          "<mujoco><worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>\n<body "
	          "name=\"calf\"><freejoint/><geom size=\"0.1\" pos=\"0 0 2\" friction=\"1.5\"/><geom size=\"0.1\" "
	          "pos=\"0 0 1\" priority=\"1\" friction=\"0.75\" solimp=\"0.25 0.875 0.125\" conaffinity=\"0\"/>"
	          "</body>\n<body name=\"other\"><freejoint/><geom size=\"0.1\" pos=\"0 0 4\" contype=\"2\" "
	          "conaffinity=\"0\"/><geom size=\"0.1\" pos=\"0 0 5\" friction=\"0.5\" contype=\"0\" "
	          "conaffinity=\"0\"/></body>\n<body name=\"third\"><freejoint/><geom size=\"0.1\" pos=\"0 0 7\" "
	          "contype=\"1\" conaffinity=\"0\"/></body></worldbody></mujoco>");
	const AbutSceneDef *def = abut_scene_def(imported.scene);
	int seen = 0;
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		const char *a = def->bodies[pair->body_a].name, *b = def->bodies[pair->body_b].name;
		if (pair->has_parts) {
			cr_expect(strcmp(a, "floor") == 0 && strcmp(b, "calf") == 0 && pair->part_a == 0);
			cr_expect_eq(pair->part_b, 0);
			expect_near(pair->friction, 1.5);
			expect_near(pair->solimp[0], 0.9);
			expect_near(pair->torsional_radius, 0.0);
			seen++;
		} else if (strcmp(a, "floor") == 0 && strcmp(b, "calf") == 0) {
			expect_near(pair->friction, 0.75);
			expect_near(pair->solimp[0], 0.25);
			expect_near(pair->solimp[1], 0.875);
			seen++;
		} else if (strcmp(a, "calf") == 0 && strcmp(b, "third") == 0) {
			expect_near(pair->friction, 1.5);
			cr_expect_not(pair->has_solimp && pair->solimp[0] != 0.9);
			seen++;
		}
	}
	cr_expect_eq(seen, 3);
	expect_near(find(&imported, "calf")->friction, 0.75);
	close_import(&imported);
}

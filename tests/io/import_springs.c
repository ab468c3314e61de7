/* Compares the contact parameters that `abut import` writes of MJCF with MuJoCo's rules, worked out by hand. */
#include <criterion/criterion.h>

#include "abut/abut.h"
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

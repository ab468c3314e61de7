/* Tests export to MJCF: what is imported again equals the scene in masses, poses, frames, laws and couplings. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/vec3.h"
#include "dynamics/model/pair.h"
#include "io/described.h"

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

/* A trunk with a leg on two turns about one point, a slide and a hinge, a plane robot, a ball, a loop and a pair of
 * coupled joints. */
Test(describe, mjcf_is_imported_as_the_same_scene)
{
	static Imported first, again;
	static Kept notes;
	open_import(&first, DESCRIBED("robot.xml"));
	round_trip(&first, false, &again, &notes);
	const AbutSceneDef *a = abut_scene_def(first.scene), *b = abut_scene_def(again.scene);
	cr_expect_eq(notes.n, 0);
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

/* Springs, values of pairs, pairs of joined bodies and planar bodies come back from MJCF; the rest is noted. */
Test(describe, mjcf_holds_springs_pairs_and_planar_bodies)
{
	static const char *const expected[] = {
	    "body|flat|approximated: planar body \"flat\" moves on two slides and a hinge",
	    "motor|n|approximated: the motor of ball \"n\" is three actuators, each with its limit",
	    "contacts||left out: the restitution of \"floor\" and \"c\"",
	    "scene||approximated: the model itself starts at rest; initial velocities and targets of motors are "
	    "those of keyframe \"start\"",
	    "body|flat|left out: of body \"flat\": constant force or torque",
	    "sensor|angle|left out: sensor \"angle\"",
	};
	static Imported first, again;
	static Kept notes;
	open_scene(&first, DESCRIBED("springs.json"));
	round_trip(&first, false, &again, &notes);
	expect_notes(&notes, (int)(sizeof expected / sizeof *expected), expected);
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

/* Values of parts of bodies come back from MJCF, by <pair>. */
Test(describe, mjcf_holds_values_of_parts)
{
	static Imported first, again;
	static Kept notes;
	int compared = 0, own = 0;
	open_import(&first, ABUT_SOURCE_DIR "/tests/io/models/soles.xml");
	round_trip(&first, false, &again, &notes);
	const AbutModel *a = first.model, *b = again.model;
	cr_assert_eq(a->n_parts, b->n_parts);
	for (int i = 0; i < a->n_parts; i++) {
		for (int k = i + 1; k < a->n_parts; k++) {
			AbutPair x, y;
			const bool touch = abut_pair_make(a, i, k, &x);
			cr_assert_eq(touch, abut_pair_make(b, i, k, &y), "parts %d and %d", i, k);
			if (touch) {
				cr_expect_float_eq(x.mu, y.mu, 1e-12, "parts %d and %d: %g, %g", i, k, x.mu, y.mu);
				cr_expect_float_eq(x.torsional_radius * a->units.length,
				                   y.torsional_radius * b->units.length, 1e-12);
				expect_vector(y.soft->solref, x.soft->solref, 2, 1e-12);
				expect_vector(y.soft->solimp, x.soft->solimp, 5, 1e-12);
				cr_expect_float_eq(x.soft->margin, y.soft->margin, 1e-12);
				compared++;
				own += x.own_friction;
			}
		}
	}
	cr_expect(compared > 20 && own > 5, "%d pairs, %d with own friction", compared, own);
	close_import(&first);
	close_import(&again);
}

/* Springs of couplings come back from MJCF; that of a tendon becomes one of joints, with a note. */
Test(describe, mjcf_holds_springs_of_couplings)
{
	static const char *const expected[] = {
	    "coupling|finger|approximated: the coupling of \"finger\", as soft as a tendon, is one of joints"};
	static Imported first, again;
	static Kept notes;
	open_import(&first, ABUT_SOURCE_DIR "/tests/io/models/gears.xml");
	round_trip(&first, false, &again, &notes);
	const AbutSceneDef *a = abut_scene_def(first.scene), *b = abut_scene_def(again.scene);
	cr_assert(a->n_couplings == 3 && b->n_couplings == 3);
	for (int i = 0; i < 3; i++) {
		const AbutCouplingDef *x = &a->couplings[i], *y = &b->couplings[i];
		cr_expect(x->has_equality_spring && y->has_equality_spring);
		expect_near(y->ratio, x->ratio);
		cr_expect_float_eq(y->offset, x->offset, 1e-12);
		expect_vector(y->equality_spring.solref, x->equality_spring.solref, 2, 0.0);
		expect_vector(y->equality_spring.solimp, x->equality_spring.solimp, 5, 0.0);
		cr_expect_eq(x->tendon, i == 2);
	}
	cr_expect_eq(a->couplings[0].equality_spring.solimp[2], 0.05);
	cr_expect_eq(a->couplings[2].equality_spring.solimp[2], 0.025, "2 q is longer than q");
	expect_notes(&notes, (int)(sizeof expected / sizeof *expected), expected);
	close_import(&first);
	close_import(&again);
}

/* Pairs that are not listed have the larger friction in MJCF, and no torsion. */
Test(describe, unlisted_pairs_are_noted)
{
	static const char *const expected[] = {
	    "contacts||approximated: friction of 2 pairs of bodies, not listed in \"contacts\", is the larger "
	    "coefficient instead of the mean",
	    "contacts||left out: torsional friction of 3 pairs of bodies, not listed in \"contacts\""};
	static Imported first, again;
	static Kept notes;
	open_scene(&first, DESCRIBED("unlisted.json"));
	round_trip(&first, false, &again, &notes);
	expect_notes(&notes, 2, expected);
	close_import(&first);
	close_import(&again);
}

/* Velocities and targets of the start are those of a keyframe: bodies move as before, whatever moves them. */
Test(describe, a_keyframe_of_mjcf_holds_velocities_and_targets)
{
	static const AbutImportOptions options = {.keyframe = "start"};
	static Imported first, again;
	static Kept notes;
	open_scene(&first, DESCRIBED("keyframe.json"));
	char *text = export_text(&first, false, NULL, &notes);
	open_text_with(&again, text, &options);
	free(text);
	cr_assert_eq(notes.n, 3);
	cr_expect(strstr(notes.text[2], "are those of keyframe \"start\""), "%s", notes.text[2]);
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

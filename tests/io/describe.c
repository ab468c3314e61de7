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
	strncat(context, note->text, 500);
}

/* Exports the scene and imports it again. */
static void round_trip(const Imported *imported, Imported *again, char notes[2000])
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
	open_text(again, text);
	free(text);
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
	char notes[2000];
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

/* Tests export to URDF: what is imported again equals the scene in masses, frames, axes, limits and couplings, and
 * every loss is noted. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "io/described.h"

/* --- comparison in the world --- */

static int index_of(const Imported *imported, const char *name)
{
	return (int)(find(imported, name) - abut_scene_def(imported->scene)->bodies);
}

/* Computes mass, centre of mass and inertia of a body, in the world. */
static void weigh(const Imported *imported, int i, double out[13])
{
	const AbutBody *body = &imported->model->bodies[i];
	double R[9], half[9];
	abut_quat_to_mat3(body->initial.orientation, R);
	out[0] = body->mass_si;
	abut_mat3_vec(R, body->centre_of_mass, &out[1]);
	abut_add3(body->initial.position, &out[1], &out[1]);
	abut_mat3_mul(R, body->inertia_si, half);
	abut_mat3_mul_transposed(half, R, &out[4]);
}

/* Computes the axes and the place of frame `side` of a joint in the world. */
static void place_frame(const Imported *imported, const AbutJointDef *joint, int side, double out[12])
{
	const int body = side == 0 ? joint->parent : joint->child;
	const AbutJointFrame *frame = side == 0 ? &joint->parent_frame : &joint->child_frame;
	const double none[3] = {0.0}, unturned[4] = {1.0};
	const AbutBodyState *state = body >= 0 ? &imported->model->bodies[body].initial : NULL;
	double R[9], F[9];
	abut_quat_to_mat3(state ? state->orientation : unturned, R);
	abut_quat_to_mat3(frame->orientation, F);
	abut_mat3_mul(R, F, out);
	abut_mat3_vec(R, frame->position, &out[9]);
	abut_add3(state ? state->position : none, &out[9], &out[9]);
}

static void compare_bodies(const Imported *first, const Imported *again)
{
	const AbutSceneDef *def = abut_scene_def(first->scene);
	for (int i = 0; i < def->n_bodies; i++) {
		double a[13], b[13];
		if (def->bodies[i].is_static) {
			continue;
		}
		weigh(first, i, a);
		weigh(again, index_of(again, def->bodies[i].name), b);
		for (int k = 0; k < 13; k++) {
			cr_expect_float_eq(a[k], b[k], 1e-12, "%s: entry %d is %.17g, not %.17g", def->bodies[i].name,
			                   k, b[k], a[k]);
		}
	}
}

/* Compares what URDF holds of a freedom. */
static void compare_axis(const char *name, const AbutJointAxis *a, const AbutJointAxis *b)
{
	const double effort = a->motor.type == ABUT_MOTOR_NONE ? 0.0 : fmin(a->motor.limit, 1e9);
	const double ours[] = {
	    a->has_limits, a->has_limits ? a->lower : 0.0, a->has_limits ? a->upper : 0.0, a->damping, a->friction,
	    effort};
	const double theirs[] = {
	    b->has_limits, b->has_limits ? b->lower : 0.0,     b->has_limits ? b->upper : 0.0, b->damping,
	    b->friction,   effort > 0.0 ? b->motor.limit : 0.0};
	for (int i = 0; i < 6; i++) {
		cr_expect_float_eq(ours[i], theirs[i], 1e-12, "%s: law %d: %g, not %g", name, i, theirs[i], ours[i]);
	}
	cr_expect_eq(b->motor.type, effort > 0.0 ? ABUT_MOTOR_FORCE : ABUT_MOTOR_NONE, "%s", name);
}

/* Compares types, axes z, places and laws of joints; of planar joints and balls, all axes of both frames. */
static void compare_joint(const Imported *first, const AbutJointDef *a, const Imported *again, const AbutJointDef *b)
{
	const bool whole = a->type == ABUT_JOINT_PLANAR || a->type == ABUT_JOINT_BALL;
	cr_assert_eq(a->type, b->type, "%s", a->name);
	for (int side = 0; side < 2; side++) {
		double ours[12], theirs[12];
		place_frame(first, a, side, ours);
		place_frame(again, b, side, theirs);
		for (int i = 0; i < 12; i++) {
			const bool counts = i < 9 ? whole || i % 3 == 2 : a->type != ABUT_JOINT_SLIDE;
			cr_expect(!counts || fabs(ours[i] - theirs[i]) < 1e-12,
			          "%s: frame %d, entry %d: %.17g, not %.17g", a->name, side, i, theirs[i], ours[i]);
		}
	}
	for (int k = 0; k < (a->type == ABUT_JOINT_BALL ? 1 : abut_joint_type_freedoms(a->type)); k++) {
		AbutJointAxis axis = a->axes[k];
		axis.has_limits = axis.has_limits && !whole;
		compare_axis(a->name, &axis, &b->axes[k]);
	}
}

static void compare_couplings(const AbutSceneDef *a, const AbutSceneDef *b)
{
	cr_assert_eq(a->n_couplings, b->n_couplings);
	for (int i = 0; i < a->n_couplings; i++) {
		for (int s = 0; s < 2; s++) {
			cr_expect_str_eq(a->joints[a->couplings[i].joint[s]].name,
			                 b->joints[b->couplings[i].joint[s]].name);
		}
		expect_near(b->couplings[i].ratio, a->couplings[i].ratio);
		expect_near(b->couplings[i].offset, a->couplings[i].offset);
	}
}

/* A robot with every joint that URDF has, two of them turned by a right angle about y, where roll and yaw are one,
 * comes back as it was: frames of bodies as well, and only what is extended is noted. */
Test(describe_urdf, a_robot_of_urdf_comes_back)
{
	static Imported first, again;
	static Kept notes;
	open_import(&first, DESCRIBED("robot.urdf"));
	round_trip(&first, true, &again, &notes);
	const AbutSceneDef *a = abut_scene_def(first.scene), *b = abut_scene_def(again.scene);
	cr_expect_eq(notes.n, 2);
	cr_expect(strstr(notes.text[0], "joint|loop|approximated: joint \"loop\" closes a loop"), "%s", notes.text[0]);
	cr_expect(strstr(notes.text[1], "joint|neck|approximated: joint \"neck\" is of type ball"), "%s",
	          notes.text[1]);
	cr_assert_eq(a->n_bodies, 9);
	cr_assert_eq(b->n_bodies, 9);
	cr_assert_eq(a->n_joints, b->n_joints);
	compare_bodies(&first, &again);
	compare_couplings(a, b);
	for (int i = 0; i < a->n_bodies; i++) {
		const AbutBodyDef *body = find(&again, a->bodies[i].name);
		cr_expect_eq(body->friction, a->bodies[i].friction);
		expect_vector(body->position, a->bodies[i].position, 3, 1e-12);
		expect_near(fabs(abut_dot3(body->orientation, a->bodies[i].orientation) +
		                 body->orientation[3] * a->bodies[i].orientation[3]),
		            1.0);
		cr_expect_eq(body->n_parts, a->bodies[i].n_parts);
		cr_expect_eq(body->parts[0]->kind, a->bodies[i].parts[0]->kind);
		expect_vector(body->parts[0]->size, a->bodies[i].parts[0]->size, 3, 1e-12);
		expect_vector(body->parts[0]->position, a->bodies[i].parts[0]->position, 3, 1e-12);
		expect_vector(body->parts[0]->rotation, a->bodies[i].parts[0]->rotation, 9, 1e-12);
	}
	for (int i = 0; i < a->n_joints; i++) {
		compare_joint(&first, &a->joints[i], &again, joint_of(&again, a->joints[i].name));
	}
	cr_assert_eq(b->n_sites, a->n_sites);
	for (int i = 0; i < a->n_sites; i++) {
		cr_expect_str_eq(b->sites[i].name, a->sites[i].name);
		expect_vector(b->sites[i].frame.position, a->sites[i].frame.position, 3, 1e-12);
		expect_vector(b->sites[i].frame.orientation, a->sites[i].frame.orientation, 4, 1e-12);
	}
	close_import(&first);
	close_import(&again);
}

/* Robots of MJCF, whose joints are not at the origins of their bodies, come back in the world: of universal and
 * cylindrical joints, two joints about the same axes. */
static const char *const models[] = {
    "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"trunk\"><freejoint/><geom type=\"box\" size=\"0.1 0.2 "
    "0.3\"/><body name=\"leg\" pos=\"0 0.3 0\" euler=\"0.1 0.5 0\"><joint name=\"knee\" axis=\"0 1 0.5\" pos=\"0 0.2 "
    "0.1\" damping=\"0.3\" frictionloss=\"0.2\" range=\"-1 2\"/><geom type=\"cylinder\" size=\"0.04 "
    "0.2\"/></body><body "
    "name=\"head\" pos=\"0 0 0.4\" euler=\"0 0 1\"><joint name=\"neck\" type=\"ball\" pos=\"0.1 0 0\" "
    "damping=\"0.1\"/><geom size=\"0.1\" fromto=\"0 0 0 0 0 0.1\" "
    "type=\"capsule\"/></body></body></worldbody></mujoco>",
    "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"cart\" pos=\"3 0 0\" euler=\"0 0.3 0\"><joint "
    "name=\"sx\" type=\"slide\" axis=\"1 0 0\"/><joint name=\"sz\" type=\"slide\" axis=\"0 0 1\"/><joint name=\"ry\" "
    "axis=\"0 1 0\"/><geom size=\"0.1\"/><body name=\"pole\" pos=\"0 0 0.5\"><joint name=\"p\" axis=\"0 1 0\" pos=\"0 "
    "0 -0.2\"/><geom size=\"0.1\"/></body></body></worldbody><actuator><motor joint=\"p\" ctrlrange=\"-3 "
    "3\"/></actuator></mujoco>",
};

Test(describe_urdf, robots_of_mjcf_come_back_in_the_world)
{
	static Imported first, again;
	static Kept notes;
	for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
		open_text(&first, models[m]);
		round_trip(&first, true, &again, &notes);
		const AbutSceneDef *a = abut_scene_def(first.scene);
		cr_assert_eq(a->n_joints, abut_scene_def(again.scene)->n_joints);
		compare_bodies(&first, &again);
		for (int i = 0; i < a->n_joints; i++) {
			compare_joint(&first, &a->joints[i], &again, joint_of(&again, a->joints[i].name));
		}
		close_import(&first);
		close_import(&again);
	}
}

/* The axes of a universal joint are those of two hinges, which turn the same points, and of a cylindrical one those of
 * a slide and a hinge. */
Test(describe_urdf, joints_of_two_freedoms_become_two_joints)
{
	static Imported first, again;
	static Kept notes;
	open_scene(&first, DESCRIBED("two_freedoms.json"));
	round_trip(&first, true, &again, &notes);
	compare_bodies(&first, &again);
	static const struct {
		const char *name;
		AbutJointType type;
		double axis[3], place; /* in the world */
	} expected[] = {{"u_0", ABUT_JOINT_HINGE, {0, 1, 0}, 0.5},
	                {"u_1", ABUT_JOINT_HINGE, {0, 0, 1}, 0.5},
	                {"c_0", ABUT_JOINT_SLIDE, {1, 0, 0}, 1.5},
	                {"c_1", ABUT_JOINT_HINGE, {1, 0, 0}, 1.5}};
	for (int i = 0; i < 4; i++) {
		const AbutJointDef *joint = joint_of(&again, expected[i].name);
		double frame[12];
		cr_expect_eq(joint->type, expected[i].type, "%s", expected[i].name);
		place_frame(&again, joint, 1, frame);
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(frame[3 * k + 2], expected[i].axis[k], 1e-12, "%s: axis %d",
			                   expected[i].name, k);
			cr_expect_float_eq(frame[9 + k], k == 2 ? expected[i].place : 0.0, 1e-12, "%s: place %d",
			                   expected[i].name, k);
		}
	}
	cr_expect_eq(joint_of(&again, "u_0")->axes[0].lower, -1.0);
	cr_expect_not(joint_of(&again, "u_1")->axes[0].has_limits);
	cr_expect_eq(joint_of(&again, "u_1")->axes[0].damping, 3.0);
	cr_expect_eq(joint_of(&again, "c_0")->axes[0].upper, 0.2);
	const AbutCouplingDef *coupling = abut_scene_def(again.scene)->couplings;
	cr_assert_eq(abut_scene_def(again.scene)->n_couplings, 1);
	cr_expect_eq(coupling->joint[0], joint_index(&again, "c_1"));
	cr_expect_eq(coupling->joint[1], joint_index(&again, "u_0"));
	expect_near(coupling->ratio, 2.0);
	close_import(&first);
	close_import(&again);
}

/* A robot of which URDF loses much, and the notes, in their order. */
Test(describe_urdf, every_loss_is_noted)
{
	static Imported first, again;
	static Kept notes;
	static const char *const expected[] = {
	    "body|floor|left out: part 0 of body \"floor\": URDF has no halfspaces",
	    "body|egg|left out: part 0 of body \"egg\": meshes need a file beside that of the model",
	    "body|pill|approximated: 1 capsule of body \"pill\": cylinder and two spheres each, of the same surface",
	    "body|flat|approximated: planar body \"flat\" moves on a planar joint",
	    "joint|cyl|approximated: joint \"cyl\", of type cylindrical, is two joints with link \"a_link\" between "
	    "them, of 1e-6 of the mass",
	    "joint|weld|approximated: joint \"weld\" closes a loop; it is a <loop_joint>, which Dojo and Abut read, "
	    "and "
	    "others ignore",
	    "body|egg|left out: of body \"egg\": initial velocity, constant force or torque",
	    "body|b|approximated: the frame of link \"b\" is that of its joint, not of the body",
	    "motor|h|approximated: the motor of \"h\" has no limit; its effort is 1e9",
	    "joint|h|left out: of joint \"h\": spring, armature, gains of the motor, target of the motor, initial "
	    "position, softness of limits, softness of friction, contact of its two bodies",
	    "joint|n|left out: of joint \"n\": limits, motor",
	    "joint|n|approximated: joint \"n\" is of type ball, which Dojo and Abut read, and others may refuse",
	    "joint|p|left out: of joint \"p\": limits, initial position",
	    "joint|p|approximated: all freedoms of planar joint \"p\" get damping, friction and effort of the first",
	    "joint|rope|left out: joint \"rope\": URDF has no joint of type distance",
	    "joint|weld|left out: of joint \"weld\": springs that hold it",
	    "joint|cyl|left out: of joint \"cyl\": initial position",
	    "joint|cyl2|left out: joint \"cyl2\": it closes a loop, and no <loop_joint> is of type cylindrical",
	    "coupling|p|left out: the coupling of \"p\" and \"h\": <mimic> couples each joint once, and none that is "
	    "planar or closes a loop",
	    "contacts||left out: the exclusion of 1 pair of bodies, \"egg\" and \"pill\"",
	    "contacts||left out: friction and other values of 1 pair of bodies",
	    "sensor|angle|left out: sensor \"angle\"",
	    "scene||left out: gravity (0, 0, -3) m/s^2",
	};
	open_scene(&first, DESCRIBED("losses.json"));
	round_trip(&first, true, &again, &notes);
	expect_notes(&notes, (int)(sizeof expected / sizeof *expected), expected);
	close_import(&first);
	close_import(&again);
}

/* A polytope becomes a mesh file beside the model, from which the import makes the same polytope, to single precision.
 */
Test(describe_urdf, other_shapes_become_meshes)
{
	static Imported first, again;
	static Kept notes;
	AbutError error = {0};
	char folder[] = "/tmp/abut-test-XXXXXX", path[128], meshes[64];
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/m.urdf", folder);
	snprintf(meshes, sizeof meshes, "%s/m", folder);
	open_scene(&first, DESCRIBED("mesh.json"));
	char *text = export_text(&first, true, meshes, &notes);
	cr_expect_eq(notes.n, 1);
	cr_expect_str_eq(notes.text[0], "body|a b|approximated: part 0 of body \"a b\" is the mesh m_a_b_b0_0.obj");
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
	open_import(&again, path);
	const AbutShape *a = abut_scene_def(first.scene)->bodies[0].parts[0],
	                *b = abut_scene_def(again.scene)->bodies[0].parts[0];
	cr_assert_eq(b->n_vertices, 4);
	for (int i = 0; i < 4; i++) {
		double nearest = 1.0;
		for (int k = 0; k < 4; k++) {
			double apart[3];
			abut_sub3(&a->vertices[3 * i], &b->vertices[3 * k], apart);
			abut_add3(apart, a->position, apart);
			abut_sub3(apart, b->position, apart);
			nearest = fmin(nearest, abut_norm3(apart));
		}
		cr_expect_lt(nearest, 1e-7);
	}
	unlink(path);
	snprintf(path, sizeof path, "%s_a_b_b0_0.obj", meshes);
	unlink(path);
	cr_expect_eq(rmdir(folder), 0);
	const AbutDescribeNotes out = {&notes, keep_note};
	file = tmpfile();
	cr_expect_eq(
	    abut_describe_urdf(file, first.model, abut_scene_def(first.scene), "/nowhere-of-abut/m", &out, &error),
	    ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.message, "cannot write: No such file or directory");
	fclose(file);
	free(text);
	close_import(&first);
	close_import(&again);
}

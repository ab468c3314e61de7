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
#include "io/describe/urdf_out.h"
#include "io/imported.h"

#define INERTIAL                                                                                                       \
	"<inertial><origin xyz=\"0.01 0.02 -0.03\" rpy=\"0.3 0.2 0.1\"/><mass value=\"1.7\"/><inertia ixx=\"0.03\" "   \
	"iyy=\"0.04\" izz=\"0.05\" ixy=\"0.001\" ixz=\"-0.002\" iyz=\"0.003\"/></inertial>"
#define BALL "<collision><origin xyz=\"0 0 0.1\"/><geometry><sphere radius=\"0.02\"/></geometry></collision>"
#define LINK(name, shape) "<link name=\"" name "\">" INERTIAL shape "</link>"
#define JOINT(name, type, parent, child, at, rest)                                                                     \
	"<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child                 \
	"\"/><origin " at "/>" rest "</joint>"

/* A robot with every joint that URDF has, two of them turned by a right angle about y, where roll and yaw are one. */
#define ROBOT                                                                                                          \
	"<robot name=\"all\"><link name=\"world\"/>" LINK(                                                             \
	    "trunk",                                                                                                   \
	    "<collision><origin xyz=\"0.1 0 0\" rpy=\"0.1 0.2 "                                                        \
	    "0.3\"/><geometry><box size=\"0.2 0.3 "                                                                    \
	    "0.4\"/></geometry></collision><contact><lateral_friction "                                                \
	    "value=\"0.8\"/></contact>") LINK("thigh", BALL) LINK("shank",                                             \
	                                                          "<collision><geometry><cylinder radius=\"0.03\" "    \
	                                                          "length=\"0.2\"/></geometry></collision>")           \
	    LINK("foot", BALL) LINK("wheel", BALL) LINK("sled", BALL) LINK("head", BALL) LINK("drone", BALL)           \
	        LINK("rod", BALL) "<link name=\"eye\"/><link name=\"mark\"/>" JOINT(                                   \
	            "base", "floating", "world", "trunk", "xyz=\"1 2 3\" rpy=\"0.4 -0.5 0.6\"",                        \
	            "") JOINT("hip", "revolute", "trunk", "thigh",                                                     \
	                      "xyz=\"0 0.5 -0.3\" rpy=\"0.1 1.5707963267948966 "                                       \
	                      "0.3\"",                                                                                 \
	                      "<axis xyz=\"0.6 0 0.8\"/><limit lower=\"-0.5\" upper=\"1.25\" effort=\"30\" "           \
	                      "velocity=\"9\"/><dynamics damping=\"0.7\" friction=\"0.2\"/>")                          \
	            JOINT("knee", "continuous", "thigh", "shank", "xyz=\"0 0 -0.5\" rpy=\"0 -1.5707963267948966 0\"",  \
	                  "<axis xyz=\"0 1 0\"/><limit effort=\"7\" velocity=\"1\"/>")                                 \
	                JOINT("rail", "prismatic", "shank", "foot", "xyz=\"0 0.1 -0.4\"",                              \
	                      "<axis xyz=\"0 0 -1\"/><limit lower=\"-0.1\" upper=\"0.2\" effort=\"4\" "                \
	                      "velocity=\"1\"/><mimic joint=\"hip\" multiplier=\"0.5\" offset=\"0\"/>")                \
	                    JOINT("axle", "prismatic", "trunk", "wheel", "xyz=\"0 0.5 0.2\"", "<axis xyz=\"1 1 0\"/>") \
	                        JOINT("plane", "planar", "world", "sled", "xyz=\"5 0 0\" rpy=\"0.2 0.1 0\"",           \
	                              "<axis xyz=\"0.2 0.3 1\"/><dynamics damping=\"0.1\"/>")                          \
	                            JOINT("neck", "ball", "trunk", "head", "xyz=\"0 0 0.5\" rpy=\"1 0 0\"",            \
	                                  "<dynamics damping=\"0.3\"/>") JOINT("free", "floating", "world", "drone",   \
	                                                                       "xyz=\"0 9 0\"", "")                    \
	                                JOINT("j", "fixed", "thigh", "eye", "xyz=\"0 0.1 0\" rpy=\"0.5 0.6 0.7\"", "") \
	                                    JOINT("k", "fixed", "world", "mark", "xyz=\"0 0 1\"", "") JOINT(           \
	                                        "bar", "continuous", "sled", "rod", "xyz=\"0.2 0 0\"",                 \
	                                        "<axis xyz=\"0 0 1\"/>") "<loop_joint name=\"loop\" "                  \
	                                                                 "type=\"ball\"><link1 link=\"sled\" "         \
	                                                                 "xyz=\"0.2 0 0.1\" rpy=\"0.1 0 0\"/><link2 "  \
	                                                                 "link=\"rod\" xyz=\"0 0 0.1\" rpy=\"0 0 "     \
	                                                                 "0\"/></loop_joint></robot>"

typedef struct Kept {
	int n;
	char text[40][300];
} Kept;

static void keep_note(void *context, const AbutDescribeNote *note)
{
	Kept *kept = context;
	cr_assert_lt(kept->n, 40);
	snprintf(kept->text[kept->n++], sizeof *kept->text, "%s|%s|%s", note->element, note->name, note->text);
}

static char *export_text(const AbutModel *model, const AbutScene *scene, const char *meshes, Kept *notes)
{
	char *text = NULL;
	size_t length = 0;
	AbutError error = {0};
	const AbutDescribeNotes out = {notes, keep_note};
	notes->n = 0;
	FILE *stream = open_memstream(&text, &length);
	cr_assert_eq(abut_describe_urdf(stream, model, abut_scene_def(scene), meshes, &out, &error), ABUT_OK, "%s",
	             error.message);
	fclose(stream);
	return text;
}

static void round_trip(const Imported *first, Imported *again, Kept *notes)
{
	char *text = export_text(first->model, first->scene, NULL, notes);
	open_text(again, text);
	free(text);
}

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

/* A robot made of URDF comes back as it was: frames of bodies as well, and only what is extended is noted. */
Test(describe_urdf, a_robot_of_urdf_comes_back)
{
	static Imported first, again;
	static Kept notes;
	open_text(&first, ROBOT);
	round_trip(&first, &again, &notes);
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
		round_trip(&first, &again, &notes);
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

static void open_json(Imported *scene, const char *text)
{
	AbutError error = {0};
	memset(scene, 0, sizeof *scene);
	cr_assert_eq(abut_scene_parse(text, strlen(text), "s.json", 0, NULL, &scene->scene, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(scene->scene), &scene->model, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
}

#define BODY(name, more)                                                                                               \
	"{\"name\": \"" name "\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"mass\": 1" more "}"
#define SCENE(bodies, more) "{\"abut\": 1, \"name\": \"lost\", \"bodies\": [" bodies "]" more "}"

/* The axes of a universal joint are those of two hinges, which turn the same points, and of a cylindrical one those of
 * a slide and a hinge. */
Test(describe_urdf, joints_of_two_freedoms_become_two_joints)
{
	static Imported first, again;
	static Kept notes;
	open_json(
	    &first,
	    SCENE(BODY("a", "") "," BODY("b", ", \"position\": [0, 0, 1]") "," BODY("c", ", \"position\": [0, 0, 2]"),
	          ", \"joints\": [{\"name\": \"u\", \"type\": \"universal\", \"parent\": \"a\", \"child\": \"b\", "
	          "\"parent_frame\": {\"position\": [0, 0, 0.5], \"orientation\": [0.5, 0.5, 0.5, 0.5]}, "
	          "\"child_frame\": {\"position\": [0, 0, -0.5], \"orientation\": [0.5, 0.5, 0.5, 0.5]}, \"limits\": "
	          "[[-1, 1], null], \"damping\": [2, 3]}, {\"name\": \"c\", \"type\": \"cylindrical\", \"parent\": "
	          "\"b\", \"child\": \"c\", \"parent_frame\": {\"position\": [0, 0, 0.5], \"orientation\": [0.5, 0.5, "
	          "0.5, 0.5]}, \"child_frame\": {\"position\": [0, 0, -0.5], \"orientation\": [0.5, 0.5, 0.5, 0.5]}, "
	          "\"limits\": [[-0.1, 0.2], [-2, 2]]}], \"couplings\": [{\"joints\": [\"c\", \"u\"], \"axes\": [1, "
	          "0], \"ratio\": 2}]"));
	round_trip(&first, &again, &notes);
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
	    "joint|rope|left out: joint \"rope\": URDF has none of type distance",
	    "joint|weld|left out: of joint \"weld\": springs that hold it",
	    "joint|cyl|left out: of joint \"cyl\": initial position",
	    "joint|cyl2|left out: joint \"cyl2\": it closes a loop, and <loop_joint> has none of type cylindrical",
	    "coupling|p|left out: the coupling of \"p\" and \"h\": <mimic> couples each joint once, and none that is "
	    "planar or closes a loop",
	    "contacts||left out: that 1 pair of bodies never touches, the first \"egg\" and \"pill\"",
	    "contacts||left out: friction and other values of 1 pair of bodies",
	    "sensor|angle|left out: sensor \"angle\"",
	    "scene||left out: gravity (0, 0, -3) m/s^2",
	};
	open_json(
	    &first,
	    SCENE(
	        "{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], "
	        "\"offset\": -9}}, {\"name\": \"egg\", \"shape\": {\"type\": \"ellipsoid\", \"radii\": [0.1, 0.2, "
	        "0.3]}, "
	        "\"mass\": 1, \"position\": [5, 0, 0], \"linear_velocity\": [1, 0, 0], \"input\": {\"force\": [1, 0, "
	        "0]}}, "
	        "{\"name\": "
	        "\"pill\", \"shape\": {\"type\": \"capsule\", \"radius\": 0.1, \"length\": 0.3}, \"mass\": 2, "
	        "\"position\": [7, 0, 0]}," BODY("flat", ", \"position\": [9, 0, 0], \"planar\": \"xz\"") "," BODY(
	            "a",
	            "") "," BODY("b",
	                         ", \"position\": [0, 0, 1]") "," BODY("c",
	                                                               ", \"position\": [0, 0, 2]") "," BODY("d",
	                                                                                                     ", "
	                                                                                                     "\"positio"
	                                                                                                     "n\": [0, "
	                                                                                                     "0, 3]"),
	        ", \"gravity\": [0, 0, -3], \"joints\": [{\"name\": \"h\", \"type\": \"hinge\", \"parent\": \"a\", "
	        "\"child\": \"b\", \"parent_frame\": {\"position\": [0, 0, 0.5]}, \"child_frame\": {\"position\": [0, "
	        "0, "
	        "-0.5]}, \"limits\": [-1, 1], \"stiffness\": 2, \"armature\": 0.1, \"friction\": 0.1, \"motor\": "
	        "{\"type\": \"position\", \"stiffness\": 4, \"damping\": 1, \"target\": 0.2}, \"limit_spring\": "
	        "{\"margin\": 0.1}, \"friction_spring\": {\"solref\": [0.1, 1]}, \"collide\": true}, {\"name\": \"n\", "
	        "\"type\": \"ball\", \"parent\": \"b\", \"child\": \"c\", \"parent_frame\": {\"position\": [0, 0, 1]}, "
	        "\"limits\": [1, 2], \"motor\": {\"type\": \"force\", \"limit\": 3}}, {\"name\": \"p\", "
	        "\"type\": "
	        "\"planar\", \"parent\": \"a\", \"child\": \"d\", \"parent_frame\": {\"position\": [0, 0, 3]}, "
	        "\"limits\": "
	        "[[-1, 1], null, null], \"damping\": [1, 0, 0]}, {\"name\": \"rope\", \"type\": \"distance\", "
	        "\"parent\": "
	        "\"a\", \"child\": \"d\", \"child_frame\": {}, \"length\": 3}, {\"name\": \"weld\", "
	        "\"equality_spring\": {}, \"type\": "
	        "\"ball\", \"parent\": \"c\", "
	        "\"child\": \"d\", \"parent_frame\": {\"position\": [0, 0, 1]}}, {\"name\": \"cyl\", \"type\": "
	        "\"cylindrical\", \"parent\": \"world\", \"child\": \"a\", \"child_frame\": {}}, {\"name\": \"cyl2\", "
	        "\"type\": "
	        "\"cylindrical\", "
	        "\"parent\": \"world\", \"child\": \"a\", \"child_frame\": {}}], \"couplings\": [{\"joints\": [\"p\", "
	        "\"h\"], \"axes\": [2, "
	        "0], "
	        "\"ratio\": 2}], \"initial\": {\"joints\": {\"h\": 0.1}}, \"contacts\": [{\"pair\": [\"egg\", "
	        "\"flat\"], \"friction\": 0.3}, {\"pair\": [\"pill\", \"flat\"]}], \"sensors\": [{\"name\": \"angle\", "
	        "\"type\": \"joint_position\", \"joint\": \"h\"}]"));
	round_trip(&first, &again, &notes);
	const int n = (int)(sizeof expected / sizeof *expected);
	for (int i = 0; i < n || i < notes.n; i++) {
		cr_expect_str_eq(i < notes.n ? notes.text[i] : "", i < n ? expected[i] : "");
	}
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
	open_json(&first,
	          SCENE("{\"name\": \"a b\", \"shape\": {\"type\": \"polytope\", \"vertices\": [[0, 0, 0], [0.3, "
	                "0, 0], [0, 0.2, 0], [0, 0, 0.1]]}, \"mass\": 1, \"centre_of_mass\": [0.05, 0.05, 0.02]}",
	                ""));
	char *text = export_text(first.model, first.scene, meshes, &notes);
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

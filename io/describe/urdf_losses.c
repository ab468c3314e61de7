/* Notes what URDF cannot hold, by element. Tested in tests/io/describe_urdf.c. */
#include "io/describe/urdf_losses.h"

#include <math.h>

#include "abut/abut.h"
#include "base/vec3.h"
#include "io/describe/losses.h"
#include "io/describe/urdf_joints.h"

/* Coordinates up to this are those of rounding (rad or m). */
static const double rounding = 1e-9;

/* --- joints --- */

static bool is_soft(const AbutJointSpring *spring)
{
	return spring->has_solref || spring->has_solimp || spring->has_margin;
}

/* Returns whether the freedoms of a planar joint differ in what URDF gives once for all of them. */
static bool differ(const AbutJointDef *joint)
{
	bool differs = false;
	for (int k = 1; k < 3 && joint->type == ABUT_JOINT_PLANAR; k++) {
		const AbutJointAxis *a = &joint->axes[0], *b = &joint->axes[k];
		differs = differs || a->damping != b->damping || a->friction != b->friction ||
		          a->motor.type != b->motor.type || a->motor.limit != b->motor.limit;
	}
	return differs;
}

static void note_freedoms(const AbutUrdfOut *u, int i, AbutLosses *losses)
{
	const AbutJointDef *joint = &u->d.def->joints[i];
	const bool is_ball = joint->type == ABUT_JOINT_BALL, is_planar = joint->type == ABUT_JOINT_PLANAR;
	const AbutFreedomKinds has = abut_freedom_kinds(joint);
	bool gains = false, target = false, start = false, unbounded = false, outside = false;
	AbutJointState state;
	abut_joint_get(u->d.model, u->d.state, i, &state);
	for (int k = 0; k < abut_joint_type_freedoms(joint->type); k++) {
		const AbutJointAxis *axis = &joint->axes[k];
		const bool drives = axis->motor.type != ABUT_MOTOR_NONE && !is_ball;
		outside = outside || (axis->has_limits && !is_ball && !is_planar &&
		                      (axis->lower > rounding || axis->upper < -rounding));
		gains = gains || (drives && axis->motor.type != ABUT_MOTOR_FORCE);
		target = target || (drives && axis->motor.target != 0.0);
		unbounded = unbounded || (drives && isinf(axis->motor.limit));
		start = start || (u->d.tree.used[i] && fabs(state.position[k]) > rounding);
	}
	abut_lose(losses, has.spring, "spring");
	abut_lose(losses, has.armature, "armature");
	abut_lose(losses, has.limits && (is_ball || is_planar), "limits");
	abut_lose(losses, has.motor && is_ball, "motor");
	abut_lose(losses, gains, "gains of the motor");
	abut_lose(losses, target, "target of the motor");
	abut_lose(losses, start, "initial position");
	if (outside) {
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "joint", joint->name,
		                   "the model starts at 0 of joint \"%.60s\", outside of its limits", joint->name);
	}
	if (unbounded) {
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "motor", joint->name,
		                   "the motor of \"%.60s\" has no limit; its effort is 1e9", joint->name);
	}
}

static void note_joint(const AbutUrdfOut *u, int i)
{
	const AbutJointDef *joint = &u->d.def->joints[i];
	AbutLosses losses = {.n = 0};
	if (!u->d.tree.used[i] && !abut_urdf_has_loop(u, i)) {
		abut_describe_note(&u->d, ABUT_LEFT_OUT, "joint", joint->name, "joint \"%.60s\": %s of type %s",
		                   joint->name,
		                   joint->type == ABUT_JOINT_DISTANCE ? "URDF has no joint"
		                                                      : "it closes a loop, and no <loop_joint> is",
		                   abut_joint_type_name(joint->type));
		return;
	}
	note_freedoms(u, i, &losses);
	abut_lose(&losses, joint->has_velocity && abut_norm3(joint->velocity) > 0.0, "initial velocity");
	abut_lose(&losses, is_soft(&joint->limit_spring), "softness of limits");
	abut_lose(&losses, is_soft(&joint->friction_spring), "softness of friction");
	abut_lose(&losses, joint->has_equality_spring, "springs that hold it");
	abut_lose(&losses, joint->collide, "contact of its two bodies");
	abut_describe_losses(&u->d, "joint", joint->name, &losses);
	if (differ(joint)) {
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "joint", joint->name,
		                   "all freedoms of planar joint \"%.60s\" get damping, friction and "
		                   "effort of the first",
		                   joint->name);
	}
	if (u->d.tree.used[i] && joint->type == ABUT_JOINT_BALL) {
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "joint", joint->name,
		                   "joint \"%.60s\" is of type ball, which Dojo and Abut read, and others "
		                   "may refuse",
		                   joint->name);
	}
}

static void note_couplings(const AbutUrdfOut *u)
{
	for (int i = 0; i < u->d.def->n_couplings; i++) {
		const AbutCouplingDef *coupling = &u->d.def->couplings[i];
		const AbutJointDef *a = &u->d.def->joints[coupling->joint[0]];
		if (!abut_urdf_is_mimic(u, i)) {
			abut_describe_note(&u->d, ABUT_LEFT_OUT, "coupling", a->name,
			                   "the coupling of \"%.60s\" and \"%.60s\": <mimic> couples each joint "
			                   "once, and none that is planar or closes a loop",
			                   a->name, u->d.def->joints[coupling->joint[1]].name);
		}
	}
}

/* --- bodies --- */

static void note_bodies(const AbutUrdfOut *u)
{
	const AbutSceneDef *def = u->d.def;
	for (int i = 0; i < def->n_bodies; i++) {
		const AbutBodyDef *body = &def->bodies[i];
		const AbutPose *frame = &u->frame[i];
		AbutLosses losses = {.n = 0};
		if (!body->is_static) {
			abut_lose(&losses,
			          u->d.tree.joint[i] < 0 && (abut_norm3(body->linear_velocity) > 0.0 ||
			                                     abut_norm3(body->angular_velocity) > 0.0),
			          "initial velocity");
			abut_lose_of_body(&u->d, i, &losses);
		}
		abut_describe_losses(&u->d, "body", body->name, &losses);
		if (abut_norm3(frame->position) > 0.0 || abut_norm3(&frame->orientation[1]) > 0.0) {
			abut_describe_note(&u->d, ABUT_APPROXIMATED, "body", body->name,
			                   "the frame of link \"%.60s\" is that of its joint, not of the "
			                   "body",
			                   body->name);
		}
	}
}

/* --- the scene --- */

static bool is_in_pairs(const AbutSceneDef *def, int body)
{
	bool is = def->all_pairs;
	for (int i = 0; i < def->n_pairs && !is; i++) {
		is = def->pairs[i].body_a == body || def->pairs[i].body_b == body;
	}
	return is;
}

/* Notes the pairs of links that collide in URDF, which are all but those of joints, and not in the scene. */
static void note_contacts(const AbutUrdfOut *u)
{
	const AbutSceneDef *def = u->d.def;
	int n = 0, valued = 0;
	const char *first[2] = {"", ""};
	for (int a = 0; a < def->n_bodies; a++) {
		for (int b = a + 1; b < def->n_bodies && is_in_pairs(def, a); b++) {
			const bool moves = !def->bodies[a].is_static || !def->bodies[b].is_static;
			if (moves && u->kept[a] && u->kept[b] && is_in_pairs(def, b) &&
			    !abut_describe_adjoin(def, a, b) && !abut_describe_may_touch(def, a, b)) {
				first[0] = n == 0 ? def->bodies[a].name : first[0];
				first[1] = n++ == 0 ? def->bodies[b].name : first[1];
			}
		}
	}
	if (n > 0) {
		abut_describe_note(&u->d, ABUT_LEFT_OUT, "contacts", "",
		                   "the exclusion of %d pair%s of bodies, %s\"%.60s\" and \"%.60s\"", n,
		                   n == 1 ? "" : "s", n == 1 ? "" : "the first ", first[0], first[1]);
	}
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		valued += pair->friction >= 0.0 || pair->torsional_radius >= 0.0 || pair->restitution >= 0.0 ||
		          pair->has_solref || pair->has_solimp || pair->has_margin;
	}
	if (valued > 0) {
		abut_describe_note(&u->d, ABUT_LEFT_OUT, "contacts", "",
		                   "friction and other values of %d pair%s of bodies", valued, valued == 1 ? "" : "s");
	}
}

static void note_scene(const AbutUrdfOut *u)
{
	const AbutSceneDef usual = abut_scene_def_default(), *def = u->d.def;
	double other[3];
	abut_describe_lost_sensors(&u->d);
	abut_sub3(def->gravity, usual.gravity, other);
	if (abut_norm3(other) > 0.0) {
		abut_describe_note(&u->d, ABUT_LEFT_OUT, "scene", "", "gravity (%g, %g, %g) m/s^2", def->gravity[0],
		                   def->gravity[1], def->gravity[2]);
	}
}

void abut_urdf_losses(const AbutUrdfOut *u)
{
	note_bodies(u);
	for (int i = 0; i < u->d.def->n_joints; i++) {
		note_joint(u, i);
	}
	note_couplings(u);
	note_contacts(u);
	note_scene(u);
}

/* Notes what URDF cannot hold, by element. Tested in tests/io/describe_urdf.c. */
#include "io/describe/urdf_losses.h"

#include <math.h>
#include <string.h>

#include "abut/abut.h"
#include "base/vec3.h"
#include "io/describe/urdf_joints.h"

/* Coordinates up to this are those of rounding (rad or m). */
static const double rounding = 1e-9;

/* The parts of one element that are lost. */
typedef struct Losses {
	int n;
	char list[200];
} Losses;

static void lose(Losses *losses, bool lost, const char *what)
{
	const size_t length = strlen(losses->list);
	if (lost) {
		snprintf(losses->list + length, sizeof losses->list - length, "%s%s", losses->n++ > 0 ? ", " : "",
		         what);
	}
}

static bool is_zero(const double v[3])
{
	return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

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

static void note_freedoms(const AbutUrdfOut *u, int i, Losses *losses)
{
	const AbutJointDef *joint = &u->d.def->joints[i];
	const bool is_ball = joint->type == ABUT_JOINT_BALL, is_planar = joint->type == ABUT_JOINT_PLANAR;
	bool spring = false, armature = false, limits = false, motor = false, gains = false, target = false;
	bool start = false, unbounded = false;
	AbutJointState state;
	abut_joint_get(u->d.model, u->d.state, i, &state);
	for (int k = 0; k < abut_joint_type_freedoms(joint->type); k++) {
		const AbutJointAxis *axis = &joint->axes[k];
		const bool drives = axis->motor.type != ABUT_MOTOR_NONE;
		spring = spring || axis->stiffness > 0.0;
		armature = armature || axis->armature > 0.0;
		limits = limits || (axis->has_limits && (is_ball || is_planar));
		motor = motor || (drives && is_ball);
		gains = gains || (drives && !is_ball && axis->motor.type != ABUT_MOTOR_FORCE);
		target = target || (drives && !is_ball && axis->motor.target != 0.0);
		unbounded = unbounded || (drives && !is_ball && isinf(axis->motor.limit));
		start = start || (u->d.tree.used[i] && fabs(state.position[k]) > rounding);
	}
	lose(losses, spring, "spring");
	lose(losses, armature, "armature");
	lose(losses, limits, "limits");
	lose(losses, motor, "motor");
	lose(losses, gains, "gains of the motor");
	lose(losses, target, "target of the motor");
	lose(losses, start, "initial position");
	if (unbounded) {
		abut_describe_note(&u->d, "motor", joint->name,
		                   "approximated: the motor of \"%.60s\" has no limit; its effort is 1e9", joint->name);
	}
}

static void note_joint(const AbutUrdfOut *u, int i)
{
	const AbutJointDef *joint = &u->d.def->joints[i];
	Losses losses = {.n = 0};
	if (!u->d.tree.used[i] && !abut_urdf_has_loop(u, i)) {
		abut_describe_note(&u->d, "joint", joint->name, "left out: joint \"%.60s\": %s of type %s", joint->name,
		                   joint->type == ABUT_JOINT_DISTANCE ? "URDF has none"
		                                                      : "it closes a loop, and <loop_joint> has none",
		                   abut_joint_type_name(joint->type));
		return;
	}
	note_freedoms(u, i, &losses);
	lose(&losses, joint->has_velocity && !is_zero(joint->velocity), "initial velocity");
	lose(&losses, is_soft(&joint->limit_spring), "softness of limits");
	lose(&losses, is_soft(&joint->friction_spring), "softness of friction");
	lose(&losses, joint->collide, "contact of its two bodies");
	if (losses.n > 0) {
		abut_describe_note(&u->d, "joint", joint->name, "left out: of joint \"%.60s\": %s", joint->name,
		                   losses.list);
	}
	if (differ(joint)) {
		abut_describe_note(&u->d, "joint", joint->name,
		                   "approximated: all freedoms of planar joint \"%.60s\" get damping, friction and "
		                   "effort of the first",
		                   joint->name);
	}
	if (u->d.tree.used[i] && joint->type == ABUT_JOINT_BALL) {
		abut_describe_note(
		    &u->d, "joint", joint->name,
		    "approximated: joint \"%.60s\" is of type ball, which Dojo and Abut read, and others "
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
			abut_describe_note(
			    &u->d, "coupling", a->name,
			    "left out: the coupling of \"%.60s\" and \"%.60s\": <mimic> couples each joint "
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
		const AbutJointDef *joint = abut_urdf_carrier(u, i);
		const AbutPose *frame = &u->frame[i];
		Losses losses = {.n = 0};
		if (!body->is_static) {
			lose(&losses, !joint && !(is_zero(body->linear_velocity) && is_zero(body->angular_velocity)),
			     "initial velocity");
			lose(&losses, !is_zero(body->force) || !is_zero(body->torque), "constant force or torque");
			lose(&losses, body->planar_xz && joint, "\"planar\"");
		}
		if (losses.n > 0) {
			abut_describe_note(&u->d, "body", body->name, "left out: of body \"%.60s\": %s", body->name,
			                   losses.list);
		}
		if (abut_norm3(frame->position) > 0.0 || abut_norm3(&frame->orientation[1]) > 0.0) {
			abut_describe_note(&u->d, "body", body->name,
			                   "approximated: the frame of link \"%.60s\" is that of its joint, not of the "
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
		abut_describe_note(
		    &u->d, "contacts", "",
		    "left out: that %d pair%s of bodies never touch%s, the first \"%.60s\" and \"%.60s\"", n,
		    n == 1 ? "" : "s", n == 1 ? "es" : "", first[0], first[1]);
	}
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		valued += pair->friction >= 0.0 || pair->torsional_radius >= 0.0 || pair->restitution >= 0.0 ||
		          pair->has_solref || pair->has_solimp || pair->has_margin;
	}
	if (valued > 0) {
		abut_describe_note(&u->d, "contacts", "", "left out: friction and other values of %d pair%s of bodies",
		                   valued, valued == 1 ? "" : "s");
	}
}

static void note_scene(const AbutUrdfOut *u)
{
	const AbutSceneDef usual = abut_scene_def_default(), *def = u->d.def;
	for (int i = 0; i < def->n_sensors; i++) {
		abut_describe_note(&u->d, "sensor", def->sensors[i].name, "left out: sensor \"%.60s\"",
		                   def->sensors[i].name);
	}
	double other[3];
	abut_sub3(def->gravity, usual.gravity, other);
	if (!is_zero(other)) {
		abut_describe_note(&u->d, "scene", "", "left out: gravity (%g, %g, %g) m/s^2", def->gravity[0],
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

/* Makes chains, loops, a floating tree, a gyroscope, a gear train and a hinge that dry friction holds. Links are
 * capsules of radius 0.02 m between two joints; hinges turn about y. */
#include "experiments/mechanisms/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "experiments/setting/turn.h"

static const double gravity = 9.81, radius = 0.02, pi = 3.141592653589793;
static const double along_x[3] = {1.0, 0.0, 0.0}, along_y[3] = {0.0, 1.0, 0.0};

static int add_body(Mechanism *m, AbutShape *shape, double mass, const double centre[3])
{
	const int i = m->def.n_bodies++;
	m->shapes[i] = shape;
	m->parts[i] = shape;
	m->bodies[i] = abut_body_def_default();
	m->bodies[i].name = m->names[i];
	m->bodies[i].n_parts = 1;
	m->bodies[i].parts = &m->parts[i];
	m->bodies[i].mass = mass;
	abut_copy3(centre, m->bodies[i].position);
	return i;
}

/* Adds a link of `mass` from a to b in the world, and returns its index. */
static int add_link(Mechanism *m, const double a[3], const double b[3], double mass)
{
	AbutShape *shape = NULL;
	double along[3], centre[3];
	abut_sub3(b, a, along);
	const double length = abut_norm3(along);
	abut_add_scaled3(a, 0.5, along, centre);
	if (m->status == ABUT_OK) {
		m->status = abut_shape_create_capsule(radius, length - 2.0 * radius, &shape, m->error);
	}
	const int i = add_body(m, shape, mass, centre);
	abut_divide3(along, length, along);
	abut_turn_z_to(along, m->bodies[i].orientation); /* no link points down */
	return i;
}

static AbutJointDef *add_joint(Mechanism *m, AbutJointType type, int parent, int child, const double anchor[3],
                               const double axis[3])
{
	static const double origin[3] = {0.0, 0.0, 0.0}, none[4] = {1.0, 0.0, 0.0, 0.0};
	const int i = m->def.n_joints++;
	AbutJointDef *joint = &m->joints[i];
	const AbutBodyDef *p = parent < 0 ? NULL : &m->bodies[parent], *c = &m->bodies[child];
	*joint = abut_joint_def_default();
	joint->name = m->names[i];
	joint->type = type;
	joint->parent = parent;
	joint->child = child;
	abut_joint_frames(anchor, axis, p ? p->position : origin, p ? p->orientation : none, c->position,
	                  c->orientation, joint);
	return joint;
}

/* Adds links of 0.5 kg along the polygon of n + 1 points in the xz plane, each on a hinge to the one before. */
static void add_chain(Mechanism *m, int n, const double (*points)[2], bool closed)
{
	double a[3] = {points[0][0], 0.0, points[0][1]}, b[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < n; i++) {
		b[0] = points[i + 1][0];
		b[2] = points[i + 1][1];
		const int link = add_link(m, a, b, 0.5);
		add_joint(m, ABUT_JOINT_HINGE, link - 1, link, a, along_y);
		abut_copy3(b, a);
	}
	if (closed) {
		add_joint(m, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, n - 1, b, along_y);
	}
}

static void straight(Mechanism *m, int n)
{
	double points[MECHANISM_LINKS + 1][2];
	for (int i = 0; i <= n; i++) {
		points[i][0] = 0.2 * i;
		points[i][1] = 0.0;
	}
	add_chain(m, n, points, false);
}

static void chain5(Mechanism *m)
{
	straight(m, 5);
}

static void chain20(Mechanism *m)
{
	straight(m, 20);
}

static void chain100(Mechanism *m)
{
	straight(m, 100);
}

/* Crank 0.15, coupler 0.35, rocker 0.3 and ground 0.4 m, with the crank upright. */
static void four_bar(Mechanism *m)
{
	const double x = 0.4, z = -0.15, d = sqrt(x * x + z * z); /* from the crank's end to the ground joint */
	const double s = (0.35 * 0.35 - 0.3 * 0.3 + d * d) / (2.0 * d), h = sqrt(0.35 * 0.35 - s * s);
	const double points[4][2] = {
	    {0.0, 0.0}, {0.0, 0.15}, {(s * x - h * z) / d, 0.15 + (s * z + h * x) / d}, {0.4, 0.0}};
	add_chain(m, 3, points, true);
}

/* Twenty links of 0.2 m on a half circle beside the vertical line through both pins. */
static void ring20(Mechanism *m)
{
	double points[21][2];
	const double R = 0.1 / sin(pi / 40.0);
	for (int i = 0; i <= 20; i++) {
		points[i][0] = R * sin(pi * i / 20.0);
		points[i][1] = R * (cos(pi * i / 20.0) - 1.0);
	}
	add_chain(m, 20, points, true);
}

static void slider_crank(Mechanism *m)
{
	/* the crank at 45 degrees; upright is an equilibrium */
	const double x = 0.15 * sqrt(0.5);
	const double points[3][2] = {{0.0, 0.0}, {x, x}, {x + sqrt(0.35 * 0.35 - x * x), 0.0}};
	const double end[3] = {points[2][0], 0.0, 0.0}, half[3] = {0.03, 0.03, 0.03};
	AbutShape *box = NULL;
	add_chain(m, 2, points, false);
	if (m->status == ABUT_OK) {
		m->status = abut_shape_create_box(half, &box, m->error);
	}
	const int slider = add_body(m, box, 0.5, end);
	add_joint(m, ABUT_JOINT_HINGE, 1, slider, end, along_y);
	add_joint(m, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, slider, end, along_x);
}

/* A trunk with four limbs of two links on skew hinges and balls, without gravity. Spins of up to 2 rad/s. */
static void floating(Mechanism *m)
{
	const double a[3] = {0.0, 0.0, -0.1}, b[3] = {0.0, 0.0, 0.1};
	m->def.gravity[2] = 0.0;
	add_link(m, a, b, 2.0);
	for (int limb = 0; limb < 4; limb++) {
		const double angle = 0.5 * pi * limb, c = cos(angle), s = sin(angle);
		const double points[3][3] = {
		    {0.0, 0.0, 0.05 * limb - 0.1}, {0.25 * c, 0.25 * s, 0.1}, {0.5 * c, 0.5 * s, 0.0}};
		const double skew[3] = {s, c, 0.3};
		const int upper = add_link(m, points[0], points[1], 0.5),
		          lower = add_link(m, points[1], points[2], 0.5);
		add_joint(m, ABUT_JOINT_BALL, 0, upper, points[0], along_y);
		add_joint(m, ABUT_JOINT_HINGE, upper, lower, points[1], skew);
	}
	for (int i = 0; i < m->def.n_bodies; i++) {
		for (int k = 0; k < 3; k++) {
			m->bodies[i].angular_velocity[k] = 2.0 * sin(1.0 + 3.0 * i + 5.0 * k);
			m->bodies[i].linear_velocity[k] = 0.3;
		}
	}
}

/* A heavy top: a cylinder whose axis leans by 60 degrees and passes through a ball joint, in steady precession. With
 * the axial rate w3 and the moments I1 about the pivot and I3 about the axis, the rate W of precession solves
 * I1 cos(lean) W^2 - I3 w3 W + m g l = 0. */
static void gyroscope(Mechanism *m)
{
	const double r = 0.1, height = 0.04, l = 0.1, lean = pi / 3.0, axial = 40.0, mass = 1.0;
	const double axis[3] = {sin(lean), 0.0, cos(lean)}, origin[3] = {0.0, 0.0, 0.0};
	const double I3 = 0.5 * mass * r * r, I1 = mass * ((3.0 * r * r + height * height) / 12.0 + l * l);
	const double b = I3 * axial, a = I1 * cos(lean);
	double centre[3];
	AbutShape *shape = NULL;
	m->status = abut_shape_create_cylinder(r, height, &shape, m->error);
	abut_scale3(l, axis, centre);
	AbutBodyDef *body = &m->bodies[add_body(m, shape, mass, centre)];
	body->orientation[0] = cos(0.5 * lean);
	body->orientation[2] = sin(0.5 * lean);
	add_joint(m, ABUT_JOINT_BALL, ABUT_JOINT_WORLD, 0, origin, along_x);
	m->precession = (b - sqrt(b * b - 4.0 * a * mass * gravity * l)) / (2.0 * a);
	body->angular_velocity[0] = -m->precession * sin(lean); /* the vertical rate, in body axes */
	body->angular_velocity[2] = axial;
	body->linear_velocity[1] = m->precession * centre[0];
}

/* A weight on a cord around the first of four gears, each of which turns the next one. With the inertia J of a gear and
 * the ratios f of their rates to the first one's, the weight falls by m g / (m + J sum f^2 / r^2). */
static void gear_train(Mechanism *m)
{
	static const double ratio[MECHANISM_GEARS - 1] = {-0.5, -2.0, -1.2};
	const double weight = 0.02, r = 0.05, gear = 2.0, radius_of_gear = 0.1,
	             J = 0.5 * gear * radius_of_gear * radius_of_gear;
	const double start[3] = {1.0, 0.0, 0.0}, origin[3] = {0.0, 0.0, 0.0}, down[3] = {0.0, 0.0, -1.0},
	             up[3] = {0.0, 0.0, 1.0};
	double factor = 1.0, sum = 0.0;
	AbutShape *shape = NULL;
	m->status = abut_shape_create_sphere(radius, &shape, m->error);
	const int falling = add_body(m, shape, weight, start);
	add_joint(m, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, falling, start, down);
	for (int i = 0; i < MECHANISM_GEARS; i++) {
		AbutShape *disc = NULL;
		if (m->status == ABUT_OK) {
			m->status = abut_shape_create_cylinder(radius_of_gear, 0.02, &disc, m->error);
		}
		const int own = add_body(m, disc, gear, origin);
		add_joint(m, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, own, origin, up);
		m->couplings[m->def.n_couplings++] =
		    (AbutCouplingDef){.joint = {own, own - 1}, .ratio = i == 0 ? 1.0 / r : ratio[i - 1]};
		factor *= i == 0 ? 1.0 : ratio[i - 1];
		sum += factor * factor;
	}
	m->fall = weight * gravity / (weight + J * sum / (r * r));
}

/* A horizontal link that hangs at 0.999999 of the bound of dry friction. */
static void friction(Mechanism *m)
{
	const double a[3] = {0.0, 0.0, 0.0}, b[3] = {0.4, 0.0, 0.0};
	const int link = add_link(m, a, b, 1.0);
	add_joint(m, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, link, a, along_y)->axes[0].friction =
	    1.0 * gravity * 0.2 / 0.999999;
}

const MechanismKind abut_mechanism_kinds[] = {
    {"chain5", "5 links of 0.2 m and 0.5 kg, released horizontal", chain5},
    {"chain20", "20 such links", chain20},
    {"chain100", "100 such links", chain100},
    {"four-bar", "crank 0.15, coupler 0.35, rocker 0.3, ground 0.4 m", four_bar},
    {"ring20", "20 links, pinned at both ends", ring20},
    {"slider-crank", "crank 0.15, rod 0.35 m, slider", slider_crank},
    {"floating", "tree of 9 bodies without gravity", floating},
    {"gyroscope", "heavy top in steady precession", gyroscope},
    {"gear-train", "weight of 0.02 kg on a cord around the first of four gears", gear_train},
    {"friction", "hinge at 0.999999 of its dry friction", friction}};
const int abut_mechanism_kind_count = sizeof abut_mechanism_kinds / sizeof *abut_mechanism_kinds;

AbutStatus abut_mechanism_make(const MechanismKind *kind, double timestep, Mechanism *out, AbutError *error)
{
	memset(out, 0, sizeof *out);
	out->error = error;
	out->def = abut_scene_def_default();
	out->def.timestep = timestep;
	out->def.all_pairs = false;
	out->def.gravity[2] = -gravity;
	out->def.bodies = out->bodies;
	out->def.joints = out->joints;
	out->def.couplings = out->couplings;
	for (int i = 0; i <= MECHANISM_LINKS; i++) {
		snprintf(out->names[i], sizeof out->names[i], "n%d", i);
	}
	kind->make(out);
	for (int i = 0; i < out->def.n_bodies; i++) {
		out->swing += out->bodies[i].mass * gravity * abut_norm3(out->bodies[i].position);
	}
	return out->status;
}

void abut_mechanism_free(Mechanism *mechanism)
{
	for (int i = 0; i < mechanism->def.n_bodies; i++) {
		abut_shape_destroy(mechanism->shapes[i]);
	}
}

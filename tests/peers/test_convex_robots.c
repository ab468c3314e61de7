/* Compares the accelerations and the inverse dynamics of robots in method convex with MuJoCo's: contacts, limits, dry
 * friction, springs, dampers and armature, in random states. Skipped if MuJoCo or the models are not there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "base/vec3.h"

#ifdef ABUT_TEST_MUJOCO
#include <mujoco/mujoco.h>

#include "dynamics/model/model.h"
#include "peers/import_scene.h"

/* Our robot beside theirs. */
typedef struct Both {
	mjModel *theirs;
	mjData *data;
	AbutScene *scene;
	AbutSceneDef def;
	AbutBodyDef *bodies; /* (def.n_bodies) */
} Both;

static int find_theirs(const Both *both, int body);

/* Returns their body of ours, or of the one at the end of the chain of which ours is a link, such as "thigh_link_2"; 0
 * if none. */
static int find_end_of_chain(const Both *both, int body)
{
	const char *name = both->def.bodies[body].name, *link = strstr(name, "_link");
	char end[128];
	if (find_theirs(both, body) > 0 || !link) {
		return find_theirs(both, body);
	}
	snprintf(end, sizeof end, "%.*s", (int)(link - name), name);
	return mj_name2id(both->theirs, mjOBJ_BODY, end);
}

/* Puts our bodies at the poses at which MuJoCo measures mobilities; imports may start at a keyframe. */
static void go_home(Both *both)
{
	mj_kinematics(both->theirs, both->data);
	for (int i = 0; i < both->def.n_bodies; i++) {
		const int id = find_end_of_chain(both, i);
		if (id > 0) {
			mju_copy3(both->bodies[i].position, &both->data->xpos[3 * id]);
			mju_copy4(both->bodies[i].orientation, &both->data->xquat[4 * id]);
		}
	}
}

/* Returns the mobility of a body of theirs, with those that are fixed to it, at their common centre of mass, at qpos0:
 * a third of the trace of J M^-1 J', all from MuJoCo. Sets how many bodies these are. */
static double mobility_of(const Both *both, int id, int *parts)
{
	const mjModel *m = both->theirs;
	double centre[3] = {0.0}, mass = 0.0;
	double *J = calloc(6 * (size_t)m->nv, sizeof *J), *turned = &J[3 * m->nv];
	*parts = 0;
	for (int k = id; k < m->nbody; k++) {
		if (m->body_weldid[k] == id) {
			mju_addToScl3(centre, &both->data->xipos[3 * k], m->body_mass[k]);
			mass += m->body_mass[k];
			++*parts;
		}
	}
	mju_scl3(centre, centre, 1.0 / mass);
	mj_jac(m, both->data, J, NULL, centre, id);
	mj_solveM(m, both->data, turned, J, 3);
	const double trace = mju_dot(J, turned, 3 * m->nv);
	free(J);
	return trace / 3.0;
}

/* MuJoCo measures bodies without joints each at its own centre of mass; here they are parts of the body to which they
 * are fixed. Gives them and this body the mobility of the whole. Returns the number of bodies which this changes. */
static int fuse(const Both *both)
{
	int changed = 0;
	mj_comPos(both->theirs, both->data);
	mj_crb(both->theirs, both->data);
	mj_factorM(both->theirs, both->data);
	for (int id = 1; id < both->theirs->nbody; id++) {
		int parts;
		if (both->theirs->body_weldid[id] != id) {
			continue;
		}
		const double mobility = mobility_of(both, id, &parts);
		if (parts == 1) { /* as MuJoCo has it */
			const double theirs = both->theirs->body_invweight0[2 * id];
			cr_expect_float_eq(mobility, theirs, 1e-9 * theirs, "body %d: %g, not %g", id, mobility,
			                   theirs);
			continue;
		}
		for (int k = id; k < both->theirs->nbody; k++) {
			double *theirs = &both->theirs->body_invweight0[2 * k];
			if (both->theirs->body_weldid[k] == id && fabs(*theirs - mobility) > 1e-12 * mobility) {
				*theirs = mobility;
				changed++;
			}
		}
	}
	return changed;
}

/* Loads a model. `fused` is the number of MuJoCo's bodies whose mobility becomes that of a whole. */
static void begin(const char *path, int fused, Both *both)
{
	char error[500] = "";
	*both = (Both){.theirs = mj_loadXML(path, NULL, error, sizeof error)};
	cr_assert_not_null(both->theirs, "%s", error);
	both->theirs->opt.solver = mjSOL_NEWTON;
	both->theirs->opt.cone = mjCONE_ELLIPTIC;
	both->theirs->opt.iterations = 1000;
	both->theirs->opt.tolerance = 0.0;
	both->data = mj_makeData(both->theirs);
	both->scene = import_scene(path);
	both->def = *abut_scene_def(both->scene);
	both->bodies = malloc((size_t)both->def.n_bodies * sizeof *both->bodies);
	memcpy(both->bodies, both->def.bodies, (size_t)both->def.n_bodies * sizeof *both->bodies);
	both->def.bodies = both->bodies;
	go_home(both);
	both->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	both->def.solver.impratio = both->theirs->opt.impratio;
	cr_expect_eq(fuse(both), fused, "%s", path);
}

static void end(Both *both)
{
	free(both->bodies);
	abut_scene_destroy(both->scene);
	mj_deleteData(both->data);
	mj_deleteModel(both->theirs);
}

/* Moves their robot by random controls to a state in which much acts. */
static void agitate(Both *both, AbutRng *rng, int steps)
{
	mj_resetData(both->theirs, both->data);
	for (int i = 0; i < steps; i++) {
		for (int k = 0; i % 20 == 0 && k < both->theirs->nu; k++) {
			both->data->ctrl[k] = abut_rng_uniform(rng, -1.0, 1.0);
		}
		mj_step(both->theirs, both->data);
	}
	for (int k = 0; k < both->theirs->nu; k++) {
		both->data->ctrl[k] = 0.0;
	}
	mj_forward(both->theirs, both->data);
	mj_rnePostConstraint(both->theirs, both->data);
}

/* Returns their body of one of ours: by name, or the next of theirs without a name that has joints; 0 if none. */
static int find_theirs(const Both *both, int body)
{
	const int id = mj_name2id(both->theirs, mjOBJ_BODY, both->def.bodies[body].name);
	int unnamed = 0;
	if (both->def.bodies[body].is_static || id > 0) {
		return both->def.bodies[body].is_static ? 0 : id;
	}
	for (int i = 0; i < body; i++) {
		unnamed += !both->def.bodies[i].is_static &&
		           mj_name2id(both->theirs, mjOBJ_BODY, both->def.bodies[i].name) < 0;
	}
	for (int i = 1; i < both->theirs->nbody; i++) {
		if (both->theirs->body_jntnum[i] > 0 && !mj_id2name(both->theirs, mjOBJ_BODY, i) && unnamed-- == 0) {
			return i;
		}
	}
	return 0;
}

/* A motion of their robot: two poses. */
typedef struct Way {
	mjData *from, *to;
} Way;

/* Computes the mean velocities of our body i, which is their body `id`, on a way of the duration h: of its centre of
 * mass, and the w of the rotation by the quaternion (c, h w / 2); in the world. */
static void mean_velocity(const Way *way, const AbutModel *model, int i, int id, double h, double out[6])
{
	double back[4], turn[4], then[3], now[3];
	mju_rotVecMat(then, model->bodies[i].centre_of_mass, &way->from->xmat[9 * id]);
	mju_rotVecMat(now, model->bodies[i].centre_of_mass, &way->to->xmat[9 * id]);
	mju_negQuat(back, &way->from->xquat[4 * id]);
	mju_mulQuat(turn, &way->to->xquat[4 * id], back);
	for (int k = 0; k < 3; k++) {
		out[k] = (way->to->xpos[3 * id + k] + now[k] - way->from->xpos[3 * id + k] - then[k]) / h;
		out[3 + k] = copysign(2.0, turn[0]) * turn[1 + k] / h;
	}
}

static mjData *moved(const Both *both, double h)
{
	mjData *data = mj_copyData(NULL, both->theirs, both->data);
	if (h > 0.0) {
		mju_addToScl(data->qvel, data->qacc, h, both->theirs->nv);
	}
	mj_integratePos(both->theirs, data->qpos, data->qvel, h);
	mj_kinematics(both->theirs, data);
	return data;
}

/* Returns the index of their joint with one of the names in ours, such as "a+b" of a universal joint, the `part`-th. */
static int find_joint(const Both *both, const char *name, int part)
{
	char one[128];
	for (; part > 0 && strchr(name, '+'); part--) {
		name = strchr(name, '+') + 1;
	}
	snprintf(one, sizeof one, "%.*s", (int)strcspn(name, "+"), name);
	return mj_name2id(both->theirs, mjOBJ_JOINT, one);
}

/* Reads the coordinates and rates of our joint. */
static void read_joint(const Both *both, const AbutModel *model, int joint, double *q, double *qdot)
{
	const int n = abut_joint_type_freedoms(abut_model_joint_type(model, joint));
	for (int k = 0; k < n; k++) {
		const int id = find_joint(both, abut_model_joint_name(model, joint), k);
		cr_assert_geq(id, 0, "%s", abut_model_joint_name(model, joint));
		const double *at = &both->data->qpos[both->theirs->jnt_qposadr[id]],
		             *rate = &both->data->qvel[both->theirs->jnt_dofadr[id]];
		if (both->theirs->jnt_type[id] == mjJNT_BALL) {
			mju_quat2Vel(q, at, 1.0);
			mju_copy3(qdot, rate);
			return;
		}
		q[k] = at[0];
		qdot[k] = rate[0];
	}
}

/* Reads the rates of a base on a way of the duration h: of its centre of mass, and its turn in body axes. */
static void read_base(const Both *both, const AbutModel *model, const Way *way, int body, double h, double *qdot)
{
	const int id = find_theirs(both, body);
	double velocity[6];
	mean_velocity(way, model, body, id, h, velocity);
	mju_copy3(qdot, velocity);
	mju_rotVecMatT(&qdot[3], &velocity[3], &both->data->xmat[9 * id]);
}

/* Sets our robot to the state of theirs. Its velocities are the mean ones of the step before, in which its rates were
 * the same. */
static void set_state(const Both *both, const AbutModel *model, AbutRobot *robot, const Way *before, double h,
                      AbutState *state)
{
	double q[64] = {0.0}, qdot[64] = {0.0};
	cr_assert_leq(abut_robot_coordinate_count(robot), 64);
	for (int i = 0; i < both->def.n_joints; i++) {
		if (abut_robot_joint_coordinate(robot, i) >= 0) {
			read_joint(both, model, i, &q[abut_robot_joint_coordinate(robot, i)],
			           &qdot[abut_robot_joint_velocity(robot, i)]);
		}
	}
	for (int i = 0; i < both->def.n_bodies; i++) {
		const int id = find_theirs(both, i), at = abut_robot_base_coordinate(robot, i),
		          v = abut_robot_base_velocity(robot, i);
		if (id > 0 && at >= 0) {
			memcpy(&q[at], &both->data->xpos[3 * id], 3 * sizeof *q);
			memcpy(&q[at + 3], &both->data->xquat[4 * id], 4 * sizeof *q);
			read_base(both, model, before, i, h, &qdot[v]);
		}
	}
	cr_assert_eq(abut_robot_set_state(robot, q, qdot, state), ABUT_OK);
}

/* Our robot in a state of theirs, with the way of theirs before and after it. */
typedef struct Ours {
	AbutModel *model;
	AbutState *state, *after;
	AbutWorkspace *workspace;
	AbutRobot *robot;
	Way before, to;
} Ours;

static void begin_ours(const Both *both, double h, Ours *ours)
{
	AbutSceneDef def = both->def;
	AbutError error;
	def.timestep = h;
	cr_assert_eq(abut_model_create(&def, &ours->model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(ours->model, &ours->state, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(ours->model, &ours->after, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(ours->model, &ours->workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_robot_create(ours->model, &ours->robot, NULL), ABUT_OK);
	ours->before = (Way){moved(both, -h), both->data};
	ours->to = (Way){both->data, moved(both, h)};
	set_state(both, ours->model, ours->robot, &ours->before, h, ours->state);
}

static void end_ours(Ours *ours)
{
	mj_deleteData(ours->before.from);
	mj_deleteData(ours->to.to);
	abut_robot_destroy(ours->robot);
	abut_workspace_destroy(ours->workspace);
	abut_state_destroy(ours->after);
	abut_state_destroy(ours->state);
	abut_model_destroy(ours->model);
}

/* Steps our robot from the state of theirs. Sets the differences of the velocities at the end from theirs, over h (6
 * n), and the largest change of theirs. */
static void compare_forward(const Both *both, double h, double *out, double *largest)
{
	Ours ours;
	AbutStepInfo info = {.row = 0};
	begin_ours(both, h, &ours);
	cr_assert_eq(abut_step(ours.model, ours.state, ours.workspace, &info), ABUT_OK);
	cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED);
	for (int i = 0; i < both->def.n_bodies; i++) {
		const int id = find_theirs(both, i);
		if (id > 0) {
			AbutBodyState body;
			double v0[6], v[6], own[6], R[9];
			mean_velocity(&ours.before, ours.model, i, id, h, v0);
			mean_velocity(&ours.to, ours.model, i, id, h, v);
			abut_state_get_body(ours.model, ours.state, i, &body);
			abut_quat_to_mat3(body.orientation, R);
			memcpy(own, body.linear_velocity, sizeof body.linear_velocity);
			abut_mat3_vec(R, body.angular_velocity, &own[3]);
			for (int k = 0; k < 6; k++) {
				out[6 * i + k] = (own[k] - v[k]) / h;
				*largest = fmax(*largest, fabs(v[k] - v0[k]) / h);
			}
		}
	}
	end_ours(&ours);
}

/* Moves our robot from the state of theirs with their accelerations. Sets the differences of the efforts that this
 * takes from theirs (6 n, of which qdot has fewer), and the largest of theirs, of constraints and of inertia. */
static void compare_inverse(const Both *both, double h, double *out, double *largest)
{
	Ours ours;
	AbutRobotInverse info;
	AbutError error;
	double qdot[64] = {0.0};
	begin_ours(both, h, &ours);
	for (int i = 0; i < both->def.n_joints; i++) {
		const int v = abut_robot_joint_velocity(ours.robot, i);
		double q[3];
		if (v >= 0) {
			const Both next = {.theirs = both->theirs, .data = ours.to.to};
			read_joint(&next, ours.model, i, q, &qdot[v]);
		}
	}
	for (int i = 0; i < both->def.n_bodies; i++) {
		const int v = abut_robot_base_velocity(ours.robot, i);
		if (v >= 0 && find_theirs(both, i) > 0) {
			read_base(both, ours.model, &ours.to, i, h, &qdot[v]);
		}
	}
	cr_assert_eq(abut_robot_advance(ours.robot, ours.state, qdot, ours.after), ABUT_OK);
	cr_assert_eq(abut_robot_inverse(ours.robot, ours.state, ours.after, out, &info, &error), ABUT_OK, "%s",
	             error.message);
	for (int i = 0; i < both->def.n_joints; i++) {
		const int v = abut_robot_joint_velocity(ours.robot, i);
		for (int k = 0; v >= 0 && k < abut_joint_type_freedoms(abut_model_joint_type(ours.model, i)); k++) {
			const bool ball = abut_model_joint_type(ours.model, i) == ABUT_JOINT_BALL;
			const int id = find_joint(both, abut_model_joint_name(ours.model, i), ball ? 0 : k);
			out[v + k] -= both->data->qfrc_inverse[both->theirs->jnt_dofadr[id] + (ball ? k : 0)];
		}
	}
	for (int i = 0; i < both->def.n_bodies; i++) { /* about the centre of mass, not the origin */
		const int v = abut_robot_base_velocity(ours.robot, i), id = find_theirs(both, i);
		if (v >= 0 && id > 0) {
			const double *theirs = &both->data->qfrc_inverse[both->theirs->body_dofadr[id]];
			double force[3], moment[3];
			mju_rotVecMatT(force, &out[v], &both->data->xmat[9 * id]);
			mju_cross(moment, ours.model->bodies[i].centre_of_mass, force);
			for (int k = 0; k < 3; k++) {
				out[v + k] -= theirs[k];
				out[v + 3 + k] += moment[k] - theirs[3 + k];
			}
		}
	}
	for (int k = 0; k < both->theirs->nv; k++) {
		const double inertia = both->data->qfrc_inverse[k] + both->data->qfrc_passive[k] +
		                       both->data->qfrc_constraint[k] - both->data->qfrc_bias[k];
		*largest = fmax(*largest, fmax(fabs(both->data->qfrc_constraint[k]), fabs(inertia)));
		*largest = fmax(*largest, fabs(both->data->qfrc_inverse[k]));
	}
	end_ours(&ours);
}

typedef void Compare(const Both *both, double h, double *out, double *largest);

/* Steps in which a model is compared: `levels` of lengths from `step` on, each half of the one before. Stiff dampers of
 * small bodies need more and shorter ones; those of inverse dynamics may be longer, where the rounding of poses over
 * the square of the step counts. */
typedef struct Steps {
	double step;
	int levels;
	double allowed;
} Steps;

typedef struct Case {
	const char *path;
	int fused; /* bodies to which `fuse` gives another mobility */
	Steps forward, inverse;
} Case;

enum { MOST_LEVELS = 5 };

/* Computes differences (6 n) in the limit of short steps, and the largest value. */
static void compare_steps(const Both *both, const Steps *of, Compare *how, double *out, double *largest)
{
	const size_t n = 6 * (size_t)both->def.n_bodies;
	double *a[MOST_LEVELS];
	for (int l = 0; l < of->levels; l++) {
		a[l] = calloc(n, sizeof(double));
		how(both, of->step / (1 << l), a[l], largest);
	}
	for (int order = 1; order < of->levels; order++) { /* Richardson: errors of order h, h^2, ... */
		const double f = (double)(1 << order);
		for (int l = 0; l < of->levels - order; l++) {
			for (size_t i = 0; i < n; i++) {
				a[l][i] = (f * a[l + 1][i] - a[l][i]) / (f - 1.0);
			}
		}
	}
	memcpy(out, a[0], n * sizeof *out);
	for (int l = 0; l < of->levels; l++) {
		free(a[l]);
	}
}

/* Makes the links between the joints of one of their bodies heavier. Returns whether there are any. */
static bool weigh_links(const Both *both, double factor)
{
	bool any = false;
	for (int i = 0; i < both->def.n_bodies; i++) {
		AbutBodyDef *body = &both->bodies[i];
		if (!body->is_static && find_theirs(both, i) == 0) {
			any = true;
			body->mass *= factor;
			for (int k = 0; k < 9; k++) {
				body->inertia[k] *= factor;
			}
		}
	}
	return any;
}

/* Returns the largest difference relative to the largest value, in the limits of short steps
 * and of links without mass. This one follows from links of 1e-5 and 2e-5 of the mass of their bodies: those of 1e-6
 * turn so easily that steps of 1e-5 s do not resolve it (dynamics/joint/direction.h). */
static double compare(const Both *both, const Steps *of, Compare *how)
{
	const size_t n = 6 * (size_t)both->def.n_bodies;
	double *a = calloc(2 * n, sizeof *a), *heavier = &a[n], worst = 0.0, largest = 0.0;
	const bool links = weigh_links(both, 10.0);
	compare_steps(both, of, how, a, &largest);
	if (links) {
		weigh_links(both, 2.0);
		compare_steps(both, of, how, heavier, &largest);
		weigh_links(both, 0.05);
	} else {
		memcpy(heavier, a, n * sizeof *a);
	}
	for (size_t i = 0; i < n; i++) {
		worst = fmax(worst, fabs(2.0 * a[i] - heavier[i]));
	}
	free(a);
	return worst / largest;
}

/* What acts in the states that were compared. */
typedef struct Seen {
	int contacts, limits, frictions, equalities;
	double worst, worst_inverse;
} Seen;

static void compare_states(const Case *of, int states, Seen *seen)
{
	const char *path = of->path;
	Both both;
	begin(path, of->fused, &both);
	for (int seed = 0; seed < states; seed++) {
		AbutRng rng = abut_rng_stream((uint64_t)seed, 0);
		agitate(&both, &rng, 40 + 17 * seed);
		const double off = compare(&both, &of->forward, compare_forward);
		seen->worst = fmax(seen->worst, off);
		cr_expect_leq(off, of->forward.allowed, "%s, seed %d: %g of the largest acceleration", path, seed, off);
		/* another motion */
		mju_scl(both.data->qacc, both.data->qacc, abut_rng_uniform(&rng, 0.0, 1.0), both.theirs->nv);
		mj_inverse(both.theirs, both.data);
		const double lacking = compare(&both, &of->inverse, compare_inverse);
		seen->worst_inverse = fmax(seen->worst_inverse, lacking);
		cr_expect_leq(lacking, of->inverse.allowed, "%s, seed %d: %g of the largest effort", path, seed,
		              lacking);
		for (int i = 0; i < both.data->nefc; i++) {
			seen->limits += both.data->efc_type[i] == mjCNSTR_LIMIT_JOINT;
			seen->frictions += both.data->efc_type[i] == mjCNSTR_FRICTION_DOF;
			seen->equalities += both.data->efc_type[i] == mjCNSTR_EQUALITY;
		}
		seen->contacts += both.data->ncon;
	}
	end(&both);
}

Test(peers_convex_robots, accelerate_as_in_mujoco)
{
	Seen seen = {0};
	compare_states(&(Case){ABUT_SOURCE_DIR "/tests/io/models/crawler.xml", 0, {2e-4, 3, 1e-6}, {2e-4, 3, 1e-6}}, 40,
	               &seen);
	cr_log_info("%d contacts, %d limits, %d frictions, worst %g, inverse %g", seen.contacts, seen.limits,
	            seen.frictions, seen.worst, seen.worst_inverse);
	cr_expect_geq(seen.contacts, 20);
	cr_expect_geq(seen.limits, 20);
	cr_expect_geq(seen.frictions, 20);
}

/* Feet of spheres that each have their own friction, springs, margin, weights and priority, and a <pair>. */
Test(peers_convex_robots, parts_of_a_body_have_their_own_contacts)
{
	Seen seen = {0};
	compare_states(&(Case){ABUT_SOURCE_DIR "/tests/io/models/soles.xml", 0, {2e-4, 3, 1e-6}, {2e-4, 3, 1e-6}}, 40,
	               &seen);
	cr_log_info("%d contacts, %d limits, worst %g, inverse %g", seen.contacts, seen.limits, seen.worst,
	            seen.worst_inverse);
	cr_expect_geq(seen.contacts, 50);
}

/* A limb on a ball on which nothing acts, which drags on the floor, a connect, and a weld to the world. For the turns
 * of a weld, MuJoCo 2.2.2 takes the mobility of places, later versions that of turns, as we do; those of the welded
 * body are equal. */
Test(peers_convex_robots, equalities_accelerate_as_in_mujoco)
{
	Seen seen = {0};
	compare_states(&(Case){ABUT_SOURCE_DIR "/tests/io/models/dragger.xml", 0, {2e-4, 3, 1e-6}, {2e-4, 3, 1e-6}}, 40,
	               &seen);
	cr_log_info("%d contacts, %d rows of equalities, worst %g, inverse %g", seen.contacts, seen.equalities,
	            seen.worst, seen.worst_inverse);
	cr_expect_geq(seen.contacts, 40);
	cr_expect_eq(seen.equalities, 40 * 9);
}

/* Equalities of joints, of two hinges of a chain and of a rack with its pinion, and of a fixed tendon. */
Test(peers_convex_robots, couplings_accelerate_as_in_mujoco)
{
	Seen seen = {0};
	compare_states(&(Case){ABUT_SOURCE_DIR "/tests/io/models/gears.xml", 0, {2e-4, 3, 1e-6}, {2e-4, 4, 1e-6}}, 40,
	               &seen);
	cr_log_info("%d contacts, %d rows of equalities, worst %g, inverse %g", seen.contacts, seen.equalities,
	            seen.worst, seen.worst_inverse);
	cr_expect_geq(seen.contacts, 40);
	cr_expect_eq(seen.equalities, 40 * 3);
}

/* Gymnasium's models, and Cassie with its loops. The pyramids of their friction follow the axes of capsules in MuJoCo,
 * so they are compared with round cones. */
Test(peers_convex_robots, robots_of_others_accelerate_as_in_mujoco)
{
	static const Steps usual = {2e-4, 3, 1e-6};
	const Case cases[] = {{"gym_ant/ant.xml", 4, usual, usual},
	                      {"gym_half_cheetah/half_cheetah.xml", 0, usual, usual},
	                      {"gym_hopper/hopper.xml", 0, usual, usual},
	                      {"gym_humanoid/humanoid.xml", 4, {5e-5, 3, 1e-6}, {1.4e-5, 3, 2e-5}},
	                      {"gym_walker2d_v5/walker2d_v5.xml", 0, usual, usual},
	                      {"menagerie_agility_cassie/cassie_nomesh.xml", 4, {1e-4, 5, 1e-6}, {4e-4, 4, 1e-6}}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[512];
		Seen seen = {0};
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/../shared/data/models/%s", cases[i].path);
		if (access(path, R_OK) != 0) {
			cr_skip_test("%s is missing: the robots of others are not part of the project", path);
		}
		compare_states(&(Case){path, cases[i].fused, cases[i].forward, cases[i].inverse}, 10, &seen);
		cr_log_info("%s: %d contacts, %d limits, %d rows of equalities, worst %g, inverse %g", cases[i].path,
		            seen.contacts, seen.limits, seen.equalities, seen.worst, seen.worst_inverse);
	}
}
#else
Test(peers_convex_robots, accelerate_as_in_mujoco)
{
	cr_skip_test("MuJoCo is not installed");
}
#endif

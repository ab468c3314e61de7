/* Compares the accelerations of robots in method convex with MuJoCo's: contacts, limits, dry friction, springs, dampers
 * and armature, in random states. Skipped if MuJoCo or the models are not there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "io/import/import.h"
#include "io/import/write.h"

#ifdef ABUT_TEST_MUJOCO
#include <mujoco/mujoco.h>

#include "dynamics/model/joint.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/pairs/candidates.h"
#include "peers/import_scene.h"

/* Our robot beside theirs. */
typedef struct Both {
	mjModel *theirs;
	mjData *data;
	AbutScene *scene;
	AbutSceneDef def;
} Both;

static void read_springs(Both *both)
{
	const mjModel *m = both->theirs;
	AbutSolverOptions *solver = &both->def.solver;
	*solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	solver->friction_cone =
	    m->opt.cone == mjCONE_PYRAMIDAL ? ABUT_FRICTION_CONE_PYRAMID : ABUT_FRICTION_CONE_SOC;
	solver->impratio = m->opt.impratio;
	memcpy(solver->solref, &m->geom_solref[0], sizeof solver->solref);
	memcpy(solver->solimp, &m->geom_solimp[0], sizeof solver->solimp);
	solver->margin = m->geom_margin[0];
	solver->solimp[0] = fmax(solver->solimp[0], 1e-4);
	for (int i = 0; i < both->def.n_joints; i++) {
		AbutJointDef *joint = (AbutJointDef *)&both->def.joints[i];
		const int id = mj_name2id(m, mjOBJ_JOINT, joint->name);
		if (id >= 0) {
			joint->limit_spring = (AbutJointSpring){.has_solref = true, .has_solimp = true, .has_margin = true, .margin = m->jnt_margin[id]};
			memcpy(joint->limit_spring.solref, &m->jnt_solref[2 * id], sizeof joint->limit_spring.solref);
			memcpy(joint->limit_spring.solimp, &m->jnt_solimp[5 * id], sizeof joint->limit_spring.solimp);
			joint->limit_spring.solimp[0] = fmax(joint->limit_spring.solimp[0], 1e-4);
		}
	}
}

static Both begin(const char *path)
{
	char error[500] = "";
	Both both = {.theirs = mj_loadXML(path, NULL, error, sizeof error)};
	cr_assert_not_null(both.theirs, "%s", error);
	both.theirs->opt.solver = mjSOL_NEWTON;
	if (getenv("ELL")) both.theirs->opt.cone = mjCONE_ELLIPTIC;
	both.theirs->opt.iterations = 1000;
	both.theirs->opt.tolerance = 0.0;
	both.data = mj_makeData(both.theirs);
	both.scene = abut_test_import_scene(path);
	both.def = *abut_scene_def(both.scene);
	read_springs(&both);
	if (getenv("NOLIMIT")) {
		both.theirs->opt.disableflags |= mjDSBL_LIMIT;
		for (int i = 0; i < both.def.n_joints; i++) for (int k = 0; k < 3; k++) ((AbutJointDef*)both.def.joints)[i].axes[k].has_limits = false;
	}
	if (getenv("NOCON")) {
		both.theirs->opt.disableflags |= mjDSBL_CONTACT;
		both.def.all_pairs = false; both.def.n_pairs = 0;
	}
	if (getenv("NOARM")) {
		for (int i = 0; i < both.theirs->nv; i++) both.theirs->dof_armature[i] = 0.0;
		for (int i = 0; i < both.def.n_joints; i++) for (int k = 0; k < 3; k++) ((AbutJointDef*)both.def.joints)[i].axes[k].armature = 0;
	}
	if (getenv("NODAMP")) {
		for (int i = 0; i < both.theirs->nv; i++) both.theirs->dof_damping[i] = 0.0;
		for (int i = 0; i < both.def.n_joints; i++) for (int k = 0; k < 3; k++) ((AbutJointDef*)both.def.joints)[i].axes[k].damping = 0;
	}
	return both;
}

static void end(Both *both)
{
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
			both->data->ctrl[k] = abut_rng_uniform(rng, -1.0, 1.0) * (getenv("CT") ? atof(getenv("CT")) : 1.0);
		}
		mj_step(both->theirs, both->data);
	}
	for (int k = 0; k < both->theirs->nu; k++) {
		both->data->ctrl[k] = 0.0;
	}
	if (getenv("REST")) mju_zero(both->data->qvel, both->theirs->nv);
	if (getenv("ONLY")) { mju_zero(both->data->qvel, both->theirs->nv); both->data->qvel[atoi(getenv("ONLY"))] = 3; }
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

/* Steps our robot from the pose of theirs. Its velocities are the mean ones of the step before, in which its rates were
 * the same. Returns the largest difference of the velocities at the end from theirs, and the largest change of theirs,
 * over h, in `out` (6 n). */
static void compare_step(const Both *both, double h, double *out, double *largest)
{
	AbutSceneDef def = both->def;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutStepInfo info = {.row = 0};
	AbutError error;
	def.timestep = h;
	cr_assert_eq(abut_model_create(&def, &model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	if (getenv("MOB")) { for (int i = 0; i < def.n_bodies; i++) { int id = find_theirs(both,i); if (id>0) printf("%s %.10g %.10g\n", def.bodies[i].name, model->bodies[i].mobility/model->units.mass, both->theirs->body_invweight0[2*id]); } for (int i=0;i<def.n_joints;i++) {int id=mj_name2id(both->theirs,mjOBJ_JOINT,def.joints[i].name); if (id>=0) printf("%s %.10g %.10g\n", def.joints[i].name, model->joints.at[i].mobility[0]/(model->units.mass*model->units.length*model->units.length), both->theirs->dof_invweight0[both->theirs->jnt_dofadr[id]]); } unsetenv("MOB"); }
	const Way before = {moved(both, -h), both->data}, after = {both->data, moved(both, h)};
	for (int i = 0; i < def.n_bodies; i++) {
		const int id = find_theirs(both, i);
		if (id > 0) {
			AbutBodyState body;
			double v[6];
			mean_velocity(&before, model, i, id, h, v);
			memcpy(body.position, &both->data->xpos[3 * id], sizeof body.position);
			memcpy(body.orientation, &both->data->xquat[4 * id], sizeof body.orientation);
			memcpy(body.linear_velocity, v, sizeof body.linear_velocity);
			mju_rotVecMatT(body.angular_velocity, &v[3], &both->data->xmat[9 * id]);
			cr_assert_eq(abut_state_set_body(model, state, i, &body), ABUT_OK);
		}
	}
	cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
	if (getenv("CON") && h > 3e-4) {
		AbutLcpWork *lw = workspace->method;
		for (int i = 0; i < workspace->pairs.n_active; i++) { const AbutLcpContact *c = &lw->contacts[workspace->pairs.active[i]];
			for (int k = 0; k < c->manifold.n; k++) printf("  ours %d gap %g at %g %g %g n %g %g %g rows %d x %g %g %g mu %g | %s %s\n", c->manifold.n, c->manifold.points[k].gap*model->units.length, c->manifold.points[k].point[0]*model->units.length,c->manifold.points[k].point[1]*model->units.length,c->manifold.points[k].point[2]*model->units.length, c->axes[0][0],c->axes[0][1],c->axes[0][2],c->rows_per_point, c->x[0], c->x[1],c->x[2], workspace->pairs.candidates[workspace->pairs.active[i]].pair.mu, model->bodies[workspace->pairs.candidates[workspace->pairs.active[i]].pair.body[0]].name, model->bodies[workspace->pairs.candidates[workspace->pairs.active[i]].pair.body[1]].name);
		}
	}
	cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED);
	for (int i = 0; i < def.n_bodies; i++) {
		const int id = find_theirs(both, i);
		if (id > 0) {
			AbutBodyState body;
			double v0[6], v[6], ours[6], R[9];
			mean_velocity(&before, model, i, id, h, v0);
			mean_velocity(&after, model, i, id, h, v);
			abut_state_get_body(model, state, i, &body);
			abut_quat_to_mat3(body.orientation, R);
			memcpy(ours, body.linear_velocity, sizeof body.linear_velocity);
			abut_mat3_vec(R, body.angular_velocity, &ours[3]);
			for (int k = 0; k < 6; k++) {
				out[6 * i + k] = (ours[k] - v[k]) / h;
				*largest = fmax(*largest, fabs(v[k] - v0[k]) / h);
			}
		}
	}
	mj_deleteData(before.from);
	mj_deleteData(after.to);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
}

/* Returns the largest difference of accelerations in the limit of short steps, relative to the largest acceleration. */
static double compare(const Both *both)
{
	enum { LEVELS = 4 };
	const size_t n = 6 * (size_t)both->def.n_bodies;
	double *a[LEVELS], worst = 0.0, largest = 0.0;
	for (int l = 0; l < LEVELS; l++) {
		a[l] = calloc(n, sizeof(double));
		compare_step(both, 4e-4 / (1 << l), a[l], &largest);
	}
	for (int order = 1; order < LEVELS; order++) { /* Richardson: errors of order h, h^2, ... */
		const double f = (double)(1 << order);
		for (int l = 0; l < LEVELS - order; l++) {
			for (size_t i = 0; i < n; i++) {
				a[l][i] = (f * a[l + 1][i] - a[l][i]) / (f - 1.0);
			}
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (getenv("SHOW")) { printf("%s %d %g\n", both->def.bodies[i/6].name, (int)(i % 6), a[0][i]); }
		worst = fmax(worst, fabs(a[0][i]));
	}
	for (int l = 0; l < LEVELS; l++) {
		free(a[l]);
	}
	return worst / largest;
}

Test(peers_convex_robots, accelerate_as_in_mujoco)
{
	const char *path = getenv("MODEL");
	Both both = begin(path);
	for (int seed = 0; seed < 10; seed++) {
		AbutRng rng = abut_rng_stream((uint64_t)seed, 0);
		agitate(&both, &rng, 100 + 20 * seed);
		int of[8] = {0};
		if (getenv("CON")) for (int i=0;i<both.data->ncon;i++) { const mjContact*c=&both.data->contact[i]; printf("  %s %s dist %g pos %g %g %g mu %g\n", mj_id2name(both.theirs,mjOBJ_GEOM,c->geom1), mj_id2name(both.theirs,mjOBJ_GEOM,c->geom2), c->dist, c->pos[0],c->pos[1],c->pos[2], c->friction[0]);}
		for (int i = 0; i < both.data->nefc; i++) {
			of[both.data->efc_type[i]]++;
		}
		printf("seed %d: %.2g  contacts %d eq %d fric %d limits %d\n", seed, compare(&both), both.data->ncon,
		       of[0], of[1], of[3]);
	}
	end(&both);
}
#else
Test(peers_convex_robots, accelerate_as_in_mujoco)
{
	cr_skip_test("MuJoCo is not installed");
}
#endif

/* Compares the accelerations of robots in method convex with MuJoCo's: contacts, limits, dry friction, springs, dampers
 * and armature, in random states. Skipped if MuJoCo or the models are not there. */
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
} Both;

static void begin(const char *path, Both *both)
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
	both->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	both->def.solver.impratio = both->theirs->opt.impratio;
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
	enum { LEVELS = 3 };
	const size_t n = 6 * (size_t)both->def.n_bodies;
	double *a[LEVELS], worst = 0.0, largest = 0.0;
	for (int l = 0; l < LEVELS; l++) {
		a[l] = calloc(n, sizeof(double));
		compare_step(both, 2e-4 / (1 << l), a[l], &largest);
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
		worst = fmax(worst, fabs(a[0][i]));
	}
	for (int l = 0; l < LEVELS; l++) {
		free(a[l]);
	}
	return worst / largest;
}

/* What acts in the states that were compared. */
typedef struct Seen {
	int contacts, limits, frictions;
	double worst;
} Seen;

static void compare_states(const char *path, int states, Seen *seen)
{
	Both both;
	begin(path, &both);
	for (int seed = 0; seed < states; seed++) {
		AbutRng rng = abut_rng_stream((uint64_t)seed, 0);
		agitate(&both, &rng, 40 + 17 * seed);
		const double off = compare(&both);
		seen->worst = fmax(seen->worst, off);
		cr_expect_leq(off, 1e-6, "%s, seed %d: %g of the largest acceleration", path, seed, off);
		for (int i = 0; i < both.data->nefc; i++) {
			seen->limits += both.data->efc_type[i] == mjCNSTR_LIMIT_JOINT;
			seen->frictions += both.data->efc_type[i] == mjCNSTR_FRICTION_DOF;
		}
		seen->contacts += both.data->ncon;
	}
	end(&both);
}

Test(peers_convex_robots, accelerate_as_in_mujoco)
{
	Seen seen = {0};
	compare_states(ABUT_SOURCE_DIR "/tests/io/models/crawler.xml", 40, &seen);
	cr_log_info("%d contacts, %d limits, %d frictions, worst %g", seen.contacts, seen.limits, seen.frictions,
	            seen.worst);
	cr_expect_geq(seen.contacts, 20);
	cr_expect_geq(seen.limits, 20);
	cr_expect_geq(seen.frictions, 20);
}

/* Gymnasium's models. The pyramids of their friction follow the axes of
 * capsules in MuJoCo, so they are compared with round cones. */
Test(peers_convex_robots, gymnasium_accelerates_as_in_mujoco)
{
	static const char *const models[] = {"gym_ant/ant.xml", "gym_half_cheetah/half_cheetah.xml",
	                                     "gym_hopper/hopper.xml", "gym_walker2d_v5/walker2d_v5.xml"};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		char path[512];
		Seen seen = {0};
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/../shared/data/models/%s", models[i]);
		if (access(path, R_OK) != 0) {
			cr_skip_test("%s is missing: the robots of others are not part of the project", path);
		}
		compare_states(path, 10, &seen);
		cr_log_info("%s: worst %g", models[i], seen.worst);
	}
}
#else
Test(peers_convex_robots, accelerate_as_in_mujoco)
{
	cr_skip_test("MuJoCo is not installed");
}
#endif

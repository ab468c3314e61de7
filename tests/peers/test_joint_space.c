/* Compares the joint space of an imported robot with MuJoCo's: poses, mass matrix, bias forces and Jacobians at random
 * coordinates and rates. Skipped if MuJoCo is not installed. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "peers/import_scene.h"

#ifdef ABUT_TEST_MUJOCO
#include <mujoco/mujoco.h>

enum { MOST = 32 };

typedef struct Both {
	mjModel *theirs;
	mjData *data;
	AbutScene *scene;
	AbutModel *model;
	AbutRobot *robot;
	int n, at[MOST]; /* velocities of ours, and where each is among theirs */
	double q[MOST], qdot[MOST];
} Both;

static void load(const char *path, Both *both)
{
	char message[500] = "";
	AbutError error = {.status = ABUT_OK};
	both->theirs = mj_loadXML(path, NULL, message, sizeof message);
	cr_assert_not_null(both->theirs, "%s", message);
	both->theirs->opt.disableflags |= mjDSBL_CONTACT;
	both->data = mj_makeData(both->theirs);
	both->scene = import_scene(path);
	cr_assert_eq(abut_model_create(abut_scene_def(both->scene), &both->model, &error), ABUT_OK, "%s",
	             error.message);
	cr_assert_eq(abut_robot_create(both->model, &both->robot, &error), ABUT_OK, "%s", error.message);
	both->n = abut_robot_velocity_count(both->robot);
	cr_assert_eq(both->n, both->theirs->nv);
}

/* Moves both to the same random coordinates and rates. MuJoCo's rotations of balls are quaternions. */
static void move(AbutRng *rng, Both *both)
{
	mjData *data = both->data;
	for (int i = 0; i < both->n; i++) {
		both->qdot[i] = abut_rng_uniform(rng, -2.0, 2.0);
	}
	for (int i = 0; i < both->theirs->njnt; i++) {
		const int type = both->theirs->jnt_type[i], dof = both->theirs->jnt_dofadr[i],
		          size = type == mjJNT_FREE   ? 6
		                 : type == mjJNT_BALL ? 3
		                                      : 1;
		int joint = 0, q = abut_robot_base_coordinate(both->robot, 0),
		    v = abut_robot_base_velocity(both->robot, 0);
		double *theirs = &data->qpos[both->theirs->jnt_qposadr[i]];
		while (type != mjJNT_FREE && strcmp(abut_model_joint_name(both->model, joint),
		                                    mj_id2name(both->theirs, mjOBJ_JOINT, i)) != 0) {
			joint++;
			cr_assert_lt(joint, abut_model_joint_count(both->model));
		}
		if (type != mjJNT_FREE) {
			q = abut_robot_joint_coordinate(both->robot, joint);
			v = abut_robot_joint_velocity(both->robot, joint);
		}
		cr_assert(q >= 0 && v >= 0);
		double *ours = &both->q[q];
		for (int k = 0; k < size; k++) {
			ours[k] = abut_rng_uniform(rng, -1.0, 1.0);
			both->at[v + k] = dof + k;
			data->qvel[dof + k] = both->qdot[v + k];
		}
		if (type == mjJNT_FREE) {
			ours[6] = 0.3;
			abut_quat_normalise(&ours[3]);
			memcpy(theirs, ours, 7 * sizeof *ours);
		} else if (type == mjJNT_BALL) {
			const double angle = abut_norm3(ours);
			theirs[0] = cos(0.5 * angle);
			abut_scale3(sin(0.5 * angle) / angle, ours, &theirs[1]);
		} else {
			theirs[0] = ours[0];
		}
	}
	mj_forward(both->theirs, data);
}

static void compare_poses(const Both *both)
{
	AbutBodyState bodies[MOST];
	cr_assert_eq(abut_robot_forward(both->robot, both->q, both->qdot, bodies), ABUT_OK);
	for (int i = 0; i < abut_model_body_count(both->model); i++) {
		const int id = mj_name2id(both->theirs, mjOBJ_BODY, abut_model_body_name(both->model, i));
		cr_assert_gt(id, 0);
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(bodies[i].position[k], both->data->xpos[3 * id + k], 1e-12);
		}
	}
}

static void compare_dynamics(const Both *both)
{
	const int n = both->n;
	double M[MOST * MOST], bias[MOST], theirs[MOST * MOST];
	cr_assert_eq(abut_robot_mass_matrix(both->robot, both->q, M), ABUT_OK);
	cr_assert_eq(abut_robot_bias(both->robot, both->q, both->qdot, bias), ABUT_OK);
	mj_fullM(both->theirs, theirs, both->data->qM);
	for (int i = 0; i < n; i++) {
		cr_expect_float_eq(bias[i], both->data->qfrc_bias[both->at[i]], 1e-10, "%s: %.12g, %.12g",
		                   abut_robot_velocity_name(both->robot, i), bias[i],
		                   both->data->qfrc_bias[both->at[i]]);
		for (int k = 0; k < n; k++) {
			cr_expect_float_eq(M[i * n + k], theirs[both->at[i] * n + both->at[k]], 1e-11,
			                   "%s, %s: %.12g, %.12g", abut_robot_velocity_name(both->robot, i),
			                   abut_robot_velocity_name(both->robot, k), M[i * n + k],
			                   theirs[both->at[i] * n + both->at[k]]);
		}
	}
}

static void compare_jacobians(const Both *both)
{
	static const double point[3] = {0.1, -0.2, 0.05};
	const int n = both->n;
	for (int i = 0; i < abut_model_body_count(both->model); i++) {
		const int id = mj_name2id(both->theirs, mjOBJ_BODY, abut_model_body_name(both->model, i));
		double J[6 * MOST], linear[3 * MOST], angular[3 * MOST], world[3];
		abut_mat3_vec(&both->data->xmat[9 * id], point, world);
		abut_add3(world, &both->data->xpos[3 * id], world);
		mj_jac(both->theirs, both->data, linear, angular, world, id);
		cr_assert_eq(abut_robot_jacobian(both->robot, both->q, i, point, J), ABUT_OK);
		for (int k = 0; k < 3 * n; k++) {
			const int at = k / n * n + both->at[k % n];
			cr_expect_float_eq(J[k], linear[at], 1e-12);
			cr_expect_float_eq(J[3 * n + k], angular[at], 1e-12);
		}
	}
}

Test(peers_joint_space, is_that_of_mujoco)
{
	AbutRng rng = {11};
	Both both;
	load(ABUT_SOURCE_DIR "/tests/io/models/walker.xml", &both);
	for (int i = 0; i < 20; i++) {
		move(&rng, &both);
		compare_poses(&both);
		compare_dynamics(&both);
		compare_jacobians(&both);
	}
	abut_robot_destroy(both.robot);
	abut_model_destroy(both.model);
	abut_scene_destroy(both.scene);
	mj_deleteData(both.data);
	mj_deleteModel(both.theirs);
}
#else
Test(peers_joint_space, is_that_of_mujoco)
{
	cr_skip_test("MuJoCo is not installed");
}
#endif

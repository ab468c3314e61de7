/* Compares A and B in joint coordinates with MuJoCo's transition derivatives on an arm without contacts. The
 * integrators differ by the square of the timestep, so (A - I) / h and B / h agree to its first power. Skipped if
 * MuJoCo is not installed. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "peers/import_scene.h"

#ifdef ABUT_TEST_MUJOCO
#include <mujoco/mujoco.h>

enum { N_V = 6, N_X = 2 * N_V, N_U = 3 };

static const double timestep = 1e-4;

static const char arm[] =
    "<mujoco><option timestep='1e-4' integrator='Euler'/>"
    "<worldbody><body name='a' pos='0 0 1'><joint name='hinge' type='hinge' axis='0 1 0.3' damping='0.1'/>"
    "<geom type='box' size='.05 .06 .3' pos='0 0 .3' contype='0' conaffinity='0'/>"
    "<body name='b' pos='0 0 .6'><joint name='ball' type='ball'/>"
    "<geom type='box' size='.04 .05 .25' pos='.1 0 .25' contype='0' conaffinity='0'/>"
    "<body name='c' pos='0 0 .5'><joint name='slide' type='slide' axis='1 0 0' stiffness='20'/>"
    "<geom type='box' size='.05 .04 .1' contype='0' conaffinity='0'/>"
    "<body name='d' pos='0 0 .2'><joint name='last' type='hinge' axis='1 0 0' armature='0.02'/>"
    "<geom type='box' size='.03 .04 .2' pos='0 .1 .2' contype='0' conaffinity='0'/>"
    "</body></body></body></body></worldbody>"
    "<actuator><motor name='hinge' joint='hinge' gear='1'/><motor name='slide' joint='slide' gear='1'/>"
    "<motor name='last' joint='last' gear='1'/></actuator></mujoco>";

/* Sets both to the same coordinates, rates and efforts. The order of freedoms is the same, as that of joints is. */
static void move(AbutRng *rng, mjData *data, AbutRobot *robot, const AbutModel *model, AbutState *state)
{
	double q[N_V], qdot[N_V];
	for (int i = 0; i < N_V; i++) {
		q[i] = abut_rng_uniform(rng, -1.0, 1.0);
		qdot[i] = data->qvel[i] = abut_rng_uniform(rng, -2.0, 2.0);
	}
	const double angle = abut_norm3(&q[1]);
	data->qpos[0] = q[0];
	data->qpos[1] = cos(0.5 * angle);
	abut_scale3(sin(0.5 * angle) / angle, &q[1], &data->qpos[2]);
	data->qpos[5] = q[4];
	data->qpos[6] = q[5];
	cr_assert_eq(abut_robot_set_state(robot, q, qdot, state), ABUT_OK);
	for (int joint = 0, i = 0; joint < abut_model_joint_count(model); joint++) {
		double target;
		if (abut_state_get_motor(model, state, joint, 0, &target) == ABUT_OK) {
			data->ctrl[i] = abut_rng_uniform(rng, -1.0, 1.0);
			abut_state_set_motor(model, state, joint, 0, data->ctrl[i++]);
		}
	}
}

/* Compares entries of (M - I) / h, or of M / h. */
static void compare(const char *name, int columns, const double *ours, const double *theirs)
{
	double largest = 0.0;
	for (int i = 0; i < N_X * columns; i++) {
		const double one = columns == N_X && i / columns == i % columns ? 1.0 : 0.0;
		largest = fmax(largest, fabs(theirs[i] - one) / timestep);
	}
	for (int i = 0; i < N_X * columns; i++) {
		cr_expect_leq(fabs(ours[i] - theirs[i]) / timestep, 2e-3 * largest, "%s(%d, %d): %g, MuJoCo %g, %g",
		              name, i / columns, i % columns, ours[i], theirs[i], largest);
	}
}

Test(peers_linear, has_the_meaning_of_mujocos_transition_derivatives)
{
	char path[] = P_tmpdir "/abut_linear_XXXXXX", message[500] = "";
	AbutError error = {.message = ""};
	AbutRng rng = {5};
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutLinear *linear = NULL;
	AbutRobot *robot = NULL;
	const int file = mkstemp(path);
	cr_assert(file >= 0 && write(file, arm, sizeof arm - 1) == (ssize_t)(sizeof arm - 1) && close(file) == 0);
	mjModel *theirs = mj_loadXML(path, NULL, message, sizeof message);
	cr_assert_not_null(theirs, "%s", message);
	mjData *data = mj_makeData(theirs);
	AbutScene *scene = import_scene(path);
	unlink(path);
	AbutSceneDef def = *abut_scene_def(scene);
	def.timestep = timestep;
	cr_assert_eq(abut_model_create(&def, &model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_linear_create(model, 0.0, &linear, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_robot_create(model, &robot, &error), ABUT_OK);
	cr_assert_eq(abut_linear_state_count(linear), N_X);
	cr_assert_eq(abut_linear_input_count(linear), N_U);
	for (int i = 0; i < 10; i++) {
		AbutStepInfo info = {.row = 0};
		double A[N_X * N_X], B[N_X * N_U], their_A[N_X * N_X], their_B[N_X * N_U];
		move(&rng, data, robot, model, state);
		mjd_transitionFD(theirs, data, 1e-6, 1, their_A, their_B, NULL, NULL);
		cr_assert_eq(abut_linear_step(linear, state, workspace, &info), ABUT_OK);
		cr_assert_eq(abut_linear_matrices(linear, A, B, NULL, &error), ABUT_OK, "%s", error.message);
		compare("A", N_X, A, their_A);
		compare("B", N_U, B, their_B);
	}
	abut_robot_destroy(robot);
	abut_linear_destroy(linear);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	mj_deleteData(data);
	mj_deleteModel(theirs);
}
#endif

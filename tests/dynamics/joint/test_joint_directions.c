/* Compares the Jacobian of jointed islands with differences of their equations, and the condensed solver with the dense
 * one. */
#include "dynamics/island/problem.h"
#include "dynamics/joint_scenes.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/workspace.h"
#include "solver/ncp/dense.h"

/* Two boxes, the first on a joint to the world and the second on a joint to the first, with all laws that fit. */
static void random_scene(JointScene *scene, AbutJointType type, unsigned seed)
{
	AbutRng rng = {seed};
	const double half[3] = {0.3, 0.2, 0.1};
	joint_scene_begin(scene, 0.01);
	for (int i = 0; i < 2; i++) {
		AbutBodyDef *body = joint_scene_turned_box(scene, half, i, &rng);
		for (int k = 0; k < 3; k++) {
			body->linear_velocity[k] = abut_rng_uniform(&rng, -1.0, 1.0);
			body->angular_velocity[k] = abut_rng_uniform(&rng, -3.0, 3.0);
		}
	}
	for (int i = 0; i < 2; i++) {
		AbutJointDef *joint = joint_scene_random_joint(scene, type, i, &rng);
		if (type == ABUT_JOINT_BALL && seed % 3 != 0) {
			joint->axes[0] = (AbutJointAxis){.has_limits = seed % 2 == 0,
			                                 .lower = seed % 4 ? 0.05 : 0.5,
			                                 .upper = seed % 8 ? 0.06 : 3.14159265358979323846,
			                                 .stiffness = 3.0,
			                                 .damping = 0.1,
			                                 .friction = seed % 3 == 1 ? 0.5 : 0.0,
			                                 .armature = 0.05};
			joint->axes[0].motor =
			    (AbutMotorDef){.type = seed % 2 ? ABUT_MOTOR_POSITION : ABUT_MOTOR_VELOCITY,
			                   .stiffness = seed % 2 ? 20.0 : 0.0,
			                   .damping = 1.0,
			                   .limit = seed % 5 < 2 ? (double)INFINITY : 2.0};
		}
		const unsigned n_axes = type == ABUT_JOINT_BALL ? 0 : (unsigned)abut_joint_type_freedoms(type);
		for (unsigned k = 0; k < n_axes; k++) {
			const AbutMotorType motor = (AbutMotorType)((seed + k) % ABUT_MOTOR_TYPE_COUNT);
			joint->axes[k] = (AbutJointAxis){.has_limits = (seed + k) % 2 == 0,
			                                 .lower = -0.02,
			                                 .upper = 0.03,
			                                 .stiffness = 3.0,
			                                 .damping = 0.1,
			                                 .friction = (seed + k) % 3 == 0 ? 0.0 : 0.5,
			                                 .armature = 0.05};
			joint->axes[k].motor = (AbutMotorDef){
			    .type = motor,
			    .stiffness = motor == ABUT_MOTOR_POSITION ? 20.0 : 0.0,
			    .damping = motor == ABUT_MOTOR_POSITION || motor == ABUT_MOTOR_VELOCITY ? 1.0 : 0.0,
			    .limit = (seed / 4 + k) % 2 == 0 ? (double)INFINITY : 2.0,
			    .target = motor == ABUT_MOTOR_NONE ? 0.0 : 0.1};
		}
	}
	if (scene->joints[0].type != ABUT_JOINT_BALL && abut_joint_type_freedoms(type) > 0 && seed % 3 != 0) {
		joint_scene_couple(scene, 1, 0, seed % 2 == 0 ? -1.7 : 0.6)->axis[0] =
		    abut_joint_type_freedoms(type) - 1;
	}
	joint_scene_make(scene);
}

/* Sets up the one island, at the start of the step. */
static AbutIsland *island_of(JointScene *scene)
{
	AbutWorkspace *w = scene->workspace;
	AbutIsland *island = &w->islands[0];
	abut_step_gather(scene->model, scene->state, w, scene->model->timestep);
	cr_assert_eq(abut_partition_make(scene->model, &w->pairs, w->bodies, &w->partition), ABUT_OK);
	cr_assert_eq(w->partition.n_islands, 1);
	const AbutIslandMembers *members = &w->partition.members[0];
	cr_assert_eq(abut_island_reserve(scene->model, island, &members->size), ABUT_OK);
	const AbutIslandChoice choice = {.joints = abut_island_joints(scene->state, w, members)};
	abut_island_setup(scene->model, w->bodies, &w->pairs, &w->partition, members, &choice, scene->model->timestep,
	                  island);
	return island;
}

/* The equations are not differentiable by the regularisation of the condensed solver, which stands on the diagonal. */
static double regular_of(const AbutIsland *island, int unknown)
{
	for (int i = 0; i < island->problem.n_couplings; i++) {
		if (unknown == island->problem.couplings[i].at) {
			return island->problem.couplings[i].regular;
		}
	}
	for (int i = 0; i < island->problem.n_joints; i++) {
		const AbutJointWork *joint = &island->problem.joints[i];
		const int own = unknown - joint->at.y, n_held = joint->joint->n_held;
		if (own >= 0 && own < n_held) {
			return joint->regular[own < abut_joint_kind_places(joint->joint->kind) ? 0 : 1];
		}
		for (int k = 0; k < joint->joint->kind->n_freedoms; k++) {
			if (joint->axis[k].servo_y >= 0 && own == joint->axis[k].servo_y) {
				return joint->axis[k].regular;
			}
		}
	}
	return 0.0;
}

Test(joint_directions, the_jacobian_is_that_of_the_equations)
{
	enum { MOST = 80 };
	static double J[MOST * MOST], r[2][MOST], H[2][MOST];
	const double h = 1e-6;
	for (unsigned seed = 0; seed < 96; seed++) {
		JointScene scene;
		AbutRng rng = {1000 + seed};
		random_scene(&scene, (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), seed / ABUT_JOINT_TYPE_COUNT);
		AbutIsland *island = island_of(&scene);
		const AbutNcp *ncp = &island->ncp;
		const int n = ncp->n_y + ncp->n_z;
		cr_assert_leq(n, MOST);
		double point[MOST];
		for (int i = 0; i < n; i++) {
			point[i] = abut_rng_uniform(&rng, -0.5, 0.5);
		}
		for (int i = 0; i < island->problem.n_joints; i++) {
			island->problem.joints[i].theta = 0.4; /* rows that turn */
		}
		ncp->ops->evaluate(ncp->problem, point, &point[ncp->n_y], r[0], H[0]);
		ncp->ops->jacobian(ncp->problem, 0.0, J);
		for (int column = 0; column < n; column++) {
			for (int side = 0; side < 2; side++) {
				double there[MOST];
				memcpy(there, point, sizeof there);
				there[column] += side == 0 ? h : -h;
				ncp->ops->evaluate(ncp->problem, there, &there[ncp->n_y], r[side], H[side]);
			}
			for (int row = 0; row < n; row++) {
				const double *up = row < ncp->n_y ? &r[0][row] : &H[0][row - ncp->n_y],
				             *down = row < ncp->n_y ? &r[1][row] : &H[1][row - ncp->n_y];
				const double difference = (*up - *down) / (2.0 * h),
				             own = J[row + (long)column * n] -
				                   (row == column ? regular_of(island, row) : 0.0);
				cr_expect_float_eq(own, difference, 1e-7 * (1.0 + fabs(difference)),
				                   "seed %u, %s: row %d, column %d of %d + %d: %g is not %g", seed,
				                   abut_joint_type_name(scene.joints[0].type), row, column, ncp->n_y,
				                   ncp->n_z, own, difference);
			}
		}
		joint_scene_end(&scene);
	}
}

/* A step that goes back to the direction of the start has the equations that it had before. */
Test(joint_directions, the_direction_of_the_start_returns)
{
	enum { MOST = 80 };
	static const double thetas[3] = {0.0, 0.4, 0.0};
	double r[3][MOST], H[MOST], point[MOST];
	JointScene scene;
	AbutRng rng = {7};
	random_scene(&scene, ABUT_JOINT_HINGE, 1);
	AbutIsland *island = island_of(&scene);
	const AbutNcp *ncp = &island->ncp;
	for (int i = 0; i < ncp->n_y + ncp->n_z; i++) {
		point[i] = abut_rng_uniform(&rng, -0.5, 0.5);
	}
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < island->problem.n_joints; i++) {
			island->problem.joints[i].theta = thetas[k];
		}
		ncp->ops->evaluate(ncp->problem, point, &point[ncp->n_y], r[k], H);
	}
	double change = 0.0;
	for (int i = 0; i < ncp->n_y; i++) {
		change = fmax(change, fabs(r[1][i] - r[0][i]));
		cr_expect_eq(r[2][i], r[0][i], "row %d: %g is not %g", i, r[2][i], r[0][i]);
	}
	cr_expect_gt(change, 1e-6);
	joint_scene_end(&scene);
}

/* Both solvers take the same directions to rounding, so that the steps agree as well as the solution is determined. */
Test(joint_directions, the_condensed_solver_agrees_with_the_dense_one)
{
	for (unsigned seed = 0; seed < 48; seed++) {
		JointScene scene[2];
		for (int k = 0; k < 2; k++) {
			random_scene(&scene[k], (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT),
			             seed / ABUT_JOINT_TYPE_COUNT);
			if (k == 1) {
				abut_workspace_destroy(scene[k].workspace);
				abut_state_destroy(scene[k].state);
				abut_model_destroy(scene[k].model);
				scene[k].def.solver.linear_solver = ABUT_LINEAR_SOLVER_DENSE;
				joint_scene_make(&scene[k]);
			}
			for (int i = 0; i < 20; i++) {
				joint_scene_step(&scene[k], abut_joint_type_name(scene[k].joints[0].type), seed);
			}
		}
		for (int body = 0; body < 2; body++) {
			AbutBodyState a, b;
			abut_state_get_body(scene[0].model, scene[0].state, body, &a);
			abut_state_get_body(scene[1].model, scene[1].state, body, &b);
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(a.linear_velocity[i], b.linear_velocity[i], 1e-9,
				                   "seed %u, body %d: %g, %g", seed, body, a.linear_velocity[i],
				                   b.linear_velocity[i]);
			}
		}
		joint_scene_end(&scene[0]);
		joint_scene_end(&scene[1]);
	}
}

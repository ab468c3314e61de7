/* Compares the energy of passive mechanisms with its initial value: steps whose joints would change it are taken in
 * parts. */
#include "dynamics/joint_scenes.h"
#include "dynamics/model/model.h"
#include "dynamics/state/state.h"

/* A chain of n links in the plane, released from horizontal: its end whips. */
static void make_chain(JointScene *scene, int n, double length, double timestep)
{
	const double half[3] = {0.5 * length, 0.02, 0.02}, axis[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < n; i++) {
		const double place[3] = {(i + 0.5) * length, 0.0, 0.0}, anchor[3] = {i * length, 0.0, 0.0};
		joint_scene_box(scene, half, 1.0, place);
		joint_scene_joint(scene, ABUT_JOINT_HINGE, i - 1, i, anchor, axis);
	}
	joint_scene_make(scene);
}

/* Runs for 10 s. Returns the largest |E - E0| as a share of sum m g |r|, and adds up the parts of steps. */
static double energy_error(JointScene *scene, int n, double length, double timestep, int *parts)
{
	double worst = 0.0;
	make_chain(scene, n, length, timestep);
	const double swing = 9.81 * 0.5 * n * n * length;
	const double start = abut_state_energy(scene->model, scene->state);
	for (int k = 0; k < 10.0 / timestep - 0.5; k++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		cr_assert(info.exact, "step %d", k);
		*parts += info.parts - 1;
		worst = fmax(worst, fabs(abut_state_energy(scene->model, scene->state) - start) / swing);
	}
	joint_scene_end(scene);
	return worst;
}

Test(joint_energy, chains_keep_their_energy)
{
	static const struct {
		double length, timestep, most;
	} cases[] = {{0.5, 0.001, 0.01}, {0.5, 0.01, 0.05}, {0.2, 0.005, 0.05}};
	static JointScene scene;
	for (int i = 0; i < 3; i++) {
		int parts = 0;
		const double error = energy_error(&scene, 5, cases[i].length, cases[i].timestep, &parts);
		cr_expect_lt(error, cases[i].most, "links of %g m, %g s: %g", cases[i].length, cases[i].timestep,
		             error);
		cr_expect_eq(parts > 0, cases[i].timestep > 0.002, "%d parts", parts);
	}
}

/* A four-bar of hinges in space (crank 0.15, coupler 0.35, rocker 0.3, ground 0.4 m), three conditions too many. It
 * falls from an upright crank, and passes its dead centres. */
static void make_four_bar(JointScene *scene, double timestep)
{
	static const double corner[4][3] = {
	    {0.0, 0.0, 0.0}, {0.0, 0.0, 0.15}, {0.33137085, 0.0, 0.26213203}, {0.4, 0.0, 0.0}};
	const double axis[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < 3; i++) {
		double middle[3], along[3];
		abut_add3(corner[i], corner[i + 1], middle);
		abut_scale3(0.5, middle, middle);
		abut_sub3(corner[i + 1], corner[i], along);
		const double half[3] = {0.5 * abut_norm3(along), 0.02, 0.02}, angle = atan2(along[2], along[0]);
		AbutBodyDef *body = &scene->bodies[joint_scene_box(scene, half, 0.5, middle)];
		body->orientation[0] = cos(0.5 * angle);
		body->orientation[2] = -sin(0.5 * angle);
		joint_scene_joint(scene, ABUT_JOINT_HINGE, i - 1, i, corner[i], axis);
	}
	joint_scene_joint(scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 2, corner[3], axis);
	joint_scene_make(scene);
}

Test(joint_energy, overconstrained_loops_keep_their_energy)
{
	static const double timesteps[] = {0.005, 0.01, 0.02, 0.05}, most[] = {0.02, 0.03, 0.05, 0.1};
	static JointScene scene;
	for (int i = 0; i < 4; i++) {
		double worst = 0.0;
		make_four_bar(&scene, timesteps[i]);
		const double swing = 0.5 * 9.81 * (0.075 + 0.265 + 0.388); /* sum of m g |r|, r from the crank's pin */
		const double start = abut_state_energy(scene.model, scene.state);
		for (int k = 0; k < 10.0 / timesteps[i] - 0.5; k++) {
			AbutStepInfo info = {.row = 0};
			cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
			cr_assert(info.exact && info.joint_violation_m <= 1e-10, "%g s, step %d", timesteps[i], k);
			worst = fmax(worst, fabs(abut_state_energy(scene.model, scene.state) - start) / swing);
		}
		cr_expect_lt(worst, most[i], "%g s: %g", timesteps[i], worst);
		joint_scene_end(&scene);
	}
}

/* A chain at rest carries a large load across its links, which no step resolves, and nothing moves. */
Test(joint_energy, a_chain_at_rest_is_not_taken_in_parts)
{
	static JointScene scene;
	const double half[3] = {0.02, 0.02, 0.125}, axis[3] = {0.0, 1.0, 0.0};
	joint_scene_begin(&scene, 0.01);
	for (int i = 0; i < 20; i++) {
		const double place[3] = {0.0, 0.0, -(i + 0.5) * 0.25}, anchor[3] = {0.0, 0.0, -i * 0.25};
		joint_scene_box(&scene, half, i == 19 ? 1000.0 : 1.0, place);
		joint_scene_joint(&scene, ABUT_JOINT_HINGE, i - 1, i, anchor, axis);
	}
	joint_scene_make(&scene);
	for (int k = 0; k < 100; k++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
		cr_assert(info.exact && info.parts == 1, "step %d: %d parts", k, info.parts);
	}
	joint_scene_end(&scene);
}

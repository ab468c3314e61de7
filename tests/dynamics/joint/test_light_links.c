/* Tests joints of several axes that are chains of hinges through light links, as other programs write them: hips of
 * MuJoCo's humanoids have links of a millionth of the mass of the bodies that they join. */
#include "dynamics/joint_scenes.h"

static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}};

/* A pelvis and two thighs, each on a ball or, with `links`, on three hinges through two links of 5 mg. */
static void hips(JointScene *scene, bool links, double height)
{
	static const double pelvis[3] = {0.1, 0.15, 0.08}, thigh[3] = {0.2, 0.06, 0.06}, link[3] = {0.01, 0.01, 0.01},
	                    up[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
	joint_scene_begin(scene, 0.005);
	const double place[3] = {0.0, 0.0, height};
	joint_scene_box(scene, pelvis, 6.0, place);
	for (int side = -1; side <= 1; side += 2) {
		const double at[3] = {0.35, 0.1 * side, height - 0.02}, hip[3] = {0.12, 0.1 * side, height};
		const int own = joint_scene_box(scene, thigh, 4.75, at);
		int last = 0;
		for (int k = 0; links && k < 2; k++) {
			const int next = joint_scene_box(scene, link, 5e-6, hip);
			joint_scene_joint(scene, ABUT_JOINT_HINGE, last, next, hip, axes[k]);
			last = next;
		}
		joint_scene_joint(scene, links ? ABUT_JOINT_HINGE : ABUT_JOINT_BALL, last, own, hip, axes[2]);
		scene->bodies[own].angular_velocity[2] = 1.5 * side;
		scene->bodies[own].angular_velocity[0] = 0.7;
	}
	if (height < 1.0) {
		const int floor = scene->def.n_bodies++;
		cr_assert_eq(abut_shape_create_halfspace(up, 0.0, &scene->shapes[floor], NULL), ABUT_OK);
		scene->bodies[floor] = abut_body_def_default();
		scene->bodies[floor].name = "floor";
		scene->bodies[floor].is_static = true;
		scene->bodies[floor].n_parts = 1;
		scene->bodies[floor].parts = (const AbutShape *const *)&scene->shapes[floor];
		abut_copy3(origin, scene->bodies[floor].position);
		scene->def.all_pairs = true;
	}
	joint_scene_make(scene);
}

/* On the floor, steps are solved exactly, in few iterations; with the typical masses of the links for those of held
 * rows, 8 of 200 steps were, with 160,000 iterations. */
Test(light_links, lying_hips_take_exact_steps)
{
	JointScene scene;
	int iterations = 0, exact = 0;
	hips(&scene, true, 0.09);
	for (int i = 0; i < 200; i++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
		exact += info.exact ? 1 : 0;
		cr_expect_leq(info.residual, 1e-10, "step %d: %g", i, info.residual);
		cr_expect_leq(info.joint_violation_m, 1e-9, "step %d: %g m", i, info.joint_violation_m);
		iterations += info.iterations;
	}
	cr_expect_geq(exact, 195, "%d", exact);
	cr_expect_leq(iterations, 200 * 20, "%d", iterations);
	joint_scene_end(&scene);
}

/* In the air, three hinges through light links move the heavy bodies as a ball does. */
Test(light_links, three_hinges_move_as_a_ball)
{
	JointScene scene[2];
	for (int i = 0; i < 2; i++) {
		hips(&scene[i], i == 0, 2.0);
		for (int k = 0; k < 60; k++) {
			AbutStepInfo info = {.row = 0};
			cr_assert_eq(abut_step(scene[i].model, scene[i].state, scene[i].workspace, &info), ABUT_OK);
			cr_expect(info.exact, "%d, step %d: %g", i, k, info.residual);
		}
	}
	for (int side = 0; side < 2; side++) {
		AbutBodyState state[2];
		for (int i = 0; i < 2; i++) {
			const int body = i == 0 ? 1 + 3 * side : 1 + side;
			cr_assert_eq(abut_state_get_body(scene[i].model, scene[i].state, body, &state[i]), ABUT_OK);
		}
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(state[0].position[k], state[1].position[k], 1e-5, "%d, %d: %g", side, k,
			                   state[0].position[k] - state[1].position[k]);
			cr_expect_float_eq(state[0].angular_velocity[k], state[1].angular_velocity[k], 1e-4,
			                   "%d, %d: %g", side, k,
			                   state[0].angular_velocity[k] - state[1].angular_velocity[k]);
		}
	}
	joint_scene_end(&scene[0]);
	joint_scene_end(&scene[1]);
}

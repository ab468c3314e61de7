/* Tests loops that hold freedoms more than once, with frames that have few digits. */
#include "dynamics/joint_scenes.h"

/* Turns a frame by a random quaternion error of up to `by` in each component. */
static void misalign(AbutJointFrame *frame, double by, AbutRng *rng)
{
	for (int k = 0; k < 4; k++) {
		frame->orientation[k] += abut_rng_uniform(rng, -by, by);
	}
	abut_quat_normalise(frame->orientation);
}

/* A four-bar of hinges about a skew axis: crank 0.3, coupler 0.5, rocker 0.4, and the world. */
static void four_bar(JointScene *scene, double timestep, double by, unsigned seed)
{
	static const double corners[4][2] = {{0.0, 0.0}, {0.0, 0.3}, {0.5, 0.3}, {0.5, -0.1}};
	const double half[3] = {0.02, 0.02, 0.02};
	AbutRng rng = {seed};
	double tilt[4] = {1.0, 0.3, -0.2, 0.5}, R[9];
	abut_quat_normalise(tilt);
	abut_quat_to_mat3(tilt, R);
	const double axis[3] = {R[1], R[4], R[7]};
	joint_scene_begin(scene, timestep);
	for (int i = 0; i < 3; i++) {
		const double middle[3] = {0.5 * (corners[i][0] + corners[i + 1][0]), 0.0,
		                          0.5 * (corners[i][1] + corners[i + 1][1])};
		double place[3];
		abut_mat3_vec(R, middle, place);
		joint_scene_box(scene, half, 1.0, place);
	}
	for (int i = 0; i < 4; i++) {
		const double corner[3] = {corners[i][0], 0.0, corners[i][1]};
		double anchor[3];
		abut_mat3_vec(R, corner, anchor);
		AbutJointDef *joint = joint_scene_joint(
		    scene, ABUT_JOINT_HINGE, i == 0 || i == 3 ? ABUT_JOINT_WORLD : i - 1, i == 3 ? 2 : i, anchor, axis);
		misalign(&joint->parent_frame, by, &rng);
		misalign(&joint->child_frame, by, &rng);
	}
}

Test(fit, misaligned_four_bars_close_and_move)
{
	static const double timesteps[] = {0.001, 0.01, 0.02};
	for (int decade = -12; decade <= -7; decade++) {
		for (unsigned seed = 0; seed < 6; seed++) {
			JointScene scene;
			four_bar(&scene, timesteps[seed % 3], pow(10.0, decade), seed);
			joint_scene_make(&scene);
			double far = 0.0;
			for (int i = 0; i < 200; i++) {
				joint_scene_step(&scene, "four-bar", seed);
				far = fmax(far, fabs(joint_scene_read(&scene, 0).position[0]));
			}
			cr_expect_gt(far, 0.01, "1e%d, seed %u: it hangs at %g rad", decade, seed, far);
			joint_scene_end(&scene);
		}
	}
}

Test(fit, larger_errors_are_refused_with_the_joint)
{
	for (unsigned seed = 0; seed < 4; seed++) {
		JointScene scene;
		AbutError error;
		four_bar(&scene, 0.01, 1e-4, seed);
		cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_ARGUMENT);
		cr_expect(strstr(error.message, "cannot be closed"), "%s", error.message);
		cr_expect_eq(strncmp(error.where, "joints[", 7), 0, "%s", error.where);
		joint_scene_end(&scene);
	}
}

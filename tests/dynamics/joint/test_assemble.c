/* Tests that initial poses are changed so that all joints are closed, or refused. */
#include "dynamics/joint_scenes.h"
#include "dynamics/model/joint.h"

#include <stdlib.h>

/* The largest distance of the two anchors of the scene's joints, which hold their places, at the initial state. */
static double open_by(const JointScene *scene)
{
	double worst = 0.0;
	for (int i = 0; i < scene->def.n_joints; i++) {
		const AbutJointDef *joint = &scene->joints[i];
		double at[2][3];
		for (int s = 0; s < 2; s++) {
			const int body = s == 0 ? joint->parent : joint->child;
			const AbutJointFrame *frame = s == 0 ? &joint->parent_frame : &joint->child_frame;
			AbutBodyState state = {.orientation = {1.0, 0.0, 0.0, 0.0}};
			double R[9];
			if (body >= 0) {
				abut_state_get_body(scene->model, scene->state, body, &state);
			}
			abut_quat_to_mat3(state.orientation, R);
			abut_mat3_vec(R, frame->position, at[s]);
			abut_add3(at[s], state.position, at[s]);
		}
		abut_sub3(at[0], at[1], at[0]);
		worst = fmax(worst, abut_norm3(at[0]));
	}
	return worst;
}

static void disturb(JointScene *scene, double by, AbutRng *rng)
{
	for (int i = 0; i < scene->def.n_bodies; i++) {
		AbutBodyDef *body = &scene->bodies[i];
		for (int k = 0; k < 3; k++) {
			body->position[k] += abut_rng_uniform(rng, -by, by);
			body->orientation[1 + k] += abut_rng_uniform(rng, -0.5 * by, 0.5 * by);
		}
		abut_quat_normalise(body->orientation);
	}
}

/* A ring of n boxes of length 0.4 on hinges about y, on a regular polygon; the first one is held by the world. */
static void ring(JointScene *scene, int n)
{
	const double half[3] = {0.2, 0.04, 0.04}, y[3] = {0.0, 1.0, 0.0}, turn = 2.0 * 3.14159265358979323846 / n;
	double corner[3] = {0.0, 0.0, 0.0};
	joint_scene_begin(scene, 0.01);
	for (int i = 0; i < n; i++) {
		const double angle = i * turn, along[3] = {cos(angle), 0.0, -sin(angle)};
		double place[3];
		abut_add_scaled3(corner, 0.2, along, place);
		AbutBodyDef *body = &scene->bodies[joint_scene_box(scene, half, 1.0, place)];
		body->orientation[0] = cos(0.5 * angle);
		body->orientation[2] = sin(0.5 * angle);
		joint_scene_joint(scene, ABUT_JOINT_HINGE, i - 1, i, corner, y);
		abut_add_scaled3(corner, 0.4, along, corner);
	}
	joint_scene_joint(scene, ABUT_JOINT_HINGE, n - 1, 0, corner, y);
}

Test(assemble, disturbed_loops_are_closed)
{
	static const double sizes[] = {1e-6, 0.01, 0.05};
	for (unsigned seed = 0; seed < 30; seed++) {
		AbutRng rng = {seed};
		JointScene scene;
		ring(&scene, 4 + (int)(seed % 9));
		disturb(&scene, sizes[seed % 3], &rng);
		joint_scene_make(&scene);
		cr_expect_leq(open_by(&scene), 1e-12, "seed %u: %g m", seed, open_by(&scene));
		for (int i = 0; i < 20; i++) {
			joint_scene_step(&scene, "ring", seed);
		}
		joint_scene_end(&scene);
	}
}

Test(assemble, closed_joints_change_no_bit)
{
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01);
	joint_scene_make(&scene);
	AbutBodyState state;
	abut_state_get_body(scene.model, scene.state, 0, &state);
	cr_expect_arr_eq(state.position, scene.bodies[0].position, sizeof state.position);
	cr_expect_arr_eq(state.orientation, scene.bodies[0].orientation, sizeof state.orientation);
	joint_scene_end(&scene);
}

/* Two boxes on hinges of the world that are too far apart for the rod between them; and a planar body on a hinge across
 * its plane. */
Test(assemble, what_cannot_be_closed_is_refused)
{
	const double half[3] = {0.1, 0.1, 0.1}, left[3] = {-2.0, 0.0, 0.0}, right[3] = {2.0, 0.0, 0.0},
	             y[3] = {0.0, 1.0, 0.0}, x[3] = {1.0, 0.0, 0.0};
	JointScene scene;
	AbutError error;
	joint_scene_begin(&scene, 0.01);
	joint_scene_box(&scene, half, 1.0, left);
	joint_scene_box(&scene, half, 1.0, right);
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, left, y);
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 1, right, y);
	AbutJointDef *rod =
	    joint_scene_joint(&scene, ABUT_JOINT_DISTANCE, 0, 1, left, y); /* 0.3 m between the centres */
	rod->parent_frame = rod->child_frame = abut_joint_def_default().child_frame;
	cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "cannot be closed"), "%s", error.message);
	cr_expect_eq(strncmp(error.where, "joints[", 7), 0, "%s", error.where);
	joint_scene_end(&scene);

	joint_scene_pendulum(&scene, 0.01);
	scene.bodies[0].planar_xz = true;
	scene.def.n_joints = 0;
	const double origin[3] = {0.0, 0.0, 0.0};
	double skew[3];
	abut_add_scaled3(y, 0.3, x, skew);
	joint_scene_joint(&scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, 0, origin, skew);
	scene.joints[0].child_frame.position[1] = 0.01; /* out of its plane */
	cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "joint 'n0' cannot be closed"), "%s", error.message);
	joint_scene_end(&scene);
}

/* The same orthogonal axes also fit frames that are turned by half a revolution. */
Test(assemble, reversed_frames_are_refused)
{
	static const AbutJointType types[] = {ABUT_JOINT_FIXED, ABUT_JOINT_HINGE, ABUT_JOINT_SLIDE,
	                                      ABUT_JOINT_CYLINDRICAL, ABUT_JOINT_PLANAR};
	const double half[3] = {0.1, 0.1, 0.1}, origin[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
	for (int i = 0; i < 5; i++) {
		JointScene scene;
		AbutError error;
		joint_scene_begin(&scene, 0.01);
		joint_scene_box(&scene, half, 1.0, origin);
		AbutJointDef *joint = joint_scene_joint(&scene, types[i], ABUT_JOINT_WORLD, 0, origin, y);
		const double about_x[4] = {0.0, 1.0, 0.0, 0.0};
		double turned[4];
		abut_quat_mul(joint->child_frame.orientation, about_x, turned);
		memcpy(joint->child_frame.orientation, turned, sizeof turned);
		cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_ARGUMENT, "%s",
		             abut_joint_type_name(types[i]));
		cr_expect(strstr(error.message, "its frames are turned by 90 degrees or more"), "%s", error.message);
		joint_scene_end(&scene);
	}
}

/* Returns the least A_i . B_i of the frames of a joint between the world and a body. */
static double alignment(const JointScene *scene, const AbutJointDef *joint)
{
	AbutBodyState body;
	double R[9], own[9], A[9], B[9], least = 1.0;
	abut_state_get_body(scene->model, scene->state, joint->child, &body);
	abut_quat_to_mat3(body.orientation, R);
	abut_quat_to_mat3(joint->child_frame.orientation, own);
	abut_mat3_mul(R, own, B);
	abut_quat_to_mat3(joint->parent_frame.orientation, A);
	for (int i = 0; i < 3; i++) {
		least = fmin(least, A[i] * B[i] + A[3 + i] * B[3 + i] + A[6 + i] * B[6 + i]);
	}
	return least;
}

/* With all turns held, the axes also fit frames that are turned by a third of a revolution about a diagonal. Random
 * frames close with their own axes, or are refused. */
Test(assemble, frames_never_close_with_other_axes)
{
	const double half[3] = {0.1, 0.2, 0.3}, origin[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
	AbutRng rng = abut_rng_stream(11, 0);
	int closed = 0, refused = 0;
	for (int i = 0; i < 1000; i++) {
		JointScene scene;
		AbutError error;
		joint_scene_begin(&scene, 0.01);
		joint_scene_box(&scene, half, 1.0, origin);
		AbutJointDef *joint = joint_scene_joint(&scene, i % 2 ? ABUT_JOINT_SLIDE : ABUT_JOINT_FIXED,
		                                        ABUT_JOINT_WORLD, 0, origin, y);
		abut_rng_rotation(&rng, joint->parent_frame.orientation);
		abut_rng_rotation(&rng, joint->child_frame.orientation);
		for (int k = 0; k < 3; k++) {
			joint->child_frame.position[k] = abut_rng_uniform(&rng, -0.5, 0.5);
		}
		if (abut_model_create(&scene.def, &scene.model, &error) == ABUT_OK) {
			cr_assert_eq(abut_state_create(scene.model, &scene.state, NULL), ABUT_OK);
			cr_expect_gt(alignment(&scene, joint), 1.0 - 1e-9, "%d", i);
			closed++;
		} else {
			refused++;
		}
		joint_scene_end(&scene);
	}
	cr_expect(closed > 50 && refused > 50, "%d closed, %d refused", closed, refused);
}

Test(assemble, coordinates_start_inside_their_limits)
{
	JointScene scene;
	AbutError error;
	AbutJointAxis *axis = joint_scene_pendulum(&scene, 0.01);
	*axis = (AbutJointAxis){.has_limits = true, .lower = 0.2, .upper = 1.0};
	cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_ARGUMENT);
	cr_expect_str_eq(error.where, "joints[0].limits");
	cr_expect(strstr(error.message, "is at 0 rad at the initial poses; its limits are 0.2 to 1"), "%s",
	          error.message);
	axis->lower = 6.0; /* a revolution later */
	axis->upper = 6.9;
	joint_scene_make(&scene);
	cr_expect_float_eq(joint_scene_read(&scene, 0).position[0], 6.283185307179586, 1e-12);
	for (int i = 0; i < 200; i++) {
		joint_scene_step(&scene, "revolution", 0);
	}
	cr_expect_leq(joint_scene_read(&scene, 0).position[0], 6.9 + 1e-9);
	joint_scene_end(&scene);
}

/* Far from the origin, places have fewer digits than 1e-12 m. */
Test(assemble, far_joints_are_closed_to_their_digits)
{
	JointScene scene;
	joint_scene_pendulum(&scene, 0.01);
	for (int k = 0; k < 3; k++) {
		scene.bodies[0].position[k] += 1e4 / 3.0;
		scene.joints[0].parent_frame.position[k] += 1e4 / 3.0;
	}
	joint_scene_make(&scene);
	AbutStepInfo info = {.row = 0};
	cr_assert_eq(abut_step(scene.model, scene.state, scene.workspace, &info), ABUT_OK);
	cr_expect_neq(info.outcome, ABUT_OUTCOME_FAILED);
	joint_scene_end(&scene);
}

static bool at_once(void *context)
{
	++*(int *)context;
	return true;
}

Test(assemble, a_caller_can_stop_it)
{
	JointScene scene;
	AbutError error;
	AbutRng rng = {1};
	int asked = 0;
	const AbutStop stop = {at_once, &asked};
	ring(&scene, 12);
	disturb(&scene, 0.05, &rng);
	scene.def.stop = &stop;
	cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_ERROR_STOPPED);
	cr_expect_null(scene.model);
	cr_expect(strstr(error.message, "stopped while closing 13 joints"), "%s", error.message);
	cr_expect_eq(asked, 1);
	joint_scene_end(&scene);
}

/* Ten thousand hinges in chains of a hundred, each open by some millimetres. */
Test(assemble, ten_thousand_joints_are_closed)
{
	enum { MANY = 10000 };
	const double half[3] = {0.2, 0.04, 0.04}, y[3] = {0.0, 1.0, 0.0}, none[4] = {1.0, 0.0, 0.0, 0.0},
	             origin[3] = {0.0, 0.0, 0.0};
	JointScene scene = {.def = abut_scene_def_default()};
	AbutRng rng = {3};
	AbutError error = {.status = ABUT_OK};
	AbutShape *box;
	AbutBodyDef *bodies = calloc(MANY, sizeof *bodies);
	AbutJointDef *joints = calloc(MANY, sizeof *joints);
	char(*names)[16] = calloc(MANY, sizeof *names);
	cr_assert(bodies && joints && names);
	cr_assert_eq(abut_shape_create_box(half, &box, NULL), ABUT_OK);
	for (int i = 0; i < MANY; i++) {
		const int row = i / 100;
		const double anchor[3] = {0.4 * (i % 100), row, 0.0};
		const int parent = i % 100 == 0 ? ABUT_JOINT_WORLD : i - 1;
		snprintf(names[i], sizeof names[i], "n%d", i);
		bodies[i] = abut_body_def_default();
		bodies[i].name = names[i];
		bodies[i].parts = (const AbutShape *const *)&box;
		bodies[i].n_parts = 1;
		bodies[i].mass = 1.0;
		abut_add3(anchor, (const double[3]){0.2, 0.0, 0.0}, bodies[i].position);
		joints[i] = abut_joint_def_default();
		joints[i].name = names[i];
		joints[i].parent = parent;
		joints[i].child = i;
		abut_joint_frames(anchor, y, parent < 0 ? origin : bodies[parent].position, none, bodies[i].position,
		                  none, &joints[i]);
	}
	for (int i = 0; i < MANY; i++) {
		bodies[i].position[0] += abut_rng_uniform(&rng, -0.003, 0.003);
	}
	scene.def.all_pairs = false;
	scene.def.bodies = bodies;
	scene.def.n_bodies = MANY;
	scene.def.joints = joints;
	scene.def.n_joints = MANY;
	cr_expect_eq(abut_model_create(&scene.def, &scene.model, &error), ABUT_OK, "%s", error.message);
	abut_model_destroy(scene.model);
	abut_shape_destroy(box);
	free(bodies);
	free(joints);
	free(names);
}

/* A disturbed ring closes at a coordinate beyond limits that it starts within: it closes at the limit instead. */
Test(assemble, closing_stays_within_limits)
{
	int held = 0;
	for (unsigned seed = 0; seed < 12; seed++) {
		AbutRng rng = {seed};
		JointScene scene;
		double turned[8], start = 0.0, free_end = 0.0;
		const int joint = 1 + (int)(seed % 6);
		for (int limited = 0; limited < 2; limited++) {
			rng = (AbutRng){seed};
			ring(&scene, 8);
			for (int i = 0; i < 8; i++) { /* in the plane */
				AbutBodyDef *body = &scene.bodies[i];
				double by[4] = {1.0, 0.0, abut_rng_uniform(&rng, -0.05, 0.05), 0.0}, q[4];
				abut_quat_normalise(by);
				abut_quat_mul(by, body->orientation, q);
				memcpy(body->orientation, q, sizeof q);
				turned[i] = 2.0 * asin(by[2]);
				body->position[0] += abut_rng_uniform(&rng, -0.05, 0.05);
			}
			if (limited) {
				const double bound = 0.5 * (start + free_end);
				scene.joints[joint].axes[0].has_limits = true;
				scene.joints[joint].axes[0].lower = free_end < start ? bound : -1.0;
				scene.joints[joint].axes[0].upper = free_end < start ? 1.0 : bound;
			}
			joint_scene_make(&scene);
			const double c = joint_scene_read(&scene, joint).position[0];
			cr_expect_leq(open_by(&scene), 1e-12, "seed %u: %g m", seed, open_by(&scene));
			start = turned[joint] - turned[joint - 1];
			if (limited && fabs(free_end - start) > 1e-6) {
				cr_expect_geq(c, scene.joints[joint].axes[0].lower - 1e-9, "seed %u: %.12g", seed, c);
				cr_expect_leq(c, scene.joints[joint].axes[0].upper + 1e-9, "seed %u: %.12g", seed, c);
				held++;
			}
			free_end = c;
			joint_scene_end(&scene);
		}
	}
	cr_expect_geq(held, 10);
}

/* A parallelogram of hinges about y, in the plane y = 0; its crank and rocker turn by the same angle. */
static void parallelogram(JointScene *scene)
{
	static const double corner[4][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.5}, {0.8, 0.0, 0.5}, {0.8, 0.0, 0.0}};
	static const double middle[3][3] = {{0.0, 0.0, 0.25}, {0.4, 0.0, 0.5}, {0.8, 0.0, 0.25}};
	static const double half[3] = {0.1, 0.02, 0.02}, y[3] = {0.0, 1.0, 0.0};
	static const int ends[4][2] = {{ABUT_JOINT_WORLD, 0}, {0, 1}, {1, 2}, {ABUT_JOINT_WORLD, 2}};
	joint_scene_begin(scene, 0.01);
	for (int i = 0; i < 3; i++) {
		joint_scene_box(scene, half, 1.0, middle[i]);
	}
	for (int i = 0; i < 4; i++) {
		joint_scene_joint(scene, ABUT_JOINT_HINGE, ends[i][0], ends[i][1], corner[i], y);
	}
}

/* The loop closes at a given coordinate, whichever joint it is of: the other joints give way. */
Test(assemble, given_coordinates_of_a_loop_are_kept)
{
	static const double angles[] = {0.2, -0.6, 1.0, 1.5, 2.0, 2.5, -2.8, 3.1}, sign[4] = {1.0, -1.0, 1.0, 1.0};
	for (int i = 0; i < 32; i++) {
		const int given = i / 8;
		const double angle = angles[i % 8];
		JointScene scene;
		parallelogram(&scene);
		scene.joints[given].has_position = true;
		scene.joints[given].position[0] = angle;
		joint_scene_make(&scene);
		cr_expect_float_eq(joint_scene_read(&scene, given).position[0], angle, 1e-11);
		for (int k = 0; k < 4; k++) {
			cr_expect_float_eq(joint_scene_read(&scene, k).position[0], sign[k] * sign[given] * angle, 1e-8,
			                   "joint %d at %g, given %g of %d", k, joint_scene_read(&scene, k).position[0],
			                   angle, given);
		}
		cr_expect_eq(scene.model->joints.yielded.joint, -1);
		joint_scene_end(&scene);
	}
}

/* Crank and rocker of a parallelogram cannot be at different angles: both give way, and the model says so. */
Test(assemble, given_coordinates_that_contradict_each_other_yield)
{
	JointScene scene;
	parallelogram(&scene);
	scene.joints[0].has_position = scene.joints[3].has_position = true;
	scene.joints[0].position[0] = 0.3;
	scene.joints[3].position[0] = 0.1;
	joint_scene_make(&scene);
	const AbutYielded *yielded = &scene.model->joints.yielded;
	const double at = joint_scene_read(&scene, 0).position[0];
	cr_expect_float_eq(joint_scene_read(&scene, 3).position[0], at, 1e-8);
	cr_assert(yielded->joint == 0 || yielded->joint == 3);
	cr_expect_float_eq(yielded->from, yielded->joint == 0 ? 0.3 : 0.1, 0.0);
	cr_expect_float_eq(yielded->to, at, 1e-9);
	joint_scene_end(&scene);
}

/* A crank on a ball moves a slider by a rod: the loop closes at the given turn of the ball, up to half a turn. */
Test(assemble, a_loop_closes_at_the_given_turn_of_a_ball)
{
	static const double half[3] = {0.1, 0.1, 0.1}, x[3] = {1.0, 0.0, 0.0},
	                    anchors[4][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.2, 0.0, 1.6}, {2.2, 0.0, 1.6}};
	static const double turns[][3] = {{0.1, 0.2, -0.3}, {0.0, 0.0, 1.0}, {-2.0, 0.5, 0.5}, {0.0, -0.6, 3.0}};
	for (int i = 0; i < 4; i++) {
		JointScene scene;
		joint_scene_begin(&scene, 0.01);
		for (int k = 0; k < 3; k++) {
			joint_scene_box(&scene, half, 1.0, anchors[k + 1]);
		}
		for (int k = 0; k < 3; k++) {
			joint_scene_joint(&scene, ABUT_JOINT_BALL, k - 1, k, anchors[k], x);
		}
		joint_scene_joint(&scene, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, 2, anchors[3], x);
		scene.joints[0].has_position = true;
		abut_copy3(turns[i], scene.joints[0].position);
		joint_scene_make(&scene);
		const AbutJointState ball = joint_scene_read(&scene, 0);
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(ball.position[k], turns[i][k], 1e-11, "%d: %.15g", i, ball.position[k]);
		}
		cr_expect_eq(scene.model->joints.yielded.joint, -1);
		cr_expect_eq(scene.model->joints.at[0].kind->n_freedoms, 0, "steps compute the ball's coordinates");
		joint_scene_step(&scene, "crank", (unsigned)i);
		joint_scene_end(&scene);
	}
}

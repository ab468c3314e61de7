/* Compares soft limits and soft dry friction of joints in method convex with closed forms. */
#include "dynamics/methods/joints/method_joint_scenes.h"

/* A slide along x with the mass of a box and a rotor, pushed by a force. */
typedef struct Pushed {
	JointScene scene;
	AbutJointDef *joint;
	double mass;
} Pushed;

static void begin(Pushed *pushed, double force)
{
	static const double half[3] = {0.1, 0.2, 0.15}, place[3] = {0.0, 0.0, 0.0}, x[3] = {1.0, 0.0, 0.0};
	*pushed = (Pushed){.mass = 2.0 + 0.5};
	joint_scene_begin(&pushed->scene, 0.002);
	joint_scene_box(&pushed->scene, half, 2.0, place);
	pushed->joint = joint_scene_joint(&pushed->scene, ABUT_JOINT_SLIDE, ABUT_JOINT_WORLD, 0, place, x);
	pushed->joint->axes[0].armature = 0.5;
	pushed->scene.bodies[0].force[0] = force;
	pushed->scene.def.gravity[2] = 0.0;
	pushed->scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
}

static AbutJointState run(Pushed *pushed, double duration)
{
	joint_scene_make(&pushed->scene);
	for (double t = 0.0; t < duration; t += 0.002) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(pushed->scene.model, pushed->scene.state, pushed->scene.workspace, &info),
		             ABUT_OK);
		cr_assert(info.exact, "%g s: residual %g", t, info.residual);
	}
	return joint_scene_read(&pushed->scene, 0);
}

static AbutJointSpring spring(double d, double constant, double ratio)
{
	return (AbutJointSpring){
	    .has_solref = true, .has_solimp = true, .solref = {constant, ratio}, .solimp = {d, d, 0.001, 0.5, 2.0}};
}

/* The row accelerates by d r + (1 - d) a0 with r = -b v - k d z. It rests where this is zero: z = -(1 - d) a0 / (k
 * d^2), with k = 1 / (d T z)^2 (tests/dynamics/methods/convex/test_convex.c does the same for a contact). */
Test(convex_joints, a_limit_gives_way_like_its_spring)
{
	for (int side = 0; side < 2; side++) {
		for (int with_margin = 0; with_margin < 2; with_margin++) {
			Pushed pushed;
			const double force = side == 0 ? 30.0 : -30.0, d = 0.7, T = 0.03, ratio = 1.2;
			const double margin = with_margin ? 0.004 : 0.0;
			begin(&pushed, force);
			AbutJointAxis *axis = &pushed.joint->axes[0];
			axis->has_limits = true;
			axis->lower = -0.05;
			axis->upper = 0.02;
			pushed.joint->limit_spring = spring(d, T, ratio);
			pushed.joint->limit_spring.has_margin = true;
			pushed.joint->limit_spring.margin = margin;
			const AbutJointState end = run(&pushed, 2.0);
			const double k = 1.0 / pow(d * T * ratio, 2.0);
			const double depth = (1.0 - d) * 30.0 / pushed.mass / (k * d * d) - margin;
			const double wanted = side == 0 ? 0.02 + depth : -0.05 - depth;
			cr_expect_float_eq(end.position[0], wanted, 1e-9, "side %d: %.12g, not %.12g", side,
			                   end.position[0], wanted);
			cr_expect_float_eq(end.limit_effort[0], -force, 1e-8, "side %d: %g N", side,
			                   end.limit_effort[0]);
			cr_expect_float_eq(end.velocity[0], 0.0, 1e-9);
			joint_scene_end(&pushed.scene);
		}
	}
}

/* Dry friction is a damper R / b up to its bound: v = F R / b, R = (1 - d) / (d m), b = 2 / (d T). Above it, what is
 * left of the force accelerates. */
Test(convex_joints, dry_friction_creeps_and_slips)
{
	const double d = 0.8, T = 0.05;
	for (int slips = 0; slips < 2; slips++) {
		Pushed pushed;
		const double force = slips ? 10.0 : 6.0, bound = 7.0;
		begin(&pushed, force);
		pushed.joint->axes[0].friction = bound;
		pushed.joint->friction_spring = spring(d, T, 1.0);
		const double duration = slips ? 0.5 : 3.0;
		const AbutJointState end = run(&pushed, duration);
		const double b = 2.0 / (d * T), R = (1.0 - d) / (d * pushed.mass);
		if (slips) { /* also in the first step, in which the force would take four times the bound to hold it */
			const double t = abut_state_time(pushed.scene.state);
			cr_expect_float_eq(end.velocity[0], (force - bound) / pushed.mass * t, 1e-9);
			cr_expect_float_eq(end.friction_effort[0], -bound, 1e-9);
		} else {
			cr_expect_float_eq(end.velocity[0], force * R / b, 1e-9, "%.12g, not %.12g", end.velocity[0],
			                   force * R / b);
			cr_expect_float_eq(end.friction_effort[0], -force, 1e-8);
		}
		joint_scene_end(&pushed.scene);
	}
}

Test(convex_joints, barriers_leave_limits_hard)
{
	Pushed pushed;
	begin(&pushed, 30.0);
	pushed.scene.def.solver.convex_model = ABUT_CONVEX_MODEL_BARRIER;
	pushed.joint->axes[0].has_limits = true;
	pushed.joint->axes[0].lower = -0.05;
	pushed.joint->axes[0].upper = 0.02;
	const AbutJointState end = run(&pushed, 1.0);
	cr_expect_float_eq(end.position[0], 0.02, 1e-9);
	joint_scene_end(&pushed.scene);
}

/* Both limits and friction of all three freedoms act at once: the largest number of rows of a joint. */
Test(convex_joints, all_laws_of_a_planar_joint_act_together)
{
	static const double half[3] = {0.1, 0.2, 0.15}, place[3] = {0.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
	JointScene scene;
	joint_scene_begin(&scene, 0.002);
	joint_scene_box(&scene, half, 2.0, place);
	AbutJointDef *joint = joint_scene_joint(&scene, ABUT_JOINT_PLANAR, ABUT_JOINT_WORLD, 0, place, y);
	scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
	scene.def.gravity[2] = 0.0;
	joint->limit_spring = spring(0.7, 0.03, 1.0);
	joint->limit_spring.has_margin = true;
	joint->limit_spring.margin = 0.5;
	for (int k = 0; k < 3; k++) {
		joint->axes[k].has_limits = true;
		joint->axes[k].lower = -0.01;
		joint->axes[k].upper = 0.01;
		joint->axes[k].friction = 1.0;
	}
	scene.bodies[0].force[0] = 1.0;
	joint_scene_make(&scene);
	AbutJointState end = {.n_axes = 0};
	for (int i = 0; i < 100; i++) {
		joint_scene_step(&scene, "planar", 0);
		end = joint_scene_read(&scene, 0);
	}
	cr_expect_eq(end.n_axes, 3);
	cr_expect_leq(fabs(end.position[0]) + fabs(end.position[1]) + fabs(end.position[2]), 0.01);
	joint_scene_end(&scene);
}

/* A changed model softens its limits by its own mass, like a model that was made with it. */
Test(convex_joints, a_changed_mass_changes_the_softness)
{
	double depth[2];
	for (int changed = 0; changed < 2; changed++) {
		Pushed pushed;
		begin(&pushed, 30.0);
		pushed.joint->axes[0].has_limits = true;
		pushed.joint->axes[0].lower = -0.05;
		pushed.joint->axes[0].upper = 0.02;
		pushed.scene.bodies[0].mass = changed ? 2.0 : 5.0;
		joint_scene_make(&pushed.scene);
		if (changed) {
			const AbutParameter mass = {.kind = ABUT_PARAMETER_MASS, .body = 0, .other = -1, .part = -1};
			const double five = 5.0;
			AbutModel *heavier = NULL;
			AbutError error = {.status = ABUT_OK};
			cr_assert_eq(abut_model_create_changed(pushed.scene.model, 1, &mass, &five, &heavier, &error),
			             ABUT_OK, "%s", error.message);
			abut_workspace_destroy(pushed.scene.workspace);
			abut_state_destroy(pushed.scene.state);
			abut_model_destroy(pushed.scene.model);
			pushed.scene.model = heavier;
			cr_assert_eq(abut_state_create(heavier, &pushed.scene.state, NULL), ABUT_OK);
			cr_assert_eq(abut_workspace_create(heavier, &pushed.scene.workspace, NULL), ABUT_OK);
		}
		for (int i = 0; i < 1000; i++) {
			AbutStepInfo info = {.row = 0};
			cr_assert_eq(abut_step(pushed.scene.model, pushed.scene.state, pushed.scene.workspace, &info),
			             ABUT_OK);
			cr_expect(i < 900 || info.limit_violation > 1e-5, "the soft limit gives way");
		}
		depth[changed] = joint_scene_read(&pushed.scene, 0).limit_violation;
		joint_scene_end(&pushed.scene);
	}
	cr_expect_float_eq(depth[1], depth[0], 1e-12, "%.12g, %.12g", depth[1], depth[0]);
}

/* Makes a chain of joints along x, y and z that carries a box, through links of 1e-6 of its mass and inertia. The
 * middle one has limits. */
static void make_chain(JointScene *scene, AbutJointType type, double mass, double armature)
{
	static const double half[3] = {0.1, 0.2, 0.15}, place[3] = {0.0, 0.0, 0.0};
	joint_scene_begin(scene, 0.002);
	for (int i = 0; i < 3; i++) {
		const double axis[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
		joint_scene_box(scene, half, i < 2 ? 1e-6 * mass : mass, place);
		AbutJointDef *joint = joint_scene_joint(scene, type, i - 1, i, place, axis);
		joint->axes[0].armature = armature;
		joint->axes[0].has_limits = i == 1;
		joint->axes[0].lower = -0.05;
		joint->axes[0].upper = 0.02;
		joint->limit_spring = spring(0.7, 0.03, 1.2);
	}
	scene->def.gravity[2] = 0.0;
	scene->def.all_pairs = false;
	scene->def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, ABUT_METHOD_CONVEX);
}

/* Returns how far the middle joint is beyond its limit, at rest. */
static double depth_of_chain(JointScene *scene)
{
	joint_scene_make(scene);
	for (int i = 0; i < 1000; i++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(scene->model, scene->state, scene->workspace, &info), ABUT_OK);
		cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED, "step %d: residual %g", i, info.residual);
	}
	const double depth = joint_scene_read(scene, 1).position[0] - 0.02;
	joint_scene_end(scene);
	return depth;
}

/* Links do not change how soft the limit of a turn is: it has the mobility of the box that they carry. */
Test(convex_joints, limits_of_chains_are_as_soft_as_what_they_carry)
{
	JointScene scene;
	make_chain(&scene, ABUT_JOINT_HINGE, 2.0, 0.0);
	scene.bodies[2].torque[1] = 0.5;
	const double J = 2.0 / 3.0 * (0.1 * 0.1 + 0.15 * 0.15), k = 1.0 / pow(0.7 * 0.03 * 1.2, 2.0);
	const double wanted = 0.3 * 0.5 / J / (k * 0.49), depth = depth_of_chain(&scene);
	cr_expect_float_eq(depth, wanted, 1e-5 * wanted, "%.12g, not %.12g", depth, wanted);
}

/* Rotors may be much heavier than the bodies that they drive. */
Test(convex_joints, limits_of_chains_with_rotors_are_as_soft_as_these)
{
	JointScene scene;
	make_chain(&scene, ABUT_JOINT_SLIDE, 1e-6, 0.04);
	scene.bodies[2].force[1] = 0.5;
	const double k = 1.0 / pow(0.7 * 0.03 * 1.2, 2.0);
	const double wanted = 0.3 * 0.5 / 0.040001 / (k * 0.49), depth = depth_of_chain(&scene);
	cr_expect_float_eq(depth, wanted, 1e-5 * wanted, "%.12g, not %.12g", depth, wanted);
}

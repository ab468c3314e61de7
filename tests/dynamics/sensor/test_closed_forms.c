/* Tests each type of sensor against closed forms: free fall, rest, turntable, constant acceleration, hanging and held
 * links, blocks at rest and sliding, and a servo that holds a weight. */
#include <criterion/criterion.h>
#include <math.h>

#include "abut/abut.h"
#include "dynamics/joint_scenes.h"

static const double g = 9.81;

/* A scene with sites and sensors. */
typedef struct Sensed {
	JointScene scene;
	AbutSiteDef sites[4];
	AbutSensorDef sensors[4];
} Sensed;

static const double none[3] = {0.0, 0.0, 0.0}, half[3] = {0.1, 0.2, 0.3};

/* The turn that takes x to y, y to z and z to x. */
static const double turned[4] = {0.5, 0.5, 0.5, 0.5};

static void begin(Sensed *sensed)
{
	joint_scene_begin(&sensed->scene, 0.01);
	sensed->scene.def.sites = sensed->sites;
	sensed->scene.def.sensors = sensed->sensors;
}

static int add_site(Sensed *sensed, int body, const double position[3], const double orientation[4])
{
	const int i = sensed->scene.def.n_sites++;
	sensed->sites[i] = abut_site_def_default();
	sensed->sites[i].name = sensed->scene.names[i];
	sensed->sites[i].body = body;
	abut_copy3(position, sensed->sites[i].frame.position);
	if (orientation) {
		memcpy(sensed->sites[i].frame.orientation, orientation, 4 * sizeof *orientation);
	}
	return i;
}

static AbutSensorDef *add_sensor(Sensed *sensed, AbutSensorType type)
{
	const int i = sensed->scene.def.n_sensors++;
	sensed->sensors[i] = abut_sensor_def_default();
	sensed->sensors[i].name = sensed->scene.names[i];
	sensed->sensors[i].type = type;
	return &sensed->sensors[i];
}

static void expect(const Sensed *sensed, int sensor, int first, const double expected[3], double tolerance)
{
	double values[ABUT_SENSOR_CHANNELS];
	cr_assert_eq(abut_sensor_get(sensed->scene.model, sensed->scene.state, sensor, values), ABUT_OK);
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(values[first + i], expected[i], tolerance, "sensor %d, value %d: %.15g, not %.15g",
		                   sensor, first + i, values[first + i], expected[i]);
	}
}

static void run(Sensed *sensed, int steps)
{
	for (int i = 0; i < steps; i++) {
		AbutStepInfo info = {.row = 0};
		cr_assert_eq(abut_step(sensed->scene.model, sensed->scene.state, sensed->scene.workspace, &info),
		             ABUT_OK);
		cr_assert(info.exact);
	}
}

/* --- pose --- */

/* The quaternion of the state passes through both signs in two turns; the sensor follows without a jump. */
Test(sensor_closed_forms, the_pose_of_a_body_is_that_of_its_state_through_two_turns)
{
	Sensed sensed;
	int negative = 0;
	begin(&sensed);
	const int body = joint_scene_box(&sensed.scene, half, 2.0, none);
	sensed.scene.bodies[body].angular_velocity[2] = 8.0;
	add_sensor(&sensed, ABUT_SENSOR_POSE)->body = body;
	joint_scene_make(&sensed.scene);
	for (int i = 0; i < 160; i++) {
		AbutBodyState at;
		double pose[7];
		run(&sensed, 1);
		cr_assert_eq(abut_state_get_body(sensed.scene.model, sensed.scene.state, body, &at), ABUT_OK);
		cr_assert_eq(abut_sensor_get(sensed.scene.model, sensed.scene.state, 0, pose), ABUT_OK);
		for (int k = 0; k < 4; k++) {
			cr_expect(pose[3 + k] == at.orientation[k], "step %d: %g, not %g", i, pose[3 + k],
			          at.orientation[k]);
		}
		negative += at.orientation[0] < 0.0;
	}
	cr_expect_gt(negative, 20);
	joint_scene_end(&sensed.scene);
}

/* --- imu --- */

Test(sensor_closed_forms, an_imu_in_free_fall_measures_nothing_and_the_centripetal_force_if_it_spins)
{
	Sensed sensed;
	const double place[3] = {1.0, 2.0, 3.0}, arm[3] = {0.3, 0.0, 0.4}, spin[3] = {0.0, 0.0, 2.0};
	for (int spins = 0; spins < 2; spins++) {
		begin(&sensed);
		const int body = joint_scene_box(&sensed.scene, half, 2.0, place);
		sensed.scene.bodies[body].linear_velocity[0] = 3.0;
		abut_copy3(spins ? spin : none, sensed.scene.bodies[body].angular_velocity);
		add_sensor(&sensed, ABUT_SENSOR_IMU)->site = add_site(&sensed, body, arm, NULL);
		add_sensor(&sensed, ABUT_SENSOR_IMU)->body = body;
		joint_scene_make(&sensed.scene);
		expect(&sensed, 0, 0, none, 0.0);
		run(&sensed, 10);
		const double inward[3] = {spins ? -4.0 * arm[0] : 0.0, 0.0, 0.0};
		expect(&sensed, 0, 0, inward, 1e-11);
		expect(&sensed, 0, 3, spins ? spin : none, 1e-11);
		expect(&sensed, 1, 0, none, 1e-11);
		joint_scene_end(&sensed.scene);
	}
}

Test(sensor_closed_forms, an_imu_under_a_constant_force_measures_force_over_mass)
{
	Sensed sensed;
	begin(&sensed);
	const int body = joint_scene_box(&sensed.scene, half, 2.0, none);
	sensed.scene.bodies[body].force[1] = 5.0;
	add_sensor(&sensed, ABUT_SENSOR_IMU)->site = add_site(&sensed, body, half, turned);
	joint_scene_make(&sensed.scene);
	run(&sensed, 3);
	const double expected[3] = {2.5, 0.0, 0.0}; /* the site's x axis is the world's y */
	expect(&sensed, 0, 0, expected, 1e-11);
	joint_scene_end(&sensed.scene);
}

Test(sensor_closed_forms, an_imu_at_rest_measures_gravity_upwards)
{
	Sensed sensed;
	begin(&sensed);
	const double floor_half[3] = {2.0, 2.0, 0.5}, below[3] = {0.0, 0.0, -0.5}, on[3] = {0.0, 0.0, half[2]};
	const int floor = joint_scene_box(&sensed.scene, floor_half, 0.0, below);
	sensed.scene.bodies[floor].is_static = true;
	const int body = joint_scene_box(&sensed.scene, half, 2.0, on);
	sensed.scene.def.all_pairs = true;
	add_sensor(&sensed, ABUT_SENSOR_IMU)->site = add_site(&sensed, body, half, turned);
	add_sensor(&sensed, ABUT_SENSOR_IMU)->body = floor;
	add_sensor(&sensed, ABUT_SENSOR_IMU)->site = add_site(&sensed, ABUT_JOINT_WORLD, half, NULL);
	joint_scene_make(&sensed.scene);
	run(&sensed, 30);
	const double up[3] = {0.0, g, 0.0}, up_world[3] = {0.0, 0.0, g}; /* the site's y axis is the world's z */
	expect(&sensed, 0, 0, up, 1e-7);
	expect(&sensed, 1, 0, up_world, 0.0);
	expect(&sensed, 2, 0, up_world, 0.0);
	joint_scene_end(&sensed.scene);
}

/* The centre of mass is 0.5 m from the axis, the site 0.7 m. */
Test(sensor_closed_forms, an_imu_on_a_turntable_measures_omega_squared_times_the_radius)
{
	Sensed sensed;
	begin(&sensed);
	const double place[3] = {0.5, 0.0, 0.0}, arm[3] = {0.2, 0.0, 0.1}, up[3] = {0.0, 0.0, 1.0};
	const int body = joint_scene_box(&sensed.scene, half, 2.0, place);
	AbutJointDef *joint = joint_scene_joint(&sensed.scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, body, none, up);
	joint->has_velocity = true;
	joint->velocity[0] = 7.0;
	add_sensor(&sensed, ABUT_SENSOR_IMU)->site = add_site(&sensed, body, arm, NULL);
	joint_scene_make(&sensed.scene);
	for (int i = 0; i < 20; i++) {
		run(&sensed, 1);
		double values[6];
		abut_sensor_get(sensed.scene.model, sensed.scene.state, 0, values);
		const double w = values[5], expected[3] = {-w * w * 0.7, 0.0, g};
		cr_expect_float_eq(w, 7.0, 0.1);
		expect(&sensed, 0, 0, expected, 1e-8);
	}
	joint_scene_end(&sensed.scene);
}

/* --- force_torque --- */

Test(sensor_closed_forms, the_load_of_a_hanging_link_is_its_weight)
{
	Sensed sensed;
	begin(&sensed);
	const double place[3] = {0.0, 0.0, -half[2]}, y[3] = {0.0, 1.0, 0.0}, up[3] = {0.0, 0.0, 2.0 * g};
	const int body = joint_scene_box(&sensed.scene, half, 2.0, place);
	joint_scene_joint(&sensed.scene, ABUT_JOINT_HINGE, ABUT_JOINT_WORLD, body, none, y)->axes[0].damping = 1.0;
	add_sensor(&sensed, ABUT_SENSOR_FORCE_TORQUE)->site = add_site(&sensed, body, none, NULL);
	joint_scene_make(&sensed.scene);
	run(&sensed, 5);
	expect(&sensed, 0, 0, up, 1e-9);
	expect(&sensed, 0, 3, none, 1e-9);
	joint_scene_end(&sensed.scene);
}

/* A beam along x, 0.4 m from the wall to its centre, held by a fixed joint, and at its end a second one. */
Test(sensor_closed_forms, the_load_of_a_held_beam_is_its_weight_and_moment)
{
	Sensed sensed;
	begin(&sensed);
	const double beam[3] = {0.4, 0.05, 0.05}, first[3] = {0.4, 0.0, 0.0}, second[3] = {1.2, 0.0, 0.0},
	             wall[3] = {0.0, 0.0, 0.0}, between[3] = {0.8, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
	const int a = joint_scene_box(&sensed.scene, beam, 3.0, first),
	          b = joint_scene_box(&sensed.scene, beam, 2.0, second);
	joint_scene_joint(&sensed.scene, ABUT_JOINT_FIXED, ABUT_JOINT_WORLD, a, wall, z);
	joint_scene_joint(&sensed.scene, ABUT_JOINT_FIXED, a, b, between, z);
	const int centre = add_site(&sensed, a, none, NULL), tip = add_site(&sensed, b, first, turned);
	add_sensor(&sensed, ABUT_SENSOR_FORCE_TORQUE)->joint = 0;
	add_sensor(&sensed, ABUT_SENSOR_FORCE_TORQUE)->joint = 1;
	AbutSensorDef *on_parent = add_sensor(&sensed, ABUT_SENSOR_FORCE_TORQUE);
	on_parent->joint = 1;
	on_parent->site = centre;
	add_sensor(&sensed, ABUT_SENSOR_FORCE_TORQUE)->site = tip;
	joint_scene_make(&sensed.scene);
	run(&sensed, 5);
	const double all[3] = {0.0, 0.0, 5.0 * g}, all_moment[3] = {0.0, -g * (3.0 * 0.4 + 2.0 * 1.2), 0.0},
	             end[3] = {0.0, 0.0, 2.0 * g}, end_moment[3] = {0.0, -g * 2.0 * 0.4, 0.0},
	             about_centre[3] = {0.0, -g * 2.0 * 0.8, 0.0}, in_tip[3] = {0.0, 2.0 * g, 0.0},
	             about_tip[3] = {g * 2.0 * 0.4, 0.0, 0.0};
	expect(&sensed, 0, 0, all, 1e-9);
	expect(&sensed, 0, 3, all_moment, 1e-9);
	expect(&sensed, 1, 0, end, 1e-9);
	expect(&sensed, 1, 3, end_moment, 1e-9);
	expect(&sensed, 2, 0, end, 1e-9);
	expect(&sensed, 2, 3, about_centre, 1e-9);
	expect(&sensed, 3, 0, in_tip, 1e-9);
	expect(&sensed, 3, 3, about_tip, 1e-9);
	joint_scene_end(&sensed.scene);
}

/* The parent hangs on its static child: the load is still what the parent does to the child. */
Test(sensor_closed_forms, the_load_on_a_static_child_is_the_weight_that_hangs_on_it)
{
	Sensed sensed;
	begin(&sensed);
	const double above[3] = {0.0, 0.0, 1.0}, z[3] = {0.0, 0.0, 1.0}, aside[3] = {0.5, 0.0, 0.0},
	             down[3] = {0.0, 0.0, -2.0 * g}, moment[3] = {0.0, g * 2.0 * 0.5, 0.0};
	const int child = joint_scene_box(&sensed.scene, half, 0.0, above),
	          parent = joint_scene_box(&sensed.scene, half, 2.0, aside);
	sensed.scene.bodies[child].is_static = true;
	joint_scene_joint(&sensed.scene, ABUT_JOINT_FIXED, parent, child, above, z);
	add_sensor(&sensed, ABUT_SENSOR_FORCE_TORQUE)->joint = 0;
	joint_scene_make(&sensed.scene);
	run(&sensed, 3);
	expect(&sensed, 0, 0, down, 1e-9);
	expect(&sensed, 0, 3, moment, 1e-9);
	joint_scene_end(&sensed.scene);
}

/* --- contact_force --- */

/* A block of 2 kg on a slope of `angle` about y, that falls towards +x, with contact_force of block and ground. */
static void begin_slope(Sensed *sensed, double angle, double friction, AbutMethod method)
{
	const double ground[3] = {50.0, 5.0, 0.5}, q[4] = {cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0};
	begin(sensed);
	sensed->scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, method);
	for (int i = 0; i < 2; i++) {
		const double height = i == 0 ? -0.5 : half[2];
		const double place[3] = {height * sin(angle), 0.0, height * cos(angle)};
		const int body = joint_scene_box(&sensed->scene, i == 0 ? ground : half, i == 0 ? 0.0 : 2.0, place);
		memcpy(sensed->scene.bodies[body].orientation, q, sizeof q);
		sensed->scene.bodies[body].is_static = i == 0;
		add_sensor(sensed, ABUT_SENSOR_CONTACT_FORCE)->body = body;
	}
	sensed->scene.def.all_pairs = true;
	sensed->scene.def.friction = friction;
	joint_scene_make(&sensed->scene);
}

static void expect_contact(const Sensed *sensed, int sensor, const double normal[3], const double friction[3],
                           double sum, double tolerance)
{
	double both[3], values[10];
	abut_add3(normal, friction, both);
	expect(sensed, sensor, 0, both, tolerance);
	expect(sensed, sensor, 3, normal, tolerance);
	expect(sensed, sensor, 6, friction, tolerance);
	abut_sensor_get(sensed->scene.model, sensed->scene.state, sensor, values);
	cr_expect_float_eq(values[9], sum, tolerance, "%.15g, not %.15g", values[9], sum);
}

Test(sensor_closed_forms, the_contact_force_of_a_block_at_rest_is_its_weight)
{
	const AbutMethod methods[] = {ABUT_METHOD_SINGLE_LEVEL, ABUT_METHOD_LCP};
	for (int i = 0; i < 2; i++) {
		Sensed sensed;
		begin_slope(&sensed, 0.0, 0.5, methods[i]);
		expect_contact(&sensed, 1, none, none, 0.0, 0.0);
		run(&sensed, 60);
		const double up[3] = {0.0, 0.0, 2.0 * g}, down[3] = {0.0, 0.0, -2.0 * g};
		expect_contact(&sensed, 1, up, none, 2.0 * g, 1e-7);
		expect_contact(&sensed, 0, down, none, 2.0 * g, 1e-7);
		joint_scene_end(&sensed.scene);
	}
}

Test(sensor_closed_forms, the_contact_force_of_a_sliding_block_has_friction_mu_n)
{
	const double angle = 0.6, mu = 0.3, N = 2.0 * g * cos(angle);
	const AbutMethod methods[] = {ABUT_METHOD_SINGLE_LEVEL, ABUT_METHOD_LCP};
	for (int i = 0; i < 2; i++) {
		Sensed sensed;
		begin_slope(&sensed, angle, mu, methods[i]);
		run(&sensed, 60);
		const double normal[3] = {N * sin(angle), 0.0, N * cos(angle)},
		             friction[3] = {-mu * N * cos(angle), 0.0, mu * N * sin(angle)},
		             back[3] = {-normal[0], 0.0, -normal[2]}, forth[3] = {-friction[0], 0.0, -friction[2]};
		expect_contact(&sensed, 1, normal, friction, N, 1e-6);
		expect_contact(&sensed, 0, back, forth, N, 1e-6);
		joint_scene_end(&sensed.scene);
	}
}

/* --- joints --- */

Test(sensor_closed_forms, the_effort_of_a_servo_is_the_moment_of_the_weight_that_it_holds)
{
	Sensed sensed;
	JointScene *scene = &sensed.scene;
	AbutJointAxis *axis = joint_scene_pendulum(scene, 0.01);
	axis->motor =
	    (AbutMotorDef){.type = ABUT_MOTOR_POSITION, .stiffness = 100.0, .damping = 40.0, .limit = INFINITY};
	scene->def.sites = sensed.sites;
	scene->def.sensors = sensed.sensors;
	const AbutSensorType types[] = {ABUT_SENSOR_JOINT_POSITION, ABUT_SENSOR_JOINT_VELOCITY,
	                                ABUT_SENSOR_JOINT_EFFORT, ABUT_SENSOR_FORCE_TORQUE};
	for (int i = 0; i < 4; i++) {
		add_sensor(&sensed, types[i])->joint = 0;
	}
	joint_scene_make(scene);
	run(&sensed, 1000);
	double q, rate, effort, load[6];
	abut_sensor_get(scene->model, scene->state, 0, &q);
	abut_sensor_get(scene->model, scene->state, 1, &rate);
	abut_sensor_get(scene->model, scene->state, 2, &effort);
	abut_sensor_get(scene->model, scene->state, 3, load);
	const double moment = 2.0 * g * 0.5 * cos(q); /* turns the pendulum down */
	cr_expect_float_eq(rate, 0.0, 1e-9);
	cr_expect_float_eq(effort, -moment, 1e-8);
	cr_expect_float_eq(effort, -100.0 * q, 1e-8);
	cr_expect_float_eq(load[5], -moment, 1e-8); /* the motor is part of what the parent does; z is the axis */
	joint_scene_end(scene);
}

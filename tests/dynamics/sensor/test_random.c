/* Tests sensors of random scenes: poses and velocities of sites against differences, and loads of joints against
 * Newton's and Euler's equations of the links below. Also copies, snapshots and batches. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "abut/abut.h"
#include "base/rng.h"
#include "dynamics/joint_scenes.h"

enum { LINKS = 5 };

/* A random tree with a site on each link. Sensors: of link i, the load above it about its site, the same about the
 * joint's frame, pose and velocity of the site, an imu, and position, velocity and effort of its joint. */
enum { OF_LINK = 8 };

typedef struct Tree {
	JointScene scene;
	AbutSiteDef sites[LINKS];
	AbutSensorDef sensors[LINKS * OF_LINK];
	char names[LINKS * OF_LINK][16];
	double half[LINKS][3];
	int parent[LINKS];
} Tree;

static void random_frame(AbutRng *rng, AbutJointFrame *frame)
{
	for (int k = 0; k < 3; k++) {
		frame->position[k] = abut_rng_uniform(rng, -0.5, 0.5);
	}
	for (int k = 0; k < 4; k++) {
		frame->orientation[k] = abut_rng_uniform(rng, -1.0, 1.0);
	}
	abut_quat_normalise(frame->orientation);
}

/* Adds springs, dampers, rotors and motors to the freedoms of a joint. */
static void add_laws(AbutJointDef *joint, AbutRng *rng)
{
	const int n = joint->type == ABUT_JOINT_BALL ? 1 : abut_joint_type_freedoms(joint->type);
	for (int k = 0; k < n; k++) {
		AbutJointAxis *axis = &joint->axes[k];
		axis->stiffness = abut_rng_uniform(rng, 0.0, 5.0);
		axis->damping = abut_rng_uniform(rng, 0.0, 0.5);
		axis->friction = abut_rng_uniform(rng, 0.0, 0.5);
		axis->armature = abut_rng_uniform(rng, 0.0, 0.1);
		axis->motor = (AbutMotorDef){.type = ABUT_MOTOR_POSITION,
		                             .stiffness = 5.0,
		                             .damping = 0.5,
		                             .limit = k == 0 ? 3.0 : HUGE_VAL,
		                             .target = joint->type == ABUT_JOINT_BALL ? 0.0 : 0.3};
	}
}

static void add_sensors(Tree *tree, int link)
{
	const AbutSensorType types[OF_LINK] = {
	    ABUT_SENSOR_FORCE_TORQUE, ABUT_SENSOR_FORCE_TORQUE,   ABUT_SENSOR_POSE,           ABUT_SENSOR_VELOCITY,
	    ABUT_SENSOR_IMU,          ABUT_SENSOR_JOINT_POSITION, ABUT_SENSOR_JOINT_VELOCITY, ABUT_SENSOR_JOINT_EFFORT};
	for (int i = 0; i < OF_LINK; i++) {
		const int at = OF_LINK * link + i;
		const bool joint = i == 1 || i > 4;
		snprintf(tree->names[at], sizeof tree->names[at], "s%d", at);
		tree->sensors[at] = abut_sensor_def_default();
		tree->sensors[at].name = tree->names[at];
		tree->sensors[at].type = types[i];
		*(joint ? &tree->sensors[at].joint : &tree->sensors[at].site) = link;
	}
}

static void make_tree(Tree *tree, AbutMethod method, AbutRng *rng)
{
	static const AbutJointType types[] = {ABUT_JOINT_HINGE,     ABUT_JOINT_SLIDE,       ABUT_JOINT_BALL,
	                                      ABUT_JOINT_UNIVERSAL, ABUT_JOINT_CYLINDRICAL, ABUT_JOINT_PLANAR};
	joint_scene_begin(&tree->scene, 0.002);
	tree->scene.def.solver = abut_solver_options_preset(ABUT_PRESET_NONE, method);
	tree->scene.def.sites = tree->sites;
	tree->scene.def.sensors = tree->sensors;
	for (int i = 0; i < LINKS; i++) {
		const RandomLink link = joint_scene_random_link(&tree->scene, 0.5, rng);
		tree->parent[i] = link.parent;
		memcpy(tree->half[i], tree->scene.shapes[i]->size, sizeof tree->half[i]);
		add_laws(joint_scene_joint(&tree->scene, types[(int)abut_rng_uniform(rng, 0.0, 5.999)], link.parent, i,
		                           link.anchor, link.axis),
		         rng);
		tree->sites[i] = abut_site_def_default();
		tree->sites[i].body = i;
		random_frame(rng, &tree->sites[i].frame);
		add_sensors(tree, i);
		tree->sites[i].name = tree->scene.names[i];
	}
	tree->scene.def.n_sites = LINKS;
	tree->scene.def.n_sensors = LINKS * OF_LINK;
	joint_scene_make(&tree->scene);
}

/* Computes the force and the moment about the centre of mass that a link needs for its motion in a step, without its
 * weight: the discrete balance of docs/formulation.md 2, in world axes. */
static void needed(const Tree *tree, int link, const AbutBodyState *from, const AbutBodyState *to, double force[3],
                   double moment[3])
{
	const double h = tree->scene.def.timestep, *a = tree->half[link];
	const double m = abut_model_body_mass(tree->scene.model, link);
	const double J[3] = {m / 3.0 * (a[1] * a[1] + a[2] * a[2]), m / 3.0 * (a[0] * a[0] + a[2] * a[2]),
	                     m / 3.0 * (a[0] * a[0] + a[1] * a[1])};
	double R[9], sum[3] = {0.0, 0.0, 0.0};
	for (int t = 0; t < 2; t++) {
		const double *w = t == 0 ? from->angular_velocity : to->angular_velocity, sign = t == 0 ? -1.0 : 1.0;
		const double Jw[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
		const double c = sqrt(1.0 - 0.25 * h * h * abut_dot3(w, w));
		double across[3];
		abut_cross3(w, Jw, across);
		for (int k = 0; k < 3; k++) {
			sum[k] += (sign * c * Jw[k] + 0.5 * h * across[k]) / h;
		}
	}
	abut_quat_to_mat3(from->orientation, R);
	abut_mat3_vec(R, sum, moment);
	for (int k = 0; k < 3; k++) {
		force[k] = m * (to->linear_velocity[k] - from->linear_velocity[k]) / h - m * tree->scene.def.gravity[k];
	}
}

static bool is_below(const Tree *tree, int link, int root)
{
	while (link > root) {
		link = tree->parent[link];
	}
	return link == root;
}

/* Compares the loads above a link with what the links below need. */
static void compare_load(const Tree *tree, int root, const AbutBodyState *from, const AbutBodyState *to,
                         const AbutSiteState *site, const char *what)
{
	double force[3] = {0.0}, moment[3] = {0.0}, R[9], expected[6], measured[6], size = 1.0;
	for (int i = root; i < LINKS; i++) {
		double f[3], t[3], arm[3], about[3];
		if (is_below(tree, i, root)) {
			needed(tree, i, &from[i], &to[i], f, t);
			abut_sub3(from[i].position, site->position, arm); /* boxes: the origin is the centre of mass */
			abut_cross3(arm, f, about);
			abut_add3(force, f, force);
			abut_add3(moment, t, moment);
			abut_add3(moment, about, moment);
		}
	}
	abut_quat_to_mat3(site->orientation, R);
	abut_mat3_tvec(R, force, expected);
	abut_mat3_tvec(R, moment, expected + 3);
	abut_sensor_get(tree->scene.model, tree->scene.state, OF_LINK * root, measured);
	for (int k = 0; k < 6; k++) {
		size = fmax(size, fabs(expected[k]));
	}
	for (int k = 0; k < 6; k++) {
		cr_assert_float_eq(measured[k], expected[k], 1e-9 * size, "%s, link %d, value %d: %.12g, not %.12g",
		                   what, root, k, measured[k], expected[k]);
	}
}

/* Takes steps and compares the loads in those that are taken in one part, as the one before. Returns their number. */
static int compare_loads(Tree *tree, int steps, const char *what)
{
	int compared = 0, parts = 1;
	for (int step = 0; step < steps; step++) {
		AbutBodyState from[LINKS], to[LINKS];
		AbutSiteState sites[LINKS];
		AbutStepInfo info = {.row = 0};
		for (int i = 0; i < LINKS; i++) {
			abut_state_get_body(tree->scene.model, tree->scene.state, i, &from[i]);
			abut_site_get(tree->scene.model, tree->scene.state, i, &sites[i]);
		}
		cr_assert_eq(abut_step(tree->scene.model, tree->scene.state, tree->scene.workspace, &info), ABUT_OK);
		cr_assert_neq(info.outcome, ABUT_OUTCOME_FAILED);
		for (int i = 0; i < LINKS; i++) {
			abut_state_get_body(tree->scene.model, tree->scene.state, i, &to[i]);
		}
		for (int i = 0; i < LINKS && info.parts == 1 && parts == 1 && info.exact; i++, compared++) {
			compare_load(tree, i, from, to, &sites[i], what);
		}
		parts = info.parts;
	}
	return compared;
}

Test(sensor_random, loads_are_what_the_links_below_need)
{
	const AbutMethod methods[] = {ABUT_METHOD_SINGLE_LEVEL, ABUT_METHOD_BILEVEL, ABUT_METHOD_LCP,
	                              ABUT_METHOD_POINT_NCP, ABUT_METHOD_CONVEX};
	int compared = 0;
	for (unsigned seed = 0; seed < 20; seed++) {
		const AbutMethod method = methods[seed % 5];
		Tree tree;
		AbutRng rng = abut_rng_stream(seed, 0);
		char what[64];
		snprintf(what, sizeof what, "%s, seed %u", abut_method_name(method), seed);
		make_tree(&tree, method, &rng);
		compared += compare_loads(&tree, 30, what);
		joint_scene_end(&tree.scene);
	}
	cr_expect_gt(compared, 1000, "only %d loads were compared", compared);
}

/* Moves a body by `time` as its velocities say. */
static AbutBodyState moved(AbutBodyState body, double time)
{
	const double *w = body.angular_velocity, angle = abut_norm3(w) * time;
	double turn[4] = {cos(0.5 * angle), 0.0, 0.0, 0.0}, q[4];
	for (int k = 0; k < 3; k++) {
		turn[1 + k] = abut_norm3(w) > 0.0 ? sin(0.5 * angle) * w[k] / abut_norm3(w) : 0.0;
		body.position[k] += time * body.linear_velocity[k];
	}
	abut_quat_mul(body.orientation, turn, q);
	memcpy(body.orientation, q, sizeof q);
	abut_quat_normalise(body.orientation);
	return body;
}

Test(sensor_random, poses_and_velocities_of_sites_agree_with_differences)
{
	for (unsigned seed = 0; seed < 10; seed++) {
		const double small = 1e-4;
		Tree tree;
		AbutRng rng = abut_rng_stream(seed, 0);
		double pose[7], velocity[6], ends[2][7];
		make_tree(&tree, ABUT_METHOD_SINGLE_LEVEL, &rng);
		JointScene *scene = &tree.scene;
		for (int i = 0; i < 20; i++) {
			joint_scene_step(scene, "sites", seed);
		}
		for (int i = 0; i < LINKS; i++) {
			AbutBodyState body;
			double R[9], origin[3], turn[4];
			abut_state_get_body(scene->model, scene->state, i, &body);
			abut_sensor_get(scene->model, scene->state, OF_LINK * i + 2, pose);
			abut_sensor_get(scene->model, scene->state, OF_LINK * i + 3, velocity);
			abut_quat_to_mat3(body.orientation, R);
			abut_mat3_vec(R, tree.sites[i].frame.position, origin);
			for (int k = 0; k < 3; k++) {
				cr_expect_float_eq(pose[k], body.position[k] + origin[k], 1e-14);
			}
			abut_quat_mul(body.orientation, tree.sites[i].frame.orientation, turn);
			for (int k = 0; k < 4; k++) {
				cr_expect_float_eq(pose[3 + k], turn[k], 1e-14, "seed %u: %g, not %g", seed,
				                   pose[3 + k], turn[k]);
			}
			for (int t = 0; t < 2; t++) {
				const AbutBodyState there = moved(body, t == 0 ? -small : small);
				cr_assert_eq(abut_state_set_body(scene->model, scene->state, i, &there), ABUT_OK);
				abut_sensor_get(scene->model, scene->state, OF_LINK * i + 2, ends[t]);
			}
			const double inverse[4] = {ends[0][3], -ends[0][4], -ends[0][5], -ends[0][6]};
			abut_quat_mul(&ends[1][3], inverse, turn);
			for (int k = 0; k < 3; k++) {
				cr_expect_float_eq(velocity[k], (ends[1][k] - ends[0][k]) / (2.0 * small), 1e-5);
				cr_expect_float_eq(velocity[3 + k],
				                   copysign(turn[1 + k], turn[0] * turn[1 + k]) / small, 1e-5);
			}
		}
		joint_scene_end(scene);
	}
}

/* A copy, a restored snapshot and a world of a batch continue with the same bits. */
Test(sensor_random, values_survive_copies_snapshots_and_batches)
{
	Tree tree;
	AbutRng rng = abut_rng_stream(3, 0);
	AbutState *other = NULL;
	AbutBatch *batch = NULL;
	AbutError error = {.status = ABUT_OK};
	make_tree(&tree, ABUT_METHOD_SINGLE_LEVEL, &rng);
	const AbutModel *model = tree.scene.model;
	const size_t n = (size_t)abut_model_sensor_values(model);
	double *values = calloc(4 * n, sizeof *values);
	cr_assert_eq(abut_state_create(model, &other, &error), ABUT_OK);
	cr_assert_eq(abut_batch_create(model, 2, 1, &batch, &error), ABUT_OK);
	for (int i = 0; i < 20; i++) {
		joint_scene_step(&tree.scene, "snapshot", 3);
	}
	cr_assert_eq(abut_sensor_get_all(model, tree.scene.state, values), ABUT_OK);
	const size_t size = abut_state_snapshot_size(model, tree.scene.state);
	double *snapshot = calloc(size, sizeof *snapshot);
	cr_assert_eq(abut_state_snapshot(model, tree.scene.state, snapshot), ABUT_OK);
	cr_assert_eq(abut_state_restore(model, other, size, snapshot, &error), ABUT_OK, "%s", error.message);
	abut_sensor_get_all(model, other, values + n);
	cr_expect_arr_eq(values, values + n, n * sizeof *values);
	cr_assert_eq(abut_batch_step(batch, 20), ABUT_OK);
	cr_assert_eq(abut_batch_get_sensors(batch, values + 2 * n), ABUT_OK);
	cr_expect_arr_eq(values, values + 2 * n, n * sizeof *values);
	cr_expect_arr_eq(values, values + 3 * n, n * sizeof *values);
	cr_assert_eq(abut_state_copy(model, tree.scene.state, abut_batch_state(batch, 1)), ABUT_OK);
	abut_batch_get_sensors(batch, values + 2 * n);
	cr_expect_arr_eq(values, values + 3 * n, n * sizeof *values);
	snapshot[size - 1] = 1e31; /* without contacts, the sensors come last */
	cr_expect_eq(abut_state_restore(model, other, size, snapshot, &error), ABUT_ERROR_ARGUMENT);
	cr_expect(strstr(error.message, "a value of sensor 's36' is 1e+31"), "%s", error.message);
	free(snapshot);
	free(values);
	abut_batch_destroy(batch);
	abut_state_destroy(other);
	joint_scene_end(&tree.scene);
}

Test(sensor_random, indices_out_of_range_are_refused)
{
	Tree tree;
	AbutRng rng = abut_rng_stream(1, 0);
	double values[ABUT_SENSOR_CHANNELS];
	AbutSiteState site;
	make_tree(&tree, ABUT_METHOD_SINGLE_LEVEL, &rng);
	const JointScene *scene = &tree.scene;
	cr_expect_eq(abut_sensor_get(scene->model, scene->state, -1, values), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_sensor_get(scene->model, scene->state, LINKS * OF_LINK, values), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_sensor_get(scene->model, scene->state, 0, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_sensor_get_all(scene->model, scene->state, NULL), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_site_get(scene->model, scene->state, LINKS, &site), ABUT_ERROR_ARGUMENT);
	cr_expect_eq(abut_batch_get_sensors(NULL, values), ABUT_ERROR_ARGUMENT);
	joint_scene_end(&tree.scene);
}

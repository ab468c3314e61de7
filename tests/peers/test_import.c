/* Compares models imported by MuJoCo and by abut import: masses, centres of mass, inertias and poses. Skipped if MuJoCo
 * is not installed. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/vec3.h"
#include "io/describe/mjcf_out.h"
#include "io/describe/urdf_out.h"
#include "peers/import_scene.h"

#ifdef ABUT_TEST_MUJOCO
#include <mujoco/mujoco.h>

#define MODELS ABUT_SOURCE_DIR "/tests/io/models/"

/* All of a body, in world axes. */
typedef struct Whole {
	double mass, centre[3], inertia[9]; /* about the centre */
} Whole;

/* Adds by the parallel-axis theorem: J + m (|d|^2 1 - d d'). */
static void add(Whole *whole, double mass, const double centre[3], const double inertia[9])
{
	double d[3];
	for (int i = 0; i < 3; i++) {
		d[i] = centre[i] - whole->centre[i];
	}
	for (int i = 0; i < 9; i++) {
		whole->inertia[i] += inertia[i] + mass * ((i % 4 == 0 ? abut_dot3(d, d) : 0.0) - d[i / 3] * d[i % 3]);
	}
}

/* R J R' */
static void turn(const double R[9], const double J[9], double out[9])
{
	for (int i = 0; i < 9; i++) {
		out[i] = 0.0;
		for (int k = 0; k < 9; k++) {
			out[i] += R[3 * (i / 3) + k / 3] * J[k] * R[3 * (i % 3) + k % 3];
		}
	}
}

/* Returns the body of MuJoCo to which a body is fixed. */
static int owner(const mjModel *model, int body)
{
	while (body > 0 && model->body_jntnum[body] == 0) {
		body = model->body_parentid[body];
	}
	return body;
}

static Whole weigh_theirs(const mjModel *model, const mjData *data, int root)
{
	Whole whole = {0};
	for (int i = 1; i < model->nbody; i++) {
		if (owner(model, i) == root) {
			whole.mass += model->body_mass[i];
			for (int k = 0; k < 3; k++) {
				whole.centre[k] += model->body_mass[i] * data->xipos[3 * i + k];
			}
		}
	}
	for (int k = 0; k < 3; k++) {
		whole.centre[k] /= whole.mass;
	}
	for (int i = 1; i < model->nbody; i++) {
		if (owner(model, i) == root) {
			double J[9] = {0.0}, turned[9];
			for (int k = 0; k < 3; k++) {
				J[4 * k] = model->body_inertia[3 * i + k];
			}
			turn(&data->ximat[9 * i], J, turned);
			add(&whole, model->body_mass[i], &data->xipos[3 * i], turned);
		}
	}
	return whole;
}

static Whole weigh_ours(const AbutBodyDef *body, double mass)
{
	const AbutMassProperties *shape = body->parts_mass ? body->parts_mass : &body->parts[0]->mass;
	const double *centre = body->has_centre_of_mass ? body->centre_of_mass : shape->centre_of_mass;
	const double scale = body->has_inertia ? 1.0 : mass / shape->volume;
	double R[9], J[9];
	Whole whole = {.mass = mass};
	abut_quat_to_mat3(body->orientation, R);
	abut_mat3_vec(R, centre, whole.centre);
	for (int i = 0; i < 3; i++) {
		whole.centre[i] += body->position[i];
	}
	for (int i = 0; i < 9; i++) {
		J[i] = scale * (body->has_inertia ? body->inertia : shape->inertia)[i];
	}
	turn(R, J, whole.inertia);
	return whole;
}

/* Corrects the masses of MuJoCo 2.2.2, which gives a tetrahedron 1.39 times its volume, and the prism of wedge.obj
 * 1.155 times. Inertias per mass and centres are right. Bodies of such a mesh get the masses of their volume. */
static void correct(const char *name, Whole *theirs)
{
	const double mass = strcmp(name, "wedge") == 0  ? 500.0 * 0.5 * 0.2 * 0.2 * 0.2
	                    : strcmp(name, "flat") == 0 ? 500.0 * 0.5 * 0.3 * 0.2 * 0.1
	                                                : theirs->mass;
	for (int i = 0; i < 9; i++) {
		theirs->inertia[i] *= mass / theirs->mass;
	}
	theirs->mass = mass;
}

/* MuJoCo stores vertices of meshes in single precision. */
static void compare(const char *name, const Whole *ours, const Whole *theirs)
{
	const double scale = theirs->inertia[0] + theirs->inertia[4] + theirs->inertia[8];
	cr_expect_float_eq(ours->mass, theirs->mass, 1e-6 * theirs->mass, "%s: mass %.12g, not %.12g", name, ours->mass,
	                   theirs->mass);
	for (int i = 0; i < 3; i++) {
		cr_expect_float_eq(ours->centre[i], theirs->centre[i], 1e-6, "%s: centre %d: %.12g, not %.12g", name, i,
		                   ours->centre[i], theirs->centre[i]);
	}
	for (int i = 0; i < 9; i++) {
		cr_expect_float_eq(ours->inertia[i], theirs->inertia[i], 1e-6 * scale,
		                   "%s: inertia %d: %.12g, not %.12g", name, i, ours->inertia[i], theirs->inertia[i]);
	}
}

/* Compares a hinge or slide with MuJoCo's joint of the same name: axis and anchor in the world, and what acts on it. */
static void compare_joint(const mjModel *theirs, const mjData *data, int id, const AbutSceneDef *def,
                          const AbutJointDef *joint)
{
	const AbutBodyDef *child = &def->bodies[joint->child];
	const AbutJointAxis *axis = &joint->axes[0];
	double R[9], F[9], place[3], z[3], own[3];
	abut_quat_to_mat3(child->orientation, R);
	abut_quat_to_mat3(joint->child_frame.orientation, F);
	own[0] = F[2];
	own[1] = F[5];
	own[2] = F[8];
	abut_mat3_vec(R, own, z);
	abut_mat3_vec(R, joint->child_frame.position, place);
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq(z[k], data->xaxis[3 * id + k], 1e-12, "%s: axis %d: %g, not %g", joint->name, k,
		                   z[k], data->xaxis[3 * id + k]);
		if (joint->type == ABUT_JOINT_HINGE) { /* only the direction of a slide counts */
			cr_expect_float_eq(place[k] + child->position[k], data->xanchor[3 * id + k], 1e-12,
			                   "%s: anchor %d", joint->name, k);
		}
	}
	const int dof = theirs->jnt_dofadr[id], q = theirs->jnt_qposadr[id];
	cr_expect_float_eq(axis->armature, theirs->dof_armature[dof], 1e-15, "%s", joint->name);
	cr_expect_float_eq(axis->damping, theirs->dof_damping[dof], 1e-15, "%s", joint->name);
	cr_expect_float_eq(axis->friction, theirs->dof_frictionloss[dof], 1e-15, "%s", joint->name);
	cr_expect_float_eq(axis->stiffness, theirs->jnt_stiffness[id], 1e-15, "%s", joint->name);
	cr_expect_float_eq(axis->reference, theirs->qpos_spring[q], 1e-12, "%s: at rest at %g", joint->name,
	                   axis->reference);
	cr_expect_eq(axis->has_limits, theirs->jnt_limited[id] != 0, "%s", joint->name);
	if (axis->has_limits) {
		cr_expect_eq(joint->limit_spring.margin, theirs->jnt_margin[id], "%s", joint->name);
	}
	for (int k = 0; axis->has_limits && k < 2; k++) {
		cr_expect_float_eq(k == 0 ? axis->lower : axis->upper, theirs->jnt_range[2 * id + k], 1e-12,
		                   "%s: limit %d", joint->name, k);
	}
}

/* Compares hinges and slides. Returns their number. */
static int compare_joints(const mjModel *theirs, const mjData *data, const AbutSceneDef *def)
{
	int compared = 0;
	for (int i = 0; i < def->n_joints; i++) {
		const int id = mj_name2id(theirs, mjOBJ_JOINT, def->joints[i].name);
		if (id >= 0 && abut_joint_type_freedoms(def->joints[i].type) == 1) {
			compare_joint(theirs, data, id, def, &def->joints[i]);
			compared++;
		}
	}
	return compared;
}

/* Compares the moving bodies by name with MuJoCo's, and their joints. Sets the numbers of both. */
static void compare_model(const char *path, int compared[2])
{
	char error[500] = "";
	mjModel *theirs = mj_loadXML(path, NULL, error, sizeof error);
	cr_assert_not_null(theirs, "%s", error);
	mjData *data = mj_makeData(theirs);
	mj_forward(theirs, data);
	AbutScene *scene = import_scene(path);
	const AbutSceneDef *def = abut_scene_def(scene);
	AbutModel *model = NULL;
	compared[0] = 0;
	compared[1] = compare_joints(theirs, data, def);
	cr_assert_eq(abut_model_create(def, &model, NULL), ABUT_OK);
	const char *end = strrchr(path, '.');
	if (!end || strcmp(end, ".urdf") != 0) { /* URDF has no timestep */
		cr_expect_eq(def->timestep, theirs->opt.timestep, "%s: timestep %g, not %g", path, def->timestep,
		             theirs->opt.timestep);
	}
	if (!(theirs->opt.disableflags & mjDSBL_GRAVITY)) {
		cr_expect_arr_eq(def->gravity, theirs->opt.gravity, sizeof def->gravity);
	}
	for (int i = 0; i < def->n_bodies; i++) {
		const int id = mj_name2id(theirs, mjOBJ_BODY, def->bodies[i].name);
		const bool link = strstr(def->bodies[i].name, "_link"); /* of a chain, which MuJoCo does not need */
		if (!def->bodies[i].is_static && !link && id > 0) {     /* MuJoCo does not name bodies */
			const Whole a = weigh_ours(&def->bodies[i], abut_model_body_mass(model, i));
			Whole b = weigh_theirs(theirs, data, id);
			correct(def->bodies[i].name, &b);
			compare(def->bodies[i].name, &a, &b);
			double q = 0.0;
			for (int k = 0; k < 4; k++) {
				q += def->bodies[i].orientation[k] * data->xquat[4 * id + k];
			}
			cr_expect_float_eq(fabs(q), 1.0, 1e-12, "%s: turned", def->bodies[i].name);
			for (int k = 0; k < 3; k++) {
				cr_expect_float_eq(def->bodies[i].position[k], data->xpos[3 * id + k], 1e-12, "%s",
				                   def->bodies[i].name);
			}
			compared[0]++;
		}
	}
	abut_model_destroy(model);
	abut_scene_destroy(scene);
	mj_deleteData(data);
	mj_deleteModel(theirs);
}

/* Takes one step from rest; returns the accelerations of all joints, three each. The caller frees them. */
static double *accelerate(const AbutSceneDef *scene, double dt)
{
	AbutSceneDef def = *scene;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutStepInfo info = {.row = 0};
	double *out = calloc(3 * (size_t)def.n_joints + 1, sizeof *out);
	def.timestep = dt;
	cr_assert_eq(abut_model_create(&def, &model, NULL), ABUT_OK);
	cr_assert_eq(abut_state_create(model, &state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, NULL), ABUT_OK);
	cr_assert_eq(abut_step(model, state, workspace, &info), ABUT_OK);
	for (int i = 0; i < def.n_joints; i++) {
		AbutJointState joint;
		abut_joint_get(model, state, i, &joint);
		for (int k = 0; k < ABUT_JOINT_FREEDOMS; k++) {
			out[3 * i + k] = joint.velocity[k] / dt;
		}
	}
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	return out;
}

/* Compares the accelerations of all hinges and slides, of single and of joined joints, from rest, without contacts and
 * limits. Dampers act within a step: two short ones are extrapolated to none. */
static int compare_accelerations(const char *path)
{
	const double dt = 1e-5;
	char error[500] = "";
	mjModel *theirs = mj_loadXML(path, NULL, error, sizeof error);
	cr_assert_not_null(theirs, "%s", error);
	mjData *data = mj_makeData(theirs);
	theirs->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
	mj_forward(theirs, data);
	AbutScene *scene = import_scene(path);
	AbutSceneDef def = *abut_scene_def(scene);
	int compared = 0;
	AbutJointDef *joints = calloc((size_t)def.n_joints + 1, sizeof *joints);
	for (int i = 0; i < def.n_joints; i++) {
		joints[i] = def.joints[i];
		joints[i].has_position = false;
		for (int k = 0; k < ABUT_JOINT_FREEDOMS; k++) {
			joints[i].axes[k].has_limits = false;
		}
	}
	def.joints = joints;
	def.all_pairs = false;
	def.n_pairs = 0;
	double *once = accelerate(&def, dt), *twice = accelerate(&def, 2.0 * dt);
	for (int i = 0; i < def.n_joints; i++) {
		char names[128];
		int k = 0;
		snprintf(names, sizeof names, "%s", def.joints[i].name);
		for (const char *name = strtok(names, "+"); name; name = strtok(NULL, "+"), k++) {
			const int id = mj_name2id(theirs, mjOBJ_JOINT, name);
			if (id >= 0 && theirs->jnt_type[id] != mjJNT_BALL) {
				const double wanted = data->qacc[theirs->jnt_dofadr[id]];
				const double ours = 2.0 * once[3 * i + k] - twice[3 * i + k];
				cr_expect_float_eq(ours, wanted, 5e-4 * (1.0 + fabs(wanted)), "%s: %s: %.9g, not %.9g",
				                   path, name, ours, wanted);
				compared++;
			}
		}
	}
	free(once);
	free(twice);
	free(joints);
	abut_scene_destroy(scene);
	mj_deleteData(data);
	mj_deleteModel(theirs);
	return compared;
}

Test(peers_import, robots_accelerate_as_in_mujoco)
{
	cr_expect_eq(compare_accelerations(MODELS "robot.xml"), 8);
}

/* The body of a mesh has its origin where the file has it in a scene, but where the mass is in MuJoCo. Compares its
 * mass. */
Test(peers_import, models_weigh_what_they_weigh_in_mujoco)
{
	static const struct {
		const char *path;
		int bodies, joints;
	} rows[] = {{MODELS "toys.xml", 11, 0}, {MODELS "humanoid.xml", 3, 1}, {MODELS "robot.xml", 6, 3}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int compared[2];
		compare_model(rows[i].path, compared);
		cr_expect_eq(compared[0], rows[i].bodies, "%s: %d bodies", rows[i].path, compared[0]);
		cr_expect_eq(compared[1], rows[i].joints, "%s: %d joints", rows[i].path, compared[1]);
	}
}

/* Returns whether accelerations of a model should agree: it has no soft equalities, no medium, no muscles, no tendons
 * or cranks that are left out or approximated, and no servos with dampers, which act within the short step. */
static bool is_alike(const mjModel *theirs)
{
	bool alike = theirs->neq == 0 && theirs->opt.density == 0.0 && theirs->opt.viscosity == 0.0;
	for (int i = 0; i < theirs->nu; i++) {
		alike = alike && theirs->actuator_gaintype[i] != mjGAIN_MUSCLE &&
		        theirs->actuator_trntype[i] != mjTRN_SLIDERCRANK &&
		        (theirs->actuator_trntype[i] != mjTRN_TENDON || theirs->actuator_biastype[i] == mjBIAS_NONE);
	}
	for (int i = 0; i < theirs->ntendon; i++) {
		alike = alike && theirs->tendon_stiffness[i] == 0.0;
	}
	return alike;
}

/* Compares the robots of other programs that this MuJoCo reads, where they are (docs/imported_models.md). */
Test(peers_import, robots_of_others_weigh_what_they_weigh_in_mujoco)
{
	char line[400], path[500], error[500];
	int models = 0, compared[2], bodies = 0, joints = 0, accelerations = 0;
	FILE *table = fopen(ABUT_SOURCE_DIR "/tests/io/imported_models/models.txt", "r");
	cr_assert_not_null(table);
	while (fgets(line, sizeof line, table)) {
		char *const end = strstr(line, ".xml runs");
		if (!end || strstr(line, "cassie")) { /* cassie starts at a keyframe */
			continue;
		}
		end[4] = '\0';
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/../shared/data/models/%s", line);
		mjModel *theirs = mj_loadXML(path, NULL, error, sizeof error);
		if (theirs) {
			accelerations += is_alike(theirs) ? compare_accelerations(path) : 0;
			mj_deleteModel(theirs);
			compare_model(path, compared);
			models++;
			bodies += compared[0];
			joints += compared[1];
		}
	}
	fclose(table);
	if (models == 0) {
		cr_skip_test("there are no models in ../shared/data");
	}
	cr_expect(models >= 35 && bodies >= 250 && joints >= 250 && accelerations >= 250,
	          "%d models, %d bodies, %d joints, %d accelerations", models, bodies, joints, accelerations);
}

static void keep_note(void *context, const AbutDescribeNote *note)
{
	(void)context;
	cr_log_info("%s", note->text);
}

/* Writes a scene as MJCF or URDF to a new file. */
static void export_scene(const char *scene_path, bool as_urdf, char path[64])
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutError error = {0};
	const AbutDescribeNotes notes = {NULL, keep_note};
	snprintf(path, 64, "/tmp/abut-test-XXXXXX%s", as_urdf ? ".urdf" : ".xml");
	const int number = mkstemps(path, as_urdf ? 5 : 4);
	cr_assert_geq(number, 0);
	FILE *file = fdopen(number, "w");
	if (strstr(scene_path, ".json")) {
		cr_assert_eq(abut_scene_load(scene_path, 0, NULL, &scene, &error), ABUT_OK, "%s", error.message);
	} else {
		scene = import_scene(scene_path);
	}
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(as_urdf ? abut_describe_urdf(file, model, abut_scene_def(scene), NULL, &notes, &error)
	                     : abut_describe_mjcf(file, model, abut_scene_def(scene), &notes, &error),
	             ABUT_OK);
	fclose(file);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}

/* MuJoCo reads what is exported, and accelerates as the scene does. */
Test(peers_import, mujoco_reads_what_is_exported)
{
	static const struct {
		const char *path;
		int bodies, joints, accelerations;
	} rows[] = {{MODELS "robot.xml", 6, 3, 8}, {MODELS "humanoid.xml", 3, 1, 3}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[64];
		int compared[2];
		export_scene(rows[i].path, false, path);
		compare_model(path, compared);
		cr_expect_eq(compared[0], rows[i].bodies, "%s: %d bodies", rows[i].path, compared[0]);
		cr_expect_eq(compared[1], rows[i].joints, "%s: %d joints", rows[i].path, compared[1]);
		const int accelerations = compare_accelerations(path);
		cr_expect_eq(accelerations, rows[i].accelerations, "%s: %d", rows[i].path, accelerations);
		remove(path);
	}
}
/* MuJoCo reads URDF that is exported: masses, inertias and poses of links, axes and limits of joints. */
Test(peers_import, mujoco_reads_urdf_that_is_exported)
{
	static const struct {
		const char *path;
		int bodies, joints;
	} rows[] = {{ABUT_SOURCE_DIR "/experiments/scenes/quadruped.json", 13, 12},
	            {ABUT_SOURCE_DIR "/experiments/scenes/biped.json", 7, 10},
	            {ABUT_SOURCE_DIR "/experiments/scenes/arm.json", 9, 8},
	            {ABUT_SOURCE_DIR "/experiments/scenes/cart_pendulum.json", 2, 2}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[64];
		int compared[2];
		export_scene(rows[i].path, true, path);
		compare_model(path, compared);
		cr_expect_eq(compared[0], rows[i].bodies, "%s: %d bodies", rows[i].path, compared[0]);
		cr_expect_eq(compared[1], rows[i].joints, "%s: %d joints", rows[i].path, compared[1]);
		remove(path);
	}
}

/* A hinge with springs of limits and friction, a pair with values of its own, a planar body and a ball with a servo. */
static const char springs[] =
    "{\"abut\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"mass\": 1}, "
    "{\"name\": \"b\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"mass\": 1, \"position\": [0, 0, 1]}, "
    "{\"name\": \"c\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}, \"mass\": 1, \"position\": [0, 0, 2], "
    "\"planar\": \"xz\"}], \"joints\": [{\"name\": \"h\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": "
    "\"a\", "
    "\"anchor\": [0, 0, 0.5], \"axis\": [0, 1, 0], \"limits\": [-1, 1], \"friction\": 0.1, \"limit_spring\": "
    "{\"solref\": "
    "[0.05, 0.7], \"solimp\": [0.8, 0.99, 0.01, 0.4, 3], \"margin\": 0.1}, \"friction_spring\": {\"solref\": [-100, "
    "-2]}}, {\"name\": \"n\", \"type\": \"ball\", \"parent\": \"a\", \"child\": \"b\", \"parent_frame\": "
    "{\"position\": [0, 0, 0.5], \"orientation\": [0.5, 0.5, 0.5, 0.5]}, "
    "\"child_frame\": {\"position\": [0, 0, -0.5], \"orientation\": [0.5, 0.5, 0.5, 0.5]}, \"motor\": {\"type\": "
    "\"position\", \"stiffness\": 4, \"damping\": 1, \"limit\": 3, \"target\": [0.1, 0.2, 0.3]}}], \"contacts\": "
    "[{\"pair\": [\"a\", \"c\"], "
    "\"friction\": 0.3, \"torsional_radius\": 0.02, \"solref\": [0.01, 1], \"margin\": 0.05}]}";

Test(peers_import, mujoco_reads_springs_pairs_and_motors)
{
	char scene[] = "/tmp/abut-test-XXXXXX.json", path[64], error[500] = "";
	FILE *file = fdopen(mkstemps(scene, 5), "w");
	fputs(springs, file);
	fclose(file);
	export_scene(scene, false, path);
	mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
	cr_assert_not_null(model, "%s", error);
	const int h = mj_name2id(model, mjOBJ_JOINT, "h"), dof = model->jnt_dofadr[h];
	const double expected[][2] = {{model->jnt_solref[mjNREF * h], 0.05},
	                              {model->jnt_solref[mjNREF * h + 1], 0.7},
	                              {model->jnt_solimp[mjNIMP * h + 3], 0.4},
	                              {model->jnt_margin[h], 0.1},
	                              {model->dof_solref[mjNREF * dof], -100.0},
	                              {model->pair_friction[0], 0.3},
	                              {model->pair_friction[2], 0.006},
	                              {model->pair_solref[0], 0.01},
	                              {model->pair_margin[0], 0.05},
	                              {model->pair_dim[0], 4.0}};
	cr_assert_eq(model->npair, 1);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		cr_expect_float_eq(expected[i][0], expected[i][1], 1e-12, "value %zu: %g", i, expected[i][0]);
	}
	cr_expect_eq(model->njnt, 5); /* hinge, ball, and three of the planar body */
	cr_assert_eq(model->nu, 3);
	cr_assert_eq(model->nkey, 1);
	for (int k = 0; k < 3; k++) { /* axes y, z, x of the child: those of the ball's frame */
		for (int i = 0; i < 3; i++) {
			cr_expect_float_eq(model->actuator_gear[6 * k + i], i == (k + 1) % 3 ? 1.0 : 0.0, 1e-12);
		}
		cr_expect_float_eq(model->actuator_biasprm[mjNBIAS * k + 1], -4.0, 1e-12);
		cr_expect_float_eq(model->actuator_forcerange[2 * k + 1], 3.0, 1e-12);
		cr_expect_float_eq(model->key_ctrl[k], 0.1 * (k + 1), 1e-12);
	}
	mj_deleteModel(model);
	remove(path);
	remove(scene);
}
#else
Test(peers_import, models_weigh_what_they_weigh_in_mujoco)
{
	cr_skip_test("MuJoCo is not installed");
}
#endif

/* Runs MuJoCo as an engine of the comparison: Debian's libmujoco-dev, with a model in its XML format. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "experiments/peers/peers.h"
#include "experiments/peers/scenes.h"
#include "io/text/memory_stream.h"

struct AbutPeerWorld {
	mjModel *model;
	mjData *data;
	mjtNum *matrix, *inputs; /* derivative: (2 nv x 2 nv) by the state, (2 nv x nu) by inputs */
};

enum { DEFAULT, ELLIPTIC, HARD, HARD_PYRAMID };

static void destroy(AbutPeerWorld *world)
{
	if (world) {
		free(world->matrix);
		free(world->inputs);
		mj_deleteData(world->data);
		mj_deleteModel(world->model);
		free(world);
	}
}

/* Writes the options. Memory suffices for eight contacts per body with four rows each; for few bodies it is MuJoCo's
 * default. */
static void write_options(FILE *file, const AbutPeerScene *scene, int variant)
{
	const double timestep = scene->timestep;
	const bool elliptic = variant == ELLIPTIC || variant == HARD;
	const double *g = scene->gravity;
	fprintf(file, "<mujoco><option timestep='%.17g' cone='%s' impratio='%d' gravity='%.17g %.17g %.17g'/>",
	        timestep, elliptic ? "elliptic" : "pyramidal", variant == HARD ? 100 : 1, g[0], g[1], g[2]);
	if (scene->n_bodies > 12) {
		fprintf(file, "<size nconmax='%d' njmax='%d'/>", 8 * scene->n_bodies, 32 * scene->n_bodies);
	}
	fprintf(file, "<default><geom friction='%.17g'", scene->friction);
	if (variant == HARD || variant == HARD_PYRAMID) {
		fprintf(file, " solref='%.17g 1' solimp='0.99 0.999 0.001'", 2.0 * timestep);
	}
	fprintf(file, "/></default>");
}

static void write_plane(FILE *file, const AbutPeerPlane *plane)
{
	const double *n = plane->normal, c = plane->offset;
	fprintf(file, "<geom type='plane' size='0 0 1' pos='%.17g %.17g %.17g' zaxis='%.17g %.17g %.17g'/>", c * n[0],
	        c * n[1], c * n[2], n[0], n[1], n[2]);
}

static void write_body(FILE *file, const AbutPeerScene *scene, int i)
{
	const AbutShape *shape = scene->shapes[i];
	const double *p = scene->start[i].position, *q = scene->start[i].orientation, *size = shape->size;
	double inertia[3];
	abut_peer_inertia(scene, i, inertia);
	fprintf(file, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint name='%d'/>", p[0], p[1],
	        p[2], q[0], q[1], q[2], q[3], i);
	fprintf(file, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", scene->mass, inertia[0],
	        inertia[1], inertia[2]);
	if (shape->kind == ABUT_SHAPE_CAPSULE) {
		fprintf(file, "<geom type='capsule' size='%.17g %.17g'/></body>", size[0], 0.5 * size[1]);
	} else if (shape->kind == ABUT_SHAPE_SPHERE) {
		fprintf(file, "<geom type='sphere' size='%.17g'/></body>", size[0]);
	} else {
		fprintf(file, "<geom type='box' size='%.17g %.17g %.17g'/></body>", size[0], size[1], size[2]);
	}
}

/* Writes an actuator for each force and torque component on every body. */
static void write_inputs(FILE *file, const AbutPeerScene *scene)
{
	fprintf(file, "<actuator>");
	for (int i = 0; i < 6 * scene->n_bodies; i++) {
		fprintf(file, "<motor joint='%d' gear='", i / 6);
		for (int k = 0; k < 6; k++) {
			fprintf(file, "%d ", k == i % 6);
		}
		fprintf(file, "'/>");
	}
	fprintf(file, "</actuator>");
}

/* Writes the scene as XML. The caller frees the text; NULL when out of memory. */
static char *write_scene(const AbutPeerScene *scene, int variant)
{
	AbutBytes bytes = {0};
	FILE *file = abut_memory_stream(&bytes);
	if (!file) {
		return NULL;
	}
	write_options(file, scene, variant);
	fprintf(file, "<worldbody>");
	for (int i = 0; i < scene->n_planes; i++) {
		write_plane(file, &scene->planes[i]);
	}
	for (int i = 0; i < scene->n_bodies; i++) {
		write_body(file, scene, i);
	}
	fprintf(file, "</worldbody>");
	if (scene->inputs) {
		write_inputs(file, scene);
	}
	fprintf(file, "</mujoco>");
	return abut_memory_stream_text(file, &bytes);
}

static bool add_file(mjVFS *vfs, const char *name, const char *text)
{
	if (mj_makeEmptyFileVFS(vfs, name, (int)strlen(text)) != 0) {
		return false;
	}
	memcpy(vfs->filedata[mj_findFileVFS(vfs, name)], text, strlen(text));
	return true;
}

/* Makes a model from its XML text; NULL with the reason in `error` if MuJoCo refuses it. `rest` is the text of a file
 * rest.xml that it includes; NULL: none. */
static mjModel *load(const char *text, const char *rest, AbutError *error)
{
	char message[256] = "no room for its text";
	mjModel *model = NULL;
	mjVFS *vfs = malloc(sizeof *vfs); /* too large for the stack */
	if (vfs) {
		mj_defaultVFS(vfs);
		if (add_file(vfs, "scene.xml", text) && (!rest || add_file(vfs, "rest.xml", rest))) {
			model = mj_loadXML("scene.xml", vfs, message, (int)sizeof message);
		}
		mj_deleteVFS(vfs);
		free(vfs);
	}
	if (!model) {
		abut_error_set(error, ABUT_ERROR_PARSE, NULL, "MuJoCo refuses the scene: %s", message);
	}
	return model;
}

/* Ignores a warning. `report` counts warnings; MuJoCo's own handler would print them and write a file. */
static void keep_quiet(const char *message)
{
	(void)message;
}

/* Makes the world of a model, which it owns from then on. */
static AbutStatus create_of(mjModel *model, AbutPeerWorld **out, AbutError *error)
{
	AbutPeerWorld *world = calloc(1, sizeof *world);
	if (!world) {
		mj_deleteModel(model);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a world");
	}
	world->model = model;
	world->data = mj_makeData(world->model);
	const size_t width = 2 * (size_t)world->model->nv;
	world->matrix = calloc(width * width, sizeof *world->matrix);
	world->inputs = calloc(width * (size_t)world->model->nu + 1, sizeof *world->inputs);
	if (!world->data || !world->matrix || !world->inputs) {
		destroy(world);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a world");
	}
	*out = world;
	return ABUT_OK;
}

/* Makes a world from its XML text, see `load`; without memory for the text it is NULL. */
static AbutStatus create_from(const char *text, const char *rest, AbutPeerWorld **out, AbutError *error)
{
	*out = NULL;
	mju_user_warning = keep_quiet;
	if (!text) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a world");
	}
	mjModel *model = load(text, rest, error);
	return model ? create_of(model, out, error) : ABUT_ERROR_PARSE;
}

static AbutStatus create(const AbutPeerScene *scene, int variant, AbutPeerWorld **out, AbutError *error)
{
	char *text = write_scene(scene, variant);
	const AbutStatus status = create_from(text, NULL, out, error);
	free(text);
	for (int i = 0; status == ABUT_OK && i < scene->n_bodies; i++) {
		memcpy((*out)->data->qvel + 6 * i, scene->start[i].velocity, sizeof scene->start[i].velocity);
	}
	return status;
}

/* Sets force and torque on a body. Body 0 is MuJoCo's world. A free joint has seven positions and six velocities. */
static void push(AbutPeerWorld *world, int body, const double force[3], const double torque[3])
{
	mjtNum *applied = world->data->xfrc_applied + 6 * (body + 1);
	memcpy(applied, force, 3 * sizeof *applied);
	mju_rotVecQuat(applied + 3, torque, world->data->qpos + 7 * body + 3);
}

static void step(AbutPeerWorld *world)
{
	mj_step(world->model, world->data);
}

/* Computes MuJoCo's own finite differences, forward ones, which are its faster variant, with its usual increment. */
static void differentiate(AbutPeerWorld *world)
{
	mjd_transitionFD(world->model, world->data, 1e-6, 0, world->matrix, world->inputs, NULL, NULL);
}

/* Reports the last step. MuJoCo's contacts are those of the state at the start of the step. After a warning (no room
 * for a contact, or a reset state), this step and all later steps of the run count as failed. */
static void report(const AbutPeerWorld *world, AbutPeerStep *out)
{
	const mjData *data = world->data;
	out->exact = false;
	out->failed = false;
	out->penetration = 0.0;
	for (int i = 0; i < mjNWARNING; i++) {
		out->failed = out->failed || data->warning[i].number > 0;
	}
	for (int i = 0; i < data->ncon; i++) {
		out->penetration = fmax(out->penetration, -data->contact[i].dist);
	}
}

static void read_body(const AbutPeerWorld *world, int body, AbutPeerPose *out)
{
	const mjtNum *q = world->data->qpos + 7 * body;
	memcpy(out->position, q, sizeof out->position);
	memcpy(out->orientation, q + 3, sizeof out->orientation);
	memcpy(out->velocity, world->data->qvel + 6 * body, sizeof out->velocity);
	memcpy(out->spin, world->data->qvel + 6 * body + 3, sizeof out->spin);
}

/* Sums the wrench on a body. MuJoCo's forces act on the second body of a contact. They are in the contact frame, whose
 * first row is the normal from the first to the second body. Contact points are those of the last step; the centre of
 * mass is the current one. */
static void wrench(const AbutPeerWorld *world, int body, int other, double out[6])
{
	const mjModel *model = world->model;
	const mjData *data = world->data;
	memset(out, 0, 6 * sizeof *out);
	for (int i = 0; i < data->ncon; i++) {
		const mjContact *contact = &data->contact[i];
		const int first = model->geom_bodyid[contact->geom1] - 1,
		          second = model->geom_bodyid[contact->geom2] - 1;
		mjtNum local[6], force[3], arm[3], torque[3];
		if ((first != body || second != other) && (first != other || second != body)) {
			continue;
		}
		mj_contactForce(model, data, i, local);
		mju_rotVecMatT(force, local, contact->frame);
		mju_scl3(force, force, second == body ? 1.0 : -1.0);
		mju_sub3(arm, contact->pos, data->qpos + 7 * body);
		mju_cross(torque, arm, force);
		mju_addTo3(out, force);
		mju_addTo3(out + 3, torque);
	}
}

static const AbutPeerEngine engines[] = {
    {"mujoco", DEFAULT, 0, create, destroy, push, step, report, read_body, differentiate, false, wrench},
    {"mujoco-elliptic", ELLIPTIC, 0, create, destroy, push, step, report, read_body, NULL, false, wrench},
    {"mujoco-hard", HARD, 0, create, destroy, push, step, report, read_body, NULL, false, wrench},
    {"mujoco-hard-pyramid", HARD_PYRAMID, 0, create, destroy, push, step, report, read_body, NULL, false, wrench},
};
const AbutPeerFamily abut_peer_mujoco = {sizeof engines / sizeof *engines, engines};

/* --- robots --- */

static void place(AbutPeerWorld *world, int n, const double *coordinates)
{
	memcpy(world->data->qpos + world->model->nq - n, coordinates, (size_t)n * sizeof(double));
}

static void control(AbutPeerWorld *world, const double *controls)
{
	memcpy(world->data->ctrl, controls, (size_t)world->model->nu * sizeof(double));
}

static void read_hinges(const AbutPeerWorld *world, int n, double *coordinates)
{
	memcpy(coordinates, world->data->qpos + world->model->nq - n, (size_t)n * sizeof(double));
}

/* Returns how far a coordinate is beyond the limits of joint `i`; 0 for joints without limits. */
static double overshoot(const mjModel *model, const mjData *data, int i)
{
	const double q = data->qpos[model->jnt_qposadr[i]], *range = model->jnt_range + 2 * i;
	const bool scalar = model->jnt_type[i] == mjJNT_HINGE || model->jnt_type[i] == mjJNT_SLIDE;
	return scalar && model->jnt_limited[i] ? fmax(fmax(range[0] - q, q - range[1]), 0.0) : 0.0;
}

/* Moves coordinates that start beyond their limits to these. */
static void clip_start(const mjModel *model, mjData *data)
{
	for (int i = 0; i < model->njnt; i++) {
		double *q = data->qpos + model->jnt_qposadr[i];
		if (overshoot(model, data, i) > 0.0) {
			*q = fmin(fmax(*q, model->jnt_range[2 * i]), model->jnt_range[2 * i + 1]);
		}
	}
}

/* Gives constraints a constant impedance and a time constant of two timesteps. */
static void harden(int n, double timestep, double impedance, mjtNum *solref, mjtNum *solimp)
{
	for (int i = 0; i < n; i++) {
		memcpy(solref + i * mjNREF, (const mjtNum[mjNREF]){2.0 * timestep, 1.0}, mjNREF * sizeof *solref);
		memcpy(solimp + i * mjNIMP, (const mjtNum[mjNIMP]){impedance, impedance, 1e-3, 0.5, 2.0},
		       mjNIMP * sizeof *solimp);
	}
}

static AbutStatus load_file(const char *path, int keyframe, double timestep, double impedance, AbutPeerWorld **out,
                            AbutError *error)
{
	char message[256];
	*out = NULL;
	mju_user_warning = keep_quiet;
	mjModel *model = mj_loadXML(path, NULL, message, (int)sizeof message);
	if (!model) {
		return abut_error_set(error, ABUT_ERROR_PARSE, NULL, "MuJoCo refuses the model %s: %s", path, message);
	}
	model->opt.timestep = timestep;
	model->opt.integrator = mjINT_EULER;
	if (impedance > 0.0) {
		harden(model->ngeom, timestep, impedance, model->geom_solref, model->geom_solimp);
		harden(model->njnt, timestep, impedance, model->jnt_solref, model->jnt_solimp);
		harden(model->npair, timestep, impedance, model->pair_solref, model->pair_solimp);
	}
	ABUT_TRY(create_of(model, out, error));
	if (keyframe >= 0 && keyframe < model->nkey) {
		mj_resetDataKeyframe(model, (*out)->data, keyframe);
	}
	clip_start(model, (*out)->data);
	mj_forward(model, (*out)->data);
	return ABUT_OK;
}

/* Returns the number of entry `i` of a list of joints' names, or of freedom `i` of a joint that is written as NAME_0,
 * NAME_1; -1: no such joint. */
static int find_joint(const mjModel *model, const char *names, int i)
{
	char name[128];
	for (; i > 0 && strchr(names, '+'); i--) {
		names = strchr(names, '+') + 1;
	}
	snprintf(name, sizeof name, "%.*s", (int)strcspn(names, "+"), names);
	const int found = mj_name2id(model, mjOBJ_JOINT, name);
	if (found >= 0) {
		return found;
	}
	snprintf(name, sizeof name, "%.100s_%d", names, i);
	return mj_name2id(model, mjOBJ_JOINT, name);
}

static void drive(AbutPeerWorld *world, const char *joint, int i, double target)
{
	const mjModel *model = world->model;
	const int wanted = find_joint(model, joint, i);
	for (int k = 0; k < model->nu; k++) {
		if (model->actuator_trntype[k] == mjTRN_JOINT && model->actuator_trnid[2 * k] == wanted) {
			const bool servo = model->actuator_biastype[k] != mjBIAS_NONE;
			world->data->ctrl[k] = target / (servo ? 1.0 : model->actuator_gear[6 * k]);
		}
	}
}

static void observe(const AbutPeerWorld *world, const char *body, AbutPeerRobotState *out)
{
	const mjModel *model = world->model;
	const int id = mj_name2id(model, mjOBJ_BODY, body);
	*out = (AbutPeerRobotState){.height = id >= 0 ? world->data->xpos[3 * id + 2] : (double)NAN};
	for (int i = 0; i < model->njnt; i++) {
		out->limit_violation = fmax(out->limit_violation, overshoot(model, world->data, i));
	}
	for (int i = 0; i < model->nv; i++) {
		out->speed = fmax(out->speed, fabs(world->data->qvel[i]));
	}
}

const AbutPeerRobots abut_peer_robots = {create_from, place, control, read_hinges, load_file, drive, observe};

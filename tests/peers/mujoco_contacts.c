/* Samples MuJoCo's contacts, from models in its XML. */
#include "peers/mujoco_contacts.h"

#ifndef ABUT_TEST_MUJOCO
bool abut_mujoco_sample(uint64_t seed, AbutMujocoSample *out)
{
	(void)seed;
	(void)out;
	return false;
}
#else
#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

static double between(AbutRng *rng, double low, double high)
{
	return abut_rng_uniform(rng, low, high);
}

static void write_parameters(FILE *file, AbutRng *rng)
{
	static const int rows[] = {1, 3, 4, 6};
	const double d0 = between(rng, 0.3, 0.95);
	fprintf(file, " condim='%d' friction='%.17g %.17g %.17g'", rows[abut_rng_next(rng) % 4], between(rng, 0.1, 1.5),
	        between(rng, 0.005, 0.05), between(rng, 0.005, 0.05));
	fprintf(file, " solimp='%.17g %.17g %.17g %.17g %.17g'", d0, between(rng, d0, 0.97), between(rng, 0.0, 0.05),
	        between(rng, 0.2, 0.8), between(rng, 1.0, 3.0));
	if (abut_rng_next(rng) % 3 == 0) {
		fprintf(file, " solref='%.17g %.17g'", -between(rng, 100.0, 2000.0), -between(rng, 10.0, 100.0));
	} else {
		fprintf(file, " solref='%.17g %.17g'", between(rng, 0.005, 0.1), between(rng, 0.3, 2.0));
	}
	fprintf(file, " margin='%.17g'/>", abut_rng_next(rng) % 3 == 0 ? 0.02 : 0.0);
}

static void write_body(FILE *file, AbutRng *rng, int index)
{
	static const char *const kinds[] = {"box", "sphere", "capsule"};
	double q[4];
	abut_rng_rotation(rng, q);
	fprintf(file, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><freejoint/>",
	        between(rng, -0.05, 0.05), between(rng, -0.05, 0.05), 0.1 + 0.2 * index + between(rng, 0.0, 0.05), q[0],
	        q[1], q[2], q[3]);
	const double moment = between(rng, 0.005, 0.05);
	fprintf(file, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", between(rng, 0.3, 3.0),
	        moment, moment * between(rng, 0.8, 1.2), moment * between(rng, 0.8, 1.2));
	fprintf(file, "<geom type='%s' size='%.17g %.17g %.17g'", kinds[abut_rng_next(rng) % 3],
	        between(rng, 0.08, 0.12), between(rng, 0.05, 0.12), between(rng, 0.05, 0.12));
	write_parameters(file, rng);
	fprintf(file, "</body>");
}

static char *write_model(AbutRng *rng, int n_bodies, size_t *size)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, size);
	if (!file) {
		return NULL;
	}
	const bool pyramid = abut_rng_next(rng) % 2 == 0;
	fprintf(file,
	        "<mujoco><option timestep='%.17g' cone='%s' impratio='%.17g' tolerance='0' iterations='2000'/>"
	        "<worldbody><geom type='plane' size='0 0 1'",
	        between(rng, 0.001, 0.01), pyramid ? "pyramidal" : "elliptic", between(rng, 0.5, 5.0));
	write_parameters(file, rng);
	for (int i = 0; i < n_bodies; i++) {
		write_body(file, rng, i);
	}
	fprintf(file, "</worldbody></mujoco>");
	if (fclose(file) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static mjModel *load(const char *text, size_t size)
{
	char message[256];
	mjModel *model = NULL;
	mjVFS *vfs = malloc(sizeof *vfs); /* too large for the stack */
	if (vfs) {
		mj_defaultVFS(vfs);
		if (mj_makeEmptyFileVFS(vfs, "scene.xml", (int)size) == 0) {
			memcpy(vfs->filedata[mj_findFileVFS(vfs, "scene.xml")], text, size);
			model = mj_loadXML("scene.xml", vfs, message, (int)sizeof message);
		}
		mj_deleteVFS(vfs);
		free(vfs);
	}
	return model;
}

static void move(AbutRng *rng, mjModel *model, mjData *data)
{
	for (int i = 0; i < model->nv; i++) {
		data->qvel[i] = 0.5 * abut_rng_normal(rng);
	}
	for (int i = 6; i < 6 * model->nbody; i++) {
		data->xfrc_applied[i] = (i % 6 < 3 ? 5.0 : 0.2) * abut_rng_normal(rng);
	}
}

static void read_body(const mjModel *model, const mjData *data, int index, AbutMujocoBody *out)
{
	const int body = index + 1, first = 6 * index;
	out->mass = model->body_mass[body];
	memcpy(out->inertia, &model->body_inertia[3 * body], sizeof out->inertia);
	memcpy(out->position, &data->xipos[3 * body], sizeof out->position);
	memcpy(out->R, &data->xmat[9 * body], sizeof out->R);
	memcpy(out->velocity, &data->qvel[first], sizeof out->velocity);
	memcpy(out->free, &data->qacc_smooth[first], sizeof out->free);
	memcpy(out->acceleration, &data->qacc[first], sizeof out->acceleration);
}

static void read_contact(const mjModel *model, const mjContact *contact, AbutMujocoContact *out)
{
	out->body[0] = model->geom_bodyid[contact->geom1] - 1;
	out->body[1] = model->geom_bodyid[contact->geom2] - 1;
	out->rows = contact->dim;
	out->distance = contact->dist - contact->includemargin;
	memcpy(out->point, contact->pos, sizeof out->point);
	memcpy(out->frame, contact->frame, sizeof out->frame);
	memcpy(out->friction, contact->friction, sizeof out->friction);
	memcpy(out->solref, contact->solref, sizeof out->solref);
	memcpy(out->solimp, contact->solimp, sizeof out->solimp);
}

static bool read_sample(const mjModel *model, const mjData *data, AbutMujocoSample *out)
{
	out->timestep = model->opt.timestep;
	out->impratio = model->opt.impratio;
	out->pyramid = model->opt.cone == mjCONE_PYRAMIDAL;
	out->n_bodies = model->nbody - 1;
	out->n_contacts = data->ncon;
	for (int i = 0; i < mjNWARNING; i++) {
		if (data->warning[i].number > 0) {
			return false;
		}
	}
	if (data->ncon > ABUT_MUJOCO_CONTACTS) {
		return false;
	}
	for (int i = 0; i < out->n_bodies; i++) {
		read_body(model, data, i, &out->bodies[i]);
	}
	for (int i = 0; i < out->n_contacts; i++) {
		read_contact(model, &data->contact[i], &out->contacts[i]);
	}
	return true;
}

bool abut_mujoco_sample(uint64_t seed, AbutMujocoSample *out)
{
	AbutRng rng = abut_rng_stream(seed, 0);
	const int n_bodies = 1 + (int)(abut_rng_next(&rng) % ABUT_MUJOCO_BODIES);
	size_t size = 0;
	char *text = write_model(&rng, n_bodies, &size);
	mjModel *model = text ? load(text, size) : NULL;
	mjData *data = model ? mj_makeData(model) : NULL;
	bool read = false;
	free(text);
	if (data) {
		move(&rng, model, data);
		mj_forward(model, data);
		read = read_sample(model, data, out);
	}
	mj_deleteData(data);
	mj_deleteModel(model);
	return read;
}
#endif

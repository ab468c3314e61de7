/* Checks and weighs the links of a mechanism. What a joint may yield in an iteration, 1e-8 of the smaller mass
 * (dynamics/joint/law.h), must be less than the motion of the body that the link carries. */
#include "dynamics/model/light_links.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/scale.h"

static const double least = 1e-8;

/* The two heaviest bodies to which the joints of a body lead; a static one is infinitely heavy. */
typedef struct Neighbours {
	double mass[2]; /* kg; 0: none */
	int body[2];    /* the world is AbutModel.n_bodies */
} Neighbours;

static void add_neighbour(const AbutModel *model, int body, Neighbours *out)
{
	const bool fixed = body == model->n_bodies || model->bodies[body].moving < 0;
	const double mass = fixed ? (double)INFINITY : model->bodies[body].mass_si;
	if (mass > out->mass[0]) {
		if (out->body[0] != body) {
			out->mass[1] = out->mass[0];
			out->body[1] = out->body[0];
		}
		out->mass[0] = mass;
		out->body[0] = body;
	} else if (mass > out->mass[1] && out->body[0] != body) {
		out->mass[1] = mass;
		out->body[1] = body;
	}
}

AbutStatus abut_light_links_check(const AbutModel *model, AbutError *error)
{
	Neighbours *all = calloc((size_t)model->n_bodies + 1, sizeof *all);
	AbutStatus status = ABUT_OK;
	if (!all) {
		return abut_model_no_memory(error);
	}
	for (int i = 0; i < model->joints.n; i++) {
		const int *body = model->joints.at[i].body;
		add_neighbour(model, body[0], &all[body[1]]);
		add_neighbour(model, body[1], &all[body[0]]);
	}
	for (int i = 0; status == ABUT_OK && i < model->n_bodies; i++) {
		const AbutBody *body = &model->bodies[i];
		if (body->moving >= 0 && body->mass_si < least * all[i].mass[1] && isfinite(all[i].mass[1])) {
			char where[64];
			snprintf(where, sizeof where, "bodies[%d].mass", i);
			status = abut_error_set(
			    error, ABUT_ERROR_ARGUMENT, where,
			    "'%s' has %g kg and carries '%s' of %g kg between its joints; a link must have "
			    "at least 1e-8 of the mass that it carries",
			    body->name, body->mass_si, model->bodies[all[i].body[1]].name, all[i].mass[1]);
		}
	}
	free(all);
	return status;
}

/* The weight of a body, in model units: mass and a third of the trace of the inertia, with armatures. */
typedef double Weight[2];

static bool raise(Weight from, Weight to)
{
	const bool more = from[0] > to[0] || from[1] > to[1];
	to[0] = fmax(to[0], from[0]);
	to[1] = fmax(to[1], from[1]);
	return more;
}

/* Gives the bodies of a joint what they weigh alone, and the armatures of the joint. */
static void add_own(const AbutModel *model, const AbutJoint *joint, Weight *all)
{
	for (int s = 0; s < 2; s++) {
		const int i = joint->body[s];
		if (i == model->n_bodies || model->bodies[i].moving < 0) {
			continue;
		}
		const double *J = model->bodies[i].inertia;
		Weight own = {model->bodies[i].mass, (J[0] + J[4] + J[8]) / 3.0};
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			own[abut_joint_turns(joint->kind, k) ? 1 : 0] += joint->law[k].armature;
		}
		raise(own, all[i]);
	}
}

/* Lets a light end of a joint weigh what the other end does. Returns whether something changed. */
static bool spread(const AbutModel *model, const AbutJoint *joint, Weight *all)
{
	static const double light = 1e-4;
	bool changed = false;
	for (int s = 0; s < 2; s++) {
		const int own = joint->body[s], other = joint->body[1 - s];
		const bool both = own < model->n_bodies && other < model->n_bodies && model->bodies[own].moving >= 0;
		if (both && model->bodies[own].mass < light * all[other][0]) {
			changed = raise(all[other], all[own]) || changed;
		}
	}
	return changed;
}

AbutStatus abut_light_links_weigh(AbutModel *model, AbutError *error)
{
	Weight *all = calloc((size_t)model->n_bodies + 1, sizeof *all);
	if (!all) {
		return abut_model_no_memory(error);
	}
	for (int i = 0; i < model->joints.n; i++) {
		add_own(model, &model->joints.at[i], all);
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < model->joints.n; i++) {
			changed = spread(model, &model->joints.at[i], all) || changed;
		}
	}
	for (int i = 0; i < model->joints.n; i++) {
		AbutJoint *joint = &model->joints.at[i];
		memcpy(joint->carried, all[joint->body[0]], sizeof joint->carried);
		raise(all[joint->body[1]], joint->carried);
	}
	free(all);
	return ABUT_OK;
}

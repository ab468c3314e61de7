/* Checks the masses of the links of a mechanism. What a joint may yield in an iteration, 1e-8 of the smaller mass
 * (dynamics/joint/law.h), must be less than the motion of the body that the link carries. */
#include "dynamics/model/light_links.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

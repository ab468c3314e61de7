/* Finds what is legal in a scene but probably not meant: bodies that overlap at the start, lengths in millimetres, open
 * joints, static bodies that nothing may touch, and what review_joints.h finds.
 * Tested in tests/io/review.c. */
#include <math.h>
#include <stdio.h>

#include "abut/io.h"
#include "base/stop.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/model/pair_query.h"
#include "io/scene/review_joints.h"

enum {
	MOST_QUERIES = 4000, /* bounds the time in scenes where many parts are near each other */
	MOST_OVERLAPS = 4    /* the deepest ones are reported */
};

/* Overlaps below this share of the smaller body's radius are not reported. */
static const double least_share = 1e-3;
/* A scene whose moving bodies are all larger than this (m) is probably in millimetres; so is a body with a density
 * (kg/m^3) below the lightest solids, which have about 0.2. */
static const double large = 20.0, light = 0.01;

typedef struct Overlap {
	int body[2];
	double depth; /* m */
} Overlap;

typedef struct Overlaps {
	const AbutModel *model;
	AbutStopper stop;
	int n, queries;
	bool more;                          /* there are others, of less depth */
	Overlap deepest[MOST_OVERLAPS + 1]; /* (n) by depth; the last place is for sorting */
} Overlaps;

/* Returns the radius (m) of a body; infinite for a body with a halfspace. */
static double radius_of(const AbutModel *model, int body)
{
	const AbutBody *b = &model->bodies[body];
	double radius = 0.0;
	for (int i = 0; i < b->n_parts; i++) {
		const AbutShape *shape = model->parts[b->first_part + i].shape;
		radius = abut_max(radius, shape->kind == ABUT_SHAPE_HALFSPACE ? (double)INFINITY : shape->outer_radius);
	}
	return radius;
}

/* Removes the entry of the two bodies, which are in any part of the list; returns its depth, or 0. */
static double take_out(Overlaps *overlaps, const int body[2])
{
	for (int i = 0; i < overlaps->n; i++) {
		Overlap *const old = &overlaps->deepest[i];
		if (old->body[0] == body[0] && old->body[1] == body[1]) {
			const double depth = old->depth;
			for (overlaps->n--; i < overlaps->n; i++) {
				overlaps->deepest[i] = overlaps->deepest[i + 1];
			}
			return depth;
		}
	}
	return 0.0;
}

/* Adds the pair to the deepest overlaps if it overlaps; two bodies have one entry. */
static bool add_overlap(void *context, const AbutPairQuery *query)
{
	Overlaps *overlaps = context;
	const double smaller =
	    abut_min(radius_of(overlaps->model, query->body[0]), radius_of(overlaps->model, query->body[1]));
	if (query->result.outcome != ABUT_OUTCOME_FAILED && query->result.gap < -least_share * smaller) {
		const double depth = abut_max(-query->result.gap, take_out(overlaps, query->body));
		int place = overlaps->n++;
		for (; place > 0 && overlaps->deepest[place - 1].depth < depth; place--) {
			overlaps->deepest[place] = overlaps->deepest[place - 1];
		}
		overlaps->deepest[place] = (Overlap){{query->body[0], query->body[1]}, depth};
		overlaps->more = overlaps->more || overlaps->n > MOST_OVERLAPS;
		overlaps->n = overlaps->n > MOST_OVERLAPS ? MOST_OVERLAPS : overlaps->n;
	}
	return ++overlaps->queries < MOST_QUERIES && !abut_stopped(&overlaps->stop);
}

/* Warns about overlaps at the position of the later of the two bodies that move. */
static int write_overlaps(const Overlaps *overlaps, AbutError *out)
{
	const AbutModel *model = overlaps->model;
	for (int i = 0; i < overlaps->n; i++) {
		const int *body = overlaps->deepest[i].body;
		const bool last = i == overlaps->n - 1 && overlaps->more;
		const int at =
		    model->bodies[body[1]].is_static || (!model->bodies[body[0]].is_static && body[0] > body[1])
		        ? body[0]
		        : body[1];
		out[i] = (AbutError){.status = ABUT_OK};
		snprintf(out[i].where, sizeof out[i].where, "bodies[%d].position", at);
		snprintf(out[i].message, sizeof out[i].message,
		         "%.128s and %.128s overlap by %.3g m at the start; steps push them apart at a bounded speed: "
		         "move one of them, or list the pair in \"exclude\"%s",
		         model->bodies[body[0]].name, model->bodies[body[1]].name, overlaps->deepest[i].depth,
		         last ? " (more pairs overlap: `abut collide SCENE --near 0` lists them)" : "");
	}
	return overlaps->n;
}

/* Returns the density (kg/m^3) of a body; infinite if its shapes have no volume. */
static double density_of(const AbutModel *model, const AbutBody *body)
{
	double volume = 0.0;
	for (int i = 0; i < body->n_parts; i++) {
		volume += model->parts[body->first_part + i].shape->mass.volume;
	}
	return volume > 0.0 ? body->mass_si / volume : (double)INFINITY;
}

/* Warns about the size of the smallest moving body or the density of the lightest one, if it is implausible. Returns
 * the number of warnings. */
static int write_size(const AbutModel *model, AbutError *out)
{
	int smallest = -1, lightest = -1;
	for (int i = 0; i < model->n_moving; i++) {
		const int body = model->moving_body[i];
		if (smallest < 0 || radius_of(model, body) < radius_of(model, smallest)) {
			smallest = body;
		}
		if (lightest < 0 ||
		    density_of(model, &model->bodies[body]) < density_of(model, &model->bodies[lightest])) {
			lightest = body;
		}
	}
	static const char cure[] =
	    "lengths are in metres: if those of the scene are in millimetres, multiply them by 0.001";
	*out = (AbutError){.status = ABUT_OK};
	if (smallest >= 0 && 2.0 * radius_of(model, smallest) > large) {
		snprintf(out->where, sizeof out->where, "bodies[%d].shape", smallest);
		snprintf(out->message, sizeof out->message, "%.128s, the smallest moving body, is %.3g m across; %s",
		         model->bodies[smallest].name, 2.0 * radius_of(model, smallest), cure);
		return 1;
	}
	if (lightest >= 0 && density_of(model, &model->bodies[lightest]) < light) {
		snprintf(out->where, sizeof out->where, "bodies[%d].shape", lightest);
		snprintf(out->message, sizeof out->message, "%.128s has %.2g kg in each cubic metre (air has 1.2); %s",
		         model->bodies[lightest].name, density_of(model, &model->bodies[lightest]), cure);
		return 1;
	}
	return 0;
}

/* Reports that a given coordinate was changed to close the joints. */
static void write_yielded(const AbutModel *model, AbutError *out)
{
	const AbutYielded *yielded = &model->joints.yielded;
	const char *name = abut_model_joint_name(model, yielded->joint);
	char axis[32] = "", others[32] = "";
	if (abut_joint_type_freedoms(abut_model_joint_type(model, yielded->joint)) > 1) {
		snprintf(axis, sizeof axis, "[%d]", yielded->axis);
	}
	snprintf(out->where, sizeof out->where, "initial.joints.%.100s%s", name, axis);
	if (yielded->n > 1) {
		snprintf(others, sizeof others, ", and %d more", yielded->n - 1);
	}
	snprintf(
	    out->message, sizeof out->message,
	    "the joints were not closed at the given coordinates: '%.100s' starts at %.6g %s, not at %.6g%s; bodies "
	    "were moved by up to %.3g m and %.3g rad",
	    name, yielded->to, yielded->turns ? "rad" : "m", yielded->from, others, model->joints.moved,
	    model->joints.turned);
}

/* Reports that the joints were open at the initial poses; returns the number of warnings. */
static int write_assembly(const AbutModel *model, AbutError *out)
{
	static const double least = 1e-9; /* m, rad; smaller changes are rounding of the file's numbers */
	const AbutJointList *joints = &model->joints;
	*out = (AbutError){.status = ABUT_OK};
	if (joints->yielded.joint >= 0) {
		write_yielded(model, out);
		return 1;
	}
	if (!(joints->moved > least || joints->turned > least)) {
		return 0;
	}
	snprintf(out->where, sizeof out->where, "bodies[%d].position", joints->moved_body);
	snprintf(
	    out->message, sizeof out->message,
	    "the joints are open at the initial poses; bodies were moved by up to %.3g m and %.3g rad to close them, "
	    "such as %.128s",
	    joints->moved, joints->turned, model->bodies[joints->moved_body].name);
	return 1;
}

/* Warns about the first static body that a list of the only pairs leaves out. Returns the number of warnings. */
static int write_unlisted(const AbutSceneDef *def, AbutError *out)
{
	for (int i = 0; i < def->n_bodies && !def->all_pairs && def->n_pairs > 0; i++) {
		bool listed = !def->bodies[i].is_static || def->bodies[i].n_parts == 0;
		for (int k = 0; k < def->n_pairs && !listed; k++) {
			listed = def->pairs[k].body_a == i || def->pairs[k].body_b == i;
		}
		if (!listed) {
			*out = (AbutError){.status = ABUT_OK};
			snprintf(out->where, sizeof out->where, "contacts");
			snprintf(
			    out->message, sizeof out->message,
			    "%.128s is in no pair of the list, so that bodies fall through it: add its pairs, or end "
			    "the list with \"all\"",
			    def->bodies[i].name);
			return 1;
		}
	}
	return 0;
}

AbutStatus abut_scene_review(const AbutSceneDef *def, const AbutModel *model, int *count, AbutError *out)
{
	if (!def || !model || !count || !out || model->n_bodies != def->n_bodies) {
		return ABUT_ERROR_ARGUMENT;
	}
	Overlaps overlaps = {.model = model};
	abut_stopper_set(&overlaps.stop, def->stop);
	abut_stopper_begin(&overlaps.stop);
	const AbutPairCall call = {0.0, 0.0, true, add_overlap, &overlaps};
	const AbutStatus status = abut_pair_queries(model, &call, NULL);
	*count = 0;
	if (status != ABUT_OK) {
		return status;
	}
	if (abut_stop_told(&overlaps.stop)) {
		return ABUT_ERROR_STOPPED;
	}
	*count = write_overlaps(&overlaps, out);
	*count += write_size(model, &out[*count]);
	*count += write_assembly(model, &out[*count]);
	*count += write_unlisted(def, &out[*count]);
	const AbutStatus of_joints = abut_review_joints(model, count, &out[*count]);
	*count = of_joints == ABUT_OK ? *count : 0;
	return of_joints;
}

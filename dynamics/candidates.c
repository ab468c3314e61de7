/* Which pairs of parts a step solves for: those whose bounding spheres, swept by the motion so far, come close. */
#include <string.h>

#include "base/vec3.h"
#include "collision/broad_phase.h"
#include "dynamics/step_parts.h"

/* The pair of two parts among the pairs that may touch, -1 when they may not. */
static int find_pair(const AbutModel *model, int part, int other)
{
	int low = model->first_partner[part], high = model->first_partner[part + 1];
	while (low < high) {
		const int middle = (low + high) / 2;
		const AbutPartner *partner = &model->partners[middle];
		if (partner->part == other) {
			return partner->pair;
		}
		if (partner->part < other) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return -1;
}

static void add_active(AbutWorkspace *w, int pair)
{
	if (!w->is_active[pair]) {
		w->is_active[pair] = true;
		w->active[w->n_active++] = pair;
	}
}

typedef struct Meeting {
	const AbutModel *model;
	AbutWorkspace *w;
} Meeting;

static void meet(void *context, int first, int second)
{
	const Meeting *meeting = context;
	const int pair = find_pair(meeting->model, first, second);
	if (pair >= 0) {
		add_active(meeting->w, pair);
	}
}

/* Gap between a part's sphere and a halfspace: H = h + W p of its one row, at the sphere's centre. */
static double plane_gap(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair)
{
	const AbutBodyWork *plane = &w->bodies[pair->body[1]];
	const AbutConicRows *rows = &model->parts[pair->part[1]].rows;
	const AbutSphere *sphere = &w->spheres[pair->part[0]];
	double p[3];
	for (int i = 0; i < 3; i++) {
		p[i] = sphere->centre[i] - plane->x[i];
	}
	abut_mat3_tvec(plane->R, p, p);
	return -(rows->h[0] + abut_dot3(rows->W, p)) - sphere->radius;
}

static void sift_down(int *list, int root, int n)
{
	for (int child = 2 * root + 1; child < n; child = 2 * root + 1) {
		child += child + 1 < n && list[child + 1] > list[child];
		if (list[root] >= list[child]) {
			return;
		}
		const int swap = list[root];
		list[root] = list[child];
		list[child] = swap;
		root = child;
	}
}

/* Heap sort: in place, and never slow. */
static void sort_pairs(int *list, int n)
{
	for (int root = n / 2 - 1; root >= 0; root--) {
		sift_down(list, root, n);
	}
	for (int end = n - 1; end > 0; end--) {
		const int top = list[0];
		list[0] = list[end];
		list[end] = top;
		sift_down(list, 0, end);
	}
}

/* Adds the pairs whose spheres meet, and puts all in the order of the model: the sums of a step do not depend on how a
 * pair was found. Returns how many were added. */
static int add_meeting(const AbutModel *model, AbutWorkspace *w)
{
	Meeting meeting = {model, w};
	const int before = w->n_active;
	abut_broad_phase(model->n_parts, w->spheres, w->sweep_order, meet, &meeting);
	for (int i = 0; i < model->n_plane_pairs; i++) {
		const int pair = model->plane_pairs[i];
		if (!w->is_active[pair] && plane_gap(model, w, &model->pairs[pair]) < 0.0) {
			add_active(w, pair);
		}
	}
	const int added = w->n_active - before;
	if (added > 0) {
		sort_pairs(w->active, w->n_active);
	}
	return added;
}

/* The bounding sphere of every part at its body's present pose, grown by `margin` of its radius and by twice its way in
 * `timestep` without contact. A halfspace meets nobody in the sweep: its pairs are compared one by one. */
static void place_spheres(const AbutModel *model, AbutWorkspace *w, double margin, double timestep)
{
	for (int i = 0; i < model->n_bodies; i++) {
		const AbutBodyWork *body = &w->bodies[i];
		const bool moves = body->moving >= 0;
		const double speed =
		    moves ? abut_max(abut_norm3(body->v0), abut_norm3(body->momentum) / body->mass) : 0.0;
		const double spin = moves ? abut_norm3(body->w0) : 0.0;
		for (int j = 0; j < model->bodies[i].n_parts; j++) {
			const int part = model->bodies[i].first_part + j;
			const AbutConicRows *rows = &model->parts[part].rows;
			AbutSphere *sphere = &w->spheres[part];
			const double way = timestep * (speed + spin * abut_norm3(rows->centre));
			abut_mat3_vec(body->R, rows->centre, sphere->centre);
			for (int k = 0; k < 3; k++) {
				sphere->centre[k] += body->x[k];
			}
			sphere->radius =
			    rows->bounded ? (1.0 + margin) * rows->outer_radius + 2.0 * way : (double)-INFINITY;
		}
	}
}

void abut_step_candidates(const AbutModel *model, double timestep, AbutWorkspace *w)
{
	static const double margin = 0.1;
	for (int i = 0; i < w->n_active; i++) {
		w->is_active[w->active[i]] = false;
	}
	w->n_active = 0;
	place_spheres(model, w, margin, timestep);
	add_meeting(model, w);
}

int abut_step_missed(const AbutModel *model, AbutWorkspace *w)
{
	place_spheres(model, w, 0.0, 0.0);
	return add_meeting(model, w);
}

/* By its present spin, and by the momentum that the step is to carry: c |psi| has its maximum, 1/2, at sqrt(1/2). */
static bool turns_too_far(const AbutBodyWork *body, double timestep)
{
	static const double easy_momentum = 0.45; /* 0.94 of that at the easy half turn */
	double spin[3];
	abut_sym3_solve(body->inertia, &body->momentum[3], spin);
	return 0.5 * timestep * abut_norm3(body->w0) > ABUT_EASY_HALF_TURN ||
	       0.5 * timestep * abut_norm3(spin) > easy_momentum;
}

bool abut_step_turns_too_far(const AbutModel *model, double timestep, const AbutWorkspace *w)
{
	for (int i = 0; i < model->n_moving; i++) {
		if (turns_too_far(&w->bodies[model->moving_body[i]], timestep)) {
			return true;
		}
	}
	return false;
}

bool abut_step_too_long(const AbutModel *model, double timestep, const AbutWorkspace *w)
{
	if (abut_step_turns_too_far(model, timestep, w)) {
		return true;
	}
	for (int i = 0; i < w->n_active; i++) {
		const AbutPair *pair = &model->pairs[w->active[i]];
		const AbutConicRows *a = &model->parts[pair->part[0]].rows, *b = &model->parts[pair->part[1]].rows;
		if (!b->bounded) { /* nothing gets behind a halfspace */
			continue;
		}
		double speed = 0.0;
		for (int j = 0; j < 3; j++) {
			const double difference = w->bodies[pair->body[0]].v0[j] - w->bodies[pair->body[1]].v0[j];
			speed += difference * difference;
		}
		if (timestep * sqrt(speed) > 2.0 * abut_min(a->outer_radius, b->outer_radius)) {
			return true;
		}
	}
	return false;
}

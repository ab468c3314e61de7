/* Which pairs of parts a step solves for: those whose bounding spheres, swept by the motion so far, come close. */
#include "base/vec3.h"
#include "dynamics/step_parts.h"

static void part_centre(const AbutBodyWork *body, const AbutConicRows *rows, double out[3])
{
	abut_mat3_vec(body->R, rows->centre, out);
	for (int i = 0; i < 3; i++) {
		out[i] += body->x[i];
	}
}

/* Distance between the bounding spheres (or sphere and plane) at the present poses x, R. */
static double sphere_gap(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair)
{
	double centre[2][3];
	const AbutConicRows *rows[2];
	for (int i = 0; i < 2; i++) {
		const AbutBodyWork *body = &w->bodies[pair->body[i]];
		rows[i] = &model->parts[pair->part[i]].rows;
		part_centre(body, rows[i], centre[i]);
	}
	if (!rows[1]->bounded) { /* H = h + W p of the halfspace's one row, at the centre of side 0 */
		const AbutBodyWork *plane = &w->bodies[pair->body[1]];
		double p[3];
		for (int i = 0; i < 3; i++) {
			p[i] = centre[0][i] - plane->x[i];
		}
		abut_mat3_tvec(plane->R, p, p);
		return -(rows[1]->h[0] + abut_dot3(rows[1]->W, p)) - rows[0]->outer_radius;
	}
	double line[3];
	for (int i = 0; i < 3; i++) {
		line[i] = centre[1][i] - centre[0][i];
	}
	return abut_norm3(line) - rows[0]->outer_radius - rows[1]->outer_radius;
}

/* How far a part's centre may travel in the step without contact, by the velocities before and after. */
static double travel(const AbutModel *model, const AbutWorkspace *w, int body, int part, double timestep)
{
	const AbutBodyWork *b = &w->bodies[body];
	if (b->moving < 0) {
		return 0.0;
	}
	const double lever = abut_norm3(model->parts[part].rows.centre);
	const double speed = abut_max(abut_norm3(b->v0), abut_norm3(b->momentum) / b->mass);
	return timestep * (speed + abut_norm3(b->w0) * lever);
}

void abut_step_candidates(const AbutModel *model, double timestep, AbutWorkspace *w)
{
	static const double margin = 0.1; /* of the outer radii's sum */
	w->n_active = 0;
	for (int i = 0; i < model->n_pairs; i++) {
		const AbutPair *pair = &model->pairs[i];
		const double reach = margin * pair->outer_radius +
		                     2.0 * travel(model, w, pair->body[0], pair->part[0], timestep) +
		                     2.0 * travel(model, w, pair->body[1], pair->part[1], timestep);
		if (sphere_gap(model, w, pair) < reach) {
			w->active[w->n_active++] = i;
		}
	}
}

/* The law of the turn has two roots for one angular momentum, half turns below and above sqrt(1/2): steps stay well
 * below. */
static const double largest_turn = 0.6;

bool abut_step_too_long(const AbutModel *model, double timestep, const AbutWorkspace *w)
{
	for (int i = 0; i < model->n_moving; i++) {
		if (0.5 * timestep * abut_norm3(w->bodies[model->moving_body[i]].w0) > largest_turn) {
			return true;
		}
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

int abut_step_missed(const AbutModel *model, AbutWorkspace *w)
{
	int next = 0, missed = 0;
	const int n_before = w->n_active;
	for (int i = 0; i < model->n_pairs; i++) {
		if (next < n_before && w->active[next] == i) {
			next++;
		} else if (sphere_gap(model, w, &model->pairs[i]) < 0.0) {
			w->active[n_before + missed++] = i;
		}
	}
	w->n_active += missed;
	/* keep the order of the model: the sums of a step do not depend on how a pair was found */
	for (int i = n_before; i < w->n_active; i++) {
		const int added = w->active[i];
		int j = i;
		for (; j > 0 && w->active[j - 1] > added; j--) {
			w->active[j] = w->active[j - 1];
		}
		w->active[j] = added;
	}
	return missed;
}

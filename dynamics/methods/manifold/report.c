/* Reports a contact of a step: its impulse at the mean of its points, and the gap at the end of the step. Explains why
 * a step of method lcp or convex was not solved: no solution, or a turn that is too large. */
#include "dynamics/methods/manifold/report.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "collision/manifold/manifold.h"
#include "dynamics/body/body.h"
#include "dynamics/model/model.h"
#include "dynamics/pairs/candidates.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/step/keep.h"

/* Returns the distance of the parts at the end of the step, and the normal along which it is measured. */
static double separation(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, double normal[3])
{
	AbutManifoldSide side[2];
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &bodies[pair->body[s]];
		side[s].shape = &model->parts[pair->part[s]].manifold;
		abut_copy3(body->x, side[s].x);
		memcpy(side[s].R, body->R, sizeof side[s].R);
	}
	return abut_manifold_separation(side, normal);
}

/* Reports the gap at the end of the step along the normal that separates the two bodies most, and the scaling that this
 * gap proves (docs/formulation.md 9). The scaling is exact beside a halfspace. */
static void report_gap(const AbutLcpIsland *island, const AbutPair *pair, AbutContact *out, AbutStepInfo *info)
{
	const AbutModel *model = island->model;
	double normal[3], height = 0.0;
	const double gap = separation(model, pair, island->w->bodies, normal);
	double line[3];
	if (model->parts[pair->part[1]].rows.bounded) {
		abut_line_of_centres(model, pair, island->w->bodies, line);
		height = abut_dot3(line, normal) - gap;
	} else {
		height = abut_plane_distance_of_centre(model, pair->part[1], pair->part[0], island->w->bodies) - gap;
	}
	out->gap = gap * model->units.length;
	out->scaling = height > 0.0 ? abut_max(1.0 + gap / height, 0.0) : 1.0;
	info->max_penetration = abut_max(info->max_penetration, -out->gap);
}

/* Reports the summed impulses, at the mean place of the points weighted by their normal impulses. */
void abut_manifold_report(const AbutLcpIsland *island, int index, AbutStepInfo *info)
{
	const AbutModel *model = island->model;
	const AbutPair *pair = &island->w->pairs.candidates[index].pair;
	AbutLcpContact *contact = &abut_lcp_work(island->w)->contacts[index];
	const AbutManifold *manifold = &contact->manifold;
	const double sign = pair->flipped ? -1.0 : 1.0;
	AbutContact out = abut_contact_blank(model, pair);
	double point[3] = {0.0, 0.0, 0.0}, middle[3] = {0.0, 0.0, 0.0}, total = 0.0;
	const int n_rows = abut_lcp_contact_rows(contact);
	memcpy(contact->x, &island->room->boxed.x[contact->first_row], (size_t)n_rows * sizeof *contact->x);
	memcpy(contact->set, &island->room->boxed.set[contact->first_row], (size_t)n_rows * sizeof *contact->set);
	for (int i = 0; i < manifold->n; i++) {
		const double *x = &contact->x[i * contact->rows_per_point];
		total += x[0];
		for (int k = 0; k < 3; k++) {
			point[k] += x[0] * manifold->points[i].point[k];
			middle[k] += manifold->points[i].point[k] / manifold->n;
			for (int t = 1; t < contact->rows_per_point; t++) {
				out.friction_impulse[k] += sign * x[t] * contact->axes[t][k] * model->units.impulse;
			}
		}
	}
	out.normal_impulse = total * model->units.impulse;
	for (int k = 0; k < 3; k++) {
		out.point[k] = (total > 0.0 ? point[k] / total : middle[k]) * model->units.length;
		out.normal[k] = sign * manifold->normal[k];
	}
	report_gap(island, pair, &out, info);
	const AbutPointRule *rule = abut_lcp_work(island->w)->rule;
	if (rule->remember) {
		rule->remember(contact, out.scaling, index, &island->w->pairs.store);
	}
	island->w->results[index] = out;
	island->w->pairs.candidates[index].solved = true;
}

/* Returns the gap of a pair at the end of the step; 0 if it is certainly not negative. */
static double missed_gap(const AbutModel *model, const AbutWorkspace *w, int index)
{
	const AbutPair *pair = &w->pairs.candidates[index].pair;
	double line[3];
	if (!model->parts[pair->part[1]].rows.bounded) {
		return abut_plane_is_within(model, pair->part[1], pair->part[0], w->bodies, 0.0)
		           ? abut_plane_distance(model, pair->part[1], pair->part[0], w->bodies)
		           : 0.0;
	}
	abut_line_of_centres(model, pair, w->bodies, line);
	const bool apart = abut_separated(model, pair, w->bodies, line, 0.0) ||
	                   abut_separated(model, pair, w->bodies, w->pairs.store.entries[index].normal, 0.0);
	return apart ? 0.0 : separation(model, pair, w->bodies, line);
}

AbutStatus abut_manifold_report_missed(const AbutModel *model, AbutWorkspace *w, AbutStepInfo *info)
{
	AbutNearPairs *pairs = &w->pairs;
	int added = 0, n = 0;
	ABUT_TRY(abut_pairs_missed(model, w->bodies, &w->partition, pairs, &added));
	for (int i = 0; i < pairs->n_candidates; i++) {
		if (pairs->candidates[i].active && !pairs->candidates[i].solved) {
			const double depth = -missed_gap(model, w, i) * model->units.length;
			info->max_penetration = abut_max(info->max_penetration, depth);
		}
	}
	for (int i = 0; i < pairs->n_active; i++) {
		if (pairs->candidates[pairs->active[i]].solved) {
			pairs->active[n++] = pairs->active[i];
		}
	}
	pairs->n_active = n;
	return ABUT_OK;
}

bool abut_manifold_explain(const char *unit, double nearly, const AbutStepInfo *info, char *text, size_t size)
{
	if (info->residual > nearly) {
		snprintf(text, size, "no solution of the contact problem was found (%d %s, residual %.2g)",
		         info->iterations, unit, info->residual);
	} else {
		snprintf(text, size,
		         "a push or an impulse would turn a body by a half turn of more than %.2g in the step: use a "
		         "shorter "
		         "timestep",
		         ABUT_LARGEST_HALF_TURN);
	}
	return true;
}

/* Makes the contact points of all active pairs, at the start of the step. */
#include "dynamics/methods/manifold/points.h"

#include "base/vec3.h"
#include "collision/manifold/manifold.h"
#include "dynamics/contact/setup.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/step/workspace.h"

typedef struct Making {
	const AbutModel *model;
	AbutWorkspace *w;
} Making;

/* Sets the axes: t1 is the part of a fixed axis orthogonal to the normal; t2 = n x t1. */
static void set_axes(AbutLcpContact *contact)
{
	const double *n = contact->manifold.normal;
	double *t1 = contact->axes[1];
	abut_copy3(n, contact->axes[0]);
	abut_axis_across(n, contact->reference);
	const double along = abut_dot3(n, contact->reference);
	for (int i = 0; i < 3; i++) {
		t1[i] = contact->reference[i] - along * n[i];
	}
	const double length = abut_norm3(t1);
	for (int i = 0; i < 3; i++) {
		t1[i] /= length;
	}
	abut_cross3(n, t1, contact->axes[2]);
}

static void make_manifold(void *context, int item, int thread)
{
	const Making *making = context;
	const int index = making->w->pairs.active[item];
	const AbutPair *pair = &making->w->pairs.candidates[index].pair;
	AbutLcpContact *contact = &abut_lcp_work(making->w)->contacts[index];
	const AbutPointRule *rule = abut_lcp_work(making->w)->rule;
	AbutManifoldSide side[2];
	(void)thread;
	abut_lcp_sides(making->model, pair, making->w->bodies, side);
	abut_manifold_make(side, rule->margin(making->model, making->w, pair), &contact->manifold);
	if (contact->manifold.n > 0) {
		set_axes(contact);
		const bool axes = pair->mu > 0.0 || rule->always_axes(making->model);
		contact->rows_per_point = axes ? ABUT_LCP_POINT_ROWS : 1;
	}
}

/* Makes the points. Pairs without points become inactive. The others store the normal, along which they are separated
 * once they are apart. */
void abut_manifolds_make(const AbutModel *model, AbutWorkspace *w)
{
	Making making = {model, w};
	if (w->pool) {
		abut_thread_pool_run(w->pool, w->pairs.n_active, make_manifold, &making);
	} else {
		for (int i = 0; i < w->pairs.n_active; i++) {
			make_manifold(&making, i, 0);
		}
	}
	int n = 0;
	for (int i = 0; i < w->pairs.n_active; i++) {
		const int index = w->pairs.active[i];
		if (abut_lcp_work(w)->contacts[index].manifold.n > 0) {
			abut_copy3(abut_lcp_work(w)->contacts[index].manifold.normal,
			           w->pairs.store.entries[index].normal);
			w->pairs.active[n++] = index;
		}
	}
	w->pairs.n_active = n;
}

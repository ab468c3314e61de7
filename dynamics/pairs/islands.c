/* Islands: the connected components of the moving bodies under the active pairs, in the order of their first bodies.
 * They are made again only when the active pairs change. */
#include <string.h>

#include "dynamics/step/step_parts.h"

static int root_of(int *parent, int i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

static const AbutPair *active_pair(const AbutWorkspace *w, int i)
{
	return &w->candidates[w->active[i]].pair;
}

/* island_of of every moving body; returns the number of islands. */
static int label(const AbutModel *model, AbutWorkspace *w)
{
	int *parent = w->island_of, n_islands = 0;
	for (int i = 0; i < model->n_moving; i++) {
		parent[i] = i;
	}
	for (int i = 0; i < w->n_active; i++) {
		const AbutPair *pair = active_pair(w, i);
		const int a = model->bodies[pair->body[0]].moving, b = model->bodies[pair->body[1]].moving;
		if (b >= 0) { /* the smaller body is the root: labels come out in order */
			const int p = root_of(parent, a), q = root_of(parent, b);
			parent[p > q ? p : q] = p > q ? q : p;
		}
	}
	for (int i = 0; i < model->n_moving; i++) {
		parent[i] = root_of(parent, i);
	}
	for (int i = 0; i < model->n_moving; i++) { /* a root stands before its members */
		parent[i] = parent[i] == i ? n_islands++ : parent[parent[i]];
	}
	return n_islands;
}

static void add_contact_size(const AbutPair *pair, AbutIslandSize *size)
{
	size->n_contacts++;
	size->n_y += pair->n_y;
	size->n_z += pair->n_z;
	size->n_law += pair->n_law;
	size->n_cones += pair->n_cones;
	size->n_side += pair->n_side;
}

/* Counts, then places: bodies and pairs by island, each in the model's order. */
static void distribute(const AbutModel *model, AbutWorkspace *w)
{
	memset(w->members, 0, (size_t)w->n_islands * sizeof *w->members);
	for (int i = 0; i < model->n_moving; i++) {
		AbutIslandSize *size = &w->members[w->island_of[i]].size;
		w->bodies[model->moving_body[i]].moving = size->n_bodies++;
		size->n_y += 6;
	}
	for (int i = 0; i < w->n_active; i++) {
		const AbutPair *pair = active_pair(w, i);
		const int island = w->island_of[model->bodies[pair->body[0]].moving];
		add_contact_size(pair, &w->members[island].size);
	}
	int bodies = 0, contacts = 0;
	for (int i = 0; i < w->n_islands; i++) {
		AbutIslandMembers *members = &w->members[i];
		members->first_body = bodies;
		members->first_contact = contacts;
		bodies += members->size.n_bodies;
		contacts += members->size.n_contacts;
		w->largest_first[i] = members->first_contact; /* where the next contact goes, meanwhile */
	}
	for (int i = 0; i < model->n_moving; i++) {
		AbutBodyWork *body = &w->bodies[model->moving_body[i]];
		w->moving[w->members[w->island_of[i]].first_body + body->moving] = body;
	}
	for (int i = 0; i < w->n_active; i++) {
		const int island = w->island_of[model->bodies[active_pair(w, i)->body[0]].moving];
		w->by_island[w->largest_first[island]++] = i;
	}
}

/* Threads begin with the largest islands, so that none is left with one at the end. Large: of several contacts; the
 * rest comes in its order. */
static void order_by_size(AbutWorkspace *w)
{
	static const int large = 8;
	int n = 0;
	for (int i = 0; i < w->n_islands; i++) {
		if (w->members[i].size.n_contacts >= large) {
			int j = n++;
			for (; j > 0 &&
			       w->members[w->largest_first[j - 1]].size.n_contacts < w->members[i].size.n_contacts;
			     j--) {
				w->largest_first[j] = w->largest_first[j - 1];
			}
			w->largest_first[j] = i;
		}
	}
	for (int i = 0; i < w->n_islands; i++) {
		if (w->members[i].size.n_contacts < large) {
			w->largest_first[n++] = i;
		}
	}
}

/* Whether the active pairs are those of the partition that stands. */
static bool is_partitioned(const AbutWorkspace *w)
{
	if (w->n_partitioned != w->n_active) {
		return false;
	}
	for (int i = 0; i < w->n_active; i++) {
		if (w->partitioned[i] != abut_key(w->store.entries[w->active[i]].part)) {
			return false;
		}
	}
	return true;
}

/* The pattern of each island's blocks. */
static AbutStatus analyse(AbutWorkspace *w)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < w->n_islands; i++) {
		AbutIslandMembers *members = &w->members[i];
		AbutBlockPattern *own = &w->patterns[i];
		members->pattern = members->size.n_bodies == 1 ? &w->lone : own;
		for (int j = 0; j < members->size.n_contacts && members->pattern == own; j++) {
			const AbutPair *pair = active_pair(w, w->by_island[members->first_contact + j]);
			w->coupled[j][0] = w->bodies[pair->body[0]].moving;
			w->coupled[j][1] = w->bodies[pair->body[1]].moving;
		}
		if (members->pattern == own) {
			status = abut_block_pattern_analyse(own, members->size.n_bodies, members->size.n_contacts,
			                                    (const int(*)[2])w->coupled);
		}
		members->size.n_blocks = members->pattern->n_blocks;
	}
	return status;
}

AbutStatus abut_step_partition(const AbutModel *model, AbutWorkspace *w)
{
	if (!is_partitioned(w)) {
		w->n_partitioned = -1;
		w->n_islands = label(model, w);
		distribute(model, w);
		order_by_size(w);
		if (model->options.method != ABUT_METHOD_LCP && analyse(w) != ABUT_OK) {
			return ABUT_ERROR_MEMORY;
		}
		for (int i = 0; i < w->n_active; i++) {
			w->partitioned[i] = abut_key(w->store.entries[w->active[i]].part);
		}
		w->n_partitioned = w->n_active;
	}
	for (int i = 0; i < w->n_islands; i++) {
		w->members[i].info = (AbutStepInfo){.tries = 0};
		w->members[i].gathered = true;
		w->members[i].solved = false;
	}
	return ABUT_OK;
}

AbutStatus abut_step_repartition(const AbutModel *model, AbutWorkspace *w)
{
	AbutIslandMembers *const members = w->members_before;
	int *const island_of = w->island_before;
	w->members_before = w->members;
	w->island_before = w->island_of;
	w->members = members;
	w->island_of = island_of;
	if (abut_step_partition(model, w) != ABUT_OK) {
		return ABUT_ERROR_MEMORY;
	}
	for (int i = 0; i < w->n_islands; i++) { /* pairs were only added: the same number of them is the same pairs */
		AbutIslandMembers *now = &w->members[i];
		const int first = w->moving[now->first_body]->body;
		const AbutIslandMembers *before = &w->members_before[w->island_before[model->bodies[first].moving]];
		now->info = before->info;
		now->gathered = false;
		now->solved =
		    now->size.n_contacts == before->size.n_contacts && now->size.n_bodies == before->size.n_bodies;
	}
	return ABUT_OK;
}

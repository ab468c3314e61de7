/* Islands: the connected components of the moving bodies under the active pairs, in the order of their first bodies.
 * They are made again only when the active pairs change, and with them the order of elimination of each. */
#include <string.h>

#include "dynamics/step_parts.h"

static int root_of(int *parent, int i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

/* island_of of every moving body; returns the number of islands. */
static int label(const AbutModel *model, AbutWorkspace *w)
{
	int *parent = w->island_of, n_islands = 0;
	for (int i = 0; i < model->n_moving; i++) {
		parent[i] = i;
	}
	for (int i = 0; i < w->n_active; i++) {
		const AbutPair *pair = &model->pairs[w->active[i]];
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

/* Counts, then places: bodies and pairs by island, each in the model's order. */
static void distribute(const AbutModel *model, AbutWorkspace *w)
{
	for (int i = 0; i < w->n_islands; i++) {
		w->islands[i].problem.n_moving = w->islands[i].problem.n_contacts = 0;
	}
	for (int i = 0; i < model->n_moving; i++) {
		w->islands[w->island_of[i]].problem.n_moving++;
	}
	for (int i = 0; i < w->n_active; i++) {
		const AbutPair *pair = &model->pairs[w->active[i]];
		w->islands[w->island_of[model->bodies[pair->body[0]].moving]].problem.n_contacts++;
	}
	int bodies = 0, contacts = 0;
	for (int i = 0; i < w->n_islands; i++) {
		AbutContactProblem *problem = &w->islands[i].problem;
		problem->moving = &w->moving[bodies];
		problem->contacts = &w->contacts[contacts];
		bodies += problem->n_moving;
		contacts += problem->n_contacts;
		problem->n_moving = problem->n_contacts = 0;
	}
	for (int i = 0; i < model->n_moving; i++) {
		AbutContactProblem *problem = &w->islands[w->island_of[i]].problem;
		AbutBodyWork *body = &w->bodies[model->moving_body[i]];
		body->moving = problem->n_moving;
		problem->moving[problem->n_moving++] = body;
	}
	for (int i = 0; i < w->n_active; i++) {
		const AbutPair *pair = &model->pairs[w->active[i]];
		AbutContactProblem *problem = &w->islands[w->island_of[model->bodies[pair->body[0]].moving]].problem;
		w->by_island[problem->contacts - w->contacts + problem->n_contacts++] = w->active[i];
	}
}

static AbutStatus analyse(const AbutModel *model, AbutWorkspace *w)
{
	int most_blocks = 0;
	for (int i = 0; i < w->n_islands; i++) {
		AbutContactProblem *problem = &w->islands[i].problem;
		for (int j = 0; j < problem->n_contacts; j++) {
			const AbutPair *pair = &model->pairs[w->by_island[problem->contacts - w->contacts + j]];
			w->block_pairs[j][0] = w->bodies[pair->body[0]].moving;
			w->block_pairs[j][1] = w->bodies[pair->body[1]].moving;
		}
		const AbutStatus status = abut_block_pattern_analyse(
		    &w->patterns[i], problem->n_moving, problem->n_contacts, (const int(*)[2])w->block_pairs);
		if (status != ABUT_OK) {
			return status;
		}
		most_blocks = w->patterns[i].n_blocks > most_blocks ? w->patterns[i].n_blocks : most_blocks;
	}
	const AbutStatus status = abut_block_memory_room(&w->blocks, most_blocks);
	for (int i = 0; i < w->n_islands; i++) { /* solved one after the other, in the same memory */
		w->islands[i].problem.system = (AbutBlockSystem){&w->patterns[i], w->blocks.blocks};
	}
	return status;
}

AbutStatus abut_step_partition(const AbutModel *model, AbutWorkspace *w)
{
	const size_t bytes = (size_t)w->n_active * sizeof *w->active;
	if (w->n_partitioned == w->n_active && memcmp(w->partitioned, w->active, bytes) == 0) {
		return ABUT_OK;
	}
	w->n_islands = label(model, w);
	distribute(model, w);
	const AbutStatus status = analyse(model, w);
	memcpy(w->partitioned, w->active, bytes);
	w->n_partitioned = status == ABUT_OK ? w->n_active : -1;
	return status;
}

/* Finds the pairs of parts that a step solves for. The broad phase finds the pairs whose boxes, swept by the step,
 * overlap. Such a pair is left out if a plane across its last normal, or across the line of centres, fits between its
 * parts, with clearance for their motion. After the step, the same test is repeated at the new poses without the
 * clearance. */
#include "dynamics/pairs/candidates.h"

#include "base/grow.h"
#include "base/sort.h"
#include "base/vec3.h"
#include "dynamics/body/bounds.h"
#include "dynamics/model/key.h"
#include "dynamics/pairs/approach.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/state/memory.h"
#include "dynamics/state/state.h"

/* Least clearance between two parts that are left out, as a share of the smaller outer radius. */
static const double room = 0.02;

/* Context of `meet`, which lists the pairs that the broad phase finds. */
typedef struct Meeting {
	const AbutModel *model;
	AbutNearPairs *pairs;
} Meeting;

/* Adds the pair of two parts to the list if they may touch; first < second. */
static void meet(void *context, int first, int second)
{
	const Meeting *meeting = context;
	AbutNearPairs *pairs = meeting->pairs;
	if (!abut_pair_allowed(meeting->model, first, second)) {
		return;
	}
	if (!abut_grow(&pairs->met, &pairs->capacity_met, pairs->n_met + 1, sizeof *pairs->met)) {
		pairs->out_of_memory = true;
		return;
	}
	pairs->met[pairs->n_met++] = abut_key((const int[2]){first, second});
}

/* Returns the clearance that two parts need along a unit direction to stay apart in the step. */
static double closing(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, const double along[3])
{
	const AbutPart *a = &model->parts[pair->part[0]], *b = &model->parts[pair->part[1]];
	return abut_approach_bound(model, pair->part, bodies, along) +
	       room * abut_min(a->rows.outer_radius, b->rows.outer_radius) + model->pairing.margin;
}

/* Returns whether a plane across the direction fits between the two parts, with clearance for the step. */
static bool stays_apart(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies,
                        const double direction[3])
{
	const double length = abut_norm3(direction);
	if (!(length > 0.0)) {
		return false;
	}
	const double along[3] = {direction[0] / length, direction[1] / length, direction[2] / length};
	return abut_separated(model, pair, bodies, along, closing(model, pair, bodies, along));
}

/* Returns whether a bounded part of a moving body is within `limit` of a halfspace. Its inner and outer spheres decide
 * most cases. */
static bool meets_plane(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies, double limit)
{
	const AbutPart *p = &model->parts[part];
	const double centre = abut_plane_distance_of_centre(model, plane, part, bodies);
	if (centre - p->rows.outer_radius > limit || centre - p->rows.inner_radius <= limit) {
		return centre - p->rows.inner_radius <= limit;
	}
	return abut_plane_is_within(model, plane, part, bodies, limit);
}

static double plane_room(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies)
{
	double normal[3];
	abut_mat3_vec(bodies[model->parts[plane].body].R, model->parts[plane].rows.W, normal);
	return abut_approach_bound(model, (const int[2]){part, plane}, bodies, normal) +
	       room * model->parts[part].rows.outer_radius + model->pairing.margin;
}

static bool can_meet_planes(const AbutModel *model, const AbutBodyWork *bodies, int part)
{
	return model->parts[part].rows.bounded && bodies[model->parts[part].body].moving >= 0;
}

/* Returns whether the two parts touched, or nearly touched, after the last step. */
static bool was_touching(const AbutContactMemory *memory)
{
	return memory && memory->solved && memory->alpha < 1.0 + room;
}

/* Returns the entry with the key among n entries, or -1. `by_key` sorts the entries by key; NULL if they are sorted. */
static int find_entry(const AbutContactMemory *entries, const int *by_key, int n, const int part[2])
{
	int low = 0, high = n;
	while (low < high) {
		const int middle = (low + high) / 2, entry = by_key ? by_key[middle] : middle;
		const int order = abut_compare_keys(entries[entry].part, part);
		if (order == 0) {
			return entry;
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return -1;
}

/* Returns the state's memory of the key; NULL if there is none. */
static const AbutContactMemory *find_memory(const AbutContactStore *store, const int part[2])
{
	const int entry = find_entry(store->entries, NULL, store->n, part);
	return entry >= 0 ? &store->entries[entry] : NULL;
}

/* Adds the keys of parts that may touch a halfspace in the step. A part that touched it after the last step needs no
 * test: its distance was at most (alpha - 1) times its radius, which is less than the clearance. */
static void meet_planes(const AbutModel *model, const AbutState *state, const AbutBodyWork *bodies,
                        AbutNearPairs *pairs)
{
	Meeting meeting = {model, pairs};
	for (int i = 0; i < model->n_planes; i++) {
		const int plane = model->planes[i];
		for (int part = 0; part < model->n_parts; part++) {
			const int key[2] = {part < plane ? part : plane, part < plane ? plane : part};
			if (can_meet_planes(model, bodies, part) &&
			    (was_touching(find_memory(&state->store, key)) ||
			     meets_plane(model, plane, part, bodies, plane_room(model, plane, part, bodies)))) {
				meet(&meeting, key[0], key[1]);
			}
		}
	}
}

/* Appends a candidate and its entry in the store. */
static AbutCandidate *add_candidate(AbutNearPairs *pairs, const AbutPair *pair, const int part[2], bool active)
{
	AbutCandidate *candidate = &pairs->candidates[pairs->n_candidates];
	*candidate = (AbutCandidate){.pair = *pair, .active = active, .source = -1};
	pairs->by_key[pairs->n_candidates] = pairs->n_candidates;
	pairs->n_candidates++;
	abut_contact_store_add(&pairs->store, part, 0, 0);
	return candidate;
}

/* Assigns memory for their solutions to the entries of the active candidates. */
static AbutStatus place_solutions(AbutNearPairs *pairs)
{
	AbutContactStore *store = &pairs->store;
	pairs->n_active = 0;
	for (int k = 0; k < pairs->n_candidates; k++) {
		const int i = pairs->by_key[k];
		AbutContactMemory *entry = &store->entries[i];
		const AbutPair *pair = &pairs->candidates[i].pair;
		if (!pairs->candidates[i].active) {
			continue;
		}
		pairs->active[pairs->n_active++] = i;
		if (entry->n_y == 0) {
			entry->y = store->n_y;
			entry->z = store->n_z;
			entry->n_y = pair->n_y;
			entry->n_z = pair->n_z;
			store->n_y += pair->n_y;
			store->n_z += pair->n_z;
		}
	}
	return abut_contact_store_reserve(store, store->n, store->n_y, store->n_z);
}

static void decode(uint64_t key, int part[2])
{
	part[0] = (int)(key >> 32);
	part[1] = (int)(key & 0xffffffffu);
}

/* Returns the entry of the state's store with the key, or -1. Keys are sorted, so the search begins at *next and
 * advances it. */
static int find_source(const AbutContactStore *store, const int part[2], int *next)
{
	while (*next < store->n && abut_compare_keys(store->entries[*next].part, part) < 0) {
		(*next)++;
	}
	return *next < store->n && abut_compare_keys(store->entries[*next].part, part) == 0 ? *next : -1;
}

/* Returns whether the two parts of a candidate may touch in the step. Parts that touched or nearly touched are not
 * tested. */
static bool may_touch(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies,
                      const AbutContactMemory *memory)
{
	double line[3];
	if (model->formulation.published || !model->parts[pair->part[1]].rows.bounded || was_touching(memory)) {
		return true;
	}
	if (memory && stays_apart(model, pair, bodies, memory->normal)) {
		return false;
	}
	abut_line_of_centres(model, pair, bodies, line);
	return !stays_apart(model, pair, bodies, line);
}

/* Adds the keys of all pairs: the paper's setting solves for every pair, at any distance. */
static void meet_all(const AbutModel *model, AbutNearPairs *pairs)
{
	Meeting meeting = {model, pairs};
	for (int first = 0; first < model->n_parts; first++) {
		for (int second = first + 1; second < model->n_parts; second++) {
			meet(&meeting, first, second);
		}
	}
}

/* Returns whether the broad phase is needed: not with a single bounded part, and not in the paper's setting. */
static bool has_boxes(const AbutModel *model)
{
	return !model->formulation.published && model->n_parts - model->n_planes > 1;
}

/* Finds the keys of the pairs for which a step may have to solve. */
static void meet_near(const AbutModel *model, const AbutState *state, const AbutBodyWork *bodies, AbutNearPairs *pairs)
{
	Meeting meeting = {model, pairs};
	if (has_boxes(model)) {
		abut_bounds_swept(model, bodies, pairs->bounds);
		abut_broad_phase_run(&pairs->broad_phase, pairs->bounds, meet, &meeting);
	}
	meet_planes(model, state, bodies, pairs);
}

AbutStatus abut_pairs_find(const AbutModel *model, const AbutState *state, const AbutBodyWork *bodies,
                           AbutNearPairs *pairs)
{
	pairs->n_met = pairs->n_candidates = 0;
	pairs->out_of_memory = false;
	abut_contact_store_clear(&pairs->store);
	if (model->formulation.published) {
		meet_all(model, pairs);
	} else {
		meet_near(model, state, bodies, pairs);
	}
	if (pairs->out_of_memory || abut_near_pairs_reserve(pairs, pairs->n_met) != ABUT_OK) {
		return ABUT_ERROR_MEMORY;
	}
	abut_sort_keys(pairs->met, pairs->n_met);
	int next = 0;
	for (int k = 0; k < pairs->n_met; k++) {
		int part[2];
		AbutPair pair;
		decode(pairs->met[k], part);
		if (!abut_pair_make(model, part[0], part[1], &pair)) {
			continue;
		}
		const int source = find_source(&state->store, part, &next);
		const AbutContactMemory *memory = source >= 0 ? &state->store.entries[source] : NULL;
		const bool active = may_touch(model, &pair, bodies, memory);
		add_candidate(pairs, &pair, part, active)->source = source;
		if (memory) {
			abut_copy3(memory->normal, pairs->store.entries[pairs->n_candidates - 1].normal);
		}
	}
	return place_solutions(pairs);
}

/* Returns whether the part's body took the step in parts; its direction may then have changed on the way. */
static bool in_parts(const AbutModel *model, const AbutPartition *partition, int part)
{
	const int moving = model->bodies[model->parts[part].body].moving;
	return moving >= 0 && partition->members[partition->island_of[moving]].info.halvings > 0;
}

/* The bodies at the end of the step, with their islands and pairs. */
typedef struct Reached {
	const AbutBodyWork *bodies;
	const AbutPartition *partition;
	const AbutNearPairs *pairs;
} Reached;

/* Returns the box of a bounded part at the new pose, or of its whole motion if its island took the step in parts. */
static AbutBounds box_reached(const AbutModel *model, const Reached *reached, int part)
{
	AbutBounds box;
	if (in_parts(model, reached->partition, part)) {
		return reached->pairs->ways[part];
	}
	abut_bounds_tight(model, part, reached->bodies, &box);
	return box;
}

/* Returns whether the two parts certainly do not overlap. If one of them moved in parts, the boxes of their motions
 * must be apart; otherwise a plane must fit between them at the new poses. */
static bool are_apart(const AbutModel *model, const Reached *reached, const AbutPair *pair, const double normal[3])
{
	if (in_parts(model, reached->partition, pair->part[0]) || in_parts(model, reached->partition, pair->part[1])) {
		const AbutBounds a = box_reached(model, reached, pair->part[0]),
		                 b = box_reached(model, reached, pair->part[1]);
		return !abut_bounds_overlap(&a, &b);
	}
	double line[3];
	abut_line_of_centres(model, pair, reached->bodies, line);
	return abut_separated(model, pair, reached->bodies, normal, 0.0) ||
	       abut_separated(model, pair, reached->bodies, line, 0.0);
}

static bool left_its_box(const AbutModel *model, const Reached *reached)
{
	for (int i = 0; i < model->n_parts; i++) {
		if (!model->parts[i].rows.bounded || reached->bodies[model->parts[i].body].moving < 0) {
			continue;
		}
		const AbutBounds box = box_reached(model, reached, i);
		if (!abut_bounds_within(&box, &reached->pairs->bounds[i])) {
			return true;
		}
	}
	return false;
}

/* Returns the candidate with the key, or -1. */
static int find_candidate(const AbutNearPairs *pairs, const int part[2], int n_sorted)
{
	return find_entry(pairs->store.entries, pairs->by_key, n_sorted, part);
}

/* Adds the keys of parts that overlap a halfspace and are not yet a candidate with it. */
static void miss_planes(const AbutModel *model, const AbutBodyWork *bodies, AbutNearPairs *pairs, int n_sorted)
{
	Meeting meeting = {model, pairs};
	for (int i = 0; i < model->n_planes; i++) {
		const int plane = model->planes[i];
		for (int part = 0; part < model->n_parts; part++) {
			const int key[2] = {part < plane ? part : plane, part < plane ? plane : part};
			if (can_meet_planes(model, bodies, part) && find_candidate(pairs, key, n_sorted) < 0 &&
			    meets_plane(model, plane, part, bodies, 0.0)) {
				meet(&meeting, key[0], key[1]);
			}
		}
	}
}

/* Adds the listed pairs that are not yet candidates. Returns how many of them may overlap at the present poses. The
 * others are kept too, and are tested again if the step is repeated. */
static int add_met(const AbutModel *model, const Reached *reached, AbutNearPairs *pairs, int n_sorted)
{
	static const double unknown[3] = {0.0, 0.0, 0.0};
	int added = 0;
	for (int k = 0; k < pairs->n_met; k++) {
		int part[2];
		AbutPair pair;
		decode(pairs->met[k], part);
		if (find_candidate(pairs, part, n_sorted) >= 0 || !abut_pair_make(model, part[0], part[1], &pair)) {
			continue;
		}
		if (abut_near_pairs_reserve(pairs, pairs->n_candidates + 1) != ABUT_OK) {
			pairs->out_of_memory = true;
			return added;
		}
		const bool apart = model->parts[pair.part[1]].rows.bounded && are_apart(model, reached, &pair, unknown);
		add_candidate(pairs, &pair, part, !apart);
		added += !apart;
	}
	return added;
}

/* Inserts the candidates after the first n_sorted into the list sorted by key. */
static void sort_last(AbutNearPairs *pairs, int n_sorted)
{
	const AbutContactMemory *entries = pairs->store.entries;
	for (int i = n_sorted; i < pairs->n_candidates; i++) {
		const int moved = pairs->by_key[i];
		const uint64_t key = abut_key(entries[moved].part);
		int j = i;
		for (; j > 0 && abut_key(entries[pairs->by_key[j - 1]].part) > key; j--) {
			pairs->by_key[j] = pairs->by_key[j - 1];
		}
		pairs->by_key[j] = moved;
	}
}

AbutStatus abut_pairs_missed(const AbutModel *model, const AbutBodyWork *bodies, const AbutPartition *partition,
                             AbutNearPairs *pairs, int *added)
{
	const Reached reached = {bodies, partition, pairs};
	Meeting meeting = {model, pairs};
	const int n_sorted = pairs->n_candidates;
	*added = 0;
	for (int i = 0; i < n_sorted; i++) {
		AbutCandidate *candidate = &pairs->candidates[i];
		if (!candidate->active &&
		    !are_apart(model, &reached, &candidate->pair, pairs->store.entries[i].normal)) {
			candidate->active = true;
			(*added)++;
		}
	}
	pairs->n_met = 0;
	miss_planes(model, bodies, pairs, n_sorted);
	if (has_boxes(model) && left_its_box(model, &reached)) {
		for (int i = 0; i < model->n_parts; i++) {
			if (model->parts[i].rows.bounded) {
				pairs->bounds[i] = box_reached(model, &reached, i);
			}
		}
		abut_broad_phase_run(&pairs->broad_phase, pairs->bounds, meet, &meeting);
	}
	*added += add_met(model, &reached, pairs, n_sorted);
	if (pairs->out_of_memory) {
		return ABUT_ERROR_MEMORY;
	}
	sort_last(pairs, n_sorted);
	return *added > 0 ? place_solutions(pairs) : ABUT_OK;
}

/* Which pairs of parts a step solves for. The broad phase finds those whose boxes, swept by the step, overlap; of
 * these, a pair is left out while a plane fits between its parts with room for their motion: along the normal that it
 * had last, or along the line of centres. Where the step leads, the same proofs are asked for again without that room.
 */
#include "base/grow.h"
#include "base/sort.h"
#include "base/vec3.h"
#include "dynamics/body/bounds.h"
#include "dynamics/step/step_parts.h"

/* Room between two parts that are left out, as a share of the smaller one's outer radius. */
static const double room = 0.02;

/* Notes the pair of two parts, first < second, when they may touch. */
static void meet(void *context, int first, int second)
{
	AbutWorkspace *w = context;
	if (!abut_pair_allowed(w->model, first, second)) {
		return;
	}
	if (!abut_grow(&w->met, &w->capacity_met, w->n_met + 1, sizeof *w->met)) {
		w->out_of_memory = true;
		return;
	}
	w->met[w->n_met++] = abut_key((const int[2]){first, second});
}

/* How far the two may come closer along a unit direction in a step, and a little more. */
static double closing(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, const double along[3])
{
	const AbutPart *a = &model->parts[pair->part[0]], *b = &model->parts[pair->part[1]];
	return abut_body_way(&bodies[a->body], model->timestep, a->reach, along) +
	       abut_body_way(&bodies[b->body], model->timestep, b->reach, along) +
	       room * abut_min(a->rows.outer_radius, b->rows.outer_radius) + model->margin;
}

/* Whether a plane fits between the two along the unit direction, with room for the step. */
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

/* Whether a bounded part of a moving body comes within `limit` of a halfspace. The spheres in and about the part decide
 * in most cases. */
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
	return abut_body_way(&bodies[model->parts[part].body], model->timestep, model->parts[part].reach, normal) +
	       room * model->parts[part].rows.outer_radius + model->margin;
}

static bool can_meet_planes(const AbutModel *model, const AbutWorkspace *w, int part)
{
	return model->parts[part].rows.bounded && w->bodies[model->parts[part].body].moving >= 0;
}

/* Whether the last step left the two as good as touching. */
static bool was_touching(const AbutContactMemory *memory)
{
	return memory && memory->solved && memory->alpha < 1.0 + room;
}

/* The state's memory of a key, NULL when there is none. */
static const AbutContactMemory *find_memory(const AbutContactStore *store, const int part[2])
{
	int low = 0, high = store->n;
	while (low < high) {
		const int middle = (low + high) / 2;
		const int order = abut_compare_keys(store->entries[middle].part, part);
		if (order == 0) {
			return &store->entries[middle];
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return NULL;
}

/* Keys of the parts that may come to touch a halfspace in the step. One that touched it needs no question: a shape that
 * touches when scaled by alpha is no further than (alpha - 1) times its radius, which is within the room. */
static void meet_planes(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	for (int i = 0; i < model->n_planes; i++) {
		const int plane = model->planes[i];
		for (int part = 0; part < model->n_parts; part++) {
			const int key[2] = {part < plane ? part : plane, part < plane ? plane : part};
			if (can_meet_planes(model, w, part) &&
			    (was_touching(find_memory(&state->store, key)) ||
			     meets_plane(model, plane, part, w->bodies, plane_room(model, plane, part, w->bodies)))) {
				meet(w, key[0], key[1]);
			}
		}
	}
}

/* A candidate at the end of the list, with its entry in the store. */
static AbutCandidate *add_candidate(AbutWorkspace *w, const AbutPair *pair, const int part[2], bool active)
{
	AbutCandidate *candidate = &w->candidates[w->n_candidates];
	*candidate = (AbutCandidate){.pair = *pair, .active = active, .source = -1};
	w->by_key[w->n_candidates] = w->n_candidates;
	w->n_candidates++;
	abut_contact_store_add(&w->store, part, 0, 0);
	return candidate;
}

/* Gives the entries of the active candidates their places for a solution. */
static AbutStatus place_solutions(AbutWorkspace *w)
{
	AbutContactStore *store = &w->store;
	w->n_active = 0;
	for (int k = 0; k < w->n_candidates; k++) {
		const int i = w->by_key[k];
		AbutContactMemory *entry = &store->entries[i];
		const AbutPair *pair = &w->candidates[i].pair;
		if (!w->candidates[i].active) {
			continue;
		}
		w->active[w->n_active++] = i;
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

/* Entry of the state's store with the key, from *next on, which moves up: keys come in order. -1: none. */
static int find_source(const AbutContactStore *store, const int part[2], int *next)
{
	while (*next < store->n && abut_compare_keys(store->entries[*next].part, part) < 0) {
		(*next)++;
	}
	return *next < store->n && abut_compare_keys(store->entries[*next].part, part) == 0 ? *next : -1;
}

/* Whether the two parts of a candidate may touch in the step. Those that were as good as touching need no question. */
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

/* Keys of all pairs, which the paper solves for however far apart. */
static void meet_all(const AbutModel *model, AbutWorkspace *w)
{
	for (int first = 0; first < model->n_parts; first++) {
		for (int second = first + 1; second < model->n_parts; second++) {
			meet(w, first, second);
		}
	}
}

/* A lone bounded part has nobody whose box it could meet; the paper's formulation asks for no boxes. */
static bool has_boxes(const AbutModel *model)
{
	return !model->formulation.published && model->n_parts - model->n_planes > 1;
}

/* Keys of the pairs that a step may have to solve for. */
static void meet_near(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	if (has_boxes(model)) {
		abut_bounds_swept(model, w->bodies, w->bounds);
		abut_broad_phase_run(&w->broad_phase, w->bounds, meet, w);
	}
	meet_planes(model, state, w);
}

AbutStatus abut_step_candidates(const AbutModel *model, const AbutState *state, AbutWorkspace *w)
{
	w->n_met = w->n_candidates = 0;
	w->out_of_memory = false;
	abut_contact_store_clear(&w->store);
	if (model->formulation.published) {
		meet_all(model, w);
	} else {
		meet_near(model, state, w);
	}
	if (w->out_of_memory || abut_workspace_reserve(w, w->n_met) != ABUT_OK) {
		return ABUT_ERROR_MEMORY;
	}
	abut_sort_keys(w->met, w->n_met);
	int next = 0;
	for (int k = 0; k < w->n_met; k++) {
		int part[2];
		AbutPair pair;
		decode(w->met[k], part);
		if (!abut_pair_make(model, part[0], part[1], &pair)) {
			continue;
		}
		const int source = find_source(&state->store, part, &next);
		const AbutContactMemory *memory = source >= 0 ? &state->store.entries[source] : NULL;
		const bool active = may_touch(model, &pair, w->bodies, memory);
		add_candidate(w, &pair, part, active)->source = source;
		if (memory) {
			abut_copy3(memory->normal, w->store.entries[w->n_candidates - 1].normal);
		}
	}
	return place_solutions(w);
}

/* Whether the part's body took the step in parts: it may have turned aside on the way. */
static bool in_parts(const AbutModel *model, const AbutWorkspace *w, int part)
{
	const int moving = model->bodies[model->parts[part].body].moving;
	return moving >= 0 && w->members[w->island_of[moving]].info.halvings > 0;
}

/* The box of a bounded part where the step leads, or of its way there in parts. */
static AbutBounds box_reached(const AbutModel *model, const AbutWorkspace *w, int part)
{
	AbutBounds box;
	if (in_parts(model, w, part)) {
		return w->ways[part];
	}
	abut_bounds_tight(model, part, w->bodies, &box);
	return box;
}

/* Whether the two cannot have overlapped: a plane fits between them where the step leads; where one of them got there
 * in parts, the boxes of their ways are apart. */
static bool are_apart(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair, const double normal[3])
{
	if (in_parts(model, w, pair->part[0]) || in_parts(model, w, pair->part[1])) {
		const AbutBounds a = box_reached(model, w, pair->part[0]), b = box_reached(model, w, pair->part[1]);
		return !abut_bounds_overlap(&a, &b);
	}
	double line[3];
	abut_line_of_centres(model, pair, w->bodies, line);
	return abut_separated(model, pair, w->bodies, normal, 0.0) || abut_separated(model, pair, w->bodies, line, 0.0);
}

static bool left_its_box(const AbutModel *model, const AbutWorkspace *w)
{
	for (int i = 0; i < model->n_parts; i++) {
		if (!model->parts[i].rows.bounded || w->bodies[model->parts[i].body].moving < 0) {
			continue;
		}
		const AbutBounds reached = box_reached(model, w, i);
		if (!abut_bounds_within(&reached, &w->bounds[i])) {
			return true;
		}
	}
	return false;
}

/* The candidate of a key, -1 when there is none. */
static int find_candidate(const AbutWorkspace *w, const int part[2], int n_sorted)
{
	const AbutContactMemory *entries = w->store.entries;
	int low = 0, high = n_sorted;
	while (low < high) {
		const int middle = (low + high) / 2;
		const int order = abut_compare_keys(entries[w->by_key[middle]].part, part);
		if (order == 0) {
			return w->by_key[middle];
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return -1;
}

/* Keys of the parts that are in a halfspace without being a candidate with it. */
static void miss_planes(const AbutModel *model, AbutWorkspace *w, int n_sorted)
{
	for (int i = 0; i < model->n_planes; i++) {
		const int plane = model->planes[i];
		for (int part = 0; part < model->n_parts; part++) {
			const int key[2] = {part < plane ? part : plane, part < plane ? plane : part};
			if (can_meet_planes(model, w, part) && find_candidate(w, key, n_sorted) < 0 &&
			    meets_plane(model, plane, part, w->bodies, 0.0)) {
				meet(w, key[0], key[1]);
			}
		}
	}
}

/* Adds the pairs behind the keys that are not candidates, and says how many of them may overlap where the bodies are.
 * The others are kept too: they are asked again when the step leads elsewhere. */
static int add_met(const AbutModel *model, AbutWorkspace *w, int n_sorted)
{
	static const double unknown[3] = {0.0, 0.0, 0.0};
	int added = 0;
	for (int k = 0; k < w->n_met; k++) {
		int part[2];
		AbutPair pair;
		decode(w->met[k], part);
		if (find_candidate(w, part, n_sorted) >= 0 || !abut_pair_make(model, part[0], part[1], &pair)) {
			continue;
		}
		if (abut_workspace_reserve(w, w->n_candidates + 1) != ABUT_OK) {
			w->out_of_memory = true;
			return added;
		}
		const bool apart = model->parts[pair.part[1]].rows.bounded && are_apart(model, w, &pair, unknown);
		add_candidate(w, &pair, part, !apart);
		added += !apart;
	}
	return added;
}

/* Puts the last entries, which are few, in their places among those in order. */
static void sort_last(AbutWorkspace *w, int n_sorted)
{
	const AbutContactMemory *entries = w->store.entries;
	for (int i = n_sorted; i < w->n_candidates; i++) {
		const int moved = w->by_key[i];
		const uint64_t key = abut_key(entries[moved].part);
		int j = i;
		for (; j > 0 && abut_key(entries[w->by_key[j - 1]].part) > key; j--) {
			w->by_key[j] = w->by_key[j - 1];
		}
		w->by_key[j] = moved;
	}
}

AbutStatus abut_step_missed(const AbutModel *model, AbutWorkspace *w, int *added)
{
	const int n_sorted = w->n_candidates;
	*added = 0;
	for (int i = 0; i < n_sorted; i++) {
		AbutCandidate *candidate = &w->candidates[i];
		if (!candidate->active && !are_apart(model, w, &candidate->pair, w->store.entries[i].normal)) {
			candidate->active = true;
			(*added)++;
		}
	}
	w->n_met = 0;
	miss_planes(model, w, n_sorted);
	if (has_boxes(model) && left_its_box(model, w)) {
		for (int i = 0; i < model->n_parts; i++) {
			if (model->parts[i].rows.bounded) {
				w->bounds[i] = box_reached(model, w, i);
			}
		}
		abut_broad_phase_run(&w->broad_phase, w->bounds, meet, w);
	}
	*added += add_met(model, w, n_sorted);
	if (w->out_of_memory) {
		return ABUT_ERROR_MEMORY;
	}
	sort_last(w, n_sorted);
	return *added > 0 ? place_solutions(w) : ABUT_OK;
}

/* Finds the islands: the connected components of the moving bodies, with the active pairs as edges, in the order of
 * their first bodies. They are rebuilt only when the active pairs change. */
#include "dynamics/pairs/islands.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joint.h"
#include "dynamics/model/key.h"

AbutIslandSize abut_island_size_max(const AbutIslandSize *a, const AbutIslandSize *b)
{
	return (AbutIslandSize){.n_bodies = abut_max_int(a->n_bodies, b->n_bodies),
	                        .n_contacts = abut_max_int(a->n_contacts, b->n_contacts),
	                        .n_joints = abut_max_int(a->n_joints, b->n_joints),
	                        .n_couplings = abut_max_int(a->n_couplings, b->n_couplings),
	                        .n_y = abut_max_int(a->n_y, b->n_y),
	                        .n_z = abut_max_int(a->n_z, b->n_z),
	                        .n_law = abut_max_int(a->n_law, b->n_law),
	                        .n_cones = abut_max_int(a->n_cones, b->n_cones),
	                        .n_side = abut_max_int(a->n_side, b->n_side),
	                        .n_blocks = abut_max_int(a->n_blocks, b->n_blocks)};
}

/* Reserves memory for this number of contacts. */
static AbutStatus reserve(AbutPartition *partition, int contacts)
{
	const AbutGrown arrays[] = {{&partition->coupled, sizeof *partition->coupled},
	                            {&partition->partitioned, sizeof *partition->partitioned},
	                            {&partition->by_island, sizeof *partition->by_island}};
	return abut_grow_together(arrays, 3, &partition->capacity, contacts) ? ABUT_OK : ABUT_ERROR_MEMORY;
}

void abut_island_size_add_joint(const AbutJoint *joint, AbutIslandSize *size)
{
	size->n_joints++;
	size->n_y += joint->n_y;
	size->n_z += joint->n_z;
	size->n_law += joint->n_law;
	size->n_cones += joint->n_cones;
}

int abut_joint_pairs(const AbutModel *model)
{
	return model->joints.n + ABUT_COUPLING_PAIRS * model->joints.n_couplings;
}

void abut_island_size_add_coupling(AbutIslandSize *size)
{
	size->n_couplings++;
	size->n_y++;
}

static void carve(const AbutModel *model, AbutPartition *partition, AbutArena *arena)
{
	const size_t n_moving = (size_t)partition->n_patterns;
	partition->members = abut_arena_take(arena, n_moving, sizeof *partition->members);
	partition->members_before = abut_arena_take(arena, n_moving, sizeof *partition->members);
	partition->island_of = abut_arena_take(arena, n_moving, sizeof(int));
	partition->island_before = abut_arena_take(arena, n_moving, sizeof(int));
	partition->largest_first = abut_arena_take(arena, n_moving, sizeof(int));
	partition->moving = abut_arena_take(arena, n_moving, sizeof(AbutBodyWork *));
	partition->joints = abut_arena_take(arena, (size_t)model->joints.n, sizeof(int));
	partition->couplings = abut_arena_take(arena, (size_t)model->joints.n_couplings, sizeof(int));
	partition->patterns = abut_arena_take(arena, n_moving, sizeof *partition->patterns);
}

AbutStatus abut_partition_create(const AbutModel *model, int contacts, AbutPartition *partition)
{
	AbutArena arena = {.base = NULL};
	*partition = (AbutPartition){.n_patterns = model->n_moving, .n_partitioned = -1};
	carve(model, partition, &arena);
	partition->memory = calloc(1, arena.used + ABUT_ARENA_ALIGNMENT);
	if (!partition->memory) {
		partition->n_patterns = 0;
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, partition->memory);
	carve(model, partition, &arena);
	const AbutStatus status = reserve(partition, contacts + abut_joint_pairs(model));
	return status == ABUT_OK ? abut_block_pattern_analyse(&partition->lone, 1, 0, NULL) : status;
}

AbutStatus abut_partition_reserve_patterns(AbutPartition *partition, int contacts)
{
	const int n = partition->n_patterns;
	for (int i = 0; i < n; i++) {
		ABUT_TRY(abut_block_pattern_reserve(&partition->patterns[i], n - i, contacts, (n - i) * (n - i)));
	}
	return ABUT_OK;
}

void abut_partition_destroy(AbutPartition *partition)
{
	for (int i = 0; i < partition->n_patterns; i++) {
		abut_block_pattern_destroy(&partition->patterns[i]);
	}
	abut_block_pattern_destroy(&partition->lone);
	free(partition->by_island);
	free(partition->partitioned);
	free(partition->coupled);
	free(partition->memory);
}

static int root_of(int *parent, int i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

static const AbutPair *active_pair(const AbutNearPairs *pairs, int i)
{
	return &pairs->candidates[pairs->active[i]].pair;
}

/* Joins the islands of two moving bodies. The one with the smaller index is the root, so labels are in order. */
static void join(int *parent, int a, int b)
{
	const int p = root_of(parent, a), q = root_of(parent, b);
	parent[p > q ? p : q] = p > q ? q : p;
}

/* Returns the index of a joint's parent (0) or child (1) among the moving bodies, or -1. */
static int moving_of(const AbutModel *model, const AbutJoint *joint, int side)
{
	return joint->body[side] < model->n_bodies ? model->bodies[joint->body[side]].moving : -1;
}

/* Returns the index of a moving body of a joint, of which it has one at least. */
static int any_moving_of(const AbutModel *model, int joint)
{
	const int a = moving_of(model, &model->joints.at[joint], 0);
	return a >= 0 ? a : moving_of(model, &model->joints.at[joint], 1);
}

/* Computes island_of for every moving body and returns the number of islands. */
static int label(const AbutModel *model, const AbutNearPairs *pairs, AbutPartition *partition)
{
	int *parent = partition->island_of, n_islands = 0;
	for (int i = 0; i < model->n_moving; i++) {
		parent[i] = i;
	}
	for (int i = 0; i < pairs->n_active; i++) {
		const AbutPair *pair = active_pair(pairs, i);
		const int a = model->bodies[pair->body[0]].moving, b = model->bodies[pair->body[1]].moving;
		if (b >= 0) {
			join(parent, a, b);
		}
	}
	for (int i = 0; i < model->joints.n; i++) {
		const int a = moving_of(model, &model->joints.at[i], 0), b = moving_of(model, &model->joints.at[i], 1);
		if (a >= 0 && b >= 0) {
			join(parent, a, b);
		}
	}
	for (int i = 0; i < model->joints.n_couplings; i++) {
		const AbutCoupling *coupling = &model->joints.couplings[i];
		join(parent, any_moving_of(model, coupling->joint[0]), any_moving_of(model, coupling->joint[1]));
	}
	for (int i = 0; i < model->n_moving; i++) {
		parent[i] = root_of(parent, i);
	}
	for (int i = 0; i < model->n_moving; i++) { /* a root precedes its members */
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

static int island_of_joint(const AbutModel *model, const AbutPartition *partition, int joint)
{
	return partition->island_of[any_moving_of(model, joint)];
}

/* Sorts the joints and couplings by island, after their first indices of the islands are set. */
static void place_joints(const AbutModel *model, AbutPartition *partition)
{
	for (int i = 0; i < partition->n_islands; i++) {
		partition->largest_first[i] = partition->members[i].first_joint; /* temporarily, as for contacts */
	}
	for (int i = 0; i < model->joints.n; i++) {
		partition->joints[partition->largest_first[island_of_joint(model, partition, i)]++] = i;
	}
	for (int i = 0; i < partition->n_islands; i++) {
		partition->largest_first[i] = partition->members[i].first_coupling;
	}
	for (int i = 0; i < model->joints.n_couplings; i++) {
		const int island = island_of_joint(model, partition, model->joints.couplings[i].joint[0]);
		partition->couplings[partition->largest_first[island]++] = i;
	}
}

/* Sorts bodies and pairs by island, and within an island in the model's order: first counts them, then places them. */
static void distribute(const AbutModel *model, const AbutNearPairs *pairs, AbutBodyWork *bodies,
                       AbutPartition *partition)
{
	memset(partition->members, 0, (size_t)partition->n_islands * sizeof *partition->members);
	for (int i = 0; i < model->n_moving; i++) {
		AbutIslandSize *size = &partition->members[partition->island_of[i]].size;
		bodies[model->moving_body[i]].moving = size->n_bodies++;
		size->n_y += 6;
	}
	for (int i = 0; i < pairs->n_active; i++) {
		const AbutPair *pair = active_pair(pairs, i);
		const int island = partition->island_of[model->bodies[pair->body[0]].moving];
		add_contact_size(pair, &partition->members[island].size);
	}
	for (int i = 0; i < model->joints.n; i++) {
		abut_island_size_add_joint(&model->joints.at[i],
		                           &partition->members[island_of_joint(model, partition, i)].size);
	}
	for (int i = 0; i < model->joints.n_couplings; i++) {
		abut_island_size_add_coupling(
		    &partition->members[island_of_joint(model, partition, model->joints.couplings[i].joint[0])].size);
	}
	int first_body = 0, contacts = 0, joints = 0, couplings = 0;
	for (int i = 0; i < partition->n_islands; i++) {
		AbutIslandMembers *members = &partition->members[i];
		members->first_body = first_body;
		members->first_contact = contacts;
		members->first_joint = joints;
		members->first_coupling = couplings;
		first_body += members->size.n_bodies;
		contacts += members->size.n_contacts;
		joints += members->size.n_joints;
		couplings += members->size.n_couplings;
		partition->largest_first[i] = members->first_contact; /* temporarily: index of the next contact */
	}
	for (int i = 0; i < model->n_moving; i++) {
		AbutBodyWork *body = &bodies[model->moving_body[i]];
		partition->moving[partition->members[partition->island_of[i]].first_body + body->moving] = body;
	}
	for (int i = 0; i < pairs->n_active; i++) {
		const int island = partition->island_of[model->bodies[active_pair(pairs, i)->body[0]].moving];
		partition->by_island[partition->largest_first[island]++] = i;
	}
	place_joints(model, partition);
}

/* Sorts the islands for solving, largest first, so that no thread is left with a large one at the end. Only islands
 * with at least `large` contacts are sorted; the others keep their order. */
static void order_by_size(AbutPartition *partition)
{
	static const int large = 8;
	int n = 0;
	for (int i = 0; i < partition->n_islands; i++) {
		if (partition->members[i].size.n_contacts >= large) {
			int j = n++;
			for (; j > 0 && partition->members[partition->largest_first[j - 1]].size.n_contacts <
			                    partition->members[i].size.n_contacts;
			     j--) {
				partition->largest_first[j] = partition->largest_first[j - 1];
			}
			partition->largest_first[j] = i;
		}
	}
	for (int i = 0; i < partition->n_islands; i++) {
		if (partition->members[i].size.n_contacts < large) {
			partition->largest_first[n++] = i;
		}
	}
}

/* Returns whether the islands were made for the present active pairs. */
static bool is_partitioned(const AbutPartition *partition, const AbutNearPairs *pairs)
{
	if (partition->n_partitioned != pairs->n_active) {
		return false;
	}
	for (int i = 0; i < pairs->n_active; i++) {
		if (partition->partitioned[i] != abut_key(pairs->store.entries[pairs->active[i]].part)) {
			return false;
		}
	}
	return true;
}

/* Lists the pairs of bodies of a coupling that are not those of its joints. */
static void list_coupled(const AbutModel *model, const AbutBodyWork *bodies, int index, int (*coupled)[2])
{
	const AbutCoupling *coupling = &model->joints.couplings[index];
	for (int k = 0; k < ABUT_COUPLING_PAIRS; k++) {
		const int pair[2] = {model->joints.at[coupling->joint[0]].body[k / 2],
		                     model->joints.at[coupling->joint[1]].body[k % 2]};
		for (int s = 0; s < 2; s++) {
			coupled[k][s] = pair[s] < model->n_bodies ? bodies[pair[s]].moving : -1;
		}
	}
}

/* Computes the block pattern of each island. */
static AbutStatus analyse(const AbutModel *model, const AbutNearPairs *pairs, const AbutBodyWork *bodies,
                          AbutPartition *partition)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < partition->n_islands; i++) {
		AbutIslandMembers *members = &partition->members[i];
		AbutBlockPattern *own = &partition->patterns[i];
		members->pattern = members->size.n_bodies == 1 ? &partition->lone : own;
		for (int j = 0; j < members->size.n_contacts && members->pattern == own; j++) {
			const AbutPair *pair = active_pair(pairs, partition->by_island[members->first_contact + j]);
			partition->coupled[j][0] = bodies[pair->body[0]].moving;
			partition->coupled[j][1] = bodies[pair->body[1]].moving;
		}
		for (int j = 0; j < members->size.n_joints && members->pattern == own; j++) {
			const AbutJoint *joint = &model->joints.at[partition->joints[members->first_joint + j]];
			int *coupled = partition->coupled[members->size.n_contacts + j];
			for (int s = 0; s < 2; s++) {
				coupled[s] = joint->body[s] < model->n_bodies ? bodies[joint->body[s]].moving : -1;
			}
		}
		if (members->pattern == own) {
			int n_edges = members->size.n_contacts + members->size.n_joints;
			for (int j = 0; j < members->size.n_couplings; j++, n_edges += ABUT_COUPLING_PAIRS) {
				list_coupled(model, bodies, partition->couplings[members->first_coupling + j],
				             &partition->coupled[n_edges]);
			}
			status = abut_block_pattern_analyse(own, members->size.n_bodies, n_edges,
			                                    (const int(*)[2])partition->coupled);
		}
		members->size.n_blocks = members->pattern->n_blocks;
	}
	return status;
}

AbutStatus abut_partition_make(const AbutModel *model, const AbutNearPairs *pairs, AbutBodyWork *bodies,
                               AbutPartition *partition)
{
	if (!is_partitioned(partition, pairs)) {
		partition->n_partitioned = -1;
		ABUT_TRY(reserve(partition, pairs->n_active + abut_joint_pairs(model)));
		partition->n_islands = label(model, pairs, partition);
		distribute(model, pairs, bodies, partition);
		order_by_size(partition);
		if ((model->method->has.couples || model->joints.n > 0) &&
		    analyse(model, pairs, bodies, partition) != ABUT_OK) {
			return ABUT_ERROR_MEMORY;
		}
		for (int i = 0; i < pairs->n_active; i++) {
			partition->partitioned[i] = abut_key(pairs->store.entries[pairs->active[i]].part);
		}
		partition->n_partitioned = pairs->n_active;
	}
	for (int i = 0; i < partition->n_islands; i++) {
		partition->members[i].info = (AbutStepInfo){.tries = 0};
		partition->members[i].gathered = true;
		partition->members[i].solved = false;
	}
	return ABUT_OK;
}

AbutStatus abut_partition_remake(const AbutModel *model, const AbutNearPairs *pairs, AbutBodyWork *bodies,
                                 AbutPartition *partition)
{
	AbutIslandMembers *const members = partition->members_before;
	int *const island_of = partition->island_before;
	partition->members_before = partition->members;
	partition->island_before = partition->island_of;
	partition->members = members;
	partition->island_of = island_of;
	ABUT_TRY(abut_partition_make(model, pairs, bodies, partition));
	for (int i = 0; i < partition->n_islands;
	     i++) { /* pairs were only added, so an equal number means equal pairs */
		AbutIslandMembers *now = &partition->members[i];
		const int first = partition->moving[now->first_body]->body;
		const AbutIslandMembers *before =
		    &partition->members_before[partition->island_before[model->bodies[first].moving]];
		now->info = before->info;
		now->gathered = false;
		now->solved =
		    now->size.n_contacts == before->size.n_contacts && now->size.n_bodies == before->size.n_bodies;
	}
	return ABUT_OK;
}

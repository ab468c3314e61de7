/* Islands: bodies that touch, directly or through other bodies, are solved together; each island is solved on its own.
 */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/pairs/near.h"
#include "solver/blocks/pattern.h"

/* The numbers that determine the memory of an island. */
typedef struct AbutIslandSize {
	int n_bodies, n_contacts, n_joints, n_couplings, n_y, n_z, n_law, n_cones, n_side, n_blocks;
} AbutIslandSize;

/* The members of an island, and the progress of its step. */
typedef struct AbutIslandMembers {
	int first_body, first_contact;   /* first indices in AbutPartition.moving and by_island */
	int first_joint, first_coupling; /* first indices in AbutPartition.joints and couplings */
	AbutIslandSize size;
	const AbutBlockPattern *pattern; /* of its bodies' blocks */
	bool gathered;                   /* its bodies still have the pose and velocity of the start of the step */
	bool solved;                     /* solved in this step, and no pair was added since */
	AbutStepInfo info;               /* totals of all its solves in this step */
} AbutIslandMembers;

/* The moving bodies and the active pairs, sorted by island. */
typedef struct AbutPartition {
	int n_islands;
	AbutIslandMembers *members;        /* (n_islands), capacity n_moving */
	int *island_of;                    /* (n_moving) island of each body, in the model's order */
	AbutIslandMembers *members_before; /* the islands before the last addition of pairs in the step */
	int *island_before;
	AbutBodyWork **moving; /* (n_moving) bodies sorted by island */
	int *by_island;        /* (n_active) indices into AbutNearPairs.active, sorted by island */
	int *joints;           /* (n_joints) indices into AbutModel.joints, sorted by island */
	int *couplings;        /* (n_couplings) indices into AbutModel.joints.couplings, sorted by island */
	int *largest_first;    /* (n_islands) order in which islands are solved */
	AbutBlockPattern lone; /* pattern of an island of one body */
	int n_patterns;
	AbutBlockPattern *patterns; /* (n_patterns = n_moving) patterns of islands of several bodies */
	int capacity;               /* number of pairs that fit into by_island, coupled and partitioned */
	int (*coupled)[2];          /* pairs of bodies that share an edge of an island */
	uint64_t *partitioned;      /* (n_partitioned) keys of the active pairs for which the islands were made */
	int n_partitioned;          /* < 0: islands were never made */
	void *memory;
} AbutPartition;

/* Returns the larger of two sizes, entry by entry. */
AbutIslandSize abut_island_size_max(const AbutIslandSize *a, const AbutIslandSize *b);

/* Adds a joint to a size. */
void abut_island_size_add_joint(const struct AbutJoint *joint, AbutIslandSize *size);
/* Adds a coupling to a size. */
void abut_island_size_add_coupling(AbutIslandSize *size);
/* Returns the number of pairs of bodies that the joints and couplings of a model add to the patterns at most. */
int abut_joint_pairs(const AbutModel *model);

/* Allocates a partition for the model's bodies and joints and this number of contacts. Destroy it even after
 * ABUT_ERROR_MEMORY. */
AbutStatus abut_partition_create(const AbutModel *model, int contacts, AbutPartition *partition);
void abut_partition_destroy(AbutPartition *partition);
/* Reserves memory for the block patterns of all islands that the bodies may form. */
AbutStatus abut_partition_reserve_patterns(AbutPartition *partition, int contacts);

/* Finds the islands for a step and marks all of them as not solved. */
AbutStatus abut_partition_make(const AbutModel *model, const AbutNearPairs *pairs, AbutBodyWork *bodies,
                               AbutPartition *partition);
/* Finds the islands again after pairs were added in the step. Islands without a new pair remain solved. */
AbutStatus abut_partition_remake(const AbutModel *model, const AbutNearPairs *pairs, AbutBodyWork *bodies,
                                 AbutPartition *partition);

/* Islands: bodies that touch, directly or through others, are solved together; islands are solved separately. */
#ifndef DYNAMICS_PAIRS_ISLANDS_H
#define DYNAMICS_PAIRS_ISLANDS_H

#include "dynamics/body/body.h"
#include "dynamics/pairs/near.h"
#include "solver/blocks/pattern.h"

/* The sizes that determine the memory of an island. */
typedef struct AbutIslandSize {
	int n_bodies, n_contacts, n_y, n_z, n_law, n_cones, n_side, n_blocks;
} AbutIslandSize;

/* The members of an island, and the progress of its step. */
typedef struct AbutIslandMembers {
	int first_body, first_contact; /* into AbutPartition.moving and by_island */
	AbutIslandSize size;
	const AbutBlockPattern *pattern; /* pattern of its bodies' blocks */
	bool gathered;                   /* its bodies are as at the start of the step */
	bool solved;                     /* in this step, and no pair has been added since */
	AbutStepInfo info;               /* info of all its solves in this step */
} AbutIslandMembers;

/* The moving bodies and the active pairs by island. */
typedef struct AbutPartition {
	int n_islands;
	AbutIslandMembers *members;        /* (n_islands), capacity n_moving */
	int *island_of;                    /* (n_moving) by model order */
	AbutIslandMembers *members_before; /* the islands before pairs were last added in the step */
	int *island_before;
	AbutBodyWork **moving; /* (n_moving) by island */
	int *by_island;        /* (n_active) places in AbutNearPairs.active, by island */
	int *largest_first;    /* (n_islands) order of solving */
	AbutBlockPattern lone; /* pattern of a body alone */
	int n_patterns;
	AbutBlockPattern *patterns; /* (n_patterns = n_moving) patterns of the islands of several bodies */
	int capacity;               /* contacts that by_island, coupled and partitioned have room for */
	int (*coupled)[2];          /* bodies of an island's pairs */
	uint64_t *partitioned;      /* (n_partitioned) keys of the active pairs when the islands were made last */
	int n_partitioned;          /* < 0: never */
	void *memory;
} AbutPartition;

/* Returns the larger of two sizes, entry by entry. */
AbutIslandSize abut_island_size_max(const AbutIslandSize *a, const AbutIslandSize *b);

/* Makes room for so many moving bodies and contacts. Destroy the partition even after ABUT_ERROR_MEMORY. */
AbutStatus abut_partition_create(int n_moving, int contacts, AbutPartition *partition);
void abut_partition_destroy(AbutPartition *partition);
/* Makes room for the patterns of any islands that the bodies may form. */
AbutStatus abut_partition_reserve_patterns(AbutPartition *partition, int contacts);

/* Makes the members of each island, none of them solved. */
AbutStatus abut_partition_make(const AbutModel *model, const AbutNearPairs *pairs, AbutBodyWork *bodies,
                               AbutPartition *partition);
/* Rebuilds the islands after pairs were added in the step; islands without a new pair remain solved. */
AbutStatus abut_partition_remake(const AbutModel *model, const AbutNearPairs *pairs, AbutBodyWork *bodies,
                                 AbutPartition *partition);

#endif

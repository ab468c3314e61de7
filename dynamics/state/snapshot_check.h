/* Checks a snapshot before it is restored. */
#pragma once

#include "dynamics/model/model.h"

typedef struct AbutSnapshotCheck {
	const AbutModel *model;
	size_t n;
	const double *in; /* (n) */
	bool whole;       /* check the data of the warm start too, not only the motion */
	AbutError *error;
} AbutSnapshotCheck;

/* Checks that the numbers are a possible state of the model. */
AbutStatus abut_snapshot_check(const AbutSnapshotCheck *check);

/* The methods behind one table: what each of them does otherwise in the stages that all share. A method is a row of
 * dynamics/methods/table.c; what derivatives make of it is in gradient.c. */
#ifndef DYNAMICS_METHODS_TABLE_H
#define DYNAMICS_METHODS_TABLE_H

#include "dynamics/model/pair.h"
#include "dynamics/step/workspace.h"

typedef struct AbutMethodTable {
	/* The parts of a scaled model made ready, or the first that the method cannot do refused. NULL: all are. */
	AbutStatus (*make_ready)(AbutModel *model, AbutError *error);
	/* Room for as many contacts; the sizes of a pair whose other members are there. */
	AbutRoom (*room)(const AbutModel *model, int contacts);
	void (*size)(const AbutModel *model, AbutPair *pair);
	/* A step from the state to a solution of all islands in the workspace. */
	AbutStatus (*step)(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutStepInfo *info);
	/* An island in it, by the room of a thread; NULL where the step has its own. */
	void (*advance)(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutIslandMembers *members,
	                AbutIsland *island);
} AbutMethodTable;

/* The row of the model's method. */
const AbutMethodTable *abut_method_table(const AbutModel *model);

#endif

/* Sets up an island's problem with the chosen candidates as its contacts. */
#include "dynamics/island/setup.h"

#include <math.h>

#include "dynamics/body/body.h"
#include "dynamics/contact/setup.h"
#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"
#include "dynamics/pairs/islands.h"

void abut_island_setup(const AbutModel *model, AbutBodyWork *bodies, AbutNearPairs *pairs,
                       const AbutPartition *partition, const AbutIslandMembers *members, int n_chosen, double timestep,
                       AbutIsland *island)
{
	AbutContactProblem *problem = &island->problem;
	AbutContactPlace place = {
	    .y = 6 * members->size.n_bodies, .cones = island->cones, .side_memory = island->side_memory};
	double caution = 0.0;
	problem->timestep = timestep;
	problem->friction_cone = model->options.friction_cone;
	problem->n_moving = members->size.n_bodies;
	problem->moving = &partition->moving[members->first_body];
	problem->n_contacts = n_chosen;
	for (int i = 0; i < n_chosen; i++) {
		AbutContactWork *contact = &problem->contacts[i];
		const int index = island->chosen[i];
		abut_contact_setup(model, &pairs->candidates[index].pair, index, &pairs->store, bodies, &place,
		                   contact);
		caution = fmax(caution, abut_conic_rows_caution(contact->side[0].rows, contact->side[1].rows));
	}
	problem->system = (AbutBlockSystem){members->pattern, island->blocks.blocks};
	island->warm = problem->moving[0]->last_timestep > 0.0;
	island->ncp = (AbutNcp){.problem = problem,
	                        .ops = &abut_contact_problem_ops,
	                        .n_y = place.y,
	                        .n_z = place.z,
	                        .cones = island->cones,
	                        .n_cones = place.n_cones,
	                        .caution = caution};
}

/* Allocates the memory in which islands are solved, and sets up an island's problem. */
#include "dynamics/island/island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/contact/setup.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/direction.h"
#include "dynamics/joint/setup.h"

static bool fits(const AbutIslandSize *size, const AbutIslandSize *room)
{
	return size->n_bodies <= room->n_bodies && size->n_contacts <= room->n_contacts &&
	       size->n_joints <= room->n_joints && size->n_couplings <= room->n_couplings && size->n_y <= room->n_y &&
	       size->n_z <= room->n_z && size->n_law <= room->n_law && size->n_cones <= room->n_cones &&
	       size->n_side <= room->n_side && size->n_blocks <= room->n_blocks;
}

/* Returns the size to reserve. If existing memory has to grow, it is a quarter larger than requested, because islands
 * grow gradually. */
static AbutIslandSize generous(const AbutIslandSize *size, const AbutIslandSize *room)
{
	AbutIslandSize more = *size;
	int *const values[] = {&more.n_bodies, &more.n_contacts, &more.n_joints, &more.n_couplings, &more.n_y,
	                       &more.n_z,      &more.n_law,      &more.n_cones,  &more.n_side,      &more.n_blocks};
	for (size_t i = 0; room->n_bodies > 0 && i < sizeof values / sizeof *values; i++) {
		*values[i] += *values[i] / 4;
	}
	return abut_island_size_max(&more, room);
}

static void carve(const AbutModel *model, const AbutIslandSize *size, AbutIsland *island, AbutArena *arena)
{
	const size_t n_y = (size_t)size->n_y, n_z = (size_t)size->n_z, n_contacts = (size_t)size->n_contacts;
	int most_eps = 0, most_cones = 0;
	for (int i = 0; i < model->n_parts; i++) {
		most_eps = abut_max_int(most_eps, model->parts[i].rows.n_eps);
		most_cones = abut_max_int(most_cones, model->parts[i].n_cones);
	}
	island->problem.contacts = abut_arena_take(arena, n_contacts, sizeof(AbutContactWork));
	island->problem.joints = abut_arena_take(arena, (size_t)size->n_joints, sizeof(AbutJointWork));
	island->problem.couplings = abut_arena_take(arena, (size_t)size->n_couplings, sizeof(AbutCouplingWork));
	island->problem.scratch = abut_arena_take(arena, (size_t)model->scratch, sizeof(double));
	island->cones = abut_arena_take(arena, (size_t)size->n_cones, sizeof(AbutCone));
	island->side_memory = abut_arena_take(arena, (size_t)size->n_side, sizeof(double));
	AbutKeptPoint *const points[] = {&island->path, &island->share};
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		points[i]->y = abut_arena_take(arena, n_y, sizeof(double));
		points[i]->z = abut_arena_take(arena, n_z, sizeof(double));
		points[i]->s = abut_arena_take(arena, n_z, sizeof(double));
	}
	island->start_y = abut_arena_take(arena, n_y, sizeof(double));
	island->alone_y = abut_arena_take(arena, n_y, sizeof(double));
	island->alone_z = abut_arena_take(arena, n_z, sizeof(double));
	island->chosen = abut_arena_take(arena, n_contacts, sizeof(int));
	island->is_chosen = abut_arena_take(arena, n_contacts, sizeof(bool));
	island->scaling.scratch = island->problem.scratch;
	island->scaling.cones = abut_arena_take(arena, 2 * (size_t)most_cones + 1, sizeof(AbutCone));
	for (int s = 0; s < 2; s++) {
		island->scaling.side[s].B_lambda = abut_arena_take(arena, (size_t)most_eps, sizeof(double));
		island->scaling.side[s].eps_map = abut_arena_take(arena, 6 * (size_t)most_eps, sizeof(double));
	}
}

bool abut_island_too_large(const AbutModel *model, const AbutIslandSize *size)
{
	return model->options.linear_solver == ABUT_LINEAR_SOLVER_DENSE && size->n_y + size->n_z > ABUT_DENSE_MAX;
}

AbutStatus abut_island_reserve(const AbutModel *model, AbutIsland *island, const AbutIslandSize *size)
{
	if (island->memory && fits(size, &island->room)) {
		return ABUT_OK;
	}
	const AbutIslandSize room = generous(size, &island->room);
	abut_island_destroy(model->method, island);
	AbutArena arena = {.base = NULL};
	carve(model, &room, island, &arena);
	island->memory = calloc(1, arena.used + ABUT_ARENA_ALIGNMENT);
	if (!island->memory) {
		return ABUT_ERROR_MEMORY;
	}
	abut_arena_begin(&arena, island->memory);
	carve(model, &room, island, &arena);
	const bool dense = model->options.linear_solver == ABUT_LINEAR_SOLVER_DENSE;
	AbutStatus status = abut_iterate_create(room.n_y, room.n_z, room.n_law, dense, &island->iterate);
	if (status == ABUT_OK && model->method->island_create) {
		status = model->method->island_create(model, &room, island);
	}
	ABUT_THEN(status, abut_block_memory_room(&island->blocks, room.n_blocks));
	if (status == ABUT_OK) {
		island->room = room;
	} else {
		abut_island_destroy(model->method, island);
	}
	return status;
}

void abut_island_destroy(const AbutMethodRow *method, AbutIsland *island)
{
	if (method->island_destroy) {
		method->island_destroy(island);
	}
	abut_iterate_destroy(&island->iterate);
	abut_block_memory_destroy(&island->blocks);
	free(island->memory);
	memset(island, 0, sizeof *island);
}

static void copy(const AbutNcp *ncp, const AbutKeptPoint *from, const AbutKeptPoint *to)
{
	memcpy(to->y, from->y, (size_t)ncp->n_y * sizeof(double));
	memcpy(to->z, from->z, (size_t)ncp->n_z * sizeof(double));
	memcpy(to->s, from->s, (size_t)ncp->n_z * sizeof(double));
}

void abut_island_keep(const AbutIsland *island, const AbutKeptPoint *point)
{
	copy(&island->ncp, &(AbutKeptPoint){island->iterate.y, island->iterate.z, island->iterate.s}, point);
}

void abut_island_take_back(AbutIsland *island, const AbutKeptPoint *point)
{
	copy(&island->ncp, point, &(AbutKeptPoint){island->iterate.y, island->iterate.z, island->iterate.s});
}

/* Returns the joint of this index among the island's, which are in the model's order. */
static AbutJointWork *find_joint(const AbutIslandJoints *joints, int joint, AbutContactProblem *problem)
{
	int low = 0, high = joints->n - 1;
	while (low < high) {
		const int middle = (low + high) / 2;
		if (joints->list[middle] < joint) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return &problem->joints[low];
}

/* Sets up the couplings of the island's joints, with their impulses from `y` on. Returns the next y. */
static int setup_couplings(const AbutModel *model, const AbutIslandJoints *joints, double timestep, int y,
                           AbutContactProblem *problem)
{
	problem->n_couplings = joints->n_couplings;
	for (int i = 0; i < joints->n_couplings; i++) {
		const int index = joints->couplings[i];
		const AbutCoupling *coupling = &model->joints.couplings[index];
		abut_coupling_setup(
		    coupling, &joints->coupling_memory[index], find_joint(joints, coupling->joint[0], problem),
		    find_joint(joints, coupling->joint[1], problem), y + i, timestep, &problem->couplings[i]);
	}
	return y + joints->n_couplings;
}

/* Returns what the largest momentum of a rotor, or impulse of a spring or motor, leaves by rounding. */
static double rounding_of(const AbutContactProblem *problem)
{
	static const double digits = 2e-14;
	double most = 0.0;
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *work = &problem->joints[i];
		for (int k = 0; k < work->joint->kind->n_freedoms; k++) {
			const AbutJointAxisWork *axis = &work->axis[k];
			most = abut_max(most, fabs(axis->I0) + axis->slope * fabs(axis->from.last_rate));
		}
	}
	return digits * most;
}

void abut_island_setup_joints(const AbutModel *model, AbutBodyWork *bodies, const AbutIslandJoints *joints,
                              double timestep, AbutJointPlace *place, AbutContactProblem *problem)
{
	problem->n_joints = joints->n;
	for (int i = 0; i < joints->n; i++) {
		const int joint = joints->list[i];
		abut_joint_setup(&model->joints.at[joint], &joints->memory[joint], bodies,
		                 &joints->targets[ABUT_JOINT_FREEDOMS * joint], timestep, place, &problem->joints[i]);
	}
	place->y = setup_couplings(model, joints, timestep, place->y, problem);
	abut_joints_direct(problem->joints, joints->n, timestep);
	problem->rounding = rounding_of(problem);
}

void abut_island_setup(const AbutModel *model, AbutBodyWork *bodies, AbutNearPairs *pairs,
                       const AbutPartition *partition, const AbutIslandMembers *members, const AbutIslandChoice *choice,
                       double timestep, AbutIsland *island)
{
	const int n_chosen = choice->n_contacts;
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
	AbutJointPlace next = {
	    .y = place.y, .z = place.z, .n_cones = place.n_cones, .law = place.law, .cones = place.cones};
	abut_island_setup_joints(model, bodies, &choice->joints, timestep, &next, problem);
	problem->system = (AbutBlockSystem){members->pattern, island->blocks.blocks};
	island->warm = problem->moving[0]->last_timestep > 0.0;
	island->ncp = (AbutNcp){.problem = problem,
	                        .ops = &abut_contact_problem_ops,
	                        .n_y = next.y,
	                        .n_z = next.z,
	                        .cones = island->cones,
	                        .n_cones = next.n_cones,
	                        .caution = caution,
	                        .stop = island->stop};
}

/* The bodies and joints of a model at poses, as the work of a step has them, and the linear system of all bodies.
 * Tested in tests/dynamics/joint/test_assemble.c. */
#include "dynamics/joint/assembly.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/joint/evaluate.h"
#include "dynamics/joint/setup.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/scale.h"

void abut_assembly_place_body(const AbutModel *model, int index, const double position[3], const double orientation[4],
                              AbutBodyWork *work)
{
	const AbutBody *body = &model->bodies[index];
	double RJ[9], offset[3];
	*work = (AbutBodyWork){.body = index, .moving = body->moving, .planar = body->planar, .mass = body->mass};
	abut_quat_to_mat3(orientation, work->R);
	abut_mat3_vec(work->R, body->centre_of_mass, offset);
	abut_add3(position, offset, work->x);
	abut_divide3(work->x, model->units.length, work->x);
	abut_mat3_mul(work->R, body->inertia, RJ);
	abut_mat3_mul_transposed(RJ, work->R, work->inertia);
}

static AbutStatus allocate(AbutAssembly *a)
{
	const size_t n_bodies = (size_t)a->model->n_bodies + 1, n_joints = (size_t)a->model->joints.n;
	a->bodies = calloc(n_bodies, sizeof *a->bodies);
	a->turn = calloc(n_bodies, sizeof *a->turn);
	a->joints = calloc(n_joints, sizeof *a->joints);
	a->couplings = calloc((size_t)a->model->joints.n_couplings + 1, sizeof *a->couplings);
	a->coupled = calloc(n_joints + ABUT_COUPLING_PAIRS * (size_t)a->model->joints.n_couplings, sizeof *a->coupled);
	a->placed = calloc(n_bodies, sizeof *a->placed);
	a->stops = calloc(n_joints, sizeof *a->stops);
	return a->stops && a->placed && a->bodies && a->turn && a->joints && a->couplings && a->coupled
	           ? ABUT_OK
	           : ABUT_ERROR_MEMORY;
}

void abut_assembly_place_bodies(AbutAssembly *a)
{
	const AbutModel *model = a->model;
	for (int i = 0; i < model->n_bodies; i++) {
		const AbutBodyState *initial = &model->bodies[i].initial;
		abut_assembly_place_body(model, i, initial->position, initial->orientation, &a->bodies[i]);
		memcpy(a->turn[i], (const double[4]){1.0, 0.0, 0.0, 0.0}, sizeof a->turn[i]);
	}
	a->bodies[model->n_bodies] = abut_body_world();
	for (int i = 0; i < model->joints.n; i++) {
		AbutJointWork *work = &a->joints[i];
		work->joint = &model->joints.at[i];
		for (int s = 0; s < 2; s++) {
			work->body[s] = &a->bodies[work->joint->body[s]];
			a->coupled[i][s] = work->body[s]->moving;
		}
		abut_joint_set_compliance(work);
	}
	a->n_pairs = model->joints.n;
	for (int i = 0; i < model->joints.n_couplings; i++) {
		const AbutCoupling *coupling = &model->joints.couplings[i];
		AbutJointWork *const joint[2] = {&a->joints[coupling->joint[0]], &a->joints[coupling->joint[1]]};
		abut_coupling_begin(coupling, joint[0], joint[1], &a->couplings[i]);
		for (int k = 0; k < ABUT_COUPLING_PAIRS; k++) {
			int *pair = a->coupled[a->n_pairs++];
			pair[0] = joint[0]->body[k / 2]->moving;
			pair[1] = joint[1]->body[k % 2]->moving;
		}
	}
}

/* Finds the pattern of the linear system of all bodies, and makes room for its blocks. */
static AbutStatus prepare(AbutAssembly *a)
{
	ABUT_TRY(abut_block_pattern_analyse(&a->pattern, a->model->n_moving, a->n_pairs, (const int(*)[2])a->coupled));
	ABUT_TRY(abut_block_memory_room(&a->memory, a->pattern.n_blocks));
	a->system = (AbutBlockSystem){&a->pattern, a->memory.blocks};
	return ABUT_OK;
}

AbutStatus abut_assembly_begin(AbutAssembly *a, AbutError *error)
{
	AbutStatus status = allocate(a);
	if (status == ABUT_OK) {
		abut_assembly_place_bodies(a);
		status = prepare(a);
	}
	return status == ABUT_OK ? ABUT_OK : abut_model_no_memory(error);
}

void abut_assembly_end(AbutAssembly *a)
{
	abut_block_pattern_destroy(&a->pattern);
	abut_block_memory_destroy(&a->memory);
	free(a->bodies);
	free(a->turn);
	free(a->placed);
	free(a->stops);
	free(a->joints);
	free(a->couplings);
	free(a->coupled);
}

void abut_assembly_place_joints(const AbutAssembly *a)
{
	for (int i = 0; i < a->model->joints.n; i++) {
		AbutJointWork *work = &a->joints[i];
		abut_sub3(work->body[1]->x, work->body[0]->x, work->d0);
		abut_joint_place(work, 0.0, work->g);
	}
}

void abut_assembly_add_inertias(const AbutAssembly *a)
{
	for (int i = 0; i < a->model->n_moving; i++) {
		const AbutBodyWork *body = &a->bodies[a->model->moving_body[i]];
		double *block = abut_block(&a->system, i, i);
		for (int k = 0; k < 3; k++) {
			block[k * ABUT_BLOCK_ROW + k] = body->mass;
			memcpy(&block[(3 + k) * ABUT_BLOCK_ROW + 3], &body->inertia[3 * k], 3 * sizeof *block);
		}
		for (int k = 1; body->planar && k < 6; k += 2) { /* no motion across the plane */
			memset(&block[k * ABUT_BLOCK_ROW], 0, ABUT_BLOCK_ROW * sizeof *block);
			block[k * ABUT_BLOCK_ROW + k] = 1.0;
		}
	}
}

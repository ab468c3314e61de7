/* Computes MuJoCo's accelerations from its own contact points, frames and parameters, if it is installed. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "peers/mujoco_contacts.h"
#include "solver/soft/soft_contact.h"
#include "solver/soft/soft_model.h"

enum { ROWS = ABUT_SOFT_MOST_ROWS * ABUT_MUJOCO_CONTACTS, WANTED = 1000 };

typedef struct Copy {
	AbutSoftProblem problem;
	double mass[36 * ABUT_MUJOCO_BODIES], free[6 * ABUT_MUJOCO_BODIES];
	AbutSoftPoint points[ABUT_MUJOCO_CONTACTS];
	AbutSoftRow rows[ROWS];
	AbutSoftRoom room;
	_Alignas(ABUT_ARENA_ALIGNMENT) char memory[1 << 16];
} Copy;

/* Fills in three axes along which the contact pushes, then rotations about them. */
static void fill_rows(const AbutMujocoSample *sample, const AbutMujocoContact *contact, double J[6][12])
{
	memset(J, 0, 6 * sizeof J[0]);
	for (int s = 0; s < 2; s++) {
		const double sign = s == 0 ? -1.0 : 1.0;
		const AbutMujocoBody *body = contact->body[s] >= 0 ? &sample->bodies[contact->body[s]] : NULL;
		for (int i = 0; body && i < contact->rows; i++) {
			const double *axis = &contact->frame[3 * (i % 3)];
			double turn[3], arm[3];
			for (int k = 0; k < 3; k++) {
				J[i][6 * s + k] = i < 3 ? sign * axis[k] : 0.0;
				arm[k] = contact->point[k] - body->position[k];
				turn[k] = sign * axis[k];
			}
			if (i < 3) {
				abut_cross3(arm, &J[i][6 * s], turn);
			}
			abut_mat3_tvec(body->R, turn, &J[i][6 * s + 3]);
		}
	}
}

static void add_contact(const AbutMujocoSample *sample, const AbutMujocoContact *contact, Copy *copy)
{
	AbutSoftParameters parameters = {.impratio = sample->impratio};
	double J[6][12];
	AbutSoftContact soft = {.body = {contact->body[0], contact->body[1]},
	                        .n_rows = contact->rows,
	                        .J = (const double(*)[12])J,
	                        .distance = contact->distance};
	memcpy(parameters.solref, contact->solref, sizeof parameters.solref);
	memcpy(parameters.solimp, contact->solimp, sizeof parameters.solimp);
	memcpy(soft.friction, contact->friction, sizeof soft.friction);
	fill_rows(sample, contact, J);
	for (int s = 0; s < 2; s++) {
		const AbutMujocoBody *body = soft.body[s] >= 0 ? &sample->bodies[soft.body[s]] : NULL;
		soft.inverse_mass += body ? 1.0 / body->mass : 0.0;
		for (int i = 0; body && i < 6 * soft.n_rows; i++) {
			soft.velocity[i / 6] += J[i / 6][6 * s + i % 6] * body->velocity[i % 6];
		}
	}
	copy->problem.n_rows +=
	    abut_soft_make(&parameters, sample->timestep, sample->pyramid, &soft, copy->problem.n_rows,
	                   &copy->points[copy->problem.n_points], &copy->rows[copy->problem.n_rows]);
	copy->problem.n_points++;
}

static void fill(const AbutMujocoSample *sample, Copy *copy)
{
	AbutArena arena = {copy->memory, 0};
	abut_soft_room_carve(&copy->room, ABUT_MUJOCO_BODIES, ROWS, &arena);
	cr_assert_leq(arena.used, sizeof copy->memory);
	memset(copy->mass, 0, sizeof copy->mass);
	copy->problem = (AbutSoftProblem){.n_bodies = sample->n_bodies,
	                                  .mass = copy->mass,
	                                  .free = copy->free,
	                                  .points = copy->points,
	                                  .rows = copy->rows};
	for (int i = 0; i < 6 * sample->n_bodies; i++) {
		const AbutMujocoBody *body = &sample->bodies[i / 6];
		copy->mass[6 * i + i % 6] = i % 6 < 3 ? body->mass : body->inertia[i % 6 - 3];
		copy->free[i] = copy->room.a[i] = body->free[i % 6];
	}
	for (int i = 0; i < sample->n_contacts; i++) {
		add_contact(sample, &sample->contacts[i], copy);
	}
}

/* Returns the difference of the two accelerations, relative to MuJoCo's. */
static double difference(const AbutMujocoSample *sample, Copy *copy, unsigned seed)
{
	AbutBlockPattern pattern = {.n = 0};
	AbutBlockMemory blocks = {.capacity = 0};
	AbutSoftReport report;
	int pairs[ABUT_MUJOCO_CONTACTS][2];
	double off = 0.0, size = 0.0;
	for (int i = 0; i < sample->n_contacts; i++) {
		memcpy(pairs[i], sample->contacts[i].body, sizeof pairs[i]);
	}
	cr_assert_eq(abut_block_pattern_analyse(&pattern, sample->n_bodies, sample->n_contacts, (const int(*)[2])pairs),
	             ABUT_OK);
	cr_assert_eq(abut_block_memory_room(&blocks, pattern.n_blocks), ABUT_OK);
	fill(sample, copy);
	const AbutBlockSystem system = {&pattern, blocks.blocks};
	abut_soft_solve(&copy->problem, &system, &copy->room, &report);
	cr_assert(report.solved, "seed %u: residual %g", seed, report.residual);
	for (int i = 0; i < 6 * sample->n_bodies; i++) {
		const double theirs = sample->bodies[i / 6].acceleration[i % 6];
		off = hypot(off, copy->room.a[i] - theirs);
		size = hypot(size, theirs);
	}
	abut_block_memory_destroy(&blocks);
	abut_block_pattern_destroy(&pattern);
	return off / size;
}

Test(mujoco_contacts, accelerations_are_those_of_mujoco)
{
	static AbutMujocoSample sample;
	static Copy copy;
	int found = 0, contacts = 0;
	double worst = 0.0;
	if (!abut_mujoco_sample(0, &sample)) {
		cr_skip_test("MuJoCo is not installed");
	}
	for (unsigned seed = 0; found < WANTED; seed++) {
		cr_assert_lt(seed, 2 * WANTED);
		if (!abut_mujoco_sample(seed, &sample) || sample.n_contacts == 0) {
			continue;
		}
		const double off = difference(&sample, &copy, seed);
		cr_assert_lt(off, 1e-6, "seed %u, %d contacts, %s: off by %g", seed, sample.n_contacts,
		             sample.pyramid ? "pyramidal" : "elliptic", off);
		worst = fmax(worst, off);
		contacts += sample.n_contacts;
		found++;
	}
	cr_log_info("largest difference %g, of %d states with %d contacts", worst, found, contacts);
}

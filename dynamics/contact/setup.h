/* Set-up of a candidate pair as a contact of its island. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/model/pair.h"
#include "dynamics/state/memory.h"

/* The place of the next contact in the arrays of an island. */
typedef struct AbutContactPlace {
	int y, z, n_cones, law; /* numbers of unknowns, duals, cones and law entries before it */
	AbutCone *cones;        /* array of the island's cones */
	double *side_memory;
} AbutContactPlace;

/* Sets up a contact from a pair and its entry in the store, at `place`, and advances `place`. */
void abut_contact_setup(const AbutModel *model, const AbutPair *pair, int index, AbutContactStore *store,
                        AbutBodyWork *bodies, AbutContactPlace *place, AbutContactWork *contact);

/* Finds the first coordinate axis that is clearly across a direction, that is, at a large angle to it. */
void abut_axis_across(const double direction[3], double axis[3]);
/* Returns I, by which impulses are divided, from the bodies' velocities at the start of the step (docs/formulation.md
 * 3). */
double abut_step_impulse_scale(const AbutContactWork *contact);
/* Computes from_side_0 of both sides from the poses at the start of the step and their `offset`s. */
void abut_step_place(AbutContactWork *contact);
/* Sets the sizes of a pair from its parts and `tail`. */
void abut_contact_size(const AbutModel *model, AbutPair *pair);
/* Returns the memory for `contacts` contacts, each of the largest size that the model's parts allow. */
AbutRoom abut_contact_room(const AbutModel *model, int contacts);
/* Multiplies the impulses in a contact's z (gamma and friction) by a factor. */
void abut_scale_forces(const AbutContactWork *contact, AbutFrictionCone cone, double factor, double *z);
/* Sets the impulses in a contact's z to zero. */
void abut_step_no_force(const AbutContactWork *contact, double *z);

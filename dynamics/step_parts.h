/* The stages of a single-level step, one file each, in the order of their use. All in model units. */
#ifndef DYNAMICS_STEP_PARTS_H
#define DYNAMICS_STEP_PARTS_H

#include "dynamics/workspace.h"

/* gather.c: bodies of the state into the workspace, for a timestep. */
void abut_step_gather(const AbutModel *model, const AbutState *state, double timestep, AbutWorkspace *w);

/* candidates.c: which pairs can touch within the step. The choice is generous but not a bound (a third body may push),
 * so that it is checked at the new poses: abut_step_missed adds the pairs whose bounding spheres meet there, and
 * returns how many. */
void abut_step_candidates(const AbutModel *model, double timestep, AbutWorkspace *w);
int abut_step_missed(const AbutModel *model, AbutWorkspace *w);
/* Whether a step must be taken in parts: the bodies of some candidate pair pass each other so fast that it could miss
 * their contact, further than the smaller part's diameter; or a body turns by more than the law of the turn allows for.
 */
bool abut_step_too_long(const AbutModel *model, double timestep, const AbutWorkspace *w);
/* The latter alone: such a step has no solution, however it is started. */
bool abut_step_turns_too_far(const AbutModel *model, double timestep, const AbutWorkspace *w);

/* islands.c: bodies and active pairs by island, and each island's order of elimination. */
void abut_step_partition(const AbutModel *model, AbutWorkspace *w);

/* contact_setup.c: the active pairs as contacts of their islands, with their places in y and z, cones and frames. */
void abut_step_setup(const AbutModel *model, const AbutState *state, AbutWorkspace *w);
void abut_step_place(AbutContactWork *contact); /* from_side_0 of both sides, from poses and offsets */

/* recovery.c: what keeps recovery from overlap at a bounded speed (docs/formulation.md 8). Call after the set-up. */
void abut_step_recovery(const AbutModel *model, const AbutState *state, AbutIsland *island);

/* plane_depth.c: depth of side 0's lowest point in the halfspace of side 1, negative when it is clear of it: at the
 * start of the step (`elapsed` 0), or at the iterate (`elapsed` the timestep). */
double abut_plane_depth(const AbutModel *model, const AbutContactWork *contact, double elapsed);

/* start_apart.c: the poses of a contact for the collision problem on its own, at the start of the step or at the
 * iterate, relative to side 0's place at the start. */
void abut_step_scaling_poses(const AbutContactWork *contact, double timestep, bool at_start,
                             AbutScalingProblem *problem);

/* start.c, start_apart.c: starting points in the iterate. */
void abut_step_start_cold(AbutIsland *island);
/* From free flight: each contact's collision problem solved on its own at the poses that follow, then everything
 * smoothed. Slower than the cold start, and good where that one is not. */
void abut_step_start_apart(AbutIsland *island);
void abut_step_start_still(AbutIsland *island); /* the same, with the bodies where they are */
/* The collision part of a contact's y and z from its collision problem alone, at the poses of the bodies; no force.
 * Left as it is where that problem is not solved. */
void abut_step_solve_collision(AbutIsland *island, const AbutContactWork *contact, double kappa);
void abut_step_start_warm(const AbutModel *model, const AbutState *state, AbutIsland *island); /* last solution */
/* Replaces z and s by a smoothed pair around the iterate (docs/formulation.md 8), at least at kappa. */
void abut_step_smooth(AbutIsland *island, double kappa);
void abut_step_smooth_at(AbutIsland *island, double mu); /* the same at a given mu, the problem being evaluated */

/* cascade.c: solves the step by every means allowed. Unless the outcome is failed, the iterate holds the solution and
 * the problem's bodies and contacts are evaluated there. */
void abut_step_solve(const AbutModel *model, const AbutState *state, AbutIsland *island, bool allow_raised,
                     AbutStepInfo *info);

/* start.c: the impulses in a contact's z (gamma and friction) times a factor. */
void abut_scale_forces(const AbutContactWork *contact, AbutFrictionCone cone, double factor, double *z);

/* commit.c: the solution into the state, its warm-start data and the results; impulses add up over the parts of a step.
 */
void abut_step_commit(const AbutModel *model, AbutState *state, AbutWorkspace *w, AbutStepInfo *info);
void abut_step_clear_results(const AbutModel *model, AbutWorkspace *w); /* before the first part of a step */

#endif

/* The stages of a single-level step, one file each, in the order of their use. All in model units.
 *
 *     gather -> candidates -> partition -> for each island: advance (set-up, recovery, solve, keep) -> commit */
#ifndef DYNAMICS_STEP_STEP_PARTS_H
#define DYNAMICS_STEP_STEP_PARTS_H

#include "dynamics/step/workspace.h"

/* gather.c: a body of the state, moving as in `motion`, into the workspace, for a timestep; and all of them. */
void abut_step_gather_body(const AbutModel *model, const AbutState *state, const AbutMotion *motion, double timestep,
                           AbutBodyWork *work);
void abut_step_gather(const AbutModel *model, const AbutState *state, AbutWorkspace *w);

/* candidates.c: the pairs that are near each other, and which of them a step solves for. The choice is generous but not
 * a bound (a third body may push), so that it is checked at the poses where the step leads: abut_step_missed adds the
 * pairs that may overlap there to the active ones, and counts them in `added`. */
AbutStatus abut_step_candidates(const AbutModel *model, const AbutState *state, AbutWorkspace *w);
AbutStatus abut_step_missed(const AbutModel *model, AbutWorkspace *w, int *added);

/* separation.c: distance of the two parts along a direction (3, any length, world) that points from side 0 to side 1,
 * at the bodies' present poses: where it is positive they do not touch. */
double abut_separation(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies,
                       const double direction[3]);
/* Whether it is `distance` or more, by bounds where these suffice. */
bool abut_separated(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, const double direction[3],
                    double distance);
/* The same against a halfspace, along its normal: the true distance; and whether it is `distance` or less. */
double abut_plane_distance(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies);
bool abut_plane_is_within(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies, double distance);
double abut_plane_distance_of_centre(const AbutModel *model, int plane, int part, const AbutBodyWork *bodies);
/* From the centre of side 0 to that of side 1. */
void abut_line_of_centres(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, double line[3]);

/* islands.c: the members of each island, none of them solved; and again after pairs have been added in the step, when
 * the islands that have none of these stay solved. */
AbutStatus abut_step_partition(const AbutModel *model, AbutWorkspace *w);
AbutStatus abut_step_repartition(const AbutModel *model, AbutWorkspace *w);

/* advance.c: one island through the step, in parts where the whole cannot be solved, by the room of a thread. The
 * solution goes to the workspace's motion, store and results. */
void abut_step_advance(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutIslandMembers *members,
                       AbutIsland *island);

/* advance.c: what a candidate's contact starts from, out of the state. */
void abut_step_load_memory(const AbutState *state, AbutWorkspace *w, int index);

/* dynamics/methods/points/step.c: the same as abut_step_advance in method point-ncp. */
void abut_point_advance(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutIslandMembers *members,
                        AbutIsland *island);

/* step.c: all islands by the method's `advance` (dynamics/methods/table.h), and again those that have pairs that turn
 * out to meet. */
AbutStatus abut_islands_step(const AbutModel *model, const AbutState *state, AbutWorkspace *w, AbutStepInfo *info);

/* step.c: what a step amounts to: the worst of its islands, the most work that one of them took. */
void abut_step_merge(const AbutStepInfo *island, AbutStepInfo *info);

/* dynamics/contact/setup.c: the first coordinate axis that is well across a direction. */
void abut_axis_across(const double direction[3], double axis[3]);

/* dynamics/contact/setup.c: the candidates of `island->chosen` as contacts of the island, with their places in y and z,
 * cones and frames. */
void abut_step_setup(const AbutModel *model, AbutWorkspace *w, const AbutIslandMembers *members, int n_chosen,
                     double timestep, AbutIsland *island);
double abut_step_impulse_scale(const AbutContactWork *contact); /* I, from its bodies' velocities at the start */
void abut_step_place(AbutContactWork *contact);                 /* from_side_0 of both sides, from poses and offsets */

/* recovery.c: what keeps recovery from overlap at a bounded speed (docs/formulation.md 8). Call after the set-up. */
#define ABUT_RECOVERY_SPEED 1.0 /* that overlaps may separate at, in units of sqrt(g L) */
void abut_step_recovery(const AbutModel *model, AbutIsland *island);

/* plane_depth.c: depth of side 0's lowest point in the halfspace of side 1, negative when it is clear of it: at the
 * start of the step (`elapsed` 0), or at the iterate (`elapsed` the timestep). */
double abut_plane_depth(const AbutModel *model, const AbutContactWork *contact, double elapsed);
/* No less than that at the iterate, by its duals alone, and at most 1e-10 of the part's radius more; false where they
 * prove no such thing. For rows without eps; y, z and H are the contact's, as evaluated last. */
bool abut_plane_depth_proof(const AbutContactWork *contact, double timestep, const double *y, const double *z,
                            const double *H, double *depth);
/* The same, and that point in the body's frame. */
double abut_deepest_point(const AbutModel *model, const AbutContactWork *contact, double elapsed, double own[3]);

/* passage.c: whether a plane keeps the two parts of a contact apart at the start of the step and where the bodies are,
 * but for an overlap. Its normal is that of the iterate, which is evaluated, or a direction that is as good. */
bool abut_step_kept_apart(const AbutModel *model, const AbutContactWork *contact, double overlap);
/* Whether two parts that the island's solution moves past each other by more than they are thick may have gone through
 * each other. */
bool abut_step_passes_through(const AbutModel *model, const AbutIsland *island);

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
/* Zero for gamma and friction in a contact's z. */
void abut_step_no_force(const AbutContactWork *contact, double *z);
/* The collision part of a contact's y and z from its collision problem alone, at the poses of the bodies; its force
 * stays. Left as it is where that problem is not solved. The kappa is that of warm starts. */
#define ABUT_COLLISION_KAPPA 1e-8
void abut_step_solve_collision(AbutIsland *island, const AbutContactWork *contact, double kappa);
void abut_step_start_warm(const AbutModel *model, AbutIsland *island); /* last solution, or a landing */
/* A contact without force, from its collision problem alone, at a kappa of that. */
void abut_step_start_contact(AbutIsland *island, const AbutContactWork *contact, double kappa);
/* start_free.c: the same for all contacts, the bodies flying freely, where this is the motion of the step. False where
 * that is not certain; the iterate is then of no use. It is evaluated otherwise, and a relaxed solution at a kappa that
 * is as good as none. */
#define ABUT_FLIGHT_KAPPA 1e-11
bool abut_step_start_free(const AbutModel *model, AbutIsland *island);
/* The last solution with 1e-2 added to its slacks and duals along the identity of the cones: the start of the
 * single-level paper. */
void abut_step_start_shifted(AbutIsland *island);
double abut_step_residual(AbutIsland *island); /* natural residual of the iterate, which is evaluated */
/* Replaces z and s by a smoothed pair around the iterate (docs/formulation.md 8), at least at kappa. */
void abut_step_smooth(AbutIsland *island, double kappa);
void abut_step_smooth_at(AbutIsland *island, double mu); /* the same at a given mu, the problem being evaluated */

/* cascade.c: solves the step by the means of this effort. Unless the outcome is failed, the iterate holds the solution
 * and the problem's bodies and contacts are evaluated there. */
typedef enum AbutEffort {
	ABUT_EFFORT_QUICK, /* the starts that solve nearly all steps */
	ABUT_EFFORT_FULL,  /* then those that take long */
	ABUT_EFFORT_RAISED /* then a larger kappa: a failure */
} AbutEffort;
void abut_step_solve(const AbutModel *model, AbutIsland *island, AbutEffort effort, AbutStepInfo *info);

/* start.c: the velocity that a body had last, with its last change once more. */
void abut_step_extrapolate(const AbutBodyWork *body, double y[6]);

/* dynamics/solve/alone.c: the step of a body alone without contact. False for any other island, and where it does not
 * get there; then abut_step_solve is for it. Call after the set-up. */
bool abut_step_fly(const AbutModel *model, AbutIsland *island, AbutStepInfo *info);
/* The velocity without contact of any body, by the same equations, from the spin in y on; the body moves there. False
 * where the turn is too large, or not found. */
bool abut_body_fly(AbutBodyWork *body, double timestep, double y[6], AbutSolveReport *report);

/* start_carry.c: place and normal of a last solution in a contact's y and z, moved on with the bodies, which stand
 * where the start has them. */
void abut_step_carry(const AbutContactWork *contact, double timestep, double *y, double *z);

/* start_apart.c: the collision problem at the poses of the bodies from `own`, whose y and z begin with its unknowns as
 * they stand in a contact: p (from side 0's place at the start), alpha, eps; its duals. False where that does not
 * converge. */
bool abut_step_resume_collision(AbutIsland *island, const AbutContactWork *contact, double kappa, AbutIterate *own);

/* start_turning.c: then place and normal of contacts that a step turns far. */
void abut_step_turn(AbutIsland *island);

/* start_slide.c: then friction, place and velocity, where an island's one contact slides over something fixed. */
void abut_step_slide(AbutIsland *island);

/* start_landing.c: an island's one contact where a polytope hits a halfspace. False where it does not, or nothing comes
 * of it, with the bodies where they were. */
bool abut_step_start_landing(const AbutModel *model, AbutIsland *island);

/* start.c: the impulses in a contact's z (gamma and friction) times a factor. */
void abut_scale_forces(const AbutContactWork *contact, AbutFrictionCone cone, double factor, double *z);

/* keep.c: a pair's result before its step: named, and zero. */
AbutContact abut_contact_blank(const AbutModel *model, const AbutPair *pair);

/* keep.c: an island's solution into the workspace; impulses add up over the parts of a step. */
void abut_step_keep(const AbutModel *model, AbutWorkspace *w, AbutIsland *island, AbutStepInfo *info);

/* commit.c: the solutions of all islands into the state. */
AbutStatus abut_step_commit(const AbutModel *model, AbutState *state, AbutWorkspace *w);

#endif

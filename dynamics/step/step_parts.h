/* The stages of a single-level step, one file each, in the order of their use. All in model units.
 *
 *     gather -> candidates -> partition -> for each island: advance (set-up, recovery, solve, keep) -> commit */
#ifndef DYNAMICS_STEP_STEP_PARTS_H
#define DYNAMICS_STEP_STEP_PARTS_H

#include "dynamics/body/body.h"
#include "dynamics/contact/plane_depth.h"
#include "dynamics/contact/setup.h"
#include "dynamics/island/setup.h"
#include "dynamics/methods/points/step.h"
#include "dynamics/pairs/candidates.h"
#include "dynamics/pairs/separation.h"
#include "dynamics/step/advance.h"
#include "dynamics/step/commit.h"
#include "dynamics/step/gather.h"
#include "dynamics/step/keep.h"
#include "dynamics/step/load.h"
#include "dynamics/step/step.h"
#include "dynamics/step/workspace.h"

/* recovery.c: what keeps recovery from overlap at a bounded speed (docs/formulation.md 8). Call after the set-up. */
#define ABUT_RECOVERY_SPEED 1.0 /* that overlaps may separate at, in units of sqrt(g L) */
void abut_step_recovery(const AbutModel *model, AbutIsland *island);

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

#endif

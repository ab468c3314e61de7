/* Judges steps without using the solver. From the definition of the scene and what the public interface reports (states
 * before and after, contacts, impulses), it checks every law that a step must satisfy.
 *
 * The optimality of the collision problem is judged by a certificate. Let c be the centres, and H = h(n) - c.n the
 * supports about them. One plane of normal n touches both shapes scaled by alpha when
 *
 *     alpha = n.(c_b - c_a) / (H_a(n) + H_b(-n)),
 *
 * which bounds the best alpha from below for any n. A point in both scaled shapes bounds it from above. If both hold
 * for the reported alpha, n and p, these are optimal, and (alpha - 1) (H_a + H_b) is the gap along n. */
#pragma once

#include "abut/abut.h"
#include "dynamics/step/workspace.h"

/* Worst violations, each divided by its scale, so that all have the same bound. */
typedef enum OracleQuantity {
	ORACLE_LINEAR,          /* m (v+ - v) - dt (m g + f) - F, over momentum scale */
	ORACLE_ANGULAR,         /* its counterpart of turning */
	ORACLE_POSE,            /* x+ - x - dt v+ and the turn, over size */
	ORACLE_CONE,            /* |(f_t, torsion / r_t)| - mu f_n */
	ORACLE_NORMAL_SIGN,     /* -f_n */
	ORACLE_COMPLEMENTARITY, /* f_n gap */
	ORACLE_DISSIPATION,     /* |f |slip| + mu f_n slip|: friction against slip, or no slip */
	ORACLE_PENETRATION,     /* -gap along n, by support functions */
	ORACLE_SCALING,         /* alpha against its certificate */
	ORACLE_GAP,             /* reported gap against support functions */
	ORACLE_POINT,           /* how far p is outside either scaled shape */
	ORACLE_FRAME,           /* |n| - 1 and f_t.n */
	ORACLE_THROWN,          /* separation speed under a normal impulse beyond all speed before the step */
	ORACLE_INACTIVE,        /* overlap of a pair that was left out, by a search for a plane between them */
	ORACLE_COUNT
} OracleQuantity;

typedef struct Oracle {
	double worst[ORACLE_COUNT];
	long step_of[ORACLE_COUNT];
	int pair_of[ORACLE_COUNT];                                     /* contact or body */
	long steps, judged, skipped_halved, relaxed, failed, left_out; /* left_out: pairs, of the judged steps */
	bool parts_before;                                             /* the last step was taken in parts */
} Oracle;

const char *oracle_name(OracleQuantity quantity);

/* Judges the step from `before` to `after` (n_bodies states each). Skips steps taken in parts and those that follow,
 * because both balances contain the length of the last part, which is not reported. */
void oracle_judge(const AbutSceneDef *def, const AbutModel *model, const AbutWorkspace *workspace,
                  const AbutBodyState *before, const AbutBodyState *after, const AbutStepInfo *info, Oracle *oracle);

/* Makes the scene, runs it for `steps` and judges every step. Returns false, with `message`, if it is refused. */
bool oracle_run(const AbutSceneDef *def, long steps, Oracle *oracle, AbutError *error);

/* Fails the test for each quantity beyond `bound`. Poses must be exact up to rounding; inactive pairs must not overlap,
 * and bodies must not be thrown apart, at all. With ABUT_VERBOSE set, prints the record, which shows the distance from
 * the bounds. */
void oracle_assert(const Oracle *oracle, double bound, const char *what);

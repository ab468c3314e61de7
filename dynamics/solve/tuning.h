/* The constants of the starts and the cascade. A comment gives what a value trades, and the command whose table shows
 * the trade when the value changes:
 *
 *     [pairs]       abut_reliability pairs
 *     [sizes]       abut_reliability pairs --sizes
 *     [masses]      abut_reliability pairs --mass-ratios
 *     [drops]       abut_reliability drops
 *     [robustness]  abut_reliability robustness --part 1/30
 *     [bench]       abut bench
 *
 * scripts/ablation.sh runs them with and without a row of the cascade, or a part of the warm start. */
#ifndef DYNAMICS_SOLVE_TUNING_H
#define DYNAMICS_SOLVE_TUNING_H

#include <stdbool.h>
#include <string.h>

/* The row of the cascade, or the part of the warm start ("turning", "slide", "landing"), that a build leaves out:
 * -DABUT_WITHOUT, as scripts/ablation.sh passes it to the compiler. */
#ifndef ABUT_WITHOUT
#define ABUT_WITHOUT ""
#endif

static inline bool abut_has(const char *name)
{
	return strcmp(ABUT_WITHOUT, name) != 0;
}

/* --- paths --- */

/* Iterations of a path from a warm start: a path that takes longer has jammed, and the start apart takes 10. [pairs] */
#define ABUT_WARM_ITERATIONS 25
/* Iterations of a solve by degrees: from flight or rest, and from the solution for a smaller share. [masses] */
#define ABUT_DEGREES_FIRST_ITERATIONS 60
#define ABUT_DEGREES_NEXT_ITERATIONS 30
/* Steps in a row, shorter than a length, after which a path is given up. A warm path that jams gives way to the start
 * apart at once; other paths have nothing as good after them, and are given up only when they stand still. [pairs] */
#define ABUT_WARM_PATIENCE                                                                                             \
	{                                                                                                              \
		4, 0.05                                                                                                \
	}
#define ABUT_COLD_PATIENCE                                                                                             \
	{                                                                                                              \
		3, 0.001                                                                                               \
	}
/* Where a path that jams before 1e-8 has to end at least: overlap is of the size of kappa. [sizes] */
#define ABUT_ON_THE_WAY_KAPPA 1e-7
#define ABUT_ON_THE_WAY_TOLERANCE 1e-9
/* A common step of many contacts is as short as the shortest of all: one more iteration for so many. [bench] */
#define ABUT_CONTACTS_PER_ITERATION 20
/* Kappa of the last row, in units of the option's: more overlap, and fewer steps without any solution. [robustness] */
#define ABUT_RAISED 100.0

/* --- chains --- */

/* Contacts of a chain: with fewer the ordinary path is cheaper, and a larger island is a heap that falls. [bench] */
#define ABUT_SHORTEST_CHAIN 10
#define ABUT_LONGEST_CHAIN 200
/* Where the path of a chain ends, and its iterations. [bench] */
#define ABUT_CHAIN_KAPPA 1e-10
#define ABUT_CHAIN_ITERATIONS 45

/* --- semismooth Newton --- */

/* Share of the first residual: where Newton ended below, the path starts from its best point. Larger takes more paths
 * to another root, smaller repeats work. [pairs] */
#define ABUT_WORTH_KEEPING 0.1
/* Natural residual below which a point counts as the solution of unmet contacts, in a pile and of few contacts. Smaller
 * costs whole paths in piles at rest; larger lets a wedged peg move. [bench], tests/experiments/test_insertion.c */
#define ABUT_NEARLY_EXACT 1e-7
#define ABUT_NEARLY_EXACT_FEW 1e-8
/* Residual of the last solution from which a pile is in motion, and its path ends at 1e-8. [bench] */
#define ABUT_IN_MOTION 1e-3

/* --- starts --- */

/* Relaxation of the start apart, at least and at most; between them, the timestep in units of time. A smaller one
 * starts too near to wrong active sets, a larger one takes more iterations. [pairs] at 10 to 200 Hz */
#define ABUT_APART_LEAST 0.03
#define ABUT_APART_MOST 0.15
/* The largest mu of a smoothed restart: more forgets the last solution. [pairs] */
#define ABUT_SMOOTHED_MOST 0.03
/* Half turn in a step, 6 degrees, from which a contact's place and normal are made anew: less costs a collision problem
 * in steps that do not need it. [drops] */
#define ABUT_FAR_TURN 0.05
/* Depth in dt^2 from which a start is a landing, and depth that it leaves: less starts landings at rest. [drops] */
#define ABUT_LANDING_DEPTH 0.5
#define ABUT_LANDING_LEFT 0.1
#define ABUT_LANDING_BLOWS 4

/* Slip that counts as sliding; share of it, and of its direction, that must be left; turn of friction for which the
 * last solution is as good; what Newton in two unknowns has to reach, and its iterations. [drops] */
#define ABUT_SLIDE_LEAST 1e-9
#define ABUT_SLIDE_SHARE 0.5
#define ABUT_SLIDE_STRAIGHT 1e-6
#define ABUT_SLIDE_GOAL 1e-12
#define ABUT_SLIDE_ITERATIONS 6

/* --- by degrees --- */

/* Contacts up to which solving by degrees is tried: it takes many solves, and half steps are cheaper. [bench] */
#define ABUT_MOST_BY_DEGREES 64
/* The first share of the load; the first step towards all of it, how a step grows and shrinks, and the shortest.
 * Shorter ones solve a few more and cost hundreds of iterations. [masses] */
#define ABUT_LOAD_FIRST 0.1
#define ABUT_DEGREES_STEP 0.3
#define ABUT_DEGREES_GROW 2.0
#define ABUT_DEGREES_SHRINK 0.4
#define ABUT_DEGREES_SHORTEST 0.002

/* --- passing through --- */

/* Overlap, in both inner radii, with which two parts may turn past each other: less halves steps of rods that only
 * touch, more lets a rod through. tests/dynamics/solve/test_passage.c */
#define ABUT_SHALLOW 0.1

#endif

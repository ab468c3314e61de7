/* The constants of the starts and the cascade. Each comment says what a value trades, and gives the command whose table
 * shows the effect of a change:
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

/* The rows of the cascade, and the parts of the warm start ("turning", "slide", "landing"), that a build omits,
 * separated by commas: -DABUT_WITHOUT, passed to the compiler by scripts/ablation.sh. */
#ifndef ABUT_WITHOUT
#define ABUT_WITHOUT ""
#endif

/* Returns whether the build has a row of the cascade, or a part of the warm start. */
static inline bool abut_has(const char *name)
{
	const size_t n = strlen(name);
	const char *at = ABUT_WITHOUT;
	while (*at != '\0') {
		const size_t m = strcspn(at, ",");
		if (m == n && strncmp(at, name, n) == 0) {
			return false;
		}
		at += m + (at[m] == ',');
	}
	return true;
}

/* --- paths --- */

/* Iterations of a path from a warm start: a longer path has jammed, and the start apart takes 10. [pairs] */
#define ABUT_WARM_ITERATIONS 25
/* Iterations of a solve by degrees: from flight or rest, and from the solution for a smaller share. [masses] */
#define ABUT_DEGREES_FIRST_ITERATIONS 60
#define ABUT_DEGREES_NEXT_ITERATIONS 30
/* Number and length of consecutive short steps after which a path is given up. A warm path that jams yields to the
 * start apart at once; other paths have no good successor, and are given up only when they stop moving. [pairs] */
#define ABUT_WARM_PATIENCE                                                                                             \
	{                                                                                                              \
		4, 0.05                                                                                                \
	}
#define ABUT_COLD_PATIENCE                                                                                             \
	{                                                                                                              \
		3, 0.001                                                                                               \
	}
/* Largest kappa at which a path that jams before 1e-8 may end: overlap is of the size of kappa. [sizes] */
#define ABUT_ON_THE_WAY_KAPPA 1e-7
#define ABUT_ON_THE_WAY_TOLERANCE 1e-9
/* Contacts per additional iteration: a common step of many contacts is as short as the shortest of all. [bench] */
#define ABUT_CONTACTS_PER_ITERATION 20
/* Kappa of the last row, relative to the option's: more overlap, and fewer steps without any solution. [robustness] */
#define ABUT_RAISED 100.0

/* --- chains --- */

/* Least contacts of a chain: with fewer, the ordinary path is cheaper; a larger island is a falling heap. [bench] */
#define ABUT_SHORTEST_CHAIN 10
#define ABUT_LONGEST_CHAIN 200
/* End of the path of a chain, and its iterations. [bench] */
#define ABUT_CHAIN_KAPPA 1e-10
#define ABUT_CHAIN_ITERATIONS 45

/* --- semismooth Newton --- */

/* Share of the first residual: if Newton ended below it, the path starts from Newton's best point. Larger values lead
 * more paths to another root, smaller ones repeat work. [pairs] */
#define ABUT_WORTH_KEEPING 0.1
/* Natural residual below which a point counts as the solution of unmet contacts, in a pile and for few contacts.
 * Smaller values cost whole paths in piles at rest; larger ones let a wedged peg move. [bench],
 * tests/experiments/test_insertion.c */
#define ABUT_NEARLY_EXACT 1e-7
#define ABUT_NEARLY_EXACT_FEW 1e-8
/* Residual of the last solution above which a pile is in motion, and its path ends at 1e-8. [bench] */
#define ABUT_IN_MOTION 1e-3

/* --- starts --- */

/* Limits of the relaxation of the start apart; between them it is the timestep in units of time. Smaller values start
 * too near to wrong active sets, larger ones take more iterations. [pairs] at 10 to 200 Hz */
#define ABUT_APART_LEAST 0.03
#define ABUT_APART_MOST 0.15
/* Largest mu of a smoothed restart: larger values forget the last solution. [pairs] */
#define ABUT_SMOOTHED_MOST 0.03
/* Half turn in a step, 6 degrees, above which a contact's place and normal are recomputed: smaller values solve
 * collision problems in steps that do not need it. [drops] */
#define ABUT_FAR_TURN 0.05
/* Depth in dt^2 above which a start is a landing, and the depth that remains: smaller values start landings at rest.
 * [drops] */
#define ABUT_LANDING_DEPTH 0.5
#define ABUT_LANDING_LEFT 0.1
#define ABUT_LANDING_BLOWS 4

/* Least slip that counts as sliding; least remaining share of it, and of its direction; turn of friction below which
 * the last solution is as good; accuracy of Newton's method in two unknowns, and its iterations. [drops] */
#define ABUT_SLIDE_LEAST 1e-9
#define ABUT_SLIDE_SHARE 0.5
#define ABUT_SLIDE_STRAIGHT 1e-6
#define ABUT_SLIDE_GOAL 1e-12
#define ABUT_SLIDE_ITERATIONS 6

/* --- by degrees --- */

/* Most contacts for solving by degrees: it takes many solves, and half steps are cheaper. [bench] */
#define ABUT_MOST_BY_DEGREES 64
/* First share of the load; first step towards the full load, growth and shrinkage of a step, and the shortest step.
 * Shorter steps solve a few more and cost hundreds of iterations. [masses] */
#define ABUT_LOAD_FIRST 0.1
#define ABUT_DEGREES_STEP 0.3
#define ABUT_DEGREES_GROW 2.0
#define ABUT_DEGREES_SHRINK 0.4
#define ABUT_DEGREES_SHORTEST 0.002

/* --- passing through --- */

/* Overlap, in both inner radii, with which two parts may turn past each other: smaller values halve steps of rods that
 * only touch, larger ones let a rod through. tests/dynamics/solve/test_passage.c */
#define ABUT_SHALLOW 0.1

#endif

/* Constants of the starts and the cascade. A comment says what a value trades off, and which command's table shows it:
 *
 *     [pairs]       abut_reliability pairs
 *     [sizes]       abut_reliability pairs --sizes
 *     [masses]      abut_reliability pairs --mass-ratios
 *     [drops]       abut_reliability drops
 *     [robustness]  abut_reliability robustness --part 1/30
 *     [bench]       abut bench
 *
 * scripts/ablation.sh runs these commands with and without a row of the cascade or a part of the warm start. */
#ifndef DYNAMICS_SOLVE_TUNING_H
#define DYNAMICS_SOLVE_TUNING_H

#include <stdbool.h>
#include <string.h>

/* Rows of the cascade and parts of the warm start ("turning", "slide", "landing") to leave out, separated by commas.
 * scripts/ablation.sh passes -DABUT_WITHOUT to the compiler. */
#ifndef ABUT_WITHOUT
#define ABUT_WITHOUT ""
#endif

/* Returns whether the build includes a row of the cascade or a part of the warm start. */
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
/* Iterations of a homotopy's solves: the first from flight or rest, the next from the solution for a smaller share.
 * [masses] */
#define ABUT_DEGREES_FIRST_ITERATIONS 60
#define ABUT_DEGREES_NEXT_ITERATIONS 30
/* Number of consecutive steps shorter than a length after which a path is given up. A jammed warm path yields to the
 * start apart at once. Other paths have no good successor, and are given up only when they no longer move. [pairs] */
#define ABUT_WARM_PATIENCE                                                                                             \
	{                                                                                                              \
		4, 0.05                                                                                                \
	}
#define ABUT_COLD_PATIENCE                                                                                             \
	{                                                                                                              \
		3, 0.001                                                                                               \
	}
/* Where a path that jams before 1e-8 has to end at least: the overlap has the size of kappa. [sizes] */
#define ABUT_ON_THE_WAY_KAPPA 1e-7
#define ABUT_ON_THE_WAY_TOLERANCE 1e-9
/* Contacts per additional iteration: the common step of many contacts is as short as the shortest of all. [bench] */
#define ABUT_CONTACTS_PER_ITERATION 20
/* Kappa of the last row, as a multiple of the option's. Larger: more overlap, but fewer steps without any solution.
 * [robustness] */
#define ABUT_RAISED 100.0

/* --- chains --- */

/* Contacts of a chain. With fewer, the ordinary path is cheaper; a larger island is a falling heap. [bench] */
#define ABUT_SHORTEST_CHAIN 10
#define ABUT_LONGEST_CHAIN 200
/* Kappa at the end of a chain's path, and its iterations. [bench] */
#define ABUT_CHAIN_KAPPA 1e-10
#define ABUT_CHAIN_ITERATIONS 45

/* --- semismooth Newton --- */

/* Share of the first residual. If Newton ended below it, the path starts from Newton's best point. Larger: more paths
 * lead to another root; smaller: work is repeated. [pairs] */
#define ABUT_WORTH_KEEPING 0.1
/* Natural residual below which a point counts as the solution of unmet contacts, in a pile and with few contacts.
 * Smaller costs whole paths in piles at rest; larger lets a wedged peg move. [bench],
 * tests/experiments/test_insertion.c */
#define ABUT_NEARLY_EXACT 1e-7
#define ABUT_NEARLY_EXACT_FEW 1e-8
/* Residual of the last solution above which a pile is in motion; its path then ends at 1e-8. [bench] */
#define ABUT_IN_MOTION 1e-3

/* --- starts --- */

/* Minimum and maximum relaxation of the start apart; between them it equals the timestep in units of time. A smaller
 * relaxation starts too close to wrong active sets; a larger one takes more iterations. [pairs] at 10 to 200 Hz */
#define ABUT_APART_LEAST 0.03
#define ABUT_APART_MOST 0.15
/* Largest mu of a smoothed restart: a larger one forgets the last solution. [pairs] */
#define ABUT_SMOOTHED_MOST 0.03
/* Half turn in a step (6 degrees) above which a contact's place and normal are computed anew. Smaller: a collision
 * problem is also solved in steps that do not need it. [drops] */
#define ABUT_FAR_TURN 0.05
/* Depth above which a start is a landing, and depth that it leaves, both in units of dt^2. Smaller: contacts at rest
 * start landings. [drops] */
#define ABUT_LANDING_DEPTH 0.5
#define ABUT_LANDING_LEFT 0.1
#define ABUT_LANDING_BLOWS 4

/* Least slip of a sliding contact; least share of the slip, and of its direction, that the start may keep; turn of the
 * friction below which the last solution is as good; tolerance and iterations of Newton in two unknowns. [drops] */
#define ABUT_SLIDE_LEAST 1e-9
#define ABUT_SLIDE_SHARE 0.5
#define ABUT_SLIDE_STRAIGHT 1e-6
#define ABUT_SLIDE_GOAL 1e-12
#define ABUT_SLIDE_ITERATIONS 6

/* --- homotopies --- */

/* Most contacts for which a homotopy is tried: it takes many solves, and half steps are cheaper. [bench] */
#define ABUT_MOST_BY_DEGREES 64
/* First share of the load; first step of the homotopy, its factors of growth and shrinking, and its shortest step.
 * Shorter steps solve a few more cases and cost hundreds of iterations. [masses] */
#define ABUT_LOAD_FIRST 0.1
#define ABUT_DEGREES_STEP 0.3
#define ABUT_DEGREES_GROW 2.0
#define ABUT_DEGREES_SHRINK 0.4
#define ABUT_DEGREES_SHORTEST 0.002

/* --- tunnelling --- */

/* Overlap, as a share of the sum of the inner radii, with which two parts may turn past each other. Less halves steps
 * of rods that only touch; more lets a rod through. tests/dynamics/solve/test_passage.c */
#define ABUT_SHALLOW 0.1

#endif

/* Constants of the starts and the cascade. Each comment says what a value trades off, and which command's table shows
 * the effect:
 *
 *     [pairs]       abut_reliability pairs
 *     [sizes]       abut_reliability pairs --sizes
 *     [masses]      abut_reliability pairs --mass-ratios
 *     [drops]       abut_reliability drops
 *     [robustness]  abut_reliability robustness --part 1/30
 *     [bench]       abut bench
 *
 * scripts/ablation.sh runs these commands with and without one row of the cascade or one part of the warm start. */
#pragma once

#include <stdbool.h>
#include <string.h>

/* Rows of the cascade and parts of the warm start ("turning", "slide", "landing") that the build leaves out, separated
 * by commas. scripts/ablation.sh passes -DABUT_WITHOUT to the compiler. */
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

/* Most iterations of a path from a warm start. A path that needs more has jammed; the start apart takes 10. [pairs] */
#define ABUT_WARM_ITERATIONS 25
/* Most iterations in a homotopy: for the first solve, from flight or rest, and for each next one, from the solution for
 * a smaller share. [masses] */
#define ABUT_DEGREES_FIRST_ITERATIONS 60
#define ABUT_DEGREES_NEXT_ITERATIONS 30
/* Number of consecutive steps, and the length that they stay below, after which a path is given up. A jammed warm path
 * is replaced by the start apart at once. Other paths have no good successor, so they are given up only when they no
 * longer move. [pairs] */
#define ABUT_WARM_PATIENCE 4, 0.05
#define ABUT_COLD_PATIENCE 3, 0.001
/* Kappa and tolerance that a path must reach if it jams before 1e-8: the overlap has the size of kappa. [sizes] */
#define ABUT_ON_THE_WAY_KAPPA 1e-7
#define ABUT_ON_THE_WAY_TOLERANCE 1e-9
/* Number of contacts for which a path is allowed one more iteration: all contacts share one step length, the shortest
 * of all. [bench] */
#define ABUT_CONTACTS_PER_ITERATION 20
/* Kappa of the last row, relative to the option's. A larger value gives more overlap, but fewer steps without any
 * solution. [robustness] */
#define ABUT_RAISED 100.0

/* --- chains --- */

/* Fewest and most contacts of a chain. With fewer, the ordinary path is cheaper; a larger island is a falling heap.
 * [bench] */
#define ABUT_SHORTEST_CHAIN 10
#define ABUT_LONGEST_CHAIN 200
/* Kappa at the end of a chain's path, and the most iterations of this path. [bench] */
#define ABUT_CHAIN_KAPPA 1e-10
#define ABUT_CHAIN_ITERATIONS 45

/* --- semismooth Newton --- */

/* If Newton ended below this share of its first residual, the path starts from Newton's best point. A larger value lets
 * more paths lead to another root; a smaller one repeats work. [pairs] */
#define ABUT_WORTH_KEEPING 0.1
/* Natural residual below which a point counts as the solution of unmet contacts, in a pile and with few contacts. A
 * smaller value costs whole paths in piles at rest; a larger one lets a wedged peg move. [bench],
 * tests/experiments/test_insertion.c */
#define ABUT_NEARLY_EXACT 1e-7
#define ABUT_NEARLY_EXACT_FEW 1e-8
/* Residual of the last solution above which a pile is in motion; its path then ends at 1e-8. [bench] */
#define ABUT_IN_MOTION 1e-3

/* --- starts --- */

/* Smallest and largest relaxation kappa of the start apart (start_cold.c). Between these bounds, kappa equals the
 * timestep in the model's unit of time. A smaller kappa starts too close to a wrong active set; a larger one takes more
 * iterations. [pairs] at 10 to 200 Hz */
#define ABUT_APART_LEAST 0.03
#define ABUT_APART_MOST 0.15
/* Largest mu of a smoothed restart: a larger one forgets the last solution. [pairs] */
#define ABUT_SMOOTHED_MOST 0.03
/* Half turn in a step (6 degrees of rotation) above which a contact's place and normal are computed anew. With a
 * smaller value, a collision problem is also solved in steps that do not need it. [drops] */
#define ABUT_FAR_TURN 0.05
/* Depth above which a contact starts as a landing, and depth that the landing leaves, both in units of dt^2; most
 * impulses of a landing. With a smaller depth, contacts at rest start landings. [drops] */
#define ABUT_LANDING_DEPTH 0.5
#define ABUT_LANDING_LEFT 0.1
#define ABUT_LANDING_BLOWS 4

/* For the start of a sliding contact: least slip (model units); least share of the last slip, and of the friction's
 * direction, that must remain; relative change of friction below which the last solution is good enough; tolerance and
 * most iterations of Newton's method in two unknowns. [drops] */
#define ABUT_SLIDE_LEAST 1e-9
#define ABUT_SLIDE_SHARE 0.5
#define ABUT_SLIDE_STRAIGHT 1e-6
#define ABUT_SLIDE_GOAL 1e-12
#define ABUT_SLIDE_ITERATIONS 6

/* --- homotopies --- */

/* Most contacts for which a homotopy is tried. It takes many solves; halving the step is cheaper. [bench] */
#define ABUT_MOST_BY_DEGREES 64
/* First share of the load; first step of the homotopy, its factors after success and failure, and its shortest step.
 * Shorter steps solve a few more cases, but cost hundreds of iterations. [masses] */
#define ABUT_LOAD_FIRST 0.1
#define ABUT_DEGREES_STEP 0.3
#define ABUT_DEGREES_GROW 2.0
#define ABUT_DEGREES_SHRINK 0.4
#define ABUT_DEGREES_SHORTEST 0.002

/* --- tunnelling --- */

/* Overlap with which two parts may turn past each other, as a share of the sum of their inner radii. A smaller value
 * halves steps of rods that only touch; a larger one lets a rod through. tests/dynamics/solve/test_passage.c */
#define ABUT_SHALLOW 0.1

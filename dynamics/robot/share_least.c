/* Chooses the changes d of share.h. With the efforts e + A d of the tree's freedoms, where d_i >= 0 for limits, these
 * are, one after the other,
 *
 *     those with the least |e + A d| over the freedoms without a motor,
 *     of these the ones with the least sum of squares of all motors' efforts,
 *     and of these the shortest.
 *
 * With a set of limits that may push, the first minimum gives d_1 and the space Z of the changes that do not matter to
 * it, and the second one d = d_1 + Z w; both by singular values, since conditions of loops depend on each other in
 * planar mechanisms. The set is found as in non-negative least squares (Lawson and Hanson, 1974): a limit enters it if
 * its impulse is then positive, and those whose impulses become negative on the way to the new minimum leave it. Where
 * conditions depend on each other to about the part of singular values that count as 0, sets may repeat; the number of
 * entries is therefore bounded. Tested in tests/dynamics/robot/test_robot_loops.c and test_robot_share.c. */
#include "dynamics/robot/share_least.h"

#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "base/vec3.h"

/* Singular values below this part of the largest count as 0, as do impulses of limits beside the efforts. */
static const double small = 1e-9;

/* Entries per unknown before the search ends, as in the program of Lawson and Hanson. */
enum { ENTRIES = 3 };

/* Returns the effort of freedom `v` per unknown `k`. */
static double slope_of(const AbutRobot *robot, const AbutShare *share, int k, int v)
{
	return share->unknowns[k].off ? 0.0 : share->columns[(size_t)k * (size_t)robot->n_v + (size_t)v];
}

/* Finds the shortest d with the least efforts of the freedoms that are not driven. The rows of share->free from
 * share->rank on then span the changes that do not matter to these efforts. */
static bool solve_free(const AbutRobot *robot, AbutShare *share)
{
	int row = 0;
	memset(share->free, 0, (size_t)share->n_free * (size_t)share->n * sizeof *share->free);
	memset(share->right, 0, (size_t)share->n_free * sizeof *share->right);
	for (int v = 0; v < robot->n_v; v++) {
		if (robot->driven[v]) {
			continue;
		}
		share->right[row] = -share->effort[v];
		for (int k = 0; k < share->n; k++) {
			share->free[(size_t)k * (size_t)share->n_free + (size_t)row] = slope_of(robot, share, k, v);
		}
		row++;
	}
	share->rank = abut_lapack_least_squares(share->n_free, share->n, share->free, small, share->right, share->room);
	memcpy(share->change, share->right, (size_t)share->n * sizeof *share->change);
	return share->rank >= 0;
}

/* Adds the share `slope` of entry `k` of d to an effort of the second problem. */
static void add_slope(const AbutShare *share, int row, int k, double slope)
{
	const double *Z = &share->free[(size_t)k * (size_t)share->n_free + (size_t)share->rank];
	share->right[row] -= slope * share->change[k];
	for (int i = 0; slope != 0.0 && i < share->n - share->rank; i++) {
		share->driven[(size_t)i * (size_t)share->n_driven + (size_t)row] += slope * Z[i];
	}
}

/* Sets what is rounding beside the columns of A to 0: all entries of the second problem may be. */
static void clear_rounding(const AbutRobot *robot, const AbutShare *share, int n)
{
	double largest = 1.0;
	for (size_t i = 0; i < (size_t)share->n * (size_t)robot->n_v; i++) {
		largest = abut_max(largest, fabs(share->columns[i]));
	}
	for (size_t i = 0; i < (size_t)share->n_driven * (size_t)n; i++) {
		share->driven[i] = fabs(share->driven[i]) > small * largest ? share->driven[i] : 0.0;
	}
}

/* Finds w, and adds Z w to d. Returns the number of independent efforts of motors that it may change; -1: not found. */
static int solve_driven(const AbutRobot *robot, AbutShare *share)
{
	const int n = share->n - share->rank;
	int row = 0;
	memset(share->driven, 0, (size_t)share->n_driven * (size_t)n * sizeof *share->driven);
	memset(share->right, 0, (size_t)share->n_driven * sizeof *share->right);
	for (int v = 0; v < robot->n_v; v++) {
		if (robot->driven[v]) {
			share->right[row] = -share->effort[v];
			for (int k = 0; k < share->n; k++) {
				add_slope(share, row, k, slope_of(robot, share, k, v));
			}
			row++;
		}
	}
	for (int k = 0; k < share->n; k++) {
		if (share->unknowns[k].motor >= 0) {
			add_slope(share, row++, k, 1.0);
		}
	}
	clear_rounding(robot, share, n);
	const int rank =
	    n > 0 ? abut_lapack_least_squares(share->n_driven, n, share->driven, small, share->right, share->room) : 0;
	for (int k = 0; rank > 0 && k < share->n; k++) {
		for (int i = 0; i < n; i++) {
			share->change[k] += share->free[(size_t)k * (size_t)share->n_free + (size_t)(share->rank + i)] *
			                    share->right[i];
		}
	}
	return rank;
}

/* Finds d for the set at hand. Returns the number of independent efforts of motors that are open; -1: not found. */
static int solve(const AbutRobot *robot, AbutShare *share)
{
	const int open = solve_free(robot, share) ? solve_driven(robot, share) : -1;
	for (int k = 0; k < share->n; k++) {
		share->change[k] = share->unknowns[k].off ? 0.0 : share->change[k];
	}
	return open;
}

/* Returns the impulse of a limit that counts as 0. */
static double least_push(const AbutRobot *robot, const AbutShare *share)
{
	double largest = small;
	for (int v = 0; v < robot->n_v; v++) {
		largest = abut_max(largest, fabs(share->effort[v]));
	}
	return small * largest;
}

/* Goes from `before` towards `change` until a limit of the set no longer pushes, and takes it out of the set. Returns
 * false if all of them push at the end. */
static bool leave(AbutShare *share, double least)
{
	double way = 1.0;
	int first = -1;
	for (int k = 0; k < share->n; k++) {
		const double to = share->change[k], from = share->before[k];
		if (share->unknowns[k].pushes && !share->unknowns[k].off && to < -least &&
		    (first < 0 || from < way * (from - to))) {
			way = from / (from - to);
			first = k;
		}
	}
	for (int k = 0; first >= 0 && k < share->n; k++) {
		share->before[k] += way * (share->change[k] - share->before[k]);
	}
	if (first >= 0) {
		share->before[first] = 0.0;
		share->unknowns[first].off = true;
	}
	return first >= 0;
}

/* Lets a limit enter the set if it pushes then. Sets `entered` if it stays. */
static int enter(const AbutRobot *robot, AbutShare *share, int limit, int open, bool *entered)
{
	const double least = least_push(robot, share);
	const size_t size = (size_t)share->n * sizeof *share->change;
	memcpy(share->before, share->change, size);
	share->unknowns[limit].off = false;
	int now = solve(robot, share);
	*entered = now >= 0 && share->change[limit] > least;
	if (!*entered) {
		share->unknowns[limit].off = true;
		memcpy(share->change, share->before, size);
		return now < 0 ? now : open;
	}
	while (now >= 0 && leave(share, least)) {
		now = solve(robot, share);
	}
	*entered = !share->unknowns[limit].off;
	return now;
}

int abut_share_least(const AbutRobot *robot, AbutShare *share)
{
	const int most = ENTRIES * share->n;
	for (int k = 0; k < share->n; k++) {
		share->unknowns[k].off = share->unknowns[k].pushes;
	}
	int open = solve(robot, share), refused = 0, entries = 0;
	for (int k = 0; open >= 0 && refused < share->n; k = (k + 1) % share->n) {
		bool entered = false;
		open = share->unknowns[k].off ? enter(robot, share, k, open, &entered) : open;
		refused = entered ? 0 : refused + 1;
		entries += entered ? 1 : 0;
		open = entries <= most ? open : -1;
	}
	return open;
}

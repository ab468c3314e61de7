/* Tests the choice of limits that push where conditions depend on each other: duplicated couplings have equal or
 * opposite columns, as have limits that load each other. The chosen d must then meet the conditions of Karush, Kuhn and
 * Tucker for the least efforts of the freedoms without a motor, which are computed here from A alone. */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "dynamics/robot/share_least.h"

enum { MOST = 8 };

typedef struct Conditions {
	AbutRobot robot;
	AbutShared unknowns[MOST];
	bool driven[MOST];
	double effort[MOST], columns[MOST * MOST], change[MOST], before[MOST], right[2 * MOST];
	double free[2 * MOST * MOST], second[2 * MOST * MOST];
	unsigned state;
} Conditions;

static int draw(Conditions *c, int n)
{
	c->state = c->state * 1664525u + 1013904223u;
	return (int)((c->state >> 16) % (unsigned)n);
}

/* Makes random conditions of small whole numbers, of which a third are copies of others, changed by `off`. */
static void make(Conditions *c, unsigned seed, double off)
{
	AbutShare *share = &c->robot.share;
	int n_driven = 0;
	*c = (Conditions){.state = seed * 2654435761u + 1u};
	share->n = 1 + draw(c, MOST);
	c->robot.n_v = 1 + draw(c, MOST);
	for (int v = 0; v < c->robot.n_v; v++) {
		c->driven[v] = draw(c, 3) == 0;
		c->effort[v] = draw(c, 7) - 3;
		n_driven += c->driven[v] ? 1 : 0;
	}
	for (int k = 0; k < share->n; k++) {
		c->unknowns[k].motor = draw(c, 4) == 0 ? 0 : -1;
		c->unknowns[k].pushes = c->unknowns[k].motor < 0 && draw(c, 4) > 0;
		const int of = k > 0 && draw(c, 3) == 0 ? draw(c, k) : -1;
		const double sign = draw(c, 2) ? 1.0 : -1.0;
		for (int v = 0; v < c->robot.n_v; v++) {
			c->columns[k * c->robot.n_v + v] =
			    of < 0 ? draw(c, 5) - 2 : sign * c->columns[of * c->robot.n_v + v] + off * (draw(c, 3) - 1);
		}
	}
	c->robot.driven = c->driven;
	share->unknowns = c->unknowns;
	share->effort = c->effort;
	share->columns = c->columns;
	share->change = c->change;
	share->before = c->before;
	share->right = c->right;
	share->free = c->free;
	share->driven = c->second;
	share->n_free = c->robot.n_v - n_driven > share->n ? c->robot.n_v - n_driven : share->n;
	share->n_driven = n_driven + share->n;
}

static int choose(Conditions *c)
{
	c->robot.share.room = calloc(abut_lapack_least_room(2 * MOST, MOST), sizeof(double));
	const int open = abut_share_least(&c->robot, &c->robot.share);
	free(c->robot.share.room);
	return open;
}

/* Returns the slope of half the sum of squares of the efforts without a motor, by unknown k. */
static double slope_of(const Conditions *c, int k)
{
	const int n_v = c->robot.n_v;
	double slope = 0.0;
	for (int v = 0; v < n_v; v++) {
		double effort = c->effort[v];
		for (int i = 0; i < c->robot.share.n; i++) {
			effort += c->columns[i * n_v + v] * c->change[i];
		}
		slope += c->driven[v] ? 0.0 : effort * c->columns[k * n_v + v];
	}
	return slope;
}

Test(robot_share, limits_that_depend_on_each_other_push_as_they_should, .timeout = 60)
{
	int pushing = 0;
	for (unsigned seed = 0; seed < 5000; seed++) {
		Conditions c;
		make(&c, seed, 0.0);
		cr_assert_geq(choose(&c), 0, "seed %u", seed);
		for (int k = 0; k < c.robot.share.n; k++) {
			const double slope = slope_of(&c, k), d = c.change[k];
			if (!c.unknowns[k].pushes) {
				cr_expect_leq(fabs(slope), 1e-8, "seed %u, %d: slope %g", seed, k, slope);
				continue;
			}
			cr_expect_geq(d, -1e-8, "seed %u, %d: %g", seed, k, d);
			cr_expect_geq(slope, -1e-8, "seed %u, %d: slope %g", seed, k, slope);
			cr_expect(d <= 1e-8 || slope <= 1e-8, "seed %u, %d: %g, slope %g", seed, k, d, slope);
			pushing += d > 1e-8 ? 1 : 0;
		}
	}
	cr_expect_geq(pushing, 2000, "%d", pushing);
}

/* Where copies differ by about what counts as 0, sets of limits can repeat: the search then ends without a set. */
Test(robot_share, the_search_ends_where_limits_nearly_depend_on_each_other, .timeout = 60)
{
	int found = 0;
	for (unsigned seed = 0; seed < 5000; seed++) {
		for (int digits = 6; digits < 14; digits++) {
			Conditions c;
			make(&c, seed, pow(10.0, -digits));
			const int open = choose(&c);
			found += open >= 0 ? 1 : 0;
			cr_assert_leq(open, c.robot.share.n, "seed %u: %d", seed, open);
		}
	}
	cr_log_info("%d of 40000 without a set of limits", 40000 - found);
	cr_expect_geq(found, 39000, "%d", found);
}

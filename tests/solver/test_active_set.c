/* Rows that compete to be active: the rule against its words, and chains that bend, on which the plain semismooth
 * Newton cycles. */
#include "small_problem.h"

enum { ROWS = 60, BLOCKS = 12 };

/* Random orthants over random pairs of blocks, some over none. */
static int random_cones(AbutRng *rng, AbutCone *cones)
{
	int n = 0, offset = 0;
	while (offset < ROWS - 4) {
		const int dim = 1 + (int)abut_rng_uniform(rng, 0.0, 3.999);
		AbutCone cone = {.kind = ABUT_CONE_ORTHANT, .offset = offset, .dim = dim, .weight = 0.1, .law = offset};
		for (int side = 0; side < 2; side++) {
			cone.block[side] = (int)abut_rng_uniform(rng, 0.0, BLOCKS + 0.999);
		}
		cones[n++] = cone;
		offset += dim;
	}
	return n;
}

static bool meet(const AbutCone *a, const AbutCone *b)
{
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2; j++) {
			if (a->block[i] > 0 && a->block[i] == b->block[j]) {
				return true;
			}
		}
	}
	return false;
}

typedef struct Point {
	double z[ROWS], H[ROWS];
	bool was[ROWS], is[ROWS]; /* active in the last law, by the projection */
} Point;

static bool is_contested(const AbutCone *cone)
{
	return cone->block[0] > 0 || cone->block[1] > 0;
}

/* The two sentences of solver/active_set.c, row by row. */
static bool expected(const AbutCone *cones, int n_cones, const AbutCone *own, int row, const Point *at)
{
	double largest = 0.0;
	for (int i = 0; i < n_cones; i++) {
		for (int r = cones[i].offset; r < cones[i].offset + cones[i].dim && is_contested(&cones[i]); r++) {
			const bool joins = at->is[r] && !at->was[r], leaves = at->was[r] && !at->is[r];
			largest = fmax(largest, joins ? -at->H[r] : 0.0);
			if (meet(own, &cones[i]) && at->was[row] && leaves && at->z[row] < -at->z[r]) {
				return false;
			}
			if (meet(own, &cones[i]) && !at->was[row] && at->H[row] < 0.0 && joins &&
			    -at->H[r] > -at->H[row]) {
				return false;
			}
		}
	}
	return at->is[row] && (at->was[row] || at->H[row] >= 0.0 || -at->H[row] >= 0.1 * largest);
}

Test(active_set, the_worst_of_a_block_alone)
{
	int held = 0, left = 0;
	for (unsigned seed = 0; seed < 500; seed++) {
		AbutRng rng = {seed};
		AbutCone cones[ROWS];
		Point at = {.z = {0.0}};
		bool active[ROWS];
		AbutWorst worst[BLOCKS + 1];
		double c[2][ROWS], K[ROWS];
		AbutActiveSet set = {active, worst};
		AbutConeLaw law = {.c = {c[0], c[1]}, .K = K};
		const int n_cones = random_cones(&rng, cones);
		const int n = cones[n_cones - 1].offset + cones[n_cones - 1].dim;
		for (int i = 0; i < n; i++) {
			at.was[i] = active[i] = abut_rng_uniform(&rng, 0.0, 1.0) < 0.5;
			at.z[i] = at.was[i] ? abut_rng_normal(&rng) + 0.5 : 0.0;
			at.H[i] = at.was[i] ? 0.0 : abut_rng_normal(&rng);
			at.is[i] = at.z[i] - 0.1 * at.H[i] > 0.0;
		}
		abut_cones_law_exact(cones, n_cones, at.z, at.H, 1e-7, 1e-7, (double)INFINITY, &law);
		abut_active_set_thin(cones, n_cones, at.z, at.H, &set, &law);
		for (int i = 0; i < n_cones; i++) {
			for (int r = cones[i].offset; r < cones[i].offset + cones[i].dim; r++) {
				const bool contested = is_contested(&cones[i]);
				const bool stays = contested ? expected(cones, n_cones, &cones[i], r, &at) : at.is[r];
				cr_assert_eq(K[r] > 0.0, stays, "seed %u, row %d", seed, r);
				cr_assert(stays || c[0][r] == -at.z[r], "seed %u, row %d", seed, r);
				cr_assert(!contested || active[r] == stays, "seed %u, row %d", seed, r);
				held += at.is[r] && !at.was[r] && !stays;
				left += at.is[r] && at.was[r] && !stays;
			}
		}
	}
	cr_assert(held > 1000 && left > 1000, "%d, %d", held, left);
}

/* A tower of rigid blocks that bends one way. Contact k opens as a hinge about an edge of the block below or above,
 * which lie within a thousandth of each other, by the turn z >= 0 of either. Turning takes from its moment what the
 * blocks above need for it, J_kl = sum over blocks b above both of (b - k)(b - l); H = limit - moment >= 0. */
static void bending_tower(SmallProblem *p, int contacts, AbutRng *rng, bool compete)
{
	memset(p, 0, sizeof *p);
	p->n_y = contacts; /* nothing but room for as many blocks */
	double push[SMALL];
	for (int k = 0; k < contacts; k++) {
		p->A[k][k] = 1.0;
		push[k] = abut_rng_normal(rng);
		for (int side = 0; side < 2; side++) {
			AbutCone *cone = &p->cones[p->n_cones];
			small_add_cone(p, ABUT_CONE_ORTHANT, 1, 0.1);
			cone->block[0] = compete ? k : 0;
			cone->block[1] = compete ? k + 1 : 0;
		}
	}
	for (int i = 0; i < 2 * contacts; i++) {
		const int k = i / 2;
		double moment = 0.0;
		for (int b = k; b < contacts; b++) {
			moment += (b - k + 1) * push[b];
			for (int j = 0; j / 2 <= b; j++) {
				p->D[i][j] += (b - k + 1) * (b - j / 2 + 1);
			}
		}
		p->h[i] = 0.5 * (contacts - k) * abut_rng_uniform(rng, 0.999, 1.001) - moment;
	}
}

static int iterations_of(SmallProblem *problem, bool *solved)
{
	static const AbutExactOptions options = {
	    .tolerance = 1e-10, .goal = 1e-11, .max_iterations = 60, .delta = 1e-7, .rho = 1e-9};
	SmallSolve solve = {.problem = *problem};
	AbutSolveReport report = {.solved = false};
	small_begin(&solve, false);
	memset(solve.it.z, 0, (size_t)problem->n_z * sizeof(double));
	abut_solve_exact(&solve.ncp, &options, &solve.it, &report);
	double H[SMALL], r[SMALL];
	small_evaluate(&solve.problem, solve.it.y, solve.it.z, r, H);
	*solved = report.solved;
	for (int k = 0; report.solved && k < problem->n_z; k++) { /* D is positive definite: there is one such z */
		cr_assert(solve.it.z[k] > -1e-9 && H[k] > -1e-8 && fabs(solve.it.z[k] * H[k]) < 1e-8);
	}
	small_end(&solve);
	return report.iterations;
}

Test(active_set, towers_bend_without_cycles)
{
	int plain = 0, cycles = 0, total = 0;
	const int runs = 1000;
	for (unsigned seed = 0; seed < (unsigned)runs; seed++) {
		SmallProblem problem;
		bool solved;
		AbutRng rng = {seed}, same = {seed};
		bending_tower(&problem, SMALL / 2, &rng, false);
		plain += iterations_of(&problem, &solved);
		cycles += !solved;
		bending_tower(&problem, SMALL / 2, &same, true);
		const int iterations = iterations_of(&problem, &solved);
		cr_assert(solved, "seed %u", seed);
		cr_assert_leq(iterations, 20, "seed %u: %d", seed, iterations);
		total += iterations;
	}
	cr_assert_leq(total, 4 * runs, "%d", total);
	cr_assert_lt(3 * total, 2 * plain, "%d, %d", plain, total);
	cr_assert_gt(cycles, 0);
}

/* Tests the active set of rows that compete to be active. Compares the rule with its description, and solves bending
 * chains, on which the plain semismooth Newton method cycles. */
#include "small_problem.h"

enum { ROWS = 60, BLOCKS = 12 };

/* Draws random cones over random pairs of blocks, some over none. */
static int random_cones(AbutRng *rng, AbutCone *cones)
{
	int n = 0, offset = 0, law = 0;
	while (offset < ROWS - 4) {
		const AbutConeKind kind = abut_rng_uniform(rng, 0.0, 1.0) < 0.7 ? ABUT_CONE_ORTHANT : ABUT_CONE_SOC;
		const int dim = (kind == ABUT_CONE_SOC ? 2 : 1) + (int)abut_rng_uniform(rng, 0.0, 2.999);
		AbutCone cone = {.kind = kind, .offset = offset, .dim = dim, .weight = 0.1, .law = law};
		for (int side = 0; side < 2; side++) {
			cone.block[side] = (int)abut_rng_uniform(rng, 0.0, BLOCKS + 0.999);
		}
		cones[n++] = cone;
		offset += dim;
		law += abut_cone_law_size(kind, dim);
	}
	return n;
}

static bool contested(const AbutCone *cone)
{
	return cone->block[0] > 0 || cone->block[1] > 0;
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

/* Rows or cones that change state together. */
typedef struct Member {
	const AbutCone *cone;
	int row, law;
	bool was, is; /* active in the last law, by the projection */
	double z, slack;
} Member;

static Member make_member(const AbutCone *cone, int index, const double *z, const double *H, const bool *active,
                          const double *K)
{
	const int row = cone->offset + index;
	double tail = 0.0;
	for (int i = 1; i < cone->dim && cone->kind == ABUT_CONE_SOC; i++) {
		tail = hypot(tail, H[row + i]);
	}
	return (Member){.cone = cone,
	                .row = row,
	                .law = cone->law + index,
	                .was = active[row],
	                .is = K[cone->law + index] > 0.0,
	                .z = z[row],
	                .slack = H[row] - tail};
}

/* Implements the two sentences of solver/ncp/active_set.c. */
static bool expected(const Member *members, int n, const Member *own)
{
	double largest = 0.0;
	for (const Member *other = members; other < members + n; other++) {
		const bool joins = other->is && !other->was, leaves = other->was && !other->is;
		largest = fmax(largest, contested(other->cone) && joins ? -other->slack : 0.0);
		if (!meet(own->cone, other->cone)) {
			continue;
		}
		if (own->was ? leaves && own->z < -other->z : own->slack < 0.0 && joins && other->slack < own->slack) {
			return false;
		}
	}
	return own->was || own->slack >= 0.0 || -own->slack >= 0.1 * largest;
}

Test(active_set, the_worst_of_a_block_alone)
{
	int held = 0, left = 0;
	for (unsigned seed = 0; seed < 500; seed++) {
		AbutRng rng = {seed};
		AbutCone cones[ROWS];
		Member members[ROWS];
		bool active[ROWS];
		AbutWorst worst[BLOCKS + 1];
		double z[ROWS], H[ROWS], c[2][ROWS], K[4 * ROWS];
		AbutActiveSet set = {active, worst};
		AbutConeLaw law = {.c = {c[0], c[1]}, .K = K};
		const int n_cones = random_cones(&rng, cones);
		int n = 0;
		for (int i = 0; i < cones[n_cones - 1].offset + cones[n_cones - 1].dim; i++) {
			active[i] = abut_rng_uniform(&rng, 0.0, 1.0) < 0.5;
			z[i] = active[i] ? abut_rng_normal(&rng) + 0.5 : 0.0;
			H[i] = active[i] ? 0.0 : abut_rng_normal(&rng);
		}
		abut_cones_law_exact(cones, n_cones, z, H, 1e-7, 1e-7, (double)INFINITY, &law);
		for (int i = 0; i < n_cones; i++) {
			for (int j = 0; j < (cones[i].kind == ABUT_CONE_SOC ? 1 : cones[i].dim); j++) {
				members[n++] = make_member(&cones[i], j, z, H, active, K);
			}
		}
		abut_active_set_thin(cones, n_cones, z, H, &set, &law);
		for (const Member *m = members; m < members + n; m++) {
			const int rows = m->cone->kind == ABUT_CONE_SOC ? m->cone->dim : 1;
			const bool stays = m->is && (!contested(m->cone) || expected(members, n, m));
			cr_assert_eq(K[m->law] > 0.0, stays, "seed %u, row %d", seed, m->row);
			cr_assert(!contested(m->cone) || active[m->row] == stays, "seed %u, row %d", seed, m->row);
			for (int r = m->row; r < m->row + rows && !stays; r++) {
				cr_assert_eq(c[0][r], -z[r], "seed %u, row %d", seed, r);
			}
			held += m->is && !m->was && !stays;
			left += m->is && m->was && !stays;
		}
	}
	cr_assert(held > 1000 && left > 1000, "%d, %d", held, left);
}

/* Makes a tower of rigid blocks that bends in one direction. Contact k opens as a hinge about an edge of the block
 * below or above, with the turn z >= 0 of either; the two edges lie within a thousandth of each other. A turn reduces
 * its moment by what the blocks above need for it, J_kl = sum over blocks b above both of (b - k)(b - l); H = limit -
 * moment >= 0. */
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

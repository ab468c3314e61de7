/* Tests both friction laws. The elimination of their linearised equations (condense, recover) is compared with a dense
 * solve, and their constant derivatives with differences. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/lapack.h"
#include "dynamics/contact/friction.h"
#include "solver/sample_cones.h"

enum { SEEDS = 300, CASES = 4, Z_MAX = 7, N_MAX = 8 };

static const AbutFrictionCone kinds[] = {ABUT_FRICTION_CONE_SOC, ABUT_FRICTION_CONE_PYRAMID};
static const char *const names[] = {"soc", "pyramid"};

/* The friction of one contact at a point, with a law. */
typedef struct Point {
	AbutFrictionCone kind;
	int tail, n_y, n_z, n_cones;
	AbutCone cones[2];
	double mu, gamma, slip[3], y[1], z[Z_MAX], s[Z_MAX];
	double r[1], H[Z_MAX], beta[3];
	double c[2][Z_MAX], K[64];
	AbutConeLaw law;
} Point;

static void evaluate(const Point *p, double gamma, const double *slip, const double *y, const double *z, double *r,
                     double *H, double beta[3])
{
	const AbutFriction friction = {.kind = p->kind, .tail = p->tail, .mu = p->mu};
	abut_friction_evaluate(&friction, gamma, slip, y, z, r, H, beta);
}

/* Creates a point with one of four laws: the path at kappa 0.1 or 1e-4, or the exact law with a mild or the usual
 * delta. Returns the condition number of the equations, about 1 / kappa or C / delta. */
static double make_point(int kind, int tail, int which, AbutRng *rng, Point *p)
{
	static const double kappas[] = {0.1, 1e-4}, deltas[] = {1e-3, 1e-7};
	int law = 0;
	memset(p, 0, sizeof *p);
	p->kind = kinds[kind];
	p->tail = tail;
	p->n_y = abut_friction_n_y(p->kind, tail);
	p->n_z = abut_friction_n_z(p->kind, tail);
	p->n_cones = abut_friction_cones(p->kind, tail, 0, &law, p->cones);
	cr_assert_leq(law, 64);
	p->law = (AbutConeLaw){.c = {p->c[0], p->c[1]}, .K = p->K};
	p->mu = sample_log_uniform(rng, 0.05, 2.0);
	p->gamma = sample_log_uniform(rng, 0.1, 3.0);
	for (int t = 0; t < tail; t++) {
		p->slip[t] = 0.3 * abut_rng_normal(rng);
	}
	sample_near_path(p->cones, p->n_cones, which < 2 ? kappas[which] : 0.1, 0.3, rng, p->z, p->s);
	p->y[0] = p->s[0]; /* psi is the head of the slack */
	for (int i = 0; which >= 2 && i < p->n_z; i++) {
		p->z[i] += 0.5 * abut_rng_normal(rng); /* any point, also outside the cones */
	}
	evaluate(p, p->gamma, p->slip, p->y, p->z, p->r, p->H, p->beta);
	if (which < 2) {
		abut_cones_law_path(p->cones, p->n_cones, p->z, p->s, p->H, kappas[which], &p->law);
		return 1.0 / kappas[which];
	}
	abut_cones_law_exact(p->cones, p->n_cones, p->z, p->H, deltas[which - 2], deltas[which - 2], (double)INFINITY,
	                     &p->law);
	return 10.0 / deltas[which - 2];
}

/* A dense system of n equations under construction. Row i of J gives the change of entry i of [r; H] with (dgamma,
 * dslip, dy, dz). */
typedef struct System {
	int n;
	double J[N_MAX * (4 + N_MAX)], M[N_MAX * N_MAX], rhs[N_MAX], given[4];
} System;

static void add_change(System *system, int row, double factor, int change)
{
	const double *J = &system->J[change * (4 + system->n)];
	for (int j = 0; j < 4; j++) {
		system->rhs[row] -= factor * J[j] * system->given[j];
	}
	for (int j = 0; j < system->n; j++) {
		system->M[row + j * system->n] += factor * J[4 + j];
	}
}

/* Adds the equations of psi (head) and of dz (tail), as cones.h states the law with a free head. */
static void add_free_head(System *system, int first, int tail, const AbutFreeHeadLaw *law, double weight)
{
	add_change(system, first, 1.0, first);
	system->M[first + first * system->n] -= law->qb;
	system->rhs[first] += law->q[0] + weight * law->q[1];
	for (int i = 0; i < tail; i++) {
		const int row = first + 1 + i;
		add_change(system, first, -law->qs[i], row);
		system->M[row + row * system->n] += 1.0;
		system->M[row + first * system->n] -= law->a[i];
		system->rhs[row] += law->k[0][i] + weight * law->k[1][i];
		for (int j = 0; j < tail; j++) {
			add_change(system, row, law->B[3 * i + j], first + 1 + j);
		}
	}
}

/* Solves the linearised equations of [r; H] densely, with the derivatives of abut_friction_jacobian, for (dy, dz) at
 * given dgamma and dslip. */
static void dense_solution(const Point *p, double weight, double d_gamma, const double *d_slip, double *dy, double *dz)
{
	System system = {.n = p->n_y + p->n_z, .given = {d_gamma, d_slip[0], d_slip[1], d_slip[2]}};
	double beta_z[3 * Z_MAX];
	int pivots[N_MAX];
	const AbutFriction friction = {.kind = p->kind, .tail = p->tail, .mu = p->mu};
	abut_friction_jacobian(&friction, beta_z, system.J);
	for (int i = 0; i < p->n_y; i++) {
		system.rhs[i] = -p->r[i];
		add_change(&system, i, 1.0, i);
	}
	for (int c = 0; c < p->n_cones; c++) {
		const AbutCone *cone = &p->cones[c];
		const int first = p->n_y + cone->offset;
		if (cone->kind == ABUT_CONE_SOC_FREE_HEAD) {
			add_free_head(&system, first, cone->dim - 1, abut_free_head_law(&p->law, cone), weight);
			continue;
		}
		for (int i = 0; i < cone->dim; i++) {
			system.rhs[first + i] += p->c[0][cone->offset + i] + weight * p->c[1][cone->offset + i];
			system.M[(first + i) * (system.n + 1)] += 1.0;
			add_change(&system, first + i, p->K[cone->law + i], first + i);
		}
	}
	cr_assert(abut_lapack_solve(system.n, system.M, pivots, 1, system.rhs));
	memcpy(dy, system.rhs, (size_t)p->n_y * sizeof *dy);
	memcpy(dz, system.rhs + p->n_y, (size_t)p->n_z * sizeof *dz);
}

static double largest(const double *v, int n)
{
	double out = 1.0;
	for (int i = 0; i < n; i++) {
		out = fmax(out, fabs(v[i]));
	}
	return out;
}

/* Three results agree: dbeta of the condensed law, dbeta of the recovered dz, and the dense solution; and dH is the
 * change of H. Errors are 1e-15 times the condition number, relative to the solution and to the terms K dH of which it
 * is a difference. */
Test(friction, elimination_is_that_of_the_dense_equations)
{
	for (int kind = 0; kind < 2; kind++) {
		for (int tail = 1; tail <= 3; tail++) {
			for (unsigned seed = 0; seed < CASES * SEEDS; seed++) {
				AbutRng rng = {seed};
				Point p;
				AbutFrictionLaw law;
				double dy[1] = {0.0}, dz[Z_MAX], dH[Z_MAX], dense_y[1] = {0.0}, dense_z[Z_MAX],
				       d_slip[3] = {0.0};
				const double condition = make_point(kind, tail, (int)(seed % CASES), &rng, &p);
				const double weight = abut_rng_normal(&rng), d_gamma = abut_rng_normal(&rng);
				for (int t = 0; t < tail; t++) {
					d_slip[t] = abut_rng_normal(&rng);
				}
				const double head = p.n_y ? p.r[0] : 0.0;
				const AbutFriction friction = {p.kind, tail, p.mu, head, p.cones};
				abut_friction_condense(&friction, &p.law, &law);
				abut_friction_recover(&friction, &p.law, weight, d_gamma, d_slip, dy, dz, dH);
				dense_solution(&p, weight, d_gamma, d_slip, dense_y, dense_z);
				const double tolerance =
				    1e-14 * condition * (largest(dense_z, p.n_z) + largest(p.H, p.n_z));
				for (int i = 0; i < p.n_z; i++) {
					cr_assert_float_eq(dz[i], dense_z[i], tolerance,
					                   "%s, tail %d, seed %u: dz %d %g of %g", names[kind], tail,
					                   seed, i, dz[i], dense_z[i]);
				}
				cr_assert_float_eq(dy[0], dense_y[0], tolerance, "%s, tail %d, seed %u: dpsi",
				                   names[kind], tail, seed);
				double beta_z[3 * Z_MAX], J[N_MAX * (4 + N_MAX)];
				abut_friction_jacobian(&friction, beta_z, J);
				for (int t = 0; t < tail; t++) {
					double by_dz = 0.0,
					       by_law = law.a[t] * d_gamma + law.k[0][t] + weight * law.k[1][t];
					for (int i = 0; i < p.n_z; i++) {
						by_dz += beta_z[t * p.n_z + i] * dz[i];
					}
					for (int u = 0; u < tail; u++) {
						by_law -= law.B[3 * t + u] * d_slip[u];
					}
					cr_assert_float_eq(by_law, by_dz, 2.0 * tolerance,
					                   "%s, tail %d, seed %u: dbeta %g, %g", names[kind], tail,
					                   seed, by_law, by_dz);
				}
				for (int i = 0; i < p.n_z; i++) {
					const double *row = &J[(p.n_y + i) * (4 + p.n_y + p.n_z)];
					double sum = row[0] * d_gamma + row[1] * d_slip[0] + row[2] * d_slip[1] +
					             row[3] * d_slip[2];
					for (int j = 0; j < p.n_y + p.n_z; j++) {
						sum += row[4 + j] * (j < p.n_y ? dy[j] : dz[j - p.n_y]);
					}
					cr_assert_float_eq(dH[i], sum, 1e-14 * (10.0 + largest(dz, p.n_z) * 10.0),
					                   "%s, tail %d, seed %u: dH %d", names[kind], tail, seed, i);
				}
			}
		}
	}
}

/* Compares with differences of abut_friction_evaluate. Except for mu gamma the function is linear, so differences are
 * exact up to rounding for any step: 1e-12 for sums of ten entries. */
Test(friction, jacobian_is_that_of_evaluate)
{
	for (int kind = 0; kind < 2; kind++) {
		for (int tail = 1; tail <= 3; tail++) {
			AbutRng rng = {7};
			Point p;
			make_point(kind, tail, 0, &rng, &p);
			const int n = p.n_y + p.n_z, columns = 4 + n;
			double beta_z[3 * Z_MAX], J[N_MAX * (4 + N_MAX)];
			const AbutFriction friction = {.kind = p.kind, .tail = tail, .mu = p.mu};
			abut_friction_jacobian(&friction, beta_z, J);
			for (int column = 0; column < columns; column++) {
				double values[2][N_MAX], beta[2][3];
				if (column == 3 && tail == 2) {
					continue; /* the third slip is not used */
				}
				for (int side = 0; side < 2; side++) {
					Point m = p;
					const double change = side == 0 ? 0.5 : -0.5;
					*(column == 0          ? &m.gamma
					  : column < 4         ? &m.slip[column - 1]
					  : column < 4 + p.n_y ? &m.y[column - 4]
					                       : &m.z[column - 4 - p.n_y]) += change;
					evaluate(&m, m.gamma, m.slip, m.y, m.z, values[side], values[side] + p.n_y,
					         beta[side]);
				}
				for (int i = 0; i < n; i++) {
					cr_assert_float_eq(J[i * columns + column], values[0][i] - values[1][i], 1e-12,
					                   "%s, tail %d: row %d by %d", names[kind], tail, i, column);
				}
				for (int t = 0; t < 3; t++) {
					const int z = column - 4 - p.n_y;
					const double expected = z < 0 ? 0.0 : beta_z[t * p.n_z + z];
					cr_assert_float_eq(expected, beta[0][t] - beta[1][t], 1e-12,
					                   "%s, tail %d: beta by %d", names[kind], tail, column);
				}
			}
		}
	}
}

/* The sizes and cones are those stated in friction.h. */
Test(friction, sizes_and_cones)
{
	for (int kind = 0; kind < 2; kind++) {
		int law = 5;
		AbutCone cones[2];
		cr_assert_eq(abut_friction_n_y(kinds[kind], 0), 0);
		cr_assert_eq(abut_friction_n_z(kinds[kind], 0), 0);
		cr_assert_eq(abut_friction_cones(kinds[kind], 0, 3, &law, cones), 0);
		cr_assert_eq(law, 5);
	}
	for (int tail = 1; tail <= 3; tail++) {
		AbutCone cones[2];
		int law = 5, counted = 5;
		cr_assert_eq(abut_friction_n_y(ABUT_FRICTION_CONE_SOC, tail), 1);
		cr_assert_eq(abut_friction_n_z(ABUT_FRICTION_CONE_SOC, tail), 1 + tail);
		cr_assert_eq(abut_friction_cones(ABUT_FRICTION_CONE_SOC, tail, 3, &law, cones), 1);
		cr_assert(cones[0].kind == ABUT_CONE_SOC_FREE_HEAD && cones[0].offset == 3 &&
		          cones[0].dim == 1 + tail && cones[0].law == 5);
		cr_assert_eq(abut_friction_cones(ABUT_FRICTION_CONE_SOC, tail, 3, &counted, NULL), 1);
		cr_assert_eq(counted, law);
		law = 5;
		cr_assert_eq(abut_friction_n_y(ABUT_FRICTION_CONE_PYRAMID, tail), 0);
		cr_assert_eq(abut_friction_n_z(ABUT_FRICTION_CONE_PYRAMID, tail), 1 + 2 * tail);
		cr_assert_eq(abut_friction_cones(ABUT_FRICTION_CONE_PYRAMID, tail, 3, &law, cones), 2);
		cr_assert(cones[0].kind == ABUT_CONE_ORTHANT && cones[0].offset == 3 && cones[0].dim == 1);
		cr_assert(cones[1].kind == ABUT_CONE_ORTHANT && cones[1].offset == 4 && cones[1].dim == 2 * tail);
		cr_assert_eq(law, 5 + 1 + 2 * tail);
	}
}

/* Without friction nothing is read, and only beta = 0 and a zero law are written. */
Test(friction, none)
{
	for (int kind = 0; kind < 2; kind++) {
		double beta[3] = {1.0, 2.0, 3.0}, untouched = 7.0;
		const double slip[3] = {1.0, 1.0, 1.0};
		AbutFrictionLaw law;
		const AbutFriction none = {.kind = kinds[kind]};
		abut_friction_evaluate(&none, 1.0, slip, NULL, NULL, &untouched, &untouched, beta);
		abut_friction_condense(&none, NULL, &law);
		abut_friction_recover(&none, NULL, 0.0, 1.0, slip, &untouched, &untouched, &untouched);
		cr_assert_eq(untouched, 7.0);
		for (int i = 0; i < 3; i++) {
			cr_assert(beta[i] == 0.0 && law.a[i] == 0.0 && law.k[0][i] == 0.0 && law.B[4 * i] == 0.0);
		}
	}
}

/* Tests the natural residual z - P(z - C H), its linearisation (the exact law) by differences, the smoothed pair. */
#include <criterion/criterion.h>
#include <string.h>

#include "sample_cones.h"
#include "solver/cones/soc.h"

static const int dims[] = {2, 3, 4, 6};
enum { DIMS = 4, DIM_MAX = 6 };

typedef struct Law {
	double c[2][16], K[64];
	AbutConeLaw law;
} Law;

static void law_memory(Law *m)
{
	memset(m, 0, sizeof *m);
	m->law = (AbutConeLaw){.c = {m->c[0], m->c[1]}, .K = m->K};
}

/* Computes phi = z - P(z - C H) by its definition: P is the nearest point of the cone. */
static void natural(AbutConeKind kind, int dim, double C, const double *z, const double *H, double *phi)
{
	double d[DIM_MAX], r = 0.0;
	for (int i = 0; i < dim; i++) {
		d[i] = z[i] - C * H[i];
		r += i ? d[i] * d[i] : 0.0;
	}
	r = sqrt(r);
	for (int i = 0; i < dim; i++) {
		double p;
		if (kind == ABUT_CONE_ORTHANT) {
			p = fmax(d[i], 0.0);
		} else if (d[0] >= r) {
			p = d[i];
		} else if (d[0] <= -r) {
			p = 0.0;
		} else {
			p = 0.5 * (d[0] + r) * (i ? d[i] / r : 1.0);
		}
		phi[i] = z[i] - p;
	}
}

/* Tests the reference: no sampled point of the cone is nearer than its projection. */
Test(cone_exact, reference_projects)
{
	for (unsigned seed = 0; seed < 300; seed++) {
		AbutRng rng = {seed};
		const int dim = dims[seed % DIMS];
		const AbutCone cone = {ABUT_CONE_SOC, 0, dim, 1.0, 0, {0, 0}, 0.0, false};
		double z[DIM_MAX], zero[DIM_MAX] = {0.0}, phi[DIM_MAX], p[DIM_MAX], q[DIM_MAX], inner = 0.0;
		for (int i = 0; i < dim; i++) {
			z[i] = abut_rng_normal(&rng);
		}
		natural(ABUT_CONE_SOC, dim, 1.0, z, zero, phi);
		for (int i = 0; i < dim; i++) {
			p[i] = z[i] - phi[i];
		}
		/* phi . (q - p) <= 0 for every q of the cone */
		for (int k = 0; k < 50; k++) {
			sample_interior(&cone, 1, &rng, q);
			inner = 0.0;
			for (int i = 0; i < dim; i++) {
				inner += phi[i] * (q[i] - p[i]);
			}
			cr_assert_leq(inner, 1e-14, "seed %u", seed);
		}
	}
}

Test(cone_exact, natural_residual_is_that_of_the_projection)
{
	for (unsigned seed = 0; seed < 4000; seed++) {
		AbutRng rng = {seed};
		const int dim = dims[seed % DIMS];
		const AbutConeKind kind = (AbutConeKind)(seed / DIMS % 3);
		const double C = sample_log_uniform(&rng, 0.1, 10.0);
		const AbutCone cone = {kind, 0, dim, C, 0, {0, 0}, 0.0, false};
		double z[DIM_MAX], H[DIM_MAX], phi[DIM_MAX], worst = 0.0, size = 1.0;
		for (int i = 0; i < dim; i++) {
			z[i] = abut_rng_normal(&rng);
			H[i] = sample_log_uniform(&rng, 0.01, 10.0) * abut_rng_normal(&rng);
			size = fmax(size, fabs(z[i]) + C * fabs(H[i]));
		}
		natural(kind, dim, C, z, H, phi);
		for (int i = 0; i < dim; i++) {
			worst = fmax(worst, fabs(phi[i]));
		}
		/* a few roundings of the largest entry */
		cr_assert_float_eq(abut_cones_natural_residual(&cone, 1, z, H), worst, 1e-14 * size, "seed %u", seed);
	}
}

/* The residual is zero for a complementary pair for any C. (Of each two eigenvalues of z and s, one is zero.) It is not
 * zero after a change of either: a change of `off` must give at least 1e-2 of it, for C in [0.1, 10]. */
Test(cone_exact, natural_residual_vanishes_iff_complementary)
{
	for (unsigned seed = 0; seed < 3000; seed++) {
		AbutRng rng = {seed};
		const int dim = dims[seed % DIMS], pattern = (int)(seed / DIMS % 4);
		const AbutCone cone = {ABUT_CONE_SOC, 0,   dim,  sample_log_uniform(&rng, 0.1, 10.0), 0,
		                       {0, 0},        0.0, false};
		const double a = sample_log_uniform(&rng, 0.3, 3.0), b = sample_log_uniform(&rng, 0.3, 3.0);
		const double off = sample_log_uniform(&rng, 1e-8, 1e-2);
		double u[DIM_MAX], z[DIM_MAX], s[DIM_MAX];
		sample_unit(dim - 1, &rng, u);
		sample_spectral(dim, pattern & 1 ? a : 0.0, pattern & 2 ? b : 0.0, u, z);
		sample_spectral(dim, pattern & 1 ? 0.0 : b, pattern & 2 ? 0.0 : a, u, s);
		/* sums of 10 entries of size 30 */
		cr_assert_leq(abut_cones_natural_residual(&cone, 1, z, s), 1e-14, "seed %u", seed);
		const double moved = abut_rng_uniform(&rng, -1.0, 1.0) < 0.0 ? -off : off;
		if (pattern & 1) { /* the slack's zero eigenvalue becomes `moved`: no longer complementary */
			sample_spectral(dim, moved, pattern & 2 ? 0.0 : a, u, s);
		} else {
			sample_spectral(dim, moved, pattern & 2 ? b : 0.0, u, z);
		}
		cr_assert_geq(abut_cones_natural_residual(&cone, 1, z, s), 1e-2 * off, "seed %u", seed);
	}
	const AbutCone orthant = {ABUT_CONE_ORTHANT, 0, 2, 0.1, 0, {0, 0}, 0.0, false};
	cr_assert_eq(abut_cones_natural_residual(&orthant, 1, (const double[]){0.0, 3.0}, (const double[]){7.0, 0.0}),
	             0.0);
	cr_assert_gt(abut_cones_natural_residual(&orthant, 1, (const double[]){1e-9, 3.0}, (const double[]){7.0, 0.0}),
	             0.0);
}

/* Draws a point whose z - C H has eigenvalues of the given signs, all well away from zero: 0 interior, 1 zero, 2
 * between. */
static void sample_case(int which, int dim, double C, AbutRng *rng, double *z, double *H)
{
	double u[DIM_MAX], d[DIM_MAX];
	const double a = sample_log_uniform(rng, 0.3, 3.0), b = sample_log_uniform(rng, 0.3, 3.0);
	sample_unit(dim - 1, rng, u);
	sample_spectral(dim, which == 1 ? -a : a, which == 0 ? b : -b, u, d);
	for (int i = 0; i < dim; i++) {
		z[i] = abut_rng_normal(rng);
		H[i] = (z[i] - d[i]) / C;
	}
}

/* Returns the residual of the linearised equation phi + dphi = 0 along (dz, dH), with dphi by central differences,
 * relative to the size of the direction. The law regularises the eigenvalues of the derivative by delta, which leaves a
 * residual of delta |dz|. */
static double linear_residual(AbutConeKind kind, int dim, double C, const double *z, const double *H, const double *dz,
                              const double *dH)
{
	const double step = 1e-4;
	double now[DIM_MAX], at[2][DIM_MAX], zt[DIM_MAX], Ht[DIM_MAX], worst = 0.0, size = 0.0;
	for (int i = 0; i < dim; i++) {
		size = fmax(size, fmax(fabs(dz[i]), C * fabs(dH[i])));
	}
	const double scaled = step / fmax(size, 1.0); /* a move of 1e-4 at most: far from the kinks */
	natural(kind, dim, C, z, H, now);
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < dim; i++) {
			zt[i] = z[i] + (side ? -scaled : scaled) * dz[i];
			Ht[i] = H[i] + (side ? -scaled : scaled) * dH[i];
		}
		natural(kind, dim, C, zt, Ht, at[side]);
	}
	for (int i = 0; i < dim; i++) {
		worst = fmax(worst, fabs(now[i] + (at[0][i] - at[1][i]) / (2.0 * scaled)));
	}
	return worst / fmax(size, 1.0);
}

/* The tolerance relative to the direction is delta, plus 1e-8 by curvature of the differences, plus 1e-16 / 1e-4 by
 * rounding. A wrong term has an error of about 1. There is no second right-hand side. */
Test(cone_exact, law_solves_the_linearised_projection)
{
	const double delta = 1e-6;
	for (unsigned seed = 0; seed < 6000; seed++) {
		AbutRng rng = {seed};
		const int dim = dims[seed % DIMS], which = (int)(seed / DIMS % 3);
		const AbutConeKind kind = seed % 5 == 0 ? ABUT_CONE_ORTHANT : ABUT_CONE_SOC;
		const AbutCone cone = {kind, 0, dim, sample_log_uniform(&rng, 0.1, 10.0), 0, {0, 0}, 0.0, false};
		double z[DIM_MAX], H[DIM_MAX], dH[DIM_MAX], dz[DIM_MAX];
		Law m;
		law_memory(&m);
		sample_case(which, dim, cone.weight, &rng, z, H);
		for (int i = 0; i < dim; i++) {
			dH[i] = abut_rng_normal(&rng);
			if (kind == ABUT_CONE_ORTHANT && fabs(z[i] - cone.weight * H[i]) < 1e-3) {
				H[i] += 1.0; /* away from the kink */
			}
		}
		abut_cones_law_exact(&cone, 1, z, H, delta, delta, (double)INFINITY, &m.law);
		abut_cone_apply_law(&cone, &m.law, 123.0, dH, dz);
		const double residual = linear_residual(kind, dim, cone.weight, z, H, dz, dH);
		cr_assert_leq(residual, 5.0 * delta, "dim %d, case %d, seed %u: %g", dim, which, seed, residual);
	}
}

/* Tests the case between. dH is chosen so that the stiff row e+ requires no large dz. Only then do the soft parts of
 * the law affect the relative residual. */
Test(cone_exact, law_holds_for_soft_directions)
{
	const double delta = 1e-7;
	for (unsigned seed = 0; seed < 3000; seed++) {
		AbutRng rng = {seed};
		const int dim = dims[seed % DIMS];
		const AbutCone cone = {ABUT_CONE_SOC, 0,   dim,  sample_log_uniform(&rng, 0.1, 10.0), 0,
		                       {0, 0},        0.0, false};
		double z[DIM_MAX], H[DIM_MAX], dH[DIM_MAX], dz[DIM_MAX], u[DIM_MAX], phi[DIM_MAX], r = 0.0;
		Law m;
		law_memory(&m);
		sample_case(2, dim, cone.weight, &rng, z, H);
		for (int i = 1; i < dim; i++) {
			u[i] = z[i] - cone.weight * H[i];
			r += u[i] * u[i];
		}
		natural(ABUT_CONE_SOC, dim, cone.weight, z, H, phi);
		/* along e+ = (1, u), dH+ = -phi+ / C; other parts are free */
		double along = 0.0, phi_plus = phi[0];
		for (int i = 1; i < dim; i++) {
			u[i] /= sqrt(r);
			phi_plus += phi[i] * u[i];
		}
		for (int i = 0; i < dim; i++) {
			dH[i] = abut_rng_normal(&rng);
			along += dH[i] * (i ? u[i] : 1.0);
		}
		for (int i = 0; i < dim; i++) {
			dH[i] += 0.5 * (-phi_plus / cone.weight - along) * (i ? u[i] : 1.0);
		}
		abut_cones_law_exact(&cone, 1, z, H, delta, delta, (double)INFINITY, &m.law);
		abut_cone_apply_law(&cone, &m.law, 0.0, dH, dz);
		/* delta |dz|, and the cancellation 1e-16 / delta in the stiff part */
		const double residual = linear_residual(ABUT_CONE_SOC, dim, cone.weight, z, H, dz, dH);
		cr_assert_leq(residual, 1e-6, "dim %d, seed %u: %g", dim, seed, residual);
		for (int i = 0; i < dim; i++) {
			cr_assert_leq(fabs(dz[i]), 1e3, "dim %d, seed %u: the soft direction is stiff", dim, seed);
		}
	}
}

/* Computes the tail of dz and dpsi = dH[0] from dz[0] and the tail of dH. */
static void apply_free_head(const AbutFreeHeadLaw *law, int tail, double *dz, double *dH)
{
	dH[0] = law->q[0] + law->qb * dz[0];
	for (int i = 0; i < tail; i++) {
		dH[0] += law->qs[i] * dH[1 + i];
		dz[1 + i] = law->k[0][i] + law->a[i] * dz[0];
		for (int j = 0; j < tail; j++) {
			dz[1 + i] -= law->B[3 * i + j] * dH[1 + j];
		}
	}
}

/* With a free head, the tail of dz follows from any dz_head and dH_tail, with dpsi. Stick and slip solve the linearised
 * projection. An open contact sets the tail to zero and leaves its head row to the equation outside
 * (docs/formulation.md 4). */
Test(cone_exact, free_head_law_solves_the_linearised_projection)
{
	const double delta = 1e-6;
	for (unsigned seed = 0; seed < 4000; seed++) {
		AbutRng rng = {seed};
		const int tail = 1 + (int)(seed % 3), dim = 1 + tail, which = (int)(seed / 3 % 3);
		const AbutCone cone = {ABUT_CONE_SOC_FREE_HEAD, 0, dim, 10.0, 0, {0, 0}, 0.0, false};
		double z[4], H[4], dH[4], dz[4];
		Law m;
		law_memory(&m);
		sample_case(which, dim, cone.weight, &rng, z, H);
		dz[0] = abut_rng_normal(&rng);
		for (int i = 1; i < dim; i++) {
			dH[i] = abut_rng_normal(&rng);
		}
		abut_cones_law_exact(&cone, 1, z, H, delta, delta, (double)INFINITY, &m.law);
		const AbutFreeHeadLaw *law = abut_free_head_law(&m.law, &cone);
		apply_free_head(law, tail, dz, dH);
		cr_assert(law->q[1] == 0.0 && law->k[1][0] == 0.0 && law->k[1][1] == 0.0 && law->k[1][2] == 0.0);
		if (which == 1) {
			double slip = 0.0;
			for (int i = 1; i < dim; i++) {
				cr_assert_eq(z[i] + dz[i], 0.0, "seed %u", seed);
				slip += H[i] * H[i];
			}
			/* psi stays above the slip, so that the contact stays open: |H_tail| <= psi */
			cr_assert_geq(H[0] + dH[0], sqrt(slip) * (1.0 - 1e-15), "seed %u", seed);
			continue;
		}
		const double residual = linear_residual(ABUT_CONE_SOC, dim, cone.weight, z, H, dz, dH);
		cr_assert_leq(residual, 20.0 * delta, "tail %d, case %d, seed %u: %g", tail, which, seed, residual);
	}
}

/* In stick and slip, the law with a free head is, including delta, that of the second-order cone solved for the other
 * unknowns: its result satisfies dz = c - K dH. delta = 0.1 makes every term visible. The rounding of K is C / delta.
 */
Test(cone_exact, free_head_law_is_that_of_the_cone)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		const int tail = 1 + (int)(seed % 3), dim = 1 + tail;
		const double C = 10.0, delta = 0.1;
		double z[4], H[4], dH[4], dz[4], c[4], K[16];
		AbutFreeHeadLaw law;
		sample_case(seed % 2 ? 0 : 2, dim, C, &rng, z, H);
		dz[0] = abut_rng_normal(&rng);
		for (int i = 1; i < dim; i++) {
			dH[i] = abut_rng_normal(&rng);
		}
		abut_free_head_law_exact(dim, z, H, C, delta, (double)INFINITY, &law);
		abut_soc_law_exact(dim, z, H, C, delta, c, K);
		apply_free_head(&law, tail, dz, dH);
		for (int i = 0; i < dim; i++) {
			double expected = c[i];
			for (int j = 0; j < dim; j++) {
				expected -= K[i * dim + j] * dH[j];
			}
			cr_assert_float_eq(dz[i], expected, 1e-12 * C / delta, "tail %d, seed %u: %g, the cone's %g",
			                   tail, seed, dz[i], expected);
		}
	}
}

/* The tail minus its projection onto the ball of radius z[0], for d = z - C H of the tail. */
static void ball_residual(int dim, double C, const double *z, const double *H, double *out)
{
	double square = 0.0;
	for (int i = 1; i < dim; i++) {
		square += (z[i] - C * H[i]) * (z[i] - C * H[i]);
	}
	const double share = fmin(1.0, z[0] / sqrt(square));
	for (int i = 1; i < dim; i++) {
		out[i - 1] = z[i] - share * (z[i] - C * H[i]);
	}
}

/* With a head that is given, the law solves the projection onto the ball, linearised by differences, and psi becomes
 * the norm of the slip to first order. Slips in a direction across the force are among the points: a joint that
 * reverses. */
Test(cone_exact, given_head_law_solves_the_linearised_projection)
{
	const double delta = 1e-9, h = 1e-6;
	int cases[2] = {0, 0};
	for (unsigned seed = 0; seed < 4000; seed++) {
		AbutRng rng = {seed};
		const int tail = 1 + (int)(seed % 3), dim = 1 + tail;
		const double C = sample_log_uniform(&rng, 0.1, 10.0);
		const AbutCone cone = {ABUT_CONE_SOC_FREE_HEAD, 0, dim, C, 0, {0, 0}, 0.0, true};
		double z[4], H[4], dH[4], dz[4], phi[3], ahead[3], behind[3], at[4], Hat[4], held[4], square = 0.0,
		                                                                                      along = 0.0;
		Law m;
		law_memory(&m);
		z[0] = sample_log_uniform(&rng, 0.1, 10.0);
		H[0] = abut_rng_uniform(&rng, 0.0, 5.0);
		for (int i = 1; i < dim; i++) {
			z[i] = 0.5 * z[0] * abut_rng_normal(&rng);
			H[i] = (seed / 3 % 2 ? 0.1 : 3.0) * z[0] / C * abut_rng_normal(&rng);
			square += (z[i] - C * H[i]) * (z[i] - C * H[i]);
		}
		const double ratio = sqrt(square) / z[0];
		if (fabs(ratio - 1.0) < 0.01) {
			continue; /* at the edge, differences see both sides */
		}
		const bool sticks = ratio < 1.0;
		cases[sticks]++;
		cr_assert_eq(abut_cone_held(&cone, z, H, held), sticks, "tail %d, seed %u", tail, seed);
		dz[0] = sticks ? 0.0 : 0.1 * z[0] * abut_rng_normal(&rng);
		abut_cones_law_exact(&cone, 1, z, H, delta, delta, (double)INFINITY, &m.law);
		const AbutFreeHeadLaw *law = abut_free_head_law(&m.law, &cone);
		for (int i = 1; i < dim; i++) { /* where it sticks, only dH = -H needs no large dz */
			dH[i] = sticks ? -H[i] : 0.1 * z[0] / C * abut_rng_normal(&rng);
		}
		apply_free_head(law, tail, dz, dH);
		ball_residual(dim, C, z, H, phi);
		for (int side = -1; side <= 1; side += 2) {
			for (int i = 0; i < dim; i++) {
				at[i] = z[i] + side * h * dz[i];
				Hat[i] = H[i] + side * h * dH[i];
			}
			ball_residual(dim, C, at, Hat, side < 0 ? behind : ahead);
		}
		for (int i = 0; i < tail; i++) {
			const double sum = phi[i] + (ahead[i] - behind[i]) / (2.0 * h);
			cr_assert_leq(fabs(sum), 1e-6 * (1.0 + z[0]), "tail %d, seed %u: %g", tail, seed, sum);
			along += (z[1 + i] - C * H[1 + i]) * (H[1 + i] + dH[1 + i]) / sqrt(square);
		}
		cr_assert_float_eq(H[0] + dH[0], sticks ? 0.0 : -along, 1e-6, "tail %d, seed %u", tail, seed);
	}
	cr_assert(cases[0] > 1000 && cases[1] > 500, "%d slip, %d stick", cases[0], cases[1]);
}

/* A point solves the projection onto the ball if and only if it solves that onto the cone with psi = |H|. */
Test(cone_exact, given_head_has_the_solutions_of_the_cone)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		AbutRng rng = {seed};
		const int tail = 1 + (int)(seed % 3), dim = 1 + tail;
		const bool slips = seed / 3 % 2;
		const double C = sample_log_uniform(&rng, 0.1, 10.0), off = seed / 6 % 2 ? 0.1 : 0.0;
		double z[4] = {1.0}, H[4] = {0.0}, u[3], norm = 0.0;
		for (int i = 0; i < tail; i++) {
			u[i] = abut_rng_normal(&rng);
			norm += u[i] * u[i];
		}
		const double psi = slips ? sample_log_uniform(&rng, 1e-3, 10.0) : 0.0;
		const double length = slips ? 1.0 - off : abut_rng_uniform(&rng, 0.0, 0.9);
		for (int i = 0; i < tail; i++) {
			z[1 + i] = length * u[i] / sqrt(norm);
			H[1 + i] = -(slips ? psi : off) * u[i] / sqrt(norm);
		}
		H[0] = sqrt(H[1] * H[1] + H[2] * H[2] + H[3] * H[3]);
		const double ball = abut_given_head_natural_residual(dim, z, H, C);
		const double of_cone = abut_soc_natural_residual(dim, z, H, C);
		cr_assert_eq(ball < 1e-14, off == 0.0, "tail %d, seed %u: %g", tail, seed, ball);
		cr_assert_eq(of_cone < 1e-14, off == 0.0, "tail %d, seed %u: %g", tail, seed, of_cone);
		cr_assert_leq(ball, 1.0);
	}
}

/* Solves z s = mu and z - s = d. Each equation holds to the last digits at every magnitude, where sums would cancel. */
Test(cone_exact, smoothed_scalar_at_any_magnitude)
{
	for (unsigned seed = 0; seed < 4000; seed++) {
		AbutRng rng = {seed};
		const double mu = sample_log_uniform(&rng, 1e-12, 1e12);
		const double d = (seed % 2 ? 1.0 : -1.0) * sample_log_uniform(&rng, 1e-12, 1e12);
		double z, s;
		abut_smoothed_scalar(d, mu, &z, &s);
		cr_assert(z > 0.0 && s > 0.0, "d %g, mu %g", d, mu);
		cr_assert_float_eq(z * s, mu, 4e-16 * mu, "d %g, mu %g", d, mu);
		cr_assert_float_eq(z - s, d, 1e-15 * fmax(z, s), "d %g, mu %g", d, mu);
		/* the small one too, by the formula that does not cancel, in long double */
		const long double root = sqrtl((long double)d * (long double)d + 4.0L * (long double)mu);
		const double small = (double)(2.0L * (long double)mu / (fabsl((long double)d) + root));
		cr_assert_float_eq(fmin(z, s), small, 4e-16 * small, "d %g, mu %g", d, mu);
	}
	double z, s;
	abut_smoothed_scalar(0.0, 4.0, &z, &s);
	cr_assert(z == 2.0 && s == 2.0);
}

/* The smoothed pair of lists of cones: z - s = d, z o s = mu e, both inside. Entries are sums of eigenvalues, so that
 * errors are relative to the largest: 1e-15 of z + s, and of their product. */
Test(cone_exact, smoothed_pair_of_cones)
{
	for (unsigned seed = 0; seed < 3000; seed++) {
		AbutRng rng = {seed};
		const int dim = dims[seed % DIMS];
		const AbutConeKind kind = (AbutConeKind)(seed / DIMS % 3);
		const AbutCone cone = {kind, 0, dim, 1.0, 0, {0, 0}, 0.0, false};
		const double mu = sample_log_uniform(&rng, 1e-12, 1e12), scale = sample_log_uniform(&rng, 1e-12, 1e12);
		double z[DIM_MAX], H[DIM_MAX], d[DIM_MAX], s[DIM_MAX], inner = 0.0, size = 0.0;
		for (int i = 0; i < dim; i++) {
			z[i] = scale * abut_rng_normal(&rng);
			H[i] = scale * abut_rng_normal(&rng);
			z[i] = seed % 31 == 0 && i ? H[i] : z[i]; /* no tail */
			d[i] = z[i] - H[i];
		}
		abut_cones_smoothed_pair(&cone, 1, H, mu, z, s);
		for (int i = 0; i < dim; i++) {
			size = fmax(size, fabs(z[i]) + fabs(s[i]));
			inner += z[i] * s[i];
		}
		for (int i = 0; i < dim; i++) {
			cr_assert_float_eq(z[i] - s[i], d[i], 4e-15 * size, "dim %d, seed %u", dim, seed);
			if (kind == ABUT_CONE_ORTHANT) {
				cr_assert_float_eq(z[i] * s[i], mu, 4e-16 * mu, "seed %u", seed);
			} else if (i) {
				cr_assert_float_eq(z[0] * s[i] + s[0] * z[i], 0.0, 8e-15 * size * size, "seed %u",
				                   seed);
			}
		}
		if (kind != ABUT_CONE_ORTHANT) {
			cr_assert_float_eq(inner, mu, 8e-15 * (size * size + mu), "dim %d, seed %u", dim, seed);
		}
	}
}

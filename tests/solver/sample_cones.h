/* Draws random points of cones, for the tests of the solver and of the problems built on it. */
#pragma once

#include <math.h>

#include "base/rng.h"
#include "solver/cones/cones.h"

/* Draws a unit vector in `n` dimensions. */
static inline void sample_unit(int n, AbutRng *rng, double *u)
{
	double norm = 0.0;
	for (int i = 0; i < n; i++) {
		u[i] = abut_rng_normal(rng);
		norm += u[i] * u[i];
	}
	norm = sqrt(norm);
	for (int i = 0; i < n; i++) {
		u[i] /= norm;
	}
}

/* The point of a second-order cone with eigenvalues plus and minus along (1, u) and (1, -u). */
static inline void sample_spectral(int dim, double plus, double minus, const double *u, double *z)
{
	z[0] = 0.5 * (plus + minus);
	for (int i = 1; i < dim; i++) {
		z[i] = 0.5 * (plus - minus) * u[i - 1];
	}
}

static inline double sample_log_uniform(AbutRng *rng, double low, double high)
{
	return exp(abut_rng_uniform(rng, log(low), log(high)));
}

/* Draws a pair (value, kappa / value) up to a factor; the value is about 1 or about kappa. */
static inline void sample_scalar_pair(double kappa, AbutRng *rng, double *z, double *s)
{
	const double large = sample_log_uniform(rng, 0.3, 3.0);
	const double small = kappa * sample_log_uniform(rng, 0.5, 2.0) / large;
	const bool active = abut_rng_uniform(rng, 0.0, 1.0) < 0.5;
	*z = active ? large : small;
	*s = active ? small : large;
}

/* Draws z and s inside the cones with z o s about kappa e, as on the path. Their eigenvalues are by sample_scalar_pair.
 * The axis of s is rotated from that of z by `turn` times kappa. */
static inline void sample_near_path(const AbutCone *cones, int n_cones, double kappa, double turn, AbutRng *rng,
                                    double *z, double *s)
{
	for (int i = 0; i < n_cones; i++) {
		double *zi = &z[cones[i].offset], *si = &s[cones[i].offset];
		const int dim = cones[i].dim;
		if (cones[i].kind == ABUT_CONE_ORTHANT) {
			for (int j = 0; j < dim; j++) {
				sample_scalar_pair(kappa, rng, &zi[j], &si[j]);
			}
			continue;
		}
		double u[64], v[64], tilt[64], z_plus, z_minus, s_plus, s_minus, norm = 0.0;
		sample_unit(dim - 1, rng, u);
		sample_unit(dim - 1, rng, tilt);
		for (int j = 0; j < dim - 1; j++) {
			v[j] = u[j] + turn * kappa * tilt[j];
			norm += v[j] * v[j];
		}
		for (int j = 0; j < dim - 1; j++) {
			v[j] /= sqrt(norm);
		}
		sample_scalar_pair(kappa, rng, &z_plus, &s_plus);
		sample_scalar_pair(kappa, rng, &z_minus, &s_minus);
		sample_spectral(dim, z_plus, z_minus, u, zi);
		sample_spectral(dim, s_plus, s_minus, v, si);
	}
}

/* Draws a point inside the cones with entries of about 1. */
static inline void sample_interior(const AbutCone *cones, int n_cones, AbutRng *rng, double *z)
{
	for (int i = 0; i < n_cones; i++) {
		double *zi = &z[cones[i].offset], u[64];
		if (cones[i].kind == ABUT_CONE_ORTHANT) {
			for (int j = 0; j < cones[i].dim; j++) {
				zi[j] = sample_log_uniform(rng, 0.1, 3.0);
			}
			continue;
		}
		sample_unit(cones[i].dim - 1, rng, u);
		const double plus = sample_log_uniform(rng, 0.1, 3.0);
		sample_spectral(cones[i].dim, plus, sample_log_uniform(rng, 0.1, 3.0), u, zi);
	}
}

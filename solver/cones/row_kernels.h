/* Loops over rows (the complementary pairs of z and s), compiled several times for different vector widths
 * (base/clones.h). The arrays have the length of the problem, or of a long orthant. */
#pragma once

/* From this dimension on, orthants are handled by these functions. Callers loop over shorter ones themselves. */
enum { ABUT_ORTHANT_LONG = 16 };

/* Returns the max norm of s - H, or NaN if an entry is not finite. */
double abut_rows_distance(int n, const double *s, const double *H);

/* Computes ds = dH - (s - H). */
void abut_rows_slack_direction(int n, const double *s, const double *H, const double *dH, double *ds);

/* Returns (z + step dz) . (s + step ds). */
double abut_rows_product(int n, double step, const double *z, const double *dz, const double *s, const double *ds);

/* Adds step dz to z and step ds to s. */
void abut_rows_advance(int n, double step, const double *dz, const double *ds, double *z, double *s);

/* Do for one orthant what the functions of cones.h with the same endings do: return the largest product z_i s_i, but at
 * least `least`; return the largest step; linearise the path's law. */
double abut_orthant_largest_product(int n, const double *z, const double *s, double least);
double abut_orthant_step(int n, const double *z, const double *dz, double step);
void abut_orthant_law_path(int n, const double *z, const double *s, const double *H, double kappa, double *c0,
                           double *c1, double *K);

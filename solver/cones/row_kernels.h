/* What the solvers do to each row, a complementary pair of z and s, in the same way: loops over arrays as long as the
 * problem, or as a long orthant, for wide machines (base/clones.h). */
#ifndef SOLVER_CONES_ROW_KERNELS_H
#define SOLVER_CONES_ROW_KERNELS_H

/* Orthants from this dimension on are worth a call; shorter ones are looped over where they are met. */
enum { ABUT_ORTHANT_LONG = 16 };

/* Max norm of s - H, NaN if an entry is not finite. */
double abut_rows_distance(int n, const double *s, const double *H);

/* ds = dH - (s - H) */
void abut_rows_slack_direction(int n, const double *s, const double *H, const double *dH, double *ds);

/* (z + step dz) . (s + step ds) */
double abut_rows_product(int n, double step, const double *z, const double *dz, const double *s, const double *ds);

/* z += step dz, s += step ds */
void abut_rows_advance(int n, double step, const double *dz, const double *ds, double *z, double *s);

/* The cones' functions of the same endings (cones.h), for one orthant: the largest z_i s_i, not below `least`; the
 * largest step; the law of the path. */
double abut_orthant_largest_product(int n, const double *z, const double *s, double least);
double abut_orthant_step(int n, const double *z, const double *dz, double step);
void abut_orthant_law_path(int n, const double *z, const double *s, const double *H, double kappa, double *c0,
                           double *c1, double *K);

#endif

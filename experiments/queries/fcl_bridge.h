/* FCL, a C++ library, behind functions of C. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbutFclGeometry AbutFclGeometry;

AbutFclGeometry *abut_fcl_box(const double half_extents[3]);
AbutFclGeometry *abut_fcl_sphere(double radius);
AbutFclGeometry *abut_fcl_ellipsoid(const double radii[3]);
AbutFclGeometry *abut_fcl_capsule(double radius, double length);
AbutFclGeometry *abut_fcl_cylinder(double radius, double length);
AbutFclGeometry *abut_fcl_cone(double radius, double height); /* about the middle of its height */
/* `faces` (n): for each face the number of its vertices, then these. */
AbutFclGeometry *abut_fcl_convex(int n_vertices, const double *vertices, int n_faces, int n, const int *faces);
void abut_fcl_destroy(AbutFclGeometry *geometry); /* NULL is fine */

/* Returns the distance of two geometries at x, with rotation matrices R (row-major); negative when they overlap. */
double abut_fcl_distance(const AbutFclGeometry *a, const double R_a[9], const double x_a[3], const AbutFclGeometry *b,
                         const double R_b[9], const double x_b[3]);
/* Returns the penetration depth of the one contact that FCL is asked for, 0 if the geometries are apart. */
double abut_fcl_depth(const AbutFclGeometry *a, const double R_a[9], const double x_a[3], const AbutFclGeometry *b,
                      const double R_b[9], const double x_b[3]);

#ifdef __cplusplus
}
#endif

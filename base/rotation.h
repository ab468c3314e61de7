/* Rotation vectors: an axis times the angle about it, in rad. Tested in tests/solver/test_rotation.c. */
#pragma once

/* Computes the rotation by the vector phi. */
void abut_rotation_to_mat3(const double phi[3], double R[9]);
/* Computes the rotation vector of R, of a length of at most pi. */
void abut_mat3_to_rotation(const double R[9], double phi[3]);
/* Computes the right Jacobian J of rotations: for small d, R(phi + d) = R(phi) R(J d). */
void abut_rotation_jacobian(const double phi[3], double J[9]);
/* Computes J^-1: for small d, R(phi) R(d) = R(phi + J^-1 d). */
void abut_rotation_jacobian_inverse(const double phi[3], double J[9]);

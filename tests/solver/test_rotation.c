/* Tests rotation vectors (base/rotation.h): round trips, and Jacobians compared with differences. */
#include <criterion/criterion.h>
#include <math.h>

#include "base/rng.h"
#include "base/rotation.h"
#include "base/vec3.h"

/* Draws a rotation vector of a length from 1e-9 to nearly pi. */
static void draw(AbutRng *rng, double phi[3])
{
	const double length = pow(10.0, abut_rng_uniform(rng, -9.0, 0.49));
	for (int i = 0; i < 3; i++) {
		phi[i] = abut_rng_uniform(rng, -1.0, 1.0);
	}
	abut_scale3(length / abut_norm3(phi), phi, phi);
}

Test(rotation, vectors_of_matrices_are_the_given_ones)
{
	AbutRng rng = {1};
	for (int i = 0; i < 1000; i++) {
		double phi[3], R[9], back[3];
		draw(&rng, phi);
		abut_rotation_to_mat3(phi, R);
		abut_mat3_to_rotation(R, back);
		for (int k = 0; k < 3; k++) {
			cr_expect_float_eq(back[k], phi[k], 1e-13 + 1e-15 / (3.15 - abut_norm3(phi)));
		}
	}
}

Test(rotation, jacobians_agree_with_differences)
{
	AbutRng rng = {2};
	for (int i = 0; i < 1000; i++) {
		static const double h = 1e-6;
		double phi[3], R[9], J[9], inverse[9], product[9];
		draw(&rng, phi);
		abut_rotation_to_mat3(phi, R);
		abut_rotation_jacobian(phi, J);
		abut_rotation_jacobian_inverse(phi, inverse);
		abut_mat3_mul(J, inverse, product);
		for (int c = 0; c < 3; c++) {
			double there[2][9], turn[9], small[3];
			for (int side = 0; side < 2; side++) {
				double moved[3];
				abut_copy3(phi, moved);
				moved[c] += side ? h : -h;
				abut_rotation_to_mat3(moved, there[side]);
			}
			abut_mat3_transposed_mul(there[0], there[1], turn);
			abut_mat3_to_rotation(turn, small);
			for (int k = 0; k < 3; k++) {
				cr_expect_float_eq(small[k] / (2.0 * h), J[3 * k + c], 1e-8);
				cr_expect_float_eq(product[3 * k + c], k == c ? 1.0 : 0.0, 1e-12);
			}
		}
	}
}

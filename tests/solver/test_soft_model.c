/* Compares impedance, spring and weights of soft contacts with values computed by hand. */
#include <criterion/criterion.h>
#include <math.h>

#include "solver/soft/soft_model.h"

static const AbutSoftParameters usual = {{0.02, 1.0}, {0.9, 0.95, 0.001, 0.5, 2.0}, 1.0};

static double impedance(const double solimp[5], double distance)
{
	double slope;
	return abut_soft_impedance(solimp, distance, &slope);
}

Test(soft_model, impedance_rises_with_depth)
{
	const double *solimp = usual.solimp;
	cr_expect_float_eq(impedance(solimp, 0.0), 0.9, 1e-15);
	cr_expect_float_eq(impedance(solimp, -1e-3), 0.95, 1e-15);
	cr_expect_float_eq(impedance(solimp, -1.0), 0.95, 1e-15);
	cr_expect_float_eq(impedance(solimp, -0.5e-3), 0.925, 1e-15);    /* the midpoint */
	cr_expect_float_eq(impedance(solimp, -0.25e-3), 0.90625, 1e-15); /* y = 2 x^2 = 1/8 */
	cr_expect_float_eq(impedance(solimp, 0.75e-3), 0.94375, 1e-15);  /* y = 7/8, of either sign */
	const double cubic[5] = {0.5, 0.9, 1.0, 0.25, 3.0}, line[5] = {0.5, 0.9, 1.0, 0.3, 1.0};
	cr_expect_float_eq(impedance(cubic, 0.25), 0.6, 1e-15); /* y meets the diagonal there */
	cr_expect_float_eq(impedance(cubic, 0.125), 0.5 + 0.4 * 16.0 / 512.0, 1e-15);
	cr_expect_float_eq(impedance(line, 0.7), 0.78, 1e-15);
	const double flat[5] = {0.5, 0.9, 0.0, 0.5, 2.0}, wild[5] = {0.0, 2.0, 1.0, 0.5, 2.0};
	cr_expect_float_eq(impedance(flat, 0.1), 0.7, 1e-15);
	cr_expect_float_eq(impedance(wild, 0.0), 1e-4, 1e-18);
	cr_expect_float_eq(impedance(wild, 3.0), 1.0 - 1e-4, 1e-15);
}

Test(soft_model, springs_of_both_forms)
{
	double b, k;
	abut_soft_spring(&usual, 0.001, &b, &k);
	cr_expect_float_eq(b, 2.0 / (0.95 * 0.02), 1e-12);
	cr_expect_float_eq(k, 1.0 / (0.95 * 0.95 * 0.02 * 0.02), 1e-9);
	abut_soft_spring(&usual, 0.05, &b, &k); /* not faster than two timesteps */
	cr_expect_float_eq(b, 2.0 / (0.95 * 0.1), 1e-12);
	cr_expect_float_eq(k, 1.0 / (0.95 * 0.95 * 0.1 * 0.1), 1e-9);
	AbutSoftParameters direct = usual;
	direct.solref[0] = -400.0;
	direct.solref[1] = -7.0;
	abut_soft_spring(&direct, 0.05, &b, &k);
	cr_expect_float_eq(b, 7.0 / 0.95, 1e-12);
	cr_expect_float_eq(k, 400.0 / (0.95 * 0.95), 1e-9);
}

static AbutSoftContact contact_of(const double (*J)[12], int n_rows)
{
	return (AbutSoftContact){.body = {-1, 0},
	                         .n_rows = n_rows,
	                         .J = J,
	                         .distance = -0.5e-3,
	                         .velocity = {0.1, 0.2, -0.3, 0.4, -0.5, 0.6},
	                         .inverse_mass = 0.5,
	                         .friction = {0.8, 0.8, 0.02, 0.01, 0.03}};
}

Test(soft_model, weights_of_an_ellipse_belong_together)
{
	double J[6][12] = {{0.0}};
	AbutSoftParameters parameters = usual;
	parameters.impratio = 3.0;
	AbutSoftPoint point;
	AbutSoftRow rows[ABUT_SOFT_MOST_ROWS];
	for (int i = 0; i < 6; i++) {
		J[i][6 + i] = 1.0 + i;
	}
	const AbutSoftContact contact = contact_of((const double(*)[12])J, 6);
	cr_assert_eq(abut_soft_make(&parameters, 0.001, false, &contact, 7, &point, rows), 6);
	cr_expect(point.elliptic && point.first_row == 7 && point.body[0] == -1 && point.body[1] == 0);
	const double R = 0.5 * 0.075 / 0.925, b = 2.0 / (0.95 * 0.02), k = 1.0 / (0.95 * 0.95 * 0.02 * 0.02);
	cr_expect_float_eq(rows[0].weight, 1.0 / R, 1e-10);
	cr_expect_float_eq(rows[1].weight, 3.0 / R, 1e-10);
	cr_expect_float_eq(point.mu, 0.8 / sqrt(3.0), 1e-15);
	cr_expect_float_eq(rows[0].reference, -b * 0.1 + k * 0.925 * 0.5e-3, 1e-12);
	for (int i = 1; i < 6; i++) {
		const double ratio = contact.friction[i - 1] / 0.8;
		cr_expect_float_eq(rows[i].weight / (ratio * ratio), rows[1].weight, 1e-9, "row %d", i);
		cr_expect_float_eq(rows[i].reference, -b * contact.velocity[i], 1e-12);
		cr_expect_eq(rows[i].J[6 + i], 1.0 + i);
	}
}

Test(soft_model, edges_of_a_pyramid)
{
	double J[4][12] = {{0.0}};
	AbutSoftParameters parameters = usual;
	parameters.impratio = 3.0;
	AbutSoftPoint point;
	AbutSoftRow rows[ABUT_SOFT_MOST_ROWS];
	for (int i = 0; i < 4; i++) {
		J[i][6 + i] = 1.0;
	}
	const AbutSoftContact contact = contact_of((const double(*)[12])J, 4);
	cr_assert_eq(abut_soft_make(&parameters, 0.001, true, &contact, 0, &point, rows), 6);
	const double R = 2.0 * 0.64 / 3.0 * 1.64 * 0.5 * 0.075 / 0.925;
	const double force[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
	double frame[6];
	cr_expect(!point.elliptic);
	for (int i = 0; i < 6; i++) {
		cr_expect_float_eq(rows[i].weight, 1.0 / R, 1e-10);
		cr_expect_eq(rows[i].J[6], 1.0);
		cr_expect_eq(rows[i].J[7 + i / 2], (i % 2 ? -1.0 : 1.0) * contact.friction[i / 2]);
	}
	abut_soft_force_in_frame(&point, force, frame);
	const double expected[6] = {21.0, -0.8, -0.8, -0.02, 0.0, 0.0};
	for (int i = 0; i < 6; i++) {
		cr_expect_float_eq(frame[i], expected[i], 1e-14, "entry %d: %g", i, frame[i]);
	}
}

/* Without friction there is one cone. */
Test(soft_model, both_cones_agree_without_friction)
{
	double J[1][12] = {{0.0, 0.0, -1.0, 0.1}};
	const AbutSoftContact contact = contact_of((const double(*)[12])J, 1);
	AbutSoftPoint point[2];
	AbutSoftRow row[2];
	for (int pyramid = 0; pyramid < 2; pyramid++) {
		cr_assert_eq(abut_soft_make(&usual, 0.001, pyramid, &contact, 0, &point[pyramid], &row[pyramid]), 1);
	}
	cr_expect_arr_eq(row[0].J, row[1].J, sizeof row[0].J);
	cr_expect(!point[0].elliptic && !point[1].elliptic);
	cr_expect(row[0].weight == row[1].weight && row[0].reference == row[1].reference);
}

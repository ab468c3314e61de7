/* Tests the box at rest of the single-level paper, Appendix C: planar, side 2, m = J = 1, on the ground. The collision
 * problem alone leaves the contact point free along the face, so that the Jacobian of its optimality conditions (eq.
 * 19) is singular. Together with the dynamics (eq. 58) the point lies below the centre of mass, and the Jacobian (eq.
 * 59) has full rank. The test builds both Jacobians by hand and by differences, and compares them with the library's
 * answer in 3D. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/world.h"
#include "singular_values.h"

enum {
	X = 0, /* x+ (2), theta+ */
	GAMMA = 3,
	S_GAMMA = 4,
	P = 5, /* p (2) */
	ALPHA = 7,
	G_P = 8, /* duals of the box (4) */
	G_N = 12,
	G_A = 13,
	S_P = 14, /* slacks (4) */
	S_N = 18,
	S_A = 19,
	N_JOINT = 20,
	FIRST_COLLISION = P,
	N_COLLISION = 15
};

/* Rows of the box in (y, z): down, right, up, left; A = [-ez, ey, ez, -ey]'. */
static const double A[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
static const double mass = 1.0, inertia = 1.0, step = 0.1, gravity = 9.81;

/* Computes r(v) of eq. 58, 20 rows. Rows 5 to 19 are eq. 18 with the pose given by v. */
static void residual(const double *v, double *r)
{
	const double theta = v[X + 2], c = cos(theta), s = sin(theta);
	const double lever[2] = {v[P] - v[X], v[P + 1] - v[X + 1]};
	const double own[2] = {c * lever[0] + s * lever[1], -s * lever[0] + c * lever[1]};
	const double start[2] = {0.0, 1.0};
	for (int i = 0; i < 2; i++) { /* at rest: x = x- */
		r[i] = mass / step * (v[X + i] - start[i]) + (i == 1 ? mass * gravity * step - v[GAMMA] : 0.0);
	}
	r[2] = inertia / step * theta - v[GAMMA] * lever[0];
	r[3] = v[S_GAMMA] - (v[ALPHA] - 1.0);
	r[4] = v[GAMMA] * v[S_GAMMA];
	double own_sum[2] = {0.0, 0.0}, sum_b = 0.0;
	for (int k = 0; k < 4; k++) {
		own_sum[0] += A[k][0] * v[G_P + k];
		own_sum[1] += A[k][1] * v[G_P + k];
		sum_b += v[G_P + k];
	}
	r[5] = c * own_sum[0] - s * own_sum[1];
	r[6] = s * own_sum[0] + c * own_sum[1] + v[G_N];
	r[7] = 1.0 - sum_b - v[G_A];
	for (int k = 0; k < 4; k++) {
		r[8 + k] = v[S_P + k] + A[k][0] * own[0] + A[k][1] * own[1] - v[ALPHA];
		r[14 + k] = v[G_P + k] * v[S_P + k];
	}
	r[12] = v[S_N] + v[P + 1];
	r[13] = v[S_A] - v[ALPHA];
	r[18] = v[G_N] * v[S_N];
	r[19] = v[G_A] * v[S_A];
}

/* Sets the paper's solution. The paper does not state gamma, which is the weight times the timestep. */
static void solution(double *v)
{
	memset(v, 0, N_JOINT * sizeof *v);
	v[X + 1] = 1.0;
	v[GAMMA] = mass * gravity * step;
	v[ALPHA] = 1.0;
	v[G_P] = 1.0;
	v[G_N] = 1.0;
	v[S_P + 1] = 1.0;
	v[S_P + 2] = 2.0;
	v[S_P + 3] = 1.0;
	v[S_A] = 1.0;
}

/* Computes central differences of r. They are exact up to rounding / 1e-5 for these products of two and trigonometric
 * functions. */
static void jacobian(const double *v, double *J)
{
	const double h = 1e-5;
	for (int j = 0; j < N_JOINT; j++) {
		double plus[N_JOINT], minus[N_JOINT], r_plus[N_JOINT], r_minus[N_JOINT];
		memcpy(plus, v, sizeof plus);
		memcpy(minus, v, sizeof minus);
		plus[j] += h;
		minus[j] -= h;
		residual(plus, r_plus);
		residual(minus, r_minus);
		for (int i = 0; i < N_JOINT; i++) {
			J[j * N_JOINT + i] = (r_plus[i] - r_minus[i]) / (2.0 * h);
		}
	}
}

/* Computes eq. 59 as printed, at theta = 0 where R = I, column-major. */
static void jacobian_by_hand(const double *v, double *J)
{
	memset(J, 0, N_JOINT * N_JOINT * sizeof *J);
#define AT(i, j) J[(j)*N_JOINT + (i)]
	const double lever[2] = {v[P] - v[X], v[P + 1] - v[X + 1]};
	AT(0, X) = AT(1, X + 1) = mass / step;
	AT(1, GAMMA) = -1.0;
	AT(2, X) = v[GAMMA];
	AT(2, X + 2) = inertia / step;
	AT(2, GAMMA) = -lever[0];
	AT(2, P) = -v[GAMMA];
	AT(3, S_GAMMA) = 1.0;
	AT(3, ALPHA) = -1.0;
	AT(4, GAMMA) = v[S_GAMMA];
	AT(4, S_GAMMA) = v[GAMMA];
	for (int k = 0; k < 4; k++) {
		AT(5, X + 2) -= A[k][1] * v[G_P + k]; /* d(R' A' gamma_p) / d theta */
		AT(6, X + 2) += A[k][0] * v[G_P + k];
		for (int i = 0; i < 2; i++) {
			AT(5 + i, G_P + k) = A[k][i];
			AT(8 + k, X + i) = -A[k][i];
			AT(8 + k, P + i) = A[k][i];
		}
		AT(8 + k, X + 2) = A[k][0] * lever[1] - A[k][1] * lever[0];
		AT(8 + k, ALPHA) = -1.0;
		AT(8 + k, S_P + k) = 1.0;
		AT(7, G_P + k) = -1.0;
		AT(14 + k, G_P + k) = v[S_P + k];
		AT(14 + k, S_P + k) = v[G_P + k];
	}
	AT(6, G_N) = 1.0;
	AT(7, G_A) = -1.0;
	AT(12, P + 1) = AT(12, S_N) = 1.0;
	AT(13, ALPHA) = -1.0;
	AT(13, S_A) = 1.0;
	AT(18, G_N) = v[S_N];
	AT(18, S_N) = v[G_N];
	AT(19, G_A) = v[S_A];
	AT(19, S_A) = v[G_A];
#undef AT
}

static void values_of_block(int n, const double *J, int first, double *values)
{
	double block[N_JOINT * N_JOINT];
	for (int j = 0; j < n; j++) {
		for (int i = 0; i < n; i++) {
			block[j * n + i] = J[(first + j) * N_JOINT + first + i];
		}
	}
	singular_values(n, n, block, values);
}

Test(box_at_rest, solution_of_the_paper)
{
	double v[N_JOINT], r[N_JOINT];
	solution(v);
	residual(v, r);
	for (int i = 0; i < N_JOINT; i++) {
		cr_assert_float_eq(r[i], 0.0, 1e-15, "row %d: %g", i, r[i]);
	}
	/* Any point of the face solves the collision problem. Only the one below the centre of mass is in balance. */
	v[P] = 0.3;
	v[S_P + 1] = 0.7;
	v[S_P + 3] = 1.3;
	residual(v, r);
	for (int i = FIRST_COLLISION; i < N_JOINT; i++) {
		cr_assert_float_eq(r[i], 0.0, 1e-15, "row %d", i);
	}
	cr_assert_float_eq(fabs(r[2]), 0.3 * v[GAMMA], 1e-15);
}

Test(box_at_rest, ranks_of_the_jacobians)
{
	double v[N_JOINT], J[N_JOINT * N_JOINT], by_hand[N_JOINT * N_JOINT], values[N_JOINT];
	solution(v);
	jacobian(v, J);
	jacobian_by_hand(v, by_hand);
	for (int i = 0; i < N_JOINT * N_JOINT; i++) { /* rounding over 1e-5, and 1e-10 of the sine's cube */
		cr_assert_float_eq(by_hand[i], J[i], 1e-8, "row %d, column %d: %g by hand, %g", i % N_JOINT,
		                   i / N_JOINT, by_hand[i], J[i]);
	}
	values_of_block(N_COLLISION, by_hand, FIRST_COLLISION, values);
	cr_assert_gt(values[N_COLLISION - 2], 1e-2, "rank of the collision problem below %d", N_COLLISION - 1);
	cr_assert_lt(values[N_COLLISION - 1], 1e-14, "the collision problem is regular: %g", values[N_COLLISION - 1]);
	values_of_block(N_JOINT, by_hand, 0, values);
	cr_assert_gt(values[N_JOINT - 1], 1e-2, "the joint problem is singular: %g", values[N_JOINT - 1]);
	cr_assert_gt(values[N_JOINT - 1] / values[0], 1e-4);
}

typedef struct RestCase {
	double half[3], mass, com[3], yaw;
} RestCase;

/* With the library in 3D, p is below the centre of mass wherever that is, alpha = 1, and the impulse is the weight
 * times dt. Full rank shows in that every start leads to the same solution. */
Test(box_at_rest, library)
{
	static const RestCase cases[] = {{{1, 1, 1}, 1, {0, 0, 0}, 0},
	                                 {{1, 1, 1}, 3, {0.4, -0.3, 0.2}, 0.6},
	                                 {{0.5, 0.3, 0.1}, 0.2, {-0.45, 0.25, 0}, 2.0},
	                                 {{0.02, 0.01, 0.03}, 0.05, {0.001, 0.002, 0.01}, 1.0}};
	const double g = 9.81, dt = 0.01;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const RestCase *c = &cases[i];
		World world;
		world_begin(&world);
		world.def.solver.warm_start = i % 2 == 0;
		world_add_floor(&world, 0.0, 0.0, 1.0);
		AbutBodyDef *body = world_add(&world, make_box(c->half[0], c->half[1], c->half[2]), c->mass,
		                              0.3 * c->half[0], -2.0 * c->half[0], c->half[2]);
		turn_about(0.0, 0.0, 1.0, c->yaw, body->orientation);
		body->has_centre_of_mass = true;
		abut_copy3(c->com, body->centre_of_mass);
		double R[9], below[3];
		abut_quat_to_mat3(body->orientation, R);
		abut_mat3_vec(R, c->com, below);
		below[0] += body->position[0];
		below[1] += body->position[1];
		world_make(&world);
		for (int n = 0; n < 50; n++) {
			world_step(&world);
			const AbutContact contact = world_touch(&world, 0, 1);
			const AbutBodyState s = world_body(&world, 1);
			const double weight = c->mass * g * dt, L = c->half[0];
			/* The exact residual 1e-10 in model units is 1e-10 / (dt sqrt(g / L)) of the weight: 5e-8 of
			 * the lever at worst. */
			cr_assert_float_eq(contact.normal_impulse, weight, 1e-7 * weight, "case %zu, step %d", i, n);
			cr_assert_float_eq(contact.scaling, 1.0, 1e-9, "case %zu, step %d", i, n);
			cr_assert_float_eq(contact.point[0], below[0], 1e-6 * L, "case %zu, step %d: %g", i, n,
			                   contact.point[0] - below[0]);
			cr_assert_float_eq(contact.point[1], below[1], 1e-6 * L, "case %zu, step %d: %g", i, n,
			                   contact.point[1] - below[1]);
			cr_assert_float_eq(contact.point[2], 0.0, 1e-9 * L, "case %zu, step %d", i, n);
			cr_assert_lt(abut_norm3(s.linear_velocity), 1e-8, "case %zu, step %d", i, n);
			cr_assert_lt(abut_norm3(s.angular_velocity), 1e-7, "case %zu, step %d", i, n);
		}
		world_end(&world);
	}
}

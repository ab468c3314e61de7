/* Compares the rows and the curvature of each kind of joint with differences of their values, at random open poses. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "dynamics/joint/kinds/rows.h"

/* Poses of both bodies, and anchors on them. */
typedef struct Pair {
	double x[2][3], R[2][9], place[2][3], axes[2][9], from[9];
} Pair;

static void random_rotation(AbutRng *rng, double R[9])
{
	double q[4];
	for (int i = 0; i < 4; i++) {
		q[i] = abut_rng_uniform(rng, -1.0, 1.0);
	}
	abut_quat_normalise(q);
	abut_quat_to_mat3(q, R);
}

static void random_pair(AbutRng *rng, Pair *pair)
{
	for (int s = 0; s < 2; s++) {
		for (int i = 0; i < 3; i++) {
			pair->x[s][i] = abut_rng_uniform(rng, -1.0, 1.0);
			pair->place[s][i] = abut_rng_uniform(rng, -1.0, 1.0);
		}
		random_rotation(rng, pair->R[s]);
		random_rotation(rng, pair->axes[s]);
	}
	random_rotation(rng, pair->from);
}

static void pose_of(const Pair *pair, AbutJointPose *pose, double arm[2][3])
{
	for (int s = 0; s < 2; s++) {
		abut_mat3_vec(pair->R[s], pair->place[s], arm[s]);
		abut_mat3_mul(pair->R[s], pair->axes[s], s == 0 ? pose->A : pose->B);
	}
	for (int i = 0; i < 3; i++) {
		pose->d[i] = pair->x[1][i] + arm[1][i] - pair->x[0][i] - arm[0][i];
	}
	pose->length = 0.7;
	pose->cone = 0.6;
	pose->from = pair->from;
	pose->near = NULL;
}

/* Moves entry `i` (3 of dx, 3 of dTheta) of side s by h. */
static Pair moved(const Pair *pair, int s, int i, double h)
{
	Pair out = *pair;
	if (i < 3) {
		out.x[s][i] += h;
		return out;
	}
	double q[4] = {cos(0.5 * h), 0.0, 0.0, 0.0}, turn[9];
	q[i - 2] = sin(0.5 * h);
	abut_quat_to_mat3(q, turn);
	abut_mat3_mul(turn, pair->R[s], out.R[s]);
	return out;
}

static int rows_of(const AbutJointKind *kind, const Pair *pair, AbutJointRow *rows, double lever[2][3])
{
	AbutJointPose pose;
	pose_of(pair, &pose, lever);
	const int n_held = abut_joint_kind_held(kind);
	abut_joint_held_rows(kind, &pose, rows);
	abut_joint_free_rows(kind, &pose, &rows[n_held]);
	abut_joint_bound_rows(kind, &pose, &rows[n_held + kind->n_freedoms]);
	if (abut_joint_kind_turning(kind)) {
		abut_add3(lever[0], pose.d, lever[0]);
	}
	return n_held + kind->n_laws;
}

/* The derivative of a row by entry i of side s, by its n and t. */
static double derivative(const AbutJointRow *row, double lever[2][3], int s, int i)
{
	double moment[3];
	const double sign = s == 0 ? -1.0 : 1.0;
	abut_cross3(lever[s], row->n, moment);
	return sign * (i < 3 ? row->n[i] : moment[i - 3] + row->t[i - 3]);
}

Test(kinds, rows_are_derivatives_of_their_values)
{
	const double h = 1e-6;
	for (unsigned seed = 0; seed < 400; seed++) {
		AbutRng rng = {seed};
		const AbutJointType type = (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT);
		const AbutJointKind *kind = abut_joint_kind(type, (int)(seed / 8 % 4) - 1);
		AbutJointRow rows[ABUT_JOINT_ROWS], up[ABUT_JOINT_ROWS], down[ABUT_JOINT_ROWS];
		double lever[2][3], unused[2][3];
		Pair pair;
		random_pair(&rng, &pair);
		const int n = rows_of(kind, &pair, rows, lever);
		for (int e = 0; e < 12; e++) {
			const Pair a = moved(&pair, e / 6, e % 6, h), b = moved(&pair, e / 6, e % 6, -h);
			rows_of(kind, &a, up, unused);
			rows_of(kind, &b, down, unused);
			for (int i = 0; i < n; i++) {
				const double by_difference =
				    remainder(up[i].value - down[i].value, 6.283185307179586) / (2.0 * h);
				cr_assert_float_eq(derivative(&rows[i], lever, e / 6, e % 6), by_difference,
				                   1e-7 * (1.0 + fabs(by_difference)),
				                   "seed %u, %s, row %d, entry %d: %g is not %g", seed,
				                   abut_joint_type_name(type), i, e,
				                   derivative(&rows[i], lever, e / 6, e % 6), by_difference);
			}
		}
	}
}

/* The turn since a known one is the difference of both angles, by a series for small turns and otherwise by atan2. */
Test(kinds, turns_from_a_known_pose_are_those_from_zero)
{
	static const double sizes[] = {0.0, 1e-12, 1e-6, 1e-3, 0.05, 0.0999, 0.1001, 0.5, 1.5, 3.0};
	const int n_sizes = sizeof sizes / sizeof *sizes;
	for (unsigned seed = 0; seed < 600; seed++) {
		AbutRng rng = {seed};
		const AbutJointType types[] = {ABUT_JOINT_HINGE, ABUT_JOINT_UNIVERSAL, ABUT_JOINT_CYLINDRICAL};
		const AbutJointKind *kind = abut_joint_kind(types[seed % 3], -1);
		const double size = sizes[seed / 3 % (unsigned)n_sizes] * (seed % 2 ? 1.0 : -1.0);
		double c[ABUT_JOINT_FREEDOMS] = {0.0}, none[3];
		AbutJointTurn near[ABUT_JOINT_FREEDOMS];
		AbutJointRow rows[ABUT_JOINT_ROWS];
		AbutJointPose pose = {.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
		for (int i = 0; i < kind->n_freedoms; i++) {
			c[i] = abut_rng_uniform(&rng, -1.5, 1.5);
		}
		abut_joint_motion(kind, c, pose.B, none);
		abut_joint_turns_at(kind, &pose, near);
		for (int i = 0; i < kind->n_freedoms; i++) {
			near[i].angle = c[i] + 0.5; /* the caller's */
			c[i] += kind->freedom[i].slide < 0 ? size : 0.0;
		}
		abut_joint_motion(kind, c, pose.B, none);
		pose.near = near;
		abut_joint_free_rows(kind, &pose, rows);
		for (int i = 0; i < kind->n_freedoms; i++) {
			if (kind->freedom[i].slide < 0) {
				cr_assert_float_eq(rows[i].value, c[i] + 0.5, 2e-15, "seed %u, turn %g: %.17g", seed,
				                   size, rows[i].value - c[i] - 0.5);
			}
		}
	}
}

/* Force and torque of all rows with impulses lambda. */
static void wrench_of(const AbutJointKind *kind, const Pair *pair, const double *lambda, double out[6])
{
	AbutJointRow rows[ABUT_JOINT_ROWS];
	double lever[2][3];
	rows_of(kind, pair, rows, lever);
	memset(out, 0, 6 * sizeof *out);
	for (int i = 0; i < abut_joint_kind_held(kind) + kind->n_laws; i++) {
		abut_add_scaled3(out, lambda[i], rows[i].n, out);
		abut_add_scaled3(&out[3], lambda[i], rows[i].t, &out[3]);
	}
}

Test(kinds, curvature_is_the_derivative_of_the_rows)
{
	const double h = 1e-6;
	for (unsigned seed = 0; seed < 400; seed++) {
		AbutRng rng = {seed};
		const AbutJointKind *kind =
		    abut_joint_kind((AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT), (int)(seed / 8 % 4) - 1);
		double lambda[ABUT_JOINT_ROWS], arm[2][3];
		AbutJointCurvature c;
		AbutJointPose pose;
		Pair pair;
		random_pair(&rng, &pair);
		for (int i = 0; i < ABUT_JOINT_ROWS; i++) {
			lambda[i] = abut_rng_uniform(&rng, -1.0, 1.0);
		}
		pose_of(&pair, &pose, arm);
		abut_joint_curvature(kind, &pose, lambda, &lambda[abut_joint_kind_held(kind)], &c);
		for (int e = 0; e < 12; e++) {
			const int s = e / 6, i = e % 6;
			const Pair a = moved(&pair, s, i, h), b = moved(&pair, s, i, -h);
			double up[6], down[6], dd[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0}, change[6], other[3];
			wrench_of(kind, &a, lambda, up);
			wrench_of(kind, &b, lambda, down);
			if (i < 3) {
				dd[i] = s == 0 ? -1.0 : 1.0;
			} else {
				turn[i - 3] = 1.0;
				abut_cross3(turn, arm[s], dd);
				abut_scale3(s == 0 ? -1.0 : 1.0, dd, dd);
			}
			abut_mat3_vec(c.f_d, dd, change);
			abut_mat3_vec(s == 0 ? c.tau_a : c.tau_b, turn, &change[3]);
			abut_mat3_vec(c.f_a, turn, other);
			for (int k = 0; k < 6; k++) {
				const double own = change[k] + (k < 3 && s == 0 ? other[k] : 0.0);
				cr_assert_float_eq(own, (up[k] - down[k]) / (2.0 * h), 1e-7 * (1.0 + fabs(own)),
				                   "seed %u, entry %d of the motion, %d of the wrench: %g is not %g",
				                   seed, e, k, own, (up[k] - down[k]) / (2.0 * h));
			}
		}
	}
}

/* Converts A and B to the numbers of q, for programs that do not know rotations. A base has the position p of its
 * origin and a quaternion o in q. With the centre of mass c in body axes and a small turn phi about the body's axes,
 *
 *     dx = dp + R (phi x c),      phi = 2 im(conj(o) do),      do = o (0, phi) / 2,
 *
 * so that a change of the quaternion along itself has no effect. A ball has a rotation vector, whose right Jacobian
 * turns its change to the small turn. Tested in tests/dynamics/linear/test_linear_numbers.c. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "dynamics/linear/create.h"
#include "dynamics/robot/coordinates.h"
#include "dynamics/robot/pose.h"

enum { NUMBERS = ABUT_ROBOT_BASE + 1, TURNS = 3, QUATERNION = 4 };

/* How the tangent of a link's coordinates changes with their numbers, or the reverse. */
typedef struct Block {
	double at[NUMBERS][NUMBERS];
} Block;

/* Sets the rows of a base's displacement from those of its turn, dx = dp + R (phi x c), or back. */
static void shift_rows(double sign, const double R[9], const double c[3], const double turn[TURNS], double out[3])
{
	double lever[3], world[3];
	abut_cross3(turn, c, lever);
	abut_mat3_vec(R, lever, world);
	abut_scale3(sign, world, out);
}

/* Sets the block of a base at the orientation o: from numbers to the tangent, or back. */
static void base_block(const AbutBody *body, const double o[4], bool back, Block *out)
{
	double R[9];
	abut_quat_to_mat3(o, R);
	for (int k = 0; k < (back ? TURNS : QUATERNION); k++) {
		double unit[4] = {0.0}, conjugate[4] = {o[0], -o[1], -o[2], -o[3]}, product[4], turn[3], shift[3];
		unit[back ? 1 + k : k] = 1.0;
		abut_quat_mul(back ? o : conjugate, unit, product);
		abut_scale3(2.0, &product[1], turn);
		shift_rows(back ? -1.0 : 1.0, R, body->centre_of_mass, back ? &unit[1] : turn, shift);
		for (int i = 0; i < 3; i++) {
			out->at[i][3 + k] = shift[i];
		}
		for (int i = 0; i < (back ? QUATERNION : TURNS); i++) {
			out->at[3 + i][3 + k] = back ? 0.5 * product[i] : turn[i];
		}
	}
}

/* Returns the block of a link at one end of the step. */
static Block block_of(AbutLinear *linear, const AbutLink *link, int end)
{
	AbutRobot *robot = linear->robot;
	const AbutBodyState *at = &linear->motions[end][linear->model->bodies[link->body].moving];
	Block out = {.at = {{0.0}}};
	for (int i = 0; i < NUMBERS; i++) {
		out.at[i][i] = i < 3 || link->n_v < ABUT_ROBOT_BASE ? 1.0 : 0.0;
	}
	if (link->n_v == ABUT_ROBOT_BASE) {
		base_block(&linear->model->bodies[link->body], at->orientation, end == 1, &out);
	} else if (abut_robot_is_ball(robot, link)) {
		static const double none[ABUT_JOINT_FREEDOMS];
		double phi[TURNS], J[9];
		abut_robot_joint_read(robot, &linear->model->joints.at[link->joint], none, phi);
		if (end == 0) {
			abut_rotation_jacobian(phi, J);
		} else {
			abut_rotation_jacobian_inverse(phi, J);
		}
		for (int i = 0; i < 9; i++) {
			out.at[i / 3][i % 3] = J[i];
		}
	}
	return out;
}

/* Multiplies the columns of coordinates of `from` (rows x n_x) by the blocks at the start, into `out` (rows x n_n). */
static void convert_columns(AbutLinear *linear, int rows, const double *from, double *out)
{
	const AbutRobot *robot = linear->robot;
	const size_t n_n = (size_t)robot->n_q + (size_t)robot->n_v, n_x = (size_t)linear->n_x;
	abut_robot_set_motions(linear->robot, linear->motions[0], linear->timesteps[0]);
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const Block block = block_of(linear, link, 0);
		for (size_t row = 0; row < (size_t)rows; row++) {
			for (int c = 0; c < link->n_q; c++) {
				double sum = 0.0;
				for (int k = 0; k < link->n_v; k++) {
					sum += from[row * n_x + (size_t)(link->v + k)] * block.at[k][c];
				}
				out[row * n_n + (size_t)(link->q + c)] = sum;
			}
		}
	}
	for (size_t row = 0; row < (size_t)rows; row++) {
		memcpy(&out[row * n_n + (size_t)robot->n_q], &from[row * n_x + (size_t)robot->n_v],
		       (size_t)robot->n_v * sizeof *out);
	}
}

/* Multiplies the rows of coordinates of `from` (n_x x width) by the blocks at the end, into `out` (n_n x width). */
static void convert_rows(AbutLinear *linear, size_t width, const double *from, double *out)
{
	const AbutRobot *robot = linear->robot;
	abut_robot_set_motions(linear->robot, linear->motions[1], linear->timesteps[1]);
	for (int i = 0; i < robot->n_links; i++) {
		const AbutLink *link = &robot->links[i];
		const Block block = block_of(linear, link, 1);
		for (int r = 0; r < link->n_q; r++) {
			for (size_t c = 0; c < width; c++) {
				double sum = 0.0;
				for (int k = 0; k < link->n_v; k++) {
					sum += block.at[r][k] * from[(size_t)(link->v + k) * width + c];
				}
				out[(size_t)(link->q + r) * width + c] = sum;
			}
		}
	}
	memcpy(&out[(size_t)robot->n_q * width], &from[(size_t)robot->n_v * width],
	       (size_t)robot->n_v * width * sizeof *out);
}

AbutStatus abut_linear_numbers(AbutLinear *linear, double *A, double *B, AbutError *error)
{
	if (!linear) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "linear must be given");
	}
	const size_t n_x = (size_t)linear->n_x, n_u = (size_t)linear->n_motors;
	const size_t n_n = (size_t)linear->robot->n_q + (size_t)linear->robot->n_v;
	double *own_A = malloc((n_x * (n_x + n_u + n_n) + 1) * sizeof *own_A);
	if (!own_A) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for the derivative of a step");
	}
	double *own_B = own_A + n_x * n_x, *wide = own_B + n_x * n_u;
	const AbutStatus status = abut_linear_matrices(linear, own_A, own_B, NULL, error);
	if (status == ABUT_OK && A) {
		convert_columns(linear, linear->n_x, own_A, wide);
		convert_rows(linear, n_n, wide, A);
	}
	if (status == ABUT_OK && B) {
		convert_rows(linear, n_u, own_B, B);
	}
	free(own_A);
	return status;
}

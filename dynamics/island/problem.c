/* Implements the solver's functions for an island's problem: the rows of the bodies first, then those of each contact.
 */
#include "dynamics/island/problem.h"

#include <math.h>
#include <string.h>

#include "dynamics/body/balance.h"
#include "dynamics/contact/condense.h"
#include "dynamics/contact/evaluate.h"
#include "dynamics/contact/jacobian.h"
#include "dynamics/contact/recover.h"
#include "dynamics/joint/condense.h"
#include "dynamics/joint/coupling.h"
#include "dynamics/joint/evaluate.h"
#include "dynamics/joint/jacobian.h"
#include "dynamics/joint/keep.h"
#include "dynamics/joint/recover.h"

static AbutEdgeRoom room_of(const AbutContactProblem *problem)
{
	return (AbutEdgeRoom){problem->timestep, problem->friction_cone, problem->system, problem->scratch};
}

static void evaluate(void *data, const double *y, const double *z, double *r, double *H)
{
	AbutContactProblem *problem = data;
	for (int i = 0; i < problem->n_moving; i++) {
		AbutBodyWork *body = problem->moving[i];
		abut_body_move(body, problem->timestep, &y[6 * i]);
		abut_body_residual(body, problem->timestep, &r[6 * i]);
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		AbutContactWork *contact = &problem->contacts[i];
		abut_contact_evaluate(contact, problem->friction_cone, problem->timestep, &y[contact->at.y],
		                      &z[contact->at.z], &r[contact->at.y], &H[contact->at.z], r);
	}
	abut_couplings_push(problem->couplings, problem->n_couplings, y);
	for (int i = 0; i < problem->n_joints; i++) {
		AbutJointWork *joint = &problem->joints[i];
		abut_joint_evaluate(joint, problem->timestep, &y[joint->at.y], &z[joint->at.z], &r[joint->at.y],
		                    &H[joint->at.z], r);
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		AbutCouplingWork *coupling = &problem->couplings[i];
		abut_coupling_evaluate(coupling, problem->timestep, y[coupling->at], &r[coupling->at]);
	}
}

void abut_contact_problem_load_bodies(const AbutContactProblem *problem, const double *r)
{
	abut_block_system_clear(&problem->system);
	for (int i = 0; i < problem->n_moving; i++) {
		double J[36];
		double *block = abut_block(&problem->system, i, i);
		abut_body_jacobian(problem->moving[i], problem->timestep, J);
		for (int row = 0; row < 6; row++) {
			memcpy(&block[row * ABUT_BLOCK_ROW], &J[6 * row], 6 * sizeof(double));
			block[row * ABUT_BLOCK_ROW + 6] = -r[6 * i + row];
		}
	}
}

void abut_contact_problem_load_joints(AbutContactProblem *problem, const double *r, const AbutConeLaw *law)
{
	const AbutEdgeRoom room = room_of(problem);
	for (int i = 0; i < problem->n_joints; i++) {
		abut_joint_condense(&problem->joints[i], &room, &r[problem->joints[i].at.y], law);
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		abut_coupling_condense(&problem->couplings[i], r[problem->couplings[i].at], &problem->system);
	}
}

static bool condense(void *data, const double *r, const AbutConeLaw *law)
{
	AbutContactProblem *problem = data;
	const AbutEdgeRoom room = room_of(problem);
	abut_contact_problem_load_bodies(problem, r);
	for (int i = 0; i < problem->n_contacts; i++) {
		AbutContactWork *contact = &problem->contacts[i];
		if (!abut_contact_condense(contact, &room, &r[contact->at.y], law)) {
			return false;
		}
	}
	abut_contact_problem_load_joints(problem, r, law);
	return abut_block_system_solve(&problem->system);
}

static void recover(void *data, const AbutConeLaw *law, double weight, double *dy, double *dz, double *dH)
{
	AbutContactProblem *problem = data;
	const AbutEdgeRoom room = room_of(problem);
	for (int i = 0; i < problem->n_moving; i++) {
		const double *block = abut_block(&problem->system, i, i);
		for (int row = 0; row < 6; row++) {
			dy[6 * i + row] = block[row * ABUT_BLOCK_ROW + 6] + weight * block[row * ABUT_BLOCK_ROW + 7];
		}
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		AbutContactWork *contact = &problem->contacts[i];
		abut_contact_recover(contact, &room, law, weight, dy, &dy[contact->at.y], &dz[contact->at.z],
		                     &dH[contact->at.z]);
	}
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i];
		const AbutJointChange change = {&dy[joint->at.y], &dz[joint->at.z], &dH[joint->at.z]};
		abut_joint_recover(joint, &room, law, weight, dy, &change);
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		dy[problem->couplings[i].at] = abut_coupling_recover(&problem->couplings[i], dy);
	}
}

static void jacobian(void *data, double rho, double *J)
{
	AbutContactProblem *problem = data;
	const AbutEdgeRoom room = room_of(problem);
	int n_y = 6 * problem->n_moving + problem->n_couplings, n_z = 0;
	for (int i = 0; i < problem->n_contacts; i++) {
		n_y += problem->contacts[i].pair->n_y;
		n_z += problem->contacts[i].pair->n_z;
	}
	for (int i = 0; i < problem->n_joints; i++) {
		n_y += problem->joints[i].joint->n_y;
		n_z += problem->joints[i].joint->n_z;
	}
	const int n = n_y + n_z;
	memset(J, 0, (size_t)n * (size_t)n * sizeof(double));
	for (int i = 0; i < problem->n_moving; i++) {
		double block[36];
		abut_body_jacobian(problem->moving[i], problem->timestep, block);
		for (int row = 0; row < 6; row++) {
			for (int column = 0; column < 6; column++) {
				J[6 * i + row + (long)(6 * i + column) * n] = block[6 * row + column];
			}
		}
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		abut_contact_jacobian(contact, &room, rho, n_y, n, J);
	}
	for (int i = 0; i < problem->n_joints; i++) {
		abut_joint_jacobian(&problem->joints[i], &room, n_y, n, J);
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		abut_coupling_jacobian(&problem->couplings[i], n, J);
	}
}

static double step_limit(void *data, const double *y, const double *dy, double limit)
{
	const AbutContactProblem *problem = data;
	const double half = 0.5 * problem->timestep;
	for (int i = 0; i < problem->n_moving; i++) {
		/* largest step with |psi + step dpsi| <= ABUT_LARGEST_HALF_TURN */
		double a = 0.0, b = 0.0, c = -ABUT_LARGEST_HALF_TURN * ABUT_LARGEST_HALF_TURN;
		for (int j = 3; j < 6; j++) {
			const double psi = half * y[6 * i + j], d = half * dy[6 * i + j];
			a += d * d;
			b += psi * d;
			c += psi * psi;
		}
		if (a * limit * limit + 2.0 * b * limit + c <= 0.0) {
			continue;
		}
		const double root = sqrt(fmax(b * b - a * c, 0.0));
		limit = fmin(limit, fmax((b >= 0.0 ? -c / (b + root) : (root - b) / a), 0.0));
	}
	return limit;
}

/* Sets psi of each second-order friction cone to the head of its slack (solver/cones/soc.c). */
static void heads(void *data, const double *s, double *y)
{
	const AbutContactProblem *problem = data;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		if (contact->at.n_friction_y) {
			y[contact->at.y + contact->at.psi_y] = s[contact->at.z + contact->at.friction_z];
		}
	}
	for (int i = 0; i < problem->n_joints; i++) {
		abut_joint_heads(&problem->joints[i], s, y);
	}
}

const AbutNcpOps abut_contact_problem_ops = {
    .evaluate = evaluate,
    .condense = condense,
    .recover = recover,
    .jacobian = jacobian,
    .step_limit = step_limit,
    .heads = heads,
};

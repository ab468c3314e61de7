/* Presents the outer problem of method bilevel to the solver (AbutNcp). It is built on the single-level problem of the
 * island. The iterate of that problem holds the outer unknowns and the solutions of the collision problems. Its
 * condense and recover functions do the algebra.
 *
 * Directions are tested with finite differences in tests/dynamics/methods/bilevel/test_bilevel.c. */
#include "dynamics/methods/bilevel/problem.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/island/problem.h"
#include "dynamics/solve/collision_alone.h"

static AbutNcp outer_problem(AbutIsland *island);

/* Returns how many duals z of a contact belong to the outer problem: those of gamma and friction, which come first. Of
 * its y, only psi belongs to the outer problem; it comes last. All unknowns of joints belong to it. */
static int n_forces(const AbutContactWork *contact)
{
	return contact->at.alpha_z;
}

static int n_contact_cones(const AbutContactWork *contact)
{
	return (int)(contact->alpha_cone - contact->cones);
}

/* --- between the layouts: of y and r, of z, s and H --- */

static void put_y(const AbutContactProblem *problem, const double *outer, double *full)
{
	int next = 6 * problem->n_moving;
	memcpy(full, outer, (size_t)next * sizeof(double));
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		for (int j = 0; j < contact->at.n_friction_y; j++) {
			full[contact->at.y + contact->at.psi_y + j] = outer[next++];
		}
	}
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i];
		memcpy(&full[joint->at.y], &outer[next], (size_t)joint->joint->n_y * sizeof(double));
		next += joint->joint->n_y;
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		full[problem->couplings[i].at] = outer[next++];
	}
}

static void pick_y(const AbutContactProblem *problem, const double *full, double *outer)
{
	int next = 6 * problem->n_moving;
	memcpy(outer, full, (size_t)next * sizeof(double));
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		for (int j = 0; j < contact->at.n_friction_y; j++) {
			outer[next++] = full[contact->at.y + contact->at.psi_y + j];
		}
	}
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i];
		memcpy(&outer[next], &full[joint->at.y], (size_t)joint->joint->n_y * sizeof(double));
		next += joint->joint->n_y;
	}
	for (int i = 0; i < problem->n_couplings; i++) {
		outer[next++] = full[problem->couplings[i].at];
	}
}

static void put_z(const AbutContactProblem *problem, const double *outer, double *full)
{
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		memcpy(&full[contact->at.z], outer, (size_t)n_forces(contact) * sizeof(double));
		outer += n_forces(contact);
	}
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i];
		memcpy(&full[joint->at.z], outer, (size_t)joint->joint->n_z * sizeof(double));
		outer += joint->joint->n_z;
	}
}

static void pick_z(const AbutContactProblem *problem, const double *full, double *outer)
{
	int next = 0;
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		memcpy(&outer[next], &full[contact->at.z], (size_t)n_forces(contact) * sizeof(double));
		next += n_forces(contact);
	}
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i];
		memcpy(&outer[next], &full[joint->at.z], (size_t)joint->joint->n_z * sizeof(double));
		next += joint->joint->n_z;
	}
}

/* --- a collision problem at the present poses --- */

/* Solves a contact's collision problem. Starts from the last solution, smoothed according to its residual, or cold if
 * that fails. */
static bool solve_collision(AbutIsland *island, const AbutContactWork *contact)
{
	AbutBilevel *bilevel = abut_bilevel_of(island);
	AbutScalingProblem *scaling = &island->scaling;
	AbutIterate own = island->iterate;
	own.y += contact->at.y;
	own.z += contact->at.z + contact->at.alpha_z;
	own.s = &bilevel->s[contact->at.z + contact->at.alpha_z];
	bool solved = abut_step_resume_collision(island, contact, bilevel->kappa, &own);
	if (!solved) {
		double alpha, p[3];
		solved = abut_scaling_solve(scaling, bilevel->kappa, &own, &alpha, p);
		memcpy(own.y, p, sizeof p);
		memset(scaling->origin, 0, sizeof scaling->origin);
	}
	return solved && abut_scaling_tighten(scaling, bilevel->kappa, &own);
}

/* --- the functions behind AbutNcp --- */

static void evaluate(void *data, const double *y, const double *z, double *r, double *H)
{
	AbutIsland *island = data;
	const AbutContactProblem *problem = &island->problem;
	AbutIterate *it = &island->iterate;
	bool solved = true;
	for (int i = 0; i < problem->n_moving; i++) {
		abut_body_move(problem->moving[i], problem->timestep, &y[6 * i]);
	}
	for (int i = 0; i < problem->n_contacts; i++) {
		solved = !abut_stopped(island->stop) && solve_collision(island, &problem->contacts[i]) && solved;
	}
	put_y(problem, y, it->y);
	put_z(problem, z, it->z);
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	pick_y(problem, it->r, r);
	pick_z(problem, it->H, H);
	if (!solved) {
		r[0] = (double)NAN;
	}
}

/* Copies the law of a cone, whose place in the single-level law is the same. */
static void take_law(const AbutConeLaw *outer, const AbutCone *cone, AbutConeLaw *law)
{
	memcpy(&law->K[cone->law], &outer->K[cone->law],
	       (size_t)abut_cone_law_size(cone->kind, cone->dim) * sizeof(double));
}

/* Assembles the laws of the single-level problem. Gamma, friction and joints have the given laws, `outer`. The
 * collision problem has the laws at its own solution, which do not depend on the target of the outer problem. */
static void join_laws(AbutIsland *island, const AbutConeLaw *outer)
{
	const AbutBilevel *bilevel = abut_bilevel_of(island);
	AbutIterate *it = &island->iterate;
	AbutConeLaw *law = &it->law;
	put_z(&island->problem, outer->c[0], law->c[0]);
	put_z(&island->problem, outer->c[1], law->c[1]);
	law->rho = 0.0;
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		const int n_own = n_contact_cones(contact), first = contact->at.z + contact->at.alpha_z;
		for (int j = 0; j < n_own; j++) {
			take_law(outer, &contact->cones[j], law);
		}
		abut_cones_law_path(contact->alpha_cone, contact->pair->n_cones - n_own, it->z, bilevel->s, it->H,
		                    bilevel->kappa, law);
		memset(&law->c[1][first], 0, (size_t)(contact->pair->n_z - contact->at.alpha_z) * sizeof(double));
	}
	for (int i = 0; i < island->problem.n_joints; i++) {
		const AbutJointWork *joint = &island->problem.joints[i];
		for (int j = 0; j < joint->joint->n_cones; j++) {
			take_law(outer, &joint->cones[j], law);
		}
	}
}

static bool condense(void *data, const double *r, const AbutConeLaw *law)
{
	AbutIsland *island = data;
	(void)r; /* the last evaluate has stored it in the single-level problem's r */
	join_laws(island, law);
	return island->ncp.ops->condense(island->ncp.problem, island->iterate.r, &island->iterate.law);
}

static void recover(void *data, const AbutConeLaw *law, double weight, double *dy, double *dz, double *dH)
{
	AbutIsland *island = data;
	AbutIterate *it = &island->iterate;
	(void)law; /* condense has stored it in it->law */
	island->ncp.ops->recover(island->ncp.problem, &it->law, weight, it->dy, it->dz, it->dH);
	pick_y(&island->problem, it->dy, dy);
	pick_z(&island->problem, it->dz, dz);
	pick_z(&island->problem, it->dH, dH);
}

/* Computes the Jacobian by forward differences, as the paper does for its baseline. Each difference solves the
 * collision problems again. Used by the dense linear solver. */
static void jacobian(void *data, double rho, double *J)
{
	static const double step = 1.5e-8; /* square root of the machine epsilon */
	AbutIsland *island = data;
	AbutIterate *outer = &abut_bilevel_of(island)->outer;
	const AbutNcp ncp = outer_problem(island);
	const int n = ncp.n_y + ncp.n_z;
	for (int j = 0; j < n; j++) {
		double *value = j < ncp.n_y ? &outer->y[j] : &outer->z[j - ncp.n_y], *column = &J[(long)j * n];
		const double kept = *value, h = step * abut_max(1.0, fabs(kept));
		*value = kept + h;
		evaluate(island, outer->y, outer->z, column, &column[ncp.n_y]);
		*value = kept;
		for (int i = 0; i < n; i++) {
			column[i] = (column[i] - (i < ncp.n_y ? outer->r[i] : outer->H[i - ncp.n_y])) / h;
		}
	}
	(void)rho; /* regularises collision unknowns, which do not exist here */
	evaluate(island, outer->y, outer->z, outer->r, outer->H);
}

static double step_limit(void *data, const double *y, const double *dy, double limit)
{
	AbutIsland *island = data;
	return island->ncp.ops->step_limit(island->ncp.problem, y, dy, limit); /* uses only the bodies' entries */
}

static const AbutNcpOps bilevel_ops = {
    .evaluate = evaluate, .condense = condense, .recover = recover, .jacobian = jacobian, .step_limit = step_limit};

/* Adds cones of the single-level problem, whose duals begin at `first_z` there, to the outer problem. They keep their
 * places in the single-level law. */
static void add_cones(const AbutCone *from, int n, int first_z, AbutCone *cones, AbutNcp *ncp)
{
	for (int j = 0; j < n; j++) {
		cones[ncp->n_cones] = from[j];
		cones[ncp->n_cones++].offset += ncp->n_z - first_z;
	}
}

static AbutNcp outer_problem(AbutIsland *island)
{
	const AbutContactProblem *problem = &island->problem;
	AbutCone *cones = abut_bilevel_of(island)->cones;
	AbutNcp ncp = {.problem = island,
	               .ops = &bilevel_ops,
	               .n_y = 6 * problem->n_moving + problem->n_couplings,
	               .cones = cones,
	               .stop = island->stop};
	for (int i = 0; i < problem->n_contacts; i++) {
		const AbutContactWork *contact = &problem->contacts[i];
		add_cones(contact->cones, n_contact_cones(contact), contact->at.z, cones, &ncp);
		ncp.n_y += contact->at.n_friction_y;
		ncp.n_z += n_forces(contact);
	}
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i];
		add_cones(joint->cones, joint->joint->n_cones, joint->at.z, cones, &ncp);
		ncp.n_y += joint->joint->n_y;
		ncp.n_z += joint->joint->n_z;
	}
	return ncp;
}

AbutNcp abut_bilevel_begin(AbutIsland *island)
{
	const AbutIterate *it = &island->iterate;
	AbutIterate *outer = &abut_bilevel_of(island)->outer;
	const AbutNcp ncp = outer_problem(island);
	pick_y(&island->problem, it->y, outer->y);
	pick_z(&island->problem, it->z, outer->z);
	pick_z(&island->problem, it->s, outer->s);
	return ncp;
}

void abut_bilevel_end(AbutIsland *island)
{
	AbutIterate *it = &island->iterate;
	memcpy(it->s, abut_bilevel_of(island)->s, (size_t)island->ncp.n_z * sizeof(double));
	put_z(&island->problem, abut_bilevel_of(island)->outer.s, it->s);
}

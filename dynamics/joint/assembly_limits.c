/* Limits of joints while their loops are closed: coordinates that closing takes beyond a limit are held there. Tested
 * in tests/dynamics/joint/test_assemble.c. */
#include "dynamics/joint/assembly_limits.h"

#include <math.h>

/* The first step undoes what is beyond by less. */
static const double slack = 1e-9;

/* Returns whether closing keeps the limits of a coordinate: no coupling counts its turns. */
static bool keeps(const AbutJoint *joint, int k)
{
	return abut_joint_law_has_limits(&joint->law[k]) && !joint->geared[k];
}

static double value(const AbutAssembly *a, int i, int k)
{
	const AbutJoint *joint = &a->model->joints.at[i];
	const AbutJointLaw *law = &joint->law[k];
	const double c = a->joints[i].rows[joint->n_held + k].value;
	return abut_joint_turns(joint->kind, k) ? abut_joint_unwrap(c, 0.5 * (law->lower + law->upper)) : c;
}

/* Returns by how much a coordinate is beyond its limits: negative below the lower one, 0 within; model units. */
static double beyond(const AbutAssembly *a, int i, int k)
{
	const AbutJointLaw *law = &a->model->joints.at[i].law[k];
	const double c = value(a, i, k);
	return c < law->lower - slack ? c - law->lower : c > law->upper + slack ? c - law->upper : 0.0;
}

void abut_assembly_begin_limits(const AbutAssembly *a)
{
	for (int i = 0; i < a->model->joints.n; i++) {
		const AbutJoint *joint = &a->model->joints.at[i];
		for (int k = 0; k < joint->kind->n_freedoms; k++) {
			const bool kept = keeps(joint, k) && beyond(a, i, k) == 0.0;
			a->stops[i][k] = kept ? ABUT_ASSEMBLY_FREE : ABUT_ASSEMBLY_IGNORED;
		}
	}
}

bool abut_assembly_hold_limits(const AbutAssembly *a)
{
	bool any = false;
	for (int i = 0; i < a->model->joints.n; i++) {
		for (int k = 0; k < a->model->joints.at[i].kind->n_freedoms; k++) {
			const double by = a->stops[i][k] == ABUT_ASSEMBLY_FREE ? beyond(a, i, k) : 0.0;
			if (by != 0.0) {
				a->stops[i][k] = by < 0.0 ? ABUT_ASSEMBLY_AT_LOWER : ABUT_ASSEMBLY_AT_UPPER;
				any = true;
			}
		}
	}
	return any;
}

void abut_assembly_release_limits(const AbutAssembly *a)
{
	for (int i = 0; i < a->model->joints.n; i++) {
		for (int k = 0; k < a->model->joints.at[i].kind->n_freedoms; k++) {
			a->stops[i][k] = ABUT_ASSEMBLY_IGNORED;
		}
	}
}

bool abut_assembly_at_limit(const AbutAssembly *a, int i, int k, double *off)
{
	const AbutJointLaw *law = &a->model->joints.at[i].law[k];
	const AbutAssemblyStop stop = a->stops[i][k];
	if (stop != ABUT_ASSEMBLY_AT_LOWER && stop != ABUT_ASSEMBLY_AT_UPPER) {
		return false;
	}
	*off = value(a, i, k) - (stop == ABUT_ASSEMBLY_AT_LOWER ? law->lower : law->upper);
	return true;
}

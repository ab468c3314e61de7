/* Reports which derivatives a step has, island by island, and why the others do not exist.
 *
 * Also refuses derivatives that the equations of a part do not determine. There are two cases. A contact recovers from
 * overlap in proportion to the initial overlap, which the equations take as a constant. A contact point in a vertex of
 * more than three faces is undetermined if one face moves: the vertex becomes an edge, and the derivative depends on
 * the direction of the motion. With joints, the timestep and centres of mass are refused, and so are steps whose own
 * impulses direct those of a joint (dynamics/joint/direction.h). Tested in
 * tests/dynamics/gradient/test_gradient_unknown.c. */
#include "dynamics/gradient/refuse.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/gradient/joint/parameter.h"
#include "dynamics/gradient/joint/spins.h"
#include "dynamics/gradient/method.h"
#include "dynamics/island/island.h"
#include "dynamics/joint/direction.h"
#include "dynamics/model/joint_parameter.h"

enum { WHAT_SIZE = 160 };

AbutStatus abut_gradient_refuse(const AbutGradient *gradient, AbutStatus status, AbutError *error)
{
	const bool soft = !gradient->model->method->gradient->has_path;
	if (status == ABUT_ERROR_MEMORY) {
		return abut_error_set(error, status, NULL, "no memory for the derivative of the step");
	}
	if (status == ABUT_ERROR_UNSUPPORTED) {
		return abut_error_set(
		    error, status, soft ? NULL : "kappa",
		    soft
		        ? "the step ended relaxed, or its friction is not bounded by its own normal impulses; this "
		          "method has derivatives only of exact steps"
		        : "is 0, for the derivative at the exact solution, but the step ended relaxed; take a kappa of "
		          "1e-6 or more, for the derivative on the path");
	}
	if (soft) {
		return abut_error_set(error, status, NULL,
		                      "the derivative at the solution cannot be computed to working precision");
	}
	return abut_error_set(error, status, NULL,
	                      gradient->kappa > 0.0 ? "the point of the path at kappa %g, or its derivative, cannot be "
	                                              "computed to working precision; take a larger kappa"
	                                            : "the derivative at the solution (kappa %g) cannot be computed to "
	                                              "working precision; on the path, at kappa > 0, it is smoother",
	                      gradient->kappa);
}

/* Returns why the island has no derivative with respect to `by`, or NULL if it has one. A step in several parts has a
 * derivative only if all derivatives of all parts exist, since each part begins where the previous part ends. */
static const AbutRefusal *refusal_of(const AbutGradientIsland *island, int n_parameters, int by)
{
	const int n = ABUT_BY_PARAMETER + n_parameters;
	const bool whole = island->n_parts == 1;
	for (int i = 0; i < island->n_parts; i++) {
		for (int k = whole ? by : 0; k < (whole ? by + 1 : n); k++) {
			if (island->parts[i]->refused[k].why != ABUT_REFUSED_NOT) {
				return &island->parts[i]->refused[k];
			}
		}
	}
	return NULL;
}

static void tell_what(const AbutGradient *gradient, const AbutGradientIsland *island, int by, char what[WHAT_SIZE])
{
	bool all = gradient->n_parameters > 0;
	for (int i = 0; i < gradient->n_parameters; i++) {
		all = all && refusal_of(island, gradient->n_parameters, ABUT_BY_PARAMETER + i);
	}
	const bool moved = !refusal_of(island, gradient->n_parameters, ABUT_BY_POSES);
	const bool pushed = !refusal_of(island, gradient->n_parameters, ABUT_BY_IMPULSES);
	if (by < ABUT_BY_PARAMETER) {
		snprintf(what, WHAT_SIZE, "%s",
		         moved    ? "velocities, forces and torques"
		         : pushed ? "positions and rotations"
		         : all    ? "state, input and all chosen parameters"
		                  : "state and input");
	} else {
		abut_parameter_describe(gradient->model, &gradient->parameters[by - ABUT_BY_PARAMETER], what,
		                        WHAT_SIZE);
	}
}

/* Why a derivative does not exist: names, then what it is by. */
static const char *const reasons[] = {
    [ABUT_REFUSED_OVERHELD] =
        "contacts, among them that of '%s' and '%s', impose more conditions than there are degrees of freedom; "
        "by %s the step has only one-sided derivatives",
    [ABUT_REFUSED_UNLOADED] = "'%s' and '%s' touch and carry no load between them; "
                              "by %s the step has only one-sided derivatives",
    [ABUT_REFUSED_SLIPPING] = "friction of '%s' and '%s' is at its bound, and they are about to slip; "
                              "by %s the step has only one-sided derivatives",
    [ABUT_REFUSED_LEAVING] = "the contact point of '%s' and '%s' is about to leave a face or an edge; "
                             "by %s the step has only one-sided derivatives",
    [ABUT_REFUSED_CROWDED] = "'%s' and '%s' touch in a vertex of more than three faces; "
                             "by %s the step has only one-sided derivatives",
    [ABUT_REFUSED_OVERLAPPING] = "'%s' and '%s' overlap at the start by more than a step undoes; "
                                 "by %s there is no derivative, because the removal of overlap is not differentiated",
    [ABUT_REFUSED_UNKNOWN] =
        "the contact of '%s' and '%s' has no derivative by %s: of sums, intersections and conic data only the "
        "furthest points are known, and of other shapes the nearest points must be unique",
    [ABUT_REFUSED_SHARED] =
        "the points of a contact, among them those of '%s' and '%s', slide in several directions, and the "
        "equations do not determine what each of them carries; by %s there is no derivative",
    [ABUT_REFUSED_LATE] =
        "'%s' and '%s' bounce within the step; by %s only abut_lcp_gradient (in Python lcp_gradient) has a "
        "derivative",
    [ABUT_REFUSED_AT_LIMIT] = "joint '%s' is at its limit and carries no load there; "
                              "by %s the step has only one-sided derivatives",
    [ABUT_REFUSED_AT_BOUND] = "friction or the motor of joint '%s' is at its bound, and it is about to slip; "
                              "by %s the step has only one-sided derivatives",
    [ABUT_REFUSED_JOINTED] = "'%s' is a joint; derivatives by %s are implemented only without joints",
    [ABUT_REFUSED_STIFF] = "a spring of joint '%s' is too stiff for the timestep; "
                           "by %s there is no derivative, because the damping of such springs is not "
                           "differentiated; take a smaller timestep",
    [ABUT_REFUSED_SOFT] = "contacts, soft equalities or springs of couplings act on the mechanism of joint '%s'; by %s "
                          "method convex has no derivative of such steps; use single-level, lcp or point-ncp",
    [ABUT_REFUSED_LOOP] =
        "a soft limit or soft dry friction acts on joint '%s', which closes a loop; by %s method convex has no "
        "derivative of such steps; use single-level, lcp or point-ncp",
    [ABUT_REFUSED_MOBILE] = "the springs of limits and dry friction depend on the mobility of the mechanism of joint "
                            "'%s'; by %s, which may change it, method convex has no derivative of such steps; use "
                            "single-level, lcp or point-ncp",
    [ABUT_REFUSED_FAST] = "joint '%s' leans so fast for its limits that the step turns the direction of their "
                          "torque; by %s there is no derivative, because this turn is not differentiated; take "
                          "a smaller timestep",
    [ABUT_REFUSED_TURNED] = "the load of joint '%s' grows so fast that its impulses turn within the step; "
                            "by %s there is no derivative, because that is not differentiated; take a smaller "
                            "timestep",
    [ABUT_REFUSED_CHAINED] = "the load of joint '%s' in the step or part before turns its impulses; by %s several "
                             "such steps have no common derivative; take a smaller timestep, or differentiate "
                             "them one by one",
    [ABUT_REFUSED_DIRECTED] = "the load of joint '%s' turns its impulses by an angle that depends on the inertia "
                              "of its bodies; by %s there is no derivative; take a smaller timestep",
    [ABUT_REFUSED_KINKED] = "the load of joint '%s' is equal on both bodies, or about to turn its impulses; "
                            "by %s the step has only one-sided derivatives; take a smaller timestep"};
static const char overheld[] = "contacts and joints, among them joint '%s', impose more conditions than there are "
                               "degrees of freedom; by %s the step has only one-sided derivatives";

/* Returns whether a derivative on the path exists where one at the exact solution is refused. */
static bool has_on_path(AbutRefusalWhy why)
{
	return why <= ABUT_REFUSED_CROWDED || why == ABUT_REFUSED_AT_LIMIT || why == ABUT_REFUSED_AT_BOUND;
}

static AbutStatus tell(const AbutGradient *gradient, const AbutGradientIsland *island, const AbutRefusal *refusal,
                       int by, AbutError *error)
{
	char what[WHAT_SIZE], text[sizeof error->message];
	const bool path = gradient->model->method->gradient->has_path && has_on_path(refusal->why);
	tell_what(gradient, island, by, what);
	if (refusal->joint) {
		snprintf(text, sizeof text, refusal->why == ABUT_REFUSED_OVERHELD ? overheld : reasons[refusal->why],
		         refusal->joint, what);
	} else {
		snprintf(text, sizeof text, reasons[refusal->why],
		         abut_model_body_name(gradient->model, refusal->body[0]),
		         abut_model_body_name(gradient->model, refusal->body[1]), what);
	}
	return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL, "%s%s", text,
	                      path ? "; take kappa > 0, such as 1e-6" : "");
}

AbutStatus abut_gradient_has(const AbutGradient *gradient, const AbutGradientIsland *island, int by, AbutError *error)
{
	if (island->status != ABUT_OK) {
		return abut_gradient_refuse(gradient, island->status, error);
	}
	const AbutRefusal *refusal = refusal_of(island, gradient->n_parameters, by);
	return refusal ? tell(gradient, island, refusal, by, error) : ABUT_OK;
}

AbutStatus abut_gradient_ready(const AbutGradient *gradient, AbutError *error)
{
	return gradient->solved ? ABUT_OK
	                        : abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
	                                         "no solved step has been differentiated; take a step first");
}

/* --- overlap at the start --- */

/* Returns whether the parameter changes the initial overlap of a pair, or how much overlap one step may remove. */
static bool changes_overlap(const AbutModel *model, const AbutPair *pair, const AbutParameter *p)
{
	return p->kind == ABUT_PARAMETER_TIMESTEP ||
	       (abut_parameter_of_part(p) &&
	        (pair->part[0] == abut_parameter_part(model, p) || pair->part[1] == abut_parameter_part(model, p)));
}

void abut_gradient_refuse_overlap(const AbutGradientAsk *ask, const AbutPair *pair, AbutGradientPart *part)
{
	abut_gradient_refuse_for(ABUT_REFUSED_OVERLAPPING, pair, &part->refused[ABUT_BY_POSES]);
	for (int i = 0; i < ask->n_parameters; i++) {
		if (changes_overlap(ask->model, pair, &ask->parameters[i])) {
			abut_gradient_refuse_for(ABUT_REFUSED_OVERLAPPING, pair, &part->refused[ABUT_BY_PARAMETER + i]);
		}
	}
}

/* --- vertices of many faces --- */

/* Returns the number of faces that hold the contact point on a side. Sets `holds` if the face of `row` is one of them.
 */
static int count_held(const AbutIterate *it, const AbutContactWork *contact, const AbutContactSide *side, int row,
                      bool *holds)
{
	const int place = contact->at.z + side->z + row;
	int n = 0;
	*holds = false;
	for (int i = 0; i < abut_conic_rows_cone_count(side->rows); i++) {
		const AbutCone *cone = &side->cones[i];
		for (int j = 0; cone->kind == ABUT_CONE_ORTHANT && j < cone->dim; j++) {
			const bool held = abut_gradient_margin(cone, j, it) > 0.0;
			n += held;
			*holds = *holds || (held && cone->offset + j == place);
		}
	}
	return n;
}

static void refuse_corners(const AbutIterate *it, const AbutGradientAsk *ask, const AbutContactWork *contact,
                           AbutGradientPart *part)
{
	for (int i = 0; i < ask->n_parameters; i++) {
		const AbutParameter *p = &ask->parameters[i];
		for (int side = 0; p->kind == ABUT_PARAMETER_FACE && side < 2; side++) {
			bool holds;
			if (contact->pair->part[side] == abut_parameter_part(ask->model, p) &&
			    count_held(it, contact, &contact->side[side], p->index / 4, &holds) > 3 && holds) {
				abut_gradient_refuse_for(ABUT_REFUSED_CROWDED, contact->pair,
				                         &part->refused[ABUT_BY_PARAMETER + i]);
			}
		}
	}
}

/* --- joints --- */

/* Refuses all derivatives of the part. */
static void refuse_all(AbutRefusalWhy why, const AbutJointWork *joint, AbutGradientPart *part)
{
	for (int by = 0; by < ABUT_BY_PARAMETER + part->n_parameters; by++) {
		abut_gradient_refuse_joint(why, joint->joint->name, &part->refused[by]);
	}
}

/* Refuses exact solutions on the border of two modes of a law: a limit without load, or an impulse at its bound without
 * slip, both to 1e-9. */
static void refuse_borders(const AbutIterate *it, const AbutJointWork *joint, AbutGradientPart *part)
{
	static const double least_margin = 1e-9;
	for (int i = 0; i < joint->joint->kind->n_laws; i++) {
		const AbutJointAxisWork *axis = &joint->axis[i];
		for (int k = 0; axis->limits && k < axis->limits->dim; k++) {
			if (fabs(abut_gradient_margin(axis->limits, k, it)) < least_margin) {
				refuse_all(ABUT_REFUSED_AT_LIMIT, joint, part);
			}
		}
		for (int k = 0; k < ABUT_CLIPS; k++) {
			const AbutClipped *clip = &axis->clip[k];
			if (clip->there && fabs(1.0 - fabs(abut_gradient_margin(clip->cone, 1, it))) < least_margin) {
				refuse_all(ABUT_REFUSED_AT_BOUND, joint, part);
			}
		}
	}
	for (int k = 0; abut_joint_spins_clipped(joint) && k < ABUT_CLIPS; k++) {
		const AbutClipped *clip = &joint->ball.clip[k].clip;
		double d[3];
		for (int i = 0; clip->there && i < 3; i++) {
			d[i] = abut_gradient_margin(clip->cone, 1 + i, it);
		}
		if (clip->there && fabs(1.0 - abut_norm3(d)) < least_margin) {
			refuse_all(ABUT_REFUSED_AT_BOUND, joint, part);
		}
	}
}

/* Returns whether a limit holds freedom `i`, and dry friction too. */
static bool holds_twice(const AbutIterate *it, const AbutJointWork *joint, int i)
{
	const AbutJointAxisWork *axis = &joint->axis[i];
	const AbutClipped *friction = &axis->clip[ABUT_CLIP_FRICTION];
	const bool limited =
	    axis->limits && (abut_gradient_margin(axis->limits, 0, it) > 0.0 ||
	                     (axis->limits->dim > 1 && abut_gradient_margin(axis->limits, 1, it) > 0.0));
	if (limited && i >= joint->joint->kind->n_freedoms) { /* a bound, and friction of all spins */
		return abut_joint_spins_stick(joint, it->z, it->H);
	}
	return limited && friction->there && fabs(abut_gradient_margin(friction->cone, 1, it)) < 1.0;
}

/* Refuses exact derivatives by the coordinate and the limits of a freedom that both a limit and friction hold: the
 * limit would move it, and friction not. */
static void refuse_twice(const AbutIterate *it, const AbutGradientAsk *ask, const AbutJointWork *joint,
                         AbutGradientPart *part)
{
	for (int i = 0; i < joint->joint->kind->n_laws; i++) {
		if (!holds_twice(it, joint, i)) {
			continue;
		}
		const char *name = joint->joint->name;
		abut_gradient_refuse_joint(ABUT_REFUSED_OVERHELD, name, &part->refused[ABUT_BY_POSES]);
		for (int k = 0; k < ask->n_parameters; k++) {
			const AbutParameter *p = &ask->parameters[k];
			const bool lower = p->kind == ABUT_PARAMETER_JOINT_LOWER;
			const int n = joint->joint->kind->n_freedoms, law = i < n ? p->index : lower ? n : n + 1;
			if ((lower || p->kind == ABUT_PARAMETER_JOINT_UPPER) && law == i &&
			    abut_joint_parameter_touches(ask->model, joint, p)) {
				abut_gradient_refuse_joint(ABUT_REFUSED_OVERHELD, name,
				                           &part->refused[ABUT_BY_PARAMETER + k]);
			}
		}
	}
}

static bool presses_bound(const AbutIterate *it, const AbutJointWork *joint)
{
	bool presses = false;
	for (int i = joint->joint->kind->n_freedoms; i < joint->joint->kind->n_laws; i++) {
		const AbutCone *limits = joint->axis[i].limits;
		for (int k = 0; k < limits->dim; k++) {
			presses = presses || abut_gradient_margin(limits, k, it) > 0.0;
		}
	}
	return presses;
}

static void refuse_joint(const AbutIterate *it, const AbutGradientAsk *ask, const AbutJointWork *joint,
                         AbutGradientPart *part)
{
	for (int i = 0; i < ask->n_parameters; i++) {
		const AbutParameter *p = &ask->parameters[i];
		const bool own = p->body == joint->body[0]->body || p->body == joint->body[1]->body;
		if (abut_joint_parameter_bars(ask->model, p->kind) && (p->body < 0 || own)) {
			abut_gradient_refuse_joint(ABUT_REFUSED_JOINTED, joint->joint->name,
			                           &part->refused[ABUT_BY_PARAMETER + i]);
		} else if (abut_joint_parameter_touches(ask->model, joint, p) &&
		           abut_joint_parameter_at_bound(joint, p)) {
			abut_gradient_refuse_joint(ABUT_REFUSED_AT_BOUND, joint->joint->name,
			                           &part->refused[ABUT_BY_PARAMETER + i]);
		}
	}
	if (abut_joint_bounded(joint->joint) && joint->ball.theta > 0.0 && joint->ball.theta < 1.0 &&
	    (ask->smoothed || presses_bound(it, joint))) {
		refuse_all(ABUT_REFUSED_FAST, joint, part);
	}
	for (int i = 0; i < joint->joint->kind->n_laws; i++) {
		if (joint->axis[i].spring_end > 0.0 && !joint->axis[i].from.at_rest) {
			refuse_all(ABUT_REFUSED_STIFF, joint, part);
		}
	}
	if (!ask->smoothed) {
		refuse_borders(it, joint, part);
		refuse_twice(it, ask, joint, part);
	}
}

/* Refuses derivatives by the inertia of the bodies of a joint whose direction depends on it. */
static void refuse_inertia(const AbutGradientAsk *ask, const AbutJointWork *joint, AbutGradientPart *part)
{
	for (int i = 0; i < ask->n_parameters; i++) {
		const AbutParameter *p = &ask->parameters[i];
		if (p->kind == ABUT_PARAMETER_INERTIA &&
		    (p->body == joint->body[0]->body || p->body == joint->body[1]->body)) {
			abut_gradient_refuse_joint(ABUT_REFUSED_DIRECTED, joint->joint->name,
			                           &part->refused[ABUT_BY_PARAMETER + i]);
		}
	}
}

void abut_gradient_refuse_directions(const AbutContactProblem *problem, const AbutGradientAsk *ask,
                                     const AbutJointWork *turned, AbutGradientPart *part)
{
	if (turned && !ask->holds_turns) {
		refuse_all(ABUT_REFUSED_TURNED, turned, part);
	}
	for (int i = 0; i < problem->n_joints; i++) {
		const AbutJointWork *joint = &problem->joints[i];
		if (joint->theta > 0.0 && !ask->first && !ask->holds_turns) {
			refuse_all(ABUT_REFUSED_CHAINED, joint, part);
		}
		if (joint->theta > 0.0) {
			refuse_inertia(ask, joint, part);
		}
		if (abut_joint_theta_kinks(joint->load.body)) {
			abut_gradient_refuse_joint(ABUT_REFUSED_KINKED, joint->joint->name,
			                           &part->refused[ABUT_BY_POSES]);
		}
	}
}

/* --- all --- */

void abut_gradient_refuse_unknown(const AbutIsland *island, const AbutGradientAsk *ask, AbutGradientPart *part)
{
	const AbutIterate *it = &island->iterate;
	for (int i = 0; i < island->problem.n_contacts; i++) {
		const AbutContactWork *contact = &island->problem.contacts[i];
		if (!ask->smoothed && !(abut_gradient_margin(contact->cones, 0, it) > 0.0)) {
			continue; /* open */
		}
		if (abut_contact_recovers(contact)) {
			abut_gradient_refuse_overlap(ask, contact->pair, part);
		}
		if (!ask->smoothed) {
			refuse_corners(it, ask, contact, part);
		}
	}
	for (int i = 0; i < island->problem.n_joints; i++) {
		refuse_joint(it, ask, &island->problem.joints[i], part);
	}
	const AbutMethodGradient *method = ask->model->method->gradient;
	if (method->refuse_edges) {
		method->refuse_edges(island, ask, part);
	}
}

/* Checks scene definitions without making a model. */
#include "dynamics/model/check.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/coupling.h"
#include "dynamics/model/joints_check.h"
#include "dynamics/model/model.h"
#include "dynamics/model/names_check.h"
#include "dynamics/model/pairs_check.h"
#include "shapes/core/mass.h"

static AbutStatus refuse(AbutError *error, const char *where, const char *what, double value, const char *allowed)
{
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, where, "%s is %g; %s", what, value, allowed);
}

/* Returns the index of the first of n values that is NaN or larger than `largest` in magnitude; n if there is none. */
static int first_beyond(const double *values, int n, double largest)
{
	int i = 0;
	while (i < n && fabs(values[i]) <= largest) {
		i++;
	}
	return i;
}

static bool within(const double *values, int n, double largest)
{
	return first_beyond(values, n, largest) == n;
}

bool abut_motion_possible(const AbutBodyState *motion, double timestep)
{
	const double *q = motion->orientation;
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	return within(motion->position, 3, ABUT_LARGEST_MOTION) &&
	       within(motion->linear_velocity, 3, ABUT_LARGEST_MOTION) &&
	       within(motion->angular_velocity, 3, ABUT_LARGEST_MOTION) && fabs(norm - 1.0) <= 1e-6 &&
	       0.5 * timestep * abut_norm3(motion->angular_velocity) < ABUT_SPIN_LIMIT;
}

bool abut_motion_planar(const AbutBodyState *motion)
{
	const double rounding = 1e-9;
	double q[4], R[9], w[3];
	memcpy(q, motion->orientation, sizeof q);
	abut_quat_normalise(q);
	abut_quat_to_mat3(q, R);
	abut_mat3_vec(R, motion->angular_velocity, w);
	return fabs(motion->linear_velocity[1]) <= rounding * abut_norm3(motion->linear_velocity) &&
	       hypot(w[0], w[2]) <= rounding * abut_norm3(w);
}

bool abut_input_possible(const double input[3])
{
	return within(input, 3, ABUT_LARGEST_INPUT);
}

/* Checks the options that a scene file gives as words. */
static AbutStatus check_enumerations(const AbutSolverOptions *options, AbutError *error)
{
	const struct {
		const char *where;
		int value, count;
	} words[] = {{"solver.preset", (int)options->preset, ABUT_PRESET_COUNT},
	             {"solver.finish", (int)options->finish, ABUT_FINISH_COUNT},
	             {"solver.friction_cone", (int)options->friction_cone, ABUT_FRICTION_CONE_COUNT},
	             {"solver.linear_solver", (int)options->linear_solver, ABUT_LINEAR_SOLVER_COUNT},
	             {"solver.warm_start_rule", (int)options->warm_start_rule, ABUT_WARM_RULE_COUNT},
	             {"solver.lcp_gap", (int)options->lcp_gap, ABUT_LCP_GAP_COUNT},
	             {"solver.lcp_solver", (int)options->lcp_solver, ABUT_LCP_SOLVER_COUNT},
	             {"solver.convex_model", (int)options->convex_model, ABUT_CONVEX_MODEL_COUNT}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (words[i].value < 0 || words[i].value >= words[i].count) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, words[i].where,
			                      "%s is %d; it must be of its enumeration, 0 to %d", words[i].where,
			                      words[i].value, words[i].count - 1);
		}
	}
	return ABUT_OK;
}

static AbutStatus check_options(const AbutSolverOptions *options, const AbutMethodRow *method, AbutError *error)
{
	if (!method->has.published && options->preset == ABUT_PRESET_PAPER) {
		return abut_error_set(error, ABUT_ERROR_UNSUPPORTED, "solver.preset",
		                      "preset %s is for the methods single-level and bilevel; %s has none",
		                      abut_preset_name(options->preset), abut_method_name(options->method));
	}
	ABUT_TRY(method->check_options ? method->check_options(options, error) : ABUT_OK);
	if (options->collision_kappa != 0.0 &&
	    !(options->collision_kappa >= 1e-12 && options->collision_kappa <= 1.0)) {
		return refuse(error, "solver.collision_kappa", "collision_kappa", options->collision_kappa,
		              "it must lie in [1e-12, 1] (0 in an AbutSolverOptions: kappa)");
	}
	if (!(options->kappa >= 1e-12 && options->kappa <= 1.0)) {
		return refuse(error, "solver.kappa", "kappa", options->kappa, "it must lie in [1e-12, 1]");
	}
	if (!(options->tolerance >= 0.0 && options->tolerance <= 1.0)) {
		return refuse(error, "solver.tolerance", "tolerance", options->tolerance,
		              "it must lie in (0, 1] (0 in an AbutSolverOptions: the default)");
	}
	if (!abut_kappa_gradient_possible(options->kappa_gradient)) {
		return refuse(error, "solver.kappa_gradient", "kappa_gradient", options->kappa_gradient,
		              "it must be 0 (at the exact solution) or lie in [1e-12, 1]");
	}
	if (options->max_iterations < 1) {
		return refuse(error, "solver.max_iterations", "max_iterations", options->max_iterations,
		              "it must be at least 1");
	}
	return check_enumerations(options, error);
}

static AbutStatus check_mass(const AbutBodyDef *body, const char *where, AbutError *error)
{
	char path[300];
	const bool by_mass = body->mass != 0.0, by_density = body->density != 0.0;
	snprintf(path, sizeof path, "%s.%s", where, by_density && !by_mass ? "density" : "mass");
	if (by_mass == by_density) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, path,
		    "body '%s' has %s; a moving body needs exactly one of mass and density, greater than 0", body->name,
		    by_mass ? "both mass and density" : "neither mass nor density");
	}
	const double value = by_mass ? body->mass : body->density;
	if (!(value > 0.0) || !isfinite(value)) {
		return refuse(error, path, by_mass ? "mass" : "density", value, "it must be finite and greater than 0");
	}
	snprintf(path, sizeof path, "%s.inertia", where);
	if (body->has_inertia && !(abut_all_finite(body->inertia, 9) && abut_inertia_possible(body->inertia))) {
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, path,
		    "no body can have this inertia (diagonal %g, %g, %g); it must be symmetric positive "
		    "definite, and no principal moment may exceed the sum of the other two",
		    body->inertia[0], body->inertia[4], body->inertia[8]);
	}
	return ABUT_OK;
}

static AbutStatus check_motion(const AbutBodyDef *body, const char *where, double timestep, AbutError *error)
{
	const struct {
		const char *key;
		const double *values;
		int n;
		double largest;
	} vectors[] = {{"position", body->position, 3, ABUT_LARGEST_MOTION},
	               {"orientation", body->orientation, 4, 2.0},
	               {"linear_velocity", body->linear_velocity, 3, ABUT_LARGEST_MOTION},
	               {"angular_velocity", body->angular_velocity, 3, ABUT_LARGEST_MOTION},
	               {"input.force", body->force, 3, ABUT_LARGEST_INPUT},
	               {"input.torque", body->torque, 3, ABUT_LARGEST_INPUT},
	               {"centre_of_mass", body->centre_of_mass, body->has_centre_of_mass ? 3 : 0, ABUT_LARGEST_MOTION}};
	char path[300];
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		if (!within(vectors[i].values, vectors[i].n, vectors[i].largest)) {
			snprintf(path, sizeof path, "%s.%s", where, vectors[i].key);
			const int k = first_beyond(vectors[i].values, vectors[i].n, vectors[i].largest);
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, path,
			                      "%s[%d] of body '%s' is %g; it must lie within +-%g", vectors[i].key, k,
			                      body->name, vectors[i].values[k], vectors[i].largest);
		}
	}
	const double *q = body->orientation;
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	if (!(fabs(norm - 1.0) <= 1e-6)) {
		snprintf(path, sizeof path, "%s.orientation", where);
		return refuse(error, path, "the quaternion's length", norm, "it must be within 1e-6 of 1");
	}
	AbutBodyState motion = {.position = {0.0}};
	abut_copy3(body->linear_velocity, motion.linear_velocity);
	abut_copy3(body->angular_velocity, motion.angular_velocity);
	memcpy(motion.orientation, body->orientation, sizeof motion.orientation);
	if (body->planar_xz && !abut_motion_planar(&motion)) {
		snprintf(path, sizeof path, "%s.planar", where);
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, path,
		                      "body '%s' is planar and has the linear velocity (%g, %g, %g) and the spin (%g, "
		                      "%g, %g); only x and z of the one and a spin about the world's y are allowed",
		                      body->name, motion.linear_velocity[0], motion.linear_velocity[1],
		                      motion.linear_velocity[2], motion.angular_velocity[0], motion.angular_velocity[1],
		                      motion.angular_velocity[2]);
	}
	const double half_turn = 0.5 * timestep * abut_norm3(body->angular_velocity);
	if (!(half_turn < ABUT_SPIN_LIMIT)) {
		snprintf(path, sizeof path, "%s.angular_velocity", where);
		return abut_error_set(
		    error, ABUT_ERROR_ARGUMENT, path,
		    "the spin is %g rad/s; at a timestep of %g s it must stay below %g / timestep = %g rad/s",
		    abut_norm3(body->angular_velocity), timestep, 2.0 * ABUT_SPIN_LIMIT,
		    2.0 * ABUT_SPIN_LIMIT / timestep);
	}
	return ABUT_OK;
}

static AbutStatus check_body(const AbutSceneDef *def, int index, AbutError *error)
{
	const AbutBodyDef *body = &def->bodies[index];
	char where[64], path[300];
	snprintf(where, sizeof where, "bodies[%d]", index);
	if (!body->name || !body->name[0]) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "the body has no name; it must have one that no other body has");
	}
	snprintf(path, sizeof path, "%s.shape", where);
	if (body->n_parts < 1 || !body->parts) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, path,
		                      "body '%s' has %d shapes; it must have 1 or more", body->name,
		                      body->parts ? body->n_parts : 0);
	}
	for (int i = 0; i < body->n_parts; i++) {
		if (!body->parts[i]) {
			return abut_error_set(error, ABUT_ERROR_ARGUMENT, path,
			                      "shape %d of body '%s' is NULL; each of its %d must be a shape", i,
			                      body->name, body->n_parts);
		}
		if (!body->is_static && body->parts[i]->kind == ABUT_SHAPE_HALFSPACE) {
			return body->n_parts == 1
			           ? abut_error_set(error, ABUT_ERROR_ARGUMENT, path,
			                            "body '%s' moves and is a halfspace; a halfspace must be static",
			                            body->name)
			           : abut_error_set(error, ABUT_ERROR_ARGUMENT, path,
			                            "body '%s' moves and part %d of its shape is a halfspace; a "
			                            "halfspace must be static",
			                            body->name, i);
		}
	}
	if (!isfinite(body->friction)) {
		snprintf(path, sizeof path, "%s.friction", where);
		return refuse(error, path, "friction", body->friction, "it must be finite and at least 0");
	}
	if (body->is_static && abut_norm3(body->linear_velocity) + abut_norm3(body->angular_velocity) +
	                               abut_norm3(body->force) + abut_norm3(body->torque) !=
	                           0.0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
		                      "body '%s' is static and has a velocity or an input; it must have neither",
		                      body->name);
	}
	const AbutStatus status = check_motion(body, where, def->timestep, error);
	return status != ABUT_OK || body->is_static ? status : check_mass(body, where, error);
}

AbutStatus abut_gravity_check(const double gravity[3], AbutError *error)
{
	return within(gravity, 3, ABUT_LARGEST_MOTION)
	           ? ABUT_OK
	           : abut_error_set(error, ABUT_ERROR_ARGUMENT, "gravity",
	                            "gravity is (%g, %g, %g) m/s^2; each entry must lie within +-%g", gravity[0],
	                            gravity[1], gravity[2], ABUT_LARGEST_MOTION);
}

AbutStatus abut_timestep_check(double timestep, AbutError *error)
{
	return timestep >= 1e-9 && timestep <= 1e3 ? ABUT_OK
	                                           : refuse(error, "timestep", "timestep", timestep,
	                                                    "it must be greater than 0 (within 1e-9 to 1e3 seconds)");
}

/* Returns whether the mass is in the range in which its squares, products and inverses neither overflow nor underflow
 * in a step. */
bool abut_mass_possible(double mass)
{
	return mass > 1e-60 && mass < 1e60;
}

AbutStatus abut_body_mass_check(const char *name, double mass, const double inertia[9], const char *where,
                                AbutError *error)
{
	if (abut_mass_possible(mass) && abut_inertia_possible(inertia)) {
		return ABUT_OK;
	}
	return abut_error_set(error, ABUT_ERROR_ARGUMENT, where,
	                      "body '%s' would weigh %g kg with inertia diagonal (%g, %g, %g) kg m^2; the mass must "
	                      "lie " ABUT_MASS_ALLOWED ", the inertia be " ABUT_INERTIA_ALLOWED,
	                      name, mass, inertia[0], inertia[4], inertia[8]);
}

AbutStatus abut_scene_def_check(const AbutSceneDef *def, const AbutMethodRow *method, AbutError *error)
{
	ABUT_TRY(abut_gravity_check(def->gravity, error));
	ABUT_TRY(abut_timestep_check(def->timestep, error));
	if (!(def->friction >= 0.0) || !isfinite(def->friction)) {
		return refuse(error, "friction", "friction", def->friction, "it must be finite and at least 0");
	}
	if (def->n_bodies < 1 || def->n_bodies > ABUT_BODIES_MAX || !def->bodies) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, "bodies",
		                      "the scene has %d bodies; it must have 1 to %d", def->n_bodies,
		                      (int)ABUT_BODIES_MAX);
	}
	ABUT_TRY(check_options(&def->solver, method, error));
	ABUT_TRY(abut_restitution_check(def->restitution, &def->solver, method, "restitution", error));
	for (int i = 0; i < def->n_bodies; i++) {
		ABUT_TRY(check_body(def, i, error));
	}
	ABUT_TRY(abut_names_check("bodies", def->n_bodies, def->bodies, sizeof *def->bodies, error));
	ABUT_TRY(abut_joints_check(def, method, error));
	ABUT_TRY(abut_couplings_check(def, method, error));
	return abut_pair_defs_check(def, method, error);
}

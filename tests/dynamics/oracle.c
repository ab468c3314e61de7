#include "oracle.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "dynamics/step/workspace.h"
#include "oracle_shape.h"

static const char *const names[ORACLE_COUNT] = {
    "linear momentum", "angular momentum", "pose",         "friction cone",   "normal impulse sign",
    "complementarity", "dissipation",      "penetration",  "scaling",         "gap",
    "contact point",   "contact frame",    "thrown apart", "inactive overlap"};

const char *oracle_name(OracleQuantity quantity)
{
	return names[quantity];
}

static void note(Oracle *oracle, OracleQuantity quantity, double value, int pair)
{
	if (!(value <= oracle->worst[quantity])) { /* NaN counts as worst */
		oracle->worst[quantity] = isnan(value) ? (double)INFINITY : value;
		oracle->step_of[quantity] = oracle->steps;
		oracle->pair_of[quantity] = pair;
	}
}

/* A body during the step, in world axes, about its centre of mass. */
typedef struct Body {
	bool moves;
	double mass, inertia[9]; /* body axes */
	double x0[3], x1[3];     /* centre of mass */
	double R0[9], R1[9];
	double v0[3], v1[3], w0[3], w1[3]; /* world axes */
	double impulse[3], turn[3];        /* of all contacts, world */
	double size;
} Body;

/* Computes the volume and the second moments int x_i^2 / V along the own axes about the own origin, which is the centre
 * of mass. Uses textbook formulas by kind and sizes. Returns false for other kinds. */
static bool primitive_moments(const AbutShape *shape, double *volume, double second[3])
{
	const double *size = shape->size, R = size[0], L = size[1];
	const bool round = shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_ELLIPSOID;
	if (round || shape->kind == ABUT_SHAPE_BOX) {
		*volume = round ? 4.0 / 3.0 * M_PI : 8.0;
		for (int i = 0; i < 3; i++) {
			const double r = shape->kind == ABUT_SHAPE_SPHERE ? R : size[i];
			*volume *= r;
			second[i] = r * r / (round ? 5.0 : 3.0);
		}
		return true;
	}
	if (shape->kind == ABUT_SHAPE_CYLINDER) {
		*volume = M_PI * R * R * L;
		second[0] = second[1] = R * R / 4.0;
		second[2] = L * L / 12.0;
		return true;
	}
	if (shape->kind == ABUT_SHAPE_CONE) {
		*volume = M_PI / 3.0 * R * R * L;
		second[0] = second[1] = 3.0 / 20.0 * R * R;
		second[2] = 3.0 / 80.0 * L * L;
		return true;
	}
	if (shape->kind == ABUT_SHAPE_CAPSULE) { /* a tube, and a ball whose halves are L apart */
		const double tube = M_PI * R * R * L, ball = 4.0 / 3.0 * M_PI * R * R * R;
		*volume = tube + ball;
		second[0] = second[1] = (tube * R * R / 4.0 + ball * R * R / 5.0) / *volume;
		second[2] = (tube * L * L / 12.0 + ball * (R * R / 5.0 + 3.0 / 8.0 * R * L + L * L / 4.0)) / *volume;
		return true;
	}
	return false;
}

/* With C the covariance in the body's axes, the inertia is V (tr(C) I - C). */
static bool primitive_mass(const AbutShape *shape, AbutMassProperties *out)
{
	double second[3];
	if (shape->mass_given || !primitive_moments(shape, &out->volume, second)) {
		return false;
	}
	const double trace = second[0] + second[1] + second[2], *R = shape->rotation;
	for (int i = 0; i < 9; i++) {
		double C = 0.0;
		for (int k = 0; k < 3; k++) {
			C += R[i / 3 * 3 + k] * R[i % 3 * 3 + k] * second[k];
		}
		out->inertia[i] = out->volume * ((i % 4 == 0 ? trace : 0.0) - C);
	}
	abut_copy3(shape->position, out->centre_of_mass);
	return true;
}

/* Computes the mass of a body of one primitive. The library's values for other shapes are compared with closed forms
 * and random points in tests/shapes/composed_mass.c, tests/shapes/mass.c and tests/collision/test_union_mass.c. */
static void body_properties(const AbutBodyDef *def, Body *body, double com[3])
{
	const AbutBundle parts = {.n_parts = def->n_parts, .parts = def->parts};
	AbutMassProperties whole = {.volume = 0.0};
	const bool given = def->mass > 0.0 && def->has_inertia && def->has_centre_of_mass;
	const bool known = given || (def->n_parts == 1 && primitive_mass(def->parts[0], &whole));
	cr_assert(known || abut_bundle_mass(&parts, &whole, NULL, NULL) == ABUT_OK);
	body->moves = !def->is_static;
	abut_copy3(def->has_centre_of_mass ? def->centre_of_mass : whole.centre_of_mass, com);
	if (!body->moves) {
		return;
	}
	body->mass = def->mass > 0.0 ? def->mass : def->density * whole.volume;
	for (int j = 0; j < 9; j++) {
		body->inertia[j] = def->has_inertia ? def->inertia[j] : body->mass / whole.volume * whole.inertia[j];
	}
}

static void body_begin(const AbutBodyDef *def, const AbutBodyState *before, const AbutBodyState *after, Body *body)
{
	double com[3], offset[3];
	*body = (Body){.mass = 0.0};
	body_properties(def, body, com);
	abut_quat_to_mat3(before->orientation, body->R0);
	abut_quat_to_mat3(after->orientation, body->R1);
	abut_mat3_vec(body->R0, com, offset);
	for (int j = 0; j < 3; j++) {
		body->x0[j] = before->position[j] + offset[j];
	}
	abut_mat3_vec(body->R1, com, offset);
	for (int j = 0; j < 3; j++) {
		body->x1[j] = after->position[j] + offset[j];
	}
	if (body->moves) {
		abut_copy3(before->linear_velocity, body->v0);
		abut_copy3(after->linear_velocity, body->v1);
		abut_mat3_vec(body->R0, before->angular_velocity, body->w0);
		abut_mat3_vec(body->R1, after->angular_velocity, body->w1);
	}
	for (int i = 0; i < def->n_parts; i++) {
		body->size = fmax(body->size, def->parts[i]->outer_radius);
	}
}

/* Computes sqrt(1 - |dt w / 2|^2) J w + sign (dt / 2) w x J w, body axes (docs/formulation.md 2). */
static void moment(const Body *body, const double w[3], double dt, double sign, double out[3])
{
	double Jw[3], cross[3];
	abut_mat3_vec(body->inertia, w, Jw);
	abut_cross3(w, Jw, cross);
	const double c = sqrt(1.0 - 0.25 * dt * dt * abut_dot3(w, w));
	for (int i = 0; i < 3; i++) {
		out[i] = c * Jw[i] + 0.5 * sign * dt * cross[i];
	}
}

static void judge_body(const AbutSceneDef *def, const AbutBodyDef *body_def, const Body *body,
                       const AbutBodyState *before, const AbutBodyState *after, double speed, int index, Oracle *oracle)
{
	const double dt = def->timestep, m = body->mass;
	double linear[3], before_turn[3], after_turn[3], contact_turn[3], pose[3];
	for (int i = 0; i < 3; i++) {
		linear[i] = m * (body->v1[i] - body->v0[i]) - dt * (m * def->gravity[i] + body_def->force[i]) -
		            body->impulse[i];
		pose[i] = body->x1[i] - body->x0[i] - dt * body->v1[i];
	}
	moment(body, before->angular_velocity, dt, -1.0, before_turn);
	moment(body, after->angular_velocity, dt, 1.0, after_turn);
	abut_mat3_tvec(body->R0, body->turn, contact_turn);
	double angular[3];
	for (int i = 0; i < 3; i++) {
		angular[i] = after_turn[i] - before_turn[i] - dt * body_def->torque[i] - contact_turn[i];
	}
	/* q1 = q0 (c, dt w / 2), up to sign */
	const double *w = after->angular_velocity;
	const double step[4] = {sqrt(1.0 - 0.25 * dt * dt * abut_dot3(w, w)), 0.5 * dt * w[0], 0.5 * dt * w[1],
	                        0.5 * dt * w[2]};
	double q[4], same = 0.0, other = 0.0;
	abut_quat_mul(before->orientation, step, q);
	for (int i = 0; i < 4; i++) {
		same = fmax(same, fabs(q[i] - after->orientation[i]));
		other = fmax(other, fabs(q[i] + after->orientation[i]));
	}
	note(oracle, ORACLE_LINEAR, abut_norm3(linear) / (m * speed), index);
	note(oracle, ORACLE_ANGULAR, abut_norm3(angular) / (m * speed * body->size), index);
	note(oracle, ORACLE_POSE, fmax(abut_norm3(pose) / (body->size + abut_norm3(body->x1)), fmin(same, other)),
	     index);
}

typedef struct Pair {
	double mu, torsional_radius, size, mass, speed;
} Pair;

static double friction_of(const AbutSceneDef *def, int body)
{
	return def->bodies[body].friction >= 0.0 ? def->bodies[body].friction : def->friction;
}

static Pair pair_of(const AbutSceneDef *def, const Body *bodies, const AbutContact *contact)
{
	const int a = contact->body_a, b = contact->body_b;
	Pair pair = {.mu = sqrt(friction_of(def, a) * friction_of(def, b))};
	const AbutShape *shape_a = def->bodies[a].parts[contact->part_a];
	const AbutShape *shape_b = def->bodies[b].parts[contact->part_b];
	pair.torsional_radius = 0.1 * (shape_a->outer_radius + shape_b->outer_radius);
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *p = &def->pairs[i];
		if ((p->body_a == a && p->body_b == b) || (p->body_a == b && p->body_b == a)) {
			pair.mu = p->friction >= 0.0 ? p->friction : pair.mu;
			pair.torsional_radius =
			    p->torsional_radius >= 0.0 ? p->torsional_radius : pair.torsional_radius;
		}
	}
	pair.size = shape_a->outer_radius + shape_b->outer_radius;
	pair.mass = fmax(bodies[a].mass, bodies[b].mass);
	pair.speed = sqrt(abut_norm3(def->gravity) * pair.size) + abut_norm3(bodies[a].v1) + abut_norm3(bodies[b].v1);
	return pair;
}

/* Computes the velocity of the body's material at p, at the end of the step. */
static void velocity_at(const Body *body, const double p[3], double out[3])
{
	double arm[3];
	for (int i = 0; i < 3; i++) {
		arm[i] = p[i] - body->x1[i];
	}
	abut_cross3(body->w1, arm, out);
	for (int i = 0; i < 3; i++) {
		out[i] += body->v1[i];
	}
}

static void judge_friction(const AbutSceneDef *def, const Pair *pair, const Body *a, const Body *b,
                           const AbutContact *contact, int index, Oracle *oracle)
{
	const double limit = pair->mu * contact->normal_impulse, r = pair->torsional_radius;
	const double impulse_scale = pair->mass * pair->speed;
	double va[3], vb[3], slip[4], force[4], square = 0.0, slip_square = 0.0;
	velocity_at(a, contact->point, va);
	velocity_at(b, contact->point, vb);
	double along = 0.0, spin = 0.0;
	for (int i = 0; i < 3; i++) {
		along += (vb[i] - va[i]) * contact->normal[i];
		spin += (b->w1[i] - a->w1[i]) * contact->normal[i];
	}
	for (int i = 0; i < 3; i++) {
		slip[i] = vb[i] - va[i] - along * contact->normal[i];
		force[i] = contact->friction_impulse[i];
	}
	slip[3] = r * spin;
	force[3] = r > 0.0 ? contact->torsional_impulse / r : 0.0;
	for (int i = 0; i < 4; i++) {
		square += force[i] * force[i];
		slip_square += slip[i] * slip[i];
	}
	note(oracle, ORACLE_CONE, (sqrt(square) - limit) / impulse_scale, index);
	if (def->solver.friction_cone == ABUT_FRICTION_CONE_SOC) {
		double defect = 0.0;
		for (int i = 0; i < 4; i++) {
			defect = fmax(defect, fabs(force[i] * sqrt(slip_square) + limit * slip[i]));
		}
		note(oracle, ORACLE_DISSIPATION, defect / (impulse_scale * pair->speed), index);
	} else { /* the edges' directions are not reported: friction does no work on the bodies */
		double power = 0.0;
		for (int i = 0; i < 4; i++) {
			power += force[i] * slip[i];
		}
		note(oracle, ORACLE_DISSIPATION, power / (impulse_scale * pair->speed), index);
	}
	note(oracle, ORACLE_FRAME,
	     fmax(fabs(abut_norm3(contact->normal) - 1.0), fabs(abut_dot3(force, contact->normal)) / impulse_scale),
	     index);
	/* Inelastic contact cannot separate bodies faster than they moved before. A root in which the bodies have
	 * passed through each other satisfies every equation of the step too, but does so. */
	double before = def->timestep * abut_norm3(def->gravity);
	for (int i = 0; i < 2; i++) {
		const Body *body = i == 0 ? a : b;
		before += abut_norm3(body->v0) + (abut_norm3(body->w0) + abut_norm3(body->w1)) * pair->size;
	}
	if (contact->normal_impulse > 1e-9 * impulse_scale) {
		note(oracle, ORACLE_THROWN, fmax(0.0, along - before) / pair->speed, index);
	}
}

/* Returns the pose of the body frame at the end of the step. */
static OraclePose pose_after(const AbutBodyDef *def, const Body *body)
{
	double com[3], offset[3];
	Body unused = {.mass = 0.0};
	OraclePose pose;
	body_properties(def, &unused, com);
	abut_mat3_vec(body->R1, com, offset);
	for (int i = 0; i < 9; i++) {
		pose.R[i] = body->R1[i];
	}
	for (int i = 0; i < 3; i++) {
		pose.x[i] = body->x1[i] - offset[i];
	}
	return pose;
}

static void judge_contact(const AbutSceneDef *def, Body *bodies, const AbutContact *contact, int index, Oracle *oracle)
{
	Body *a = &bodies[contact->body_a], *b = &bodies[contact->body_b];
	const Pair pair = pair_of(def, bodies, contact);
	const AbutShape *shape[2] = {def->bodies[contact->body_a].parts[contact->part_a],
	                             def->bodies[contact->body_b].parts[contact->part_b]};
	const OraclePose pose[2] = {pose_after(&def->bodies[contact->body_a], a),
	                            pose_after(&def->bodies[contact->body_b], b)};
	const OracleCertificate c = oracle_certificate(shape, pose, contact->normal);
	const double outside =
	    fmax(oracle_outside(shape[0], &pose[0], contact->scaling, contact->point, contact->normal, 1.0),
	         oracle_outside(shape[1], &pose[1], contact->scaling, contact->point, contact->normal, -1.0));
	note(oracle, ORACLE_PENETRATION, -c.gap / pair.size, index);
	note(oracle, ORACLE_SCALING, fabs(c.alpha - contact->scaling) / (1.0 + c.alpha), index);
	note(oracle, ORACLE_GAP, fabs(c.gap - contact->gap) / (pair.size + fabs(c.gap)), index);
	note(oracle, ORACLE_POINT, outside / (pair.size * (1.0 + contact->scaling)), index);
	const double impulse_scale = pair.mass * pair.speed;
	note(oracle, ORACLE_NORMAL_SIGN, -contact->normal_impulse / impulse_scale, index);
	note(oracle, ORACLE_COMPLEMENTARITY, fabs(contact->normal_impulse * c.gap) / (impulse_scale * pair.size),
	     index);
	judge_friction(def, &pair, a, b, contact, index, oracle);
	for (int s = 0; s < 2; s++) {
		Body *body = s == 0 ? a : b;
		const double sign = s == 0 ? -1.0 : 1.0;
		double force[3], arm[3], turn[3];
		for (int i = 0; i < 3; i++) {
			force[i] = sign * (contact->normal_impulse * contact->normal[i] + contact->friction_impulse[i]);
			arm[i] = contact->point[i] - body->x1[i];
		}
		abut_cross3(arm, force, turn);
		for (int i = 0; i < 3; i++) {
			body->impulse[i] += force[i];
			body->turn[i] += turn[i] + sign * contact->torsional_impulse * contact->normal[i];
		}
	}
}

/* Returns whether the scene lets two bodies touch. */
static bool may_touch(const AbutSceneDef *def, int a, int b)
{
	bool listed = false, excluded = false;
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *p = &def->pairs[i];
		listed = listed || (p->body_a == a && p->body_b == b) || (p->body_a == b && p->body_b == a);
	}
	for (int i = 0; i < def->n_exclude; i++) {
		const int *p = def->exclude[i];
		excluded = excluded || (p[0] == a && p[1] == b) || (p[0] == b && p[1] == a);
	}
	return !(def->bodies[a].is_static && def->bodies[b].is_static) && (listed || (def->all_pairs && !excluded));
}

static bool is_reported(const AbutModel *model, const AbutWorkspace *workspace, int a, int part_a, int b, int part_b)
{
	for (int i = 0; i < abut_contact_count(workspace); i++) {
		AbutContact c;
		abut_contact_get(model, workspace, i, &c);
		if ((c.body_a == a && c.part_a == part_a && c.body_b == b && c.part_b == part_b) ||
		    (c.body_a == b && c.part_a == part_b && c.body_b == a && c.part_b == part_a)) {
			return true;
		}
	}
	return false;
}

/* Checks that parts of two bodies that the step left out are apart at its end. */
static void judge_left_out(const AbutSceneDef *def, const AbutModel *model, const AbutWorkspace *workspace,
                           const Body *bodies, int a, int b, Oracle *oracle)
{
	const AbutBodyDef *const of[2] = {&def->bodies[a], &def->bodies[b]};
	const OraclePose pose[2] = {pose_after(of[0], &bodies[a]), pose_after(of[1], &bodies[b])};
	for (int i = 0; i < of[0]->n_parts; i++) {
		for (int j = 0; j < of[1]->n_parts; j++) {
			const AbutShape *const shape[2] = {of[0]->parts[i], of[1]->parts[j]};
			if (!is_reported(model, workspace, a, i, b, j)) {
				const double size = shape[0]->outer_radius + shape[1]->outer_radius;
				note(oracle, ORACLE_INACTIVE, -oracle_separation(shape, pose) / size, a);
				oracle->left_out++;
			}
		}
	}
}

void oracle_judge(const AbutSceneDef *def, const AbutModel *model, const AbutWorkspace *workspace,
                  const AbutBodyState *before, const AbutBodyState *after, const AbutStepInfo *info, Oracle *oracle)
{
	if (info->outcome != ABUT_OUTCOME_EXACT && info->outcome != ABUT_OUTCOME_RELAXED) {
		oracle->failed++;
	} else if (info->halvings > 0 || oracle->parts_before) {
		/* the last part's length enters the balances of this step and of the next, and is not reported */
		oracle->skipped_halved++;
	} else if (info->outcome == ABUT_OUTCOME_RELAXED && def->solver.finish == ABUT_FINISH_EXACT) {
		oracle->relaxed++; /* solved to kappa only, which the caller counts */
	} else {
		Body *bodies = calloc((size_t)def->n_bodies, sizeof *bodies);
		double speed = 0.0; /* of the fastest body, or that of falling by its own size */
		for (int i = 0; i < def->n_bodies; i++) {
			Body *body = &bodies[i];
			body_begin(&def->bodies[i], &before[i], &after[i], body);
			speed = fmax(speed, sqrt(abut_norm3(def->gravity) * body->size) + abut_norm3(body->v1) +
			                        body->size * abut_norm3(body->w1));
		}
		for (int i = 0; i < abut_contact_count(workspace); i++) {
			AbutContact contact;
			abut_contact_get(model, workspace, i, &contact);
			judge_contact(def, bodies, &contact, i, oracle);
		}
		for (int a = 0; a < def->n_bodies; a++) {
			for (int b = a + 1; b < def->n_bodies; b++) {
				if (may_touch(def, a, b)) {
					judge_left_out(def, model, workspace, bodies, a, b, oracle);
				}
			}
		}
		for (int i = 0; i < def->n_bodies; i++) {
			if (bodies[i].moves) {
				judge_body(def, &def->bodies[i], &bodies[i], &before[i], &after[i], speed, i, oracle);
			}
		}
		free(bodies);
		oracle->judged++;
	}
	oracle->parts_before = info->halvings > 0;
	oracle->steps++;
}

bool oracle_run(const AbutSceneDef *def, long steps, Oracle *oracle, AbutError *error)
{
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	const size_t n = (size_t)def->n_bodies;
	AbutBodyState *states = calloc(2 * n, sizeof *states);
	const bool made = abut_model_create(def, &model, error) == ABUT_OK &&
	                  abut_state_create(model, &state, error) == ABUT_OK &&
	                  abut_workspace_create(model, &workspace, error) == ABUT_OK;
	oracle->parts_before = false;
	for (long k = 0; made && k < steps; k++) {
		AbutStepInfo info = {.tries = 0};
		for (size_t i = 0; i < n; i++) {
			abut_state_get_body(model, state, (int)i, &states[i]);
		}
		abut_step(model, state, workspace, &info);
		for (size_t i = 0; i < n; i++) {
			abut_state_get_body(model, state, (int)i, &states[n + i]);
		}
		oracle_judge(def, model, workspace, states, states + n, &info, oracle);
	}
	free(states);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	return made;
}

void oracle_assert(const Oracle *oracle, double bound, const char *what)
{
	const bool verbose = getenv("ABUT_VERBOSE") != NULL;
	if (verbose) {
		printf("%-44s %6ld steps, %ld halved, %ld relaxed, %ld failed:", what, oracle->steps,
		       oracle->skipped_halved, oracle->relaxed, oracle->failed);
	}
	for (int q = 0; q < ORACLE_COUNT; q++) {
		const double limit = q == ORACLE_INACTIVE || q == ORACLE_THROWN ? 0.0
		                     : q == ORACLE_POSE                         ? 1e-13
		                                                                : bound;
		cr_expect(oracle->worst[q] <= limit, "%s: %s is %.3g at step %ld, contact or body %d", what, names[q],
		          oracle->worst[q], oracle->step_of[q], oracle->pair_of[q]);
		if (verbose) {
			printf(" %s %.1e", names[q], oracle->worst[q]);
		}
	}
	if (verbose) {
		printf("\n");
	}
}

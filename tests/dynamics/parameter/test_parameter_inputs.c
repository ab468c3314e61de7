/* Compares the effects of parameters on contacts and bodies, eight at once, with differences of the equations. Models
 * are changed in both directions, and the unknowns along the change that a push gives. The contacts' equations must
 * stay satisfied, slacks and duals must follow the laws, and the balances must change by the right-hand sides and the
 * wrenches. */
#include <stdio.h>

#include "dynamics/body/body.h"
#include "dynamics/contact_scenes.h"
#include "dynamics/gradient/body.h"
#include "dynamics/gradient/contact_linear.h"
#include "dynamics/gradient/contact_linear_push.h"
#include "dynamics/gradient/contact_parameter.h"
#include "dynamics/island/island.h"
#include "dynamics/island/problem.h"
#include "dynamics/parameter/changed_scene.h"
#include "dynamics/state/state.h"
#include "dynamics/step/gather.h"
#include "effort.h"

enum { MOST = 1200, NUMBERS = 1000 };

/* The step before: none, one whose length stays fixed, or an earlier part of the same step. */
typedef enum Before { BEFORE_NONE, BEFORE_STEP, BEFORE_PART, BEFORE_COUNT } Before;

static void fixture_of(AbutModel *model, const AbutModel *like, const AbutState *state, Before before,
                       ContactFixture *out)
{
	*out = (ContactFixture){.model = model};
	cr_assert_eq(abut_state_create(model, &out->state, NULL), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &out->workspace, NULL), ABUT_OK);
	for (int i = 0; state && i < model->n_bodies; i++) {
		AbutBodyState body;
		cr_assert_eq(abut_state_get_body(like, state, i, &body), ABUT_OK);
		cr_assert_eq(abut_state_set_body(model, out->state, i, &body), ABUT_OK);
		if (before == BEFORE_PART) { /* where the part before has left the centre of mass */
			abut_copy3(state->motion[i].at.position, out->state->motion[i].at.position);
		}
	}
	const double held = 0.8 * like->timestep, follows = 0.8 * model->timestep;
	for (int i = 0; i < model->n_moving; i++) {
		out->state->motion[model->moving_body[i]].last_timestep = before == BEFORE_NONE   ? 0.0
		                                                          : before == BEFORE_STEP ? held
		                                                                                  : follows;
	}
	set_up_island(out);
	if (before == BEFORE_PART) {
		const double half = 0.5 * model->timestep;
		out->island->problem.timestep = half;
		abut_step_gather(model, out->state, out->workspace, half);
	}
}

/* Ends the fixture, but not the model. */
static void fixture_end(ContactFixture *fixture)
{
	abut_workspace_destroy(fixture->workspace);
	abut_state_destroy(fixture->state);
}

typedef struct Inputs {
	ContactFixture fixture;
	Before before;
	int n;
	AbutParameter parameters[ABUT_LANES];
	AbutBodyParameter bodies[ABUT_LANES][CHANGED_BODIES];
	double dy[ABUT_LANES][NUMBERS], dz[ABUT_LANES][NUMBERS]; /* unknowns, as they follow */
	double dr[ABUT_LANES][6 * CHANGED_BODIES];               /* of the bodies' balances */
} Inputs;

static void sample(Inputs *in, AbutRng *rng)
{
	AbutIsland *island = in->fixture.island;
	AbutIterate *it = &island->iterate;
	sample_interior(island->cones, island->ncp.n_cones, rng, it->z);
	sample_interior(island->cones, island->ncp.n_cones, rng, it->s);
	sample_unknowns(&in->fixture, rng);
	for (int i = 0; i < island->problem.n_moving && island->problem.moving[i]->planar; i++) {
		it->y[6 * i + 1] = it->y[6 * i + 3] = it->y[6 * i + 5] = 0.0;
	}
	island->ncp.ops->evaluate(island->ncp.problem, it->y, it->z, it->r, it->H);
	abut_cones_law_path(island->cones, island->ncp.n_cones, it->z, it->s, it->H, 0.0, &it->law);
	it->law.rho = 0.0;
	for (int lane = 0; lane < 2; lane++) {
		memset(it->law.c[lane], 0, (size_t)island->ncp.n_z * sizeof(double));
	}
}

/* Chooses parameters; every kind is equally frequent. */
static void choose(Inputs *in, AbutRng *rng)
{
	const AbutModel *model = in->fixture.model;
	in->n = ABUT_LANES;
	for (int lane = 0; lane < in->n; lane++) {
		AbutParameter list[MOST];
		const int kind = (int)abut_rng_uniform(rng, 0.0, ABUT_PARAMETER_MOTOR);
		const int n = abut_parameter_list(model, (AbutParameterKind)kind, MOST, list);
		in->parameters[lane] = list[(int)abut_rng_uniform(rng, 0.0, n)];
	}
}

static void set_lanes(const Inputs *in, const AbutContactWork *contact, AbutLinearMotion *motion)
{
	memset(motion, 0, sizeof *motion);
	for (int s = 0; s < 2; s++) {
		for (int lane = 0; lane < in->n; lane++) {
			const double *start = in->bodies[lane][contact->side[s].body->body].start;
			for (int i = 0; i < 3; i++) {
				motion->displacement[s][i][lane] = start[i];
				motion->turn[s][i][lane] = start[3 + i];
			}
		}
	}
}

/* p is relative to the start of side 0's centre of mass. */
static void take_point(Inputs *in, const AbutContactLinear *linear, const AbutLinearMotion *motion, int lane)
{
	const AbutContactWork *contact = linear->contact;
	const AbutContactSide *side = &contact->side[0];
	double p[3], turn[3];
	for (int i = 0; i < 3; i++) {
		p[i] = linear->lanes.du[i][lane];
		turn[i] = motion->turn[0][i][lane];
	}
	abut_mat3_vec(side->body->R, p, p);
	abut_cross3(turn, side->arm, turn);
	for (int i = 0; i < 3; i++) {
		const bool own = in->parameters[lane].kind == ABUT_PARAMETER_CENTRE_OF_MASS;
		const double start = motion->displacement[0][i][lane];
		in->dy[lane][contact->at.y + i] = p[i] + start + turn[i] - (own ? start : 0.0);
		if (linear->has_input) {
			in->dy[lane][contact->at.y + i] += linear->input.material[0][i][lane];
		}
	}
}

/* Takes the changes of the unknowns and of the bodies' balances from the push. */
static void take_push(Inputs *in, const AbutContactLinear *linear, const AbutLinearMotion *motion,
                      const AbutLinearWrench *wrench)
{
	const AbutContactWork *contact = linear->contact;
	for (int lane = 0; lane < in->n; lane++) {
		const AbutParameter *p = &in->parameters[lane];
		double *dz = &in->dz[lane][contact->at.z];
		take_point(in, linear, motion, lane);
		for (int i = 3; i < linear->n_u; i++) {
			in->dy[lane][contact->at.y + i] = linear->lanes.du[i][lane];
		}
		for (int i = 0; i < contact->pair->n_z; i++) {
			dz[i] = linear->lanes.dz[i][lane];
		}
		if (contact->at.n_friction_y > 0) { /* the head, which the push leaves out */
			const bool own = p->kind == ABUT_PARAMETER_FRICTION &&
			                 abut_contact_parameter_touches(contact, in->fixture.model, p);
			dz[contact->at.friction_z] = contact->mu * dz[0] + (own ? contact->value.gamma : 0.0);
		}
		for (int s = 0; s < linear->n_sides; s++) {
			const AbutContactSide *side = &contact->side[s];
			for (int i = 0; i < 6; i++) {
				in->dr[lane][6 * side->body->moving + i] -= side->sign * wrench->on[s][i][lane];
			}
		}
	}
}

static void push_all(Inputs *in)
{
	AbutContactProblem *problem = &in->fixture.island->problem;
	AbutIterate *it = &in->fixture.island->iterate;
	const AbutModel *model = in->fixture.model;
	memset(in->dy, 0, sizeof in->dy);
	memset(in->dz, 0, sizeof in->dz);
	for (int lane = 0; lane < in->n; lane++) {
		for (int i = 0; i < model->n_bodies; i++) {
			const AbutBodyWork *body = &in->fixture.workspace->bodies[i];
			AbutBodyParameter *own = &in->bodies[lane][i];
			abut_body_parameter(model, body, problem->timestep, in->before != BEFORE_PART,
			                    &in->parameters[lane], own);
			for (int k = 0; body->moving >= 0 && k < 6; k++) {
				in->dr[lane][6 * body->moving + k] = -own->right[k];
			}
		}
	}
	for (int c = 0; c < problem->n_contacts; c++) {
		AbutContactWork *contact = &problem->contacts[c];
		AbutContactLinear linear = {.contact = contact};
		AbutArena arena = {.base = NULL};
		AbutLinearMotion motion;
		AbutLinearWrench wrench;
		abut_contact_linear_carve(contact, &arena, &linear);
		void *memory = malloc(arena.used + ABUT_ARENA_ALIGNMENT);
		cr_assert(memory);
		abut_arena_begin(&arena, memory);
		abut_contact_linear_carve(contact, &arena, &linear);
		const AbutLinearPoint at = {
		    .z = &it->z[contact->at.z], .H = &it->H[contact->at.z], .s = &it->s[contact->at.z]};
		cr_assert(abut_contact_linear_begin(contact, problem, &it->law, &at, &linear));
		abut_contact_linear_clear(&linear);
		for (int lane = 0; lane < in->n; lane++) {
			abut_contact_linear_set_parameter(&linear, model, &in->parameters[lane], &it->y[contact->at.y],
			                                  &it->z[contact->at.z], lane);
		}
		set_lanes(in, contact, &motion);
		abut_contact_linear_push(&linear, &motion, &wrench);
		take_push(in, &linear, &motion, &wrench);
		free(memory);
	}
}

/* Computes r and H of the model with the parameter changed by `step` units, the unknowns moved along their change. */
static void evaluate_changed(const Inputs *in, int lane, double step, double *r, double *H)
{
	const ContactFixture *base = &in->fixture;
	const AbutIterate *it = &base->island->iterate;
	const AbutParameter *p = &in->parameters[lane];
	AbutModel *model = NULL;
	ContactFixture changed;
	AbutError error = {.status = ABUT_OK};
	double value, y[NUMBERS], z[NUMBERS];
	cr_assert_eq(abut_parameter_get(base->model, p, &value, NULL), ABUT_OK);
	value += step * abut_parameter_unit(base->model, p);
	cr_assert_eq(abut_model_create_changed(base->model, 1, p, &value, &model, &error), ABUT_OK, "%s",
	             error.message);
	fixture_of(model, base->model, base->state, in->before, &changed);
	AbutIsland *island = changed.island;
	cr_assert(island->ncp.n_y == base->island->ncp.n_y && island->ncp.n_z == base->island->ncp.n_z);
	for (int i = 0; i < island->problem.n_contacts; i++) {
		abut_copy3(base->island->problem.contacts[i].reference, island->problem.contacts[i].reference);
	}
	for (int i = 0; i < island->ncp.n_y; i++) {
		y[i] = it->y[i] + step * in->dy[lane][i];
	}
	for (int i = 0; i < island->ncp.n_z; i++) {
		z[i] = it->z[i] + step * in->dz[lane][i];
	}
	island->ncp.ops->evaluate(island->ncp.problem, y, z, r, H);
	fixture_end(&changed);
	abut_model_destroy(model);
}

/* The largest deviation, and the largest change. */
typedef struct Worst {
	double error, scale;
	char entry[100];
} Worst;

static void compare(Worst *worst, const char *entry, int index, double value, double expected)
{
	const double error = fabs(value - expected) / worst->scale;
	if (!(error <= worst->error)) {
		worst->error = error;
		snprintf(worst->entry, sizeof worst->entry, "%s %d is %.9g, not %.9g", entry, index, value, expected);
	}
}

/* Compares dz of a contact's cones with dH, by their laws. */
static void compare_laws(const Inputs *in, const AbutContactWork *contact, int lane, const double *dH, Worst *worst)
{
	const AbutConeLaw *law = &in->fixture.island->iterate.law;
	for (int k = 0; k < contact->pair->n_cones; k++) {
		const AbutCone *cone = &contact->cones[k];
		const double *d = &dH[cone->offset], *dz = &in->dz[lane][cone->offset];
		const bool free_head = cone->kind == ABUT_CONE_SOC_FREE_HEAD;
		double expected[64];
		cr_assert_leq(cone->dim, 64);
		if (free_head) {
			const AbutFreeHeadLaw *head = abut_free_head_law(law, cone);
			for (int t = 0; t + 1 < cone->dim; t++) {
				expected[1 + t] = head->a[t] * dz[0];
				for (int u = 0; u + 1 < cone->dim; u++) {
					expected[1 + t] -= head->B[3 * t + u] * d[1 + u];
				}
			}
		} else {
			abut_cone_apply_law(cone, law, 0.0, d, expected);
		}
		for (int i = free_head ? 1 : 0; i < cone->dim; i++) {
			compare(worst, "dz of cone", k, dz[i], expected[i]);
		}
	}
}

/* Returns the error of differences of fourth order; h is the larger of the two steps. */
static Worst lane_error(const Inputs *in, int lane, double h, double scale)
{
	const AbutIsland *island = in->fixture.island;
	const int n_y = island->ncp.n_y, n_z = island->ncp.n_z, n_bodies = 6 * island->problem.n_moving;
	static const double steps[4] = {1.0, -1.0, 0.5, -0.5};
	static double r[4][NUMBERS], H[4][NUMBERS], dH[NUMBERS];
	Worst worst = {.scale = scale};
	for (int i = 0; i < 4; i++) {
		evaluate_changed(in, lane, steps[i] * h, r[i], H[i]);
	}
	for (int i = 0; i < n_y; i++) {
		const double dr = (8.0 * (r[2][i] - r[3][i]) - (r[0][i] - r[1][i])) / (6.0 * h);
		compare(&worst, i < n_bodies ? "dr of the bodies" : "dr of the contacts", i, dr,
		        i < n_bodies ? in->dr[lane][i] : 0.0);
	}
	for (int i = 0; i < n_z; i++) {
		dH[i] = (8.0 * (H[2][i] - H[3][i]) - (H[0][i] - H[1][i])) / (6.0 * h);
	}
	for (int c = 0; c < island->problem.n_contacts; c++) {
		compare_laws(in, &island->problem.contacts[c], lane, dH, &worst);
	}
	return worst;
}

/* Tries several steps: which one is small enough, and large enough for rounding, differs from point to point. */
static void check_lane(const Inputs *in, unsigned seed, int lane)
{
	static const double steps[3] = {2e-4, 2e-5, 2e-3}, bound = 1e-6;
	const AbutIsland *island = in->fixture.island;
	char what[200];
	double scale = 1.0;
	for (int i = 0; i < island->ncp.n_y; i++) {
		scale = fmax(scale, fabs(in->dy[lane][i]));
	}
	for (int i = 0; i < island->ncp.n_z; i++) {
		scale = fmax(scale, fabs(in->dz[lane][i]));
	}
	for (int i = 0; i < 6 * island->problem.n_moving; i++) {
		scale = fmax(scale, fabs(in->dr[lane][i]));
	}
	Worst least = {.error = (double)INFINITY};
	for (int i = 0; i < 3 && !(least.error <= bound); i++) {
		const Worst worst = lane_error(in, lane, steps[i] / scale, scale);
		least = worst.error < least.error ? worst : least;
	}
	abut_parameter_describe(in->fixture.model, &in->parameters[lane], what, sizeof what);
	cr_expect_leq(least.error, bound, "seed %u, %s: off by %.1e: %s", seed, what, least.error, least.entry);
}

static void check_scene(unsigned seed, AbutFrictionCone cone, bool planar)
{
	static Inputs in;
	ChangedScene scene;
	AbutRng rng = {seed};
	AbutModel *model = NULL;
	AbutError error = {.status = ABUT_OK};
	changed_scene_make(seed, &scene);
	scene.def.solver.friction_cone = cone;
	for (int i = 1; i < CHANGED_BODIES && planar; i++) {
		scene.bodies[i].planar_xz = true;
		scene.bodies[i].linear_velocity[1] = 0.0;
		memset(scene.bodies[i].angular_velocity, 0, sizeof scene.bodies[i].angular_velocity);
		const double turn[4] = {cos(0.4 * i), 0.0, sin(0.4 * i), 0.0};
		memcpy(scene.bodies[i].orientation, turn, sizeof turn);
		scene.bodies[i].angular_velocity[1] = 1.0;
	}
	cr_assert_eq(abut_model_create(&scene.def, &model, &error), ABUT_OK, "%s", error.message);
	in.before = (Before)(seed % BEFORE_COUNT);
	fixture_of(model, model, NULL, in.before, &in.fixture);
	cr_assert(in.fixture.island->ncp.n_y <= NUMBERS && in.fixture.island->ncp.n_z <= NUMBERS);
	sample(&in, &rng);
	choose(&in, &rng);
	push_all(&in);
	for (int lane = 0; lane < in.n; lane++) {
		check_lane(&in, seed, lane);
	}
	fixture_end(&in.fixture);
	abut_model_destroy(model);
	changed_scene_free(&scene);
}

Test(parameter_inputs, of_the_second_order_cone)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(15) * CHANGED_KINDS; seed++) {
		check_scene(seed, ABUT_FRICTION_CONE_SOC, false);
	}
}

Test(parameter_inputs, of_the_pyramid)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(3) * CHANGED_KINDS; seed++) {
		check_scene(1000 + seed, ABUT_FRICTION_CONE_PYRAMID, false);
	}
}

Test(parameter_inputs, of_planar_bodies)
{
	for (unsigned seed = 0; seed < TEST_EFFORT(3) * CHANGED_KINDS; seed++) {
		check_scene(2000 + seed, ABUT_FRICTION_CONE_SOC, true);
	}
}

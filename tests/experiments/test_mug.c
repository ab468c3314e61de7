/* Tests the mug that hangs by its handle (experiments/mug/hanging.json): by statics, by the physical pendulum, and by
 * sums over points for its mass. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "abut/io.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "experiments/setting/world.h"

#define HANGING ABUT_SOURCE_DIR "/experiments/mug/hanging.json"

enum { STICK, MUG, MOST_OVERRIDES = 6 };

typedef struct Hanging {
	AbutScene *scene;
	AbutWorld world;
	AbutStepInfo info;
} Hanging;

/* The axis about which the mug's frame turns, which is that of the stick in the inner corner of the handle; and the
 * pose in which the centre of mass is below it. Both are in x and z. */
static const double axis[2] = {0.0590551413189979, 0.0705492920940666}, stick_z = 0.3;
static const double upright = -1.11056577651077;

static void begin(Hanging *out, double tilt, int n, const char *const *overrides)
{
	char pose[2][160];
	const char *all[MOST_OVERRIDES + 2] = {pose[0], pose[1]};
	const double a = upright + tilt;
	AbutError error = {.status = ABUT_OK};
	snprintf(pose[0], sizeof pose[0], "bodies.mug.position=[%.15g,0,%.15g]", -(axis[0] * cos(a) + axis[1] * sin(a)),
	         stick_z - (axis[1] * cos(a) - axis[0] * sin(a)));
	snprintf(pose[1], sizeof pose[1], "bodies.mug.orientation=[%.17g,0,%.17g,0]", cos(0.5 * a), sin(0.5 * a));
	for (int i = 0; i < n; i++) {
		all[2 + i] = overrides[i];
	}
	*out = (Hanging){.info = {.tries = 0}};
	cr_assert_eq(abut_scene_load(HANGING, n + 2, all, &out->scene, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_world_open(&out->world, abut_scene_def(out->scene), &error), ABUT_OK, "%s", error.message);
}

static void end(Hanging *hanging)
{
	abut_world_close(&hanging->world);
	abut_scene_destroy(hanging->scene);
}

static AbutBodyState step(Hanging *hanging)
{
	AbutWorld *w = &hanging->world;
	AbutBodyState state;
	cr_assert_eq(abut_step(w->model, w->state, w->workspace, &hanging->info), ABUT_OK);
	cr_assert(hanging->info.outcome == ABUT_OUTCOME_EXACT || hanging->info.outcome == ABUT_OUTCOME_RELAXED);
	abut_state_get_body(w->model, w->state, MUG, &state);
	return state;
}

/* Computes the position of the centre of mass relative to the axis of the stick. */
static void centre(const Hanging *hanging, const AbutBodyState *state, double out[3])
{
	double R[9];
	abut_quat_to_mat3(state->orientation, R);
	abut_mat3_vec(R, abut_scene_def(hanging->scene)->bodies[MUG].centre_of_mass, out);
	for (int i = 0; i < 3; i++) {
		out[i] += state->position[i] - (i == 2 ? stick_z : 0.0);
	}
}

/* The stick carries the weight, however the two contacts share it, and the centre of mass stays below it. */
Test(mug, hangs_under_the_stick_by_its_weight)
{
	static const char *const rates[] = {"timestep=0.01", "timestep=0.02", "timestep=0.05"};
	static const double steps_of[] = {0.01, 0.02, 0.05};
	for (int i = 0; i < 3; i++) {
		Hanging hanging;
		AbutBodyState state;
		double sum[3] = {0.0, 0.0, 0.0}, at[3];
		begin(&hanging, 0.0, 1, &rates[i]);
		for (int n = 0; n < 60; n++) {
			state = step(&hanging);
		}
		for (int c = 0; c < abut_contact_count(hanging.world.workspace); c++) {
			AbutContact contact;
			abut_contact_get(hanging.world.model, hanging.world.workspace, c, &contact);
			for (int j = 0; j < 3; j++) {
				sum[j] += contact.normal_impulse * contact.normal[j] + contact.friction_impulse[j];
			}
		}
		const double weight = 9.81 * steps_of[i] * abut_model_body_mass(hanging.world.model, MUG);
		cr_expect(fabs(sum[0]) < 1e-9 && fabs(sum[1]) < 1e-9, "%s: %g, %g N s", rates[i], sum[0], sum[1]);
		cr_expect_float_eq(sum[2], weight, 1e-9, "%s: %.12g of %.12g N s", rates[i], sum[2], weight);
		centre(&hanging, &state, at);
		cr_expect(fabs(at[0]) < 1e-7 && fabs(at[1]) < 1e-9, "%s: off by %g, %g m", rates[i], at[0], at[1]);
		cr_expect_float_eq(at[2], -0.0620347657, 1e-7, "%s: at %.12g m", rates[i], at[2]);
		cr_expect_lt(abut_norm3(state.linear_velocity), 1e-9, "%s: %g m/s", rates[i],
		             abut_norm3(state.linear_velocity));
		end(&hanging);
	}
}

/* Without friction the mug swings about the axis of the stick, T = 2 pi sqrt((J + m d^2) / (m g d)). A small swing of
 * amplitude a takes longer by a^2 / 16, and the integrator by about 1 + (2 pi dt / T)^2 / 24. */
Test(mug, swings_as_a_physical_pendulum)
{
	static const char *const smooth[] = {"friction=0", "timestep=0.002"};
	enum { SWINGS = 4 };
	const double tilt = 0.03, g = 9.81;
	Hanging hanging;
	double at[3], before = 0.0, crossings[2 * SWINGS + 1];
	int n = 0;
	begin(&hanging, tilt, 2, smooth);
	const AbutBodyDef *mug = &abut_scene_def(hanging.scene)->bodies[MUG];
	for (int i = 0; n <= 2 * SWINGS && i < 2000; i++) {
		const AbutBodyState state = step(&hanging);
		centre(&hanging, &state, at);
		cr_assert_float_eq(hypot(at[0], at[2]), 0.0620347657, 1e-6, "step %d", i);
		if (i > 0 && before * at[0] < 0.0) {
			crossings[n++] = 0.002 * (i + before / (before - at[0]));
		}
		before = at[0];
	}
	cr_assert_gt(n, 2 * SWINGS);
	const double d = 0.0620347657, m = mug->mass, J = mug->inertia[4];
	const double expected = 2.0 * M_PI * sqrt((J + m * d * d) / (m * g * d));
	const double period = (crossings[2 * SWINGS] - crossings[0]) / SWINGS;
	cr_expect_float_eq(period, expected, 5e-4 * expected, "%.8g s, %.8g expected", period, expected);
	end(&hanging);
}

/* If only friction holds the mug in a tilted pose, relaxed friction slips. The slip of each contact is
 *
 *     v = kappa b / (w_f ((mu gamma)^2 - b^2))
 *
 * in model units, with its impulses gamma and b. A turn about the stick's axis is a slip of the stick's radius times as
 * much. The shares of the two contacts in the weight are read from the result. The path ends within a tenth of kappa.
 */
Test(mug, slips_aslant_by_the_law_of_relaxed_friction)
{
	static const double radius = 0.004, mu = 0.5, weight_friction = 0.1;
	static const struct {
		double timestep, kappa, tilt;
	} cases[] = {{0.01, 1e-10, 0.01}, {0.01, 1e-9, 0.02}, {0.005, 1e-10, 0.01}, {0.02, 1e-9, 0.01}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char rate[32], relaxation[40];
		const char *const overrides[] = {rate, relaxation, "solver.finish=none"};
		Hanging hanging;
		AbutBodyState state;
		snprintf(rate, sizeof rate, "timestep=%g", cases[i].timestep);
		snprintf(relaxation, sizeof relaxation, "solver.kappa=%g", cases[i].kappa);
		begin(&hanging, cases[i].tilt, 3, overrides);
		for (int n = 0; n < 1.0 / cases[i].timestep; n++) {
			state = step(&hanging);
		}
		const AbutUnits *units = &hanging.world.model->units;
		int pressing = 0;
		for (int c = 0; c < abut_contact_count(hanging.world.workspace); c++) {
			AbutContact contact;
			abut_contact_get(hanging.world.model, hanging.world.workspace, c, &contact);
			const double gamma = contact.normal_impulse / units->impulse;
			const double b = abut_norm3(contact.friction_impulse) / units->impulse;
			if (contact.gap > 1e-6) {
				continue;
			}
			const double slip = radius * fabs(state.angular_velocity[1]) / units->velocity;
			const double law = cases[i].kappa * b / (weight_friction * (mu * mu * gamma * gamma - b * b));
			cr_expect_float_eq(slip, law, 0.1 * law, "case %zu, part %d: %g, %g expected", i,
			                   contact.part_b, slip, law);
			pressing++;
		}
		cr_expect_eq(pressing, 2, "case %zu: %d contacts", i, pressing);
		end(&hanging);
	}
}

/* --- mass --- */

static bool holds(const AbutShape *part, const double p[3])
{
	double moved[3], own[3];
	for (int i = 0; i < 3; i++) {
		moved[i] = p[i] - part->position[i];
	}
	abut_mat3_tvec(part->rotation, moved, own);
	const double *size = part->size, along = fabs(own[2]), across = hypot(own[0], own[1]);
	if (part->kind == ABUT_SHAPE_BOX) {
		return fabs(own[0]) <= size[0] && fabs(own[1]) <= size[1] && along <= size[2];
	}
	if (part->kind == ABUT_SHAPE_CYLINDER) {
		return across <= size[0] && along <= 0.5 * size[1];
	}
	cr_assert_eq(part->kind, ABUT_SHAPE_CAPSULE);
	return hypot(across, fmax(0.0, along - 0.5 * size[1])) <= size[0];
}

static bool any_holds(const AbutBodyDef *body, const double p[3])
{
	bool any = false;
	for (int k = 0; !any && k < body->n_parts; k++) {
		any = holds(body->parts[k], p);
	}
	return any;
}

/* Computes the mass at a density of 2000 kg/m^3 from one point in each cubic millimetre; points in several parts count
 * once. The place of each point is random. So the root of the number of cells on the surface, 60000, gives the relative
 * error of the sum: 1e-3. */
Test(mug, weighs_what_its_union_holds)
{
	static const double low[3] = {-0.045, -0.045, -0.005}, cell = 1e-3, per_cell = 2000.0 * 1e-9;
	AbutScene *scene = NULL;
	AbutRng rng = {1};
	double m = 0.0, first[3] = {0.0}, second[9] = {0.0};
	cr_assert_eq(abut_scene_load(HANGING, 0, NULL, &scene, NULL), ABUT_OK);
	const AbutBodyDef *mug = &abut_scene_def(scene)->bodies[MUG];
	for (int i = 0; i < 130 * 90 * 110; i++) {
		const int place[3] = {i % 130, i / 130 % 90, i / 130 / 90};
		double p[3];
		for (int k = 0; k < 3; k++) {
			p[k] = low[k] + cell * (place[k] + abut_rng_uniform(&rng, 0.0, 1.0));
		}
		if (!any_holds(mug, p)) {
			continue;
		}
		m += per_cell;
		for (int k = 0; k < 9; k++) {
			first[k % 3] += k < 3 ? per_cell * p[k] : 0.0;
			second[k] += per_cell * p[k / 3] * p[k % 3];
		}
	}
	cr_expect_float_eq(mug->mass, m, 2e-3 * m, "%.6g kg, %.6g counted", mug->mass, m);
	for (int k = 0; k < 3; k++) {
		cr_expect_float_eq(mug->centre_of_mass[k], first[k] / m, 1e-4, "centre %d: %g m, %g counted", k,
		                   mug->centre_of_mass[k], first[k] / m);
	}
	const double *c = mug->centre_of_mass;
	const double trace = second[0] + second[4] + second[8] - m * abut_dot3(c, c);
	for (int k = 0; k < 9; k++) {
		const double J = (k % 4 == 0 ? trace : 0.0) - (second[k] - m * c[k / 3] * c[k % 3]);
		cr_expect_float_eq(mug->inertia[k], J, 3e-6, "inertia %d: %g, %g counted", k, mug->inertia[k], J);
	}
	abut_scene_destroy(scene);
}

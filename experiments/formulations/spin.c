/* Studies a spin: a box, free of gravity and torque, turns nearly about its middle axis. */
#include "experiments/formulations/spin.h"

#include <math.h>

#include "base/vec3.h"
#include "experiments/formulations/lone_body.h"

/* Computes the inertia of a box about its centre, in body axes, kg m^2. */
static void inertia_of(const AbutLoneBody *box, double out[3])
{
	for (int k = 0; k < 3; k++) {
		const double a = box->half[(k + 1) % 3], b = box->half[(k + 2) % 3];
		out[k] = box->mass / 3.0 * (a * a + b * b);
	}
}

/* Computes the angular momentum in world axes. A vector v is turned by the quaternion (w, u): v + 2 w (u x v) + 2 u x
 * (u x v). */
static void momentum_of(const AbutLoneBody *box, const AbutBodyState *state, double out[3])
{
	const double w = state->orientation[0], *u = state->orientation + 1;
	double inertia[3], body[3], once[3], twice[3];
	inertia_of(box, inertia);
	for (int k = 0; k < 3; k++) {
		body[k] = inertia[k] * state->angular_velocity[k];
	}
	abut_cross3(u, body, once);
	abut_cross3(u, once, twice);
	for (int k = 0; k < 3; k++) {
		out[k] = body[k] + 2.0 * (w * once[k] + twice[k]);
	}
}

static AbutStatus spin(const AbutLoneBody *box, const AbutVariant *variant, long steps, double drift[2],
                       AbutError *error)
{
	AbutWorld world;
	const AbutStatus status = abut_lone_body_open(box, variant, &world, error);
	drift[0] = drift[1] = NAN;
	if (status != ABUT_OK) {
		return status;
	}
	AbutBodyState state;
	double before[3], after[3];
	const double energy = abut_state_energy(world.model, world.state);
	abut_state_get_body(world.model, world.state, ABUT_LONE_BODY, &state);
	momentum_of(box, &state, before);
	if (abut_lone_body_run(&world, steps)) {
		abut_state_get_body(world.model, world.state, ABUT_LONE_BODY, &state);
		momentum_of(box, &state, after);
		drift[0] = abut_state_energy(world.model, world.state) / energy - 1.0;
		const double off[3] = {after[0] - before[0], after[1] - before[1], after[2] - before[2]};
		drift[1] = abut_norm3(off) / abut_norm3(before);
	}
	abut_world_close(&world);
	return status;
}

AbutStatus abut_study_spin(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                           AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"energy_drift", "energy, relative change", 3},
	    {"momentum_drift", "angular momentum, relative change", 3},
	};
	const AbutLoneBody box = {.half = {0.1, 0.2, 0.3},
	                          .mass = 1.0,
	                          .above = 10.0,
	                          .spin = {0.1, 5.0, 0.1},
	                          .timestep = settings->box.timestep,
	                          .weightless = true};
	const long steps = lround(settings->spin_duration / box.timestep);
	AbutTable *table = ABUT_TABLE(report, "spin", "A spin without torque, about the middle axis", columns);
	AbutStatus status = ABUT_OK;
	for (int v = 0; v < ABUT_VARIANTS && status == ABUT_OK; v++) {
		double drift[2];
		status = spin(&box, abut_variant(v), steps, drift, error);
		abut_table_text(table, abut_variant(v)->name);
		abut_table_numbers(table, 2, drift);
		rows[v].spin_energy = drift[0];
	}
	return status;
}

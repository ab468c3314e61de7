/* Measures energy, violations and drift of mechanisms against the timestep, beside other engines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "experiments/mechanisms/peers.h"
#include "experiments/mechanisms/scenes.h"
#include "experiments/setting/world.h"
#include "experiments/suite/experiment.h"
#include "experiments/suite/spec.h"

enum { MOST_TIMESTEPS = 8 };

typedef struct Settings {
	double timesteps[MOST_TIMESTEPS], duration; /* s */
	int n_timesteps;
} Settings;

typedef struct Result {
	long steps, failed, inexact, iterations;
	double highest, lowest;    /* J, of the energy, relative to the start */
	double unit;               /* J: the swing; of the floating tree, the energy at the start */
	double joint_m, joint_rad; /* largest violations */
	double momentum, largest;  /* kg m/s: error and size of the floating tree's momentum */
	double drift; /* relative error of the precession or of the rate of fall; rad of creep; NaN: none of them */
} Result;

static void add_momentum(const Mechanism *m, const AbutModel *model, const AbutState *state, double start[3],
                         Result *out)
{
	double P[3] = {0.0, 0.0, 0.0}, change[3];
	for (int i = 0; i < m->def.n_bodies; i++) {
		AbutBodyState s;
		abut_state_get_body(model, state, i, &s);
		abut_add_scaled3(P, abut_model_body_mass(model, i), s.linear_velocity, P);
	}
	if (out->steps == 1) { /* the first step closes the rates */
		abut_copy3(P, start);
	}
	abut_sub3(P, start, change);
	out->momentum = fmax(out->momentum, abut_norm3(change));
	out->largest = fmax(out->largest, abut_norm3(P));
}

/* Adds the precession since the last step, about z, to `turned`. */
static void add_precession(const AbutModel *model, const AbutState *state, double *last, double *turned)
{
	AbutBodyState s;
	abut_state_get_body(model, state, 0, &s);
	const double now = atan2(s.position[1], s.position[0]);
	*turned += remainder(now - *last, 6.283185307179586);
	*last = now;
}

static AbutStatus take_steps(const Mechanism *m, const AbutWorld *world, double duration, Result *out)
{
	const AbutModel *model = world->model;
	AbutState *state = world->state;
	double start[3] = {0.0, 0.0, 0.0}, last = 0.0, turned = 0.0, E0 = abut_state_energy(model, state);
	const bool floats = m->def.gravity[2] == 0.0, rubs = m->joints[0].axes[0].friction > 0.0;
	for (long k = 0; k < lround(duration / m->def.timestep); k++) {
		AbutStepInfo info = {.tries = 0};
		ABUT_TRY(abut_step(model, state, world->workspace, &info));
		out->steps++;
		out->iterations += info.iterations;
		out->failed += info.outcome == ABUT_OUTCOME_FAILED;
		out->inexact += !info.exact;
		out->joint_m = fmax(out->joint_m, info.joint_violation_m);
		out->joint_rad = fmax(out->joint_rad, info.joint_violation_rad);
		if (floats) {
			add_momentum(m, model, state, start, out);
			E0 = k == 0 ? abut_state_energy(model, state) : E0;
		}
		if (m->precession > 0.0) {
			add_precession(model, state, &last, &turned);
		}
		const double E = abut_state_energy(model, state) - E0;
		out->highest = fmax(out->highest, E);
		out->lowest = fmin(out->lowest, E);
	}
	AbutJointState joint;
	ABUT_TRY(abut_joint_get(model, state, 0, &joint));
	out->unit = floats ? E0 : m->swing;
	const double rate = turned / abut_state_time(state);
	out->drift = rubs                  ? fabs(joint.position[0])
	             : m->precession > 0.0 ? fabs(rate / m->precession - 1.0)
	             : m->fall > 0.0       ? fabs(joint.velocity[0] / (m->fall * abut_state_time(state)) - 1.0)
	                                   : (double)NAN;
	return ABUT_OK;
}

static AbutStatus measure(const MechanismKind *kind, double timestep, double duration, Result *out, AbutError *error)
{
	Mechanism *m = calloc(1, sizeof *m);
	AbutWorld world = {.model = NULL};
	*out = (Result){.steps = 0};
	if (!m) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a mechanism");
	}
	AbutStatus status = abut_mechanism_make(kind, timestep, m, error);
	ABUT_THEN(status, abut_world_open(&world, &m->def, error));
	ABUT_THEN(status, take_steps(m, &world, duration, out));
	abut_world_close(&world);
	abut_mechanism_free(m);
	free(m);
	return status;
}

static const AbutColumn columns[] = {{"mechanism", "mechanism", 0},
                                     {"timestep_s", "timestep, s", 3},
                                     {"energy", "energy error", 2},
                                     {"rise", "energy rise", 2},
                                     {"violation_m", "violation, m", 2},
                                     {"violation_rad", "rad", 2},
                                     {"momentum", "momentum error", 2},
                                     {"drift", "drift", 2},
                                     {"failed", "failed", 3},
                                     {"inexact", "inexact", 3},
                                     {"iterations", "iterations", 3}};
static const AbutColumn peer_columns[] = {{"mechanism", "mechanism", 0},
                                          {"engine", "engine", 0},
                                          {"quantity", "quantity", 0},
                                          {"ms1", "1 ms", 2},
                                          {"ms2", "2 ms", 2},
                                          {"ms5", "5 ms", 2},
                                          {"ms10", "10 ms", 2},
                                          {"ms20", "20 ms", 2}};

static void add_peers(AbutReport *report)
{
	AbutTable *table = ABUT_TABLE(report, "peers", "Other engines", peer_columns);
	for (int i = 0; i < abut_peer_row_count; i++) {
		const PeerRow *row = &abut_peer_rows[i];
		abut_table_text(table, row->mechanism);
		abut_table_text(table, row->engine);
		abut_table_text(table, row->quantity);
		for (int k = 0; k < PEER_TIMESTEPS; k++) {
			if (isinf(row->values[k])) {
				abut_table_text(table, "diverged");
			} else {
				abut_table_number(table, row->values[k]);
			}
		}
	}
	abut_table_note(table,
	                "Measured by this project in November 2026, one trajectory each: MuJoCo 3.12.1 (MuJoCo stiff: "
	                "solref 0.004, solimp 0.99 0.999), DART 6.12.1, Bullet 3.24 multibody. DART printed no "
	                "result for chain5 from 10 ms on.");
}

/* Adds the values of the other engines one by one, for the figures; infinity becomes a value above all others. */
static void add_points(AbutReport *report)
{
	static const AbutColumn point_columns[] = {{"mechanism", "mechanism", 0},
	                                           {"engine", "engine", 0},
	                                           {"quantity", "quantity", 0},
	                                           {"timestep_s", "timestep, s", 3},
	                                           {"value", "value", 3}};
	AbutTable *table = ABUT_DATA(report, "peer_points", "Other engines, value by value", point_columns);
	for (int i = 0; i < abut_peer_row_count * PEER_TIMESTEPS; i++) {
		const PeerRow *row = &abut_peer_rows[i / PEER_TIMESTEPS];
		const double value = row->values[i % PEER_TIMESTEPS];
		if (!isnan(value)) {
			abut_table_text(table, row->mechanism);
			abut_table_text(table, row->engine);
			abut_table_text(table, row->quantity);
			ABUT_NUMBERS(table, abut_peer_timesteps[i % PEER_TIMESTEPS], isinf(value) ? 1e9 : value);
		}
	}
}

static const AbutKeySet keys = ABUT_SPEC_KEYS("mechanisms", "experiment", "timesteps", "duration");

static void read_settings(const AbutNode *root, void *settings)
{
	Settings *out = settings;
	out->n_timesteps = abut_spec_numbers(root, "timesteps", MOST_TIMESTEPS, ABUT_POSITIVE, out->timesteps);
	abut_require_number(root, "duration", ABUT_POSITIVE, &out->duration);
}

/* Adds the targets of a mechanism at a timestep. */
static void judge(const char *name, double timestep, const Result *r, double worst[4], AbutReport *report)
{
	const double energy = fmax(r->highest, -r->lowest) / r->unit;
	worst[0] = fmax(worst[0], fmax(r->joint_m, r->joint_rad));
	if (strcmp(name, "chain5") == 0 && fabs(timestep - 0.005) < 1e-9) {
		abut_report_target(report, energy <= 0.05, "energy of chain5 at 5 ms within 5 %%: %.2g %%",
		                   100.0 * energy);
	}
	if (strcmp(name, "floating") == 0 && timestep < 0.0201) {
		worst[1] = fmax(worst[1], r->momentum / r->largest);
	}
	if (strcmp(name, "gear-train") == 0) {
		worst[3] = fmax(worst[3], r->drift);
	}
	if (strcmp(name, "friction") == 0) {
		worst[2] = fmax(worst[2], r->drift);
	}
}

static AbutStatus execute(const AbutExperimentRun *run, AbutReport *report, AbutError *error)
{
	Settings settings = {.n_timesteps = 0};
	double worst[4] = {0.0, 0.0, 0.0, 0.0};
	ABUT_TRY(abut_spec_read(run->spec, &keys, read_settings, &settings, error));
	abut_report_setting(report, "duration", "%g s", settings.duration);
	AbutTable *table = ABUT_TABLE(report, "mechanisms", "Mechanisms against the timestep", columns);
	for (int i = 0; i < abut_mechanism_kind_count; i++) {
		const MechanismKind *kind = &abut_mechanism_kinds[i];
		abut_report_setting(report, kind->name, "%s", kind->what);
		for (int k = 0; k < settings.n_timesteps; k++) {
			Result r;
			ABUT_TRY(measure(kind, settings.timesteps[k], settings.duration, &r, error));
			abut_table_text(table, kind->name);
			ABUT_NUMBERS(table, settings.timesteps[k], fmax(r.highest, -r.lowest) / r.unit,
			             r.highest / r.unit, r.joint_m, r.joint_rad,
			             r.largest > 0.0 ? r.momentum / r.largest : (double)NAN, r.drift, (double)r.failed,
			             (double)r.inexact, (double)r.iterations / (double)r.steps);
			judge(kind->name, settings.timesteps[k], &r, worst, report);
			abut_experiment_progress(run,
			                         (i + (k + 1.0) / settings.n_timesteps) / abut_mechanism_kind_count);
		}
	}
	add_peers(report);
	add_points(report);
	abut_report_target(report, worst[0] <= 1e-10, "joints stay closed to 1e-10 m and rad: %.2g", worst[0]);
	abut_report_target(report, worst[1] <= 1e-9,
	                   "momentum of the floating tree, up to 20 ms, to 1e-9 of its largest: %.2g", worst[1]);
	abut_report_target(report, worst[2] <= 1e-9, "dry friction creeps at most 1e-9 rad: %.2g", worst[2]);
	abut_report_target(report, worst[3] <= 0.01,
	                   "a gear train accelerates as its inertia in closed form says, within 1 %%: %.2g %%",
	                   100.0 * worst[3]);
	abut_report_figure(report, "energy", 1000, 420,
	                   "Largest energy error over the sum of m g |r|. Crosses at the upper edge: diverged.");
	abut_report_figure(report, "opening", 1000, 420,
	                   "Largest opening of loops. Crosses at the upper edge: diverged.");
	return ABUT_OK;
}

const AbutExperiment abut_experiment_mechanisms = {"mechanisms", "mechanisms",
                                                   "Mechanisms against the timestep, beside other engines", execute};

/* Measures contact violation, momentum and displacement during a run. */
#include "experiments/sweep/measures.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"

AbutStatus abut_sweep_observation_begin(const AbutModel *model, const AbutState *state, double stands_within,
                                        AbutSweepMeasures *measures, AbutSweepObservation *observation,
                                        AbutError *error)
{
	*measures = (AbutSweepMeasures){.stood = stands_within > 0.0 ? 0.0 : (double)NAN};
	*observation = (AbutSweepObservation){.measures = measures, .stands_within = stands_within};
	observation->start = calloc((size_t)model->n_bodies, sizeof *observation->start);
	if (!observation->start) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the run");
	}
	for (int i = 0; i < model->n_bodies; i++) {
		abut_state_get_body(model, state, i, &observation->start[i]);
	}
	return ABUT_OK;
}

void abut_sweep_observation_end(AbutSweepObservation *observation)
{
	free(observation->start);
	observation->start = NULL;
}

/* Adds the momentum of a body, and its angular momentum about its own centre: R J w, with J and w in body axes. */
static void add_momentum(const AbutBody *body, const AbutBodyState *at, double momentum[3], double spin[3])
{
	double R[9], L[3];
	abut_quat_to_mat3(at->orientation, R);
	abut_mat3_vec(body->inertia_si, at->angular_velocity, L);
	abut_mat3_vec(R, L, L);
	abut_add_scaled3(momentum, body->mass_si, at->linear_velocity, momentum);
	abut_add3(spin, L, spin);
}

static double distance(const double a[3], const double b[3])
{
	const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return abut_norm3(d);
}

/* Returns the angle, 0 to pi, of the turn between two orientations: 2 atan2(|v|, |w|), where [w, v] = p* q. */
static double angle_between(const double p[4], const double q[4])
{
	const double inverse[4] = {p[0], -p[1], -p[2], -p[3]};
	double turn[4];
	abut_quat_mul(inverse, q, turn);
	return 2.0 * atan2(abut_norm3(&turn[1]), fabs(turn[0]));
}

AbutStatus abut_sweep_observe(void *context, const AbutRunView *view, AbutError *error)
{
	AbutSweepObservation *observation = context;
	AbutSweepMeasures *measures = observation->measures;
	double momentum[3] = {0.0, 0.0, 0.0}, spin[3] = {0.0, 0.0, 0.0};
	(void)error;
	if (!view->info) {
		return ABUT_OK;
	}
	AbutContact contact;
	for (int i = 0; abut_contact_get(view->model, view->workspace, i, &contact) == ABUT_OK; i++) {
		measures->violation = fmax(measures->violation, 1.0 - contact.scaling);
	}
	measures->displacement = measures->rotation = 0.0;
	for (int i = 0; i < view->model->n_bodies; i++) {
		const AbutBody *body = &view->model->bodies[i];
		const AbutBodyState *start = &observation->start[i];
		AbutBodyState at;
		if (body->is_static || abut_state_get_body(view->model, view->state, i, &at) != ABUT_OK) {
			continue;
		}
		add_momentum(body, &at, momentum, spin);
		measures->displacement = fmax(measures->displacement, distance(start->position, at.position));
		measures->rotation = fmax(measures->rotation, angle_between(start->orientation, at.orientation));
	}
	observation->fallen |= measures->displacement > observation->stands_within;
	if (observation->stands_within > 0.0 && !observation->fallen) {
		measures->stood = abut_state_time(view->state);
	}
	const double share = 1.0 / (double)++observation->steps;
	for (int k = 0; k < 3; k++) {
		measures->momentum[k] += share * (fabs(momentum[k]) - measures->momentum[k]);
		measures->spin[k] += share * (fabs(spin[k]) - measures->spin[k]);
	}
	return ABUT_OK;
}

uint64_t abut_sweep_state_digest(const AbutModel *model, const AbutState *state)
{
	uint64_t digest = ABUT_HASH_START;
	for (int i = 0; i < model->n_bodies; i++) {
		AbutBodyState at;
		if (abut_state_get_body(model, state, i, &at) == ABUT_OK) {
			digest = abut_hash_bytes(digest, &at, sizeof at);
		}
	}
	return digest;
}

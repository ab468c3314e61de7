/* Sums energy and momentum over the moving bodies. */
#include "io/run/totals.h"

AbutRunTotals abut_run_totals(const AbutModel *model, const AbutState *state)
{
	AbutRunTotals totals = {abut_state_energy(model, state), {0.0, 0.0, 0.0}};
	const int n = abut_model_body_count(model);
	for (int i = 0; i < n; i++) {
		AbutBodyState at;
		if (abut_model_body_is_static(model, i) || abut_state_get_body(model, state, i, &at) != ABUT_OK) {
			continue;
		}
		for (int k = 0; k < 3; k++) {
			totals.momentum[k] += abut_model_body_mass(model, i) * at.linear_velocity[k];
		}
	}
	return totals;
}

/* Checks, when a model is made, whether the methods lcp and convex support it. */
#include "dynamics/methods/manifold/model.h"

#include <stdio.h>

#include "base/error.h"
#include "collision/manifold/shape.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/model/model.h"

AbutStatus abut_lcp_model_create(AbutModel *model, AbutError *error)
{
	for (int i = 0; i < model->n_parts; i++) {
		AbutPart *part = &model->parts[i];
		const AbutBody *body = &model->bodies[part->body];
		char where[64];
		AbutError own = {.status = ABUT_OK};
		snprintf(where, sizeof where, "bodies[%d].shape", part->body);
		const AbutStatus status = abut_manifold_shape_create(part->shape, body->centre_of_mass,
		                                                     model->units.length, &part->manifold, &own);
		if (status != ABUT_OK) {
			return abut_error_set(error, status, where, "body '%s' cannot take part in method %s: %s",
			                      body->name, abut_method_name(model->options.method), own.message);
		}
	}
	return ABUT_OK;
}

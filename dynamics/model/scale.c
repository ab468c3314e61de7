/* Converts a model's bodies and parts to its units. */
#include "dynamics/model/scale.h"

#include "base/eigen3.h"
#include "base/error.h"
#include "base/vec3.h"
#include "collision/rows/conic_rows.h"
#include "collision/rows/shape_kernel.h"

AbutStatus abut_model_no_memory(AbutError *error)
{
	return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory while making the model");
}

double abut_model_body_radius(const AbutModel *model, int body)
{
	const AbutBody *of = &model->bodies[body];
	double radius = 0.0;
	for (int i = 0; i < of->n_parts; i++) {
		const AbutShape *shape = model->parts[of->first_part + i].shape;
		double offset[3];
		abut_sub3(shape->centre, of->centre_of_mass, offset);
		radius = fmax(radius, abut_norm3(offset) + shape->outer_radius);
	}
	return radius;
}

/* Computes the part's bounding box in body axes, for the broad phase, from the support function of the part. */
static void bound_part(const AbutBody *body, double unit, AbutPart *part)
{
	for (int i = 0; i < 3; i++) {
		double direction[3] = {0.0, 0.0, 0.0};
		direction[i] = 1.0;
		const double high = abut_shape_support(part->shape, direction, NULL);
		direction[i] = -1.0;
		const double low = -abut_shape_support(part->shape, direction, NULL);
		part->box_centre[i] = (0.5 * (high + low) - body->centre_of_mass[i]) / unit;
		part->box_half[i] = 0.5 * (high - low) / unit;
	}
	part->reach = abut_norm3(part->rows.centre) + part->rows.outer_radius;
}

static AbutStatus scale_part(AbutModel *model, int index, AbutError *error)
{
	AbutPart *part = &model->parts[index];
	const AbutBody *body = &model->bodies[part->body];
	const double unit = model->units.length;
	const AbutStatus status =
	    abut_conic_rows_create_divided(part->shape, body->centre_of_mass, unit, part->divisor, &part->rows);
	if (status != ABUT_OK) {
		return abut_model_no_memory(error);
	}
	if (model->formulation.published) {
		abut_conic_rows_as_given(part->shape, body->centre_of_mass, &part->rows);
	}
	part->n_cones = abut_conic_rows_cones(&part->rows, 0, 1.0, &part->law_size, NULL);
	if (part->scale == 0.0) {
		part->scale = part->rows.outer_radius;
	}
	if (part->rows.bounded) {
		bound_part(body, unit, part);
	} else {
		model->planes[model->n_planes++] = index;
	}
	const int scratch = abut_conic_rows_scratch(&part->rows);
	model->scratch = scratch > model->scratch ? scratch : model->scratch;
	return ABUT_OK;
}

static void scale_body(AbutModel *model, int index)
{
	const AbutUnits *u = &model->units;
	AbutBody *body = &model->bodies[index];
	double moments[3];
	body->radius = abut_model_body_radius(model, index) / u->length;
	body->mass = body->mass_si / u->mass;
	for (int j = 0; j < 9; j++) {
		body->inertia[j] = body->inertia_si[j] / (u->mass * u->length * u->length);
	}
	abut_eigenvalues3(body->inertia, moments);
	body->least_inertia = fmax(moments[0] - 1e-14 * moments[2], 0.0);
}

AbutStatus abut_model_scale(AbutModel *model, AbutError *error)
{
	const AbutUnits *u = &model->units;
	AbutStatus status = ABUT_OK;
	model->timestep = model->timestep_si / u->time;
	for (int i = 0; i < 3; i++) {
		model->gravity[i] = model->gravity_si[i] * u->time * u->time / u->length;
	}
	for (int i = 0; i < model->n_bodies; i++) {
		scale_body(model, i);
	}
	for (int i = 0; status == ABUT_OK && i < model->n_parts; i++) {
		status = scale_part(model, i, error);
	}
	return status == ABUT_OK && model->method->make_ready ? model->method->make_ready(model, error) : status;
}

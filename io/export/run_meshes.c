/* Makes the triangles of the bodies of a run. */
#include "io/export/run_meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "io/mesh/mesh.h"

/* The box contains the bounding balls of all moving bodies in all frames. If no body moves, it contains the positions
 * of the static bodies. */
double abut_run_extent(const AbutRunRecord *record, double middle[3])
{
	double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, half[3];
	const AbutModel *model = record->model;
	for (long k = 0; k < record->n_frames * record->n_bodies; k++) {
		const int body = (int)(k % record->n_bodies);
		const bool counts = model->n_moving == 0 || !abut_model_body_is_static(model, body);
		const double size =
		    abut_model_body_is_static(model, body) ? 0.0 : model->bodies[body].radius * model->units.length;
		for (int i = 0; counts && i < 3; i++) {
			low[i] = fmin(low[i], record->bodies[k].position[i] - size);
			high[i] = fmax(high[i], record->bodies[k].position[i] + size);
		}
	}
	for (int i = 0; i < 3; i++) {
		middle[i] = 0.5 * (low[i] + high[i]);
		half[i] = 0.5 * (high[i] - low[i]);
	}
	const double extent = abut_norm3(half);
	return extent > 0.0 ? extent : 1.0;
}

/* Chooses a colour from the palette of Okabe and Ito, so that bodies differ even for colour-blind viewers; static
 * bodies are grey. */
static void choose_color(bool is_static, int body, float color[3])
{
	static const float palette[][3] = {{0.0F, 0.45F, 0.7F}, {0.9F, 0.6F, 0.0F},  {0.0F, 0.6F, 0.5F},
	                                   {0.8F, 0.4F, 0.0F},  {0.35F, 0.7F, 0.9F}, {0.8F, 0.6F, 0.7F},
	                                   {0.95F, 0.9F, 0.25F}};
	static const float grey[3] = {0.6F, 0.6F, 0.6F};
	memcpy(color, is_static ? grey : palette[body % 7], sizeof grey);
}

/* Makes the plate of a halfspace below the middle of the motion, which is first converted to the body frame. */
static AbutStatus make_plate(const AbutShape *shape, const AbutBodyState *state, const double middle[3], double extent,
                             AbutShapeMesh *out, AbutError *error)
{
	double R[9], offset[3], about[3];
	abut_quat_to_mat3(state->orientation, R);
	abut_sub3(middle, state->position, offset);
	abut_mat3_tvec(R, offset, about);
	return abut_shape_mesh_plate(shape, about, 1.5 * extent, out, error);
}

static AbutStatus make_body(const AbutRunRecord *record, int body, const double middle[3], double extent,
                            AbutBodyMesh *out, AbutError *error)
{
	const AbutBodyDef *def = &abut_scene_def(record->scene)->bodies[body];
	AbutStatus status = ABUT_OK;
	choose_color(def->is_static, body, out->color);
	out->parts = calloc((size_t)def->n_parts, sizeof *out->parts);
	if (!out->parts) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	for (int i = 0; status == ABUT_OK && i < def->n_parts; i++) {
		const AbutShape *shape = def->parts[i];
		status = shape->kind == ABUT_SHAPE_HALFSPACE
		             ? make_plate(shape, &record->bodies[body], middle, extent, &out->parts[i], error)
		             : abut_shape_mesh_create(shape, &out->parts[i], error);
		out->n_parts += status == ABUT_OK;
	}
	return status;
}

AbutStatus abut_run_meshes_create(const AbutRunRecord *record, AbutBodyMesh **bodies, AbutError *error)
{
	double middle[3];
	const double extent = abut_run_extent(record, middle);
	AbutStatus status = ABUT_OK;
	*bodies = calloc((size_t)record->n_bodies, sizeof **bodies);
	if (!*bodies) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	for (int i = 0; status == ABUT_OK && i < record->n_bodies; i++) {
		status = make_body(record, i, middle, extent, &(*bodies)[i], error);
	}
	if (status != ABUT_OK) {
		abut_run_meshes_free(*bodies, record->n_bodies);
		*bodies = NULL;
	}
	return status;
}

void abut_run_meshes_free(AbutBodyMesh *bodies, int n_bodies)
{
	for (int i = 0; bodies && i < n_bodies; i++) {
		for (int k = 0; k < bodies[i].n_parts; k++) {
			abut_shape_mesh_free(&bodies[i].parts[k]);
		}
		free(bodies[i].parts);
	}
	free(bodies);
}

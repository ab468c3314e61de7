#include "experiments/shape_optimisation/cam.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "experiments/world.h"

enum { ROWS = ABUT_GRADIENT_ROWS, COLUMNS = ABUT_GRADIENT_COLUMNS, CAM = 1, HEIGHT = 2 };

static const AbutParameter parameters[ABUT_CAM_SIZES] = {
    {ABUT_PARAMETER_SIZE, CAM, -1, 0, 0},          {ABUT_PARAMETER_SIZE, CAM, -1, 0, 2},
    {ABUT_PARAMETER_SIZE, CAM, -1, 1, 0},          {ABUT_PARAMETER_PART_POSITION, CAM, -1, 1, 0},
    {ABUT_PARAMETER_PART_POSITION, CAM, -1, 1, 2},
};

double abut_cam_lift(const double sizes[ABUT_CAM_SIZES], double angle)
{
	const double s = sin(angle), c = cos(angle);
	return fmax(hypot(sizes[ABUT_CAM_A] * s, sizes[ABUT_CAM_C] * c),
	            sizes[ABUT_CAM_R] + sizes[ABUT_CAM_X] * s - sizes[ABUT_CAM_Z] * c);
}

/* A step turns by the quaternion whose vector part is half the way (docs/formulation.md, section 2). */
double abut_cam_angle(const AbutCam *cam, int step)
{
	return 2.0 * asin(0.5 * cam->rate * cam->timestep) * step;
}

static void define_cam(const AbutCam *cam, const double sizes[ABUT_CAM_SIZES], AbutBodyDef *body)
{
	double reach = 0.0;
	body->name = "cam";
	body->mass = 1.0;
	body->has_centre_of_mass = body->has_inertia = body->planar_xz = true;
	for (int k = 0; k < 3; k++) {
		body->inertia[4 * k] = 1e4; /* its speed changes by less than 1e-4 in a turn */
	}
	for (int i = 0; i < ABUT_CAM_SIZES; i++) {
		reach += fabs(sizes[i]);
	}
	body->position[2] = reach;
	body->angular_velocity[1] = cam->rate;
}

AbutStatus abut_cam_model(const AbutCam *cam, const double sizes[ABUT_CAM_SIZES], AbutModel **out, AbutError *error)
{
	static const double up[3] = {0.0, 0.0, 1.0}, upright[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	const double radii[3] = {sizes[ABUT_CAM_A], 0.05, sizes[ABUT_CAM_C]};
	const double nose[3] = {sizes[ABUT_CAM_X], 0.0, sizes[ABUT_CAM_Z]};
	AbutShape *shapes[3] = {NULL, NULL, NULL};
	AbutStatus status = abut_shape_create_halfspace(up, 0.0, &shapes[0], error);
	status = status == ABUT_OK ? abut_shape_create_ellipsoid(radii, &shapes[1], error) : status;
	status = status == ABUT_OK ? abut_shape_create_sphere(sizes[ABUT_CAM_R], &shapes[2], error) : status;
	status = status == ABUT_OK ? abut_shape_move(shapes[2], upright, nose, error) : status;
	if (status == ABUT_OK) {
		const AbutShape *const parts[3] = {shapes[0], shapes[1], shapes[2]};
		AbutBodyDef bodies[2] = {abut_body_def_default(), abut_body_def_default()};
		AbutSceneDef def = abut_scene_def_default();
		bodies[0].name = "follower";
		bodies[0].is_static = true;
		bodies[0].n_parts = 1;
		bodies[0].parts = parts;
		bodies[CAM].n_parts = 2;
		bodies[CAM].parts = &parts[1];
		define_cam(cam, sizes, &bodies[CAM]);
		def.n_bodies = 2;
		def.bodies = bodies;
		def.friction = 0.0;
		def.timestep = cam->timestep;
		status = abut_model_create(&def, out, error);
	}
	for (int i = 0; i < 3; i++) {
		abut_shape_destroy(shapes[i]);
	}
	return status;
}

/* --- a run, forwards --- */

/* Of each step, by the state before it and by the sizes; NULL where they are not wanted. */
typedef struct Record {
	AbutGradient *gradient;
	double *by_state, *by_size; /* (steps x 12 x 18), (steps x 12 x sizes) */
} Record;

static AbutStatus take_step(const AbutWorld *world, const Record *record, int step, AbutError *error)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	AbutStatus status = record->gradient ? abut_step_differentiate(world->model, world->state, world->workspace,
	                                                               record->gradient, &info)
	                                     : abut_step(world->model, world->state, world->workspace, &info);
	if (status == ABUT_OK && info.outcome == ABUT_OUTCOME_FAILED) {
		return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL, "step %d of the cam failed", step);
	}
	if (status == ABUT_OK && record->gradient) {
		status =
		    abut_gradient_matrix(record->gradient, &record->by_state[(ptrdiff_t)step * ROWS * COLUMNS], error);
	}
	if (status == ABUT_OK && record->gradient) {
		status = abut_gradient_parameters(record->gradient,
		                                  &record->by_size[(ptrdiff_t)step * ROWS * ABUT_CAM_SIZES], error);
	}
	return status;
}

static AbutStatus run(const AbutCam *cam, const AbutModel *model, const Record *record, double *lift, AbutError *error)
{
	AbutWorld world = {(AbutModel *)model, NULL, NULL};
	AbutStatus status = abut_state_create(model, &world.state, error);
	if (status == ABUT_OK) {
		status = abut_workspace_create(model, &world.workspace, error);
	}
	for (int i = 0; status == ABUT_OK && i < cam->falling + cam->counted; i++) {
		AbutBodyState at;
		status = take_step(&world, record, i, error);
		if (status == ABUT_OK && i >= cam->falling) {
			status = abut_state_get_body(model, world.state, CAM, &at);
			lift[i - cam->falling] = at.position[2];
		}
	}
	abut_workspace_destroy(world.workspace);
	abut_state_destroy(world.state);
	return status;
}

AbutStatus abut_cam_run(const AbutCam *cam, const AbutModel *model, double *lift, AbutError *error)
{
	const Record none = {NULL, NULL, NULL};
	return run(cam, model, &none, lift, error);
}

/* --- and backwards --- */

/* by_state <- by_state J, and by_size += by_state P, of step `step`. */
static void step_back(const Record *record, int step, double by_state[ROWS], double by_size[ABUT_CAM_SIZES])
{
	const double *J = &record->by_state[(ptrdiff_t)step * ROWS * COLUMNS];
	const double *P = &record->by_size[(ptrdiff_t)step * ROWS * ABUT_CAM_SIZES];
	double before[ROWS] = {0.0};
	for (int r = 0; r < ROWS; r++) {
		for (int c = 0; c < ABUT_CAM_SIZES; c++) {
			by_size[c] += by_state[r] * P[r * ABUT_CAM_SIZES + c];
		}
		for (int c = 0; c < ROWS; c++) {
			before[c] += by_state[r] * J[r * COLUMNS + c];
		}
	}
	for (int r = 0; r < ROWS; r++) {
		by_state[r] = before[r];
	}
}

static double go_back(const AbutCam *cam, const Record *record, const double *lift, const double *wanted,
                      double by_size[ABUT_CAM_SIZES])
{
	double by_state[ROWS] = {0.0}, cost = 0.0;
	for (int i = cam->falling + cam->counted; i-- > 0;) {
		if (i >= cam->falling) {
			const double off = lift[i - cam->falling] - wanted[i - cam->falling];
			cost += off * off / cam->counted;
			by_state[HEIGHT] += 2.0 * off / cam->counted;
		}
		step_back(record, i, by_state, by_size);
	}
	return cost;
}

AbutStatus abut_cam_cost(const AbutCam *cam, const AbutModel *model, const double *wanted, double *cost,
                         double by_size[ABUT_CAM_SIZES], AbutError *error)
{
	const size_t steps = (size_t)cam->falling + (size_t)cam->counted;
	double *lift = calloc(steps * (1 + ROWS * (COLUMNS + ABUT_CAM_SIZES)), sizeof *lift);
	if (!lift) {
		abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a run");
		return ABUT_ERROR_MEMORY;
	}
	Record record = {NULL, lift + steps, lift + steps * (1 + ROWS * COLUMNS)};
	AbutStatus status = abut_gradient_create(model, cam->kappa, &record.gradient, error);
	if (status == ABUT_OK) {
		status = abut_gradient_select(record.gradient, ABUT_CAM_SIZES, parameters, error);
	}
	if (status == ABUT_OK) {
		status = run(cam, model, &record, lift, error);
	}
	for (int i = 0; i < ABUT_CAM_SIZES; i++) {
		by_size[i] = 0.0;
	}
	if (status == ABUT_OK) {
		*cost = go_back(cam, &record, lift, wanted, by_size);
	}
	abut_gradient_destroy(record.gradient);
	free(lift);
	return status;
}

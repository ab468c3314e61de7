/* Makes and runs the model of a cam, and differentiates the cost of its lift. */
#include "experiments/shape_optimisation/cam.h"

#include <math.h>
#include <stdlib.h>

#include "abut/rollout.h"
#include "base/error.h"
#include "experiments/setting/world.h"

/* Longer runs keep one state for so many steps and repeat the steps for the backward pass. */
enum { SEGMENT = 500 };

enum { ROWS = ABUT_GRADIENT_ROWS, CAM = 1, HEIGHT = 2 };

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

/* Returns the angle: a step turns by the quaternion whose vector part is half the way (docs/formulation.md, section
 * 2). */
double abut_cam_angle(const AbutCam *cam, int step)
{
	return 2.0 * asin(0.5 * cam->rate * cam->timestep) * step;
}

static void define_cam(const AbutCam *cam, const double sizes[ABUT_CAM_SIZES], AbutBodyDef *body)
{
	double reach = 0.0;
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
	static const double upright[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	const double radii[3] = {sizes[ABUT_CAM_A], 0.05, sizes[ABUT_CAM_C]};
	const double at[3] = {sizes[ABUT_CAM_X], 0.0, sizes[ABUT_CAM_Z]};
	AbutShape *base = NULL, *nose = NULL;
	AbutOnFloor scene; /* the floor is the follower */
	const AbutStatus made = abut_shape_create_ellipsoid(radii, &base, error);
	AbutStatus status = abut_on_floor_open(&scene, "cam", base, made, error);
	ABUT_THEN(status, abut_shape_create_sphere(sizes[ABUT_CAM_R], &nose, error));
	ABUT_THEN(status, abut_shape_move(nose, upright, at, error));
	if (status == ABUT_OK) {
		scene.bodies[0].name = "follower";
		scene.bodies[CAM].n_parts = 2;
		scene.bodies[CAM].parts = (const AbutShape *const[]){base, nose};
		define_cam(cam, sizes, &scene.bodies[CAM]);
		scene.def.friction = 0.0;
		scene.def.timestep = cam->timestep;
		status = abut_model_create(&scene.def, out, error);
	}
	abut_shape_destroy(nose);
	abut_on_floor_close(&scene);
	return status;
}

/* --- a run, forwards --- */

static AbutStatus begin(const AbutModel *model, AbutWorld *world, AbutError *error)
{
	ABUT_TRY(abut_state_create(model, &world->state, error));
	return abut_workspace_create(model, &world->workspace, error);
}

/* Takes a step; `rollout` NULL: without recording. */
static AbutStatus take_step(const AbutModel *model, const AbutWorld *world, AbutRollout *rollout, int step,
                            AbutError *error)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	const AbutStatus status = rollout ? abut_rollout_step(rollout, world->state, world->workspace, &info)
	                                  : abut_step(model, world->state, world->workspace, &info);
	if (status == ABUT_OK && info.outcome == ABUT_OUTCOME_FAILED) {
		return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL, "step %d of the cam failed", step);
	}
	return status;
}

static AbutStatus roll(const AbutCam *cam, const AbutModel *model, const AbutWorld *world, AbutRollout *rollout,
                       double *lift, AbutError *error)
{
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < cam->falling + cam->counted; i++) {
		AbutBodyState at;
		status = take_step(model, world, rollout, i, error);
		if (status == ABUT_OK && i >= cam->falling) {
			status = abut_state_get_body(model, world->state, CAM, &at);
			lift[i - cam->falling] = at.position[2];
		}
	}
	return status;
}

AbutStatus abut_cam_run(const AbutCam *cam, const AbutModel *model, double *lift, AbutError *error)
{
	AbutWorld world = {NULL, NULL, NULL};
	AbutStatus status = begin(model, &world, error);
	ABUT_THEN(status, roll(cam, model, &world, NULL, lift, error));
	abut_world_close(&world);
	return status;
}

/* --- and backwards --- */

/* Computes the cost, and its derivative by each state, the first one before the first step. */
static double cost_of(const AbutCam *cam, const double *lift, const double *wanted, double *by_states)
{
	double cost = 0.0;
	for (int i = 0; i < cam->counted; i++) {
		const double off = lift[i] - wanted[i];
		cost += off * off / cam->counted;
		by_states[((ptrdiff_t)cam->falling + i + 1) * ROWS + HEIGHT] = 2.0 * off / cam->counted;
	}
	return cost;
}

AbutStatus abut_cam_cost(const AbutCam *cam, const AbutModel *model, const double *wanted, double *cost,
                         double by_size[ABUT_CAM_SIZES], AbutError *error)
{
	const AbutRolloutOptions options = {.kappa = cam->kappa,
	                                    .capacity = cam->falling + cam->counted,
	                                    .segment = cam->falling + cam->counted > SEGMENT ? SEGMENT : 0,
	                                    .n_parameters = ABUT_CAM_SIZES,
	                                    .parameters = parameters};
	const size_t counted = (size_t)cam->counted;
	double *lift = calloc(counted + ROWS * ((size_t)options.capacity + 1), sizeof *lift);
	if (!lift) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for a run");
	}
	AbutWorld world = {NULL, NULL, NULL};
	AbutRollout *rollout = NULL;
	AbutStatus status = begin(model, &world, error);
	ABUT_THEN(status, abut_rollout_create(model, &options, &rollout, error));
	ABUT_THEN(status, roll(cam, model, &world, rollout, lift, error));
	if (status == ABUT_OK) {
		*cost = cost_of(cam, lift, wanted, lift + counted);
		status = abut_rollout_backward(rollout, world.workspace, lift + counted, NULL, NULL, by_size, error);
	}
	abut_rollout_destroy(rollout);
	abut_world_close(&world);
	free(lift);
	return status;
}

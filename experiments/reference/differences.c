/* Computes finite differences of a step. The step is repeated from a changed snapshot (docs/interface.md) or in a
 * changed copy of the model, each time with the same last solution as its start. Tested in
 * tests/experiments/test_differences.c. */
#include "experiments/reference/differences.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/body/tangent.h"
#include "dynamics/methods/convex/rows.h"
#include "dynamics/model/joint_parameter.h"
#include "dynamics/model/model.h"
#include "dynamics/state/snapshot.h"
#include "dynamics/state/state.h"
#include "experiments/reference/difference_limit.h"
#include "experiments/reference/joint_rates.h"

enum { ROWS = ABUT_GRADIENT_ROWS, SIZES = ABUT_DIFFERENCE_SIZES };

/* The largest change of an entry or parameter, in its model unit. */
static const double largest_change = 1e-2;

/* What one step needs: its model, state, workspace and, on the central path, gradient. */
typedef struct World {
	const AbutModel *model;
	AbutState *state;
	AbutWorkspace *workspace;
	AbutGradient *gradient; /* NULL: read the state after the step, not the one on the path */
} World;

struct AbutDifferences {
	double kappa;
	World world;
	AbutState *scratch; /* for the rates of joints */
	bool exact;         /* whether the unchanged step was solved exactly */
	size_t n_numbers;
	double *numbers, *changed;  /* (n_numbers) snapshots before the step: the original and a changed one */
	AbutBodyState *base, *next; /* (n_moving) after the unchanged and a changed step, at centres of mass */
	double *rates;              /* (2 x n_joints x ABUT_JOINT_FREEDOMS) abut_joint_rates, original and changed */
	double *ahead, *back;       /* (rows x SIZES) change of each row for a positive and a negative change */
	double residuals[SIZES];    /* largest residual of equations or contact laws at each size */
};

/* --- one step --- */

static void close_world(World *world)
{
	abut_gradient_destroy(world->gradient);
	abut_workspace_destroy(world->workspace);
	abut_state_destroy(world->state);
	*world = (World){NULL, NULL, NULL, NULL};
}

static AbutStatus open_world(const AbutModel *model, double kappa, World *world, AbutError *error)
{
	*world = (World){model, NULL, NULL, NULL};
	AbutStatus status = abut_state_create(model, &world->state, error);
	ABUT_THEN(status, abut_workspace_create(model, &world->workspace, error));
	if (status == ABUT_OK && kappa > 0.0) {
		status = abut_gradient_create(model, kappa, &world->gradient, error);
	}
	return status;
}

static bool take_step(World *world, AbutStepInfo *info)
{
	const AbutStatus status = world->gradient ? abut_step_differentiate(world->model, world->state,
	                                                                    world->workspace, world->gradient, info)
	                                          : abut_step(world->model, world->state, world->workspace, info);
	return status == ABUT_OK && info->outcome != ABUT_OUTCOME_FAILED;
}

/* Reads the moving bodies after the step; their positions are the centres of mass. */
static bool read_next(const World *world, AbutBodyState *out)
{
	const AbutModel *model = world->model;
	bool known = true;
	for (int i = 0; i < model->n_moving; i++) {
		const int body = model->moving_body[i];
		double R[9], offset[3];
		known = known && (world->gradient ? abut_gradient_next(world->gradient, body, &out[i], NULL)
		                                  : abut_state_get_body(model, world->state, body, &out[i])) == ABUT_OK;
		abut_quat_to_mat3(out[i].orientation, R);
		abut_mat3_vec(R, model->bodies[body].centre_of_mass, offset);
		abut_add3(out[i].position, offset, out[i].position);
	}
	return known;
}

/* Takes the step from the snapshot `numbers`. Its last solution is used if the model accepts it. False when the step
 * fails. */
static bool step_from(World *world, size_t n, const double *numbers, AbutStepInfo *info, AbutBodyState *out)
{
	*info = (AbutStepInfo){.exact = false};
	if (abut_state_restore(world->model, world->state, n, numbers, NULL) != ABUT_OK &&
	    abut_state_restore_motion(world->model, world->state, n, numbers, NULL) != ABUT_OK) {
		return false;
	}
	return take_step(world, info) && read_next(world, out);
}

/* --- rows --- */

/* Writes the twelve rows of a body, the change of state from `base` to `to`, with a stride of SIZES. */
static void difference_of(const AbutBodyState *base, const AbutBodyState *to, double *out)
{
	const double *q = base->orientation, back[4] = {q[0], -q[1], -q[2], -q[3]};
	double turn[4];
	abut_quat_mul(back, to->orientation, turn);
	for (int k = 0; k < 3; k++) {
		out[SIZES * (ABUT_GRADIENT_POSITION + k)] = to->position[k] - base->position[k];
		out[SIZES * (ABUT_GRADIENT_ROTATION + k)] = 2.0 * turn[1 + k] / turn[0];
		out[SIZES * (ABUT_GRADIENT_LINEAR + k)] = to->linear_velocity[k] - base->linear_velocity[k];
		out[SIZES * (ABUT_GRADIENT_ANGULAR + k)] = to->angular_velocity[k] - base->angular_velocity[k];
	}
}

/* Takes the step from `changed` in `world` and fills in the rows of this size. The rows are NaN if `world` is NULL or
 * the step fails, or if only one of this step and the unchanged step was solved exactly. */
static void fill_size(AbutDifferences *d, World *world, int size, double *out)
{
	const int n = d->world.model->n_moving;
	AbutStepInfo info;
	const bool known =
	    world && step_from(world, d->n_numbers, d->changed, &info, d->next) && info.exact == d->exact;
	if (d->kappa == 0.0 && known) {
		d->residuals[size] = fmax(d->residuals[size], fmax(info.residual, info.complementarity));
	}
	for (int i = 0; i < n; i++) {
		double *rows = &out[SIZES * ROWS * i + size];
		difference_of(&d->base[i], &d->next[i], rows);
		for (int r = 0; r < ROWS && !known; r++) {
			rows[SIZES * r] = NAN;
		}
	}
}

/* Computes the limits of all rows. The error of a step is its residual, in model units. It may depend on the change in
 * ways that differences do not show: a sticking contact, for example, slips by the residual of the contact laws. Points
 * on the central path are solved to rounding, which is as large as the smallest changes. */
static void find_limits(const AbutDifferences *d, double h, double *values, double *errors)
{
	const AbutModel *model = d->world.model;
	for (int row = 0; row < ROWS * model->n_moving; row++) {
		double noise[SIZES];
		for (int size = 0; size < SIZES; size++) {
			noise[size] =
			    fmax(d->residuals[size], DBL_EPSILON) * abut_tangent_unit(&model->units, row % ROWS);
		}
		abut_difference_limit(h, &d->ahead[SIZES * row], &d->back[SIZES * row], noise, &values[row],
		                      &errors[row]);
	}
}

/* --- changes --- */

/* Computes the turn by the angle `by` about a body axis, in body axes. For a planar body, only the part about world y
 * remains. */
static void own_turn(const double q[4], bool planar, int axis, double by, double out[3])
{
	double R[9];
	abut_quat_to_mat3(q, R);
	for (int k = 0; k < 3; k++) {
		out[k] = planar ? by * R[3 + axis] * R[3 + k] : k == axis ? by : 0.0;
	}
}

/* Adds `by` to one entry of the tangent space, in the numbers of the body in a snapshot. */
static void change_body(double *numbers, bool planar, int entry, double by)
{
	const int axis = entry % 3;
	double phi[3], q[4];
	double *orientation = &numbers[ABUT_SNAPSHOT_ORIENTATION];
	const double along = planar && axis == 1 ? 0.0 : by;
	own_turn(orientation, planar, axis, by, phi);
	if (entry < ABUT_GRADIENT_ROTATION) {
		numbers[ABUT_SNAPSHOT_POSITION + axis] += along;
	} else if (entry < ABUT_GRADIENT_LINEAR) {
		const double turn[4] = {1.0, 0.5 * phi[0], 0.5 * phi[1], 0.5 * phi[2]};
		abut_quat_mul(orientation, turn, q);
		abut_quat_normalise(q);
		memcpy(orientation, q, sizeof q);
	} else if (entry < ABUT_GRADIENT_ANGULAR) {
		numbers[ABUT_SNAPSHOT_LINEAR + axis] += along;
	} else if (entry < ABUT_GRADIENT_FORCE) {
		abut_add3(&numbers[ABUT_SNAPSHOT_ANGULAR], phi, &numbers[ABUT_SNAPSHOT_ANGULAR]);
	} else {
		numbers[(entry < ABUT_GRADIENT_TORQUE ? ABUT_SNAPSHOT_FORCE : ABUT_SNAPSHOT_TORQUE) + axis] += by;
	}
}

/* Changes the rates that joints remember in the changed snapshot as the state changes: a derivative takes them as
 * functions of the state. */
static void follow_rates(AbutDifferences *d)
{
	const AbutModel *model = d->world.model;
	const int n = ABUT_JOINT_FREEDOMS * model->joints.n;
	if (n == 0 || abut_state_restore(model, d->world.state, d->n_numbers, d->changed, NULL) != ABUT_OK) {
		return; /* without joints, or a state from which no step is possible */
	}
	abut_joint_rates(model, d->world.state, d->scratch, d->rates + n);
	for (int i = 0; i < n; i++) {
		const size_t at = abut_snapshot_joint(model, i / ABUT_JOINT_FREEDOMS) +
		                  offsetof(AbutJointMemory, rate) / sizeof(double) + (size_t)(i % ABUT_JOINT_FREEDOMS);
		d->changed[at] += d->rates[n + i] - d->rates[i];
	}
}

AbutStatus abut_differences_state(AbutDifferences *d, int moving, int entry, double *values, double *errors,
                                  AbutError *error)
{
	const AbutModel *model = d->world.model;
	if (moving < 0 || moving >= model->n_moving || entry < 0 || entry >= ABUT_GRADIENT_COLUMNS) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL,
		                      "there is no entry %d of moving body %d; there are %d bodies and %d entries",
		                      moving, entry, model->n_moving, ABUT_GRADIENT_COLUMNS);
	}
	const int body = model->moving_body[moving];
	const double h = largest_change * abut_tangent_unit(&model->units, entry);
	double by = h;
	memset(d->residuals, 0, sizeof d->residuals);
	for (int size = 0; size < SIZES; size++, by /= ABUT_DIFFERENCE_RATIO) {
		for (int side = 0; side < 2; side++) {
			memcpy(d->changed, d->numbers, d->n_numbers * sizeof *d->changed);
			change_body(&d->changed[abut_snapshot_body(body)], model->bodies[body].planar, entry,
			            side == 0 ? by : -by);
			follow_rates(d);
			fill_size(d, &d->world, size, side == 0 ? d->ahead : d->back);
		}
	}
	find_limits(d, h, values, errors);
	return ABUT_OK;
}

/* --- parameters --- */

static double largest_inertia(const AbutBody *body)
{
	return fmax(body->inertia_si[0], fmax(body->inertia_si[4], body->inertia_si[8]));
}

/* Returns whether the part is a half space. Its size is an offset and may be 0. */
static bool is_halfspace(const AbutModel *model, const AbutParameter *parameter)
{
	const int part = model->bodies[parameter->body].first_part + parameter->part;
	return model->parts[part].shape->kind == ABUT_SHAPE_HALFSPACE;
}

/* Returns the unit of a parameter, in which its changes are measured. */
static double unit_of(const AbutModel *model, const AbutParameter *parameter)
{
	const AbutUnits *units = &model->units;
	double value = 0.0;
	abut_parameter_get(model, parameter, &value, NULL);
	if (abut_parameter_of_joint(parameter->kind)) {
		return value != 0.0 ? fabs(value) : abut_joint_parameter_unit(model, parameter);
	}
	switch ((int)parameter->kind) {
	case ABUT_PARAMETER_TIMESTEP:
	case ABUT_PARAMETER_MASS:
		return value;
	case ABUT_PARAMETER_SIZE:
		return is_halfspace(model, parameter) ? units->length : value;
	case ABUT_PARAMETER_GRAVITY:
		return units->velocity / units->time;
	case ABUT_PARAMETER_INERTIA:
		return largest_inertia(&model->bodies[parameter->body]);
	case ABUT_PARAMETER_FRICTION:
	case ABUT_PARAMETER_PART_ROTATION:
		return 1.0;
	case ABUT_PARAMETER_FACE:
		return parameter->index % 4 == 3 ? units->length : 1.0;
	default:
		return units->length;
	}
}

/* Moves the centre of mass in the world, because the body frame stays where it is. */
static void move_centre(double *numbers, int axis, double by)
{
	double R[9];
	abut_quat_to_mat3(&numbers[ABUT_SNAPSHOT_ORIENTATION], R);
	for (int k = 0; k < 3; k++) {
		numbers[ABUT_SNAPSHOT_POSITION + k] += by * R[3 * k + axis];
	}
}

/* Takes the step of one size in a changed model. The rows are NaN if no model can have the changed value. */
static AbutStatus step_with(AbutDifferences *d, const AbutParameter *parameter, double value, double by, int size,
                            double *out)
{
	World world = {NULL, NULL, NULL, NULL};
	AbutModel *model = NULL;
	const double changed = value + by;
	AbutStatus status = abut_model_create_changed(d->world.model, 1, parameter, &changed, &model, NULL);
	ABUT_THEN(status, open_world(model, d->kappa, &world, NULL));
	memcpy(d->changed, d->numbers, d->n_numbers * sizeof *d->changed);
	if (parameter->kind == ABUT_PARAMETER_MOTOR) { /* an input, whose value is in the state */
		d->changed[abut_snapshot_joint(d->world.model, parameter->part) + ABUT_JOINT_NUMBERS +
		           (size_t)parameter->index] += by;
	} else if (parameter->kind == ABUT_PARAMETER_CENTRE_OF_MASS) {
		move_centre(&d->changed[abut_snapshot_body(parameter->body)], parameter->index, by);
	}
	fill_size(d, status == ABUT_OK ? &world : NULL, size, out);
	close_world(&world);
	abut_model_destroy(model);
	return status == ABUT_ERROR_MEMORY ? status : ABUT_OK;
}

/* Takes the step for a positive and for a negative change. */
static AbutStatus step_around(AbutDifferences *d, const AbutParameter *parameter, double value, double by, int size)
{
	ABUT_TRY(step_with(d, parameter, value, by, size, d->ahead));
	return step_with(d, parameter, value, -by, size, d->back);
}

/* Takes two steps for positive changes, for parameters that cannot decrease: (4 f(h) - f(2h) - 3 f(0)) / 2h is of the
 * same order as a central difference. */
static AbutStatus step_above(AbutDifferences *d, const AbutParameter *parameter, double value, double by, int size)
{
	AbutStatus status = step_with(d, parameter, value, by, size, d->ahead);
	ABUT_THEN(status, step_with(d, parameter, value, 2.0 * by, size, d->back));
	for (int row = 0; row < ROWS * d->world.model->n_moving; row++) {
		double *once = &d->ahead[SIZES * row + size], *twice = &d->back[SIZES * row + size];
		*once = 2.0 * *once - 0.5 * *twice;
		*twice = -*once;
	}
	return status;
}

/* Returns whether the value is the lower limit of the parameter, such as friction 0. */
static bool has_one_side(const AbutParameter *parameter, double value)
{
	switch ((int)parameter->kind) {
	case ABUT_PARAMETER_FRICTION:
	case ABUT_PARAMETER_TORSIONAL_RADIUS:
	case ABUT_PARAMETER_MOTOR_STIFFNESS:
	case ABUT_PARAMETER_MOTOR_DAMPING:
	case ABUT_PARAMETER_JOINT_STIFFNESS:
	case ABUT_PARAMETER_JOINT_DAMPING:
	case ABUT_PARAMETER_JOINT_FRICTION:
	case ABUT_PARAMETER_JOINT_ARMATURE:
		return value == 0.0;
	default:
		return false;
	}
}

/* Returns the largest change of a parameter. Two cases need smaller changes: on the central path friction near zero
 * acts with its square over kappa, and method convex has a least friction coefficient. */
static double change_of(const AbutDifferences *d, const AbutParameter *parameter, double value)
{
	const AbutModel *model = d->world.model;
	double change = largest_change;
	if (has_one_side(parameter, value) && d->kappa > 0.0 && !abut_parameter_of_joint(parameter->kind)) {
		change = fmin(change, 0.1 * d->kappa);
	}
	if (has_one_side(parameter, value) && model->options.method == ABUT_METHOD_CONVEX) {
		change = fmin(change, 0.1 * abut_convex_least_friction);
	}
	return change * unit_of(model, parameter);
}

AbutStatus abut_differences_parameter(AbutDifferences *d, const AbutParameter *parameter, double *values,
                                      double *errors, AbutError *error)
{
	const AbutModel *model = d->world.model;
	double value;
	ABUT_TRY(abut_parameter_get(model, parameter, &value, error));
	const double h = change_of(d, parameter, value);
	double by = h;
	memset(d->residuals, 0, sizeof d->residuals);
	AbutStatus status = ABUT_OK;
	for (int size = 0; size < SIZES && status == ABUT_OK; size++, by /= ABUT_DIFFERENCE_RATIO) {
		status = has_one_side(parameter, value) ? step_above(d, parameter, value, by, size)
		                                        : step_around(d, parameter, value, by, size);
	}
	if (status != ABUT_OK) {
		return abut_error_set(error, status, NULL, "no memory for differences of steps");
	}
	find_limits(d, h, values, errors);
	return ABUT_OK;
}

/* --- how much counts --- */

double abut_differences_entry_effect(const AbutModel *model, int entry)
{
	return model->timestep * model->units.velocity / abut_tangent_unit(&model->units, entry);
}

double abut_differences_parameter_effect(const AbutModel *model, const AbutParameter *parameter)
{
	const double unit = abut_parameter_of_joint(parameter->kind) ? abut_joint_parameter_unit(model, parameter)
	                                                             : unit_of(model, parameter);
	return model->timestep * model->units.velocity / unit;
}

/* --- making --- */

void abut_differences_destroy(AbutDifferences *d)
{
	if (d) {
		close_world(&d->world);
		abut_state_destroy(d->scratch);
		free(d->rates);
		free(d->numbers);
		free(d->base);
		free(d->ahead);
		free(d);
	}
}

static AbutStatus reserve(const AbutModel *model, AbutDifferences *d, AbutError *error)
{
	const size_t n = (size_t)model->n_moving + 1;
	d->rates = calloc(2 * ABUT_JOINT_FREEDOMS * (size_t)model->joints.n + 1, sizeof *d->rates);
	d->numbers = calloc(2 * d->n_numbers, sizeof *d->numbers);
	d->base = calloc(2 * n, sizeof *d->base);
	d->ahead = calloc(2 * n * ROWS * SIZES, sizeof *d->ahead);
	if (!d->numbers || !d->base || !d->ahead || !d->rates) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for differences of steps");
	}
	d->changed = d->numbers + d->n_numbers;
	d->next = d->base + n;
	d->back = d->ahead + n * ROWS * SIZES;
	return ABUT_OK;
}

AbutStatus abut_differences_create(const AbutModel *model, const AbutState *state, double kappa, AbutDifferences **out,
                                   AbutError *error)
{
	*out = NULL;
	AbutDifferences *d = calloc(1, sizeof *d);
	if (!d) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for differences of steps");
	}
	AbutStepInfo info;
	d->kappa = kappa;
	d->n_numbers = abut_state_snapshot_size(model, state);
	AbutStatus status = reserve(model, d, error);
	ABUT_THEN(status, open_world(model, kappa, &d->world, error));
	ABUT_THEN(status, abut_state_snapshot(model, state, d->numbers));
	ABUT_THEN(status, abut_state_create(model, &d->scratch, error));
	if (status == ABUT_OK) {
		abut_joint_rates(model, state, d->scratch, d->rates);
	}
	if (status == ABUT_OK && !step_from(&d->world, d->n_numbers, d->numbers, &info, d->base)) {
		status = abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL, "the step could not be repeated");
	}
	if (status != ABUT_OK) {
		abut_differences_destroy(d);
		return status;
	}
	d->exact = info.exact;
	*out = d;
	return ABUT_OK;
}

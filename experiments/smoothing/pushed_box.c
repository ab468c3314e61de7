/* Steps and differentiates a pushed box, with closed forms of its threshold and slope. */
#include "experiments/smoothing/pushed_box.h"

#include <math.h>

#include "base/error.h"
#include "experiments/setting/world.h"

/* Returns the observed velocity as a row of the derivative. */
static int observed(AbutPushKind kind)
{
	static const int rows[ABUT_PUSH_KINDS] = {ABUT_GRADIENT_LINEAR, ABUT_GRADIENT_LINEAR + 2,
	                                          ABUT_GRADIENT_ANGULAR + 1};
	return rows[kind];
}

const char *abut_push_name(AbutPushKind kind)
{
	static const char *const names[ABUT_PUSH_KINDS] = {"slip", "lift", "tip"};
	return names[kind];
}

/* Returns the threshold of the force f. The box slips at mu m g and lifts off at m g. With half extents a along x and b
 * along z, it tips about its lower edge when f 2 b > m g a. */
double abut_push_threshold(const AbutPush *push)
{
	const double weight = push->mass * 9.81;
	return push->kind == ABUT_PUSH_SLIP  ? push->friction * weight
	       : push->kind == ABUT_PUSH_TIP ? 0.5 * weight * push->half[0] / push->half[2]
	                                     : weight;
}

/* Returns the slope: dt / m for slip and lift-off. For tipping at an angular velocity w, the arms are those of the box
 * turned by w dt; to first order
 *
 *     4/3 m (a^2 + b^2) w / dt = f (2 b + a w dt) - m g (a - b w dt)
 *
 * Tested in tests/experiments/test_smoothing.c. */
double abut_push_slope(const AbutPush *push)
{
	const double a = push->half[0], b = push->half[2], m = push->mass, dt = push->timestep;
	const double turned = (abut_push_threshold(push) * a + 9.81 * m * b) * dt;
	return push->kind == ABUT_PUSH_TIP ? 2.0 * b / (4.0 / 3.0 * m * (a * a + b * b) / dt - turned) : dt / m;
}

static AbutStatus make_world(AbutPushedBox *box, AbutError *error)
{
	const AbutPush *push = &box->push;
	AbutShape *shape = NULL;
	AbutOnFloor scene;
	const AbutStatus made = abut_shape_create_box(push->half, &shape, error);
	AbutStatus status = abut_on_floor_open(&scene, "box", shape, made, error);
	if (status == ABUT_OK) {
		scene.bodies[ABUT_ON_FLOOR_BODY].mass = push->mass;
		scene.bodies[ABUT_ON_FLOOR_BODY].position[2] = push->half[2];
		scene.def.friction = push->friction;
		scene.def.timestep = push->timestep;
		status = abut_world_open(&box->world, &scene.def, error);
	}
	abut_on_floor_close(&scene);
	return status;
}

AbutStatus abut_pushed_box_open(AbutPushedBox *box, const AbutPush *push, double kappa, AbutError *error)
{
	*box = (AbutPushedBox){.push = *push, .kappa = kappa};
	ABUT_TRY(make_world(box, error));
	ABUT_TRY(abut_state_create(box->world.model, &box->start, error));
	return abut_gradient_create(box->world.model, kappa, &box->gradient, error);
}

void abut_pushed_box_close(AbutPushedBox *box)
{
	abut_gradient_destroy(box->gradient);
	abut_state_destroy(box->start);
	abut_world_close(&box->world);
	*box = (AbutPushedBox){.start = NULL};
}

/* Returns the box to rest and applies the force, at the upper edge with its torque. */
static AbutStatus begin(AbutPushedBox *box, double force)
{
	const bool tip = box->push.kind == ABUT_PUSH_TIP, lift = box->push.kind == ABUT_PUSH_LIFT;
	const double f[3] = {lift ? 0.0 : force, 0.0, lift ? force : 0.0};
	const double torque[3] = {0.0, tip ? box->push.half[2] * force : 0.0, 0.0};
	ABUT_TRY(abut_state_copy(box->world.model, box->start, box->world.state));
	return abut_state_set_input(box->world.model, box->world.state, 1, f, torque);
}

static double observe(AbutPushKind kind, const AbutBodyState *body)
{
	const int row = observed(kind);
	return row < ABUT_GRADIENT_ANGULAR ? body->linear_velocity[row - ABUT_GRADIENT_LINEAR]
	                                   : body->angular_velocity[row - ABUT_GRADIENT_ANGULAR];
}

AbutStatus abut_pushed_box_step(AbutPushedBox *box, double force, double *value)
{
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	AbutBodyState after;
	AbutStatus status = begin(box, force);
	ABUT_THEN(status, abut_step(box->world.model, box->world.state, box->world.workspace, &info));
	ABUT_THEN(status, abut_state_get_body(box->world.model, box->world.state, 1, &after));
	*value =
	    status == ABUT_OK && info.outcome != ABUT_OUTCOME_FAILED ? observe(box->push.kind, &after) : (double)NAN;
	return status;
}

AbutStatus abut_pushed_box_differentiate(AbutPushedBox *box, double force, double *value, double *slope,
                                         AbutError *error)
{
	double matrix[ABUT_GRADIENT_ROWS * ABUT_GRADIENT_COLUMNS];
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_FAILED};
	AbutBodyState after;
	AbutStatus status = begin(box, force);
	ABUT_THEN(status, abut_step_differentiate(box->world.model, box->world.state, box->world.workspace,
	                                          box->gradient, &info));
	*value = *slope = NAN;
	if (status == ABUT_OK) {
		status = abut_gradient_matrix(box->gradient, matrix, error);
		if (status == ABUT_ERROR_NUMERICAL) {
			return ABUT_OK;
		}
	}
	ABUT_THEN(status, abut_gradient_next(box->gradient, 1, &after, error));
	if (status == ABUT_OK) {
		const double *row = &matrix[observed(box->push.kind) * ABUT_GRADIENT_COLUMNS];
		const int along = ABUT_GRADIENT_FORCE + (box->push.kind == ABUT_PUSH_LIFT ? 2 : 0);
		const double lever = box->push.kind == ABUT_PUSH_TIP ? box->push.half[2] : 0.0;
		*value = observe(box->push.kind, &after);
		*slope = row[along] + lever * row[ABUT_GRADIENT_TORQUE + 1];
	}
	return status;
}
